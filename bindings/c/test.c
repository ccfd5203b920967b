/* Tests that only C can perform: NULL pointers, numbers out of range, threads, and memory, which the sanitizers
   check. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <urlid.h>

#define CHECK(holds) \
    do { \
        if (!(holds)) { \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #holds); \
            exit(1); \
        } \
    } while (0)

static urlid_bytes bytes(const char *text) { return (urlid_bytes){(const uint8_t *)text, strlen(text)}; }

static int equal(urlid_bytes found, const char *expected) {
    return found.length == strlen(expected) && (found.length == 0 || memcmp(found.data, expected, found.length) == 0);
}

static const char DOCS_RS[] = "1002397f4018b8efa86c31440f00a9000098911d784580332c354b043a29e356";

static void hex_of(const uint8_t id[32], char hex[65]) {
    for (int byte = 0; byte < 32; byte++) sprintf(hex + 2 * byte, "%02x", id[byte]);
}

static void test_batches(void) {
    urlid_encoder *encoder = NULL;
    CHECK(urlid_encoder_new(URLID_SXURL, &encoder) == URLID_OK);
    urlid_bytes urls[] = {bytes("https://docs.rs/"), bytes("http://h:0/"), {NULL, 0}, bytes("http://\xff/")};
    uint8_t ids[4][32], zero[32] = {0};
    int32_t codes[4];
    char hex[65];
    CHECK(urlid_encoder_encode(encoder, urls, 4, &ids[0][0], codes) == URLID_OK);
    hex_of(ids[0], hex);
    CHECK(strcmp(hex, DOCS_RS) == 0);
    CHECK(codes[0] == URLID_OK && codes[1] == URLID_ERR_PORT && codes[2] == URLID_ERR_INVALID_SCHEME && codes[3] == URLID_ERR_UTF8);
    for (int row = 1; row < 4; row++) CHECK(memcmp(ids[row], zero, 32) == 0);

    /* The texts do not end in a zero byte, and they end at the end of their memory. */
    const char *text = "https://docs.rs/http://h:0/http://\xff/";
    size_t length = strlen(text);
    uint8_t *column = malloc(length), *column_ids = malloc(32 * 4);
    memcpy(column, text, length);
    int32_t offsets[] = {0, 16, 27, 27, (int32_t)length};
    CHECK(urlid_encoder_encode_column(encoder, column, length, offsets, 4, column_ids, codes) == URLID_OK);
    CHECK(memcmp(ids, column_ids, sizeof ids) == 0);
    CHECK(codes[2] == URLID_ERR_INVALID_SCHEME && codes[3] == URLID_ERR_UTF8);
    CHECK(urlid_encoder_encode_column(encoder, column, length, offsets, 4, column_ids, NULL) == URLID_OK);

    /* More than one batch of the library, each row of which the encoder must find again. */
    enum { MANY = 5000 };
    urlid_bytes *many = malloc(MANY * sizeof *many);
    uint8_t *many_ids = malloc(MANY * 32);
    int32_t *many_codes = malloc(MANY * sizeof *many_codes);
    for (int row = 0; row < MANY; row++) many[row] = urls[row % 7 == 0 ? 1 : 0];
    CHECK(urlid_encoder_encode(encoder, many, MANY, many_ids, many_codes) == URLID_OK);
    for (int row = 0; row < MANY; row++) {
        CHECK(many_codes[row] == (row % 7 == 0 ? URLID_ERR_PORT : URLID_OK));
        CHECK(memcmp(many_ids + 32 * row, row % 7 == 0 ? zero : ids[0], 32) == 0);
    }
    free(many), free(many_ids), free(many_codes);

    /* Misuse is a code. */
    int32_t descending[] = {0, 16, 3}, beyond[] = {0, 16, (int32_t)length + 1}, negative[] = {-1, 0, 1};
    CHECK(urlid_encoder_encode_column(encoder, column, length, descending, 2, column_ids, codes) == URLID_MISUSE);
    CHECK(urlid_encoder_encode_column(encoder, column, length, beyond, 2, column_ids, codes) == URLID_MISUSE);
    CHECK(urlid_encoder_encode_column(encoder, column, length, negative, 2, column_ids, codes) == URLID_MISUSE);
    CHECK(urlid_encoder_encode_column(encoder, column, length, NULL, 0, column_ids, codes) == URLID_MISUSE);
    CHECK(urlid_encoder_encode(encoder, NULL, 1, column_ids, codes) == URLID_MISUSE);
    CHECK(urlid_encoder_encode(encoder, urls, 1, NULL, codes) == URLID_MISUSE);
    CHECK(urlid_encoder_encode(encoder, urls, SIZE_MAX, column_ids, codes) == URLID_MISUSE);
    CHECK(urlid_encoder_encode(NULL, urls, 1, column_ids, codes) == URLID_MISUSE);
    urlid_bytes no_data = {NULL, 1};
    CHECK(urlid_encoder_encode(encoder, &no_data, 1, column_ids, codes) == URLID_MISUSE);
    CHECK(urlid_encoder_encode(encoder, NULL, 0, NULL, NULL) == URLID_OK);
    free(column), free(column_ids);
    urlid_encoder_free(encoder);
    urlid_encoder_free(NULL);

    urlid_encoder *untouched = NULL;
    CHECK(urlid_encoder_new(7, &untouched) == URLID_MISUSE && untouched == NULL);
    CHECK(urlid_encoder_new(URLID_SXURL, NULL) == URLID_MISUSE);
}

