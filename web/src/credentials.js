// User names and passwords in URLs: they stay out of the address of the page, of its history and of links.

/** What stands before the host of each URL in a text, from the `//` on. */
const AFTER_SLASHES = /((?:^|[^\s/?#\\]*:)[\\/]{2,})[^\s/?#\\]*@/gm;
/** Without slashes: `user@host`, `https:user@host` and `user:password@host`, but not an address of mail. */
const AT_START = /^(\s*(?:https?|wss?|ftp):[\\/]*)?(?!\s*(?:mailto|sips?|xmpp|acct|news|urn|tag|mid|cid|data|javascript):)[^\s/?#\\]+@/gim;

/** Returns a text without the credentials of its URLs. A text that still has some after that is left out. */
export function withoutCredentials(text) {
  const bare = text.includes("@") ? text.replace(AFTER_SLASHES, "$1").replace(AT_START, "$1") : text;
  return hasCredentials(bare) ? "" : bare;
}

function hasCredentials(text) {
  if (!URL.canParse(text)) return false;
  const { username, password } = new URL(text);
  return username !== "" || password !== "";
}
