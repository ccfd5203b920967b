// The library: two classic scripts of the page define it, so that the first has answered before the second is read.

/** Parsing, identifiers, explanations. */
export const core = globalThis.urlid;

/** Canonical forms and hidden lists, which come later in the file. */
export const forms = () => globalThis.urlidForms;

/** Returns `{ value }`, or `{ error }` with code and message. */
export function attempt(compute) {
  try {
    return { value: compute() };
  } catch (error) {
    if (!error.code) throw error;
    return { error: { code: error.code, message: error.message } };
  }
}
