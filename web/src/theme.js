// Dark and light: the system's choice until the button is used.

import { $ } from "./dom.js";

const dark = matchMedia("(prefers-color-scheme: dark)");

export function startTheme() {
  const button = $("theme");
  const isDark = () => (document.documentElement.dataset.theme ?? (dark.matches ? "dark" : "light")) === "dark";
  const show = () => button.setAttribute("aria-pressed", String(isDark()));
  button.addEventListener("click", () => {
    document.documentElement.dataset.theme = isDark() ? "light" : "dark";
    show();
  });
  dark.addEventListener("change", show);
  show();
}
