package urlid.spark;

import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import org.apache.spark.TaskContext;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.expressions.JoinedRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.unsafe.Platform;
import org.apache.spark.unsafe.types.UTF8String;
import org.apache.spark.util.TaskCompletionListener;

/** The rows of a partition with identifiers behind them. A row is valid until the next is taken. */
final class BatchIterator implements Iterator<InternalRow> {
    private static final int ROWS = 2048;
    private static final int ID = 32;
    private static final long BYTES = 16L << 20;

    private final Iterator<InternalRow> input;
    private final int column;
    private final long[] encoders;

    /** Outside Java's heap: offsets of URLs, and for each encoder in turn identifiers and codes. The bytes of the URLs grow. */
    private final long offsets = Platform.allocateMemory(4L * (ROWS + 1));
    private final long[] ids;
    private final long[] codes;
    private long bytes;
    private long capacity = 64L * ROWS;

    private final InternalRow[] rows = new InternalRow[ROWS];
    private final Object[] values;
    private final JoinedRow joined = new JoinedRow();
    private int count;
    private int next;

    BatchIterator(Iterator<InternalRow> input, int column, List<Identifier> identifiers) {
        this.input = input;
        this.column = column;
        int kinds = identifiers.size();
        encoders = identifiers.stream().mapToLong(identifier -> Native.newEncoder(identifier.number)).toArray();
        ids = new long[kinds];
        codes = new long[kinds];
        for (int kind = 0; kind < kinds; kind++) {
            ids[kind] = Platform.allocateMemory((long) ID * ROWS);
            codes[kind] = Platform.allocateMemory(4L * ROWS);
        }
        bytes = Platform.allocateMemory(capacity);
        values = new Object[kinds];
        TaskContext.get().addTaskCompletionListener((TaskCompletionListener) context -> free());
    }

    @Override
    public boolean hasNext() {
        return next < count || input.hasNext();
    }

    @Override
    public InternalRow next() {
        if (next == count) {
            fill();
        }
        for (int kind = 0; kind < encoders.length; kind++) {
            values[kind] = Platform.getInt(null, codes[kind] + 4L * next) == 0 ? id(kind) : null;
        }
        InternalRow row = rows[next];
        rows[next++] = null;
        return joined.apply(row, new GenericInternalRow(values));
    }

    private byte[] id(int kind) {
        byte[] id = new byte[ID];
        Platform.copyMemory(null, ids[kind] + (long) ID * next, id, Platform.BYTE_ARRAY_OFFSET, ID);
        return id;
    }

    /** Takes the next rows, at least one, and encodes their URLs. That of a null is empty, and refused. */
    private void fill() {
        if (!input.hasNext()) {
            throw new NoSuchElementException();
        }
        count = 0;
        next = 0;
        long end = 0;
        long held = 0;
        Platform.putInt(null, offsets, 0);
        while (count < ROWS && end < BYTES && held < BYTES && input.hasNext()) {
            // The input may write its next row into this one.
            InternalRow row = input.next().copy();
            rows[count++] = row;
            held += row instanceof UnsafeRow ? ((UnsafeRow) row).getSizeInBytes() : 0;
            if (!row.isNullAt(column)) {
                UTF8String url = row.getUTF8String(column);
                reserve(end, url.numBytes());
                url.writeToMemory(null, bytes + end);
                end += url.numBytes();
            }
            Platform.putInt(null, offsets + 4L * count, Math.toIntExact(end));
        }
        for (int kind = 0; kind < encoders.length; kind++) {
            int code = Native.encodeColumn(encoders[kind], bytes, end, offsets, count, ids[kind], codes[kind]);
            if (code != 0) {
                throw Native.error(code, new byte[0]);
            }
        }
    }

    /** Makes room for more bytes behind the first ones. */
    private void reserve(long used, long more) {
        if (used + more > capacity) {
            long larger = Math.max(used + more, 2 * capacity);
            bytes = Platform.reallocateMemory(bytes, capacity, larger);
            capacity = larger;
        }
    }

    private void free() {
        count = 0;
        next = 0;
        for (int kind = 0; kind < encoders.length; kind++) {
            Native.freeEncoder(encoders[kind]);
            Platform.freeMemory(ids[kind]);
            Platform.freeMemory(codes[kind]);
        }
        Platform.freeMemory(offsets);
        Platform.freeMemory(bytes);
    }
}
