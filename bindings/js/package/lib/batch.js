// Many identifiers at once.

import { core } from "./core.js";

/** How many bytes of lines are encoded at once. */
const CHUNK = 1 << 18;
const LF = 10;

let codes;

/** The identifiers of lines, in their order: 32 bytes for each line, zeros for one without an identifier. */
export class Batch {
  constructor(type, pieces) {
    const ids = pieces.map(({ ids }) => ids);
    this.bytes = new Uint8Array(ids.reduce((sum, { length }) => sum + length, 0));
    ids.reduce((offset, piece) => (this.bytes.set(piece, offset), offset + piece.length), 0);
    this.length = this.bytes.length / 32;
    /** The lines without an identifier: index and code, which is null for a blank line. */
    this.refused = pieces.flatMap(({ refused }) => refused);
    this.#type = type;
  }

  #type;
  #without;

  /** Returns the identifier of a line, or null. */
  at(index) {
    this.#without ??= new Set(this.refused.map(({ index }) => index));
    if (!(index >= 0 && index < this.length) || this.#without.has(index)) return null;
    return new this.#type(this.bytes.slice(32 * index, 32 * (index + 1)));
  }
}

/** Encodes lines of UTF-8. */
export function encodeLines(operation, type, lines) {
  if (!(lines instanceof Uint8Array)) throw new TypeError("expected lines as a Uint8Array");
  const seed = crypto.getRandomValues(new Uint8Array(16));
  const pieces = [];
  let [start, count] = [0, 0];
  while (start < lines.length) {
    const near = lines.lastIndexOf(LF, start + CHUNK) + 1;
    const next = near > start ? near : lines.indexOf(LF, start + CHUNK) + 1;
    const end = start + CHUNK >= lines.length || next === 0 ? lines.length : next;
    const piece = read(core.call(operation, lines.subarray(start, end), seed), count);
    pieces.push(piece);
    count += piece.ids.length / 32;
    start = end;
  }
  return new Batch(type, pieces);
}

/** Takes a result apart: identifiers, eight bytes for each line without one, and the number of these. */
function read(bytes, first) {
  codes ??= core.call("codes");
  const words = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const count = words.getUint32(bytes.length - 4, true);
  const end = bytes.length - 4 - 8 * count;
  const refused = Array.from({ length: count }, (_, number) => ({
    index: first + words.getUint32(end + 8 * number, true),
    code: codes[words.getUint32(end + 8 * number + 4, true) - 1] ?? null,
  }));
  return { ids: bytes.subarray(0, end), refused };
}
