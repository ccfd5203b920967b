// Identifiers that are bytes.

const DIGITS = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

/** Returns bytes as hexadecimal digits. */
export function hex(bytes) {
  let digits = "";
  for (let index = 0; index < bytes.length; index++) digits += DIGITS[bytes[index]];
  return digits;
}

/** An identifier with a fixed number of bytes. Equal identifiers have equal texts. */
export class Id {
  /** The bytes, which must not be changed. */
  bytes;

  constructor(bytes) {
    this.bytes = bytes;
    Object.freeze(this);
  }

  equals(other) {
    return other instanceof this.constructor && this.bytes.every((byte, index) => byte === other.bytes[index]);
  }

  /** Returns the hexadecimal digits. */
  hex() {
    return hex(this.bytes);
  }

  toJSON() {
    return this.toString();
  }
}
