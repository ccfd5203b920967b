//! Errors of hidden lists and of public suffix lists.

use urlid::hashed_uri::{Algorithm, Key, Variant};
use urlid::suffix::{self, Sections};
use urlid_lists::{
    Covers, Delta, HiddenList, ListBuilder, ListKind, ListReader, ListRules, Padding, Routes, SeenEdition,
    ShardIndex, Store, TrustedKey,
};

use crate::example::{Example, example};

pub(crate) fn examples() -> Vec<Example> {
    [hidden(), editions(), keys(), suffixes()].into_iter().flatten().collect()
}

/// Returns the text of a list of two URIs.
fn text() -> String {
    let mut builder =
        ListBuilder::new(ListRules::default(), &[Algorithm::Sha1], None).expect("sha1 needs no key");
    for uri in ["http://example.com/", "http://example.org/"] {
        builder.add(uri, None).expect("it is a URI");
    }
    let mut text = Vec::new();
    builder.finish().write_text(&mut text).expect("memory can be written");
    String::from_utf8(text).expect("a list is ASCII")
}

/// Reads a text. The first rejected line is also an error.
fn read(text: &str) -> Result<HiddenList, urlid::Error> {
    let mut reader = ListReader::new();
    text.lines().try_for_each(|line| reader.line(line))?;
    reader.finish()
}

fn hidden() -> Vec<Example> {
    let good = text();
    let changed = |from: &str, to: &str| {
        assert!(good.contains(from), "{good}");
        read(&good.replacen(from, to, 1))
    };
    let last_line = good.lines().last().unwrap_or_default();
    vec![
        example!("a list without a header", read(last_line)),
        example!("a list of version 2", changed("urlid-list: 1", "urlid-list: 2")),
        example!("a list with a flipped digit", changed(last_line, &flipped(last_line))),
        example!(
            "a list with the intake `web` for URIs as they are written",
            changed("variant: n", "variant: none")
        ),
        example!(
            "a list that drops user information from URIs by the generic syntax",
            changed("intake: web", "intake: rfc3986")
        ),
        example!("routes by a different public suffix list", routes_by_another_suffix_list()),
        example!(
            "a list with keyed and other algorithms in its header",
            changed(": sha1", ": sha1,x-hmac-sha256")
        ),
        example!("a list with an unknown key", changed("# variant", "# colour: red\n# variant")),
        example!("a list with a key twice", changed("# variant", "# variant: n\n# variant")),
        example!("a list with a line that is not a key", changed("# variant", "# hello\n# variant")),
        example!("a list of a different length", changed(last_line, "")),
        example!("a list with a line that is not an entry", changed(last_line, "http://example.com/")),
        example!("a list with a late header", changed(last_line, "# variant: n")),
        example!("bytes that are not a compiled list", HiddenList::from_compiled(b"hello".to_vec())),
    ]
}

/// Errors of compiled lists, deltas, shards and signatures.
fn editions() -> Vec<Example> {
    let list = read(&text()).expect("it is a list");
    let prefix = list.compile(Store::usual(ListKind::Prefix)).expect("it is whole");
    let shards = list.shards(1, None, Padding::None).expect("it can be split");
    let index = ShardIndex::from_bytes(shards.index()).expect("it is an index");
    let mut shard = Vec::new();
    shards.write(0, &mut shard).expect("memory can be written");
    let key: TrustedKey = PUBLIC_KEY.parse().expect("it is a key");
    vec![
        example!("the text of a list that keeps a part of each digest", prefix.compile(Store::WHOLE)),
        example!("bytes that are not a delta", Delta::from_bytes(b"hello")),
        example!("a chain of deltas that does not include the list", Delta::start_of(&[], list.checksum())),
        example!("bytes that are not an index of shards", ShardIndex::from_bytes(b"hello")),
        example!("a shard in the place of a different shard", index.read(1, shard)),
        example!("a list without a signature", key.verify(b"hello", "")),
        example!("a damaged record of what was seen", "hello".parse::<SeenEdition>()),
        example!("a text that is not a public key", "hello".parse::<TrustedKey>()),
        example!("a bad number of bits", Store::new(ListKind::Prefix, Some(40))),
    ]
}

/// The public key of the examples of minisign.
const PUBLIC_KEY: &str = "RWQf6LRCGA9i53mlYecO4IzT51TGPpvWucNSCh1CBM0QTaLn73Y7GFO3";

/// Reads routes with a different suffix list from the one that made them.
fn routes_by_another_suffix_list() -> Result<Routes, urlid::Error> {
    let rules = ListRules { covers: Covers::Subdomains, ..ListRules::default() };
    let builder = ListBuilder::new(rules, &[Algorithm::Sha1], None).expect("sha1 needs no key");
    let own = suffix::SuffixList::parse("// VERSION: own\ncom\n", Sections::All).expect("it is a rule");
    let mut text = Vec::new();
    builder.with_routes(&own).finish_routed().1.write(&mut text).expect("memory can be written");
    Routes::read(&String::from_utf8(text).expect("it is ASCII"), &suffix::SuffixList::none())
}

/// Returns an entry with a different last digit.
fn flipped(entry: &str) -> String {
    let (start, last) = entry.split_at(entry.len() - 1);
    format!("{start}{}", if last == "0" { "1" } else { "0" })
}

fn keys() -> Vec<Example> {
    let key = Key::new(&[7; 32]).expect("it is long enough");
    let build = |algorithms: &[Algorithm], key| ListBuilder::new(ListRules::default(), algorithms, key);
    vec![
        example!("a list without an algorithm", build(&[], None)),
        example!(
            "a list with the intake `web` for URIs as they are written",
            ListBuilder::new(
                ListRules { variant: Variant::None, ..ListRules::default() },
                &[Algorithm::Sha1],
                None
            )
        ),
        example!("no list to merge", HiddenList::merge(&[])),
        example!("a keyed list without a key", build(&[Algorithm::XHmacSha256], None)),
        example!("a list with a key that it does not need", build(&[Algorithm::Sha1], Some(&key))),
        example!(
            "a list with keyed and other algorithms",
            build(&[Algorithm::Sha1, Algorithm::XHmacSha256], Some(&key))
        ),
    ]
}

fn suffixes() -> Vec<Example> {
    let parse = |text: &str| suffix::SuffixList::parse(text, Sections::All);
    vec![
        example!("a suffix list with the rule `a..b`", parse("com\na..b\n")),
        example!("a suffix list with the rule `a%b`", parse("a%b\n")),
        example!(
            "a suffix list with a rule longer than any name",
            parse(&format!("{}com\n", "a.".repeat(126)))
        ),
        example!("a suffix list that ends a section twice", parse("// ===END ICANN DOMAINS===\ncom\n")),
        example!("a suffix list that is cut off", parse("// ===BEGIN ICANN DOMAINS===\ncom\n")),
        example!("a suffix list without a rule", parse("// nothing\n")),
    ]
}
