// A WebAssembly module of the package, and the calls into it. It is made at its first use, synchronously.

import { inflateSync } from "fflate";

import { tooLong, UrlidError } from "./error.js";

const encoder = new TextEncoder();
const decoder = new TextDecoder();
const NOTHING = 0xffffffff;

/**
 * The length in characters from which a text is encoded before its space is reserved, because a character needs up to three
 * bytes.
 */
const LONG = 1 << 16;

/** The bytes of arguments from which a failure of a module is attributed to memory. */
export const LARGE = 1 << 24;

/**
 * A module. Its code is compressed and in base64, or compiled code for hosts that forbid compilation at run time. `imports` in
 * `package.json` selects it by the conditions of the host.
 */
export class Module {
  #code;
  #exports;
  #numbers;
  #imports;
  #isBusy = false;

  constructor(code, imports = {}) {
    this.#code = code;
    this.#imports = imports;
  }

  /** Calls an operation by name. An argument is a text, bytes, a flag, or missing. */
  call(name, ...values) {
    this.#exports ??= this.#start();
    return this.#run(this.#numbers.get(name), values);
  }

  /** The memory and the plain functions of the module. */
  get exports() {
    return (this.#exports ??= this.#start());
  }

  /**
   * Writes texts and bytes after their lengths at the address of `room`, and null as only a length. Returns the number of
   * written bytes.
   */
  write(given, room) {
    const values = given.map((value) => (typeof value === "string" && value.length >= LONG ? encoder.encode(value) : value));
    const most = values.reduce((sum, value) => sum + 4 + (value?.length ?? 0) * (typeof value === "string" ? 3 : 1), 0);
    const start = room(most) >>> 0;
    // `room` may grow the memory, which detaches the previous buffer, so the buffer is read after the call.
    const { buffer } = this.#exports.memory;
    const bytes = new Uint8Array(buffer, start, most);
    const words = new DataView(buffer, start, most);
    let offset = 0;
    for (const value of values) {
      const place = offset;
      offset += 4;
      if (typeof value === "string") {
        offset += encoder.encodeInto(value, bytes.subarray(offset)).written;
      } else if (value) {
        bytes.set(value, offset);
        offset += value.length;
      }
      words.setUint32(place, value === null ? NOTHING : offset - place - 4, true);
    }
    return offset;
  }

  #start() {
    this.#exports = new WebAssembly.Instance(compiled(this.#code), this.#imports).exports;
    this.#numbers = new Map(this.#run(0, []).map((name, index) => [name, index + 1]));
    return this.#exports;
  }

  #run(number, values) {
    if (this.#isBusy) throw new TypeError("a search is under way: its callbacks cannot start another one");
    const wasm = this.#exports;
    const given = values.map(argument);
    let kind;
    try {
      this.#isBusy = true;
      kind = wasm.call(number, this.write(given, wasm.room));
    } catch (error) {
      // The state of the module is undefined, so the next call starts a new one.
      this.#exports = undefined;
      const length = given.reduce((sum, value) => sum + (value?.length ?? 0), 0);
      throw length < LARGE ? error : tooLong("text", length, error);
    } finally {
      this.#isBusy = false;
    }
    // WebAssembly returns addresses as signed numbers.
    return result(kind, new Uint8Array(wasm.memory.buffer, wasm.result_start() >>> 0, wasm.result_length() >>> 0));
  }
}

export function compiled(code) {
  if (typeof code !== "string") return code;
  return new WebAssembly.Module(inflateSync(Uint8Array.from(atob(code), (character) => character.charCodeAt(0))));
}

/** Returns an argument as a text, as bytes, or null. */
export function argument(value) {
  if (typeof value === "string" || value instanceof Uint8Array) return value;
  if (value === undefined || value === null || value === false) return null;
  if (value === true) return "";
  if (value instanceof URL) return value.href;
  throw new TypeError(`expected a text: found ${typeof value}`);
}

/** Returns a text of a module. A decoder that replaces invalid UTF-8 fails only for the length. */
function decode(bytes) {
  try {
    return decoder.decode(bytes);
  } catch (error) {
    throw tooLong("result", bytes.length, error);
  }
}

function result(kind, bytes) {
  switch (kind) {
    case 0:
      return null;
    case 1:
      return decode(bytes);
    case 2:
      // Copied, because the next call overwrites the memory of the module.
      return bytes.slice();
    case 3:
      return JSON.parse(decode(bytes));
    case 4: {
      const { error, message } = JSON.parse(decode(bytes));
      throw new UrlidError(error, message);
    }
    case 5:
      throw new RangeError(decode(bytes));
    default:
      throw new TypeError(decode(bytes));
  }
}
