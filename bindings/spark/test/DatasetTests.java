import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import urlid.spark.Built;
import urlid.spark.Datasets;

/** Tests of the datasets that the jar writes. They are compared with those of the program if URLID_CLI names it. */
final class DatasetTests {
    private static final StructType SCHEMA = new StructType().add("page url", DataTypes.StringType);
    private static final String COLUMN = "page url";

    private final SparkSession spark;
    private final Path folder;
    private final List<Row> rows = new ArrayList<>();
    private final Set<String> expected = new TreeSet<>();
    private long blank;
    private long refused;

    DatasetTests(SparkSession spark) throws IOException {
        this.spark = spark;
        this.folder = Files.createTempDirectory("datasets");
        spark.conf().set("fs.broken.impl", BrokenFiles.class.getName());
        for (int row = 0; row < 5000; row++) {
            if (row % 11 == 0) {
                rows.add(RowFactory.create(row % 2 == 0 ? null : ""));
                blank++;
            } else if (row % 13 == 0) {
                rows.add(RowFactory.create("no URL " + row));
                refused++;
            } else {
                String url = url(row);
                rows.add(RowFactory.create(row % 17 == 0 ? url.replace("https://www", "https://WwW") : url));
                expected.add(url);
            }
        }
    }

    private static String url(int row) {
        if (row % 19 == 0) {
            return "http://10.0.0." + row % 250 + ":8080/?q=" + row % 3;
        }
        if (row % 23 == 0) {
            return "mailto:a" + row + "@b.example";
        }
        if (row % 29 == 0) {
            return "ftp://[::1]/\u0001é" + row % 90;
        }
        return "https://www.h" + row % 40 + ".example/p" + row % 900;
    }

    void run() throws Exception {
        written();
        withoutUrls();
        errors();
        brokenFiles();
    }

    private Dataset<Row> frame() {
        return spark.createDataFrame(rows, SCHEMA).repartition(4);
    }

    private void written() throws Exception {
        Path path = folder.resolve("urls");
        Built built = Datasets.write(frame(), COLUMN, path.toString(), 5);
        check(built, path, 5);
        List<String> before = listing(path);
        error("ERR_IO: dataset cannot be made: found file:" + path + " already", () -> Datasets.write(frame(), COLUMN, path.toString(), 5));
        Tests.check(before, listing(path), "a dataset after another write");
        // Spark's own number; small ranges are joined.
        Path other = folder.resolve("others");
        check(Datasets.write(frame(), COLUMN, other.toString()), other, 1);
        same(path, other);
    }

    /** Compares a dataset with the rows, and its names with those of the files that a dataset has. */
    private void check(Built built, Path path, int leastFiles) throws Exception {
        Tests.check(rows.size() - blank - refused, built.taken(), "taken");
        Tests.check(new Built(rows.size(), blank, refused, built.taken(), expected.size(), built.bytes()), built, "counts");
        List<String> names = new ArrayList<>(List.of("_public_suffix_list.dat.zst", "_urlid.json"));
        long bytes = 0;
        List<String> found = names(path);
        for (int file = 0; file < found.size() - 2; file++) {
            names.add(String.format("part-%05d.parquet", file));
            bytes += Files.size(path.resolve(names.get(file + 2)));
        }
        Tests.check(names, found, "the names in the folder");
        Tests.check(true, found.size() - 2 >= leastFiles, "files of " + found);
        Tests.check(bytes, built.bytes(), "bytes");
        List<Row> stored = spark.read().parquet(path.toString()).select("url").collectAsList();
        Tests.check(expected.size(), stored.size(), "rows");
        Tests.check(expected, new TreeSet<>(stored.stream().map(row -> row.getString(0)).toList()), "URLs");
        if (System.getenv("URLID_CLI") != null) {
            program(null, "index", "verify", path.toString());
            Path count = folder.resolve("count");
            program(count, "index", "count", path.toString());
            Tests.check(String.valueOf(expected.size()), Files.readString(count).strip(), "the count of the program");
        }
    }

    private void withoutUrls() throws Exception {
        Row none = RowFactory.create((Object) null);
        int number = 0;
        for (List<Row> rows : List.of(List.<Row>of(), List.of(none, RowFactory.create("no URL"), none))) {
            Path path = folder.resolve("none" + number++);
            Built built = Datasets.write(spark.createDataFrame(rows, SCHEMA), COLUMN, path.toString(), 3);
            Tests.check(new Built(rows.size(), rows.isEmpty() ? 0 : 2, rows.isEmpty() ? 0 : 1, 0, 0, built.bytes()), built, "counts of none");
            Tests.check(List.of("_public_suffix_list.dat.zst", "_urlid.json", "part-00000.parquet"), names(path), "names of none");
            Tests.check(0L, spark.read().parquet(path.toString()).filter("url IS NOT NULL").count(), "rows of none");
            program(null, "index", "verify", path.toString());
        }
        Path path = folder.resolve("partitions");
        Datasets.write(spark.createDataFrame(JavaSparkContext.fromSparkContext(spark.sparkContext()).<Row>emptyRDD(), SCHEMA), COLUMN, path.toString());
        program(null, "index", "verify", path.toString());
    }

