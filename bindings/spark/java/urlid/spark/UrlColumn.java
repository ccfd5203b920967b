package urlid.spark;

import org.apache.spark.unsafe.Platform;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * Texts outside Java's heap in Arrow's form of a column: their bytes, which grow, and 4 bytes for the start and end of
 * each.
 */
final class UrlColumn {
    static final int ROWS = 2048;
    private static final long BYTES = 16L << 20;

    final long offsets = Platform.allocateMemory(4L * (ROWS + 1));
    private long bytes;
    private long capacity = 64L * ROWS;
    private long length;
    private int count;

    UrlColumn() {
        bytes = Platform.allocateMemory(capacity);
        clear();
    }

    long bytes() {
        return bytes;
    }

    long length() {
        return length;
    }

    int count() {
        return count;
    }

    /** Returns whether there is no space for a further text, or the bytes are many. */
    boolean isFull() {
        return count == ROWS || length >= BYTES;
    }

    void clear() {
        count = 0;
        length = 0;
        Platform.putInt(null, offsets, 0);
    }

    /** Adds a text, with null as an empty text. */
    void add(UTF8String text) {
        if (text != null) {
            reserve(text.numBytes());
            text.writeToMemory(null, bytes + length);
            length += text.numBytes();
        }
        count++;
        Platform.putInt(null, offsets + 4L * count, Math.toIntExact(length));
    }

    private void reserve(long more) {
        if (length + more > capacity) {
            long larger = Math.max(length + more, 2 * capacity);
            bytes = Platform.reallocateMemory(bytes, capacity, larger);
            capacity = larger;
        }
    }

    void free() {
        Platform.freeMemory(offsets);
        Platform.freeMemory(bytes);
    }
}
