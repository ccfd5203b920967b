/** Stable identities for URLs. Canonical forms and lists are in `urlid/forms`. */

/** The error for a rejected text or identifier. `code` is stable, the message is not. */
export class UrlidError extends Error {
  readonly code: string;
  constructor(code: string, message: string);
}

/** A URL as a text. */
export type UrlText = string | URL;

/** An identifier with a fixed number of bytes. */
declare abstract class Id {
  /** The bytes, which must not be changed. */
  readonly bytes: Uint8Array;
  equals(other: unknown): boolean;
  /** The hexadecimal digits. */
  hex(): string;
  toString(): string;
  toJSON(): string;
}

export type Slice = "tld" | "domain" | "sub" | "path" | "params" | "frag";
export type Field = Slice | "header" | "port";

/** The slices, which are the fields that are hashes. */
export const SLICES: readonly Slice[];

/** SXURL: a 256-bit identifier with a separate slice for each part of the URL. */
export class Sxurl extends Id {
  private constructor();
  /** Makes the SXURL of a URL. */
  static encode(url: UrlText): Sxurl;
  /** Makes the SXURLs of texts. Each text is one URL, even if it contains a line end. */
  static encodeAll(urls: Iterable<UrlText | Url | null | undefined>): Batch<Sxurl>;
  /** Makes the SXURLs of the lines of a text or of UTF-8 bytes, such as a file. */
  static encodeLines(lines: string | Uint8Array): Batch<Sxurl>;
  /** Reads 64 hexadecimal digits. */
  static parse(digits: string): Sxurl;
  static fromBytes(bytes: Uint8Array): Sxurl;
  readonly version: number;
  /** Version, scheme and flags in 12 bits. */
  readonly header: number;
  readonly scheme: "https" | "http" | "ftp";
  /** The port, if it is written. */
  readonly port: number | null;
  readonly hasSub: boolean;
  readonly hasParams: boolean;
  readonly hasFrag: boolean;
  readonly hasPort: boolean;
  /** Returns a field as a number. */
  slice(name: Field): bigint;
  /** Returns the digits of a field. */
  sliceHex(name: Field): string;
  /** Returns every field as a number. */
  fields(): Record<Field, bigint>;
  /** Returns whether a slice is the hash of a value. Host parts are mapped first. A match is not a proof. */
  matches(name: Slice, value: string): boolean;
}

/** The identifiers of lines or texts, in their order. */
export class Batch<I extends Id> {
  private constructor();
  /** The number of lines or texts. */
  readonly length: number;
  /** 32 bytes for each line or text, which are zeros if it has no identifier. */
  readonly bytes: Uint8Array;
  /**
   * The lines or texts without an identifier, with the code of the error. The code is null for a blank line and for a missing
   * text.
   */
  readonly rejected: readonly { readonly index: number; readonly code: string | null }[];
  /** Returns the identifier of a line or text, or null. */
  at(index: number): I | null;
  /** Yields the identifiers in order, with null for a rejected line or text. */
  [Symbol.iterator](): IterableIterator<I | null>;
}

/** The parts from which an SXURL is made. The host is split at its public suffix. */
export class Components {
  constructor(url: UrlText);
  readonly scheme: string;
  /** The whole host in ASCII. */
  readonly host: string;
  readonly sub: string;
  readonly domain: string;
  readonly tld: string;
  readonly port: number | null;
  readonly path: string;
  readonly query: string;
  readonly fragment: string;
  readonly hasUserinfo: boolean;
  /** The text that an index stores. */
  readonly normalText: string;
  encode(): Sxurl;
  toString(): string;
}

/** Returns the number to compare a slice with. Host parts are mapped first, like a URL's host. */
export function probe(name: Slice, value: string): bigint;
/** Returns the digits of the hash of an unchanged value. */
export function sliceHash(name: Slice, value: string): string;
/** Returns the start digit and the end digit (exclusive) of a field. */
export function fieldDigits(name: Field): [start: number, end: number];
/** Returns the 48 ranges of ids with a public suffix, or with a public suffix and a domain: the first and the last id of each. */
export function keyRanges(tld: string, domain?: string): [first: Uint8Array, last: Uint8Array][];

declare abstract class Hash extends Id {
  /** The little-endian words. */
  readonly words: bigint[];
}

