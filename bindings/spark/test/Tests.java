import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.github.luben.zstd.ZstdInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import urlid.spark.Batches;
import urlid.spark.Functions;

/**
 * Tests of the jar: {@code Tests MASTER VECTORS [URLS IDS]}. With a file of URLs, compressed by zstd, and one of the SXURL and the url-hash of each, as the
 * program prints them, all rows are compared, and an executor is killed in the middle of a second pass.
 */
public final class Tests {
    private static SparkSession spark;

    public static void main(String[] args) throws Exception {
        spark =
                SparkSession.builder()
                        .master(args[0])
                        .config("spark.sql.extensions", "urlid.spark.Extensions")
                        .config("spark.driver.host", "127.0.0.1")
                        .config("spark.driver.bindAddress", "127.0.0.1")
                        .config("spark.executor.memory", "512m")
                        .config("spark.task.maxFailures", "8")
                        .config("spark.locality.wait", "0s")
                        .config("spark.ui.enabled", "false")
                        .config("spark.sql.shuffle.partitions", "2")
                        .getOrCreate();
        spark.sparkContext().setLogLevel("OFF");
        vectors(Path.of(args[1]));
        columns();
        expressions();
        batches();
        plans();
        registering();
        if (args.length > 2) {
            urls(Path.of(args[2]), Path.of(args[3]));
        }
        spark.stop();
    }

    /** The vectors of a function are rows of one table, so that names change from row to row and nothing is computed by the planner. */
    private static void vectors(Path file) throws IOException {
        Map<String, List<JsonNode>> vectors = new TreeMap<>();
        int count = 0;
        for (JsonNode vector : new ObjectMapper().readTree(Files.readString(file)).get("vectors")) {
            vectors.computeIfAbsent(vector.get("input").get("name").asText(), name -> new ArrayList<>()).add(vector);
            count++;
        }
        for (Map.Entry<String, List<JsonNode>> function : vectors.entrySet()) {
            List<Row> rows = new ArrayList<>();
            Map<String, Object> expected = new HashMap<>();
            StructType schema = null;
            for (JsonNode vector : function.getValue()) {
                JsonNode arguments = vector.get("input").get("arguments");
                List<Object> row = new ArrayList<>();
                row.add(vector.get("id").asText());
                arguments.forEach(argument -> row.add(value(argument)));
                schema = schema(function.getKey(), arguments.size());
                if (vector.has("error")) {
                    error(vector.get("error").asText(), spark.createDataFrame(List.of(RowFactory.create(row.toArray())), schema), call(function.getKey(), schema));
                } else {
                    rows.add(RowFactory.create(row.toArray()));
                    expected.put(vector.get("id").asText(), value(vector.get("expect").get("result")));
                }
            }
            Dataset<Row> table = spark.createDataFrame(rows, schema).repartition(2);
            for (Row row : table.select(functions.col("id"), call(function.getKey(), schema)).collectAsList()) {
                check(expected.get(row.getString(0)), row.get(1), row.getString(0));
            }
        }
        System.out.println(count + " vectors");
    }

    private static StructType schema(String function, int arguments) {
        StructType schema = new StructType().add("id", DataTypes.StringType);
        boolean isOfId = function.equals("urlid_slice") || function.equals("urlid_decode");
        for (int i = 0; i < arguments; i++) {
            DataType type = isOfId && i == 0 ? DataTypes.BinaryType : DataTypes.StringType;
            schema = schema.add("argument" + i, type);
        }
        return schema;
    }

    private static Column call(String function, StructType schema) {
        Column[] arguments = Arrays.stream(schema.fieldNames()).skip(1).map(functions::col).toArray(Column[]::new);
        return functions.call_function(function, arguments);
    }

    private static Object value(JsonNode json) {
        if (json.isNull()) {
            return null;
        }
        if (json.isObject()) {
            return HexFormat.of().parseHex(json.get("hex").asText());
        }
        return json.isBoolean() ? (Object) json.asBoolean() : json.isNumber() ? (Object) json.asLong() : json.asText();
    }

