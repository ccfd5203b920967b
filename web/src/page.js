// The page: starts its sections. What needs only the small WASM file is shown at once; `rest` runs when the whole file is read, and
// shows the others when they are filled, so that nothing moves in a tall window.

import { startAbout } from "./about.js";
import { inflate } from "./code.js";
import { startCompare } from "./compare.js";
import { $ } from "./dom.js";
import { startExplain } from "./explain.js";
import { startForms } from "./forms.js";
import { startGoto } from "./goto.js";
import { startIndex } from "./index/panel.js";
import { startList } from "./list.js";
import { startPicture } from "./picture.js";
import { startShare } from "./share.js";
import { startTheme } from "./theme.js";
import { startTyping } from "./typing.js";

startTheme();
startTyping();
startShare();
const started = start();

async function start() {
  await inflate("core");
  startExplain();
  // Its button takes room among the examples.
  startPicture();
  startGoto();
  // Fonts in a style sheet arrive after the first layout even if they are embedded. The page is shown when they are there, with its
  // first answer, so that nothing moves.
  await Promise.allSettled([...document.fonts].map((font) => font.load()));
  document.documentElement.classList.add("shown");
}

export async function rest() {
  await started;
  try {
    await inflate("forms");
    await inflate("search");
    startCompare();
    startForms();
    startList();
    startIndex();
    startAbout();
  } finally {
    document.documentElement.classList.add("whole");
  }
}

// Links between sections do not touch the fragment, which holds the state.
document.addEventListener("click", (event) => {
  const link = event.target.closest?.("[data-jump]");
  if (!link) return;
  event.preventDefault();
  jump($(link.dataset.jump));
});

function jump(target) {
  const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
  target.scrollIntoView({ behavior: calm ? "auto" : "smooth", block: target.id === "url" ? "center" : "start" });
  if (target.id === "url") target.focus();
}

document.addEventListener("keydown", (event) => {
  const isTyping = event.target.closest("input, textarea, select");
  if (event.key === "/" && !isTyping && !event.ctrlKey && !event.metaKey && !event.altKey) {
    event.preventDefault();
    $("url").focus();
    $("url").select();
  }
});
