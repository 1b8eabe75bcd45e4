// @ts-check
// Charts. They are drawn for the available width, so that their text keeps its size.
import { html, useLayoutEffect, useRef, useState } from "../vendor/preact.js";
import { number } from "./times.js";

const HEIGHT = 200;
const FOOT = 24;
const HEAD = 10;
const LEFT = 44;
const PLOT = HEIGHT - FOOT - HEAD;
const LABEL_ROOM = 64;

/**
 * Stacked bars, such as the calls of each day.
 * @param {{ bars: { name: string, title: string, values: number[] }[], kinds: string[], words: string }} properties
 *   `title`: the values of a bar in words; `kinds`: the class of each of its values, from the bottom (`allowed`, `denied`);
 *   `words`: what the chart shows, for screen readers.
 */
export const Bars = ({ bars, kinds, words }) => html`<${Drawing} words=${words}>${(/** @type {number} */ width) => {
	const top = roundUp(Math.max(...bars.map(({ values }) => values.reduce((sum, value) => sum + value, 0))));
	const step = (width - LEFT) / bars.length;
	const thick = Math.max(2, Math.min(28, step * 0.68));
	return html`
		<${Scale} top=${top} width=${width} />
		${bars.map(({ name, title, values }, index) => {
			const left = LEFT + index * step;
			let sum = 0;
			return html`
				<g key=${name}>
					<title>${title}</title>
					<rect class="column" x=${left} y=${HEAD} width=${step} height=${PLOT} />
					${values.map((value, kind) => {
						sum += value;
						return value > 0 && html`<rect class=${kinds[kind]} x=${left + (step - thick) / 2} y=${heightOf(sum, top)} width=${thick} height=${(value / top) * PLOT} rx="2" />`;
					})}
				</g>`;
		})}
		<${Names} names=${bars.map(({ name }) => name)} width=${width} at=${(/** @type {number} */ index) => LEFT + (index + 0.5) * step} />`;
}}<//>`;

/**
 * A line for values over time, such as a score.
 * @param {{ points: { name: string, title: string, value: number, kind?: string }[], top?: number, words: string }} properties
 *   `title`: the value of a point in words; `kind`: a class of its own; `top`: the greatest possible value, if there is one; `words`: what the chart shows, for screen readers.
 */
export const Line = ({ points, top, words }) => html`<${Drawing} words=${words}>${(/** @type {number} */ width) => {
	const greatest = top ?? roundUp(Math.max(...points.map(({ value }) => value)));
	// Room for the last point and its name.
	const step = (width - LEFT - 24) / Math.max(1, points.length - 1);
	/** @param {number} index */
	const x = (index) => LEFT + 8 + index * step;
	return html`
		<${Scale} top=${greatest} width=${width} />
		<polyline class="line" points=${points.map(({ value }, index) => `${x(index)},${heightOf(value, greatest)}`).join(" ")} />
		${points.map(({ name, title, value, kind = "" }, index) => html`<circle key=${`${name} ${index}`} class=${`point ${kind}`} cx=${x(index)} cy=${heightOf(value, greatest)} r="4"><title>${title}</title></circle>`)}
		<${Names} names=${points.map(({ name }) => name)} width=${width} at=${x} />`;
}}<//>`;

/** @param {number} value @param {number} top */
const heightOf = (value, top) => HEAD + PLOT - (value / top) * PLOT;

/** @param {{ words: string, children: (width: number) => any }} properties */
function Drawing({ words, children }) {
	const place = useRef(/** @type {any} */ (null));
	const [width, setWidth] = useState(0);
	useLayoutEffect(() => {
		const observer = new ResizeObserver(() => setWidth(place.current?.clientWidth ?? 0));
		observer.observe(place.current);
		return () => observer.disconnect();
	}, []);
	return html`<div class="chart" ref=${place}>${width > 0 && html`<svg role="img" aria-label=${words} width=${width} height=${HEIGHT}>${children(width)}</svg>`}</div>`;
}

/** @param {{ top: number, width: number }} properties */
const Scale = ({ top, width }) => [0, top / 2, top].map((value) => html`
	<line key=${`line ${value}`} x1=${LEFT} x2=${width} y1=${heightOf(value, top)} y2=${heightOf(value, top)} />
	<text key=${`text ${value}`} class="end" x=${LEFT - 8} y=${heightOf(value, top) + 4}>${number(value)}</text>`);

/** The names that have room, counted from the right, so that the last one always has its name. @param {{ names: string[], width: number, at: (index: number) => number }} properties */
function Names({ names, width, at }) {
	const every = Math.ceil(LABEL_ROOM / Math.max(1, at(1) - at(0)));
	return names.map((name, index) => {
		const last = names.length - 1 - index;
		return last % every === 0 && html`<text key=${`${name} ${index}`} class=${last ? "middle" : "end"} x=${last ? at(index) : width} y=${HEIGHT - 6}>${name}</text>`;
	});
}

/** The next round number whose half is whole, too. @param {number} value */
function roundUp(value) {
	const power = 10 ** Math.floor(Math.log10(Math.max(value, 1)));
	return Math.max(2, power * ([1, 2, 4, 6, 8].find((factor) => factor * power >= value) ?? 10));
}
