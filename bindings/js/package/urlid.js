// Stable identities for URLs. Canonical forms and lists are in `urlid/forms`.

export { Batch } from "./lib/batch.js";
export { UrlidError } from "./lib/error.js";
export { detect, explain, explainGoto, snapshot } from "./lib/explain.js";
export { HashedUri } from "./lib/hashed_uri.js";
export { checkTokens, goto, Reference } from "./lib/reference.js";
export { Components, fieldDigits, keyRanges, probe, SLICES, sliceHash, Sxurl } from "./lib/sxurl.js";
export { host, normalise, registeredDomain, removeDotSegments, resolve, split, Url } from "./lib/url.js";
export { UrlHash, UrlShortHash, UrlVeryShortHash } from "./lib/url_hash.js";
