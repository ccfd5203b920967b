// Options of calls: one that is misspelt, or not in an object, would silently change nothing.

/** Returns the options of a call. Throws a `TypeError` for anything but an object of the options in `names`. */
export function optionsOf(options, ...names) {
  if (options === undefined) return {};
  if (typeof options !== "object" || options === null) {
    throw new TypeError(`options are not an object: found ${String(options)}, expected { ${names.join(", ")} }`);
  }
  const unknown = Object.keys(options).find((name) => !names.includes(name));
  if (unknown !== undefined) throw new TypeError(`unknown option: found ${unknown}, expected ${names.join(", ")}`);
  return options;
}
