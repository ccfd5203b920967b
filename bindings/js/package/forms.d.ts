/** Named canonical forms, hidden lists, and the functions of SQL. */

import type { Fact, Rejection, UrlText, Variant } from "./urlid.js";

/**
 * Returns a canonical form of a text: `web`, `surt-0.3.1`, `web+drop-fragment`, `sxurl`, `hashed-n`, …
 *
 * The form `web`, also with steps, and the hashed forms take a `base`, and only the latter `keepQuery` and `keepFragment`.
 */
export function canon(
  text: UrlText,
  form?: string,
  options?: { base?: string; keepQuery?: boolean; keepFragment?: boolean; rules?: Rules },
): string;

/**
 * Returns a URL or a relative reference without its secrets; no other character changes. User information becomes
 * `REDACTED:REDACTED@`, and the values of secret parameters `REDACTED`.
 *
 * `names` are the names of secret parameters, none with a line break, or the name of a list; by default `otel-1.44`. With a `key`
 * of at least 32 bytes a secret becomes the 64 hexadecimal digits of its HMAC-SHA-256. A text that is not a URL reference throws.
 */
export function redact(url: UrlText, options?: { names?: readonly string[] | "otel-1.44" | "common-1"; key?: Uint8Array }): string;

/** What a rule or step changed. */
export interface Change {
  rule: string;
  /** What the rule does, in one sentence. */
  clause: string;
  before: string;
  after: string;
  /** The lines of a file of rules that the step `+rules` changed it by. */
  decided_by?: DecidedBy[];
}

/** A line of a file of rules. */
export interface DecidedBy {
  line: number;
  rule: string;
}

/**
 * A field `No-Vary-Search` of HTTP: which differences of the query do not matter for a response. The values of several fields are
 * joined with commas; one that is not valid is the default.
 */
export class NoVarySearch {
  /** With `browsers` the syntax that browsers shipped first is read too. */
  constructor(field: string, options?: { browsers?: boolean });
  /** The field in its one spelling. */
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
  /** The canonical text: what the name depends on. */
  readonly text: string;
  toString(): string;
}

/** Templates of URLs, from the text of a file: classes of pages, never identities. */
export class Templates {
  constructor(text: string);
  /** The name: `templates-` and 8 digits of the SHA-256 of the canonical text. */
  readonly name: string;
  /** The canonical text: what the name depends on. */
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

/** What an identifier or a canonical form makes of two texts. */
export interface Comparison {
  /** The name of the identifier or the form. */
  name: string;
  /** What it is for each text, or why there is none. */
  a: Fact;
  b: Fact;
  /** Whether both are the same; null if there is none for one of them. */
  same: boolean | null;
  /** The differences that change it, and those that it ignores. */
  differs: string[];
  ignores: string[];
  /** Of the verdict: the lines of a file of rules that changed either text. */
  decided_by?: DecidedBy[];
}

/** Two texts, compared. */
export interface Diff {
  a: string;
  b: string;
  /** The parts that one of them has, as they are written. */
  parts: { part: string; a: string | null; b: string | null; same: boolean }[];
  /** The comparison under the form that was asked for. */
  verdict: Comparison;
  /** The steps of that form that made the texts the same, if they are the same. */
  joined_by?: string[];
  identifiers: Comparison[];
  forms: Comparison[];
}

/** Compares two texts, as `urlid diff --format json` does. `as` is the form of the verdict, `web` if it is not given. */
export function diff(a: UrlText, b: UrlText, options?: { as?: string; rules?: Rules }): Diff;

/** A named canonical form. Its rules never change. */
export interface Form {
  name: string;
  /** Whether its canonical forms are URLs, which other steps can follow, or keys. */
  kind: "url" | "key";
  about: string;
  isIdempotent: boolean;
  needsSuffixList: boolean;
  idna: "2003" | "2008" | "uts46" | null;
  /** The runtime whose Unicode data the form has, with the implementation that it freezes. */
  runtime: string | null;
  /** The day since which the name stands for these rules. */
  frozenSince: string;
}

/** Returns the named canonical forms. */
export function forms(): Form[];

export interface ListOptions {
  algorithms?: readonly string[];
  variant?: Variant;
  /** What texts are before they become canonical. */
  intake?: "web" | "rfc3986";
  /** What an entry covers; the default is its own URL. */
  covers?: "url" | "directory" | "subdomains";
  keepQuery?: boolean;
  keepFragment?: boolean;
  key?: Uint8Array;
  /** The publisher's date, as `YYYY-MM-DD`. */
  date?: string;
}

/** A hidden list: entries are digests, so that URIs can be recognised but not read. */
export class List {
  private constructor();
  /** Reads a list from its text form or its compiled form. Lines that are not entries are left out: see `rejected`. */
  static parse(form: string | Uint8Array): List;
  /** Makes a list of URIs. */
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
   * Returns the first entry that matches a URL, with the canonical text that it is the digest of, or null.
   *
   * A URL without a canonical form throws, or with `invalidAs` counts as listed (`block`) or not (`pass`).
   */
  check(
    url: UrlText,
    options?: { key?: Uint8Array; invalidAs?: "error" | "match" | "no-match" },
  ): { entry: string; canonical: string } | null;
  /** Returns every canonical text of a URL that is looked up, the nearest first, with its entry or null. */
  expressions(url: UrlText, options?: { key?: Uint8Array }): { canonical: string; entry: string | null }[];
  /** Returns the entries, texts of hashed URIs in order. */
  entries(): string[];
  toText(): string;
  toCompiled(): Uint8Array;
  /**
   * Frees the memory of the list now; otherwise it is freed some time after its last use. A list that was freed throws a `RangeError`,
   * and so does one that was made before memory ran out.
   */
  free(): void;
}

/** A hidden list in shards (docs/lists.md), which are fetched when a URL asks for them, and kept. */
export class ShardedList {
  private constructor();
  /**
   * Opens the index of a list. `fetch(number, file)` returns the bytes of a shard, or a promise of them; each is verified against the index.
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
  /** There are 2 to the power of this shards. */
  readonly bits: number;
  readonly sequence: number | null;
  readonly expires: string | null;
  /** Returns the shards that a URL asks for. */
  asks(url: UrlText): { number: number; file: string }[];
  /** Returns the first entry that matches a URL, as `List.check` does. A shard that cannot be fetched rejects, whatever `invalidAs` is. */
  check(
    url: UrlText,
    options?: { invalidAs?: "error" | "match" | "no-match" },
  ): Promise<{ entry: string; canonical: string } | null>;
  /**
   * Frees the memory of the list now; otherwise it is freed some time after its last use. A list that was freed throws a `RangeError`,
   * and so does one that was made before memory ran out.
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
/** Calls a function of SQL; NULL is null. */
export function callFunction(
  name: string,
  ...values: (string | Uint8Array | null)[]
): string | Uint8Array | bigint | boolean | null;
/** Returns the identifier of a URL as a version of crate `sxurl` emits it. */
export function crateSxurl(
  url: UrlText,
  format: "sxurl-crate-0" | "sxurl-crate-1.0" | "sxurl-crate-1.1",
): { hex: string; hostId: string | null };
/** Returns the hash of a URL as version 0.1 of crate `url-hash` makes it. */
export function crateUrlHash(url: UrlText): { hex: string; text: string };
