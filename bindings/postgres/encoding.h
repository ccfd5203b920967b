/*
 * Texts between UTF-8, which the library takes and returns, and the encoding of the database.
 */
#ifndef URLID_ENCODING_H
#define URLID_ENCODING_H

#include <stdbool.h>
#include <urlid.h>

/* Converts a text of the database to UTF-8; false if Unicode lacks one of its characters. */
bool text_to_utf8(urlid_bytes text, urlid_bytes *converted);

/* Converts a text to the encoding of the database; false if that lacks one of its characters, of which U+0000 is one. */
bool text_from_utf8(urlid_bytes text, urlid_bytes *converted);

/* Returns a message in the encoding of the database, with `?` for every character that it lacks. */
urlid_bytes message_from_utf8(urlid_bytes message);

#endif
