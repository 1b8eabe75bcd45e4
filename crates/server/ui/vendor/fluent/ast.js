// @ts-nocheck
// The comments of the original are removed.
export {};
