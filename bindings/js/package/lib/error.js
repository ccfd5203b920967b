// The error for rejected inputs.

/** The error for a rejected text or identifier. `code` is stable, the message is not. */
export class UrlidError extends Error {
  constructor(code, message, options) {
    super(message, options);
    this.code = code;
  }

  get name() {
    return "UrlidError";
  }
}

/** The error for a text that is too long for a module, or a result that is too long for a string. */
export function tooLong(what, length, cause) {
  return new UrlidError("ERR_LINE_LEN", `${what} is too long: found a length of ${length}`, { cause });
}
