// The ribbons between the parts of the URL and the slices of the identifier.

import { $ } from "./dom.js";

const NAMESPACE = "http://www.w3.org/2000/svg";

/** Draws a ribbon for each part, if the URL and the identifier are on one line each. */
export function drawRibbons() {
  const svg = $("ribbons");
  const box = svg.getBoundingClientRect();
  const slices = [...$("id").querySelectorAll(".slice")];
  const parts = [...$("mirror").querySelectorAll("[data-part]")];
  const isOneLine = (elements) => new Set(elements.map((element) => Math.round(element.getBoundingClientRect().top))).size === 1;
  const isDrawn = box.height > 30 && isOneLine(slices) && isOneLine(parts) && parts.every((part) => part.getClientRects().length === 1);
  svg.replaceChildren(...(isDrawn ? parts.flatMap((part) => ribbon(part, slices, box)) : []));
}

function ribbon(part, slices, box) {
  const slice = slices.find((slice) => slice.dataset.part === part.dataset.part);
  if (!slice) return [];
  const [above, below] = [part, slice.querySelector(".digits")].map((element) => element.getBoundingClientRect());
  const [a, b, c, d] = [above.left, above.right, below.right, below.left].map((x) => x - box.left);
  const [top, end] = [0, box.height];
  const middle = end / 2;
  const path = document.createElementNS(NAMESPACE, "path");
  path.setAttribute("d", `M${a} ${top}C${a} ${middle} ${d} ${middle} ${d} ${end}L${c} ${end}C${c} ${middle} ${b} ${middle} ${b} ${top}Z`);
  path.dataset.part = part.dataset.part;
  path.classList.toggle("chosen", part.classList.contains("chosen"));
  return [path];
}
