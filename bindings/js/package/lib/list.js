// Hidden lists of URIs. Each entry is a digest, so that URIs can be recognised but not read.

import { forms } from "./forms_module.js";
import { optionsOf } from "./options.js";

const KEY = { key: "bytes" };
const INVALID = { invalidAs: "text" };
const KEEPING = { variant: "text", keepQuery: "flag", keepFragment: "flag" };
const MAKING = { ...KEY, ...KEEPING, algorithms: "texts", intake: "text", covers: "text", date: "text" };

/**
 * The number of the last list. Numbers are never reused, not even after a failure of the module, which ends its lists. The object
 * of a list that is gone therefore never refers to a different list.
 */
let last = 0;

/** Calls an operation that stores its result under a number, and returns its description with that number. */
function make(operation, ...values) {
  const number = String((last += 1));
  return { number, ...forms.call(operation, number, ...values) };
}

const kept = new FinalizationRegistry((number) => forms.call("list_free", number));

export class List {
  #number;

  constructor({ number, ...facts }) {
    this.#number = number;
    Object.assign(this, facts);
    kept.register(this, this.#number, this);
  }

  /** Reads a list from its text form or its compiled form. Lines that are not entries are skipped. See `rejected`. */
  static parse(form) {
    return new List(make("list_parse", form));
  }

  /** Makes a list from URIs. */
  static make(uris, options) {
    const { algorithms = ["sha1"], variant, keepQuery, keepFragment, key, intake, covers, date } = optionsOf(options, MAKING);
    const lines = Array.from(uris, String);
    if (lines.some((uri) => uri.includes("\n"))) throw new RangeError("a URI has a line end");
    const names = algorithms.join(",");
    return new List(
      make("list_make", lines.join("\n"), names, variant, keepQuery, keepFragment, key, intake, covers, date),
    );
  }

  /** Returns the first entry that matches a URL, with the canonical text that the entry is the digest of, or null. */
  check(url, options) {
    const { key, invalidAs } = optionsOf(options, { ...KEY, ...INVALID });
    return forms.call("list_find", this.#number, url, key, invalidAs);
  }

  /** Returns every canonical text of a URL that is looked up, the nearest first, with its entry or null. */
  expressions(url, options) {
    const { key } = optionsOf(options, KEY);
    return forms.call("list_expressions", this.#number, url, key);
  }

  entries() {
    return forms.call("list_entries", this.#number);
  }

  toText() {
    return forms.call("list_text", this.#number);
  }

  toCompiled() {
    return forms.call("list_compiled", this.#number);
  }

  /** Frees the memory of the list now. Otherwise it is freed some time after its last use. */
  free() {
    kept.unregister(this);
    forms.call("list_free", this.#number);
  }
}

const keptShards = new FinalizationRegistry((number) => forms.call("shards_free", number));

/** A hidden list in shards, which are fetched when a look-up needs them. */
export class ShardedList {
  #number;
  #fetch;
  #shards = new Map();

  constructor({ number, ...facts }, fetch) {
    this.#number = number;
    this.#fetch = fetch;
    Object.assign(this, facts);
    keptShards.register(this, this.#number, this);
  }

  /** Opens the index of a list. `fetch(number, file)` returns the bytes of a shard, or a promise of them. */
  static open(index, fetch, options) {
    const { key } = optionsOf(options, KEY);
    return new ShardedList(make("shards_open", index, key), fetch);
  }

  /** Returns the shards that a look-up of a URL needs. */
  asks(url) {
    return forms.call("shards_asks", this.#number, url);
  }

  /** Returns the first entry that matches a URL, with the canonical text that the entry is the digest of, or null. */
  async check(url, options) {
    const { invalidAs } = optionsOf(options, INVALID);
    const asked = forms.call("shards_asks", this.#number, url, invalidAs);
    const shards = await Promise.all(
      asked.map(async ({ number, file }) => {
        const bytes = this.#shards.get(number) ?? (await this.#fetch(number, file));
        return [number, bytes];
      }),
    );
    const passed = shards.flatMap(([number, bytes]) => [String(number), bytes]);
    const found = forms.call("shards_find", this.#number, url, invalidAs, ...passed);
    // Kept only after verification.
    for (const [number, bytes] of shards) this.#shards.set(number, bytes);
    return found;
  }

  /** Frees the memory of the list now. Otherwise it is freed some time after its last use. */
  free() {
    keptShards.unregister(this);
    this.#shards.clear();
    forms.call("shards_free", this.#number);
  }
}