static void test_calls(void) {
    urlid_call *slice = NULL, *unknown = NULL;
    CHECK(urlid_call_new(bytes("urlid_slice"), &slice) == URLID_OK);
    CHECK(urlid_call_new(bytes("urlid_splice"), &unknown) == URLID_ERR_ARGUMENT && unknown == NULL);
    CHECK(urlid_call_new(bytes("urlid_slice"), NULL) == URLID_MISUSE);

    uint8_t id[32];
    for (int byte = 0; byte < 32; byte++) sscanf(DOCS_RS + 2 * byte, "%2hhx", &id[byte]);
    urlid_value arguments[5] = {{.kind = URLID_BYTES, .bytes = {id, 32}}, {.kind = URLID_TEXT, .bytes = bytes("tld")}}, result;
    CHECK(urlid_call_run(slice, arguments, 2, &result) == URLID_OK && result.kind == URLID_INTEGER && result.integer == 0x2397);
    arguments[1].kind = URLID_NULL;
    CHECK(urlid_call_run(slice, arguments, 2, &result) == URLID_OK && result.kind == URLID_NULL);
    arguments[1] = (urlid_value){.kind = URLID_TEXT, .bytes = bytes("TLD")};
    CHECK(urlid_call_run(slice, arguments, 2, &result) == URLID_ERR_ARGUMENT);
    urlid_bytes message = urlid_call_message(slice);
    CHECK(message.length > 0 && memmem(message.data, message.length, "\"TLD\"", 5) != NULL);
    CHECK(urlid_call_run(slice, arguments, 1, &result) == URLID_ERR_ARGUMENT);
    CHECK(urlid_call_run(slice, arguments, 5, &result) == URLID_ERR_ARGUMENT);
    arguments[0].kind = URLID_INTEGER;
    CHECK(urlid_call_run(slice, arguments, 2, &result) == URLID_ERR_ARGUMENT);
    arguments[0].kind = 99;
    CHECK(urlid_call_run(slice, arguments, 2, &result) == URLID_MISUSE);
    arguments[0] = (urlid_value){.kind = URLID_TEXT, .bytes = {NULL, 3}};
    CHECK(urlid_call_run(slice, arguments, 2, &result) == URLID_MISUSE);
    CHECK(urlid_call_run(slice, arguments, 2, NULL) == URLID_MISUSE);
    CHECK(urlid_call_run(slice, NULL, 2, &result) == URLID_MISUSE);
    CHECK(urlid_call_run(NULL, arguments, 2, &result) == URLID_MISUSE);
    CHECK(urlid_call_message(NULL).length == 0);
    urlid_call_free(slice);
    urlid_call_free(NULL);
}

static void test_the_table(void) {
    CHECK(urlid_function_count() > 10);
    for (size_t number = 0; number < urlid_function_count(); number++) {
        urlid_function function;
        urlid_call *call;
        CHECK(urlid_function_at(number, &function) == URLID_OK);
        CHECK(function.argument_count >= 1 && function.argument_count <= URLID_MOST_ARGUMENTS);
        for (size_t i = 0; i < URLID_MOST_ARGUMENTS; i++)
            CHECK((function.arguments[i].kind == URLID_NULL) == (i >= function.argument_count));
        CHECK(urlid_call_new(function.name, &call) == URLID_OK);
        urlid_call_free(call);
    }
    urlid_function function;
    CHECK(urlid_function_at(urlid_function_count(), &function) == URLID_MISUSE);
    CHECK(urlid_function_at(0, NULL) == URLID_MISUSE);
    CHECK(equal(urlid_code_text(URLID_ERR_PORT), "ERR_PORT"));
    CHECK(urlid_code_text(URLID_OK).length == 0 && urlid_code_text(URLID_MISUSE).length == 0 && urlid_code_text(9999).length == 0);
    CHECK(urlid_version().length > 0 && urlid_snapshot().length > 0);
}

static void *use_and_free(void *encoder) {
    urlid_bytes url = bytes("https://docs.rs/");
    uint8_t id[32];
    int32_t code;
    CHECK(urlid_encoder_encode(encoder, &url, 1, id, &code) == URLID_OK && code == URLID_OK);
    urlid_encoder_free(encoder);
    return NULL;
}

static void test_handles_move_between_threads(void) {
    pthread_t threads[4];
    for (int i = 0; i < 4; i++) {
        urlid_encoder *encoder;
        CHECK(urlid_encoder_new(i % 2 ? URLID_SXURL : URLID_URL_HASH, &encoder) == URLID_OK);
        CHECK(pthread_create(&threads[i], NULL, use_and_free, encoder) == 0);
    }
    for (int i = 0; i < 4; i++) CHECK(pthread_join(threads[i], NULL) == 0);
}

int main(void) {
    test_batches();
    test_calls();
    test_the_table();
    test_handles_move_between_threads();
}
