// The statements of docs/index-format.md, section 2, which a file must have character for character.

export const TABLES = {
  url: "CREATE TABLE url(id BLOB, url TEXT, PRIMARY KEY(id, url)) WITHOUT ROWID, STRICT",
  meta: "CREATE TABLE meta(key TEXT, value ANY, PRIMARY KEY(key)) WITHOUT ROWID, STRICT",
};

/** A file of format 1 lacks it. */
export const OTHER = "CREATE TABLE other(host_key TEXT, url TEXT, PRIMARY KEY(host_key, url)) WITHOUT ROWID, STRICT";
