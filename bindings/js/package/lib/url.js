// URLs by the URL Standard and by RFC 3986.

import { core } from "./core.js";
import { UrlidError } from "./error.js";
import { optionsOf } from "./options.js";

const SECTIONS = { sections: "text" };

/** A URL in the normal form of the URL Standard, relative to `base` if there is one. */
export class Url {
  #parts;

  constructor(text, base) {
    this.href = core.call("href", text, base);
    Object.freeze(this);
  }

  /** Returns a URL, or null if the constructor would throw a `UrlidError`. */
  static parse(text, base) {
    try {
      return new Url(text, base);
    } catch (error) {
      if (error instanceof UrlidError) return null;
      throw error;
    }
  }

  /** Returns whether a text is a URL. */
  static canParse(text, base) {
    return Url.parse(text, base) !== null;
  }

  /** Computed on demand, because the parts of most URLs are never read. */
  get #described() {
    return (this.#parts ??= core.call("url", this.href));
  }

  get scheme() {
    return this.#described.scheme;
  }

  get username() {
    return this.#described.username;
  }

  get password() {
    return this.#described.password;
  }

  get host() {
    return this.#described.host;
  }

  get registeredDomain() {
    return this.#described.registeredDomain;
  }

  get hostKind() {
    return this.#described.hostKind;
  }

  get port() {
    return this.#described.port;
  }

  get path() {
    return this.#described.path;
  }

  get query() {
    return this.#described.query;
  }

  get fragment() {
    return this.#described.fragment;
  }

  /** Parses a URL relative to this one. */
  join(text) {
    return new Url(text, this.href);
  }

  toString() {
    return this.href;
  }

  toJSON() {
    return this.href;
  }
}

/** Resolves a reference against an absolute base: `web`, `strict`, `nonstrict` or `rfc2396`. */
export function resolve(base, reference, mode = "web") {
  return core.call("resolve", base, reference, mode);
}

/** Normalises the syntax of a URI (RFC 3986, section 6.2.2). */
export function normalise(uri) {
  return core.call("normalise", uri);
}

/** Removes the dot segments of a path (RFC 3986, section 5.2.4). */
export function removeDotSegments(path) {
  return core.call("remove_dot_segments", path);
}

/** Returns the host of a URL as browsers write it, or null if the URL has none. */
export function host(url) {
  return core.call("host", url);
}

/** Returns the public suffix of a host with the label before it, or null. The text is a URL, a host or an e-mail address. */
export function registeredDomain(text, options) {
  const { sections = "all" } = optionsOf(options, SECTIONS);
  return core.call("registered_domain", text, sections);
}

/** Splits the host of such a text at its public suffix. Missing parts are null. */
export function split(text, options) {
  const { sections = "all" } = optionsOf(options, SECTIONS);
  return core.call("split", text, sections);
}
