//! Shapes of URLs and of references.

use super::{Filling, Shape, shape};

/// URLs in a URL, for functions that look for users in them.
pub const NESTED: &[Shape] = &[
    shape("schemes in a scheme", "", "https://", "me:x@h/"),
    shape("schemes without slashes", "http://h/?u=", "http:", "me:x@h/"),
    shape("authorities in one another", "http://h/?u=", "\\\\a", "me:x@h/"),
    shape("authorities that a parameter ends", "http://h/?u=", "\\\\a&b", "=me:x@h/"),
    shape("users in a query", "http://h/?u=", "//a:b&c@", "h/"),
    shape("encoded users", "http://h/?u=", "%2F%2Fa%3Ab%40c%2F", ""),
    shape("encoded authorities", "http://h/?u=", "%5C%5Ca", "%40c%2F"),
    shape("encoded parameters", "http://h/?u=%3F", "sig%3Da%26", ""),
    shape("users and secret parameters", "http://h/#", "http:a;sig=/&b@h", ""),
];

/// Every shape of a URL.
pub const URLS: &[Shape] = &[
    // Paths.
    shape("one long path segment", "http://h/", "a", ""),
    shape("empty segments", "http://h/", "/", ""),
    shape("dot segments", "http://h/", "./", ""),
    shape("parent segments", "http://h/", "../", ""),
    shape("segments and parents", "http://h/", "a/../", ""),
    Shape {
        name: "segments, then parents",
        before: "http://h/",
        filling: Filling::Halves("a/", "../"),
        after: "",
    },
    shape("escaped parents", "http://h/", "%2e%2E/", ""),
    shape("backslashes", "http://h/", "\\", ""),
    shape("many segments", "http://h/", "a/", ""),
    shape("names of index files", "http://h/", "index.html/", ""),
    shape("drive letters", "file:///", "C|/", ""),
    shape("session ids in segments", "http://h/", "(S(0123456789abcdefghijklmn))/", "a.aspx"),
    shape("session ids after semicolons", "http://h/a", ";jsessionid=0123456789abcdef0123456789abcdef", ""),
    shape("spaces in a path", "http://h/", "a ", ""),
    shape("spaces in an opaque path", "a:", " ", "#"),
    // Escapes.
    shape("escapes", "http://h/", "%41", ""),
    shape("escapes of escapes", "http://h/", "%2541", ""),
    shape("nested escapes", "http://h/%", "25", "41"),
    shape("nested escapes in a query", "http://h/?%", "25", "41"),
    shape("nested escapes in a host", "http://%", "25", "41/"),
    shape("escapes of characters beyond ASCII", "http://h/", "%C3%A9", ""),
    shape("escapes that are not UTF-8", "http://h/", "%ff%e2%28", ""),
    shape("bad escapes", "http://h/", "%", ""),
    shape("what must be escaped", "http://h/", "^", ""),
    shape("characters beyond ASCII", "http://h/", "é", ""),
    shape("characters of four bytes", "http://h/?", "😀", ""),
    // White space.
    shape("tabs", "http://h/", "\t", "a"),
    shape("line ends", "http://h/", "\r\n", "a"),
    shape("tabs in a host", "http://", "a\t", ".com/"),
    shape("spaces at the start", "", " ", "http://h/"),
    shape("spaces at the end", "http://h/", " ", ""),
    // Queries and fragments.
    shape("a long query", "http://h/?", "a=1&", ""),
    Shape::numbered("different parameters", "http://h/?", "p{}=1&", ""),
    shape("tracking parameters", "http://h/?", "utm_source=a&q=1&", ""),
    shape("session parameters", "http://h/?", "sid=0123456789abcdef0123456789abcdef&", ""),
    shape("empty parameters", "http://h/?", "&", ""),
    shape("equal signs", "http://h/?", "=", ""),
    shape("question marks", "http://h/", "?", ""),
    shape("plus signs", "http://h/?a=", "+", ""),
    shape("a long fragment", "http://h/#", "#", ""),
    // Authorities.
    shape("at signs", "http://", "a@", "h/"),
    shape("colons before a host", "http://", ":", "@h/"),
    shape("a long password", "http://u:", "p%40", "@h/"),
    shape("slashes before a host", "http:", "/", "h/"),
    shape("a long port", "http://h:", "0", "80/"),
    shape("colons after a host", "http://h", ":1", "/"),
    // Hosts.
    shape("labels", "http://", "a.", "b/"),
    Shape::numbered("different labels", "http://", "a{}.", "com/"),
    shape("labels of a long suffix", "http://a.", "com.", "com/"),
    shape("dots in a host", "http://", ".", "com/"),
    shape("dots after a host", "http://a.com", ".", "/"),
    shape("labels www", "http://", "www.", "h.com/"),
    shape("escapes in a host", "http://", "%61.", "b/"),
    shape("one long label", "http://", "a", ".com/"),
    shape("labels in Punycode", "http://", "xn--fa-hia.", "de/"),
    shape("one label in Punycode", "http://xn--", "a", "/"),
    shape("a label beyond ASCII", "http://", "é", "/"),
    Shape {
        name: "a label of two alphabets",
        before: "http://",
        filling: Filling::Halves("á", "字"),
        after: ".com/",
    },
    Shape::made("a label of different characters", |length| {
        ["http://", &different(length / 3), ".com/"].concat()
    }),
    shape("labels beyond ASCII", "http://", "é.", "com/"),
    shape("full-width letters", "http://", "ａ", ".com/"),
    shape("ideographic full stops", "http://", "a。", "com/"),
    shape("soft hyphens", "http://", "\u{ad}", "a.com/"),
    shape("marks in the wrong order", "http://a", "\u{301}\u{316}", ".com/"),
    shape("marks in a path", "http://h/a", "\u{301}\u{316}", ""),
    shape("letters from right to left", "http://", "א1.", "com/"),
    shape("zero-width joiners", "http://क", "\u{94d}\u{200d}", ".com/"),
    shape("numbers of an address", "http://", "1.", "1/"),
    shape("a long number", "http://", "1", "/"),
    shape("zeros of an octal number", "http://", "0", "1/"),
    shape("zeros of a hexadecimal number", "http://0x", "0", "1/"),
    shape("groups of an IPv6 address", "http://[", "1:", "]/"),
    shape("zeros in an IPv6 address", "http://[::", "0", "1]/"),
    shape("open brackets", "http://", "[", "/"),
    // References and other schemes.
    shape("schemes", "", "a:", ""),
    shape("a long scheme", "a", "b", "://h/"),
    shape("http before http", "", "http://", "h/"),
    shape("parents of a reference", "", "../", "a"),
    shape("dots of a reference", "", "./", "a"),
    shape("slashes of a reference", "", "/", "a"),
    shape("a reference of segments", "", "a/", ""),
    shape("a text without structure", "", "a", ""),
];

/// Shapes whose labels have the maximum length of mapped labels.
pub const LONG_LABELS: &[Shape] = &[
    Shape::made("long labels of different characters", |length| long_labels(length, &different(900))),
    Shape::made("long labels in Punycode", |length| {
        long_labels(length, &["xn--", &"a".repeat(1_900)].concat())
    }),
];

fn long_labels(length: usize, label: &str) -> String {
    ["http://", &[label, "."].concat().repeat(length / label.len()), "com/"].concat()
}

/// Returns this many characters of three bytes, which are different up to some twenty thousand.
fn different(count: usize) -> String {
    ('\u{4e00}'..'\u{9f00}').cycle().take(count).collect()
}
