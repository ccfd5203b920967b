/** Stable identities for URLs. Canonical forms and lists are in `urlid/forms`. */

/** A text or an identifier that is rejected. `code` is stable, the message is not. */
export class UrlidError extends Error {
  readonly code: string;
  constructor(code: string, message: string);
}

/** A URL as a text. */
export type UrlText = string | URL;

/** An identifier that is a number of bytes. */
declare abstract class Id {
  /** The bytes; do not change them. */
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

/** SXURL: a 256-bit identifier in which each part of the URL has a slice of its own. */
export class Sxurl extends Id {
  private constructor();
  /** Makes the SXURL of a URL. */
  static encode(url: UrlText): Sxurl;
  /** Makes the SXURLs of texts, each of which is one URL whatever it holds: a line end too. */
  static encodeAll(urls: Iterable<UrlText | Url | null | undefined>): Batch<Sxurl>;
  /** Makes the SXURLs of lines, of a text or of UTF-8, such as a file. */
  static encodeLines(lines: string | Uint8Array): Batch<Sxurl>;
  /** Reads 64 hexadecimal digits. */
  static parse(digits: string): Sxurl;
  static fromBytes(bytes: Uint8Array): Sxurl;
  readonly version: number;
  /** Version, scheme and flags in 12 bits. */
  readonly header: number;
  readonly scheme: "https" | "http" | "ftp";
  /** The port, if one is written. */
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
  /** Returns whether a slice is the hash of a value; host parts are mapped first. A match is no proof. */
  matches(name: Slice, value: string): boolean;
}

/** The identifiers of lines or texts, in their order. */
export class Batch<I extends Id> {
  private constructor();
  /** The number of lines or texts. */
  readonly length: number;
  /** 32 bytes for each line or text, zeros for one without an identifier. */
  readonly bytes: Uint8Array;
  /** Those without an identifier, with the code of the error; it is null for a blank line and for nothing in place of a text. */
  readonly rejected: readonly { readonly index: number; readonly code: string | null }[];
  /** Returns the identifier of a line or text, or null. */
  at(index: number): I | null;
  /** The identifiers in their order, null for one that is rejected. */
  [Symbol.iterator](): IterableIterator<I | null>;
}

/** What an SXURL is made of: a URL taken apart, its host split at its public suffix. */
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
  /** What an index stores. */
  readonly normalText: string;
  encode(): Sxurl;
  toString(): string;
}

/** Returns the number that a slice is compared with. Host parts are mapped first, as a URL's host is. */
export function probe(name: Slice, value: string): bigint;
/** Returns the digits of the hash of a value that is taken as it stands. */
export function sliceHash(name: Slice, value: string): string;
/** Returns the first digit of a field, and the digit after its last. */
export function fieldDigits(name: Field): [start: number, end: number];
/** Returns the 48 ranges of ids that have a public suffix, or one and a domain: the first and the last id of each. */
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
  /** Makes the url-hashes of texts, each of which is one URL whatever it holds: a line end too. */
  static encodeAll(urls: Iterable<UrlText | Url | null | undefined>): Batch<UrlHash>;
  /** Makes the url-hashes of lines, of a text or of UTF-8, such as a file. */
  static encodeLines(lines: string | Uint8Array): Batch<UrlHash>;
  /** Reads decimal words joined by `-`. */
  static parse(text: string): UrlHash;
  static fromHex(digits: string): UrlHash;
  static fromBytes(bytes: Uint8Array): UrlHash;
  /** Makes the value of its words: four, two or one of 64 bits. */
  static fromWords(words: bigint[]): UrlHash;
  short(): UrlShortHash;
  veryShort(): UrlVeryShortHash;
  /** Returns whether the first words are those of a short or a very short hash. */
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
  /** What a relative URI is relative to. */
  base?: string;
  /** The hash algorithm, `sha1` if it is not given. */
  algorithm?: string;
  /** The rules that make the URI canonical, `n` if they are not given. */
  variant?: Variant;
  keepQuery?: boolean;
  keepFragment?: boolean;
  /** The key of `x-hmac-sha256`, 32 bytes or more. */
  key?: Uint8Array;
}

