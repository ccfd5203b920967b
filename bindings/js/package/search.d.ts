/** Questions to an index file that is open in some build of SQLite, answered as `urlid index find` answers them. */

/** Conditions on the parts of a URL: all that are given must hold; `host` is not given together with `tld`, `domain` or `sub`. */
export interface Question {
  /** The scheme. */
  scheme?: string;
  /** The whole host, or an address; an empty text finds URLs without a host. */
  host?: string;
  /** A host and everything below it: github.io, en.wikipedia.org, ai. */
  under?: string;
  /** The domain with its public suffix: google.com; an empty text finds hosts without one. */
  registeredDomain?: string;
  /** The public suffix: com, co.uk. */
  tld?: string;
  /** The label left of the public suffix: google. */
  domain?: string;
  /** The labels left of the domain: www; an empty text finds hosts without any. */
  sub?: string;
  /** The port, if one is written in the URL. */
  port?: number | string;
  /** The path as written, with its leading slash; without it only for a scheme like mailto or an empty host. */
  path?: string;
  /** A prefix of the path as written, with its leading slash. */
  pathPrefix?: string;
  /** The query as written, without its question mark; an empty text finds URLs without a query. */
  query?: string;
  /** The fragment as written, without its number sign; an empty text finds URLs without a fragment. */
  fragment?: string;
  /** Parts that are present: sub, query, fragment, port; a comma-separated list. */
  has?: string;
  /** Parts that are absent: sub, query, fragment, port; a comma-separated list. */
  lacks?: string;
}

/** The properties of an index file that affect a search. */
export interface Layout {
  /** The optional indexes of the file. */
  indexes: ("path" | "query" | "fragment" | "sub")[];
}

/**
 * Returns the rows of a statement of SQL, each with its columns; texts are strings, blobs are bytes. Statements are read one at a
 * time, and may have to be read in part only.
 */
export type Query = (sql: string, values: (string | Uint8Array)[]) => Iterable<readonly [unknown, unknown]>;

/** What became of the rows that a search has read. */
export interface Found {
  /** Rows that answer. */
  rows: number;
  /** Rows whose identifier fits and whose URL does not: collisions of slices. */
  dropped: number;
  /** Rows that no loader wrote. */
  damaged: number;
}

/** Returns the conditions of questions: name, what a value is called, and what it means. */
export function conditions(): { name: string; value: string; about: string }[];

/** Returns the names of the parts by which answers can be grouped. */
export function groupParts(): string[];

/** Returns what a new index file has in its header, and the statements that make it. */
export function indexFormat(): { applicationId: number; version: number; statements: string[] };

/** Checks the rows `type`, `name` and `sql` of `sqlite_schema` of a file with a `user_version`. Throws ERR_INDEX_FORMAT. */
export function indexLayout(
  objects: Iterable<readonly [type: string, name: string, sql: string | null]>,
  version: number,
): Layout;

/** Says in one line what a search reads. */
export function plan(question: Question, layout: Layout): string;

/**
 * Calls `found` with the URL of each answer and its group, until it returns false. Hosts are split by the suffix list of this
 * package. The callbacks must not use `urlid/forms` or `urlid/search`.
 */
export function search(
  query: Query,
  question: Question,
  layout: Layout,
  found: (url: string, group?: string) => boolean | void,
  options?: { by?: string },
): Found;
