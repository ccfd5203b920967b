// Prints the result of webarchive-commons, cc-index-table or java.net for each text: `java Oracle PROFILE`, on Java 17.
//
// A text and an answer are lines of UTF-8, in which `\\`, `\n` and `\r` stand for a backslash and two line ends. The answer
// `\N` stands for an exception.

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.archive.url.NonMassagingIAURLCanonicalizer;
import org.archive.url.WaybackURLKeyMaker;
import org.commoncrawl.net.WarcUri;

public final class Oracle {
    private static final int RUNTIME = 17;
    private static final int ROOM = 1 << 16;

    private Oracle() {}

    public static void main(String[] arguments) throws IOException {
        if (Runtime.version().feature() != RUNTIME) {
            throw new IllegalStateException("expected Java " + RUNTIME + ", found " + Runtime.version());
        }
        Form form = form(arguments[0]);
        InputStream input = new BufferedInputStream(System.in, ROOM);
        try (OutputStream output = new BufferedOutputStream(System.out, ROOM)) {
            for (String line = readLine(input); line != null; line = readLine(input)) {
                output.write(answer(form, unescape(line)).getBytes(StandardCharsets.UTF_8));
                output.write('\n');
            }
        }
    }

    private interface Form {
        String of(String text) throws Exception;
    }

    private static Form form(String profile) {
        WaybackURLKeyMaker maker = new WaybackURLKeyMaker();
        switch (profile) {
            case "ia-surt-1.3" -> {}
            case "ia-surt-1.3-keep-www" -> maker.setCanonicalizer(new NonMassagingIAURLCanonicalizer());
            // A URL without a host, and a host that cannot be mapped, are null in the table.
            case "cc-host-2026-05" -> {
                return text -> Objects.requireNonNull(new WarcUri(text).getHostName().getHostName());
            }
            case "host-java-17" -> {
                return text -> Objects.requireNonNullElse(new URI(text).getHost(), "");
            }
            default -> throw new IllegalArgumentException("unknown profile: " + profile);
        }
        return maker::makeKey;
    }

    private static String answer(Form form, String text) {
        try {
            return escape(form.of(text));
        } catch (Exception e) {
            return "\\N";
        }
    }

    /** Reads up to a line feed, which is the only line end here. Other line ends of `BufferedReader` are parts of
     * texts.
 */
    private static String readLine(InputStream input) throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        int found = input.read();
        if (found < 0) {
            return null;
        }
        for (; found >= 0 && found != '\n'; found = input.read()) {
            line.write(found);
        }
        return line.toString(StandardCharsets.UTF_8);
    }

    private static String escape(String text) {
        return text.replace("\\", "\\\\").replace("\n", "\\n").replace("\r", "\\r");
    }

    private static String unescape(String line) {
        if (line.indexOf('\\') < 0) {
            return line;
        }
        StringBuilder text = new StringBuilder(line.length());
        for (int index = 0; index < line.length(); index++) {
            char found = line.charAt(index);
            if (found == '\\') {
                index++;
                found = switch (line.charAt(index)) {
                    case 'n' -> '\n';
                    case 'r' -> '\r';
                    default -> '\\';
                };
            }
            text.append(found);
        }
        return text.toString();
    }
}
