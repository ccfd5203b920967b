//! Generated lists of every format against a model that reads the source itself: each line by the document
//! that defines it, without the importer.

use super::importing::Import;
use super::*;
use urlid::web::Url;
use urlid_generators::{Seeded, cases, seed};

pub(super) const FORMATS: [ListFormat; 8] = [
    ListFormat::Urls,
    ListFormat::Hosts,
    ListFormat::Abp,
    ListFormat::Domains,
    ListFormat::Urlhaus,
    ListFormat::Dnsmasq,
    ListFormat::Rpz,
    ListFormat::Unbound,
];

/// Names of hosts in many spellings, some of which no host has.
const NAMES: [&str; 26] = [
    "bad.example",
    "bad.example",
    "a.bad.example",
    "x.a.bad.example",
    "good.example",
    "192.0.2.1",
    "192.0.2",
    "0x7f.1",
    "1234",
    "co.uk",
    "github.io",
    "a.b.c.d.e.bad.example",
    "हिन्दी.example",
    "é.example",
    "l·l.example",
    "e\u{301}.example",
    "xn--9ca.example",
    "💩.bad.example",
    "BAD.Example",
    "b*d.example",
    "solo",
    "localhost",
    "2001:db8::1",
    "a@b.example",
    "100.bad.example",
    "bad.example.test",
];

const BLOCKING: [&str; 6] = ["0.0.0.0", "127.0.0.1", "127.9.9.9", "::", "::1", "0"];
const LEADING: [&str; 4] = ["192.168.1.10", "8.8.8.8", "fe80::1%lo0", "2001:db8::1"];

/// Rules of filters, with `N` in the place of a name.
const RULES: [&str; 38] = [
    "||N^$all",
    "||N^$document",
    "||N^$important",
    "||N^$popup,important",
    "||N^",
    "||N^",
    "||N^",
    "||N^",
    "||N^*",
    "||N",
    "||N^|",
    "||N/x",
    "||N:81^",
    "||N^$image",
    "||N^$badfilter",
    "||N^$image,badfilter",
    "@@||N^",
    "@@||N^",
    "@@||N",
    "@@||N^$document",
    "@@||N/x^",
    "@@|http://N/x|",
    "@@/x",
    "@@||N^$badfilter",
    "|http://N/|",
    "|http://N/",
    "|http://N",
    "|http://N/1/",
    "|http://N/1/|",
    "|http://N/1?2|",
    "|http://N/x?q",
    "http://N/x",
    "/x",
    "N##.ad",
    "||",
    "! N",
    "||*.N^",
    "|http://N^",
];

const URLS: [&str; 12] = [
    "http://N",
    "http://N/",
    "https://N/x",
    "http://N/x?q",
    "http://N/X",
    "http://N/x/",
    "http://N/index.html",
    "http://N/?q",
    "http://N/#f",
    "http://N/x/#f",
    "http://N/1/./",
    "ftp://N/x",
];

pub(super) const PATHS: [&str; 13] =
    ["/", "/x", "/X", "/x?q", "/x?Q", "/x/", "/x/y", "/?q", "/1", "/1/", "/1/2", "/1?2", "/index.html"];

/// Settings of name servers, with `%` in the place of a name, and whether each blocks: the name with those
/// below it, the name, or those below it.
const SETTINGS: [(ListFormat, &str, Option<&str>); 17] = [
    (ListFormat::Dnsmasq, "address=/%/0.0.0.0", Some("N and below")),
    (ListFormat::Dnsmasq, "address=/%/::", Some("N and below")),
    (ListFormat::Dnsmasq, "local=/%/", Some("N and below")),
    (ListFormat::Dnsmasq, "server=/%/#", Some("N and below")),
    (ListFormat::Dnsmasq, "server=/%/192.0.2.53", None),
    (ListFormat::Dnsmasq, "bogus-priv", None),
    (ListFormat::Unbound, "local-zone: \"%\" always_nxdomain", Some("N and below")),
    (ListFormat::Unbound, "local-zone: \"%.\" static", Some("N and below")),
    (ListFormat::Unbound, "local-zone: % transparent", None),
    (ListFormat::Unbound, "local-data: \"% A 0.0.0.0\"", Some("N")),
    (ListFormat::Unbound, "local-data: \"%. 300 IN AAAA 2001:db8::1\"", None),
    (ListFormat::Rpz, "% CNAME .", Some("N")),
    (ListFormat::Rpz, "*.% 300 IN CNAME *.", Some("below N")),
    (ListFormat::Rpz, "*.% A 0.0.0.0", Some("below N")),
    (ListFormat::Rpz, "% CNAME rpz-passthru.", None),
    (ListFormat::Rpz, "% CNAME wall.example.", None),
    (ListFormat::Rpz, "@ IN NS %.", None),
];

