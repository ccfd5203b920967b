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
import org.apache.spark.util.TaskCompletionListener;

/** The rows of a partition, followed by identifiers. A row is valid until the next one is read. */
final class BatchIterator implements Iterator<InternalRow> {
    private static final int ID = 32;
    private static final long ROW_BYTES = 16L << 20;

    private final Iterator<InternalRow> input;
    private final int column;
    private final long[] encoders;

    /** Outside Java's heap: URLs, and for each encoder in turn identifiers and codes. */
    private final UrlColumn urls = new UrlColumn();
    private final long[] ids;
    private final long[] codes;

    private final InternalRow[] rows = new InternalRow[UrlColumn.ROWS];
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
            ids[kind] = Platform.allocateMemory((long) ID * UrlColumn.ROWS);
            codes[kind] = Platform.allocateMemory(4L * UrlColumn.ROWS);
        }
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

    /** Reads the next rows, at least one, and encodes their URLs. The URL of a null row is empty and is rejected. */
    private void fill() {
        if (!input.hasNext()) {
            throw new NoSuchElementException();
        }
        urls.clear();
        count = 0;
        next = 0;
        long held = 0;
        while (!urls.isFull() && held < ROW_BYTES && input.hasNext()) {
            // The input may write its next row into this one.
            InternalRow row = input.next().copy();
            rows[count++] = row;
            held += row instanceof UnsafeRow ? ((UnsafeRow) row).getSizeInBytes() : 0;
            urls.add(row.isNullAt(column) ? null : row.getUTF8String(column));
        }
        for (int kind = 0; kind < encoders.length; kind++) {
            int code =
                    Native.encodeColumn(
                            encoders[kind], urls.bytes(), urls.length(), urls.offsets, count, ids[kind], codes[kind]);
            if (code != 0) {
                throw Native.error(code, new byte[0]);
            }
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
        urls.free();
    }
}
