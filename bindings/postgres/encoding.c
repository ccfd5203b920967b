/*
 * Converts texts in pieces, between which the query can be cancelled. PostgreSQL's conversion of whole texts raises
 * an error for a character that the other encoding lacks, which would end a query because of one row.
 */
#include "postgres.h"

#include "catalog/namespace.h"
#include "lib/stringinfo.h"
#include "mb/pg_wchar.h"
#include "miscadmin.h"

#include "encoding.h"

/* The number of bytes that are converted at once. */
#define PIECE (1 << 20)

static bool is_ascii(urlid_bytes text) {
    unsigned char all = 0;

    for (size_t i = 0; i < text.length; i++) all |= text.data[i];
    return all < 0x80;
}

/*
 * Returns whether a piece of UTF-8 may start here. It may start at a character, but not at the second character of a
 * pair for which EUC_JIS_2004 has one code. These second characters are U+02E5, U+02E9, U+0300 and U+0301, whose
 * first bytes are CB and CC, and U+309A.
 */
static bool may_begin(const unsigned char *at) {
    return (*at & 0xC0) != 0x80 && *at != 0xCB && *at != 0xCC && !(at[0] == 0xE3 && at[1] == 0x82 && at[2] == 0x9A);
}

/*
 * Returns the length of the next piece. In encodings other than UTF-8 it may end within a character. The conversion
 * then stops before that character, and the next piece starts with it.
 */
static int piece(const unsigned char *data, size_t length, int encoding) {
    int end = PIECE;

    if (length <= PIECE) return (int)length;
    if (encoding == PG_UTF8)
        while (end > 0 && !may_begin(data + end)) end--;
    return end > 0 ? end : PIECE;
}

/* Converts a text. Returns false if the other encoding lacks a character, unless `replaces`, which writes `?` for it. */
static bool convert(urlid_bytes text, int from, int to, bool replaces, urlid_bytes *converted) {
    const unsigned char *next = text.data, *end = text.data + text.length;
    StringInfoData result;
    Oid procedure;

    *converted = text;
    /* Every server encoding contains ASCII. SQL_ASCII means that other bytes are not interpreted. */
    if (from == to || from == PG_SQL_ASCII || to == PG_SQL_ASCII || is_ascii(text)) return true;
    procedure = FindDefaultConversionProc(from, to);
    initStringInfo(&result);
    while (next < end) {
        int length = piece(next, end - next, from), done = 0;

        CHECK_FOR_INTERRUPTS();
        enlargeStringInfo(&result, MAX_CONVERSION_GROWTH * length + 1);
        if (OidIsValid(procedure)) {
            done = pg_do_encoding_conversion_buf(procedure, from, to, unconstify(unsigned char *, next), length,
                                                 (unsigned char *)result.data + result.len, result.maxlen - result.len, true);
            /* The function returns the number of bytes that it read. The bytes that it wrote end with a zero, which a
               text of PostgreSQL cannot contain. */
            result.len += strlen(result.data + result.len);
        }
        /* It stops before a character that it cannot convert, so the next call starts with that character and
           converts nothing. */
        if (done == 0) {
            if (!replaces) return false;
            appendStringInfoChar(&result, *next < 0x80 ? (char)*next : '?');
            done = Min(pg_encoding_mblen(from, (const char *)next), end - next);
        }
        next += done;
    }
    converted->data = (const uint8_t *)result.data;
    converted->length = result.len;
    return true;
}

bool text_to_utf8(urlid_bytes text, urlid_bytes *converted) {
    return convert(text, GetDatabaseEncoding(), PG_UTF8, false, converted);
}

bool text_from_utf8(urlid_bytes text, urlid_bytes *converted) {
    return memchr(text.data, 0, text.length) == NULL && convert(text, PG_UTF8, GetDatabaseEncoding(), false, converted);
}

urlid_bytes message_from_utf8(urlid_bytes message) {
    urlid_bytes converted;

    convert(message, PG_UTF8, GetDatabaseEncoding(), true, &converted);
    return converted;
}
