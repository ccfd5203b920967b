// url-hash: the SHA-256 digest of the WHATWG normal form, and its short forms.

import { encodeAll, encodeLines } from "./batch.js";
import { Id } from "./bytes.js";
import { core } from "./core.js";
import { Url } from "./url.js";

/** The common base of the three hashes. `length` is their number of bytes. */
class Hash extends Id {
  static encode(url) {
    return new this(core.call("url_hash", url instanceof Url ? url.href : url).slice(0, this.length));
  }

  /** Reads decimal words joined by `-`. */
  static parse(text) {
    return new this(core.call("url_hash_parse", String(this.length), text));
  }

  static fromHex(digits) {
    return new this(core.call("url_hash_from_hex", String(this.length), digits));
  }

  static fromBytes(bytes) {
    return new this(core.call("url_hash_from_bytes", String(this.length), bytes));
  }

  /** Makes the value from its words, numbers of 64 bits. */
  static fromWords(words) {
    const view = new DataView(new ArrayBuffer(8 * words.length));
    words.forEach((word, index) => {
      if (BigInt.asUintN(64, word) !== word) throw new RangeError(`expected words of 64 bits: found ${word}`);
      view.setBigUint64(8 * index, word, true);
    });
    return this.fromBytes(new Uint8Array(view.buffer));
  }

  /** The little-endian words. */
  get words() {
    const words = new DataView(this.bytes.buffer, this.bytes.byteOffset, this.bytes.length);
    return Array.from({ length: this.bytes.length / 8 }, (_, index) => words.getBigUint64(8 * index, true));
  }

  /** Returns whether the hash starts with the words of a short or a very short hash. */
  startsWith(prefix) {
    return prefix.bytes.every((byte, index) => byte === this.bytes[index]);
  }

  toString() {
    return core.call("url_hash_text", String(this.bytes.length), this.bytes);
  }
}

export class UrlHash extends Hash {
  static length = 32;

  /** Makes the url-hash of a URL. */
  static of(url) {
    return UrlHash.encode(url);
  }

  /** Makes the url-hashes of texts. Each text is one URL, even if it contains a line end. */
  static encodeAll(urls) {
    return encodeAll("url_hash_texts", UrlHash, urls);
  }

  /** Makes the url-hashes of the lines of a text or of UTF-8 bytes. */
  static encodeLines(lines) {
    return encodeLines("url_hash_lines", UrlHash, lines);
  }

  short() {
    return new UrlShortHash(this.bytes.slice(0, UrlShortHash.length));
  }

  veryShort() {
    return new UrlVeryShortHash(this.bytes.slice(0, UrlVeryShortHash.length));
  }
}

export class UrlShortHash extends Hash {
  static length = 16;

  veryShort() {
    return new UrlVeryShortHash(this.bytes.slice(0, UrlVeryShortHash.length));
  }
}

export class UrlVeryShortHash extends Hash {
  static length = 8;
}
