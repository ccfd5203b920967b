/** Named canonical forms, hidden lists, and the functions of SQL. */

import type { Fact, Rejection, UrlText, Variant } from "./urlid.js";

/**
 * Returns a canonical form of a text: `web`, `surt-0.3.1`, `web+drop-fragment`, `sxurl`, `hashed-n`, …
 *
 * The form `web`, also with steps, and the hashed forms accept a `base`. Only the hashed forms accept `keepQuery` and
 * `keepFragment`.
 */
export function canon(
  text: UrlText,
  form?: string,
  options?: { base?: string; keepQuery?: boolean; keepFragment?: boolean; rules?: Rules },
): string;

/**
 * Returns a URL or a relative reference without its secrets. No other character changes. User information becomes
 * `REDACTED:REDACTED@`, and the values of secret parameters become `REDACTED`.
 *
 * `names` are the names of secret parameters, without line breaks, or the name of a list. The default is `otel-1.44`. With a
 * `key` of at least 32 bytes, a secret becomes the 64 hexadecimal digits of its HMAC-SHA-256. A text that is not a URL reference
 * throws.
 */
export function redact(url: UrlText, options?: { names?: readonly string[] | "otel-1.44" | "common-1"; key?: Uint8Array }): string;

/** A change by a rule or step. */
export interface Change {
  rule: string;
  /** The action of the rule, in one sentence. */
  clause: string;
  before: string;
  after: string;
  /** The lines of a file of rules by which the step `+rules` changed it. */
  decided_by?: DecidedBy[];
}

/** A line of a file of rules. */
export interface DecidedBy {
  line: number;
  rule: string;
}

/**
 * A field `No-Vary-Search` of HTTP, which states the differences of the query that do not matter for a response. The values of
 * several fields are joined with commas. An invalid field is the default.
 */
export class NoVarySearch {
  /** With `browsers`, the syntax that browsers shipped first is also read. */
  constructor(field: string, options?: { browsers?: boolean });
  /** The canonical text of the field. */
  readonly field: string;
  /** The name of the canonical form that is equal for equivalent URLs. */
  readonly form: string;
  /** Whether queries are compared as texts. */
  readonly isDefault: boolean;
  /** Returns whether two URLs are equivalent. */
  equivalent(a: UrlText, b: UrlText): boolean;
  toString(): string;
}

/** Rules of sites, from the text of a file, for the step `+rules` of a form. */
export class Rules {
  constructor(text: string);
  /** The name after `+rules@`: `rules-` and 8 digits of the SHA-256. */
  readonly name: string;
  /** The SHA-256 of the canonical text, in hexadecimal digits. */
  readonly sha256: string;
  /** The canonical text, which determines the name. */
  readonly text: string;
  toString(): string;
}

/** Templates of URLs, from the text of a file. They are classes of pages, never identities. */
export class Templates {
  constructor(text: string);
  /** The name: `templates-` and 8 digits of the SHA-256 of the canonical text. */
  readonly name: string;
  /** The canonical text, which determines the name. */
  readonly text: string;
  /** Returns the template of a URL, or null if the file does not have its host or the text is not a URL. */
  assign(url: UrlText): string | null;
  toString(): string;
}

/** Returns what each rule of a canonical form changes in a text. */
export function explainForm(
  text: UrlText,
  form: string,
  options?: { rules?: Rules },
): { text: string; form: string; changes: Change[] } & ({ canonical: string } | Rejection);

/** The result of an identifier or a canonical form for two texts. */
export interface Comparison {
  /** The name of the identifier or the form. */
  name: string;
  /** The value for each text, or the reason why it is missing. */
  a: Fact;
  b: Fact;
  /** Whether both are the same, or null if one of them is missing. */
  same: boolean | null;
  /** The differences that change the value, and the differences that it ignores. */
  differs: string[];
  ignores: string[];
  /** For the verdict, the lines of a file of rules that changed either text. */
  decided_by?: DecidedBy[];
}

/** A comparison of two texts. */
export interface Diff {
  a: string;
  b: string;
  /** The parts that at least one text has, as written. */
  parts: { part: string; a: string | null; b: string | null; same: boolean }[];
  /** The comparison under the requested form. */
  verdict: Comparison;
  /** The steps of that form that made the texts the same, if they are the same. */
  joined_by?: string[];
  identifiers: Comparison[];
  forms: Comparison[];
}

/** Compares two texts like `urlid diff --format json`. `as` is the form of the verdict, by default `web`. */
export function diff(a: UrlText, b: UrlText, options?: { as?: string; rules?: Rules }): Diff;

/** A named canonical form. Its rules never change. */
export interface Form {
  name: string;
  /** Whether its canonical forms are URLs, which steps can follow, or keys. */
  kind: "url" | "key";
  about: string;
  isIdempotent: boolean;
  needsSuffixList: boolean;
  idna: "2003" | "2008" | "uts46" | null;
  /** The runtime whose Unicode data the form uses, with the implementation that it freezes. */
  runtime: string | null;
  /** The date from which the name refers to these rules. */
  frozenSince: string;
}

