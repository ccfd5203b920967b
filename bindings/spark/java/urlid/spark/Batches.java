package urlid.spark;

import java.util.Arrays;
import java.util.List;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StringType;
import org.apache.spark.sql.types.StructType;

/**
 * Makes identifiers of many rows at once, in any session. A few thousand rows go through the batch encoder together.
 * {@link BatchRule} does the same for functions of SQL.
 */
public final class Batches {
    private Batches() {}

    /**
     * Adds a binary column for each kind of identifier: {@code sxurl} for "sxurl", {@code url_hash} for "url-hash". A
     * rejected URL has null. Later operations of a query are not pushed below it, so select and filter first.
     */
    public static Dataset<Row> withIds(Dataset<Row> frame, String urls, String... kinds) {
        int column = frame.schema().fieldIndex(urls);
        if (!(frame.schema().apply(column).dataType() instanceof StringType)) {
            throw new IllegalArgumentException("ERR_COLUMN: column " + urls + " holds no texts");
        }
        List<Identifier> identifiers = Arrays.stream(kinds).map(Identifier::of).toList();
        StructType schema = frame.schema();
        for (Identifier identifier : identifiers) {
            schema = schema.add(identifier.column, DataTypes.BinaryType);
        }
        RDD<InternalRow> rows =
                frame.queryExecution()
                        .toRdd()
                        .toJavaRDD()
                        .mapPartitions(partition -> new BatchIterator(partition, column, identifiers), true)
                        .rdd();
        var session = (org.apache.spark.sql.classic.SparkSession) frame.sparkSession();
        return session.internalCreateDataFrame(rows, schema, false);
    }
}
