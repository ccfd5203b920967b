/*
 * The functions of urlid in PostgreSQL, as a shim over the library for C. An error of PostgreSQL is a longjmp, so no
 * frame of the library is on the stack at a point that can raise one. Encodings are in encoding.c, and calls that can
 * be cancelled in long_call.c.
 */
#include "postgres.h"

#include "fmgr.h"
#include "utils/builtins.h"
#include "utils/memutils.h"

#include <urlid.h>

#include "encoding.h"
#include "long_call.h"

PG_MODULE_MAGIC;

static Datum run(FunctionCallInfo fcinfo, const char *name);

#define FUNCTION(name) \
    PG_FUNCTION_INFO_V1(pg_##name); \
    Datum pg_##name(PG_FUNCTION_ARGS) { return run(fcinfo, #name); }
#include "functions.h"

/* The state of one call expression of a query between rows. */
typedef struct Place {
    /* NULL after a call that was cancelled. */
    urlid_call *call;
    urlid_function function;
    MemoryContextCallback at_end;
} Place;

static void free_call(void *place) { urlid_call_free(((Place *)place)->call); }

static Place *new_place(const char *name, MemoryContext context) {
    Place *place = MemoryContextAllocZero(context, sizeof(Place));
    size_t number = 0, length = strlen(name);

    while (urlid_function_at(number, &place->function) == URLID_OK &&
           (place->function.name.length != length || memcmp(place->function.name.data, name, length) != 0))
        number++;
    if (number == urlid_function_count()) elog(ERROR, "urlid has no function %s", name);
    place->at_end.func = free_call;
    place->at_end.arg = place;
    /* Frees the call with the query, because it is not memory of PostgreSQL. Registered while it is still NULL, so
       that an error cannot leak it. */
    MemoryContextRegisterResetCallback(context, &place->at_end);
    return place;
}

/* A text that cannot be converted to UTF-8 is NULL. In a database without an encoding, the library returns NULL for a
   text that is not UTF-8. */
static urlid_value argument(const struct varlena *packed, int32_t kind) {
    urlid_value value = {.kind = kind};

    value.bytes.data = (const uint8_t *)VARDATA_ANY(packed);
    value.bytes.length = VARSIZE_ANY_EXHDR(packed);
    if (kind == URLID_TEXT && !text_to_utf8(value.bytes, &value.bytes)) return (urlid_value){.kind = URLID_NULL};
    return value;
}

/* Returns a text or bytes as a value of PostgreSQL. */
static Datum varlena(urlid_bytes bytes) {
    if (bytes.length > MaxAllocSize - VARHDRSZ)
        ereport(ERROR, (errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED), errmsg("result of urlid is too long: found %zu bytes", bytes.length)));
    return PointerGetDatum(cstring_to_text_with_len((const char *)bytes.data, (int)bytes.length));
}

static void report(const Place *place, urlid_code code) {
    urlid_bytes text = urlid_code_text(code), message;

    if (text.length == 0) elog(ERROR, "urlid failed with code %d", (int)code);
    /* ereport copies the message, which belongs to the call. */
    message = message_from_utf8(urlid_call_message(place->call));
    ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
                    errmsg("%.*s: %.*s", (int)text.length, (const char *)text.data, (int)message.length, (const char *)message.data)));
}

static Datum run(FunctionCallInfo fcinfo, const char *name) {
    Place *place = fcinfo->flinfo->fn_extra;
    urlid_value arguments[URLID_MOST_ARGUMENTS], result;
    urlid_code code;

    if (place == NULL) place = fcinfo->flinfo->fn_extra = new_place(name, fcinfo->flinfo->fn_mcxt);
    if (place->call == NULL && urlid_call_new(place->function.name, &place->call) != URLID_OK) elog(ERROR, "urlid cannot call %s", name);
    for (size_t i = 0; i < place->function.argument_count; i++)
        arguments[i] = argument(PG_GETARG_VARLENA_PP(i), place->function.arguments[i].kind);
    code = run_call(&place->call, arguments, place->function.argument_count, &result);
    if (code != URLID_OK) report(place, code);

    switch (result.kind) {
        case URLID_TEXT:
            /* A text that the encoding of the database cannot represent is NULL. */
            if (!text_from_utf8(result.bytes, &result.bytes)) PG_RETURN_NULL();
            return varlena(result.bytes);
        case URLID_BYTES:
            return varlena(result.bytes);
        case URLID_INTEGER:
            PG_RETURN_INT64(result.integer);
        case URLID_BOOLEAN:
            PG_RETURN_BOOL(result.integer != 0);
        default:
            PG_RETURN_NULL();
    }
}
