// Checks the options of calls. A misspelt option, or one outside an object, would be silently ignored.

/**
 * Returns the options of a call. Throws a `TypeError` for all values except an object with only the options in `names`. A number
 * is ignored.
 */
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