/** The Hashed URI: a digest by which a URI is recognised without being revealed. */
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

/** A URL reference (Theory of URLs): the text as written, read as a sequence of tokens. */
export class Reference {
  constructor(text: UrlText, context?: Context);
  /** Returns the reference whose tokens these are. */
  static fromTokens(tokens: readonly Token[], context?: Context): Reference;
  readonly text: string;
  readonly context: Context;
  readonly tokens: readonly Token[];
  /** Whether the tokens keep the constraints of the specification. */
  readonly isValid: boolean;
  /** Whether the path has no structure, as that of `mailto:` has none. */
  readonly isOpaque: boolean;
  /** The kind of the first token; `fragment` if there is none. */
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
  /** Returns the tokens of a kind below the given one, and the directories if it is `directory`. */
  upto(kind: TokenKind): Reference;
  /** Returns where a reference leads from here. A text is read in the context of this reference. */
  goto(reference: Reference | UrlText): Reference;
  /** Returns where a reference leads from here, a scheme that both have being ignored. */
  gotoNonstrict(reference: Reference | UrlText): Reference;
  equals(other: unknown): boolean;
  toString(): string;
  toJSON(): string;
}

/** Checks tokens against the constraints of the specification; throws ERR_NO_URL for the first one broken. */
export function checkTokens(tokens: readonly Token[]): void;
/** Returns the text of where a reference leads from a base, both read as the URL Standard reads them. */
export function goto(base: UrlText, reference: UrlText, options?: { nonstrict?: boolean }): string;

/** A URL in the normal form of the URL Standard. */
export class Url {
  constructor(text: UrlText, base?: UrlText);
  /** Returns a URL, or null where the constructor throws a `UrlidError`. */
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

/** Which suffixes count: all, or those of registries alone. */
export interface SuffixOptions {
  /** `all` if it is not given: `github.io` is a public suffix. By `icann` it is a registered domain. */
  sections?: "all" | "icann";
}

/** Returns the host of a URL as browsers write it, or null if the URL has none. */
export function host(url: UrlText): string | null;
/**
 * Returns the public suffix of a host with the label before it, or null: an IP address has none, nor has a host that is a public suffix
 * itself. The text is a URL, a host with or without a port or a path, or an e-mail address. One that could be read as different hosts
 * throws.
 */
export function registeredDomain(text: UrlText, options?: SuffixOptions): string | null;

/** A host split at its public suffix; null is what it lacks, as an IP address does all parts. */
export interface HostSplit {
  /** What is left of the registered domain. */
  sub: string | null;
  /** The label left of the public suffix. */
  domain: string | null;
  /** The public suffix. */
  tld: string | null;
  /** Domain and suffix. */
  registeredDomain: string | null;
  hostKind: "domain" | "ipv4" | "ipv6" | "opaque" | null;
}

/** Splits the host of a text, read as by `registeredDomain`, at its public suffix, as `urlid parts --of host` does. */
export function split(text: UrlText, options?: SuffixOptions): HostSplit;

/** An error as data. */
export interface Rejection {
  error: string;
  message: string;
}

/** A fact about a text, or why there is none. */
export type Fact = string | Rejection;

/** A part of a text and what became of it. */
export interface Part {
  name: Field | "user";
  /** The value that was hashed, or read. */
  value: string | null;
  /** Where it is in the text. */
  start?: number;
  end?: number;
  /** Its digits in the identifier, and where they are. */
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

/** Returns what a text is, and its parts with their digits. Offsets are those of the string. */
export function explain(text: UrlText): Explanation;
/** Returns which tokens of a base and a reference are part of the target of goto. */
export function explainGoto(
  base: UrlText,
  reference: UrlText,
  options?: { nonstrict?: boolean },
): { base: Fate[]; reference: Fate[]; target: Fact };
/** Returns the formats that a text can have, the most specific first. */
export function detect(text: UrlText): string[];
/** What an identifier depends on besides its specification. Without a line, that of this package. */
export function snapshot(line?: string): { line: string; entries: Record<string, string> };