    private static void columns() {
        Column url = functions.col("url");
        Column id = Functions.sxurl(url);
        Row row =
                table("https://www.docs.rs:8080/a?q=1#f")
                        .select(
                                Functions.host(url),
                                Functions.tld(url),
                                Functions.registeredDomain(url),
                                Functions.sub(url),
                                Functions.part(url, "path"),
                                Functions.queryParam(url, "q"),
                                Functions.canon(url, "web+drop-fragment"),
                                Functions.slice(id, "port"),
                                Functions.slice(id, "domain").equalTo(Functions.probe("domain", functions.lit("docs"))),
                                Functions.decode(id, "scheme"),
                                Functions.match(Functions.hashed(url, "sha1", "n"), url),
                                functions.length(Functions.urlHash(url)))
                        .first();
        List<Object> expected =
                List.of("www.docs.rs", "rs", "docs.rs", "www", "/a", "1", "https://www.docs.rs:8080/a?q=1", 8080L, true, "https", true, 32);
        for (int i = 0; i < expected.size(); i++) {
            check(expected.get(i), row.get(i), "column " + i);
        }
    }

    private static void expressions() {
        table("http://www.example.co.uk/", "http://b.example/", null, "no URL").createOrReplaceTempView("page");
        List<Row> rows =
                spark.sql("SELECT urlid_registered_domain(url), count(*) FROM page GROUP BY urlid_registered_domain(url) ORDER BY 1 NULLS FIRST").collectAsList();
        check("[[null,2], [b.example,1], [example.co.uk,1]]", rows.toString(), "groups");
        check("urlid_host(url)", spark.sql("SELECT urlid_host(url) FROM page").columns()[0], "the header");
        error("ERR_ARGUMENT", null, null, "SELECT urlid_host() FROM page");
        error("ERR_ARGUMENT: unknown part: found \"hast\"", null, null, "SELECT urlid_part(url, 'hast') FROM page");
        boolean isDescribed = spark.sql("DESCRIBE FUNCTION urlid_host").collectAsList().toString().contains("The host of a URL");
        check(true, isDescribed, "DESCRIBE FUNCTION");
    }

    private static void batches() {
        String[] urls = new String[5000];
        for (int row = 0; row < urls.length; row++) {
            urls[row] = row % 5 == 0 ? null : row % 7 == 0 ? "no URL" : "https://h" + row + ".example/" + "p".repeat(row % 300) + "/é";
        }
        Dataset<Row> table = table(urls);
        Column url = functions.col("url");
        // What is no column goes row by row.
        Column written = functions.concat(url, functions.lit(""));
        Dataset<Row> both =
                Batches.withIds(table, "url", "sxurl", "url-hash")
                        .withColumn("sxurl2", Functions.sxurl(written))
                        .withColumn("url_hash2", Functions.urlHash(written));
        check(5000L, both.count(), "rows");
        check(0L, both.filter("NOT (sxurl <=> sxurl2 AND url_hash <=> url_hash2)").count(), "rows that differ");
        long rejected = Arrays.stream(urls).filter(text -> text == null || text.equals("no URL")).count();
        check(rejected, both.filter("sxurl IS NULL AND url_hash IS NULL").count(), "rows without identifiers");
        check(0L, Batches.withIds(table.limit(0), "url", "sxurl").count(), "rows of none");
        try {
            Batches.withIds(table, "url", "sxurls");
            throw new AssertionError("an unknown kind is taken");
        } catch (IllegalArgumentException error) {
            check(true, error.getMessage().startsWith("ERR_ARGUMENT: "), error.getMessage());
        }
    }

    /** The identifiers of a projection are made in batches, and are those of row by row. */
    private static void plans() {
        String[] urls = new String[5000];
        for (int row = 0; row < urls.length; row++) {
            urls[row] = row % 5 == 0 ? null : row % 7 == 0 ? "no URL" : "https://h" + row + ".example/" + "p".repeat(row % 300);
        }
        Column url = functions.col("url");
        Dataset<Row> table = table(urls).withColumn("other", functions.reverse(url)).repartition(2).cache();
        Column other = functions.col("other");
        Column written = functions.concat(url, functions.lit(""));
        Dataset<Row> both =
                table.select(
                        Functions.sxurl(url).as("id"),
                        Functions.urlHash(url).as("hash"),
                        Functions.sxurl(other).as("other_id"),
                        Functions.slice(Functions.sxurl(url), "path").as("path"),
                        Functions.sxurl(written).as("id2"),
                        Functions.urlHash(written).as("hash2"),
                        Functions.slice(Functions.sxurl(written), "path").as("path2"),
                        url);
        check(2, nodes(both), "columns in batches");
        check(5000L, both.filter("id <=> id2 AND hash <=> hash2 AND path <=> path2 AND other_id IS NULL").count(), "rows that are equal");
        // After a shuffle the stages are planned one by one; the same plan twice is one.
        Dataset<Row> groups = table.groupBy(Functions.slice(Functions.sxurl(url), "tld").as("tld")).count();
        check(1, nodes(groups), "groups in batches");
        check(groups.count(), groups.join(groups.withColumnRenamed("count", "again"), "tld").count() + 1, "groups twice");
        table.createOrReplaceTempView("stored");
        check(0, nodes(spark.sql("SELECT urlid_host(url) FROM stored")), "a function of another kind");
        check(10, spark.sql("SELECT urlid_sxurl(url) FROM stored LIMIT 10").collectAsList().size(), "the first rows");
        table.unpersist();
    }

