//! The kinds of errors when lists are made, read, merged and matched.
//!
//! Errors with the code `ERR_LIST_LINE` concern a single line. After any other error the list cannot be used.

use urlid::hashed_uri::KeyId;
use urlid::{Error, ErrorCode, ErrorKind};

/// A value that a setting cannot have.
pub(super) const SETTING: ErrorKind =
    ErrorKind::new(ErrorCode::Argument, "found {found}, expected {expected}");

// The header of a list, which must also agree with the entries.
pub(super) const SHAPE: ErrorKind =
    header("list header has a malformed line {place}: found {found}, expected `# key: value`");
pub(super) const VERSION: ErrorKind = header("list has format version {found}, expected 1");
pub(super) const UNKNOWN_KEY: ErrorKind =
    header("list header has an unknown key in line {place}: found {found}");
pub(super) const REPEATED: ErrorKind =
    header("list header repeats `{subject}` in line {place}: expected it once");
pub(super) const MISSING: ErrorKind = header("list header lacks `{subject}`");
pub(super) const VALUE: ErrorKind =
    header("list header has an invalid `{subject}`: found {found}, expected {expected}");
/// A key that contradicts the other keys. What was found is the reason.
pub(super) const UNEXPECTED: ErrorKind = header("list header has `{subject}`, and {found}");
pub(super) const MIXED_ALGORITHMS: ErrorKind = header(
    "list header has keyed and unkeyed algorithms: expected one kind, because unkeyed digests reveal the keyed entries",
);
pub(super) const HEADER_INTAKE: ErrorKind =
    header("list header has the intake `web` with variant `none`, expected `rfc3986`");
/// Rejected entries are counted.
pub(super) const COUNT: ErrorKind =
    header("length of the list does not match its header: found {found} entries, expected {expected}");
pub(super) const DIGEST: ErrorKind =
    header("entries of the list do not match its header: found digest {found}, expected {expected}");
pub(super) const ALGORITHM: ErrorKind =
    header("list has an entry in line {place} by an algorithm that its header does not name: found {found}");
pub(super) const KEEP: ErrorKind =
    header("list has an entry in line {place} with flags that its header does not name: found {found}");

pub(super) const TOO_LONG: ErrorKind =
    header("list has more than 2^30 entries: expected fewer, or several lists");
pub(super) const MEMORY: ErrorKind = ErrorKind::new(ErrorCode::Io, "list does not fit in memory");

pub(super) const LATE_HEADER: ErrorKind = ErrorKind::new(
    ErrorCode::ListLine,
    "header line comes after the first entry: expected it before all entries",
);

/// A line of a list of domains. The subject is the reason.
pub(super) const NOT_DOMAIN: ErrorKind =
    ErrorKind::new(ErrorCode::UrlParse, "line is not a domain: found {found}, {subject}");

// A list and a key.
pub(super) const KEY_MISSING: ErrorKind = key("list is keyed: expected its key");
pub(super) const KEY_NOT_NEEDED: ErrorKind =
    key("list is not keyed: found a key, but its algorithms are unkeyed");
pub(super) const KEYED_AND_UNKEYED: ErrorKind = key(
    "list has keyed and unkeyed algorithms: expected one kind, because unkeyed digests reveal the keyed entries",
);
const OTHER_KEY: ErrorKind = key("key does not match the list: found {found}, expected {expected}");

// Making and merging.
pub(super) const NO_ALGORITHM: ErrorKind =
    ErrorKind::new(ErrorCode::Algorithm, "hash algorithm of the list is missing: expected one or more");
/// The variant `none` hashes URIs as written.
pub(super) const INTAKE: ErrorKind =
    header("list has the intake `web` with variant `none`, expected `rfc3986`");
pub(super) const NO_LIST: ErrorKind = header("lists to merge are missing: expected one or more");
/// An entry of one list has a different meaning in the other.
pub(super) const DIFFER: ErrorKind =
    header("lists have different `{subject}`: found {found}, expected {expected}");

// Binary files. Each kind of file has a separate code.
pub(super) const NOT_A_FILE: ErrorKind = header("{subject} does not start with `urlidbin`");
pub(super) const FILE_KIND: ErrorKind =
    header("file has the wrong kind of data: found {found}, expected {subject}");
pub(super) const FILE_VERSION: ErrorKind = header("{subject} has format version {found}, expected 1");
pub(super) const DAMAGED: ErrorKind =
    header("{subject} is damaged: it is cut short, is inconsistent, or does not end with its SHA-256");

// Compiled lists.
pub(super) const TEXT: ErrorKind = header("compiled list has a malformed header or unknown entries");
pub(super) const TABLE: ErrorKind =
    header("compiled list has a group table that does not fit its header or its digests");
pub(super) const ORDER: ErrorKind =
    header("compiled list has digests that are missing, repeated or not ascending");

// Lists that keep a part of their digests.
pub(super) const CUT: ErrorKind = kind(
    "list cannot be written as text because it keeps only a part of its digests: found {found}, expected whole digests",
);
pub(super) const NOT_WHOLE: ErrorKind =
    kind("list keeps only a part of its digests: found {found}, expected whole digests");
