// A field whose text is coloured by part: a transparent text area over a coloured copy, the mirror.

import { h } from "./dom.js";
import { set } from "./state.js";

/** Shows the coloured copy of a text, which lies exactly behind the text itself. Parts have `name`, `from` and `to`. */
export function showMirror(mirror, text, parts) {
  const placed = parts.filter((part) => part.to > part.from).sort((one, other) => one.from - other.from);
  const pieces = [];
  let end = 0;
  for (const part of placed) {
    pieces.push(text.slice(end, part.from), h("span", { "data-part": part.name, class: part.class }, text.slice(part.from, part.to)));
    end = part.to;
  }
  // A line feed at the end has a line of its own only with a character after it.
  mirror.replaceChildren(...pieces, text.slice(end), "\u200b");
}

/** The pointer over a part chooses it, and so does the caret inside it. */
export function chooseByPointer(input, mirror) {
  const choose = (element) => element && set({ part: element.dataset.part });
  input.addEventListener("pointermove", (event) => {
    const under = document.elementsFromPoint(event.clientX, event.clientY);
    choose(under.find((element) => element.matches("[data-part]") && mirror.contains(element)));
  });
  document.addEventListener("selectionchange", () => {
    if (document.activeElement !== input || input.selectionStart !== input.selectionEnd) return;
    choose(partAt(mirror, input.selectionStart));
  });
  // The area is there to break long lines; a URL itself has one.
  input.addEventListener("keydown", (event) => event.key === "Enter" && event.preventDefault());
}

/** Returns the first part that has the caret inside it or at one of its ends. */
function partAt(mirror, caret) {
  let end = 0;
  for (const node of mirror.childNodes) {
    const start = end;
    end += node.textContent.length;
    if (node.dataset?.part && start <= caret && caret <= end) return node;
  }
}
