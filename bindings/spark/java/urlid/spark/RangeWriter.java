package urlid.spark;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import org.apache.spark.SparkEnv;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.function.Function2;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.util.Utils;

/**
 * Writes a range of keys: a task builds a dataset of it on the local disk of its executor, copies the files to where the others are, and
 * returns what it made as one JSON object.
 */
final class RangeWriter implements Function2<Integer, Iterator<InternalRow>, Iterator<String>> {
    private static final long serialVersionUID = 1;

    /** For sorting, in bytes. Sorted rows that do not fit go to the local disk. */
    private static final long MEMORY = 64L << 20;

    private final Staging staging;

    RangeWriter(Staging staging) {
        this.staging = staging;
    }

    @Override
    public Iterator<String> call(Integer range, Iterator<InternalRow> rows) throws IOException {
        // The first has the suffix list, and the file of a dataset without URLs.
        if (range > 0 && !rows.hasNext()) {
            return Collections.emptyIterator();
        }
        // Where Spark keeps its own temporary files, which are on the large disks of a machine.
        File local = Utils.createTempDir(Utils.getLocalDir(SparkEnv.get().conf()), "urlid");
        try {
            Path dataset = local.toPath().resolve("dataset");
            ObjectNode written = build(rows, dataset);
            written.put("description", Files.readString(dataset.resolve(Staging.DESCRIPTION)));
            written.put("folder", staging.copy(dataset, range == 0, TaskContext.get()));
            return List.of(written.toString()).iterator();
        } finally {
            Utils.deleteRecursively(local);
        }
    }

    /** Builds the dataset and returns its counts. */
    private static ObjectNode build(Iterator<InternalRow> rows, Path dataset) {
        long builder = Native.newBuilder();
        UrlColumn urls = new UrlColumn();
        try {
            long[] lines = new long[3];
            check(builder, Native.beginDataset(builder, dataset.toString().getBytes(StandardCharsets.UTF_8), MEMORY));
            while (rows.hasNext()) {
                InternalRow row = rows.next();
                if (!row.isNullAt(KeyIterator.COUNTS)) {
                    String[] counts = row.getUTF8String(KeyIterator.COUNTS).toString().split(" ");
                    for (int i = 0; i < lines.length; i++) {
                        lines[i] += Long.parseLong(counts[i]);
                    }
                    continue;
                }
                urls.add(KeyIterator.url(row.getBinary(KeyIterator.KEY)));
                if (urls.isFull()) {
                    add(builder, urls);
                }
            }
            add(builder, urls);
            long[] built = new long[6];
            check(builder, Native.finishDataset(builder, built));
            if (built[0] != built[3]) {
                throw new IllegalStateException("the key of a URL has another text");
            }
            ObjectNode counts = new ObjectMapper().createObjectNode();
            return counts.put("lines", lines[0]).put("blank", lines[1]).put("refused", lines[2]).put("taken", built[3]);
        } finally {
            urls.free();
            Native.freeBuilder(builder);
        }
    }

    private static void add(long builder, UrlColumn urls) {
        check(builder, Native.addColumn(builder, urls.bytes(), urls.length(), urls.offsets, urls.count()));
        urls.clear();
    }

    private static void check(long builder, int code) {
        if (code != 0) {
            throw Native.error(code, Native.builderMessage(builder));
        }
    }
}
