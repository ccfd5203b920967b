//! The columns of Common Crawl against what its converter makes (cc-index-table fe3a5e0, crawler-commons 1.6,
//! Java 17).
//!
//! A line has a URL and its columns; `\N` is null, and `\E` stands for no row.

use urlid::suffix::{Sections, SuffixList};
use urlid_canonical::{CrawlColumns, Form};

#[test]
fn columns_match_common_crawl() {
    let list = SuffixList::parse(include_str!("crawl_columns.dat"), Sections::All).expect("it is a list");
    let columns = CrawlColumns::new(&list);
    let form: Form = "cc-host-2026-05".parse().expect("it is a profile");
    let lines: Vec<&str> = include_str!("crawl_columns.tsv").lines().collect();
    assert!(lines.len() >= 40);
    for line in lines {
        let (url, expected) = line.split_once('\t').expect("a URL stands before its columns");
        let row = columns.row(url);
        let text = match &row {
            Ok(row) => row.each_ref().map(|value| value.as_deref().unwrap_or("\\N")).join("\t"),
            Err(_) => "\\E".to_owned(),
        };
        assert_eq!(text, expected, "{url}");
        let host = row.ok().and_then(|[host, ..]| host);
        assert_eq!(form.canonicalize(url).ok(), host, "the profile gives the first column: {url}");
    }
}

#[test]
fn hosts_and_uris_of_any_length_take_linear_time() {
    let columns = CrawlColumns::new(urlid::suffix::SuffixList::compiled());
    for (start, piece) in
        [("http://", "a."), ("dns:", "[%41]"), ("http://", "%41"), ("http://h/?", "?"), ("http:", "/")]
    {
        let row = columns.row(&[start, &piece.repeat(500_000)].concat());
        assert!(row.is_ok(), "{start}{piece}");
    }
}
