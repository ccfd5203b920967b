package urlid.spark;

import java.lang.ref.Cleaner;
import java.lang.ref.Reference;
import java.nio.charset.StandardCharsets;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.unsafe.Platform;
import org.apache.spark.unsafe.types.UTF8String;

/** A function with its state between rows. One thread uses it at a time. Its memory is freed when nothing refers to it. */
final class Call {
    private static final Cleaner CLEANER = Cleaner.create();

    /** The layout of a value (jni.c). */
    private static final int VALUE = 32;
    private static final int INTEGER = 8;
    private static final int DATA = 16;
    private static final int LENGTH = 24;

    private final ValueType[] types;
    private final Memory memory;

    Call(String name, ValueType[] types) {
        this.types = types;
        this.memory = new Memory(name, types.length);
        CLEANER.register(this, memory);
    }

    /**
     * Returns the result for the arguments in a row, which have the types of the function, or null if an argument is
     * null.
     */
    Object run(InternalRow row) {
        try {
            long needed = 0;
            for (int i = 0; i < types.length; i++) {
                if (row.isNullAt(i)) {
                    return null;
                }
                needed += types[i] == ValueType.BYTES ? row.getBinary(i).length : row.getUTF8String(i).numBytes();
            }
            memory.reserve(needed);
            long end = memory.bytes;
            for (int i = 0; i < types.length; i++) {
                end = types[i] == ValueType.BYTES ? write(i, row.getBinary(i), end) : write(i, row.getUTF8String(i), end);
            }
            int code = Native.run(memory.call, memory.values, types.length, memory.result());
            if (code != 0) {
                throw Native.error(code, Native.message(memory.call));
            }
            return result();
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    private long write(int index, byte[] bytes, long address) {
        Platform.copyMemory(bytes, Platform.BYTE_ARRAY_OFFSET, null, address, bytes.length);
        return write(index, ValueType.BYTES, address, bytes.length);
    }

    private long write(int index, UTF8String text, long address) {
        text.writeToMemory(null, address);
        return write(index, ValueType.TEXT, address, text.numBytes());
    }

    /** Writes a value whose bytes are at an address, and returns the end of the written bytes. */
    private long write(int index, ValueType type, long address, long length) {
        long value = memory.values + (long) index * VALUE;
        Platform.putInt(null, value, type.ordinal());
        Platform.putLong(null, value + DATA, address);
        Platform.putLong(null, value + LENGTH, length);
        return address + length;
    }

    private Object result() {
        long value = memory.result();
        switch (ValueType.of(Platform.getInt(null, value))) {
            case TEXT:
                return UTF8String.fromBytes(copy(value));
            case BYTES:
                return copy(value);
            case INTEGER:
                return Platform.getLong(null, value + INTEGER);
            case BOOLEAN:
                return Platform.getLong(null, value + INTEGER) != 0;
            default:
                return null;
        }
    }

    private static byte[] copy(long value) {
        byte[] bytes = new byte[Math.toIntExact(Platform.getLong(null, value + LENGTH))];
        Platform.copyMemory(null, Platform.getLong(null, value + DATA), bytes, Platform.BYTE_ARRAY_OFFSET, bytes.length);
        return bytes;
    }

    /** The call of the library, and the memory outside Java's heap for its arguments and results. */
    private static final class Memory implements Runnable {
        private final int arguments;
        private final long call;
        private final long values;
        private long bytes;
        private long capacity = 256;

        Memory(String name, int arguments) {
            this.arguments = arguments;
            this.bytes = Platform.allocateMemory(capacity);
            byte[] text = name.getBytes(StandardCharsets.UTF_8);
            reserve(text.length);
            Platform.copyMemory(text, Platform.BYTE_ARRAY_OFFSET, null, bytes, text.length);
            this.call = Native.newCall(bytes, text.length);
            this.values = Platform.allocateMemory((arguments + 1L) * VALUE);
            if (call == 0) {
                run();
                throw new IllegalArgumentException("urlid has no function " + name);
            }
        }

        /** Returns the address of the result, which follows the arguments. */
        long result() {
            return values + (long) arguments * VALUE;
        }

        /** Reserves space for bytes. The previous contents are lost. */
        void reserve(long needed) {
            if (needed > capacity) {
                long larger = Math.max(needed, 2 * capacity);
                long allocated = Platform.allocateMemory(larger);
                Platform.freeMemory(bytes);
                bytes = allocated;
                capacity = larger;
            }
        }

        @Override
        public void run() {
            Native.freeCall(call);
            Platform.freeMemory(values);
            Platform.freeMemory(bytes);
        }
    }
}
