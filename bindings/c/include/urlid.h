/*
 * urlid for C: identifiers of many URLs at once, and the SQL functions, one row at a time.
 *
 * Texts are UTF-8 with a length. They need not end in a zero byte, and texts from this library may lack one. A text that is not UTF-8
 * is neither a URL nor a name.
 *
 * Every function that can fail returns a urlid_code. If the code is URLID_OK, the output that it writes through pointers is complete.
 * Otherwise the output is unchanged. Functions never unwind into the caller, and only end the process if memory runs out.
 *
 * Threads: a urlid_encoder and a urlid_call may be created, used and freed by different threads, but by one at a time. Every other
 * function may be called by any thread at any time.
 */

#ifndef URLID_H
#define URLID_H

#include <stddef.h>
#include <stdint.h>

// The maximum number of arguments of a function.
#define URLID_MOST_ARGUMENTS 3

// * The result of a function. A number never changes its meaning, but new numbers may be added.
// *
// * Positive codes are about the data or about an argument of an SQL function. They have a text, such as `ERR_PORT`, which is the same in
// * every language (`urlid_code_text`).
enum urlid_code
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // A bug of urlid. The handle that was passed to the function can only be freed.
    URLID_PANIC = -2,
    // A pointer is NULL although it must not be, or a number is not a value of its enum.
    URLID_MISUSE = -1,
    // Done.
    URLID_OK = 0,
    // A hash algorithm is neither registered nor for private use, or cannot be computed.
    URLID_ERR_ALGORITHM = 1,
    // A record of a web archive, a line of its index, a sitemap or a list of bookmarks is malformed.
    URLID_ERR_ARCHIVE = 2,
    // An argument of an SQL function is wrong for every row.
    URLID_ERR_ARGUMENT = 3,
    // A canonical form is not defined for the text.
    URLID_ERR_CANON = 4,
    // URLs of different canonical forms would be mixed.
    URLID_ERR_CANON_MIXED = 5,
    // The name of a canonical form is unknown.
    URLID_ERR_CANON_NAME = 6,
    // A Parquet or CSV file has no text column of this name.
    URLID_ERR_COLUMN = 7,
    // Compressed input is damaged, cut short, or would need too much memory.
    URLID_ERR_COMPRESSED = 8,
    // The digest of a hashed URI does not have the length of its algorithm.
    URLID_ERR_DIGEST_LENGTH = 9,
    // A hashed URI does not start with `hashed:`.
    URLID_ERR_HASHED_SCHEME = 10,
    // A hashed URI does not follow its grammar.
    URLID_ERR_HASHED_SYNTAX = 11,
    // The host or one of its labels is empty or too long.
    URLID_ERR_HOST_LEN = 12,
    // The host is not a DNS name, because it is missing, is an IP address, or breaks the rules for names.
    URLID_ERR_HOST_NOT_DNS = 13,
    // An identifier has a character that is not allowed in it.
    URLID_ERR_ID_HEX = 14,
    // An identifier has the wrong number of digits, words or bytes.
    URLID_ERR_ID_LENGTH = 15,
    // An SXURL identifier has a reserved bit set.
    URLID_ERR_ID_RESERVED = 16,
    // The version of an SXURL identifier is unknown.
    URLID_ERR_ID_VERSION = 17,
    // An index holds data that no version of urlid wrote.
    URLID_ERR_INDEX_DAMAGED = 18,
    // A file is not an index of the format that this version of urlid reads.
    URLID_ERR_INDEX_FORMAT = 19,
    // The scheme has no SXURL because it is not `https`, `http` or `ftp`.
    URLID_ERR_INVALID_SCHEME = 20,
    // The operating system reported an error while reading or writing.
    URLID_ERR_IO = 21,
    // A key is missing, too short, not needed or wrong.
    URLID_ERR_KEY = 22,
    // A line or a text is too long.
    URLID_ERR_LINE_LEN = 23,
    // The header of a hidden list is not valid or contradicts the rest of the list.
    URLID_ERR_LIST_HEADER = 24,
    // A line of a hidden list, of a public suffix list, of a list of tracking parameters or of a file of
    // rules is not valid.
    URLID_ERR_LIST_LINE = 25,
    // The generic syntax of URIs does not allow a character or the shape of the text.
    URLID_ERR_NOT_URI = 26,
    // The tokens are not a URL of the Theory of URLs, or goto has no result.
    URLID_ERR_NO_URL = 27,
    // The port is not a number from 1 to 65535, or the port fields of an identifier contradict each other.
    URLID_ERR_PORT = 28,
    // The reference is relative and there is no base to resolve it against.
    URLID_ERR_RELATIVE = 29,
    // Identifiers of different snapshots (suffix list or Unicode data) would be mixed.
    URLID_ERR_SNAPSHOT = 30,
    // A Parquet or CSV file is malformed, cut short, or declares more data than it holds.
    URLID_ERR_TABLE = 31,
    // The text is not a URL by the URL Standard, or it is relative and there is no base.
    URLID_ERR_URL_PARSE = 32,
    // A line is not UTF-8.
    URLID_ERR_UTF8 = 33,
    // Files of this kind cannot be read.
    URLID_ERR_FILE_KIND = 34,
    // A delta of a hidden list is damaged, or does not apply to this list.
    URLID_ERR_LIST_DELTA = 35,
    // A hidden list keeps too few bits of its digests for the request.
    URLID_ERR_LIST_KIND = 36,
    // A shard of a hidden list, or the index of its shards, is missing, damaged or from a different list.
    URLID_ERR_LIST_SHARD = 37,
    // A hidden list is not signed by the trusted key, has expired, or is older than one that was seen
    // before.
    URLID_ERR_LIST_TRUST = 38,
    // Another process is using the index or the seen-set.
    URLID_ERR_IN_USE = 39,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum urlid_code urlid_code;
