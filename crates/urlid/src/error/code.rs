//! The stable codes of all errors, and the trait that returns an error's code.
//!
//! A code never changes, but the wording of a message may. Codes use the names from the specifications where
//! those give names.

use core::fmt;

/// The stable code of an error.
///
/// Displays as its text. Codes are ordered by their text.
///
/// ```
/// use urlid::{Coded, ErrorCode, Sxurl};
///
/// let error = Sxurl::encode("http://1.2.3.4/").unwrap_err();
/// assert_eq!(error.code(), ErrorCode::HostNotDns);
/// assert_eq!(error.code().as_str(), "ERR_HOST_NOT_DNS");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum ErrorCode {
    /// `ERR_ALGORITHM`: a hash algorithm is neither registered nor for private use, or cannot be computed.
    Algorithm,
    /// `ERR_ARCHIVE`: a record of a web archive, a line of its index, a sitemap or a list of bookmarks is
    /// malformed.
    Archive,
    /// `ERR_ARGUMENT`: an argument of an SQL function is wrong for every row.
    Argument,
    /// `ERR_CANON`: a canonical form is not defined for the text.
    Canon,
    /// `ERR_CANON_MIXED`: URLs of different canonical forms would be mixed.
    CanonMixed,
    /// `ERR_CANON_NAME`: the name of a canonical form is unknown.
    CanonName,
    /// `ERR_COLUMN`: a Parquet or CSV file has no text column of this name.
    Column,
    /// `ERR_COMPRESSED`: compressed input is damaged, cut short, or would need too much memory.
    Compressed,
    /// `ERR_DIGEST_LENGTH`: the digest of a hashed URI does not have the length of its algorithm.
    DigestLength,
    /// `ERR_FILE_KIND`: files of this kind cannot be read.
    FileKind,
    /// `ERR_HASHED_SCHEME`: a hashed URI does not start with `hashed:`.
    HashedScheme,
    /// `ERR_HASHED_SYNTAX`: a hashed URI does not follow its grammar.
    HashedSyntax,
    /// `ERR_HOST_LEN`: the host or one of its labels is empty or too long.
    HostLen,
    /// `ERR_HOST_NOT_DNS`: the host is not a DNS name, because it is missing, is an IP address, or breaks the
    /// rules for names.
    HostNotDns,
    /// `ERR_ID_HEX`: an identifier has a character that is not allowed in it.
    IdHex,
    /// `ERR_ID_LENGTH`: an identifier has the wrong number of digits, words or bytes.
    IdLength,
    /// `ERR_ID_RESERVED`: an SXURL identifier has a reserved bit set.
    IdReserved,
    /// `ERR_ID_VERSION`: the version of an SXURL identifier is unknown.
    IdVersion,
    /// `ERR_INDEX_DAMAGED`: an index holds data that no version of urlid wrote.
    IndexDamaged,
    /// `ERR_INDEX_FORMAT`: a file is not an index of the format that this version of urlid reads.
    IndexFormat,
    /// `ERR_INVALID_SCHEME`: the scheme has no SXURL because it is not `https`, `http` or `ftp`.
    InvalidScheme,
    /// `ERR_IN_USE`: another process is using the index or the seen-set.
    InUse,
    /// `ERR_IO`: the operating system reported an error while reading or writing.
    Io,
    /// `ERR_KEY`: a key is missing, too short, not needed or wrong.
    Key,
    /// `ERR_LINE_LEN`: a line or a text is too long.
    LineLen,
    /// `ERR_LIST_DELTA`: a delta of a hidden list is damaged, or does not apply to this list.
    ListDelta,
    /// `ERR_LIST_HEADER`: the header of a hidden list is not valid or contradicts the rest of the list.
    ListHeader,
    /// `ERR_LIST_KIND`: a hidden list keeps too few bits of its digests for the request.
    ListKind,
    /// `ERR_LIST_LINE`: a line of a hidden list, of a public suffix list, of a list of tracking parameters or
    /// of a file of rules is not valid.
    ListLine,
    /// `ERR_LIST_SHARD`: a shard of a hidden list, or the index of its shards, is missing, damaged or from a
    /// different list.
    ListShard,
    /// `ERR_LIST_TRUST`: a hidden list is not signed by the trusted key, has expired, or is older than one
    /// that was seen before.
    ListTrust,
    /// `ERR_NOT_URI`: the generic syntax of URIs does not allow a character or the shape of the text.
    NotUri,
    /// `ERR_NO_URL`: the tokens are not a URL of the Theory of URLs, or goto has no result.
    NoUrl,
    /// `ERR_PORT`: the port is not a number from 1 to 65535, or the port fields of an identifier contradict
    /// each other.
    Port,
    /// `ERR_RELATIVE`: the reference is relative and there is no base to resolve it against.
    Relative,
    /// `ERR_SNAPSHOT`: identifiers of different snapshots (suffix list or Unicode data) would be mixed.
    Snapshot,
    /// `ERR_TABLE`: a Parquet or CSV file is malformed, cut short, or declares more data than it holds.
    Table,
    /// `ERR_URL_PARSE`: the text is not a URL by the URL Standard, or it is relative and there is no base.
    UrlParse,
    /// `ERR_UTF8`: a line is not UTF-8.
    Utf8,
}

