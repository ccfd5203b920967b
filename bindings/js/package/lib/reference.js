// The Theory of URLs: references as sequences of tokens, and their targets.

import { core } from "./core.js";
import { optionsOf } from "./options.js";

/** A URL reference: the text as written, and the tokens that it is read as. */
export class Reference {
  constructor(text, context = "web") {
    Object.freeze(Object.assign(this, core.call("reference", text, context)));
  }

  /** Returns the reference that consists of these tokens, as pairs of a kind and a text. */
  static fromTokens(tokens, context = "web") {
    return made(core.call("reference_from_tokens", JSON.stringify(tokens), context));
  }

  /** Returns the reference without the tokens of a kind and the tokens after them. */
  upto(kind) {
    return made(core.call("upto", this.text, this.context, kind));
  }

  /** Returns the target of a reference relative to this one. A text is read in the context of this reference. */
  goto(reference) {
    return led(this, reference, false);
  }

  /** Returns the target of a reference relative to this one. A scheme that both have is ignored. */
  gotoNonstrict(reference) {
    return led(this, reference, true);
  }

  equals(other) {
    return other instanceof Reference && JSON.stringify(this.tokens) === JSON.stringify(other.tokens);
  }

  toString() {
    return this.text;
  }

  toJSON() {
    return this.text;
  }
}

/** Returns a reference from its description. */
function made(described) {
  return Object.freeze(Object.assign(Object.create(Reference.prototype), described));
}

function led(base, reference, nonstrict) {
  const [text, context] = reference instanceof Reference ? [reference.text, reference.context] : [reference];
  return made(core.call("goto", base.text, base.context, text, context, nonstrict));
}

/** Checks pairs of a kind and a text against the constraints of the specification. */
export function checkTokens(tokens) {
  core.call("check_tokens", JSON.stringify(tokens));
}

/** Returns the text of the target of a reference relative to a base, both read as the URL Standard reads them. */
export function goto(base, reference, options) {
  const { nonstrict = false } = optionsOf(options, { nonstrict: "flag" });
  return core.call("goto", base, "web", reference, null, nonstrict).text;
}
