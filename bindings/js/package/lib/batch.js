// Many identifiers at once.

import { core } from "./core.js";
import { tooLong } from "./error.js";
import { Url } from "./url.js";

/** The number of bytes of lines, or of characters of texts, that are encoded at once. */
const CHUNK = 1 << 18;
const LF = 10;

/** The number of texts that are encoded at once. */
const MOST_TEXTS = 1 << 13;

const encoder = new TextEncoder();

let codes;

/** The identifiers of lines or texts, in order: 32 bytes for each, which are zeros if it has no identifier. */
export class Batch {
  constructor(type, pieces) {
    const ids = pieces.map(({ ids }) => ids);
    this.bytes = new Uint8Array(ids.reduce((sum, { length }) => sum + length, 0));
    ids.reduce((offset, piece) => (this.bytes.set(piece, offset), offset + piece.length), 0);
    this.length = this.bytes.length / 32;
    /** The lines or texts without an identifier: index and code. The code is null for a blank line and for a missing text. */
    this.rejected = pieces.flatMap(({ rejected }) => rejected);
    this.#type = type;
  }

  #type;
  #without;

  /** Returns the identifier of a line or text, or null. */
  at(index) {
    this.#without ??= new Set(this.rejected.map(({ index }) => index));
    if (!(index >= 0 && index < this.length) || this.#without.has(index)) return null;
    return new this.#type(this.bytes.slice(32 * index, 32 * (index + 1)));
  }

  /** Yields the identifiers in order, with null for a rejected line or text. */
  *[Symbol.iterator]() {
    for (let index = 0; index < this.length; index++) yield this.at(index);
  }
}

/** Encodes the lines of a text or of UTF-8 bytes. */
export function encodeLines(operation, type, given) {
  const lines = typeof given === "string" ? encoded(given) : given;
  if (!(lines instanceof Uint8Array)) throw new TypeError("expected lines as a text or a Uint8Array");
  const pieces = [];
  let [start, count] = [0, 0];
  while (start < lines.length) {
    // A piece ends at the last line end within the chunk, or at the end of a line that is longer than the chunk.
    const near = lines.lastIndexOf(LF, start + CHUNK) + 1;
    const next = near > start ? near : lines.indexOf(LF, start + CHUNK) + 1;
    const end = start + CHUNK >= lines.length || next === 0 ? lines.length : next;
    const piece = read(core.call(operation, lines.subarray(start, end), seed()), count);
    pieces.push(piece);
    count += piece.ids.length / 32;
    start = end;
  }
  return new Batch(type, pieces);
}

/** Encodes texts. Each text is one URL, even if it contains a line end. */
export function encodeAll(operation, type, texts) {
  if (typeof texts === "string") throw new TypeError("expected an iterable of texts: found a text");
  const pieces = [];
  let [chunk, size, count] = [[], 0, 0];
  const encode = () => {
    const piece = read(core.call(operation, ...column(chunk), seed()), count);
    const given = ({ index }) => chunk[index - count] !== null;
    pieces.push({ ids: piece.ids, rejected: piece.rejected.map((rejection) => (given(rejection) ? rejection : { ...rejection, code: null })) });
    count += chunk.length;
    [chunk, size] = [[], 0];
  };
  for (const value of texts) {
    const text = asText(value);
    const length = text?.length ?? 0;
    // A text that is longer than a chunk is encoded separately.
    if (chunk.length > 0 && (size + length > CHUNK || chunk.length === MOST_TEXTS)) encode();
    chunk.push(text);
    size += length;
  }
  if (chunk.length > 0) encode();
  return new Batch(type, pieces);
}

/** Returns a text as UTF-8. Some texts are too long for an array. */
function encoded(text) {
  try {
    return encoder.encode(text);
  } catch (error) {
    throw tooLong("text", text.length, error);
  }
}

function asText(value) {
  if (typeof value === "string") return value;
  if (value === null || value === undefined) return null;
  if (value instanceof URL || value instanceof Url) return value.href;
  throw new TypeError(`expected a text: found ${typeof value}`);
}

/** Returns the concatenated texts, with a missing text as an empty one, and the offsets of their ends as words of four bytes. */
function column(texts) {
  const ends = new Uint8Array(4 * texts.length);
  const words = new DataView(ends.buffer);
  if (texts.length === 1) {
    const bytes = encoder.encode(texts[0] ?? "");
    words.setUint32(0, bytes.length, true);
    return [bytes, ends];
  }
  const bytes = new Uint8Array(texts.reduce((sum, text) => sum + 3 * (text?.length ?? 0), 0));
  let end = 0;
  for (const [index, text] of texts.entries()) {
    if (text) end += encoder.encodeInto(text, bytes.subarray(end)).written;
    words.setUint32(4 * index, end, true);
  }
  return [bytes.subarray(0, end), ends];
}

function seed() {
  return crypto.getRandomValues(new Uint8Array(16));
}

/** Splits a result into identifiers, eight bytes for each line or text without one, and the number of these. */
function read(bytes, first) {
  codes ??= core.call("codes");
  const words = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const count = words.getUint32(bytes.length - 4, true);
  const end = bytes.length - 4 - 8 * count;
  const rejected = Array.from({ length: count }, (_, number) => ({
    index: first + words.getUint32(end + 8 * number, true),
    code: codes[words.getUint32(end + 8 * number + 4, true) - 1] ?? null,
  }));
  return { ids: bytes.subarray(0, end), rejected };
}
