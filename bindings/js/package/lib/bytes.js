// Identifiers that are bytes.

/** Returns bytes as hexadecimal digits. */
export function hex(bytes) {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** An identifier that is a number of bytes. Equal identifiers have equal texts. */
export class Id {
  /** The bytes; do not change them. */
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
