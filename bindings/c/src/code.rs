//! The codes that functions return, as numbers.

use urlid::ErrorCode;

/**
 * The result of a function. A number never changes its meaning, but new numbers may be added.
 *
 * Positive codes are about the data or about an argument of an SQL function. They have a text, such as `ERR_PORT`, which is the same in
 * every language (`urlid_code_text`).
 */
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(non_camel_case_types, reason = "the names of the header")]
pub enum Code {
    /// A bug of urlid. The handle that was passed to the function can only be freed.
    URLID_PANIC = -2,
    /// A pointer is NULL although it must not be, or a number is not a value of its enum.
    URLID_MISUSE = -1,
    /// Done.
    URLID_OK = 0,
    /// A hash algorithm is neither registered nor for private use, or cannot be computed.
    URLID_ERR_ALGORITHM = 1,
    /// A record of a web archive, a line of its index, a sitemap or a list of bookmarks is malformed.
    URLID_ERR_ARCHIVE = 2,
    /// An argument of an SQL function is wrong for every row.
    URLID_ERR_ARGUMENT = 3,
    /// A canonical form is not defined for the text.
    URLID_ERR_CANON = 4,
    /// URLs of different canonical forms would be mixed.
    URLID_ERR_CANON_MIXED = 5,
    /// The name of a canonical form is unknown.
    URLID_ERR_CANON_NAME = 6,
    /// A Parquet or CSV file has no text column of this name.
    URLID_ERR_COLUMN = 7,
    /// Compressed input is damaged, cut short, or would need too much memory.
    URLID_ERR_COMPRESSED = 8,
    /// The digest of a hashed URI does not have the length of its algorithm.
    URLID_ERR_DIGEST_LENGTH = 9,
    /// A hashed URI does not start with `hashed:`.
    URLID_ERR_HASHED_SCHEME = 10,
    /// A hashed URI does not follow its grammar.
    URLID_ERR_HASHED_SYNTAX = 11,
    /// The host or one of its labels is empty or too long.
    URLID_ERR_HOST_LEN = 12,
    /// The host is not a DNS name, because it is missing, is an IP address, or breaks the rules for names.
    URLID_ERR_HOST_NOT_DNS = 13,
    /// An identifier has a character that is not allowed in it.
    URLID_ERR_ID_HEX = 14,
    /// An identifier has the wrong number of digits, words or bytes.
    URLID_ERR_ID_LENGTH = 15,
    /// An SXURL identifier has a reserved bit set.
    URLID_ERR_ID_RESERVED = 16,
    /// The version of an SXURL identifier is unknown.
    URLID_ERR_ID_VERSION = 17,
    /// An index holds data that no version of urlid wrote.
    URLID_ERR_INDEX_DAMAGED = 18,
    /// A file is not an index of the format that this version of urlid reads.
    URLID_ERR_INDEX_FORMAT = 19,
    /// The scheme has no SXURL because it is not `https`, `http` or `ftp`.
    URLID_ERR_INVALID_SCHEME = 20,
    /// The operating system reported an error while reading or writing.
    URLID_ERR_IO = 21,
    /// A key is missing, too short, not needed or wrong.
    URLID_ERR_KEY = 22,
    /// A line or a text is too long.
    URLID_ERR_LINE_LEN = 23,
    /// The header of a hidden list is not valid or contradicts the rest of the list.
    URLID_ERR_LIST_HEADER = 24,
    /// A line of a hidden list, of a public suffix list, of a list of tracking parameters or of a file of
    /// rules is not valid.
    URLID_ERR_LIST_LINE = 25,
    /// The generic syntax of URIs does not allow a character or the shape of the text.
    URLID_ERR_NOT_URI = 26,
    /// The tokens are not a URL of the Theory of URLs, or goto has no result.
    URLID_ERR_NO_URL = 27,
    /// The port is not a number from 1 to 65535, or the port fields of an identifier contradict each other.
    URLID_ERR_PORT = 28,
    /// The reference is relative and there is no base to resolve it against.
    URLID_ERR_RELATIVE = 29,
    /// Identifiers of different snapshots (suffix list or Unicode data) would be mixed.
    URLID_ERR_SNAPSHOT = 30,
    /// A Parquet or CSV file is malformed, cut short, or declares more data than it holds.
    URLID_ERR_TABLE = 31,
    /// The text is not a URL by the URL Standard, or it is relative and there is no base.
    URLID_ERR_URL_PARSE = 32,
    /// A line is not UTF-8.
    URLID_ERR_UTF8 = 33,
    /// Files of this kind cannot be read.
    URLID_ERR_FILE_KIND = 34,
    /// A delta of a hidden list is damaged, or does not apply to this list.
    URLID_ERR_LIST_DELTA = 35,
    /// A hidden list keeps too few bits of its digests for the request.
    URLID_ERR_LIST_KIND = 36,
    /// A shard of a hidden list, or the index of its shards, is missing, damaged or from a different list.
    URLID_ERR_LIST_SHARD = 37,
    /// A hidden list is not signed by the trusted key, has expired, or is older than one that was seen
    /// before.
    URLID_ERR_LIST_TRUST = 38,
    /// Another process is using the index or the seen-set.
    URLID_ERR_IN_USE = 39,
}