    /** Returns how many nodes of the plan that was run make batches. */
    private static int nodes(Dataset<Row> frame) {
        frame.collectAsList();
        return frame.queryExecution().executedPlan().toString().split("Batch \\[", -1).length - 1;
    }

    private static void registering() {
        SparkSession session = spark.newSession();
        Functions.register(session);
        Functions.register(session);
        check("docs.rs", session.sql("SELECT urlid_host('https://docs.rs/')").first().getString(0), "a session");
    }

    /** Rows of line number and URL against what the program printed, in SQL and in batches, while executors come and go. */
    private static void urls(Path urls, Path ids) throws Exception {
        List<String> lines;
        try (InputStream file = new ZstdInputStream(Files.newInputStream(urls))) {
            lines = new String(file.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
        }
        List<Row> rows = new ArrayList<>();
        for (int line = 0; line < lines.size(); line++) {
            rows.add(RowFactory.create(line, lines.get(line)));
        }
        StructType schema = new StructType().add("line", DataTypes.IntegerType).add("url", DataTypes.StringType);
        Dataset<Row> table = spark.createDataFrame(rows, schema).repartition(8).cache();
        List<String> expected = Files.readAllLines(ids);
        Column url = functions.col("url");
        compare(expected, Batches.withIds(table, "url", "sxurl", "url-hash"));
        Dataset<Row> byFunctions = table.select(functions.col("line"), url, Functions.sxurl(url), Functions.urlHash(url));
        compare(expected, byFunctions);
        List<ProcessHandle> executors = executors();
        check(2, executors.size(), "executor processes");
        executors.get(0).destroyForcibly();
        compare(expected, Batches.withIds(table, "url", "sxurl", "url-hash"));
        compare(expected, byFunctions);
        System.out.println(expected.size() + " URLs, in batches and by functions, before and after an executor was killed");
    }

    static List<ProcessHandle> executors() {
        return ProcessHandle.current()
                .descendants()
                .filter(process -> process.info().commandLine().orElse("").contains("CoarseGrainedExecutorBackend"))
                .toList();
    }

    private static void compare(List<String> expected, Dataset<Row> frame) {
        String[] found = new String[expected.size()];
        for (Row row : frame.collectAsList()) {
            found[row.getInt(0)] = hex(row.get(2)) + "\t" + hex(row.get(3));
        }
        for (int line = 0; line < found.length; line++) {
            check(expected.get(line), found[line], "line " + line);
        }
    }

    private static String hex(Object id) {
        return id == null ? "" : HexFormat.of().formatHex((byte[]) id);
    }

    private static Dataset<Row> table(String... urls) {
        List<Row> rows = Arrays.stream(urls).map(RowFactory::create).toList();
        return spark.createDataFrame(rows, new StructType().add("url", DataTypes.StringType)).repartition(2);
    }

    private static void error(String code, Dataset<Row> table, Column call) {
        error(code, table, call, null);
    }

    private static void error(String code, Dataset<Row> table, Column call, String query) {
        try {
            (query == null ? table.select(call) : spark.sql(query)).collectAsList();
        } catch (Exception error) {
            for (Throwable cause = error; cause != null; cause = cause.getCause()) {
                if (String.valueOf(cause.getMessage()).contains(code)) {
                    return;
                }
            }
            throw new AssertionError("expected " + code, error);
        }
        throw new AssertionError("no error, expected " + code);
    }

    static void check(Object expected, Object found, String where) {
        boolean isEqual =
                expected instanceof byte[] && found instanceof byte[]
                        ? Arrays.equals((byte[]) expected, (byte[]) found)
                        : java.util.Objects.equals(expected, found);
        if (!isEqual) {
            throw new AssertionError(where + ": found " + found + ", expected " + expected);
        }
    }
}
