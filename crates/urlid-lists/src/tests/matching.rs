//! Matching of candidates, keyed lists and audits.

use super::*;
use urlid::hashed_uri::{HashedUri, Key};
use urlid::suffix::SuffixList;
use urlid::{Error, ErrorCode};

/// A list whose entries cover their own URL matches exactly the candidates that one of its entries matches.
#[test]
fn a_list_matches_what_one_of_its_entries_matches() {
    let uris = uris();
    for variant in VARIANTS {
        let rules = rfc3986(variant, Keep::ALL, Covers::Url);
        let listed = uris.iter().map(String::as_str).step_by(3);
        let list = build(rules, &[Algorithm::Sha1, Algorithm::Md5], listed);
        let entries: Vec<HashedUri> =
            list.entries().map(|entry| entry.to_string().parse().unwrap()).collect();
        let matcher = ListMatcher::new(&list, None).unwrap();
        let mut scratch = Scratch::default();
        for uri in &uris {
            let expected: Vec<_> =
                entries.iter().filter(|entry| entry.matches(uri, variant).unwrap()).collect();
            let mut all = Vec::new();
            matcher.each(&mut scratch, uri, None, |entry, _| all.push(entry.to_string())).unwrap();
            let first = matcher.find(&mut scratch, uri, None).unwrap();
            assert_eq!(first.map(|found| found.entry.to_string()), all.first().cloned());
            all.sort_unstable();
            assert_eq!(all, expected.iter().map(|entry| entry.to_string()).collect::<Vec<_>>(), "{uri}");
        }
    }
}

#[test]
fn many_candidates_find_what_each_finds() {
    let uris = uris();
    let mut candidates: Vec<&str> = uris.iter().map(String::as_str).collect();
    candidates.insert(70, "a b");
    candidates.push("relative");
    for (covers, listed) in [(Covers::Url, 3), (Covers::Url, 1000), (Covers::Subdomains, 5)] {
        let rules = rfc3986(Variant::N, Keep::ALL, covers);
        let listed = uris.iter().map(String::as_str).skip(1).step_by(listed);
        let list = build(rules, &[Algorithm::Sha1, Algorithm::Md5], listed);
        let matcher = ListMatcher::new(&list, None).unwrap();
        let mut scratch = Scratch::default();
        let mut find = |uri: &&str| Ok(matcher.find(&mut scratch, uri, None)?.map(|found| found.entry));
        let each: Vec<Result<Option<Entry<'_>>, Error>> = candidates.iter().map(&mut find).collect();
        let mut many = vec![Ok(None)];
        matcher.find_many(&mut scratch, &candidates, None, &mut many);
        assert_eq!(many[1..], each);
    }
}

/// The expressions of a candidate: what is found in a list of them and of more.
#[track_caller]
fn check_rungs(covers: Covers, keep: Keep, candidate: &str, expressions: &[&str]) {
    let rules = rfc3986(Variant::N, keep, covers);
    let list = build(rules, &[Algorithm::Sha1], expressions.iter().copied());
    assert_eq!(found(&list, candidate), expressions, "{candidate}");
    let mut scratch = Scratch::default();
    let matcher = ListMatcher::new(&list, None).unwrap();
    assert_eq!(matcher.each(&mut scratch, candidate, None, |_, _| {}), Ok(()));
    assert_eq!(scratch.digests(), expressions.len() as u64, "nothing else is looked up for {candidate}");
    assert!(expressions.len() <= matcher.most_digests());
}

