// @ts-check
// What the operator has set about the page. The service writes it into the meta tags.

/** @param {string} name */
export const meta = (name) => document.querySelector(`meta[name="${name}"]`)?.getAttribute("content") ?? "";
