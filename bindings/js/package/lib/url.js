// URLs by the URL Standard and by RFC 3986.

import { core } from "./core.js";

/** A URL in the normal form of the URL Standard; relative to `base` if one is given. */
export class Url {
  constructor(text, base) {
    Object.freeze(Object.assign(this, core.call("url", text, base)));
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

/** Splits a host, or the host of a URL, at its public suffix; null is what it lacks. */
export function split(host) {
  return core.call("split", host);
}
