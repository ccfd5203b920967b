// The form `page-1` and its steps, written from docs/canonical-forms.md#one-key-for-a-page and docs/canonical-forms.md on Node's URL. It shares no code
// with urlid, and is an example for other languages.

import { readFileSync } from "node:fs";

const groups = Object.values(JSON.parse(readFileSync(process.env.URLID_TRACKING_LIST, "utf8")));

/** Returns the parameters of a group whose sites include `site`. */
const tracked = (site) =>
  groups.filter(({ topLevelSites }) => topLevelSites.includes(site)).flatMap(({ queryParams }) => queryParams.map((name) => name.toLowerCase()));

const nameOf = (field) => field.split("=")[0];

/** Drops the fields of the query that a function accepts. A query that loses its last field is removed. */
function dropFields(url, isDropped) {
  if (url.query === undefined) return;
  const fields = url.query.split("&");
  const kept = fields.filter((field) => field === "" || !isDropped(field));
  if (kept.length < fields.length) url.query = kept.join("&") || undefined;
}

const compare = (a, b) => (a < b ? -1 : a > b ? 1 : 0);
const byBytes = (a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b));

const STEPS = {
  "drop-fragment": (url) => (url.fragment = undefined),
  "drop-anchor": (url) => (url.fragment = /^[!/]/.test(url.fragment ?? "") ? url.fragment : undefined),
  "sort-query": (url) => {
    // A name without `=` comes before the same name with an empty value, so the value counts from its `=`.
    const parts = (field) => [nameOf(field), field.slice(nameOf(field).length)];
    const order = ([a, b], [c, d]) => compare(a, c) || compare(b, d);
    url.query = url.query?.split("&").sort((a, b) => order(parts(a), parts(b))).join("&");
  },
  "drop-tracking": (url) => {
    const host = url.authority?.replace(/^.*@/, "").replace(/:.*$/, "") ?? "";
    const names = new Set([...tracked("*"), ...tracked(host)]);
    dropFields(url, (field) => names.has(nameOf(field).toLowerCase()));
  },
  "drop-session": (url) => {
    if (!/^https?$/.test(url.scheme)) return;
    url.path = url.path.replace(/^(.*\/)\((?:[a-z]\([0-9a-z]{24}\))+\)\/(?=.+\.aspx)/i, "$1").replace(/^(.*\/)\([0-9a-z]{24}\)\/(?=.+\.aspx)/i, "$1");
    const isDots = (segment) => /^(?:\.|%2e){1,2}$/i.test(segment);
    const withoutSession = (start, parameter) => (/^jsessionid=/i.test(parameter) && !isDots(start) ? start : `${start};${parameter}`);
    url.path = url.path.split("/").map((segment) => segment.split(";").reduce(withoutSession)).join("/");
    const names = (url.query ?? "").split("&").map((field) => nameOf(field).toLowerCase());
    const isColdFusion = names.includes("cfid") && names.includes("cftoken");
    dropFields(
      url,
      (field) =>
        /^(?:jsessionid|phpsessid|aspsessionid[a-z]{8})(?:=|$)/i.test(field) ||
        /^sid=[0-9a-z]{32}$/i.test(field) ||
        (isColdFusion && /^(?:cfid|cftoken)(?:=|$)/i.test(field)),
    );
  },
  "drop-values": (url) => {
    const names = [...new Set([...new URLSearchParams(url.query ?? "").keys()])].filter((name) => name !== "").sort(byBytes);
    // By RFC 3986's unreserved characters, which are fewer than `URLSearchParams` and `encodeURIComponent` keep.
    const encoded = (name) => encodeURIComponent(name).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`).replaceAll("%20", "+");
    url.query = names.map(encoded).join("&") || undefined;
  },
  "strip-www": (url) => {
    const [, user, www, rest] = /^(.*@)?(www\d*\.)?(.*)$/.exec(url.authority ?? "");
    if (www && rest.includes(".")) url.authority = (user ?? "") + rest;
  },
  "trailing-slash": (url) => (url.path = url.path.replace(/(.)\/$/, "$1")),
  https: (url) => {
    if (url.scheme === "http" && !/:\d+$/.test(url.authority)) url.scheme = "https";
  },
};

const PAGE = ["drop-anchor", "sort-query", "drop-tracking", "strip-www", "trailing-slash", "https"];

/** Returns a text in the form `page-1` or `web`, with more steps of those above. */
export function modelOf(form, text) {
  const [profile, ...more] = form.split("+");
  const wanted = [...(profile === "page-1" ? PAGE : []), ...more];
  const [, scheme, authority, path, query, fragment] = /^([^:]*):(?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/s.exec(new URL(text).href);
  const url = { scheme, authority, path, query, fragment };
  Object.keys(STEPS).filter((step) => wanted.includes(step)).forEach((step) => STEPS[step](url));
  const part = (before, text) => (text === undefined ? "" : before + text);
  return `${url.scheme}:${part("//", url.authority)}${url.path}${part("?", url.query)}${part("#", url.fragment)}`;
}
