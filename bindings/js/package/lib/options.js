// Options of calls: one that is misspelt, or not in an object, would silently change nothing.

/** Returns the options of a call. Throws a `TypeError` for anything but an object of the options in `names`;
 * a number is ignored. */
export function optionsOf(options, ...names) {
  // `urls.map(canon)` passes the index of each URL as the second argument.
  if (options === undefined || typeof options === "number") return {};
  if (typeof options !== "object" || options === null) {
    throw new TypeError(`options are not an object: found ${String(options)}, expected { ${names.join(", ")} }`);
  }
  const unknown = Object.keys(options).find((name) => !names.includes(name));
  if (unknown !== undefined) throw new TypeError(`unknown option: found ${unknown}, expected ${names.join(", ")}`);
  return options;
}
