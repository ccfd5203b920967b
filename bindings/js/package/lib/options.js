// Checks the options of calls. An option that is misspelt, of the wrong type, or outside an object would be silently ignored.

const areTexts = (value) => Array.isArray(value) && value.every((text) => typeof text === "string");

/** The types of options, in words and as a check. Any other type is a class. */
const TYPES = {
  text: ["a string", (value) => typeof value === "string" || value instanceof URL],
  texts: ["an array of strings", areTexts],
  "text or texts": ["a string or an array of strings", (value) => typeof value === "string" || areTexts(value)],
  flag: ["true or false", (value) => typeof value === "boolean"],
  bytes: ["a Uint8Array", (value) => value instanceof Uint8Array],
};

/**
 * Returns the options of a call that are neither undefined nor null. Throws a `TypeError` for all values except an object with only
 * options of these names and `types`. A number is ignored.
 */
export function optionsOf(options, types) {
  // `urls.map(canon)` passes the index of each URL as the second argument.
  if (options === undefined || typeof options === "number") return {};
  const names = Object.keys(types);
  if (typeof options !== "object" || options === null || Array.isArray(options)) {
    throw new TypeError(`options are not an object: found ${String(options)}, expected { ${names.join(", ")} }`);
  }
  for (const name in options) {
    if (!names.includes(name)) throw new TypeError(`unknown option: found ${name}, expected ${names.join(", ")}`);
  }
  const given = {};
  for (const name of names) {
    const value = options[name];
    if (value === undefined || value === null) continue;
    const type = types[name];
    const [expected, fits] = TYPES[type] ?? [`an object of the class ${type.name}`, (value) => value instanceof type];
    if (!fits(value)) throw new TypeError(`option ${name} has another type: found ${typeof value}, expected ${expected}`);
    given[name] = value;
  }
  return given;
}