/// The number of each code of the library.
const NUMBERS: [(ErrorCode, Code); ErrorCode::ALL.len()] = [
    (ErrorCode::Algorithm, Code::URLID_ERR_ALGORITHM),
    (ErrorCode::Archive, Code::URLID_ERR_ARCHIVE),
    (ErrorCode::Argument, Code::URLID_ERR_ARGUMENT),
    (ErrorCode::Canon, Code::URLID_ERR_CANON),
    (ErrorCode::CanonMixed, Code::URLID_ERR_CANON_MIXED),
    (ErrorCode::CanonName, Code::URLID_ERR_CANON_NAME),
    (ErrorCode::Column, Code::URLID_ERR_COLUMN),
    (ErrorCode::Compressed, Code::URLID_ERR_COMPRESSED),
    (ErrorCode::DigestLength, Code::URLID_ERR_DIGEST_LENGTH),
    (ErrorCode::FileKind, Code::URLID_ERR_FILE_KIND),
    (ErrorCode::HashedScheme, Code::URLID_ERR_HASHED_SCHEME),
    (ErrorCode::HashedSyntax, Code::URLID_ERR_HASHED_SYNTAX),
    (ErrorCode::HostLen, Code::URLID_ERR_HOST_LEN),
    (ErrorCode::HostNotDns, Code::URLID_ERR_HOST_NOT_DNS),
    (ErrorCode::IdHex, Code::URLID_ERR_ID_HEX),
    (ErrorCode::IdLength, Code::URLID_ERR_ID_LENGTH),
    (ErrorCode::IdReserved, Code::URLID_ERR_ID_RESERVED),
    (ErrorCode::IdVersion, Code::URLID_ERR_ID_VERSION),
    (ErrorCode::IndexDamaged, Code::URLID_ERR_INDEX_DAMAGED),
    (ErrorCode::IndexFormat, Code::URLID_ERR_INDEX_FORMAT),
    (ErrorCode::InvalidScheme, Code::URLID_ERR_INVALID_SCHEME),
    (ErrorCode::InUse, Code::URLID_ERR_IN_USE),
    (ErrorCode::Io, Code::URLID_ERR_IO),
    (ErrorCode::Key, Code::URLID_ERR_KEY),
    (ErrorCode::LineLen, Code::URLID_ERR_LINE_LEN),
    (ErrorCode::ListDelta, Code::URLID_ERR_LIST_DELTA),
    (ErrorCode::ListHeader, Code::URLID_ERR_LIST_HEADER),
    (ErrorCode::ListKind, Code::URLID_ERR_LIST_KIND),
    (ErrorCode::ListLine, Code::URLID_ERR_LIST_LINE),
    (ErrorCode::ListShard, Code::URLID_ERR_LIST_SHARD),
    (ErrorCode::ListTrust, Code::URLID_ERR_LIST_TRUST),
    (ErrorCode::NotUri, Code::URLID_ERR_NOT_URI),
    (ErrorCode::NoUrl, Code::URLID_ERR_NO_URL),
    (ErrorCode::Port, Code::URLID_ERR_PORT),
    (ErrorCode::Relative, Code::URLID_ERR_RELATIVE),
    (ErrorCode::Snapshot, Code::URLID_ERR_SNAPSHOT),
    (ErrorCode::Table, Code::URLID_ERR_TABLE),
    (ErrorCode::UrlParse, Code::URLID_ERR_URL_PARSE),
    (ErrorCode::Utf8, Code::URLID_ERR_UTF8),
];

impl From<ErrorCode> for Code {
    fn from(code: ErrorCode) -> Self {
        let number = NUMBERS.iter().find(|(of, _)| *of == code);
        number.expect("a test compares the table with all codes").1
    }
}

/// Returns the text of a code by its number, if it has one.
pub(crate) fn text(number: i32) -> Option<&'static str> {
    NUMBERS.iter().find(|(_, code)| *code as i32 == number).map(|(code, _)| code.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_has_its_number_and_its_name() {
        for code in ErrorCode::ALL {
            let (_, number) = NUMBERS.iter().find(|(of, _)| *of == code).expect("it is in the table");
            assert_eq!(format!("{number:?}"), format!("URLID_{code}"));
        }
    }
}
