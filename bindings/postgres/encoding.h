/*
 * Converts texts between UTF-8, the encoding of the library, and the encoding of the database.
 */
#ifndef URLID_ENCODING_H
#define URLID_ENCODING_H

#include <stdbool.h>
#include <urlid.h>

/* Converts a text of the database to UTF-8. Returns false if Unicode lacks one of its characters. */
bool text_to_utf8(urlid_bytes text, urlid_bytes *converted);

/* Converts a text to the encoding of the database. Returns false if the encoding lacks a character, and for U+0000,
   which a text cannot contain. */
bool text_from_utf8(urlid_bytes text, urlid_bytes *converted);

/* Returns a message in the encoding of the database, with `?` for characters that it lacks. */
urlid_bytes message_from_utf8(urlid_bytes message);

#endif