#[test]
fn host_suffixes_and_path_prefixes_are_looked_up() {
    check_rungs(
        Covers::Subdomains,
        Keep::QUERY,
        "http://a.b.com/1/2.html?param=1",
        &[
            "http://a.b.com/1/2.html?param=1",
            "http://a.b.com/1/2.html",
            "http://a.b.com/1/",
            "http://a.b.com/",
            "http://b.com/1/2.html?param=1",
            "http://b.com/1/2.html",
            "http://b.com/1/",
            "http://b.com/",
        ],
    );
    check_rungs(
        Covers::Subdomains,
        Keep::NONE,
        "http://a.b.c.d.e.f.com/1.html",
        &[
            "http://a.b.c.d.e.f.com/1.html",
            "http://a.b.c.d.e.f.com/",
            "http://c.d.e.f.com/1.html",
            "http://c.d.e.f.com/",
            "http://d.e.f.com/1.html",
            "http://d.e.f.com/",
            "http://e.f.com/1.html",
            "http://e.f.com/",
            "http://f.com/1.html",
            "http://f.com/",
        ],
    );
    check_rungs(
        Covers::Directory,
        Keep::ALL,
        "HTTP://a.co.uk/x//y?q#f",
        &[
            "http://a.co.uk/x//y?q#f",
            "http://a.co.uk/x//y",
            "http://a.co.uk/x//",
            "http://a.co.uk/x/",
            "http://a.co.uk/",
        ],
    );
    // Addresses, single labels and names of two labels have no domains above them; a public suffix is a name
    // like others.
    for host in ["1.2.3.4", "[::1]", "co.uk", "b.com", "localhost", "com"] {
        let (file, root) = (format!("http://{host}/f"), format!("http://{host}/"));
        check_rungs(Covers::Subdomains, Keep::NONE, &file, &[&file, &root]);
    }
    check_rungs(Covers::Subdomains, Keep::NONE, "foo://x.1.0x1/", &["foo://x.1.0x1/"]);
    check_rungs(
        Covers::Subdomains,
        Keep::NONE,
        "http://a.github.io/f",
        &["http://a.github.io/f", "http://a.github.io/", "http://github.io/f", "http://github.io/"],
    );
    check_rungs(Covers::Subdomains, Keep::NONE, "mailto:a@b.com", &["mailto:a@b.com"]);
    check_rungs(Covers::Subdomains, Keep::NONE, "file:/a/b", &["file:/a/b", "file:/a/", "file:/"]);
    check_rungs(
        Covers::Subdomains,
        Keep::NONE,
        "http://u:p@w.b.com.:81",
        &["http://u:p@w.b.com.:81/", "http://u:p@b.com.:81/"],
    );
}

/// The hosts above one of many labels, some of them empty, with and without final dots.
#[test]
fn the_hosts_above_a_candidate_are_its_last_five_four_three_and_two_labels() {
    for count in 1..12 {
        for (empty, end) in
            [(None, ""), (None, "."), (None, ".."), (Some(0), ""), (Some(1), ""), (Some(3), ".")]
        {
            let label = |index: usize| if Some(index) == empty { String::new() } else { format!("a{index}") };
            // Two empty labels before the last would begin a path: `http:///`.
            let labels: Vec<String> = (0..count).map(label).collect();
            if labels.last().is_some_and(String::is_empty) {
                continue;
            }
            let host = |last: usize| format!("http://{}{end}/", labels[count - last..].join("."));
            let expressions: Vec<String> = [count]
                .into_iter()
                .chain([5, 4, 3, 2].into_iter().filter(|&last| last < count))
                .map(host)
                .collect();
            check_rungs(
                Covers::Subdomains,
                Keep::NONE,
                &host(count),
                &expressions.iter().map(String::as_str).collect::<Vec<_>>(),
            );
        }
    }
}

/// One dot before a domain, two, or an empty label in between: all are below it.
#[test]
fn an_empty_label_does_not_hide_a_host() {
    let rules = ListRules { covers: Covers::Subdomains, ..ListRules::default() };
    let list = build(rules, &[Algorithm::Sha1], ["http://b.com/"]);
    for host in [".b.com", "..b.com", ".x.b.com", "x..b.com", "...b.com.", "x.b.com"] {
        assert_eq!(found(&list, &format!("http://{host}/p")), ["http://b.com/"], "{host}");
    }
    for host in [".xb.com", "b..com", "b.com.x"] {
        assert!(found(&list, &format!("http://{host}/p")).is_empty(), "{host}");
    }
}

/// All names of two labels or more that are no public suffix, and have one below them.
#[test]
fn an_entry_above_a_public_suffix_matches_below_it() {
    let suffixes = SuffixList::compiled();
    let mut above = std::collections::BTreeMap::new();
    for name in suffixes.names() {
        // `*.kawasaki.jp` is a rule, and `kawasaki.jp` its name.
        let below = if suffixes.is_normal_suffix(&name) { name.clone() } else { format!("x.{name}") };
        let uppers = [0].into_iter().chain(name.match_indices('.').map(|(dot, _)| dot + 1));
        for upper in uppers.map(|start| &name[start..]).filter(|upper| upper.contains('.')) {
            if !suffixes.is_normal_suffix(upper) && suffixes.is_normal_suffix(&below) {
                above.entry(upper.to_owned()).or_insert_with(|| below.clone());
            }
        }
    }
    assert_eq!(above.len(), 736);
    let uris: Vec<String> = above.keys().map(|name| format!("http://{name}/")).collect();
    let list = build(
        ListRules { covers: Covers::Subdomains, ..ListRules::default() },
        &[Algorithm::Sha1],
        uris.iter().map(String::as_str),
    );
    // An entry of more than five labels matches on its own host alone.
    for (upper, name) in above.iter().filter(|(upper, _)| upper.split('.').count() <= 5) {
        for host in [name.clone(), format!("a.{name}"), format!("a.b.{name}")] {
            // The last five labels are the most that a host climbs from.
            let found = found(&list, &format!("http://{host}/x?y"));
            assert!(found.contains(&format!("http://{upper}/")), "{host}: {found:?}");
        }
    }
}

