// The button that copies a link. The address of a file leads nowhere on another computer: of such a page the fragment is copied.

import { $, copy } from "./dom.js";
import { fragment } from "./state.js";

export function startShare() {
  const isFile = location.protocol === "file:";
  $("share").addEventListener("click", (event) => {
    // The address itself has no fragment before the first change.
    copy(isFile ? fragment() : location.href.replace(/#.*/s, "") + fragment(), event.currentTarget);
    $("share-hint").hidden = !isFile;
  });
}
