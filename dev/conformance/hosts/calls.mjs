// The answers of a JavaScript host, as host.py describes them: functions of SQL through `callFunction` of the npm package.

const bytesOf = (digits) => Uint8Array.from(digits.match(/../g) ?? [], (pair) => parseInt(pair, 16));
const digitsOf = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
const fromJson = (value) => (typeof value?.hex === "string" ? bytesOf(value.hex) : value);
const toJson = (value) => (value instanceof Uint8Array ? { hex: digitsOf(value) } : value);

/** Returns a value as a line of JSON, with all digits of its integers. */
export function line(value) {
  const text = JSON.stringify(value, (_, each) => (typeof each === "bigint" ? `\0${each}` : each));
  return text.replace(/"\\u0000(-?\d+)"/g, "$1");
}

/** Returns functions that answer a vector, and that evaluate a call for a URL. */
export function answers(callFunction) {
  const evaluate = ([name, ...values], url) =>
    callFunction(name, ...values.map((each) => (each === null ? url : Array.isArray(each) ? evaluate(each, url) : each)));
  return {
    vector({ name, arguments: values }) {
      try {
        return { value: toJson(callFunction(name, ...values.map(fromJson))) };
      } catch (error) {
        return { error: `${error.code} ${error.message}` };
      }
    },
    row: (calls, url) => calls.map((call) => toJson(evaluate(call, url))),
    evaluate,
  };
}