    private void errors() throws IOException {
        String path = folder.resolve("errors").toString();
        Dataset<Row> throwing =
                frame().select(functions.expr("if(`page url` LIKE '%/p77', raise_error('of a test'), `page url`)").as(COLUMN));
        error("of a test", () -> Datasets.write(throwing, COLUMN, path));
        error("ERR_COLUMN: column id holds no texts", () -> Datasets.write(spark.range(3).toDF(), "id", path));
        error("ERR_ARGUMENT: number of partitions: found 0", () -> Datasets.write(frame(), COLUMN, path, 0));
        Tests.check(false, Files.exists(Path.of(path)), "a folder after errors");
    }

    private void brokenFiles() throws Exception {
        for (String kind : List.of("once", "always", "names")) {
            Path path = Files.createDirectory(folder.resolve(kind)).resolve("urls");
            Callable<Built> write = () -> Datasets.write(frame(), COLUMN, "broken://" + path, 3);
            if (kind.equals("once")) {
                check(write.call(), path, 3);
                same(folder.resolve("urls"), path);
            } else {
                error(BrokenFiles.MESSAGE, write);
                Tests.check(List.of(), names(path.getParent()), "the names after an error");
            }
        }
    }

    /** Writes a column of URLs while an executor is killed, and compares the dataset with that of the program. */
    void killed(Dataset<Row> urls, String column, Path file) throws Exception {
        Path path = folder.resolve("killed");
        Thread killer = new Thread(() -> kill(path));
        killer.start();
        Built built = Datasets.write(urls, column, path.toString(), 6);
        killer.join();
        Tests.check(true, killed, "an executor was killed");
        Path expected = folder.resolve("expected");
        program(null, "index", "build", "--on-refused", "report", expected.toString(), file.toString());
        same(expected, path);
        Tests.check(urls.count(), built.lines(), "lines");
        System.out.println(built.rows() + " URLs in a dataset, while an executor was killed");
    }

    private volatile boolean killed;

    /** Kills an executor once the first task has copied a file. */
    private void kill(Path path) {
        try {
            for (int wait = 0; wait < 6000 && !killed; wait++) {
                Thread.sleep(10);
                boolean isCopied = false;
                if (Files.isDirectory(path)) {
                    try (Stream<Path> files = Files.walk(path)) {
                        isCopied = files.anyMatch(file -> file.toString().endsWith(".parquet"));
                    } catch (java.io.UncheckedIOException error) {
                        // A file was renamed meanwhile.
                    }
                }
                List<ProcessHandle> executors = Tests.executors();
                if (isCopied && !executors.isEmpty()) {
                    killed = executors.get(0).destroyForcibly();
                }
            }
        } catch (InterruptedException | IOException error) {
            throw new AssertionError(error);
        }
    }

    /** Compares the URLs of two datasets, in order, by the program. */
    private void same(Path expected, Path found) throws Exception {
        if (System.getenv("URLID_CLI") == null) {
            return;
        }
        Path[] lines = {folder.resolve("lines"), folder.resolve("others lines")};
        program(lines[0], "index", "find", expected.toString());
        program(lines[1], "index", "find", found.toString());
        Tests.check(true, Files.size(lines[0]) > 0, "lines of the program");
        Tests.check(-1L, Files.mismatch(lines[0], lines[1]), "the first byte that differs");
        program(null, "index", "verify", found.toString());
    }

    /** Runs the program, if there is one, with its output in a file. */
    private void program(Path output, String... arguments) throws Exception {
        String program = System.getenv("URLID_CLI");
        if (program == null) {
            return;
        }
        List<String> command = new ArrayList<>(List.of(program));
        command.addAll(List.of(arguments));
        Path errors = folder.resolve("errors of the program");
        ProcessBuilder builder = new ProcessBuilder(command).redirectError(errors.toFile());
        builder.redirectOutput(output == null ? ProcessBuilder.Redirect.DISCARD : ProcessBuilder.Redirect.to(output.toFile()));
        int status = builder.start().waitFor();
        Tests.check(0, status, command + ": " + Files.readString(errors));
    }

    private static List<String> names(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    /** Returns names, lengths and times of change. */
    private static List<String> listing(Path folder) throws IOException {
        List<String> listing = new ArrayList<>();
        for (String name : names(folder)) {
            Path file = folder.resolve(name);
            listing.add(name + " " + Files.size(file) + " " + Files.getLastModifiedTime(file));
        }
        return listing;
    }

    private static void error(String message, Callable<Built> write) {
        try {
            write.call();
        } catch (Exception error) {
            for (Throwable cause = error; cause != null; cause = cause.getCause()) {
                if (String.valueOf(cause.getMessage()).contains(message)) {
                    return;
                }
            }
            throw new AssertionError("expected " + message, error);
        }
        throw new AssertionError("no error, expected " + message);
    }
}