#else
typedef int32_t urlid_code;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// The identifiers that an encoder makes.
enum urlid_identifier
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // SXURL, with the compiled public suffix list.
    URLID_SXURL = 1,
    // url-hash: SHA-256 of the WHATWG normal form.
    URLID_URL_HASH = 2,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum urlid_identifier urlid_identifier;
#else
typedef int32_t urlid_identifier;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// The type of an argument, of a result, or of a value.
enum urlid_type
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // NULL, without a value.
    URLID_NULL = 0,
    // UTF-8, in `bytes`.
    URLID_TEXT = 1,
    // Bytes, in `bytes`.
    URLID_BYTES = 2,
    // A number, in `integer`.
    URLID_INTEGER = 3,
    // 0 or 1, in `integer`.
    URLID_BOOLEAN = 4,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum urlid_type urlid_type;
#else
typedef int32_t urlid_type;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// A function and its state between rows.
typedef struct urlid_call urlid_call;

// Makes identifiers of many URLs. Owns its memory: after the first batches it rarely allocates.
typedef struct urlid_encoder urlid_encoder;

// A text, or bytes, with a length. `data` may be NULL if `length` is 0.
typedef struct {
    // The first byte.
    const uint8_t *data;
    // The number of bytes.
    size_t length;
} urlid_bytes;

// A value of an argument or a result.
typedef struct {
    // One of urlid_type.
    int32_t kind;
    // A number, or 0 or 1.
    int64_t integer;
    // A text or bytes.
    urlid_bytes bytes;
} urlid_value;

// An argument of a function.
typedef struct {
    // The name.
    urlid_bytes name;
    // One of urlid_type.
    int32_t kind;
} urlid_argument;

// An SQL function. Its texts are valid until the process ends.
typedef struct {
    // The name, which is the same in every database.
    urlid_bytes name;
    // A sentence about the result.
    urlid_bytes about;
    // The type of the result, one of urlid_type.
    int32_t result;
    // The number of arguments.
    size_t argument_count;
    // The arguments. Arguments past the count are of type URLID_NULL.
    urlid_argument arguments[URLID_MOST_ARGUMENTS];
} urlid_function;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

