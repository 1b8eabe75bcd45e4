// The types of what `preact.js` exports, as far as the page uses them. Only for the type checker: this file is not served.
// A string in `html` only ever becomes a text node.

export type Element = any;
export interface Signal<T> {
	value: T;
	peek(): T;
}
export interface ReadonlySignal<T> {
	readonly value: T;
	peek(): T;
}
export interface Ref<T> {
	current: T;
}

export function html(strings: TemplateStringsArray, ...values: any[]): Element;
export function render(element: Element, place: HTMLElement): void;
export const Fragment: unknown;

export function useState<T>(first: T | (() => T)): [T, (next: T | ((before: T) => T)) => void];
export function useRef<T>(first: T): Ref<T>;
export function useId(): string;
export function useMemo<T>(make: () => T, inputs: unknown[]): T;
export function useEffect(work: () => void | (() => void), inputs?: unknown[]): void;
export function useLayoutEffect(work: () => void | (() => void), inputs?: unknown[]): void;

export function signal<T>(first: T): Signal<T>;
export function computed<T>(make: () => T): ReadonlySignal<T>;
export function effect(work: () => void | (() => void)): () => void;
export function batch<T>(work: () => T): T;
export function useSignal<T>(first: T): Signal<T>;
export function useComputed<T>(make: () => T): ReadonlySignal<T>;
export function useSignalEffect(work: () => void | (() => void)): void;
