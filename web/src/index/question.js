// A question to an index: which ranges of identifiers hold every answer, and whether a URL is one.
// docs/index-format.md, section 6. Reads nothing.

/** @typedef {{host: string, domain: string, tld: string, path: string}} Question: what is wanted; an empty text wants nothing. */

/** Scheme and flags of every header, as the three digits of section 6. */
const HEADERS = Array.from({ length: 48 }, (_, index) => 256 + (index >> 4) * 32 + (index & 15) * 2);
const SUB_FLAG = 16;
const hexOf = (number) => number.toString(16);

/** Plans a question; `core` is the library. Fails with `.code` where a value cannot be a part of a host. */
export function plan(question, core) {
  const wanted = { ...hostWanted(question, core), path: pathWanted(question.path) };
  const { host, tld, domain, sub } = wanted;
  const digits = (slice, value) => core.sliceHash(slice, value);
  let route;
  if (tld !== undefined) {
    const slices = Object.entries({ tld, domain, sub }).filter(([, value]) => value !== undefined);
    const known = slices.map(([slice, value]) => digits(slice, value)).join("");
    const headers = HEADERS.filter((header) => sub === undefined || Boolean(header & SUB_FLAG) === (sub !== ""));
    route = { kind: "ranges", prefixes: headers.map((header) => hexOf(header) + known) };
  } else if (domain !== undefined) route = { kind: "skip", domain: digits("domain", domain) };
  else route = { kind: host === undefined ? "all" : "none" };
  return { route, wanted, pathDigits: wanted.path.exact ? digits("path", wanted.path.exact) : undefined, other: otherKeys(wanted) };
}

/** Returns the parts of a host that are wanted, mapped as they are in URLs; a part that may be anything is not there. */
function hostWanted({ host, domain, tld }, core) {
  if (host) {
    if (domain || tld) throw new QuestionError("a host includes its domain and its public suffix: give the host, or these");
    try {
      const { sub, domain, tld, host: name } = new core.Components(`http://${host}/`);
      return { host: name, sub, domain, tld };
    } catch {
      // Addresses and names with a dot at the end have no SXURL.
      return { host: new core.Url(`http://${host}/`).host };
    }
  }
  if (domain.includes(".")) throw new QuestionError("a domain is the one label left of the public suffix: give `google` and `com`, or the host");
  const mapped = (before, text, after) => (text === "" ? undefined : new core.Components(`http://${before}${text}${after}/`).host.slice(before.length, after ? -after.length : undefined));
  return { domain: mapped("", domain, ".com"), tld: mapped("x.", tld.replace(/^\./, ""), "") };
}

/** A path as written; with `*` at the end, what it begins with. */
function pathWanted(text) {
  if (text.endsWith("*")) return { prefix: text.slice(0, -1) };
  return text ? { exact: text } : {};
}

/** Returns the ranges of `host_key` that hold every answer, the second text behind each; `null` for all. */
function otherKeys({ host, tld, domain }) {
  if (host !== undefined) return [...new Set([host, reversed(host)])].map((key) => [key, `${key}\0`]);
  if (tld === undefined) return null;
  const key = reversed(domain ? `${domain}.${tld}` : tld);
  return [[key, `${key}/`]];
}

/** The labels of a name from the last to the first. */
const reversed = (name) => name.replace(/\.$/, "").split(".").reverse().join(".");

/** Returns the first and the last identifier with a prefix of hexadecimal digits. */
export function range(prefix) {
  return [bytes(prefix.padEnd(64, "0")), bytes(prefix.padEnd(64, "f"))];
}

const bytes = (hex) => Uint8Array.from({ length: hex.length / 2 }, (_, index) => parseInt(hex.slice(2 * index, 2 * index + 2), 16));

const PARTS = /^([^:/?#]+):(?:\/\/([^/?#]*))?([^?#]*)/;

/** Returns scheme, host and path of a stored URL, which is absolute and has no user. */
export function parts(url) {
  const [, scheme = "", authority = "", path = ""] = PARTS.exec(url) ?? [];
  return { scheme, host: authority.replace(/:\d*$/, ""), path };
}

/** Makes the test whether a URL is an answer: slices are hashes, so every candidate is compared with its own parts. */
export function matcher(wanted, split) {
  return ({ host, path }) => {
    if (wanted.path.exact !== undefined && path !== wanted.path.exact) return false;
    if (wanted.path.prefix !== undefined && !path.startsWith(wanted.path.prefix)) return false;
    if (wanted.host !== undefined) return host.toLowerCase() === wanted.host;
    if (wanted.domain === undefined && wanted.tld === undefined) return true;
    const names = split(host);
    return ["domain", "tld"].every((part) => wanted[part] === undefined || names[part] === wanted[part]);
  };
}

/** Splits hosts; neighbours in an index mostly have one, so the last is kept. */
export function splitter(core) {
  let last;
  let names;
  return (host) => {
    if (host !== last) {
      last = host;
      names = isName(host) ? core.split(host.replace(/\.$/, "")) : { sub: "", domain: "", tld: "" };
    }
    return names;
  };
}

/** Whether a host is a name: the last label of an address is a number. */
const isName = (host) => host !== "" && !host.startsWith("[") && !/(^|\.)\d+\.?$/.test(host);

/** Says what will be read. */
export function described({ route, pathDigits }, hasPathIndex) {
  switch (route.kind) {
    case "none":
      return "hosts without an SXURL";
    case "ranges":
      return `${route.prefixes.length} key ranges of ${route.prefixes[0].length} digits`;
    case "skip":
      return "skip scan over the public suffixes in use";
    default:
      return pathDigits && hasPathIndex ? "the index on path" : "every row";
  }
}

/** A question that cannot be asked. */
class QuestionError extends Error {
  code = "ERR_QUESTION";
}