/// Returns the host that a name has in a URL, by the URL Standard. A name in another spelling of numbers is
/// none.
pub(super) fn host(name: &str) -> Option<String> {
    let is_number = |part: &str| part.starts_with(|character: char| character.is_ascii_digit());
    let is_ipv4 = name.split('.').next_back().is_some_and(is_number);
    if name.contains(['/', ':', '@', '*'])
        || (is_ipv4 && name.split('.').filter(|part| is_number(part)).count() != 4)
    {
        return None;
    }
    Some(Url::parse(&format!("http://{name}/")).ok()?.host_str()?.to_owned())
}

pub(super) fn is_at_or_below(host: &str, domain: &str) -> bool {
    host == domain || host.strip_suffix(domain).is_some_and(|rest| rest.ends_with('.'))
}

/// Returns whether a text from `offset` on matches the rest of a pattern (Adblock Plus, "How to write
/// filters").
fn matches_from(pattern: &[u8], text: &[u8]) -> bool {
    let is_separator = |byte: u8| !(byte.is_ascii_alphanumeric() || b"_-.%".contains(&byte));
    match (pattern, text) {
        ([], _) => true,
        ([b'|'], _) => text.is_empty(),
        ([b'*', rest @ ..], _) => (0..=text.len()).any(|offset| matches_from(rest, &text[offset..])),
        ([b'^', rest @ ..], []) => matches_from(rest, text),
        ([b'^', rest @ ..], [first, after @ ..]) => is_separator(*first) && matches_from(rest, after),
        ([byte, rest @ ..], [first, after @ ..]) => byte == first && matches_from(rest, after),
        (_, []) => false,
    }
}

/// Returns whether a filter without options matches a URL.
pub(super) fn filter_matches(pattern: &str, url: &str) -> bool {
    let (pattern, url) = (pattern.to_lowercase(), url.to_lowercase());
    let from = |pattern: &str, offset: usize| matches_from(pattern.as_bytes(), &url.as_bytes()[offset..]);
    if let Some(pattern) = pattern.strip_prefix("||") {
        let start = url.find("://").unwrap() + 3;
        let end = url[start..].find('/').unwrap() + start;
        let labels = url[start..end].match_indices('.').map(|(offset, _)| start + offset + 1);
        return std::iter::once(start).chain(labels).any(|offset| from(pattern, offset));
    }
    match pattern.strip_prefix('|') {
        Some(pattern) => from(pattern, 0),
        None => (0..=url.len()).any(|offset| from(&pattern, offset)),
    }
}

/// A line, and what the source means by it.
pub(super) struct Line {
    pub(super) text: String,
    /// The same with hosts as URLs have them, which filters are compared with.
    plain: String,
    pub(super) name: &'static str,
    blocks: Option<&'static str>,
}

pub(super) fn any_line(random: &mut Seeded, format: ListFormat) -> Line {
    let name = random.one(&NAMES);
    let settings: Vec<_> = SETTINGS.iter().filter(|(of, ..)| *of == format).collect();
    let setting = settings.get(random.below(settings.len().max(1) as u64) as usize);
    let shape = match format {
        _ if setting.is_some() => setting.map_or_else(String::new, |(_, shape, _)| (*shape).to_owned()),
        ListFormat::Hosts if random.below(4) == 0 => format!("{} N", random.one(&LEADING)),
        ListFormat::Hosts => format!("{} N", random.one(&BLOCKING)),
        ListFormat::Abp => random.one(&RULES).to_owned(),
        ListFormat::Domains => "N".to_owned(),
        ListFormat::Urlhaus => format!("1,\"2\",{},online", random.one(&URLS)),
        // A whole host that is left out.
        _ if ["co.uk", "github.io"].contains(&name) => "http://N/".to_owned(),
        _ => random.one(&URLS).to_owned(),
    };
    let plain = host(name).unwrap_or_else(|| name.to_owned());
    let blocks = setting.and_then(|(.., blocks)| *blocks);
    let write = |name: &str| shape.replace(if setting.is_some() { '%' } else { 'N' }, name);
    Line { text: write(name), plain: write(&plain), name, blocks }
}

/// Returns whether a line of a source matches a URL; of filters, whether the filter does, options aside.
pub(super) fn line_matches(format: ListFormat, line: &Line, url: &Url, rules: ListRules) -> bool {
    let candidate = url.host_str().unwrap_or_default();
    let named = host(line.name);
    match format {
        ListFormat::Hosts => {
            let blocks = BLOCKING.contains(&line.text.split(' ').next().unwrap_or_default());
            blocks && named.as_deref() == Some(candidate)
        }
        ListFormat::Dnsmasq | ListFormat::Rpz | ListFormat::Unbound => match (line.blocks, named) {
            (Some("N"), Some(name)) => name == candidate,
            (Some("below N"), Some(name)) => name != candidate && is_at_or_below(candidate, &name),
            (Some(_), Some(name)) => is_at_or_below(candidate, &name),
            _ => false,
        },
        ListFormat::Domains => named.is_some_and(|domain| is_at_or_below(candidate, &domain)),
        ListFormat::Abp => {
            let rule = line.plain.trim_start_matches("@@");
            let is_blank = rule.starts_with('!') || rule.contains("##") || rule == "||";
            !is_blank && filter_matches(rule.split('$').next().unwrap_or_default(), url.as_str())
        }
        ListFormat::Urlhaus => {
            let third = line.text.split(',').nth(2).and_then(|text| Url::parse(text).ok());
            third.is_some_and(|entry| without_fragment(&entry) == without_fragment(url))
        }
        _ => Url::parse(&line.text).is_ok_and(|entry| entry_matches(&entry, url, rules)),
    }
}

