// @ts-check
// Preact with htm and signals, as every view uses them. A string only ever becomes a text node.
import { h } from "../vendor/preact.js";
import htm from "../vendor/htm.js";

export { Fragment, render } from "../vendor/preact.js";
export { useEffect, useId, useLayoutEffect, useMemo, useRef, useState } from "../vendor/hooks.js";
export { batch, computed, effect, signal, useComputed, useSignal, useSignalEffect } from "../vendor/signals.js";

/** `html`<p class="soft">${text}</p>`` */
export const html = htm.bind(h);
