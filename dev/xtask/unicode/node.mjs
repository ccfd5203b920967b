// Prints the data of this Node's `URL` for each code point, as far as answers show it, and the lower case of its strings:
// `property START VALUE` where a property changes, and one line for each mapping.
//
// Ada, which is this `URL`, checks joiners and directions label by label. The labels below are made for its rules.

import { domainToUnicode } from "node:url";

const ARABIC = "\u0628";
const NON_JOINER = "\u200c";
const SIGMA = "Σ";
const HIGHEST = 0x10ffff;

// A character of each combining class, in the order of the classes.
const OF_CLASS = new Map([
  [1, "\u0334"], [6, "\u{16ff0}"], [7, "\u093c"], [8, "\u3099"], [9, "\u094d"], [10, "\u05b0"], [11, "\u05b1"],
  [12, "\u05b2"], [13, "\u05b3"], [14, "\u05b4"], [15, "\u05b5"], [16, "\u05b6"], [17, "\u05b7"], [18, "\u05b8"],
  [19, "\u05b9"], [20, "\u05bb"], [21, "\u05bc"], [22, "\u05bd"], [23, "\u05bf"], [24, "\u05c1"], [25, "\u05c2"],
  [26, "\ufb1e"], [27, "\u064b"], [28, "\u064c"], [29, "\u064d"], [30, "\u064e"], [31, "\u064f"], [32, "\u0650"],
  [33, "\u0651"], [34, "\u0652"], [35, "\u0670"], [36, "\u0711"], [84, "\u0c55"], [91, "\u0c56"], [103, "\u0e38"],
  [107, "\u0e48"], [118, "\u0eb8"], [122, "\u0ec8"], [129, "\u0f71"], [130, "\u0f72"], [132, "\u0f74"],
  [202, "\u0321"], [214, "\u1dce"], [216, "\u031b"], [218, "\u302a"], [220, "\u0316"], [222, "\u059a"],
  [224, "\u302e"], [226, "\u{1d16d}"], [228, "\u05ae"], [230, "\u0300"], [232, "\u0315"], [233, "\u035c"],
  [234, "\u035d"],
]);

const isValid = (label) => URL.canParse(`http://${label}.x/`);
const numbers = (text) => [...text].map((character) => character.codePointAt(0).toString(16)).join(" ");

/** `rejected`, `ignored`, `mapped` or `same`; `any` if it is mapped to a character that a host cannot contain. */
function status(character) {
  if (/[\0-\x20"#%/:<>?@[\\\]^`{|}\x7f]/.test(character.normalize("NFKC"))) return "any";
  // `q` does not compose with a mark. One of the contexts is a label with valid directions, or with a joiner at an allowed
  // position.
  const contexts = [["q", ""], ["q", "q"], ["", ""], ["\u0915\u094d", ""]];
  const context = contexts.find(([before, after]) => isValid(before + character + after));
  if (context === undefined) return "rejected";
  const [mapped, without] = [context.join(character), context.join("")].map((label) => domainToUnicode(`${label}.x`));
  if (mapped === without) return "ignored";
  return mapped === `${context.join(character)}.x` ? "same" : "mapped";
}

/** The combining class, which is seen by the order of two marks after normalisation. */
function combining(character) {
  const sorts = (other) => {
    const [one, two] = [`q${character}${other}`, `q${other}${character}`].map((label) => `http://${label}/`);
    return URL.canParse(one) && new URL(one).hostname === new URL(two).hostname;
  };
  const known = [...OF_CLASS].find(([, other]) => other === character);
  if (known !== undefined) return known[0];
  if (!sorts(OF_CLASS.get(1)) && !sorts(OF_CLASS.get(230))) return 0;
  return [...OF_CLASS].find(([, other]) => !sorts(other))?.[0] ?? "unknown";
}

/** The joining type, as far as a non-joiner may be before or after the character. */
function joining(character) {
  if (isValid(`a${character}${NON_JOINER}`)) return "-";
  const isBefore = isValid(`a${character}${NON_JOINER}${ARABIC}`);
  const isBehind = isValid(`a${ARABIC}${NON_JOINER}${character}`);
  return isBefore ? (isBehind ? "D" : "L") : isBehind ? "R" : "-";
}

/** The role of the character next to a sigma. */
function caseOf(character) {
  if (`${character}${SIGMA}`.toLowerCase().endsWith("ς")) return "Cased";
  const isSkipped = `a${SIGMA}${character}a`.toLowerCase().includes("σ");
  return isSkipped && `a${SIGMA}${character}`.toLowerCase().includes("ς") ? "Ignorable" : "Other";
}

const previous = new Map();
function printRun(property, code, value) {
  if (previous.get(property) === value) return;
  previous.set(property, value);
  console.log(property, code.toString(16), value);
}

const { node, ada, unicode } = process.versions;
console.log("version", node, ada, unicode);
for (let code = 0; code <= HIGHEST; code++) {
  // Surrogates are not in any text.
  if (code >= 0xd800 && code < 0xe000) continue;
  const character = String.fromCodePoint(code);
  const isAscii = code < 0x80;
  const kind = isAscii ? "any" : status(character);
  printRun("class", code, kind);
  const isSame = kind === "same";
  printRun("combining", code, isSame ? combining(character) : "any");
  printRun("joining", code, isSame ? joining(character) : "-");
  printRun("case", code, caseOf(character));
  const lower = character.toLowerCase();
  if (lower !== character) console.log("lower", code.toString(16), numbers(lower));
}
