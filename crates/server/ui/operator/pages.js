// @ts-check
// Lists that are loaded page by page.
import { t } from "../lang/lang.js";
import { Skeleton, Button, DataTable } from "../parts/elements.js";
import { Failure } from "../parts/messages.js";
import { html, useEffect, useRef, useState } from "../vendor/preact.js";

const NOTHING = { items: null, next: null, answer: null, error: null, moreError: null, busy: true };

/**
 * Loads the first part of a list, and again when a value of `inputs` changes. What is shown stays while it is loaded again.
 * @template T
 * @param {(cursor?: string) => Promise<OperatorPage<T>>} load
 * @param {unknown[]} inputs
 * @returns {OperatorPages<T>}
 */
export function usePages(load, inputs) {
	const [state, setState] = useState(/** @type {any} */ (NOTHING));
	const latest = useRef(0);

	/** Applies an answer, unless a newer request was sent meanwhile. @param {Promise<object>} work @param {(error: unknown) => object} failed */
	async function apply(work, failed) {
		const mine = ++latest.current;
		setState((/** @type {any} */ before) => ({ ...before, busy: true, moreError: null }));
		const next = await work.catch(failed);
		if (mine === latest.current) setState((/** @type {any} */ before) => ({ ...before, ...next, busy: false }));
	}
	const reload = () => apply(load().then((page) => ({ ...page, error: null })), (error) => ({ error }));
	const more = () => apply(
		load(state.next).then((page) => ({ ...page, items: [...state.items, ...page.items] })),
		(moreError) => ({ moreError }));

	useEffect(() => {
		reload();
		return () => {
			latest.current += 1;
		};
	}, inputs);
	return {
		...state,
		reload,
		more,
		replace: (isSame, item) => setState((/** @type {any} */ before) => ({
			...before, items: before.items.map((/** @type {T} */ one) => (isSame(one) ? item : one)),
		})),
	};
}

/**
 * A list as a table, with its number of rows and "load more".
 * @param {{ pages: OperatorPages<any>, name: string, heads: string[], row: (item: any, index: number) => any, empty: any }} properties
 */
export function List({ pages, name, heads, row, empty }) {
	const { items, next, error, moreError, busy, reload, more } = pages;
	const count = useRef(/** @type {any} */ (null));
	const failed = error && html`<${Failure} title=${t("operator-list-not-loaded")} error=${error} retry=${reload} />`;
	if (!items) return failed || html`<${Skeleton} rows=${6} />`;

	async function loadMore() {
		await more();
		// The button is gone after the last part. The focus must not be lost with it.
		requestAnimationFrame(() => {
			if (document.activeElement === document.body) count.current?.focus();
		});
	}
	return html`
		<div class="stack" aria-busy=${String(busy)}>
			${failed}
			${items.length ? html`
				<div class="card table-card"><${DataTable} name=${name} heads=${heads} kind="list stacked">${items.map(row)}<//></div>
				<p class="soft small" role="status" tabindex="-1" ref=${count}>${t(next ? "operator-list-shown-more" : "operator-list-shown", { count: items.length })}</p>` : !error && empty}
			${moreError && html`<${Failure} title=${t("operator-list-more-not-loaded")} error=${moreError} />`}
			${next && html`<p class="row centre"><${Button} onClick=${loadMore}>${t("operator-load-more")}<//></p>`}
		</div>`;
}