impl ErrorCode {
    /// All codes, in the order of their texts.
    pub const ALL: [Self; 39] = [
        Self::Algorithm,
        Self::Archive,
        Self::Argument,
        Self::Canon,
        Self::CanonMixed,
        Self::CanonName,
        Self::Column,
        Self::Compressed,
        Self::DigestLength,
        Self::FileKind,
        Self::HashedScheme,
        Self::HashedSyntax,
        Self::HostLen,
        Self::HostNotDns,
        Self::IdHex,
        Self::IdLength,
        Self::IdReserved,
        Self::IdVersion,
        Self::IndexDamaged,
        Self::IndexFormat,
        Self::InvalidScheme,
        // The order is by text: `ERR_INV…` sorts before `ERR_IN_…`, since capital letters come before `_`.
        Self::InUse,
        Self::Io,
        Self::Key,
        Self::LineLen,
        Self::ListDelta,
        Self::ListHeader,
        Self::ListKind,
        Self::ListLine,
        Self::ListShard,
        Self::ListTrust,
        Self::NotUri,
        Self::NoUrl,
        Self::Port,
        Self::Relative,
        Self::Snapshot,
        Self::Table,
        Self::UrlParse,
        Self::Utf8,
    ];

    /// Returns the text of the code, which never changes.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Algorithm => "ERR_ALGORITHM",
            Self::Archive => "ERR_ARCHIVE",
            Self::Argument => "ERR_ARGUMENT",
            Self::Canon => "ERR_CANON",
            Self::CanonMixed => "ERR_CANON_MIXED",
            Self::CanonName => "ERR_CANON_NAME",
            Self::Column => "ERR_COLUMN",
            Self::Compressed => "ERR_COMPRESSED",
            Self::DigestLength => "ERR_DIGEST_LENGTH",
            Self::FileKind => "ERR_FILE_KIND",
            Self::HashedScheme => "ERR_HASHED_SCHEME",
            Self::HashedSyntax => "ERR_HASHED_SYNTAX",
            Self::HostLen => "ERR_HOST_LEN",
            Self::HostNotDns => "ERR_HOST_NOT_DNS",
            Self::IdHex => "ERR_ID_HEX",
            Self::IdLength => "ERR_ID_LENGTH",
            Self::IdReserved => "ERR_ID_RESERVED",
            Self::IdVersion => "ERR_ID_VERSION",
            Self::IndexDamaged => "ERR_INDEX_DAMAGED",
            Self::IndexFormat => "ERR_INDEX_FORMAT",
            Self::InvalidScheme => "ERR_INVALID_SCHEME",
            Self::InUse => "ERR_IN_USE",
            Self::Io => "ERR_IO",
            Self::Key => "ERR_KEY",
            Self::LineLen => "ERR_LINE_LEN",
            Self::ListDelta => "ERR_LIST_DELTA",
            Self::ListHeader => "ERR_LIST_HEADER",
            Self::ListKind => "ERR_LIST_KIND",
            Self::ListLine => "ERR_LIST_LINE",
            Self::ListShard => "ERR_LIST_SHARD",
            Self::ListTrust => "ERR_LIST_TRUST",
            Self::NotUri => "ERR_NOT_URI",
            Self::NoUrl => "ERR_NO_URL",
            Self::Port => "ERR_PORT",
            Self::Relative => "ERR_RELATIVE",
            Self::Snapshot => "ERR_SNAPSHOT",
            Self::Table => "ERR_TABLE",
            Self::UrlParse => "ERR_URL_PARSE",
            Self::Utf8 => "ERR_UTF8",
        }
    }

    /// Returns a sentence that explains the code.
    pub const fn meaning(self) -> &'static str {
        match self {
            Self::Algorithm => {
                "A hash algorithm is neither registered nor for private use, or cannot be computed."
            }
            Self::Archive => {
                "A record of a web archive, a line of its index, a sitemap or a list of bookmarks is malformed."
            }
            Self::Argument => "An argument of an SQL function is wrong for every row.",
            Self::Canon => "A canonical form is not defined for the text.",
            Self::CanonMixed => "URLs of different canonical forms would be mixed.",
            Self::CanonName => "The name of a canonical form is unknown.",
            Self::Column => "A Parquet or CSV file has no text column of this name.",
            Self::Compressed => "Compressed input is damaged, cut short, or would need too much memory.",
            Self::DigestLength => "The digest of a hashed URI does not have the length of its algorithm.",
            Self::FileKind => "Files of this kind cannot be read.",
            Self::HashedScheme => "A hashed URI does not start with `hashed:`.",
            Self::HashedSyntax => "A hashed URI does not follow its grammar.",
            Self::HostLen => "The host or one of its labels is empty or too long.",
            Self::HostNotDns => {
                "The host is not a DNS name, because it is missing, is an IP address, or breaks the rules for names."
            }
            Self::IdHex => "An identifier has a character that is not allowed in it.",
            Self::IdLength => "An identifier has the wrong number of digits, words or bytes.",
            Self::IdReserved => "An SXURL identifier has a reserved bit set.",
            Self::IdVersion => "The version of an SXURL identifier is unknown.",
            Self::IndexDamaged => "An index holds data that no version of urlid wrote.",
            Self::IndexFormat => "A file is not an index of the format that this version of urlid reads.",
            Self::InvalidScheme => "The scheme has no SXURL because it is not `https`, `http` or `ftp`.",
            Self::InUse => "Another process is using the index or the seen-set.",
            Self::Io => "The operating system reported an error while reading or writing.",
            Self::Key => "A key is missing, too short, not needed or wrong.",
            Self::LineLen => "A line or a text is too long.",
            Self::ListDelta => "A delta of a hidden list is damaged, or does not apply to this list.",
            Self::ListHeader => {
                "The header of a hidden list is not valid or contradicts the rest of the list."
            }
            Self::ListKind => "A hidden list keeps too few bits of its digests for the request.",
            Self::ListLine => {
                "A line of a hidden list, of a public suffix list, of a list of tracking parameters or of a file of rules is not valid."
            }
            Self::ListShard => {
                "A shard of a hidden list, or the index of its shards, is missing, damaged or from a different list."
            }
            Self::ListTrust => {
                "A hidden list is not signed by the trusted key, has expired, or is older than one that was seen before."
            }
            Self::NotUri => "The generic syntax of URIs does not allow a character or the shape of the text.",
            Self::NoUrl => "The tokens are not a URL of the Theory of URLs, or goto has no result.",
            Self::Port => {
                "The port is not a number from 1 to 65535, or the port fields of an identifier contradict each other."
            }
            Self::Relative => "The reference is relative and there is no base to resolve it against.",
            Self::Snapshot => {
                "Identifiers of different snapshots (suffix list or Unicode data) would be mixed."
            }
            Self::Table => {
                "A Parquet or CSV file is malformed, cut short, or declares more data than it holds."
            }
            Self::UrlParse => {
                "The text is not a URL by the URL Standard, or it is relative and there is no base."
            }
            Self::Utf8 => "A line is not UTF-8.",
        }
    }
}

impl fmt::Display for ErrorCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// An error with a stable code.
///
/// The message of an error never repeats the message of its [`source`](core::error::Error::source), so a
/// report can print the whole chain. An error that only wraps a different error shows the inner message and
/// has no source.
///
/// ```
/// use urlid::{Coded, ErrorCode, Url};
///
/// let error: Box<dyn Coded> = Box::new(Url::parse("http://[::").unwrap_err());
/// assert_eq!(error.code(), ErrorCode::UrlParse);
/// ```
pub trait Coded: core::error::Error {
    /// Returns the code, which no release changes.
    fn code(&self) -> ErrorCode;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_codes_are_listed_once_in_the_order_of_their_texts() {
        assert!(ErrorCode::ALL.is_sorted_by(|a, b| a < b && a.as_str() < b.as_str()));
    }
}
