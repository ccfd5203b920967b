/*
 * Prints parts of the extension from the table of functions. `generate sql` prints the script of CREATE EXTENSION,
 * and `generate c` the list that urlid.c includes.
 */
#include <stdio.h>
#include <string.h>
#include <urlid.h>

static void print(urlid_bytes text) { fwrite(text.data, 1, text.length, stdout); }

static void print_quoted(urlid_bytes text) {
    putchar('\'');
    for (size_t i = 0; i < text.length; i++) {
        if (text.data[i] == '\'') putchar('\'');
        putchar(text.data[i]);
    }
    putchar('\'');
}

static const char *type(int32_t kind) {
    switch (kind) {
        case URLID_BYTES: return "bytea";
        case URLID_INTEGER: return "bigint";
        case URLID_BOOLEAN: return "boolean";
        default: return "text";
    }
}

static void print_signature(const urlid_function *function) {
    print(function->name);
    putchar('(');
    for (size_t i = 0; i < function->argument_count; i++) {
        printf(i ? ", \"" : "\"");
        print(function->arguments[i].name);
        printf("\" %s", type(function->arguments[i].kind));
    }
    putchar(')');
}

/* Strict: the result is NULL if an argument is NULL. The cost is in units of a comparison, so that the planner
   filters by cheaper conditions first. */
static void print_sql(const urlid_function *function) {
    printf("CREATE FUNCTION ");
    print_signature(function);
    printf(" RETURNS %s\n    AS 'MODULE_PATHNAME', 'pg_", type(function->result));
    print(function->name);
    printf("' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 30;\nCOMMENT ON FUNCTION ");
    print_signature(function);
    printf(" IS ");
    print_quoted(function->about);
    printf(";\n");
}

static void print_c(const urlid_function *function) {
    printf("FUNCTION(");
    print(function->name);
    printf(")\n");
}

int main(int argc, char **argv) {
    int sql = argc == 2 && strcmp(argv[1], "sql") == 0;
    if (!sql && (argc != 2 || strcmp(argv[1], "c") != 0)) return 2;
    /* As in PostgreSQL's own extensions, psql stops here if the file is run as a script. */
    if (sql) printf("\\echo Use \"CREATE EXTENSION urlid\" to load this file. \\quit\n");
    for (size_t number = 0; number < urlid_function_count(); number++) {
        urlid_function function;
        if (urlid_function_at(number, &function) != URLID_OK) return 1;
        sql ? print_sql(&function) : print_c(&function);
    }
    return fflush(stdout) != 0;
}
