// Splits hosts at their public suffix in a separate module, a third of the core's size. The platform's `URL` maps
// internationalised hosts.

import code from "#suffix";
import { tooLong, UrlidError } from "./lib/error.js";
import { argument, compiled, LARGE } from "./lib/module.js";
import { optionsOf } from "./lib/options.js";

export { UrlidError };

const encoder = new TextEncoder();
const decoder = new TextDecoder();
const SECTIONS = { sections: "text" };
const KINDS = [null, "domain", "ipv4", "ipv6", "opaque"];

/** Characters that a URL would decode or that end its host. A domain cannot contain them. */
const FORBIDDEN = /[\0- #%/:<>?@[\\\]^|\x7f]/;

/** A last label that makes a URL map and check the domain even if it is ASCII, and that prevents reading it as an IPv4 address. */
const LAST = ".\u00e9";
const LAST_IN_ASCII = ".xn--9ca";

/** Views of memory that does not exist yet or was moved have the length 0. */
const NOTHING = new Uint8Array();

let wasm;
let input = NOTHING;
let inputStart = 0;
let places = NOTHING;

function instance() {
  return new WebAssembly.Instance(compiled(code), { platform: { to_ascii: toAscii } }).exports;
}

function toAscii(start, length, room) {
  const bytes = new Uint8Array(wasm.memory.buffer, start >>> 0, room);
  const domain = decoder.decode(bytes.subarray(0, length));
  if (FORBIDDEN.test(domain)) return 0;
  let mapped;
  try {
    mapped = new URL(`http://${domain}${LAST}/`).hostname.slice(0, -LAST_IN_ASCII.length);
  } catch {
    return 0;
  }
  const { read, written } = encoder.encodeInto(mapped, bytes);
  return read === mapped.length ? written + 1 : 0;
}

/** Splits the host of a text at its public suffix. Missing parts are null. The text is a URL, a host or an e-mail address. */
export function split(text, options) {
  const { sections = "all" } = optionsOf(options, SECTIONS);
  if (sections !== "all" && sections !== "icann") {
    throw new RangeError(`unknown sections: found ${JSON.stringify(sections)}, expected one of all, icann`);
  }
  const given = typeof text === "string" ? text : argument(text);
  if (typeof given !== "string") throw new TypeError("an argument is missing");
  let length = 0;
  let isSplit;
  try {
    wasm ??= instance();
    if (input.length < 3 * given.length || input.length === 0) {
      const most = Math.max(1024, 3 * given.length);
      // `room` may grow the memory, which detaches the views of it, so the memory is read after the call.
      inputStart = wasm.room(most) >>> 0;
      input = new Uint8Array(wasm.memory.buffer, inputStart, most);
    }
    // Most texts are short and ASCII, and this loop is faster for them than the encoder.
    for (let unit; length < given.length && (unit = given.charCodeAt(length)) < 128; length++) input[length] = unit;
    if (length < given.length) length += encoder.encodeInto(given.slice(length), input.subarray(length)).written;
    isSplit = wasm.split(length, sections === "icann");
  } catch (error) {
    // The state of the module is undefined, so the next call starts a new one.
    [wasm, input, places] = [undefined, NOTHING, NOTHING];
    throw given.length < LARGE ? error : tooLong("text", given.length, error);
  }
  if (places.length === 0) places = new Uint32Array(wasm.memory.buffer, wasm.places(), 5);
  const [start, end] = [places[0], places[0] + places[1]];
  if (!isSplit) {
    const [, code, message] = decode(start, end).match(/^(\S+) ([^]*)$/);
    throw new UrlidError(code, message);
  }
  const [tldLength, domainLength, kind] = [places[2], places[3], places[4]];
  if (tldLength === 0) return { sub: null, domain: null, tld: null, registeredDomain: null, hostKind: KINDS[kind] };
  const isPiece = length === given.length && start >= inputStart && start < inputStart + length;
  const host = isPiece ? given.slice(start - inputStart, end - inputStart) : decode(start, end);
  const tld = host.length - tldLength;
  const domain = tld - 1 - domainLength;
  const hasDomain = domainLength > 0;
  return {
    sub: hasDomain && domain > 0 ? host.slice(0, domain - 1) : null,
    domain: hasDomain ? host.slice(domain, tld - 1) : null,
    tld: host.slice(tld),
    registeredDomain: hasDomain ? host.slice(domain) : null,
    hostKind: KINDS[kind],
  };
}

/** Returns the public suffix of the host of such a text with the label before it, or null. */
export function registeredDomain(text, options) {
  return split(text, options).registeredDomain;
}

function decode(start, end) {
  return decoder.decode(new Uint8Array(wasm.memory.buffer, start, end - start));
}
