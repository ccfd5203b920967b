// SXURL: a 256-bit identifier with a separate slice for each part of the URL.

import { encodeAll, encodeLines } from "./batch.js";
import { Id } from "./bytes.js";
import { core } from "./core.js";

let layout;

/** Returns the start digit and the end digit (exclusive) of a field. */
export function fieldDigits(name) {
  layout ??= new Map(core.call("sxurl_layout").map(([name, start, end]) => [name, [start, end]]));
  const range = layout.get(name);
  if (!range) throw new RangeError(`unknown field: found ${JSON.stringify(name)}, expected one of ${[...layout.keys()].join(", ")}`);
  return range;
}

/** The slices, which are the fields that are hashes. */
export const SLICES = Object.freeze(["tld", "domain", "sub", "path", "params", "frag"]);

export class Sxurl extends Id {
  /** Makes the SXURL of a URL. */
  static encode(url) {
    return new Sxurl(core.call("sxurl", url));
  }

  /** Makes the SXURLs of texts. Each text is one URL, even if it contains a line end. */
  static encodeAll(urls) {
    return encodeAll("sxurl_texts", Sxurl, urls);
  }

  /** Makes the SXURLs of the lines of a text or of UTF-8 bytes. */
  static encodeLines(lines) {
    return encodeLines("sxurl_lines", Sxurl, lines);
  }

  /** Reads 64 hexadecimal digits. */
  static parse(digits) {
    return new Sxurl(core.call("sxurl_from_hex", digits));
  }

  static fromBytes(bytes) {
    return new Sxurl(core.call("sxurl_from_bytes", bytes));
  }

  /** Version, header, scheme, port and flags. */
  describe() {
    return core.call("sxurl_described", this.bytes);
  }

  get version() {
    return this.describe().version;
  }

  get header() {
    return this.describe().header;
  }

  get scheme() {
    return this.describe().scheme;
  }

  get port() {
    return this.describe().port;
  }

  get hasSub() {
    return this.describe().hasSub;
  }

  get hasParams() {
    return this.describe().hasParams;
  }

  get hasFrag() {
    return this.describe().hasFrag;
  }

  get hasPort() {
    return this.describe().hasPort;
  }

  /** Returns the digits of a field. */
  sliceHex(name) {
    return this.hex().slice(...fieldDigits(name));
  }

  /** Returns a field as a number. */
  slice(name) {
    return BigInt(`0x${this.sliceHex(name)}`);
  }

  /** Returns every field as a number. */
  fields() {
    fieldDigits("header");
    return Object.fromEntries([...layout.keys()].map((name) => [name, this.slice(name)]));
  }

  /** Returns whether a slice is the hash of a value. A match is not a proof. */
  matches(name, value) {
    return this.sliceHex(name) === core.call("probe", name, value);
  }

  toString() {
    return this.hex();
  }
}

/** The parts from which an SXURL is made. The host is split at its public suffix. */
export class Components {
  constructor(url) {
    Object.freeze(Object.assign(this, core.call("components", url)));
  }

  encode() {
    return Sxurl.encode(this.normalText);
  }

  toString() {
    return this.normalText;
  }
}

/** Returns the number to compare a slice with. */
export function probe(name, value) {
  return BigInt(`0x${core.call("probe", name, value)}`);
}

/** Returns the digits of the hash of an unchanged value. */
export function sliceHash(name, value) {
  return core.call("slice_hash", name, value);
}

/** Returns the 48 ranges of ids with a public suffix, or with a public suffix and a domain: the first and the last id of each. */
export function keyRanges(tld, domain) {
  const ends = core.call("key_ranges", tld, domain);
  const id = (number) => ends.slice(32 * number, 32 * (number + 1));
  return Array.from({ length: ends.length / 64 }, (_, range) => [id(2 * range), id(2 * range + 1)]);
}
