/** Finds URLs in an index file that is open in any build of SQLite, with the same answers as `urlid index find`. */

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
 * Returns the rows of a statement of SQL, each as its columns. Texts are strings, and blobs are bytes. Statements are read one at
 * a time, and the reader may stop early.
 */
export type Query = (sql: string, values: (string | Uint8Array)[]) => Iterable<readonly [unknown, unknown]>;

/** The results for the rows that a search has read. */
export interface Found {
  /** Rows that answer the question. */
  rows: number;
  /** Rows whose identifier matches but whose URL does not, because slices collide. */
  dropped: number;
  /** Rows that a loader cannot have written. */
  damaged: number;
}

/** Returns the conditions of questions: the name, the name of a value, and the meaning. */
export function conditions(): { name: string; value: string; about: string }[];

/** Returns the names of the parts by which answers can be grouped. */
export function groupParts(): string[];

/** Returns the header of a new index file, and the statements that make the file. */
export function indexFormat(): { applicationId: number; version: number; statements: string[] };

/** Checks the rows `type`, `name` and `sql` of `sqlite_schema` of a file with a `user_version`. Throws ERR_INDEX_FORMAT. */
export function indexLayout(
  objects: Iterable<readonly [type: string, name: string, sql: string | null]>,
  version: number,
): Layout;

/** Describes in one line the rows that a search reads. */
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