// Makes a call of the function with this name, such as `urlid_host`. An unknown name is URLID_ERR_ARGUMENT.
// Free the call with urlid_call_free.
//
// # Safety
// `name` is a text, and `call` points to a pointer that can be written.
urlid_code urlid_call_new(urlid_bytes name, urlid_call **call);

// Frees a call. NULL is ignored.
//
// # Safety
// `call` is from urlid_call_new and is not used again, or is NULL.
void urlid_call_free(urlid_call *call);

// Runs a call for one row. The result is URLID_NULL if an argument is URLID_NULL, if a URL or an identifier
// is rejected, or if a URL does not have the requested part. The bytes of a result are valid until the call
// is used again or freed.
//
// An error code is about arguments that are wrong for every row: their number, a type, or a name. Its
// message is urlid_call_message.
//
// # Safety
// `call` is from urlid_call_new, and no other thread uses it. `arguments` points to `count` values, whose
// kind determines which of their fields are set, and `result` can be written.
urlid_code urlid_call_run(urlid_call *call, const urlid_value *arguments, size_t count, urlid_value *result);

// Returns the message of the last error of a call. It is valid until the call is used again or freed.
//
// # Safety
// `call` is from urlid_call_new, and no other thread uses it.
urlid_bytes urlid_call_message(const urlid_call *call);

// Makes an encoder. `identifier` is one of urlid_identifier. Free the encoder with urlid_encoder_free.
//
// # Safety
// `encoder` points to a pointer that can be written.
urlid_code urlid_encoder_new(int32_t identifier, urlid_encoder **encoder);

// Frees an encoder. NULL is ignored.
//
// # Safety
// `encoder` is from urlid_encoder_new and is not used again, or is NULL.
void urlid_encoder_free(urlid_encoder *encoder);

// Encodes `count` URLs. For each URL, writes 32 bytes to `ids`, which are zero if the URL is rejected, and
// URLID_OK or the code of the error to `codes`. `codes` may be NULL.
//
// # Safety
// `encoder` is from urlid_encoder_new, and no other thread uses it. `urls` points to `count` texts, `ids` to
// 32 times `count` bytes, and `codes`, if it is not NULL, to `count` codes.
urlid_code urlid_encoder_encode(urlid_encoder *encoder,
                                const urlid_bytes *urls,
                                size_t count,
                                uint8_t *ids,
                                int32_t *codes);

// Encodes a column of `count` URLs in Arrow's form: URL number `i` is in `data` from `offsets[i]` to
// `offsets[i + 1]`. The output is the same as in urlid_encoder_encode. Offsets that descend, or are beyond
// `length`, are URLID_MISUSE.
//
// # Safety
// `encoder` is from urlid_encoder_new, and no other thread uses it. `data` points to `length` bytes,
// `offsets` to `count + 1` numbers, `ids` to 32 times `count` bytes, and `codes`, if it is not NULL, to
// `count` codes.
urlid_code urlid_encoder_encode_column(urlid_encoder *encoder,
                                       const uint8_t *data,
                                       size_t length,
                                       const int32_t *offsets,
                                       size_t count,
                                       uint8_t *ids,
                                       int32_t *codes);

// Returns the number of functions.
size_t urlid_function_count(void);

// Writes the function with this number, counted from 0. A number beyond the last is URLID_MISUSE.
//
// # Safety
// `function` can be written.
urlid_code urlid_function_at(size_t number, urlid_function *function);

// Returns the text of a code, such as `ERR_PORT`. The text has length 0 if the number is not positive or
// unknown. It is valid until the process ends.
urlid_bytes urlid_code_text(int32_t code);

// Returns the version of urlid, such as `0.1.0`. It is valid until the process ends.
urlid_bytes urlid_version(void);

// Returns the data that SXURLs depend on in addition to their specification: the versions of the public
// suffix list and of the Unicode data, as one line. Store it with identifiers. It is valid until the process
// ends.
urlid_bytes urlid_snapshot(void);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* URLID_H */
