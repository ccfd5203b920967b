// Prints the Unicode data of this Java: `property START VALUE` where a property changes, and one line for each mapping.

import java.util.Locale;
import java.util.function.IntFunction;

class Java {
    /** Names of the general categories, by the numbers that `Character.getType` returns. */
    static final String[] CATEGORIES = {
        "Cn", "Lu", "Ll", "Lt", "Lm", "Lo", "Mn", "Me", "Mc", "Nd", "Nl", "No", "Zs", "Zl", "Zp", "Cc", "Cf", "", "Co", "Cs",
        "Pd", "Ps", "Pe", "Pc", "Po", "Sm", "Sc", "Sk", "So", "Pi", "Pf",
    };

    /** Names of the bidirectional classes, by the numbers that `Character.getDirectionality` returns, from -1 on. */
    static final String[] DIRECTIONS = {
        "none", "L", "R", "AL", "EN", "ES", "ET", "AN", "CS", "NSM", "BN", "B", "S", "WS", "ON", "LRE", "LRO", "RLE", "RLO", "PDF",
        "LRI", "RLI", "FSI", "PDI",
    };

    static final StringBuilder out = new StringBuilder();

    public static void main(String[] arguments) {
        out.append("version ").append(System.getProperty("java.specification.version")).append('\n');
        printRuns("category", code -> CATEGORIES[Character.getType(code)]);
        printRuns("bidi", code -> DIRECTIONS[Character.getDirectionality(code) + 1]);
        for (int code = 0; code <= Character.MAX_CODE_POINT; code++) {
            String text = Character.toString(code);
            String lower = text.toLowerCase(Locale.ROOT);
            if (!Character.isSurrogate(text.charAt(0)) || text.length() == 2) {
                if (!lower.equals(text)) {
                    out.append("lower ").append(numbers(text)).append(' ').append(numbers(lower)).append('\n');
                }
                if (Character.getType(code) == Character.DECIMAL_DIGIT_NUMBER && Character.digit(code, 10) == 0) {
                    out.append("zero ").append(numbers(text)).append('\n');
                }
            }
        }
        System.out.print(out);
    }

    static void printRuns(String name, IntFunction<String> value) {
        String previous = "";
        for (int code = 0; code <= Character.MAX_CODE_POINT; code++) {
            // Surrogates are not in any text.
            boolean isSurrogate = code >= Character.MIN_SURROGATE && code <= Character.MAX_SURROGATE;
            if (!isSurrogate && !value.apply(code).equals(previous)) {
                previous = value.apply(code);
                out.append(name).append(' ').append(Integer.toHexString(code)).append(' ').append(previous).append('\n');
            }
        }
    }

    static String numbers(String text) {
        StringBuilder numbers = new StringBuilder();
        text.codePoints().forEach(code -> numbers.append(numbers.isEmpty() ? "" : " ").append(Integer.toHexString(code)));
        return numbers.toString();
    }
}
