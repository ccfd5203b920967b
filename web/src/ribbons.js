// The ribbons between the parts of a URL and the slices of its identifier, or the parts of another URL.

import { $ } from "./dom.js";

export const NAMESPACE = "http://www.w3.org/2000/svg";

/** Draws a ribbon for each part, if what is above and what is below are on one line each. */
export function drawRibbons() {
  const svg = $("ribbons");
  const box = svg.getBoundingClientRect();
  const isComparing = $("explain").matches(".comparing");
  const parts = [...$("mirror").querySelectorAll("[data-part]")];
  const others = [...(isComparing ? $("other-mirror").querySelectorAll("[data-part]") : $("id").querySelectorAll(".slice"))];
  const isOneLine = (elements) => new Set(elements.map((element) => Math.round(element.getBoundingClientRect().top))).size === 1;
  // A part that is broken over two lines has a rectangle on each.
  const isWhole = (element) => element.getClientRects().length === 1;
  const isDrawn = box.height > 30 && isOneLine(others) && isOneLine(parts) && [...parts, ...others].every(isWhole);
  svg.replaceChildren(...(isDrawn ? parts.flatMap((part) => ribbon(part, others, box)) : []));
}

function ribbon(part, others, box) {
  const other = others.find((other) => other.dataset.part === part.dataset.part);
  if (!other) return [];
  const [above, below] = [part, other.querySelector(".digits") ?? other].map((element) => element.getBoundingClientRect());
  const [a, b, c, d] = [above.left, above.right, below.right, below.left].map((x) => x - box.left);
  // Over the field of another URL there is its name.
  const end = Math.max(box.height, (other.closest(".editor") ?? other).getBoundingClientRect().top - box.top);
  const path = document.createElementNS(NAMESPACE, "path");
  path.setAttribute("d", band(a, b, c, d, 0, end));
  path.dataset.part = part.dataset.part;
  for (const name of ["chosen", "differs"]) path.classList.toggle(name, part.classList.contains(name));
  return [path];
}

/** Returns the outline of a ribbon from `a` to `b` at the top to `d` to `c` at the end, clockwise. */
export function band(a, b, c, d, top, end) {
  const middle = (top + end) / 2;
  return `M${a} ${top}C${a} ${middle} ${d} ${middle} ${d} ${end}L${c} ${end}C${c} ${middle} ${b} ${middle} ${b} ${top}Z`;
}
