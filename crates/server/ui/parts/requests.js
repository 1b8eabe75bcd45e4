// @ts-check
// Requests of a component: what it loads, and what a person sends.
import { useEffect, useRef, useState } from "../vendor/preact.js";

/**
 * Loads data, and again when a value of `inputs` changes. Data stays while it is loaded again.
 * @template T
 * @param {() => Promise<T>} load
 * @param {unknown[]} inputs
 * @returns {{ data: T | null, error: unknown, reload: () => Promise<void> }}
 */
export function useLoad(load, inputs) {
	const [state, setState] = useState({ data: /** @type {T | null} */ (null), error: /** @type {unknown} */ (null) });
	const latest = useRef(0);
	async function reload() {
		const mine = ++latest.current;
		try {
			const data = await load();
			// The response to an earlier choice may arrive late. It must not replace this one.
			if (mine === latest.current) setState({ data, error: null });
		} catch (error) {
			if (mine === latest.current) setState((before) => ({ ...before, error }));
		}
	}
	useEffect(() => {
		reload();
		return () => {
			latest.current += 1;
		};
	}, inputs);
	return { ...state, reload };
}

/**
 * Sends what a person ordered, once at a time. What was typed stays if it fails.
 * @returns {{ busy: boolean, error: any, send: (work: () => Promise<void>) => Promise<void>, clear: () => void }}
 */
export function useSend() {
	const [state, setState] = useState({ busy: false, error: /** @type {any} */ (null) });
	const running = useRef(false);
	/** @param {() => Promise<void>} work */
	async function send(work) {
		if (running.current) return;
		running.current = true;
		setState({ busy: true, error: null });
		try {
			await work();
			setState({ busy: false, error: null });
		} catch (error) {
			setState({ busy: false, error });
		}
		running.current = false;
	}
	return { ...state, send, clear: () => setState({ busy: false, error: null }) };
}
