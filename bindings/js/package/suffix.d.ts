/** Hosts split at their public suffix, as `urlid` splits them, in a module of a third of its size. */

export type { HostSplit, SuffixOptions, UrlText } from "./urlid.js";
export { registeredDomain, split, UrlidError } from "./urlid.js";
