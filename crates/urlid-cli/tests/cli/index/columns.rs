//! A part of a URL has one value wherever it is shown, counted or asked for: in an index and in a dataset, in
//! their columns, in a copy as SQLite. `bindings/sqlite/test_find.py` compares `urlid_find` with the same.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs::File;
use std::ops::ControlFlow;
use std::path::Path;

use urlid_io::tables::ParquetColumn;

use crate::support::{Folder, Ran, dataset, urlid, urlid_on};

/// A stored URL, and its host, tld, domain, registered domain and sub. Hosts are split where
/// docs/index-format.md, section 2, says.
type Parts = [Option<&'static str>; 5];
const URLS: [(&str, Parts); 24] = [
    ("http://1.2.3.4/", [Some("1.2.3.4"), None, None, None, None]),
    ("https://1.2.3.4:8443/", [Some("1.2.3.4"), None, None, None, None]),
    ("foo://1.2.3.4/", [Some("1.2.3.4"), None, None, None, None]),
    ("http://[::1]/", [Some("[::1]"), None, None, None, None]),
    ("http://[2001:db8::1]:8080/a", [Some("[2001:db8::1]"), None, None, None, None]),
    ("http://a/", [Some("a"), Some("a"), None, None, Some("")]),
    ("ws://a/", [Some("a"), Some("a"), None, None, Some("")]),
    ("http://localhost:3000/", [Some("localhost"), Some("localhost"), None, None, Some("")]),
    ("http://com/", [Some("com"), Some("com"), None, None, Some("")]),
    ("http://co.uk/", [Some("co.uk"), Some("co.uk"), None, None, Some("")]),
    ("http://github.io./", [Some("github.io."), Some("github.io"), None, None, Some("")]),
    ("http://b.ck/", [Some("b.ck"), Some("b.ck"), None, None, Some("")]),
    ("http://www.ck/", [Some("www.ck"), Some("ck"), Some("www"), Some("www.ck"), Some("")]),
    ("http://a..com/", [Some("a..com"), Some("com"), None, None, Some("a")]),
    ("http://.a.com/", [Some(".a.com"), Some("com"), Some("a"), Some("a.com"), Some("")]),
    ("https://a.com/", [Some("a.com"), Some("com"), Some("a"), Some("a.com"), Some("")]),
    ("https://www.a.co.uk/", [Some("www.a.co.uk"), Some("co.uk"), Some("a"), Some("a.co.uk"), Some("www")]),
    (
        "https://x.y.a.github.io/",
        [Some("x.y.a.github.io"), Some("github.io"), Some("a"), Some("a.github.io"), Some("x.y")],
    ),
    ("foo://www.a.com/", [Some("www.a.com"), Some("com"), Some("a"), Some("a.com"), Some("www")]),
    ("foo:///x", [None; 5]),
    ("foo:x", [None; 5]),
    ("foo:", [None; 5]),
    ("mailto:a@a.com", [None; 5]),
    ("file:///x", [None; 5]),
];
const NAMES: [&str; 5] = ["host", "tld", "domain", "registered-domain", "sub"];

fn index(verb: &str, store: &Path, args: &[&str]) -> Ran {
    let start = [OsStr::new("index"), verb.as_ref(), store.as_os_str()];
    urlid(start.into_iter().chain(args.iter().map(OsStr::new)))
}

fn sorted<'t>(lines: impl Iterator<Item = &'t str>) -> Vec<&'t str> {
    let mut lines: Vec<_> = lines.collect();
    lines.sort_unstable();
    lines
}

/// Returns the counts of values that `count --by` prints.
fn counts(out: &str) -> BTreeMap<&str, usize> {
    out.lines()
        .filter_map(|line| line.rsplit_once('\t'))
        .map(|(name, count)| (name, count.parse().expect("a count")))
        .collect()
}

fn expected(part: usize) -> BTreeMap<&'static str, usize> {
    let mut counts = BTreeMap::new();
    URLS.iter().for_each(|(_, parts)| *counts.entry(parts[part].unwrap_or_default()).or_default() += 1);
    counts
}