pub(super) const CUT_SHORTER: ErrorKind =
    kind("list keeps too few bits of its digests: found {found}, expected {expected} or more");

// Deltas.
pub(super) const DELTA_BASE: ErrorKind =
    delta("delta does not apply to this list: it was made for a different list");
pub(super) const DELTA_GAP: ErrorKind =
    delta("delta {place} does not apply to the result of the previous delta");
pub(super) const DELTA_RESULT: ErrorKind = delta("delta does not produce the list that it announces");

// Shards.
pub(super) const SHARD_UNKNOWN: ErrorKind =
    kind("list has entries with unknown algorithms, which shards cannot hold");
pub(super) const ROUTES_NEEDED: ErrorKind =
    shard("entries cover more than their own URL: expected the routes of the entries");
pub(super) const ROUTE_MISSING: ErrorKind =
    shard("routes lack an entry of the list: expected the routes that were made with this list");
pub(super) const ROUTE_LINE: ErrorKind = shard(
    "line {place} of the routes is malformed: found {found}, expected a hashed URI, a space, and 8 digits or `index`",
);
pub(super) const ROUTES_VERSION: ErrorKind =
    shard("first line of the routes is unknown: found {found}, expected `# urlid-list-routes: 1`");
pub(super) const ROUTES_SNAPSHOT: ErrorKind = shard(
    "second line of the routes is malformed: found {found}, expected `# snapshot: ` and a snapshot or `none`",
);
pub(super) const SHARD_SIZE: ErrorKind =
    shard("shards would be too large: found {found} bytes, expected at most 64 MiB; use more bits");
pub(super) const INDEX_SIZE: ErrorKind = shard(
    "index of shards would be too large: found {found} bytes, expected at most 64 MiB; it holds the entries above public suffixes",
);
pub(super) const SHARD_WRONG: ErrorKind =
    shard("shard {found} does not belong to the index: it is damaged, or from a different edition");
pub(super) const SHARD_MISSING: ErrorKind =
    shard("shard {found} is needed: expected it among the given shards");

// Trust.
pub(super) const PUBLIC_KEY: ErrorKind =
    ErrorKind::new(ErrorCode::Key, "public key is malformed: expected a public key written by minisign");
pub(super) const SIGNATURE: ErrorKind =
    trust("list is not signed: its signature is missing, malformed or wrong");
pub(super) const OTHER_SIGNER: ErrorKind =
    trust("list is signed by a different key: expected the trusted key");
const UNTRUSTED: ErrorKind = trust("list lacks `{subject}`, which a trusted list needs");
pub(super) const EXPIRED: ErrorKind = trust("list has expired: it was valid until {found}");
pub(super) const ROLLED_BACK: ErrorKind =
    trust("list is older than one that was seen before: found sequence {found}, expected {expected}");
pub(super) const TWO_OF_ONE: ErrorKind =
    trust("list differs from an earlier list with the same sequence: found {found}");
pub(super) const SEEN: ErrorKind = trust("record of the latest list seen is damaged");
pub(super) const OTHER_SEEN: ErrorKind = trust("record of the latest list seen belongs to a different key");
pub(super) const TEXT_FORM: ErrorKind = header("list is not UTF-8");

/// The public suffix list at hand is not the one that entries were routed by, so the shards of their
/// candidates are not known.
pub(super) const OTHER_SUFFIX_LIST: ErrorKind = ErrorKind::new(
    ErrorCode::Snapshot,
    "routes were made with a different public suffix list: found {found}, expected {expected}",
);

const fn header(message: &'static str) -> ErrorKind {
    ErrorKind::new(ErrorCode::ListHeader, message)
}

const fn delta(message: &'static str) -> ErrorKind {
    ErrorKind::new(ErrorCode::ListDelta, message)
}

const fn shard(message: &'static str) -> ErrorKind {
    ErrorKind::new(ErrorCode::ListShard, message)
}

const fn trust(message: &'static str) -> ErrorKind {
    ErrorKind::new(ErrorCode::ListTrust, message)
}

pub(super) fn untrusted(key: &'static str) -> Error {
    UNTRUSTED.error().with_subject(key)
}

const fn kind(message: &'static str) -> ErrorKind {
    ErrorKind::new(ErrorCode::ListKind, message)
}

const fn key(message: &'static str) -> ErrorKind {
    ErrorKind::new(ErrorCode::Key, message)
}

pub(super) fn missing(key: &'static str) -> Error {
    MISSING.error().with_subject(key)
}

pub(super) fn setting(found: &str, expected: &'static str) -> Error {
    SETTING.found(found).with_expected(expected)
}

pub(super) fn count(found: u64, stated: u64) -> Error {
    COUNT.error().with_shown(found).with_expected(stated.to_string())
}

pub(super) fn check_key(list: Option<KeyId>, given: Option<KeyId>) -> Result<(), Error> {
    match (list, given) {
        (None, None) => Ok(()),
        (None, Some(_)) => Err(KEY_NOT_NEEDED.error()),
        (Some(_), None) => Err(KEY_MISSING.error()),
        (Some(list), Some(given)) if list != given => {
            Err(OTHER_KEY.error().with_shown(given).with_expected(list.to_string()))
        }
        (Some(_), Some(_)) => Ok(()),
    }
}
