// The error of everything that is rejected.

/** A text or an identifier that is rejected. `code` is stable, the message is not. */
export class UrlidError extends Error {
  constructor(code, message, options) {
    super(message, options);
    this.code = code;
  }

  get name() {
    return "UrlidError";
  }
}

/** The error of a text that a module, or of a result that a string has no room for. */
export function tooLong(what, length, cause) {
  return new UrlidError("ERR_LINE_LEN", `${what} is too long: found a length of ${length}`, { cause });
}
