// Characters that show nothing, or change how others are shown: written as escapes wherever the page shows a text.
//
// The ranges are fixed, so that the page does not follow the Unicode data of a browser: controls, default ignorable code points, line and
// paragraph separators, and blanks other than the space. The program and the example of a plugin for Datasette escape the same.

const UNSEEN =
  /[\0-\x1f\x7f-\xa0\xad\u034f\u061c\u115f\u1160\u1680\u17b4\u17b5\u180b-\u180f\u2000-\u200f\u2028-\u202f\u205f-\u206f\u2800\u3000\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}\ud800-\udfff]/gu;

function escape(character) {
  const hex = character.codePointAt(0).toString(16);
  return character < "\x80" ? `\\x${hex.padStart(2, "0")}` : `\\u{${hex}}`;
}

/** Returns the pieces of a text: what `show` makes of the escape of each unseen character, and the texts between these. */
export function pieces(text, show) {
  const pieces = [];
  let end = 0;
  for (const { 0: character, index } of text.matchAll(UNSEEN)) {
    pieces.push(text.slice(end, index), show(escape(character)));
    end = index + character.length;
  }
  return [...pieces, text.slice(end)].filter((piece) => piece !== "");
}

export const hasUnseen = (text) => text.search(UNSEEN) >= 0;

/** Returns a text as far as its first line end; line ends before it are dropped. What is pasted often ends in one. */
export const firstLine = (text) => /[^\r\n]+/.exec(text)?.[0] ?? "";