#[test]
fn a_part_has_one_value_wherever_it_is_asked_for() {
    let folder = Folder::new();
    let lines = URLS.map(|(url, _)| format!("{url}\n")).concat();
    let (file, urls) = (folder.path().join("urls.db"), dataset(&folder, "urls", &lines));
    let add = [OsStr::new("index"), "add".as_ref(), file.as_os_str(), "-".as_ref()];
    assert_eq!(urlid_on(lines.as_bytes(), add).code, Some(0));
    for store in [&file, &urls] {
        for (part, name) in NAMES.iter().enumerate() {
            let ran = index("count", store, &["--by", name]);
            assert_eq!((counts(&ran.out), ran.err.as_str()), (expected(part), ""), "{name}");
            for value in expected(part).into_keys() {
                let option = format!("--{name}={value}");
                let ran = index("find", store, &[&option, "--format", "text"]);
                if (*name, value) == ("tld", "") {
                    assert_eq!(ran.code, Some(2), "an empty text is no suffix");
                    continue;
                }
                let met = |parts: &Parts| parts[part].unwrap_or_default() == value;
                let met = URLS.iter().filter(|(_, parts)| met(parts)).map(|(url, _)| *url);
                assert_eq!(sorted(ran.out.lines()), sorted(met), "{option}");
            }
        }
        // A host is no registered domain because it has none.
        for (host, hint) in [
            ("1.2.3.4", "`1.2.3.4` is an address, which has no registered domain: try --host 1.2.3.4"),
            ("a", "`a` is a public suffix: try --under a"),
            ("co.uk", "`co.uk` is a public suffix: try --under co.uk"),
            (
                "www.a.com",
                "`www.a.com` is not a registered domain: try --under www.a.com, or --registered-domain a.com",
            ),
        ] {
            let ran = index("find", store, &["--registered-domain", host]);
            // The index says besides which rows only share slices.
            let said = ran.err.lines().filter(|line| !line.contains("left out because their"));
            assert_eq!(
                (ran.code, said.collect::<Vec<_>>()),
                (Some(1), vec![&*format!("urlid: hint: {hint}")])
            );
            assert_eq!(ran.out, "");
        }
        let hint = "urlid: hint: `1.2.3.4` is an address, which has no public suffix\n";
        index("find", store, &["--tld", "1.2.3.4"]).is(1, "", hint);
        for (url, _) in URLS {
            index("get", store, &[url]).is_quiet(0, &format!("{url}\n"));
        }
        let matched = urlid_on(lines.as_bytes(), [OsStr::new("index"), "match".as_ref(), store.as_os_str()]);
        assert_eq!(sorted(matched.out.lines()), sorted(lines.lines()));
    }
    columns_of_a_dataset(&urls.join("part-00000.parquet"));
    columns_of_a_copy(&file, &folder.path().join("readable.db"));
    // The parts of `urlid parts` are those of the URL Standard, for which hosts of other schemes and hosts
    // with empty labels have none.
    let web: Vec<_> = URLS
        .iter()
        .filter(|(url, _)| !url.contains("foo") && !url.contains("..") && !url.contains("//."))
        .collect();
    let lines: String = web.iter().map(|(url, _)| format!("{url}\n")).collect();
    let mut expected = BTreeMap::new();
    web.iter().for_each(|(_, parts)| *expected.entry(parts[3].unwrap_or_default()).or_default() += 1);
    assert_eq!(counts(&urlid_on(lines.as_bytes(), ["count", "--by", "registered_domain"]).out), expected);
}

fn columns_of_a_dataset(path: &Path) {
    let values = |name: &str| {
        let column =
            ParquetColumn::open(File::open(path).expect("it is there"), &name.into()).expect("it has texts");
        let mut values = Vec::new();
        let each = &mut |value: Option<&[u8]>| {
            values.push(value.map(|text| String::from_utf8_lossy(text).into_owned()));
            ControlFlow::Continue(())
        };
        column.each_value(each).expect("it is whole");
        values
    };
    let urls: Vec<_> = values("url").into_iter().flatten().collect();
    assert_eq!(urls.len(), URLS.len());
    for (part, name) in [(0, "host"), (1, "tld"), (3, "registered_domain")] {
        for (url, value) in urls.iter().zip(values(name)) {
            let (_, parts) = URLS.iter().find(|(other, _)| other == url).expect("it was added");
            assert_eq!(value.as_deref(), parts[part], "{url} {name}");
        }
    }
}

fn columns_of_a_copy(index_file: &Path, out: &Path) {
    let name = out.to_str().expect("is text");
    assert_eq!(index("export", index_file, &["--format", "sqlite", "--out", name]).code, Some(0));
    let copy = rusqlite::Connection::open(out).expect("opens");
    for (url, parts) in URLS {
        let sql = "SELECT host, tld, registered_domain, sub FROM urls WHERE url_text = ?1";
        let found: [Option<String>; 4] = copy
            .query_row(sql, [url], |row| Ok([row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?]))
            .expect("it is there");
        let expected = [parts[0], parts[1], parts[3], parts[4]].map(|part| part.map(str::to_owned));
        assert_eq!(found, expected, "{url}");
    }
}
