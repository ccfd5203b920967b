// The error of everything that is refused.

/** A text or an identifier that is refused. `code` is stable, the message is not. */
export class UrlidError extends Error {
  constructor(code, message) {
    super(message);
    this.code = code;
  }

  get name() {
    return "UrlidError";
  }
}
