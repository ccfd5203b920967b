// Stands in for the inflater of the package in the page, which inflates WebAssembly by the browser before it is used: see code.js.

/** Returns the code of a name; the package is given names in place of compressed code. */
export const inflateSync = (name) => globalThis.urlidCode[new TextDecoder().decode(name)];
