// @ts-check
import { drawing, tag } from "./dom.js";

/** @typedef {{ name: string, calls: number, denied: number }} Bar */

const HEIGHT = 200;
const FOOT = 24;
const HEAD = 10;
const LEFT = 44;
const LABEL_ROOM = 64;

/**
 * Stacked bars. They are drawn for the available width, so that the text keeps its size.
 * @param {Bar[]} bars
 * @param {string} words What the chart shows, for screen readers.
 */
export function barChart(bars, words) {
	const place = tag("div.chart");
	let drawn = 0;
	new ResizeObserver(() => {
		const width = place.clientWidth;
		if (width && width !== drawn) place.replaceChildren(draw(bars, words, width));
		drawn = width;
	}).observe(place);
	return place;
}

/** @param {Bar[]} bars @param {string} words @param {number} width */
function draw(bars, words, width) {
	const top = roundUp(Math.max(...bars.map((bar) => bar.calls + bar.denied)));
	const plot = HEIGHT - FOOT - HEAD;
	const step = (width - LEFT) / bars.length;
	const thick = Math.max(2, Math.min(28, step * 0.68));
	const labelEvery = Math.ceil(LABEL_ROOM / step);
	/** @param {number} value */
	const tall = (value) => (value / top) * plot;
	/** @param {number} value */
	const y = (value) => HEAD + plot - tall(value);

	return drawing("svg", { role: "img", "aria-label": words, width, height: HEIGHT },
		[0, top / 2, top].map((value) => [
			drawing("line", { x1: LEFT, x2: width, y1: y(value), y2: y(value) }),
			drawing("text", { class: "end", x: LEFT - 8, y: y(value) + 4 }, value.toLocaleString("en")),
		]),
		bars.map(({ name, calls, denied }, index) => {
			const x = LEFT + index * step + (step - thick) / 2;
			const last = bars.length - 1 - index;
			return [
				drawing("g", drawing("title", `${name}: ${calls} allowed, ${denied} refused`),
					drawing("rect", { class: "column", x: LEFT + index * step, y: HEAD, width: step, height: plot }),
					calls > 0 && drawing("rect", { class: "allowed", x, y: y(calls), width: thick, height: tall(calls), rx: 2 }),
					denied > 0 && drawing("rect", { class: "denied", x, y: y(calls + denied), width: thick, height: tall(denied), rx: 2 })),
				// Counted from the right, so that today always has its name.
				last % labelEvery === 0 && drawing("text", { class: last ? "middle" : "end", x: last ? x + thick / 2 : width, y: HEIGHT - 6 }, name),
			];
		}));
}

/** The next round number whose half is whole, too. @param {number} value */
function roundUp(value) {
	const power = 10 ** Math.floor(Math.log10(Math.max(value, 1)));
	return Math.max(2, power * ([1, 2, 4, 6, 8].find((factor) => factor * power >= value) ?? 10));
}
