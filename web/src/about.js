// The end of the page: versions that identifiers depend on, and licences of what the file holds.

import { $, h } from "./dom.js";
import { core } from "./urlid.js";

/* global URLID_VERSION */

export function startAbout() {
  const { psl_version: list, unicode } = core.snapshot().entries;
  $("about").replaceChildren(
    h("p", {}, `urlid ${URLID_VERSION}. Public Suffix List of ${list.slice(0, 10)}, Unicode ${unicode}. `,
      "This file works without a network. Save it and open it from a disk."),
    h("p", {}, "MIT or Apache-2.0, at your choice. The Public Suffix List is under MPL-2.0, SQLite is in the public domain, its ",
      "WebAssembly wrapper is under Apache-2.0, and IBM Plex is under the SIL Open Font License 1.1 (© IBM Corp.)."));
}
