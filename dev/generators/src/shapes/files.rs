//! Shapes of files: suffix lists, lists of tracking parameters, hidden lists, archives and tables.

use super::{Filling, Shape, numbered, shape};

/// Shapes of public suffix lists.
pub const SUFFIX_LISTS: &[Shape] = &[
    shape("one long rule", "", "a.", "com\n"),
    shape("one long rule beyond ASCII", "", "é.", "com\n"),
    shape("one long label", "", "a", ".com\n"),
    shape("one rule, many times", "", "com\n", ""),
    Shape::numbered("short rules", "", "a{}\n", ""),
    Shape::made("the longest rules", |length| {
        longest_rules(length, |number, labels| format!("a{number:04}.{labels}com\n"))
    }),
    Shape::made("the longest rules, apart", |length| {
        longest_rules(length, |number, labels| format!("{labels}com{number:04}\n"))
    }),
    Shape::numbered("rules beyond ASCII", "", "é{}.com\n", ""),
    Shape::numbered("wildcards", "", "*.a{}.com\n", ""),
    Shape::numbered("exceptions", "", "*.a{}.com\n!b.a{}.com\n", ""),
    // The hash of a label covers its last sixteen bytes.
    Shape::numbered("labels with one ending", "", "a{}bbbbbbbbbbbbbbbb.com\n", ""),
    shape("sections", "", "// ===BEGIN ICANN DOMAINS===\na.com\n// ===END ICANN DOMAINS===\n", ""),
    shape("sections inside sections", "", "// ===BEGIN ICANN DOMAINS===\n", "com\n"),
    shape("comments", "com\n", "// a comment\n", ""),
    shape("one long comment", "com\n// ", "a ", "\n"),
    shape("blank lines", "com\n", "\n", ""),
    shape("spaces after a rule", "com", " ", "\n"),
];

/// Rules with the maximum number of labels of a name.
fn longest_rules(length: usize, rule: fn(usize, &str) -> String) -> String {
    let labels = "a.".repeat(120);
    let mut text = String::new();
    for number in 0.. {
        let next = rule(number, &labels);
        if text.len() + next.len() > length && number > 0 {
            break;
        }
        text.push_str(&next);
    }
    text
}