/// An empty path after a host counts as `/`. N and P leave an empty authority out, and P the last slash of a
/// directory.
#[test]
fn an_empty_authority_counts_only_in_variant_none() {
    let matches = |variant: Variant| {
        let list = build(rfc3986(variant, Keep::NONE, Covers::Directory), &[Algorithm::Sha1], ["foo:///"]);
        ["foo://", "foo:///", "foo:/"].map(|uri| !found(&list, uri).is_empty())
    };
    assert_eq!(matches(Variant::N), [false, true, true]);
    assert_eq!(matches(Variant::P), [true, true, true]);
    assert_eq!(matches(Variant::None), [true, true, false]);
}

/// Of entries that match on one expression, those that keep most come first.
#[test]
fn an_entry_with_flags_is_found_before_one_without() {
    let rules = ListRules { keep: Keep::QUERY, ..ListRules::default() };
    let list = build(rules, &[Algorithm::Sha1], ["http://b.com/", "http://b.com/?"]);
    let matcher = ListMatcher::new(&list, None).unwrap();
    let entry = |uri: &str| {
        let found = matcher.find(&mut Scratch::default(), uri, None).unwrap();
        found.map(|found| found.entry.keep.flags().to_string())
    };
    assert_eq!(entry("http://b.com/?").as_deref(), Some("+query"));
    assert_eq!(entry("http://b.com").as_deref(), Some("+query"));
    assert_eq!(entry("http://b.com/?x").as_deref(), Some(""));
}

#[test]
fn a_host_without_a_path_is_its_root_in_every_variant_that_covers_more_than_urls() {
    for variant in VARIANTS {
        let rules = rfc3986(variant, Keep::NONE, Covers::Directory);
        let lists =
            ["http://h.example", "http://h.example/"].map(|uri| build(rules, &[Algorithm::Sha1], [uri]));
        assert_eq!(text(&lists[0]), text(&lists[1]));
        for uri in ["http://h.example", "http://h.example/", "http://h.example/a", "http://h.example?q"] {
            assert_eq!(found(&lists[0], uri).len(), 1, "{uri} in variant {variant}");
        }
        assert!(found(&lists[0], "http://g.example/").is_empty());
    }
}

#[test]
fn near_misses_are_missed() {
    let rules = rfc3986(Variant::N, Keep::QUERY, Covers::Subdomains);
    let list = build(rules, &[Algorithm::Sha1], ["http://b.com/x/", "http://c.com/p?q"]);
    for uri in
        ["http://a.b.com/x/y", "http://b.com/x/?z", "http://b.com/x/index.html", "http://d.c.com/p?q#f"]
    {
        assert_eq!(found(&list, uri).len(), 1, "{uri}");
    }
    for uri in [
        "http://b.com/x",
        "http://b.com/X/",
        "http://ab.com/x/",
        "https://b.com/x/",
        "http://c.com/p",
        "http://c.com/p?q2",
        "http://c.com/p/?q",
        "http://com/x/",
    ] {
        assert!(found(&list, uri).is_empty(), "{uri}");
    }
}

#[test]
fn the_cost_of_a_candidate_is_bounded() {
    let rules = rfc3986(Variant::N, Keep::ALL, Covers::Subdomains);
    let algorithms = [Algorithm::Md5, Algorithm::Sha1];
    let list = build(
        rules,
        &algorithms,
        ["http://h.com/", "http://h.com/?q", "http://h.com/#f", "http://h.com/?q#f"],
    );
    let matcher = ListMatcher::new(&list, None).unwrap();
    assert_eq!(matcher.most_digests(), 5 * (33 + 3) * 2);
    let deep = format!("http://{}h.com/{}f?q#f", "a.".repeat(100), "d/".repeat(10_000));
    let mut scratch = Scratch::default();
    matcher.each(&mut scratch, &deep, None, |_, _| {}).unwrap();
    assert_eq!(scratch.digests(), matcher.most_digests() as u64);
}