fn without_fragment(url: &Url) -> &str {
    url.as_str().split('#').next().unwrap_or_default()
}

/// Returns whether an entry of a plain list matches, as docs/spec/lists.md has it ("Expressions").
fn entry_matches(entry: &Url, url: &Url, rules: ListRules) -> bool {
    let (host, candidate) = (entry.host_str().unwrap_or_default(), url.host_str().unwrap_or_default());
    let is_host = host == candidate
        || (rules.covers == Covers::Subdomains
            && is_at_or_below(candidate, host)
            && !host.ends_with(|c: char| c.is_ascii_digit()));
    let names_directory =
        entry.path().ends_with('/') && entry.query().is_none() && entry.fragment().is_none();
    // Variant N looks a page `index.html` up as its directory (The Hashed URI, appendix A, rule 8).
    let is_short = url.scheme() == "http" && rules.variant == Variant::N;
    let page = url.path().strip_suffix("index.html").filter(|_| is_short);
    let is_path = entry.path() == url.path()
        || Some(entry.path()) == page
        || (rules.covers != Covers::Url && names_directory && url.path().starts_with(entry.path()));
    let is_query = entry.query().is_none() || entry.query() == url.query();
    entry.scheme() == url.scheme() && is_host && is_path && is_query
}

/// Compares a generated list with its source, on URLs that are near its names.
fn check(format: ListFormat, random: &mut Seeded) {
    let mut import = Import::new(format);
    import.rules.variant = random.one(&[Variant::N, Variant::N, Variant::P]);
    import.rules.keep = random.one(&[Keep::NONE, Keep::QUERY]);
    import.widening = random.one(&[Widening::LeaveOut, Widening::Approximate]);
    if format == ListFormat::Urls {
        import.rules.covers = random.one(&COVERS);
    }
    let lines: Vec<Line> = (0..1 + random.below(4)).map(|_| any_line(random, format)).collect();
    let (list, report, rejected) = import.make(lines.iter().map(|line| line.text.as_str()));
    let source: Vec<&str> = lines.iter().map(|line| line.text.as_str()).collect();
    let is_said = |effects: &[Effect], line: &Line| {
        report.differences().any(|(reason, count, examples)| {
            let is_example = examples.iter().any(|example| line.text.contains(example.as_str()));
            // A name beside an address is shown with the address as it is printed, without an interface.
            let is_shown = is_example || examples.iter().any(|example| example.ends_with(line.name));
            effects.contains(&reason.effect()) && (is_shown || count > examples.len() as u64)
        })
    };

    let is_bad = |line: &Line| line.text.contains("badfilter");
    let without_bad =
        |line: &Line| line.text.replace(",badfilter", "").replace("$badfilter", "").to_lowercase();
    let disabled: Vec<String> = lines.iter().filter(|line| is_bad(line)).map(without_bad).collect();
    let active: Vec<&Line> =
        lines.iter().filter(|line| !is_bad(line) && !disabled.contains(&line.text.to_lowercase())).collect();
    for _ in 0..6 {
        let name = lines[random.below(lines.len() as u64) as usize].name;
        let Some(host) = host(name) else { continue };
        let below = random.one(&["", "", "w.", "w.v."]);
        let scheme = random.one(&["http", "https"]);
        let Ok(url) = Url::parse(&format!("{scheme}://{below}{host}{}", random.one(&PATHS))) else {
            continue;
        };
        let is_listed = !found(&list, url.as_str()).is_empty();
        let matching = |is_exception: bool| {
            let lines = active.iter().filter(move |line| line.text.starts_with("@@") == is_exception);
            lines.filter(|line| line_matches(format, line, &url, import.rules))
        };
        let is_excepted = matching(true).any(|line| !line.text.contains('$'));
        let blocks = matching(false).next().is_some() && !is_excepted;
        if is_listed && !blocks {
            let is_more = report.differences().any(|(reason, ..)| reason.effect() == Effect::More);
            assert!(is_more, "{format} {source:?}: {url} is listed, and nothing says so: {report:?}");
        }
        if !is_listed && matching(true).next().is_none() {
            for line in matching(false) {
                let is_named =
                    rejected.contains(&line.text.as_str()) || is_said(&[Effect::LeftOut, Effect::Less], line);
                assert!(is_named, "{format} {source:?}: {url} is missing, and nothing says so: {report:?}");
            }
        }
    }
}

#[test]
fn a_list_and_its_source_differ_only_as_the_report_says() {
    let mut random = Seeded::new(seed());
    for format in FORMATS {
        (0..cases(10_000)).for_each(|_| check(format, &mut random));
    }
}
