package urlid.spark;

import java.util.Iterator;
import java.util.NoSuchElementException;
import org.apache.spark.TaskContext;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.Platform;
import org.apache.spark.unsafe.types.UTF8String;
import org.apache.spark.util.TaskCompletionListener;

/**
 * The keys by which a dataset sorts the URLs of a partition, which are the first column. A key ends with the URL itself, so that nothing
 * else has to be sent to where the ranges of keys are written.
 *
 * <p>The last row has an empty key, which sorts first and no URL has, and the numbers of lines, of blank and of refused ones: what Spark
 * counts for tasks that it runs again would be counted twice.
 */
final class KeyIterator implements Iterator<InternalRow> {
    static final StructType SCHEMA =
            new StructType().add("key", DataTypes.BinaryType, false).add("counts", DataTypes.StringType);
    static final int KEY = 0;
    static final int COUNTS = 1;

    private final Iterator<InternalRow> input;
    private final long keys = Native.newKeys();
    private final UrlColumn urls = new UrlColumn();

    /** The addresses of the bytes of keys, and of their offsets. */
    private final long[] made = new long[2];

    private int next;
    private boolean isDone;
    private long lines;
    private long blank;
    private long taken;

    KeyIterator(Iterator<InternalRow> input) {
        this.input = input;
        TaskContext.get().addTaskCompletionListener((TaskCompletionListener) context -> free());
    }

    /** Returns the URL of a key: it follows the ends of host, path and query, which are zero bytes, and three bytes of the port. */
    static UTF8String url(byte[] key) {
        int start = end(key, end(key, end(key, 0) + 3));
        return UTF8String.fromBytes(key, start, key.length - start);
    }

    /** Returns the place behind the next zero byte. */
    private static int end(byte[] key, int from) {
        int place = from;
        while (key[place] != 0) {
            place++;
        }
        return place + 1;
    }

    @Override
    public boolean hasNext() {
        return !isDone;
    }

    @Override
    public InternalRow next() {
        if (isDone) {
            throw new NoSuchElementException();
        }
        while (true) {
            while (next < urls.count()) {
                long offset = made[1] + 8L * next++;
                long start = Platform.getLong(null, offset);
                int length = Math.toIntExact(Platform.getLong(null, offset + 8) - start);
                if (length > 0) {
                    taken++;
                    byte[] key = new byte[length];
                    Platform.copyMemory(null, made[0] + start, key, Platform.BYTE_ARRAY_OFFSET, length);
                    return row(key, null);
                }
            }
            if (!input.hasNext()) {
                isDone = true;
                return row(new byte[0], UTF8String.fromString(lines + " " + blank + " " + (lines - blank - taken)));
            }
            fill();
        }
    }

    private static InternalRow row(byte[] key, UTF8String counts) {
        return new GenericInternalRow(new Object[] {key, counts});
    }

    private void fill() {
        urls.clear();
        next = 0;
        while (!urls.isFull() && input.hasNext()) {
            InternalRow row = input.next();
            UTF8String url = row.isNullAt(0) ? null : row.getUTF8String(0);
            urls.add(url);
            lines++;
            blank += url == null || url.numBytes() == 0 ? 1 : 0;
        }
        int code = Native.keysOfColumn(keys, urls.bytes(), urls.length(), urls.offsets, urls.count(), made);
        if (code != 0) {
            throw Native.error(code, new byte[0]);
        }
    }

    private void free() {
        isDone = true;
        Native.freeKeys(keys);
        urls.free();
    }
}
