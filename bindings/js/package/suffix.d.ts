/** Splits hosts at their public suffix like `urlid`, in a module of a third of its size. */

export type { HostSplit, SuffixOptions, UrlText } from "./urlid.js";
export { registeredDomain, split, UrlidError } from "./urlid.js";
