// A WebAssembly module of the package, and the calls into it. It is made when it is first used, without waiting.

import { inflateSync } from "fflate";

import { UrlidError } from "./error.js";

const encoder = new TextEncoder();
const decoder = new TextDecoder();
const NOTHING = 0xffffffff;

/** A module, of which `text` is the compressed code in base64. */
export class Module {
  #text;
  #exports;
  #numbers;
  #imports;
  #isBusy = false;

  constructor(text, imports = {}) {
    this.#text = text;
    this.#imports = imports;
  }

  /** Calls an operation by its name. An argument is a text, bytes, a flag, or nothing. */
  call(name, ...values) {
    this.#exports ??= this.#start();
    return this.#run(this.#numbers.get(name), values);
  }

  /** The memory and the plain functions of the module. */
  get exports() {
    return (this.#exports ??= this.#start());
  }

  /** Writes texts and bytes behind their lengths where `room` says, null as a length alone. Returns how many bytes these are. */
  write(values, room) {
    const most = values.reduce((sum, value) => sum + 4 + (value?.length ?? 0) * (typeof value === "string" ? 3 : 1), 0);
    const start = room(most);
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
    const code = inflateSync(Uint8Array.from(atob(this.#text), (character) => character.charCodeAt(0)));
    this.#exports = new WebAssembly.Instance(new WebAssembly.Module(code), this.#imports).exports;
    this.#numbers = new Map(this.#run(0, []).map((name, index) => [name, index + 1]));
    return this.#exports;
  }

  #run(number, values) {
    if (this.#isBusy) throw new TypeError("a search is under way: its callbacks cannot use canonical forms, lists, or another search");
    const wasm = this.#exports;
    const length = this.write(values.map(argument), wasm.room);
    let kind;
    try {
      this.#isBusy = true;
      kind = wasm.call(number, length);
    } catch (error) {
      // The module is in no defined state any more: the next call starts a new one.
      this.#exports = undefined;
      throw error;
    } finally {
      this.#isBusy = false;
    }
    return result(kind, new Uint8Array(wasm.memory.buffer, wasm.result_start(), wasm.result_length()));
  }
}

/** Returns an argument as a text, as bytes, or null. */
function argument(value) {
  if (typeof value === "string" || value instanceof Uint8Array) return value;
  if (value === undefined || value === null || value === false) return null;
  if (value === true) return "";
  if (value instanceof URL) return value.href;
  throw new TypeError(`expected a text: found ${typeof value}`);
}

function result(kind, bytes) {
  switch (kind) {
    case 0:
      return null;
    case 1:
      return decoder.decode(bytes);
    case 2:
      return bytes.slice();
    case 3:
      return JSON.parse(decoder.decode(bytes));
    case 4: {
      const { error, message } = JSON.parse(decoder.decode(bytes));
      throw new UrlidError(error, message);
    }
    case 5:
      throw new RangeError(decoder.decode(bytes));
    default:
      throw new TypeError(decoder.decode(bytes));
  }
}
