// A write-ahead log of SQLite: where in it the newest committed copy of each page is.
// The format: https://sqlite.org/fileformat.html#the_write_ahead_log

const HEADER = 32;
const FRAME = 24;

/** Returns the pages of a log, `{ page → offset }`, and how many pages the database has; `null` without a commit. */
export function readLog(blocks) {
  const header = new Uint8Array(HEADER);
  if (blocks.read(0, header) < HEADER) return null;
  const view = new DataView(header.buffer);
  const magic = view.getUint32(0);
  const pageSize = view.getUint32(8);
  if ((magic & ~1) >>> 0 !== 0x377f0682 || pageSize < 512 || pageSize > 65_536) return null;
  const sum = new Checksum((magic & 1) === 0);
  sum.add(header, 0, 24);
  if (!sum.is(view.getUint32(24), view.getUint32(28))) return null;

  const pages = new Map();
  let open = new Map();
  let pageCount = 0;
  const frame = new Uint8Array(FRAME + pageSize);
  const frameView = new DataView(frame.buffer);
  for (let offset = HEADER; blocks.read(offset, frame) === frame.length; offset += frame.length) {
    const isOfThisLog = frameView.getUint32(8) === view.getUint32(16) && frameView.getUint32(12) === view.getUint32(20);
    // Of the head of a frame only its first two words are summed: behind them are the salts and the sum.
    sum.add(frame, 0, 8);
    sum.add(frame, FRAME, frame.length);
    if (!isOfThisLog || !sum.is(frameView.getUint32(16), frameView.getUint32(20))) break;
    open.set(frameView.getUint32(0), offset + FRAME);
    // Zero in all frames but the last of a transaction. What is still in `open` at the end was never committed.
    const committed = frameView.getUint32(4);
    if (committed === 0) continue;
    open.forEach((at, page) => pages.set(page, at));
    open = new Map();
    pageCount = committed;
  }
  return pageCount === 0 ? null : { pages, pageCount, pageSize };
}

/** The checksum of a log, over pairs of 32-bit words, carried on from frame to frame. */
class Checksum {
  #first = 0;
  #second = 0;
  #isLittleEndian;

  constructor(isLittleEndian) {
    this.#isLittleEndian = isLittleEndian;
  }

  add(bytes, start, end) {
    const view = new DataView(bytes.buffer, bytes.byteOffset);
    for (let at = start; at < end; at += 8) {
      this.#first = (this.#first + view.getUint32(at, this.#isLittleEndian) + this.#second) >>> 0;
      this.#second = (this.#second + view.getUint32(at + 4, this.#isLittleEndian) + this.#first) >>> 0;
    }
  }

  is(first, second) {
    return this.#first === first && this.#second === second;
  }
}