/** url-hash: the SHA-256 digest of the WHATWG normal form. */
export class UrlHash extends Hash {
  private constructor();
  static encode(url: UrlText | Url): UrlHash;
  /** Makes the url-hash of a URL. */
  static of(url: UrlText | Url): UrlHash;
  /** Makes the url-hashes of texts. Each text is one URL, even if it contains a line end. */
  static encodeAll(urls: Iterable<UrlText | Url | null | undefined>): Batch<UrlHash>;
  /** Makes the url-hashes of the lines of a text or of UTF-8 bytes, such as a file. */
  static encodeLines(lines: string | Uint8Array): Batch<UrlHash>;
  /** Reads decimal words joined by `-`. */
  static parse(text: string): UrlHash;
  static fromHex(digits: string): UrlHash;
  static fromBytes(bytes: Uint8Array): UrlHash;
  /** Makes the value from its words: four, two or one of 64 bits. */
  static fromWords(words: bigint[]): UrlHash;
  short(): UrlShortHash;
  veryShort(): UrlVeryShortHash;
  /** Returns whether the hash starts with the words of a short or a very short hash. */
  startsWith(prefix: UrlShortHash | UrlVeryShortHash): boolean;
}

/** The first two words of a url-hash. */
export class UrlShortHash extends Hash {
  private constructor();
  static encode(url: UrlText | Url): UrlShortHash;
  static parse(text: string): UrlShortHash;
  static fromHex(digits: string): UrlShortHash;
  static fromBytes(bytes: Uint8Array): UrlShortHash;
  static fromWords(words: bigint[]): UrlShortHash;
  veryShort(): UrlVeryShortHash;
  startsWith(prefix: UrlVeryShortHash): boolean;
}

/** The first word of a url-hash. */
export class UrlVeryShortHash extends Hash {
  private constructor();
  static encode(url: UrlText | Url): UrlVeryShortHash;
  static parse(text: string): UrlVeryShortHash;
  static fromHex(digits: string): UrlVeryShortHash;
  static fromBytes(bytes: Uint8Array): UrlVeryShortHash;
  static fromWords(words: bigint[]): UrlVeryShortHash;
}

export type Variant = "n" | "p" | "none";

export interface HashedUriOptions {
  /** The base of a relative URI. */
  base?: string;
  /** The hash algorithm, by default `sha1`. */
  algorithm?: string;
  /** The rules that make the URI canonical, by default `n`. */
  variant?: Variant;
  keepQuery?: boolean;
  keepFragment?: boolean;
  /** The key of `x-hmac-sha256`, 32 bytes or more. */
  key?: Uint8Array;
}

/** The Hashed URI: a digest that recognises a URI without revealing it. */
export class HashedUri {
  private constructor();
  static encode(uri: UrlText, options?: HashedUriOptions): HashedUri;
  static parse(text: string): HashedUri;
  readonly text: string;
  readonly algorithm: string;
  readonly digest: Uint8Array;
  readonly keepQuery: boolean;
  readonly keepFragment: boolean;
  /** Whether this library computes the algorithm. */
  readonly isKnown: boolean;
  /** Returns whether this is the hashed URI of a URI under the variant that its maker chose. */
  matches(uri: UrlText, options?: Pick<HashedUriOptions, "base" | "variant" | "key">): boolean;
  equals(other: unknown): boolean;
  toString(): string;
  toJSON(): string;
}

export type Context = "web" | "file" | "generic" | "rfc3986";
export type TokenKind = "scheme" | "authority" | "drive" | "root" | "directory" | "file" | "query" | "fragment";
export type Token = [kind: TokenKind, text: string];

/** A URL reference (Theory of URLs): the text as written, and the tokens that it is read as. */
export class Reference {
  constructor(text: UrlText, context?: Context);
  /** Returns the reference that consists of these tokens. */
  static fromTokens(tokens: readonly Token[], context?: Context): Reference;
  readonly text: string;
  readonly context: Context;
  readonly tokens: readonly Token[];
  /** Whether the tokens meet the constraints of the specification. */
  readonly isValid: boolean;
  /** Whether the path is without structure, like the path of `mailto:`. */
  readonly isOpaque: boolean;
  /** The kind of the first token, or `fragment` if there are no tokens. */
  readonly ord: TokenKind;
  readonly scheme: string | null;
  readonly authority: string | null;
  readonly user: string | null;
  readonly password: string | null;
  readonly host: string | null;
  readonly port: string | null;
  readonly drive: string | null;
  readonly path: string;
  readonly segments: readonly string[];
  readonly query: string | null;
  readonly fragment: string | null;
  /** Returns the tokens of a kind below the given one. For `directory`, the directories are included. */
  upto(kind: TokenKind): Reference;
  /** Returns the target of a reference relative to this one. A text is read in the context of this reference. */
  goto(reference: Reference | UrlText): Reference;
  /** Returns the target of a reference relative to this one. A scheme that both have is ignored. */
  gotoNonstrict(reference: Reference | UrlText): Reference;
  equals(other: unknown): boolean;
  toString(): string;
  toJSON(): string;
}

