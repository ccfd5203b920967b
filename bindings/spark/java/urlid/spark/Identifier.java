package urlid.spark;

/** The identifiers that batches are encoded to, with their numbers in urlid.h. */
enum Identifier {
    SXURL("sxurl", 1),
    URL_HASH("url-hash", 2);

    final String kind;
    final String column;
    final int number;

    Identifier(String kind, int number) {
        this.kind = kind;
        this.column = kind.replace('-', '_');
        this.number = number;
    }

    /** Returns the identifier that a function of SQL makes, or null for any other function. */
    static Identifier ofFunction(String name) {
        for (Identifier identifier : values()) {
            if (name.equals("urlid_" + identifier.column)) {
                return identifier;
            }
        }
        return null;
    }

    static Identifier of(String kind) {
        for (Identifier identifier : values()) {
            if (identifier.kind.equals(kind)) {
                return identifier;
            }
        }
        throw new IllegalArgumentException("ERR_ARGUMENT: unknown kind of identifier: found \"" + kind + "\", expected sxurl, url-hash");
    }
}
