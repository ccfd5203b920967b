/*
 * The functions of urlid in PostgreSQL: a shim over the library for C. No frame of the library is on the stack when an error of
 * PostgreSQL leaves through it.
 */
#include "postgres.h"

#include "fmgr.h"
#include "mb/pg_wchar.h"
#include "utils/builtins.h"
#include "utils/memutils.h"

#include <urlid.h>

PG_MODULE_MAGIC;

static Datum run(FunctionCallInfo fcinfo, const char *name);

#define FUNCTION(name) \
    PG_FUNCTION_INFO_V1(pg_##name); \
    Datum pg_##name(PG_FUNCTION_ARGS) { return run(fcinfo, #name); }
#include "functions.h"

/* What one place of a query keeps between rows. */
typedef struct Place {
    urlid_call *call;
    urlid_function function;
    MemoryContextCallback at_end;
} Place;

static void free_call(void *place) { urlid_call_free(((Place *)place)->call); }

static Place *new_place(const char *name, MemoryContext context) {
    Place *place = MemoryContextAllocZero(context, sizeof(Place));
    urlid_bytes text = {(const uint8_t *)name, strlen(name)};
    size_t number = 0;

    while (urlid_function_at(number, &place->function) == URLID_OK &&
           (place->function.name.length != text.length || memcmp(place->function.name.data, name, text.length) != 0))
        number++;
    if (number == urlid_function_count() || urlid_call_new(text, &place->call) != URLID_OK) elog(ERROR, "urlid has no function %s", name);
    place->at_end.func = free_call;
    place->at_end.arg = place;
    MemoryContextRegisterResetCallback(context, &place->at_end);
    return place;
}

/* Texts are UTF-8 there. A database without an encoding has any bytes; what is not UTF-8 is NULL then. */
static urlid_value argument(const struct varlena *packed, int32_t kind) {
    urlid_value value = {.kind = kind};
    char *data = VARDATA_ANY(packed);
    int length = VARSIZE_ANY_EXHDR(packed);

    if (kind == URLID_TEXT && GetDatabaseEncoding() != PG_SQL_ASCII) {
        char *converted = pg_server_to_any(data, length, PG_UTF8);

        if (converted != data) length = strlen(converted);
        data = converted;
    }
    value.bytes.data = (const uint8_t *)data;
    value.bytes.length = length;
    return value;
}

/* Returns a text in the encoding of the database. */
static char *to_server(urlid_bytes text, int *length) {
    char *data = (char *)text.data;
    char *converted = GetDatabaseEncoding() == PG_SQL_ASCII ? data : pg_any_to_server(data, text.length, PG_UTF8);

    *length = converted == data ? (int)text.length : (int)strlen(converted);
    return converted;
}

static void report(const Place *place, urlid_code code) {
    urlid_bytes text = urlid_code_text(code);
    int length;
    const char *message;

    if (text.length == 0) elog(ERROR, "urlid failed with code %d", (int)code);
    message = to_server(urlid_call_message(place->call), &length);
    ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
                    errmsg("%.*s: %.*s", (int)text.length, (const char *)text.data, length, message)));
}

static Datum run(FunctionCallInfo fcinfo, const char *name) {
    Place *place = fcinfo->flinfo->fn_extra;
    urlid_value arguments[URLID_MOST_ARGUMENTS], result;
    urlid_code code;
    int length;
    char *text;

    if (place == NULL) place = fcinfo->flinfo->fn_extra = new_place(name, fcinfo->flinfo->fn_mcxt);
    for (size_t i = 0; i < place->function.argument_count; i++)
        arguments[i] = argument(PG_GETARG_VARLENA_PP(i), place->function.arguments[i].kind);
    code = urlid_call_run(place->call, arguments, place->function.argument_count, &result);
    if (code != URLID_OK) report(place, code);

    switch (result.kind) {
        case URLID_TEXT:
            /* PostgreSQL has no text with U+0000. */
            if (memchr(result.bytes.data, 0, result.bytes.length) != NULL) PG_RETURN_NULL();
            text = to_server(result.bytes, &length);
            PG_RETURN_TEXT_P(cstring_to_text_with_len(text, length));
        case URLID_BYTES:
            PG_RETURN_BYTEA_P((bytea *)cstring_to_text_with_len((const char *)result.bytes.data, result.bytes.length));
        case URLID_INTEGER:
            PG_RETURN_INT64(result.integer);
        case URLID_BOOLEAN:
            PG_RETURN_BOOL(result.integer != 0);
        default:
            PG_RETURN_NULL();
    }
}
