// Input and output of a search. The module calls JavaScript for rows and with answers.

const decoder = new TextDecoder();

/** The current search, as functions that a module imports. Their exceptions are kept until the module has returned. */
export class Reader {
  /** The module, set after its construction. */
  module;
  #query;
  #found;
  #rows;
  #error;

  imports = {
    open: (start, length) => this.#try(() => {
      const [sql, kinds, ...values] = this.#read(start, length);
      // Blobs are copied, because `query` may keep them and the module reuses its memory.
      const typed = values.map((value, index) => (text(kinds)[index] === "t" ? text(value) : value.slice()));
      this.#rows = this.#query(text(sql), typed)[Symbol.iterator]();
      return 1;
    }),
    next: () => this.#try(() => {
      const { done, value } = this.#rows.next();
      return done ? 0 : this.module.write([value.map(kind).join(""), ...value.map(content)], this.module.exports.row_room);
    }),
    close: () => {
      try {
        this.#rows.return?.();
      } catch (thrown) {
        this.#error ??= { thrown };
      }
      return this.#error ? 0 : 1;
    },
    found: (start, length) => this.#try(() => (this.#found(...this.#read(start, length).map(text)) === false ? 0 : 1)),
  };

  /** Runs a search. `query` returns the rows of a statement, and `found` is called with URLs and groups. */
  run(query, found, search) {
    [this.#query, this.#found, this.#error] = [query, found, undefined];
    const result = search();
    if (this.#error) throw this.#error.thrown;
    return result;
  }

  /** Returns 0 if `run` throws now or has thrown before. */
  #try(run) {
    if (this.#error) return 0;
    try {
      return run();
    } catch (thrown) {
      this.#error = { thrown };
      return 0;
    }
  }

  /** Returns the values between two addresses, each after its length. */
  #read(start, length) {
    const { buffer } = this.module.exports.memory;
    // WebAssembly passes addresses as signed numbers.
    const first = start >>> 0;
    const words = new DataView(buffer, first, length);
    const values = [];
    for (let offset = 0; offset < length; ) {
      const size = words.getUint32(offset, true);
      values.push(new Uint8Array(buffer, first + offset + 4, size));
      offset += 4 + size;
    }
    return values;
  }
}

const text = (bytes) => decoder.decode(bytes);
const kind = (value) => (typeof value === "string" ? "t" : value instanceof Uint8Array ? "b" : "-");
const content = (value) => (kind(value) === "-" ? null : value);
