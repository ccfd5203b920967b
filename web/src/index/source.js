// The bytes of an index: those of the file, and over them the pages of its log.

import { Blocks } from "./blocks.js";
import { readLog } from "./log.js";

const MAGIC = "SQLite format 3\0";

export class Source {
  #file;
  #wal;
  #log = null;

  /** Fails unless `file` begins as an index of the format does. `wal` is the file of its log, if there is one. */
  constructor(file, wal, { applicationId, version }) {
    this.#file = new Blocks(file);
    const header = new Uint8Array(100);
    const isWhole = this.#file.read(0, header) === header.length;
    const view = new DataView(header.buffer);
    if (!isWhole || new TextDecoder().decode(header.subarray(0, 16)) !== MAGIC) throw new FormatError(`${file.name} is not an SQLite database`);
    if (view.getUint32(68) !== applicationId) throw new FormatError(`${file.name} is an SQLite database, but not an index of urlid`);
    if (view.getUint32(60) > version) throw new FormatError(`${file.name} has format ${view.getUint32(60)}; this page reads formats up to ${version}`);
    /** Whether no log belongs to the file. */
    this.isSealed = header[18] === 1;
    if (wal && !this.isSealed) {
      this.#wal = new Blocks(wal);
      this.#log = readLog(this.#wal);
    }
    /** How many pages come from the log. */
    this.logPages = this.#log?.pages.size ?? 0;
  }

  get size() {
    return this.#log ? this.#log.pageCount * this.#log.pageSize : this.#file.size;
  }

  get bytesRead() {
    return this.#file.bytesRead + (this.#wal?.bytesRead ?? 0);
  }

  /** Fills `target` with the bytes from `offset` on; those behind the end are zero. Returns whether there were enough. */
  read(offset, target) {
    const done = this.#read(offset, target);
    target.fill(0, done);
    // SQLite keeps a log in shared memory, which a browser lacks: it is shown a file without one.
    for (const at of [18, 19]) {
      if (offset <= at && at < offset + done) target[at - offset] = 1;
    }
    return done === target.length;
  }

  #read(offset, target) {
    if (!this.#log) return this.#file.read(offset, target);
    const { pages, pageSize } = this.#log;
    // The database is as long as its last commit says, which the file need not be yet.
    const end = Math.min(target.length, Math.max(0, this.size - offset));
    for (let done = 0; done < end; ) {
      const at = offset + done;
      const piece = target.subarray(done, Math.min(end, done + pageSize - (at % pageSize)));
      const inLog = pages.get(Math.floor(at / pageSize) + 1);
      const count = inLog === undefined ? this.#file.read(at, piece) : this.#wal.read(inLog + (at % pageSize), piece);
      done += count;
      if (count < piece.length) return done;
    }
    return end;
  }
}

/** A file that is no index. */
export class FormatError extends Error {
  code = "ERR_INDEX_FORMAT";
}
