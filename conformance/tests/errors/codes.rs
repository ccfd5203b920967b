//! The codes and what each says, in the order of the page.

pub(crate) const HEAD: &str = "\
# Errors

Every error has a code, which never changes, and a message, which may: one lowercase line that says what was found, where,
and what was expected. The codes are the specifications' own where they have one. This page is checked against the messages
by `conformance/tests/errors`, which makes each error as it is described here.

What a message shows of the input is short and has its control characters escaped. `FILE` and `FOLDER` stand
for paths.
";

pub(crate) const CODES: [(&str, &str); 28] = [
    ("ERR_URL_PARSE", "The text is no URL by the URL standard, or is relative and has no base."),
    ("ERR_NO_URL", "The tokens are no URL of the Theory, or goto has no result."),
    ("ERR_RELATIVE", "A relative reference, and no base to resolve it against."),
    ("ERR_NOT_URI", "A character or a shape that the generic syntax does not allow."),
    ("ERR_INVALID_SCHEME", "SXURL knows `https`, `http` and `ftp` alone."),
    ("ERR_HOST_NOT_DNS", "The host is no DNS name: an address, or what no name can hold."),
    ("ERR_HOST_LEN", "The host or one of its labels is empty or too long."),
    ("ERR_PORT", "The port is no number from 1 to 65535, or an identifier contradicts itself about it."),
    ("ERR_ID_LENGTH", "An identifier has the wrong number of digits or words."),
    ("ERR_ID_HEX", "An identifier has a character that cannot be there."),
    ("ERR_ID_VERSION", "An SXURL identifier has a version that is not known."),
    ("ERR_ID_RESERVED", "An SXURL identifier has a reserved bit set."),
    ("ERR_HASHED_SCHEME", "A hashed URI does not begin with `hashed:`."),
    ("ERR_HASHED_SYNTAX", "A hashed URI breaks its grammar."),
    ("ERR_ALGORITHM", "A hash algorithm is neither registered nor for private use, or cannot be computed."),
    ("ERR_DIGEST_LENGTH", "The digest of a hashed URI is not as long as its algorithm's."),
    ("ERR_KEY", "A key is missing, too short, not needed, or another one."),
    (
        "ERR_LIST_HEADER",
        "A hidden list's header is not as it should be, or does not agree with what follows it.",
    ),
    ("ERR_LIST_LINE", "A line of a list, hidden or of public suffixes, is refused."),
    ("ERR_SNAPSHOT", "Identifiers that were made under different outside facts would be mixed."),
    ("ERR_UTF8", "A line is not UTF-8."),
    ("ERR_LINE_LEN", "A line or a text is too long."),
    ("ERR_COMPRESSED", "Compressed input is damaged, cut short, or would need too much memory."),
    ("ERR_TABLE", "A Parquet or CSV file is malformed, cut short, or claims what is not there."),
    ("ERR_COLUMN", "A Parquet or CSV file has no such column of texts."),
    ("ERR_INDEX_FORMAT", "A file is no index, or one of a later format."),
    ("ERR_INDEX_DAMAGED", "An index holds what no version of the program wrote."),
    ("ERR_IO", "The system refused to read or write."),
];
