// The URL that an identifier stands for, as far as its hashes are those of known or guessed texts.

import { $, fill, h, HIDDEN, seen } from "./dom.js";
import { read } from "./typed.js";
import { attempt, core } from "./urlid.js";

/** The parts that are hashed, each with its name in `Components`. */
const HASHED = { tld: "tld", domain: "domain", sub: "sub", path: "path", params: "query", frag: "fragment" };

/** Shows the URL of an SXURL with what a guess shows of it; nothing for other texts. */
export function showDecoded(explanation, guess) {
  const isId = explanation.kind === "sxurl";
  $("decoded").hidden = !isId;
  if (!isId) return;
  const parts = Object.fromEntries(explanation.parts.map((part) => [part.name, part]));
  const { found, error } = check(parts, guess.trim());
  fill($("rebuilt"), ...rebuilt(parts, found));
  const verdict = $("guessed");
  verdict.classList.toggle("match", "domain" in found);
  if (guess.trim() === "") return fill(verdict, "Equal digits show that the guess is right.");
  if (error) return fill(verdict, h("code", { class: "error" }, error.code), ` ${error.message}`);
  const names = Object.keys(found).filter((name) => found[name] !== "");
  fill(verdict, names.includes("domain") ? h("strong", {}, "Yes. ") : h("strong", {}, "Another domain. "),
    names.length > 0 ? `Equal digits: ${names.join(", ")}.` : "No digits are equal.");
}

/** Returns the parts of a guess whose hashes the identifier has. A guess is a domain, a host, or a URL. */
function check(parts, guess) {
  if (guess === "") return { found: {} };
  const isLabel = !/[./:]/.test(guess);
  // Any suffix would do: of a label alone only the domain is compared.
  const { value, error } = attempt(() => new core.Components(isLabel ? `https://${guess}.com/` : read(guess).url));
  if (error) return { found: {}, error };
  const names = isLabel ? ["domain"] : Object.keys(HASHED);
  const pairs = names.map((name) => [name, value[HASHED[name]]]);
  return { found: Object.fromEntries(pairs.filter(([name, text]) => core.sliceHash(name, text) === parts[name].digits)) };
}

/** Returns the URL as children of an element. */
function rebuilt(parts, found) {
  const shown = (name, before, after, hidden = HIDDEN) => {
    const value = found[name] ?? parts[name].value;
    if (value === "") return [];
    const text = value === null ? [hidden] : seen(value);
    return [before, h("span", { "data-part": name, title: parts[name].note, class: name in found ? "found" : null }, ...text), after];
  };
  return [
    h("span", { "data-part": "header" }, parts.header.value), "://",
    ...shown("sub", "", "."), ...shown("domain", "", "."), ...shown("tld", "", ""),
    ...(parts.port.value ? [":", h("span", { "data-part": "port" }, parts.port.value)] : []),
    ...shown("path", "", "", `/${HIDDEN}`), ...shown("params", "?", ""), ...shown("frag", "#", ""),
  ];
}
