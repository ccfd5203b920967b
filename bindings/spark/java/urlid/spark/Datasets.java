package urlid.spark;

import static org.apache.spark.sql.functions.col;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.UUID;
import java.util.function.UnaryOperator;
import org.apache.spark.SparkContext;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.classic.SparkSession;
import org.apache.spark.sql.types.StringType;

/**
 * Datasets of URLs: folders of sorted Parquet files with a description, as {@code urlid index build} makes them and {@code urlid index
 * find} reads them.
 */
public final class Datasets {
    private Datasets() {}

    /**
     * Writes the URLs of a column as a dataset, in at most as many ranges as Spark shuffles to (spark.sql.shuffle.partitions). Adaptive
     * execution joins small ones.
     *
     * @see #write(Dataset, String, String, int)
     */
    public static Built write(Dataset<Row> frame, String urls, String path) {
        return write(frame, urls, path, keys -> keys.repartitionByRange(col("key")));
    }

    /**
     * Writes the URLs of a column as a dataset, in at most {@code partitions} ranges of keys, each of which is a file of the dataset, or
     * more than one if it is large. The path must not exist. The frame is evaluated twice, first for a sample of its keys.
     *
     * <p>If it fails, nothing is left at the path.
     */
    public static Built write(Dataset<Row> frame, String urls, String path, int partitions) {
        if (partitions < 1) {
            throw new IllegalArgumentException("ERR_ARGUMENT: number of partitions: found " + partitions + ", expected 1 or more");
        }
        return write(frame, urls, path, keys -> keys.repartitionByRange(partitions, col("key")));
    }

    private static Built write(Dataset<Row> frame, String urls, String path, UnaryOperator<Dataset<Row>> divide) {
        if (!(frame.schema().apply(frame.schema().fieldIndex(urls)).dataType() instanceof StringType)) {
            throw new IllegalArgumentException("ERR_COLUMN: column " + urls + " holds no texts");
        }
        SparkSession session = (SparkSession) frame.sparkSession();
        SparkContext context = session.sparkContext();
        // What runs for this call, to be cancelled with it: Spark goes on with jobs whose caller was interrupted.
        String tag = "urlid-" + UUID.randomUUID();
        boolean isClaimed = false;
        boolean isWritten = false;
        Staging staging = null;
        try {
            staging = new Staging(path, session.sessionState().newHadoopConf());
            staging.claim();
            isClaimed = true;
            context.addJobTag(tag);
            Dataset<Row> column = frame.select(col("`" + urls.replace("`", "``") + "`"));
            Built built = publish(staging, ranges(divide.apply(keys(session, column)), staging));
            isWritten = true;
            return built;
        } catch (IOException error) {
            throw new UncheckedIOException("ERR_IO: dataset cannot be written: " + path, error);
        } finally {
            context.removeJobTag(tag);
            if (isClaimed && !isWritten) {
                context.cancelJobsWithTag(tag);
                remove(staging);
            }
        }
    }

    private static Dataset<Row> keys(SparkSession session, Dataset<Row> column) {
        RDD<InternalRow> keys =
                column.queryExecution()
                        .toRdd()
                        .toJavaRDD()
                        .mapPartitions(partition -> (Iterator<InternalRow>) new KeyIterator(partition))
                        .rdd();
        return session.internalCreateDataFrame(keys, KeyIterator.SCHEMA, false);
    }

    /** Writes each range of keys into the folder, and returns what was written, in order. */
    private static List<JsonNode> ranges(Dataset<Row> keys, Staging staging) throws IOException {
        RangeWriter writer = new RangeWriter(staging);
        JavaRDD<InternalRow> rows = keys.queryExecution().toRdd().toJavaRDD();
        List<String> written = rows.mapPartitionsWithIndex(writer, false).collect();
        if (written.isEmpty()) {
            // A frame without partitions.
            JavaSparkContext context = JavaSparkContext.fromSparkContext(rows.context());
            JavaRDD<InternalRow> none = context.parallelize(Collections.emptyList(), 1);
            written = none.mapPartitionsWithIndex(writer, false).collect();
        }
        List<JsonNode> ranges = new ArrayList<>();
        for (String range : written) {
            ranges.add(new ObjectMapper().readTree(range));
        }
        return ranges;
    }

    private static Built publish(Staging staging, List<JsonNode> ranges) throws IOException {
        JsonNode joined = join(ranges.stream().map(range -> range.get("description").asText()).toList());
        staging.publish(joined, ranges.stream().map(range -> range.get("folder").asText()).toList());
        return new Built(
                sum(ranges, "lines"),
                sum(ranges, "blank"),
                sum(ranges, "refused"),
                sum(ranges, "taken"),
                joined.get("rows").asLong(),
                joined.get("bytes").asLong());
    }

    private static long sum(List<JsonNode> ranges, String count) {
        return ranges.stream().mapToLong(range -> range.get(count).asLong()).sum();
    }

    private static JsonNode join(List<String> descriptions) throws IOException {
        long join = Native.newJoin();
        try {
            int code = 0;
            for (String description : descriptions) {
                code = code != 0 ? code : Native.addDescription(join, description.getBytes(StandardCharsets.UTF_8));
            }
            code = code != 0 ? code : Native.join(join);
            if (code != 0) {
                throw Native.error(code, Native.joinText(join));
            }
            return new ObjectMapper().readTree(Native.joinText(join));
        } finally {
            Native.freeJoin(join);
        }
    }

    /** Removes what a failed call has written. Its error is reported, not that of removing. */
    private static void remove(Staging staging) {
        // File systems do nothing for a thread that is interrupted.
        boolean isInterrupted = Thread.interrupted();
        try {
            staging.remove();
        } catch (IOException error) {
            // What is left has no description, so that it is no dataset.
        } finally {
            if (isInterrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
