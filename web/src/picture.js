// The picture of a URL and its identifier, or of two URLs, as an SVG file: it stands alone and is the same in a window of any width.

import { $, copy, HIDDEN } from "./dom.js";
import { band, NAMESPACE } from "./ribbons.js";
import { watch } from "./state.js";
import { pieces } from "./unseen.js";

/** The font, of which other programs take what they have; `textLength` keeps the places of the letters. */
const FONT = '"IBM Plex Mono", "Plex Mono", ui-monospace, monospace';
const SIZE = 16;
// The longest name of a slice, "header", is below three digits.
const [MARGIN, LINE, GAP, BETWEEN] = [24, 30, 16, 72];

export function startPicture() {
  $("picture").addEventListener("click", (event) => copy(picture(), event.currentTarget));
  // After what shows the same.
  watch(["url", "compare", "other"], ({ url, compare, other }) => {
    $("picture").hidden = compare ? url === "" || other === "" : $("id").matches(".empty");
  });
}

/** Returns the picture of what the page shows, in the colours of its theme. */
function picture() {
  const isComparing = $("explain").matches(".comparing");
  const above = row([...$("mirror").childNodes].map(ofUrl), 0);
  const below = row(isComparing ? [...$("other-mirror").childNodes].map(ofUrl) : [...$("id").children].map(ofSlice), isComparing ? 0 : GAP);
  const width = Math.max(above.width, below.width) + 2 * MARGIN;
  const top = MARGIN + LINE;
  const bottom = top + BETWEEN;
  const height = bottom + LINE + (isComparing ? 0 : LINE) + MARGIN;
  const svg = make("svg", { xmlns: NAMESPACE, viewBox: `0 0 ${width} ${height}`, width, height, role: "img", "font-family": FONT, "font-size": SIZE });
  svg.append(
    make("title", {}, [above, below].map(({ parts }) => parts.map(({ text }) => text).join("")).join(" – ")),
    make("rect", { width, height, fill: colour(document.body, "background-color") }),
    ...above.parts.flatMap((part) => shape(part, MARGIN)),
    ...above.parts.flatMap((part) => ribbon(part, below.parts.find(({ name }) => name && name === part.name), top, bottom)),
    ...below.parts.flatMap((part) => shape(part, bottom)));
  return new XMLSerializer().serializeToString(svg);
}

/** A piece of a URL in its field. What is between the parts has no name; credentials are not shown, since pictures are published. */
function ofUrl(node) {
  const element = node.nodeType === Node.TEXT_NODE ? node.parentElement : node;
  const name = node.dataset?.part;
  return {
    name,
    // The mirror ends in a space without width.
    text: name === "user" ? HIDDEN : pieces(node.textContent.replace(/\u200b$/, ""), (escape) => escape).join(""),
    colour: colour(element),
    isTinted: name !== undefined && name !== "user",
    differs: element.matches("[data-part].differs"),
  };
}

function ofSlice(element) {
  const isAbsent = element.matches(".absent");
  return {
    name: element.dataset.part,
    text: element.querySelector(".digits").textContent,
    label: element.dataset.part,
    colour: colour(isAbsent ? element.querySelector(".digits") : element),
    isTinted: !isAbsent,
  };
}

/** Gives pieces their places, one behind the other. */
function row(parts, gap) {
  const canvas = document.createElement("canvas").getContext("2d");
  // Only measured with: nothing is drawn on it.
  canvas.font = `${SIZE}px ${FONT}`;
  let end = MARGIN - gap;
  const placed = parts.filter(({ text }) => text !== "").map((part) => {
    const start = end + gap;
    const width = Math.ceil(10 * canvas.measureText(part.text).width) / 10;
    end = start + width;
    return { ...part, start, end, width };
  });
  return { parts: placed, width: end - MARGIN };
}

function shape({ text, label, colour: fill, isTinted, differs, start, width }, top) {
  const x = start;
  return [
    isTinted && make("rect", { x, y: top, width, height: LINE, fill, "fill-opacity": 0.11 }),
    isTinted && make("rect", { x, y: top + LINE - 2, width, height: 2, fill }),
    make("text", { x, y: top + 20, fill, textLength: width, "xml:space": "preserve", "text-decoration": differs ? "underline" : null }, text),
    label && make("text", { x, y: top + LINE + 18, fill, "font-family": "system-ui, sans-serif", "font-size": 12 }, label),
  ].filter(Boolean);
}

function ribbon(part, other, top, bottom) {
  if (!part.name || !other) return [];
  const dashed = part.differs ? { stroke: part.colour, "stroke-opacity": 0.6, "stroke-dasharray": "4 3" } : {};
  return [make("path", { d: band(part.start, part.end, other.end, other.start, top, bottom), fill: part.colour, "fill-opacity": 0.11, ...dashed })];
}

/** Returns a colour of an element as numbers: outside the page there are no themes. */
const colour = (element, property = "color") => getComputedStyle(element).getPropertyValue(property);

function make(tag, attributes, text = "") {
  const element = document.createElementNS(NAMESPACE, tag);
  for (const [name, value] of Object.entries(attributes)) if (value !== null) element.setAttribute(name, value);
  element.textContent = text;
  return element;
}
