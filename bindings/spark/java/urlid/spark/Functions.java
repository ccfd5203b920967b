package urlid.spark;

import static org.apache.spark.sql.functions.call_function;
import static org.apache.spark.sql.functions.lit;

import org.apache.spark.sql.Column;
import org.apache.spark.sql.SparkSession;

/**
 * The functions of SQL as functions of columns. The session must have them, by {@link Extensions} or {@link
 * #register}.
 */
public final class Functions {
    private Functions() {}

    /** Adds the functions to a running session. Registering them again has no effect. */
    public static void register(SparkSession session) {
        var registry = ((org.apache.spark.sql.classic.SparkSession) session).sessionState().functionRegistry();
        for (SqlFunction function : SqlFunction.all()) {
            registry.createOrReplaceTempFunction(function.name(), new Builder(function), "scala_udf");
        }
    }

    // By the table of functions:

    public static Column sxurl(Column url) {
        return call_function("urlid_sxurl", url);
    }

    public static Column urlHash(Column url) {
        return call_function("urlid_url_hash", url);
    }

    public static Column urlVeryShortHashInt64(Column url) {
        return call_function("urlid_url_very_short_hash_int64", url);
    }

    public static Column hashed(Column url, String algorithm, String variant) {
        return call_function("urlid_hashed", url, lit(algorithm), lit(variant));
    }

    public static Column match(Column hashed, Column url) {
        return call_function("urlid_match", hashed, url);
    }

    public static Column slice(Column id, String name) {
        return call_function("urlid_slice", id, lit(name));
    }

    public static Column probe(String name, Column value) {
        return call_function("urlid_probe", lit(name), value);
    }

    public static Column decode(Column id, String field) {
        return call_function("urlid_decode", id, lit(field));
    }

    public static Column canon(Column url, String form) {
        return call_function("urlid_canon", url, lit(form));
    }

    public static Column template(Column url, String templates) {
        return call_function("urlid_template", url, lit(templates));
    }

    public static Column assume(Column url, String scheme) {
        return call_function("urlid_assume", url, lit(scheme));
    }

    public static Column redact(Column url) {
        return call_function("urlid_redact", url);
    }

    public static Column host(Column url) {
        return call_function("urlid_host", url);
    }

    public static Column hostUnicode(Column url) {
        return call_function("urlid_host_unicode", url);
    }

    public static Column hostScripts(Column url) {
        return call_function("urlid_host_scripts", url);
    }

    public static Column hostsAgree(Column url) {
        return call_function("urlid_hosts_agree", url);
    }

    public static Column tld(Column url) {
        return call_function("urlid_tld", url);
    }

    public static Column registeredDomain(Column text) {
        return call_function("urlid_registered_domain", text);
    }

    public static Column split(Column text, String part, String sections) {
        return call_function("urlid_split", text, lit(part), lit(sections));
    }

    public static Column sub(Column url) {
        return call_function("urlid_sub", url);
    }

    public static Column part(Column url, String part) {
        return call_function("urlid_part", url, lit(part));
    }

    public static Column queryParam(Column url, String name) {
        return call_function("urlid_query_param", url, lit(name));
    }
    // The table ends here.
}