/// Shapes of lists of tracking parameters. Each names the host `h` or all hosts.
pub const TRACKING_LISTS: &[Shape] = &[
    Shape::numbered(
        "parameters for all sites",
        r#"{"a": {"topLevelSites": ["*"], "queryParams": ["a""#,
        r#","p{}""#,
        "]}}",
    ),
    Shape::numbered(
        "sites of a parameter",
        r#"{"a": {"queryParams": ["p0001"], "topLevelSites": ["h""#,
        r#","s{}.example""#,
        "]}}",
    ),
    Shape::numbered(
        "entries with one parameter",
        "{",
        r#""e{}": {"queryParams": ["p0001"], "topLevelSites": ["g"]},"#,
        r#""e": {"queryParams": ["a"], "topLevelSites": ["h"]}}"#,
    ),
    Shape::numbered(
        "entries with one site",
        "{",
        r#""e{}": {"queryParams": ["p{}"], "topLevelSites": ["h"]},"#,
        r#""e": {"queryParams": ["a"], "topLevelSites": ["h"]}}"#,
    ),
    Shape::made("parameters and sites", |length| {
        let (parameters, sites) = (numbered(r#","p{}""#, length / 2), numbered(r#","s{}""#, length / 2));
        format!(r#"{{"a": {{"queryParams": ["a"{parameters}], "topLevelSites": ["h"{sites}]}}}}"#)
    }),
    shape("brackets", "", "[", ""),
    shape("escapes", r#"{"a": {"queryParams": [""#, r"\u0061", r#""], "topLevelSites": ["*"]}}"#),
];

/// Shapes of lines with one URL each.
pub const LINES: &[Shape] = &[
    Shape::numbered("different hosts", "", "http://a{}.example/\n", ""),
    Shape::numbered("URLs without a host", "", "mailto:{}@a.example\n", ""),
    Shape::numbered("different paths", "", "http://a.example/{}\n", ""),
    shape("one URL, many times", "", "http://a.example/\n", ""),
    Shape::numbered("lines that are rejected", "", "http://[{}\n", ""),
    shape("one long URL", "http://a.example/", "a", "\n"),
    shape("empty lines", "", "\n", ""),
    shape("line ends of two bytes", "", "\r\n", ""),
    shape("carriage returns", "", "\r", "\n"),
];

/// Shapes of filters of Adblock Plus.
pub const FILTERS: &[Shape] = &[
    Shape::numbered("hosts", "@@||a1.example^\n", "||a{}.example^\n", ""),
    shape("labels of a host beside an exception", "||", "a.", "b.example^\n@@||x.example^\n"),
    shape("labels of a host beside an open exception", "||", "a.", "b.example^\n@@||x.example\n"),
    shape("labels of an open exception", "||a.example^\n@@||", "a.", "b.example\n"),
    Shape::made("labels of two hosts and their exceptions", |length| {
        let labels = "a.".repeat(length / 8);
        format!("||{labels}b^\n||{labels}c^\n@@||{labels}d^\n@@||{labels}e\n")
    }),
];

/// Shapes of hidden lists in the text form.
pub const HIDDEN_LISTS: &[Shape] = &[
    Shape::numbered(
        "entries",
        "# urlid-list: 1\n# variant: n\n# intake: rfc3986\n# user-info: keep\n# algorithms: sha1\n# keep: none\n# covers: url\n# count: 1\n# digest: 0000000000000000000000000000000000000000000000000000000000000000\n# snapshot: none\n",
        "hashed:sha1=87ed28009f511ed7ef630180a229ba257180{}\n",
        "",
    ),
    Shape::made("algorithms for private use", |length| {
        let names = numbered("x-{},", length / 3);
        let entries = numbered("hashed:x-{}=00\n", length - length / 3);
        let names = names.trim_end_matches(',');
        format!(
            "# urlid-list: 1\n# variant: n\n# intake: rfc3986\n# user-info: keep\n# algorithms: {names}\n# keep: none\n# covers: url\n# count: 1\n# digest: 0000000000000000000000000000000000000000000000000000000000000000\n# snapshot: none\n{entries}"
        )
    }),
    shape(
        "lines that are rejected",
        "# urlid-list: 1\n# variant: n\n# intake: rfc3986\n# user-info: keep\n# algorithms: sha1\n# keep: none\n# covers: url\n# count: 1\n# digest: 0000000000000000000000000000000000000000000000000000000000000000\n# snapshot: none\n",
        "x\n",
        "",
    ),
    shape("digits of a digest", "hashed:sha1=", "0", "\n"),
    shape("flags", "hashed:sha1=87ed28009f511ed7ef630180a229ba257180a481", "+frag+query", "\n"),
    shape("blank lines", "# urlid-list: 1\n", "\n", ""),
];

/// Shapes of web archives and of their indexes.
pub const ARCHIVES: &[Shape] = &[
    Shape::numbered(
        "records",
        "",
        "WARC/1.0\r\nWARC-Type: resource\r\nWARC-Target-URI: http://h/{}\r\nContent-Length: 0\r\n\r\n\r\n\r\n",
        "",
    ),
    shape("fields of a record", "WARC/1.0\r\n", "A: b\r\n", "Content-Length: 0\r\n\r\n\r\n\r\n"),
    shape("a long field", "WARC/1.0\r\nA:", " b", "\r\nContent-Length: 0\r\n\r\n\r\n\r\n"),
    shape("folded lines", "WARC/1.0\r\nA: b\r\n", " c\r\n", "Content-Length: 0\r\n\r\n\r\n\r\n"),
    shape("line ends before a record", "", "\r\n", "WARC/1.0\r\n"),
    Shape::made("fields of a response", |length| response(&"A: b\r\n".repeat(length / 6))),
    Shape::made("a long status line", |length| response(&format!("{}\r\n", "a".repeat(length)))),
    Shape::numbered(
        "lines of an index",
        " CDX N b a m s k r M S V g\n",
        "com,h)/{} 20200101000000 http://h.com/{} text/html 200 AAAA - - 1 2 f\n",
        "",
    ),
    shape("spaces in an index", " CDX N b a m s k r M S V g\n", " ", "\n"),
    Shape::numbered(
        "lines of JSON in an index",
        "",
        "com,h)/{} 20200101000000 {\"url\": \"http://h.com/{}\"}\n",
        "",
    ),
    shape("brackets in an index", "com,h)/ 20200101000000 {\"a\": ", "[", "\n"),
    shape("escapes in an index", "com,h)/ 20200101000000 {\"url\": \"", r"\u0061", "\"}\n"),
];

/// Shapes of the bodies of requests. Each is read as every type of body.
pub const BODIES: &[Shape] = &[
    Shape::numbered("members", "{\"a\": 1", ", \"k{}\": 1", "}"),
    Shape::numbered("members with numbered names", "{\"a\": 1", ", \"a.{}_\": [1, 2]", "}"),
    Shape::made("a list of values with a long name", |length| {
        format!("{{\"{}\": [{}1]}}", "n".repeat(length / 2), "1,".repeat(length / 4))
    }),
    shape("one name, many times", "{\"a\": 1", ", \"a\": 1", "}"),
    shape("values", "{\"a\": [1", ", 1", "]}"),
    shape("brackets", "{\"a\": ", "[", ""),
    Shape { name: "nested objects", before: "", filling: Filling::Halves("{\"a\":", "}"), after: "" },
    shape("lines of JSON", "{\"a\": 1}", "\n{\"a\": 1}", ""),
    shape("digits", "{\"a\": 1.", "1", "}"),
    shape("escapes of JSON", "{\"a\": \"", r"\ud83d\ude00", "\"}"),
    shape("escapes of a form", "a=", "%C3%A9", ""),
    shape("half escapes of a form", "a=", "é%C3", ""),
    shape("parts", "", "--b\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\nx\r\n", "--b--"),
    shape("a long part", "--b\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n", "\r\n--", "\r\n--b--"),
    shape("folded lines", "--b\r\nContent-Disposition: form-data", "\r\n ;a=\"\\\"", "\r\n\r\n\r\n--b--"),
    shape("options", "--b\r\nContent-Disposition: form-data", ";a=\"", "\r\n\r\n\r\n--b--"),
    shape("chunks", "", "1\r\na\r\n", "0\r\n\r\n"),
];

/// A record whose content is a response with these fields.
fn response(fields: &str) -> String {
    let content = format!("HTTP/1.1 200 OK\r\n{fields}\r\nbody");
    format!(
        "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://h/\r\nWARC-Date: 2020-01-01T00:00:00Z\r\nContent-Type: application/http\r\nContent-Length: {}\r\n\r\n{content}\r\n\r\n",
        content.len()
    )
}

/// Shapes of tables of comma-separated values, with a column `url`.
pub const CSV_TABLES: &[Shape] = &[
    Shape::numbered("rows", "url,n\n", "http://h/{},1\n", ""),
    shape("empty rows", "url\n", "\n", ""),
    shape("fields of a row", "url", ",a", "\n"),
    Shape::numbered("columns", "url", ",c{}", "\nhttp://h/\n"),
    shape("quotes", "url\n\"", "\"\"", "\"\n"),
    shape("lines inside quotes", "url\n\"", "a\n", "\"\n"),
    shape("a quote that is not closed", "url\n\"", "a,\n", ""),
    shape("carriage returns", "url\n", "\r", "\n"),
];

/// Shapes of tables of JSON objects, one on each line, with a key `url`.
pub const JSON_TABLES: &[Shape] = &[
    Shape::numbered("rows", "", "{\"url\": \"http://h/{}\", \"n\": 1}\n", ""),
    Shape::numbered("keys", "{\"url\": \"http://h/\"", ", \"k{}\": 1", "}\n"),
    shape("one key, many times", "{\"url\": \"http://h/\"", ", \"url\": \"a\"", "}\n"),
    Shape {
        name: "nested objects",
        before: "{\"url\": \"http://h/\", \"a\": ",
        filling: Filling::Halves("{\"a\":", "}"),
        after: "}\n",
    },
    shape("brackets", "{\"url\": ", "[", "\n"),
    shape("escapes", "{\"url\": \"", "\\u0061", "\"}\n"),
    shape("empty rows", "", "\n", ""),
];

/// Shapes of files of rules of sites. The rules are applied to the URL in the last line.
pub const RULE_FILES: &[Shape] = &[
    shape("fields under nested scopes", NESTED_SCOPES, "q=1&drop=2&", ""),
    shape("index files under nested scopes", NESTED_SCOPES_OF_PATHS, "i/", ""),
    shape("sessions that no rule lists", "urlid-rules 1\n[h]\nsession s\nhttp://h/", "a;t=1/", ""),
    shape("sessions", "urlid-rules 1\n[h]\nsession s\nhttp://h/", "a;s=1/", ""),
    shape("sessions of one segment", "urlid-rules 1\n[h]\nsession s\nhttp://h/a", ";s=1", ""),
    Shape::made("sessions, each listed when the next is gone", |length| {
        // The bytes of the file grow with the square of the sessions.
        let sessions: Vec<String> = (0..length.isqrt() / 3).map(|number| format!(";k{number}=")).collect();
        let scope = |count: usize| format!("[h/a{}/]\nsession k{}\n", sessions[..count].concat(), count - 1);
        let scopes: String = (1..=sessions.len()).map(scope).collect();
        format!("urlid-rules 1\n{scopes}http://h/a{}/{}", sessions.concat(), "b;x=1/".repeat(length / 12))
    }),
    Shape::numbered("rules", "urlid-rules 1\n[h]\ndrop", " n{}", "\nhttp://h/?n0001=1&n1=2"),
    Shape::numbered("scopes", "urlid-rules 1\n", "[h/a{}/]\nslash\n", "http://h/a0001/"),
];

const NESTED_SCOPES: &str = "urlid-rules 1\n[*]\ndrop drop\n[h]\nhold a\n[h/a/]\nhold b\n[h/a/a/]\nhold c\n\
     [h/a/a/a/]\nhold d\n[h/a/a/a/a/]\nhold e\nhttp://h/a/a/a/a/a?";
const NESTED_SCOPES_OF_PATHS: &str = "urlid-rules 1\n[*]\nindex i\nslash\n[h]\nindex a\n[h/i/]\nindex b\n[h/i/i/]\nindex c\n\
     [h/i/i/i/]\nindex d\nhttp://h/";

/// Shapes of crawls of one registered domain, with one URL on each line.
pub const CRAWLS: &[Shape] = &[
    shape("sessions in a path", "http://h.example/b;s=1/\nhttp://h.example/", "a;s=1/", "1"),
    Shape::numbered("hosts with one page", "", "http://h{}.x.example/p?k=1\n", ""),
    Shape::numbered(
        "hosts with and without www",
        "",
        "http://h{}.x.example/p\nhttp://www.h{}.x.example/p\n",
        "",
    ),
    Shape::numbered("pages with a field", "", "http://h.example/p{}?s=1\nhttp://h.example/p{}\n", ""),
    Shape::numbered("values of a field", "", "http://h.example/p?s={}\n", ""),
    Shape::numbered("names of fields", "", "http://h.example/p?n{}=1&m{}=1\n", ""),
    shape("one page", "", "http://h.example/p\n", ""),
];