#[test]
fn relative_uris_need_a_base_on_both_sides() {
    let rules = rfc3986(Variant::N, Keep::NONE, Covers::Url);
    let mut builder = ListBuilder::new(rules, &[Algorithm::Sha1], None).unwrap();
    assert_eq!(builder.add("x", None).unwrap_err().code(), ErrorCode::Relative);
    builder.add("x", Some("http://h/a/b")).unwrap();
    let list = builder.finish();
    let matcher = ListMatcher::new(&list, None).unwrap();
    let mut scratch = Scratch::default();
    assert!(matcher.find(&mut scratch, "../a/x", Some("http://h/c/")).unwrap().is_some());
    assert_eq!(matcher.find(&mut scratch, "x", None).unwrap_err().code(), ErrorCode::Relative);
    let empty = build(rules, &[Algorithm::Sha1], []);
    let matcher = ListMatcher::new(&empty, None).unwrap();
    let rejected = matcher.find(&mut scratch, "a b", None).unwrap_err();
    assert_eq!(rejected.code(), ErrorCode::NotUri);
}

#[test]
fn a_keyed_list_matches_only_with_its_key() {
    let keys = [[1; 32], [2; 32]].map(|bytes| Key::new(&bytes).unwrap());
    let make =
        |algorithms: &[Algorithm], key: Option<&Key>| ListBuilder::new(ListRules::default(), algorithms, key);
    let code =
        |result: Result<ListBuilder, Error>| result.err().map(|error| (error.code(), error.to_string()));
    let keyed = Algorithm::XHmacSha256;
    assert_eq!(
        [
            code(make(std::slice::from_ref(&keyed), None)),
            code(make(&[Algorithm::Sha1], Some(&keys[0]))),
            code(make(&[Algorithm::Sha1, keyed.clone()], Some(&keys[0]))),
            code(make(&[], None)),
            code(make(&["x-other".parse().unwrap()], None)),
        ],
        [
            Some((ErrorCode::Key, "list is keyed: expected its key".to_owned())),
            Some((
                ErrorCode::Key,
                "list is not keyed: found a key, but its algorithms are unkeyed".to_owned()
            )),
            Some((
                ErrorCode::Key,
                "list has keyed and unkeyed algorithms: expected one kind, because unkeyed digests reveal the keyed entries"
                    .to_owned()
            )),
            Some((ErrorCode::Algorithm, "hash algorithm of the list is missing: expected one or more".to_owned())),
            Some((
                ErrorCode::Algorithm,
                "hash algorithm cannot be computed: found `x-other`, which is for private use".to_owned()
            )),
        ]
    );

    let mut builder = make(&[keyed], Some(&keys[0])).unwrap();
    builder.add("http://h/", None).unwrap();
    let list = HiddenList::from_compiled(compiled(&read(&text(&builder.finish())).unwrap().0)).unwrap();
    let matcher = ListMatcher::new(&list, Some(&keys[0])).unwrap();
    assert!(matcher.find(&mut Scratch::default(), "http://h/", None).unwrap().is_some());
    let reject = |key: Option<&Key>| ListMatcher::new(&list, key).err().map(|error| error.to_string());
    assert_eq!(reject(None).as_deref(), Some("list is keyed: expected its key"));
    let other = format!("key does not match the list: found {}, expected {}", keys[1].id(), keys[0].id());
    assert_eq!(reject(Some(&keys[1])), Some(other));
}

#[test]
fn an_audit_counts_what_a_dictionary_reveals() {
    let listed = [
        "http://www.a.example/",
        "http://b.example",
        "http://c.example/x",
        "https://d.example:81/",
        "http://e.example/secret",
    ];
    let rules = rfc3986(Variant::N, Keep::NONE, Covers::Url);
    let list = build(rules, &[Algorithm::Md5, Algorithm::Sha1], listed);
    let matcher = ListMatcher::new(&list, None).unwrap();
    let mut audit = Audit::new(&matcher);
    for uri in listed[..4].iter().chain(&["http://f.example/", "http://b.example#f"]) {
        audit.guess(uri, None).unwrap();
    }
    assert!(audit.guess("x", None).is_err());
    let findings = audit.findings();
    assert_eq!((findings.entries, findings.revealed, findings.home_pages), (10, 8, 4));
    assert_eq!((findings.candidates, findings.digests, findings.not_checkable), (6, 12, 0));
    assert_eq!(findings.seconds(4.0), 3.0);
    assert_eq!(audit.revealed().next().unwrap().0.algorithm, &Algorithm::Md5);
    assert_eq!(seconds_for_names(2, 2.0, 37.0), 76.0);
}