/** Checks tokens against the constraints of the specification. Throws ERR_NO_URL for the first broken one. */
export function checkTokens(tokens: readonly Token[]): void;
/** Returns the text of the target of a reference relative to a base, both read as the URL Standard reads them. */
export function goto(base: UrlText, reference: UrlText, options?: { nonstrict?: boolean }): string;

/** A URL in the normal form of the URL Standard. */
export class Url {
  constructor(text: UrlText, base?: UrlText);
  /** Returns a URL, or null if the constructor would throw a `UrlidError`. */
  static parse(text: UrlText, base?: UrlText): Url | null;
  /** Returns whether a text is a URL. */
  static canParse(text: UrlText, base?: UrlText): boolean;
  readonly href: string;
  readonly scheme: string;
  readonly username: string;
  readonly password: string | null;
  readonly host: string | null;
  /** The public suffix of the host with the label before it, by all sections of the list. */
  readonly registeredDomain: string | null;
  readonly hostKind: "domain" | "ipv4" | "ipv6" | "opaque" | "empty" | null;
  /** The port, if it is not the scheme's default. */
  readonly port: number | null;
  readonly path: string;
  readonly query: string | null;
  readonly fragment: string | null;
  /** Parses a URL relative to this one. */
  join(text: string): Url;
  toString(): string;
  toJSON(): string;
}

/** Resolves a reference against an absolute base. */
export function resolve(base: UrlText, reference: string, mode?: "web" | "strict" | "nonstrict" | "rfc2396"): string;
/** Normalises the syntax of a URI (RFC 3986, section 6.2.2). */
export function normalise(uri: string): string;
/** Removes the dot segments of a path (RFC 3986, section 5.2.4). */
export function removeDotSegments(path: string): string;

/** The suffixes that count: all, or only the suffixes of registries. */
export interface SuffixOptions {
  /** By default `all`, under which `github.io` is a public suffix. Under `icann` it is a registered domain. */
  sections?: "all" | "icann";
}

/** Returns the host of a URL as browsers write it, or null if the URL has none. */
export function host(url: UrlText): string | null;
/**
 * Returns the public suffix of a host with the label before it. Returns null for an IP address and for a host that is a public
 * suffix. The text is a URL, a host with or without a port or a path, or an e-mail address. A text that could be read as
 * different hosts throws.
 */
export function registeredDomain(text: UrlText, options?: SuffixOptions): string | null;

/** A host split at its public suffix. Missing parts are null, as all parts of an IP address are. */
export interface HostSplit {
  /** The labels before the registered domain. */
  sub: string | null;
  /** The label left of the public suffix. */
  domain: string | null;
  /** The public suffix. */
  tld: string | null;
  /** Domain and suffix. */
  registeredDomain: string | null;
  hostKind: "domain" | "ipv4" | "ipv6" | "opaque" | null;
}

/** Splits the host of a text at its public suffix, like `urlid parts --of host`. The text is read as by `registeredDomain`. */
export function split(text: UrlText, options?: SuffixOptions): HostSplit;

/** An error as data. */
export interface Rejection {
  error: string;
  message: string;
}

/** A fact about a text, or the reason why it is missing. */
export type Fact = string | Rejection;

/** A part of a text, with its value and its digits. */
export interface Part {
  name: Field | "user";
  /** The value that was hashed or read. */
  value: string | null;
  /** The offset in the text. */
  start?: number;
  end?: number;
  /** Its digits in the identifier, and their position. */
  digits?: string;
  hexStart?: number;
  hexEnd?: number;
  note: string;
}

/** The facts about a text. */
export interface Explanation {
  text: string;
  kind: "url" | "sxurl" | "hashed-uri" | "url-hash" | "url-short-hash" | "url-very-short-hash";
  parts: Part[];
  tokens?: string;
  sxurl?: Fact;
  sxurlText?: string;
  web?: Fact;
  urlHash?: string;
  hashedUri?: Fact;
  [fact: string]: Fact | Part[] | undefined;
}

/** A token, and whether it is part of the target of goto. */
export interface Fate {
  kind: TokenKind;
  text: string;
  survives: boolean;
}

/** Returns the kind of a text, and its parts with their digits. Offsets are UTF-16 code units, like the indices of strings. */
export function explain(text: UrlText): Explanation;
/** Returns which tokens of a base and a reference are part of the target of goto. */
export function explainGoto(
  base: UrlText,
  reference: UrlText,
  options?: { nonstrict?: boolean },
): { base: Fate[]; reference: Fate[]; target: Fact };
/** Returns the formats that a text can have, the most specific first. */
export function detect(text: UrlText): string[];
/**
 * Returns the data versions that an identifier depends on in addition to its specification. The default is the line of this
 * package.
 */
export function snapshot(line?: string): { line: string; entries: Record<string, string> };
