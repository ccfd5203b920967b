// Named canonical forms, hidden lists, and the functions of SQL.

import { forms as module } from "./lib/forms_module.js";
import { optionsOf } from "./lib/options.js";

export { List, ShardedList } from "./lib/list.js";

/** Returns a canonical form of a text: `web`, `surt-0.3.1`, `web+drop-fragment`, `sxurl`, `hashed-n`, … */
export function canon(text, form = "web", options) {
  const { base, keepQuery = false, keepFragment = false, rules } = optionsOf(options, { base: "text", keepQuery: "flag", keepFragment: "flag", rules: Rules });
  return module.call("canon", text, form, base, keepQuery, keepFragment, rules?.text);
}

/**
 * Returns a URL without its secrets. `names` are the names of secret parameters or the name of a list, and `key` makes HMACs of
 * secrets.
 */
export function redact(url, options) {
  const { names, key } = optionsOf(options, { names: "text or texts", key: "bytes" });
  const isList = typeof names === "string";
  return module.call("redact", url, key, isList ? undefined : names?.join("\n"), isList ? names : undefined);
}

/** Returns what each rule of a canonical form changes in a text. */
export function explainForm(text, form, options) {
  const { rules } = optionsOf(options, { rules: Rules });
  return module.call("explain_form", text, form, rules?.text);
}

/** A field `No-Vary-Search` of HTTP, which states the differences of the query that do not matter for a response. */
export class NoVarySearch {
  /** The canonical text of the field. */
  field;
  /** The name of the canonical form that is equal for equivalent URLs. */
  form;
  /** Whether queries are compared as texts. */
  isDefault;

  constructor(field, options) {
    const { browsers = false } = optionsOf(options, { browsers: "flag" });
    Object.assign(this, module.call("no_vary_search", field, browsers));
    Object.freeze(this);
  }

  /** Returns whether two URLs are equivalent. */
  equivalent(a, b) {
    return canon(a, this.form) === canon(b, this.form);
  }

  toString() {
    return this.field;
  }
}

/** Rules of sites, from the text of a file, for the step `+rules` of a form. */
export class Rules {
  /** The name after `+rules@`. */
  name;
  /** The SHA-256 of the canonical text, in hexadecimal digits. */
  sha256;
  /** The canonical text. */
  text;

  constructor(text) {
    Object.assign(this, module.call("rules", text));
    Object.freeze(this);
  }

  toString() {
    return this.text;
  }
}

/** Templates of URLs, from the text of a file. They are classes of pages, never identities. */
export class Templates {
  /** The name: `templates-` and 8 digits of the SHA-256 of the canonical text. */
  name;
  /** The canonical text. */
  text;

  constructor(text) {
    Object.assign(this, module.call("templates", text));
    Object.freeze(this);
  }

  /** Returns the template of a URL, or null if the file does not have its host or the text is not a URL. */
  assign(url) {
    return callFunction("urlid_template", String(url), this.text);
  }

  toString() {
    return this.text;
  }
}

/** Compares two texts: their parts as written, identifiers and canonical forms. `as` is the form of the verdict. */
export function diff(a, b, options) {
  const { as = "web", rules } = optionsOf(options, { as: "text", rules: Rules });
  return module.call("diff", a, b, as, rules?.text);
}

/** Returns the named canonical forms. */
export function forms() {
  return module.call("profiles");
}

/** Returns the functions of SQL: names, arguments and results. */
export function functions() {
  return module.call("functions");
}

/** Calls a function of SQL. Arguments are texts, bytes or null. NULL is null. */
export function callFunction(name, ...values) {
  const typed = values.flatMap((value) => {
    if (value === null || value === undefined) return ["null", null];
    if (value instanceof Uint8Array) return ["bytes", value];
    if (typeof value === "string") return ["text", value];
    throw new TypeError(`expected a text, bytes or null: found ${typeof value}`);
  });
  const result = module.call("function", name, ...typed);
  return typeof result?.integer === "string" ? BigInt(result.integer) : result;
}

/** Returns the identifier of a URL in the format of a version of crate `sxurl`, such as `sxurl-crate-1.0`. */
export function crateSxurl(url, format) {
  return module.call("crate_sxurl", url, format);
}

/** Returns the hash of a URL as version 0.1 of crate `url-hash` makes it. */
export function crateUrlHash(url) {
  return module.call("crate_url_hash", url);
}