/** Returns the named canonical forms. */
export function forms(): Form[];

export interface ListOptions {
  algorithms?: readonly string[];
  variant?: Variant;
  /** The syntax by which texts are read before they become canonical. */
  intake?: "web" | "rfc3986";
  /** The URLs that an entry covers, by default its own. */
  covers?: "url" | "directory" | "subdomains";
  keepQuery?: boolean;
  keepFragment?: boolean;
  key?: Uint8Array;
  /** The publisher's date, as `YYYY-MM-DD`. */
  date?: string;
}

/** A hidden list. Its entries are digests, so that URIs can be recognised but not read. */
export class List {
  private constructor();
  /** Reads a list from its text form or its compiled form. Lines that are not entries are skipped. See `rejected`. */
  static parse(form: string | Uint8Array): List;
  /** Makes a list from URIs. */
  static make(uris: Iterable<string>, options?: ListOptions): List;
  /** The number of entries. */
  readonly size: number;
  readonly algorithms: readonly string[];
  readonly variant: Variant;
  readonly intake: "web" | "rfc3986";
  readonly covers: "url" | "directory" | "subdomains";
  readonly date: string | null;
  /** The name of the key that the list needs. */
  readonly keyId: string | null;
  readonly rejected: readonly { readonly line: number; readonly code: string; readonly message: string }[];
  /**
   * Returns the first entry that matches a URL, with the canonical text that the entry is the digest of. Returns null if no entry
   * matches.
   *
   * A URL without a canonical form throws, unless `invalidAs` counts it as listed (`match`) or as not listed (`no-match`).
   */
  check(
    url: UrlText,
    options?: { key?: Uint8Array; invalidAs?: "error" | "match" | "no-match" },
  ): { entry: string; canonical: string } | null;
  /** Returns every canonical text of a URL that is looked up, the nearest first, with its entry or null. */
  expressions(url: UrlText, options?: { key?: Uint8Array }): { canonical: string; entry: string | null }[];
  /** Returns the entries, as texts of hashed URIs in order. */
  entries(): string[];
  toText(): string;
  toCompiled(): Uint8Array;
  /**
   * Frees the memory of the list now. Otherwise it is freed some time after its last use. A freed list throws a `RangeError`, and
   * so does a list that was made before memory ran out.
   */
  free(): void;
}

/** A hidden list in shards (docs/lists.md), which are fetched when a look-up needs them, and kept. */
export class ShardedList {
  private constructor();
  /**
   * Opens the index of a list. `fetch(number, file)` returns the bytes of a shard, or a promise of them. Each shard is verified
   * against the index.
   *
   * `ShardedList.open(index, async (_, file) => new Uint8Array(await (await fetch(base + file)).arrayBuffer()))`
   */
  static open(
    index: Uint8Array,
    fetch: (number: number, file: string) => Uint8Array | Promise<Uint8Array>,
    options?: { key?: Uint8Array },
  ): ShardedList;
  /** The number of entries. */
  readonly size: number;
  /** The number of shards is 2 to the power of this. */
  readonly bits: number;
  readonly sequence: number | null;
  readonly expires: string | null;
  /** Returns the shards that a look-up of a URL needs. */
  asks(url: UrlText): { number: number; file: string }[];
  /**
   * Returns the first entry that matches a URL, like `List.check`. If a shard cannot be fetched, the promise is rejected for
   * every value of `invalidAs`.
   */
  check(
    url: UrlText,
    options?: { invalidAs?: "error" | "match" | "no-match" },
  ): Promise<{ entry: string; canonical: string } | null>;
  /**
   * Frees the memory of the list now. Otherwise it is freed some time after its last use. A freed list throws a `RangeError`, and
   * so does a list that was made before memory ran out.
   */
  free(): void;
}

/** A function of SQL. */
export interface SqlFunction {
  name: string;
  arguments: { name: string; type: string }[];
  result: "text" | "bytes" | "integer" | "boolean";
  about: string;
}

/** Returns the functions of SQL. */
export function functions(): SqlFunction[];
/** Calls a function of SQL. NULL is null. */
export function callFunction(
  name: string,
  ...values: (string | Uint8Array | null)[]
): string | Uint8Array | bigint | boolean | null;
/** Returns the identifier of a URL in the format of a version of crate `sxurl`. */
export function crateSxurl(
  url: UrlText,
  format: "sxurl-crate-0" | "sxurl-crate-1.0" | "sxurl-crate-1.1",
): { hex: string; hostId: string | null };
/** Returns the hash of a URL as version 0.1 of crate `url-hash` makes it. */
export function crateUrlHash(url: UrlText): { hex: string; text: string };
