//! The index through the program: adding and looking up here, the other verbs beside.

mod columns;
mod dataset;
mod keeping;
mod loads;
mod queries;
mod tables;

use std::ffi::OsStr;
use std::path::PathBuf;

use crate::support::{DOCS, DOCS_ID, Folder, Ran, urlid, urlid_on};

/// An index in a folder of its own.
struct Index {
    folder: Folder,
    path: PathBuf,
}

impl Index {
    fn new(lines: &str) -> Self {
        let folder = Folder::new();
        let path = folder.path().join("urls.db");
        let index = Index { folder, path };
        let ran = index.add(lines.as_bytes(), &[]);
        assert_eq!(ran.code, Some(0), "{}", ran.err);
        index
    }

    fn args<'a>(&'a self, verb: &'a str, args: &'a [&'a str]) -> impl Iterator<Item = &'a OsStr> {
        let start = [OsStr::new("index"), verb.as_ref(), self.path.as_os_str()];
        start.into_iter().chain(args.iter().map(OsStr::new))
    }

    fn add(&self, lines: &[u8], args: &[&str]) -> Ran {
        urlid_on(lines, self.args("add", args))
    }

    fn run(&self, verb: &str, args: &[&str]) -> Ran {
        urlid(self.args(verb, args))
    }
}

/// Two URLs with one identifier (docs/spec/sxurl.md: `params` is 36 bits).
const PAIR: [&str; 2] = ["https://example.com/item?id=107826", "https://example.com/item?id=27901"];

#[test]
fn get_says_by_its_exit_what_is_there() {
    let index = Index::new(DOCS);
    index.run("get", &[DOCS]).is_quiet(0, "https://docs.rs/\n");
    index.run("get", &["--ids", "HTTPS://DOCS.rs"]).is_quiet(0, &format!("{DOCS_ID}\t{DOCS}\n"));
    index.run("get", &["https://docs.rs/x"]).is_quiet(1, "");
    index.run("get", &[&DOCS_ID.replace("29e356", "29e357")]).is_quiet(1, "");
    assert_eq!(index.run("get", &["12"]).code, Some(3));
    let ran = index.run("get", &["docs.rs"]);
    assert!(ran.code == Some(3) && ran.err.ends_with("did you mean https://docs.rs?\n"), "{}", ran.err);
    index.run("get", &["ws://h/"]).is_quiet(1, "");
    assert_eq!(index.run("get", &["http://[/"]).code, Some(3));
}

#[test]
fn rows_come_in_every_format() {
    let index = Index::new(DOCS);
    for (format, expected) in [
        ("text", format!("{DOCS}\n")),
        ("csv", format!("id,url\n{DOCS_ID},{DOCS}\n")),
        ("tsv", format!("id\turl\n{DOCS_ID}\t{DOCS}\n")),
        ("ndjson", format!("{{\"id\":\"{DOCS_ID}\",\"url\":\"{DOCS}\"}}\n")),
    ] {
        index.run("find", &["--format", format]).is_quiet(0, &expected);
        index.run("get", &["--format", format, DOCS]).is_quiet(0, &expected);
    }
    index.run("find", &["--ids"]).is_quiet(0, &format!("{DOCS_ID}\t{DOCS}\n"));
}

#[test]
fn urls_without_an_sxurl_are_kept_and_found() {
    let lines = "http://1.2.3.4:80/a?q\nHTTPS://www.example.com./\nmailto:a@b.c\nwss://example.com\nhttps://example.com/\n";
    let index = Index::new(lines);
    index.run("count", &[]).is_quiet(0, "5\n");
    for (conditions, urls) in [
        (&["--host", "1.2.3.4"][..], "http://1.2.3.4:80/a?q\n"),
        (&["--scheme", "mailto"], "mailto:a@b.c\n"),
        (&["--scheme", "mailto", "--path", "a@b.c"], "mailto:a@b.c\n"),
        (&["--host", ""], "mailto:a@b.c\n"),
        (&["--has", "query"], "http://1.2.3.4:80/a?q\n"),
        (&["--path-prefix", "/a"], "http://1.2.3.4:80/a?q\n"),
        (
            &["--domain", "example", "--tld", "com"],
            "https://example.com/\nwss://example.com/\nhttps://www.example.com./\n",
        ),
    ] {
        index.run("find", conditions).is_quiet(0, urls);
        index.run("count", conditions).is_quiet(0, &format!("{}\n", urls.lines().count()));
    }
    index.run("get", &["http://16909060:80/a?q"]).is_quiet(0, "http://1.2.3.4:80/a?q\n");
    index
        .run("count", &["--by", "scheme", "--format", "csv"])
        .is_quiet(0, "name,rows\nhttps,2\nhttp,1\nmailto,1\nwss,1\n");
    index
        .run("find", &["--scheme", "mailto", "--format", "ndjson"])
        .is_quiet(0, "{\"id\":null,\"url\":\"mailto:a@b.c\"}\n");
    index.run("find", &["--scheme", "mailto", "--ids"]).is_quiet(0, "\tmailto:a@b.c\n");
    let ran = index.run("find", &["--scheme", "http:"]);
    assert!(ran.code == Some(2) && ran.err.contains("scheme is not valid"), "{}", ran.err);
    let name = index.path.display();
    index.run("delete", &["--scheme", "mailto"]).is_quiet(0, &format!("{name}: 1 deleted\n"));
    index.run("verify", &[]).is_quiet(0, &format!("{name}: 4 rows checked, 0 findings\n"));
    let ran = index.add(b"mailto:a@b.c\nhttp://1.2.3.4:80/a?q\n", &["--format", "csv"]);
    assert_eq!((ran.code, ran.out.lines().nth(1)), (Some(0), Some("2,0,0,2,1,2,0")));
}

#[test]
fn stats_count_by_name() {
    let index = Index::new("https://a.sc/\nhttps://b.tax/\nhttps://b.tax/x\n");
    let expected = "rows\t\t3\nwithout_sxurl\t\t0\nurl_bytes\t\t42\nscheme\thttps\t3\ntld\ttax\t2\ntld\tsc\t1\nregistered_domain\tb.tax\t2\nregistered_domain\ta.sc\t1\n";
    index.run("show", &[]).is_quiet(0, expected);
    let ran = index.run("show", &["--limit", "1", "--format", "csv"]);
    assert_eq!(
        ran.out,
        "count,name,rows\nrows,\"\",3\nwithout_sxurl,\"\",0\nurl_bytes,\"\",42\nscheme,https,3\ntld,tax,2\nregistered_domain,b.tax,2\n"
    );
}

#[test]
fn foreign_files_are_rejected_and_unchanged() {
    let folder = Folder::new();
    let foreign = folder.file("foreign", "not an index");
    let empty = folder.file("empty", "");
    for path in [foreign.as_path(), &empty, folder.path()] {
        for verb in ["find", "show", "add"] {
            let ran = urlid([OsStr::new("index"), verb.as_ref(), path.as_os_str()]);
            assert_eq!(ran.code, Some(4), "{verb}: {}", ran.err);
            assert!(ran.err.contains("ERR_"), "{verb}: {}", ran.err);
        }
    }
    assert_eq!(std::fs::read(&foreign).expect("it is there"), b"not an index");
    assert_eq!(std::fs::read(&empty).expect("it is there"), b"");
}

#[test]
fn values_are_never_sql() {
    let hostile = ["'; DROP TABLE url;--", "%", "_", "x'00'", "\" OR 1=1", "a\0b"];
    let lines: String =
        hostile.iter().map(|value| format!("https://a.com/{value}?{value}#{value}\n")).collect();
    let index = Index::new(&lines);
    for value in hostile.iter().filter(|value| !value.contains('\0')) {
        // The last `#` of a text begins nothing new: values here have none, `?` is in none.
        let expected = format!("https://a.com/{value}?{value}#{value}\n");
        for option in ["--query", "--fragment"] {
            index.run("find", &[option, value]).is_quiet(0, &expected);
        }
        index.run("find", &["--path", &format!("/{value}")]).is_quiet(0, &expected);
        for option in ["--domain", "--tld", "--sub", "--host"] {
            assert_ne!(index.run("find", &[option, value]).code, Some(0), "{option} {value}");
        }
    }
    assert_eq!(index.run("find", &[]).out, sorted_by_id(&lines));
    drop(index.folder);
}

/// Returns lines in the order of their identifiers.
fn sorted_by_id(lines: &str) -> String {
    let ids = urlid_on(lines.as_bytes(), ["id"]).out;
    let mut rows: Vec<_> = ids.lines().zip(lines.lines()).collect();
    rows.sort_unstable();
    rows.into_iter().map(|(_, url)| format!("{url}\n")).collect()
}
