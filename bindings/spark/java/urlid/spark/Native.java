package urlid.spark;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/**
 * The library for C (jni.c). Arguments of type long are addresses of objects of the library or of memory outside
 * Java's heap.
 */
final class Native {
    static {
        load();
    }

    private Native() {}

    /** Returns the name of a function and the types of its result and arguments, or null past the last function. */
    static native String describe(int number);

    /** Returns a sentence about the result of a function. */
    static native byte[] about(int number);

    /** Returns the text of a code. */
    static native byte[] codeText(int code);

    /** Returns a new encoder. */
    static native long newEncoder(int identifier);

    static native void freeEncoder(long encoder);

    /**
     * Encodes a column in Arrow's form, with 32 bytes for each id and 4 bytes for each offset and code. Returns a
     * code.
     */
    static native int encodeColumn(long encoder, long data, long length, long offsets, int count, long ids, long codes);

    /** Returns a new call of the function with a name, or 0. */
    static native long newCall(long name, int length);

    static native void freeCall(long call);

    /** Runs a call over values. Returns a code. */
    static native int run(long call, long arguments, int count, long result);

    /** Returns the message of the last error of a call. */
    static native byte[] message(long call);

    /** Returns an exception with the text of a code, and a message. */
    static IllegalArgumentException error(int code, byte[] message) {
        String text = code > 0 ? utf8(codeText(code)) : "code " + code + " of urlid";
        return new IllegalArgumentException(message.length == 0 ? text : text + ": " + utf8(message));
    }

    static String utf8(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }

    /** Loads the library from the jar. A library must be a file, which is removed after it is loaded. */
    private static void load() {
        String platform = System.getProperty("os.name").toLowerCase() + "-" + System.getProperty("os.arch");
        String name = platform + "/liburlid-spark.so";
        try (InputStream library = Native.class.getResourceAsStream(name)) {
            if (library == null) {
                throw new UnsatisfiedLinkError("the jar of urlid has no library for " + platform);
            }
            Path file = Files.createTempFile("liburlid-spark-", ".so");
            try {
                Files.copy(library, file, StandardCopyOption.REPLACE_EXISTING);
                System.load(file.toString());
            } finally {
                Files.deleteIfExists(file);
            }
        } catch (IOException error) {
            throw new UncheckedIOException("the library of urlid cannot be loaded", error);
        }
    }
}
