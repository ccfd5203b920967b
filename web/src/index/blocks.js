// Reading ranges of a file, with the blocks that were read last kept in memory.

const BLOCK = 64 * 1024;
/** How many blocks are read at once while reads are in order. */
const AHEAD = 16;
const KEPT = 256;

/** A file as a place to copy bytes from. Works in a worker only: `FileReaderSync` blocks. */
export class Blocks {
  #file;
  #reader = new FileReaderSync();
  #blocks = new Map();
  #last = -1;

  constructor(file) {
    this.#file = file;
    this.size = file.size;
    /** How many bytes came from the file. */
    this.bytesRead = 0;
  }

  /** Copies the bytes from `offset` on into `target`; behind the end of the file nothing. */
  read(offset, target) {
    let done = 0;
    while (done < target.length && offset + done < this.size) {
      const at = offset + done;
      const piece = this.#block(Math.floor(at / BLOCK)).subarray(at % BLOCK, (at % BLOCK) + target.length - done);
      target.set(piece, done);
      done += piece.length;
    }
    return done;
  }

  #block(index) {
    const kept = this.#blocks.get(index);
    if (kept) return kept;
    // A block behind the one that was read last is a sign of reads in order.
    const count = index === this.#last + 1 ? AHEAD : 1;
    const bytes = new Uint8Array(this.#reader.readAsArrayBuffer(this.#file.slice(index * BLOCK, (index + count) * BLOCK)));
    this.bytesRead += bytes.length;
    for (let start = 0; start < bytes.length; start += BLOCK) {
      this.#last = index + start / BLOCK;
      this.#blocks.set(this.#last, bytes.subarray(start, start + BLOCK));
    }
    // A map lists its keys in the order in which they came: the oldest go.
    for (const oldest of this.#blocks.keys()) {
      if (this.#blocks.size <= KEPT) break;
      this.#blocks.delete(oldest);
    }
    return this.#blocks.get(index);
  }
}
