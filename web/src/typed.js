// How a typed text is read: one without a scheme as an https URL, as the field of addresses of a browser reads it.

import { attempt, core } from "./urlid.js";

const ASSUMED = "https://";

/** Returns the URL or identifier that a text stands for, and how many characters were put before it. */
export function read(text) {
  return lacksScheme(text) && !isId(text) ? { url: ASSUMED + text, added: ASSUMED.length } : { url: text, added: 0 };
}

/** A host comes first, and after a `:` before the path only digits: its port. */
function lacksScheme(text) {
  const [host] = /^[^/?#]*/.exec(text);
  return host !== "" && !host.startsWith("\\") && /^[^:]*(:\d+)?$/.test(host);
}

/** Digits that are nearly an identifier are not read as a host. */
function isId(text) {
  if (/^[0-9a-f]{16,}$/i.test(text)) return true;
  const { value } = attempt(() => core.explain(text));
  return value !== undefined && value.kind !== "url";
}
