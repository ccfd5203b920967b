/* Prints the SXURL of each argument, and its registered domain. */
#include <stdio.h>
#include <string.h>
#include <urlid.h>

int main(int argc, char **argv) {
    urlid_encoder *encoder;
    urlid_call *domain_of;
    urlid_bytes name = {(const uint8_t *)"urlid_registered_domain", 23};
    if (urlid_encoder_new(URLID_SXURL, &encoder) != URLID_OK || urlid_call_new(name, &domain_of) != URLID_OK) return 1;

    for (int i = 1; i < argc; i++) {
        urlid_bytes url = {(const uint8_t *)argv[i], strlen(argv[i])};
        uint8_t id[32];
        int32_t code;
        urlid_encoder_encode(encoder, &url, 1, id, &code); /* any number of URLs at once */
        if (code == URLID_OK) {
            for (int byte = 0; byte < 32; byte++) printf("%02x", id[byte]);
        } else {
            urlid_bytes text = urlid_code_text(code);
            printf("%.*s", (int)text.length, (const char *)text.data);
        }
        urlid_value argument = {.kind = URLID_TEXT, .bytes = url}, domain;
        if (urlid_call_run(domain_of, &argument, 1, &domain) == URLID_OK && domain.kind == URLID_TEXT)
            printf(" %.*s", (int)domain.bytes.length, (const char *)domain.bytes.data);
        printf("\n");
    }
    urlid_call_free(domain_of);
    urlid_encoder_free(encoder);
}
