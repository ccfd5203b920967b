// The Hashed URI: a digest that recognises a URI without revealing it.

import { core } from "./core.js";
import { optionsOf } from "./options.js";

const MATCHING = { base: "text", variant: "text", key: "bytes" };
const ENCODING = { ...MATCHING, algorithm: "text", keepQuery: "flag", keepFragment: "flag" };

export class HashedUri {
  /** Makes the hashed URI of a URI. */
  static encode(uri, options) {
    const { base, algorithm, variant, keepQuery = false, keepFragment = false, key } = optionsOf(options, ENCODING);
    return made(core.call("hashed_uri", uri, base, algorithm, variant, keepQuery, keepFragment, key));
  }

  static parse(text) {
    return made(core.call("hashed_uri_parse", text));
  }

  /** Returns whether this is the hashed URI of a URI under the variant that its maker chose. */
  matches(uri, options) {
    const { base, variant, key } = optionsOf(options, MATCHING);
    return core.call("hashed_uri_matches", this.text, uri, base, variant, key);
  }

  equals(other) {
    return other instanceof HashedUri && this.text === other.text;
  }

  toString() {
    return this.text;
  }

  toJSON() {
    return this.text;
  }
}

function made(described) {
  const digest = Uint8Array.from(described.digest);
  return Object.freeze(Object.assign(Object.create(HashedUri.prototype), described, { digest }));
}
