//! Lists of other formats: what becomes of each kind of line, by the documents that define it.

use super::*;
use urlid::suffix::SuffixList;

/// An import of a format, as `list make --from` has it, unless a test changes it.
pub(super) struct Import {
    pub(super) format: ListFormat,
    pub(super) rules: ListRules,
    pub(super) on_suffix: OnSuffix,
    pub(super) widening: Widening,
}

impl Import {
    pub(super) fn new(format: ListFormat) -> Self {
        let rules = ListRules { covers: format.covers(), ..ListRules::default() };
        Self { format, rules, on_suffix: format.on_suffix(), widening: Widening::LeaveOut }
    }

    /// Makes a list of lines, and returns those that were rejected too.
    pub(super) fn make<'l>(
        &self,
        lines: impl IntoIterator<Item = &'l str>,
    ) -> (HiddenList, ImportReport, Vec<&'l str>) {
        let mut builder = ListBuilder::new(self.rules, &[Algorithm::Sha1], None).unwrap();
        let mut import = ListImport::new(self.format, self.rules, SuffixList::compiled())
            .with_suffixes(self.on_suffix)
            .with_widening(self.widening);
        let lines = lines.into_iter();
        let rejected = lines.filter(|line| import.line(line, None, &mut builder).is_err()).collect();
        let report = import.finish(&mut builder);
        (builder.finish(), report, rejected)
    }

    /// Checks which URLs a list of lines matches, and what its report says, each reason with its examples.
    #[track_caller]
    pub(super) fn check(
        &self,
        source: &str,
        matched: &[&str],
        unmatched: &[&str],
        said: &[(Reason, &[&str])],
    ) {
        let (list, report, rejected) = self.make(source.lines());
        assert!(rejected.is_empty(), "{source}: {rejected:?}");
        for (urls, is_matched) in [(matched, true), (unmatched, false)] {
            for url in urls {
                assert_eq!(!found(&list, url).is_empty(), is_matched, "{source}: {url}");
            }
        }
        let reasons: Vec<(Reason, Vec<&str>)> = report
            .differences()
            .map(|(reason, _, examples)| (reason, examples.iter().map(String::as_str).collect()))
            .collect();
        let said: Vec<(Reason, Vec<&str>)> =
            said.iter().map(|(reason, examples)| (*reason, examples.to_vec())).collect();
        assert_eq!(reasons, said, "{source}");
    }
}

const ALL_NAMES: [ListFormat; 3] = [ListFormat::Hosts, ListFormat::Abp, ListFormat::Domains];

/// Returns the line about a host in a format.
pub(super) fn line_of(format: ListFormat, host: &str) -> String {
    match format {
        ListFormat::Hosts => format!("0.0.0.0 {host}"),
        ListFormat::Abp => format!("||{host}^"),
        _ => host.to_owned(),
    }
}

/// Names and what the host parser of the URL Standard makes of them.
#[test]
fn a_name_is_listed_as_the_url_standard_reads_it() {
    for (name, host) in [
        ("हिन्दी.example", "xn--j2bd4cyah0f.example"),
        ("தமிழ்.example", "xn--rlcus7b3d.example"),
        ("ไก่.example", "xn--12c7kna.example"),
        ("မြန်မာ.example", "xn--7idjb0f4ck.example"),
        ("ខ្មែរ.example", "xn--j2e0cg3n2c.example"),
        ("💩.example", "xn--ls8h.example"),
        ("l·l.example", "xn--ll-0ea.example"),
        ("€.example", "xn--lzg.example"),
        // With U+200C, a joiner that is part of the name.
        ("نامه\u{200c}ای.example", "xn--mgba3gch31f060k.example"),
        // Decomposed letters, a full stop of East Asia, a soft hyphen, and other widths.
        ("cafe\u{301}.example", "xn--caf-dma.example"),
        ("bad。example", "bad.example"),
        ("b\u{ad}ad.example", "bad.example"),
        ("ｂａｄ.example", "bad.example"),
        ("xn--j2bd4cyah0f.example", "xn--j2bd4cyah0f.example"),
        ("XN--LS8H.example", "xn--ls8h.example"),
        ("BAD.example.", "bad.example"),
        ("b%61d.example", "bad.example"),
        ("a_b.example", "a_b.example"),
        ("-a-.example", "-a-.example"),
        ("192.0.2.1", "192.0.2.1"),
    ] {
        let read = urlid::web::Url::parse(&format!("http://{name}/")).unwrap();
        assert_eq!(read.host_str().map(|read| read.trim_end_matches('.')), Some(host), "{name}");
        for format in ALL_NAMES {
            let url = format!("https://{host}/x");
            Import::new(format).check(&line_of(format, name), &[&url], &["http://good.example/"], &[]);
        }
    }
}

#[test]
fn names_that_are_not_hosts_are_counted_by_kind_and_left_out() {
    for (reason, names) in [
        (
            Reason::Ipv4Spelling,
            &[
                "192.0.2",
                "1234",
                "10",
                "0x7f.1",
                "0X7F.0.0.1",
                "0x",
                "010.1.1.1",
                "3232235777",
                "1.",
                "256.1.1.1",
                "1.2.3.4.5",
                "a.1",
                "１２３４",
                "1.2.3.４",
            ][..],
        ),
        (Reason::Malformed, &[".bad.example", "bad.example..", "a\"b^c.example", "a<b.example", "xn--a.é"]),
    ] {
        for name in names {
            // A list of domains has the name with a dot in front of it, too.
            let formats =
                ALL_NAMES.iter().filter(|format| **format != ListFormat::Domains || !name.starts_with('.'));
            for &format in formats {
                let line = line_of(format, name);
                let (list, report, _) = Import::new(format).make([line.as_str()]);
                let said: Vec<Reason> = report.differences().map(|(reason, ..)| reason).collect();
                let is_of_filter = format == ListFormat::Abp && name.contains('^');
                assert!(is_of_filter || said == [reason], "{line}: {said:?}");
                assert_eq!((list.len(), report.taken()), (0, 0), "{line}");
            }
        }
    }
    for name in ["a/b", r"a\b", "a?b", "a@b", "a:b", "a.example:80", "http://a.example/"] {
        Import::new(ListFormat::Domains).check(
            name,
            &[],
            &["http://a.example/"],
            &[(Reason::NotHost, &[name])],
        );
        let line = format!("0.0.0.0 {name}");
        Import::new(ListFormat::Hosts).check(
            &line,
            &[],
            &["http://a.example/"],
            &[(Reason::NotHost, &[name])],
        );
    }
    // In a hosts file `#` begins a comment wherever it stands (hosts(5)).
    Import::new(ListFormat::Domains).check("a#b", &[], &[], &[(Reason::NotHost, &["a#b"])]);
}

/// hosts(5) for the lines; the knowledge base of AdGuard DNS ("/etc/hosts syntax") for the addresses that
/// block.
#[test]
fn each_name_of_a_hosts_file_is_taken_or_left_out_for_itself() {
    let hosts = Import::new(ListFormat::Hosts);
    for address in
        ["0.0.0.0", "127.0.0.1", "127.0.0.53", "127.255.255.255", "::", "::1", "0", "0:0::1", "127.1"]
    {
        let line = format!("  {address}\ta.example b.example. # c.example");
        let below = ["http://c.example/", "http://x.a.example/", "http://a.example:81/", "ws://a.example/"];
        hosts.check(&line, &["http://a.example/x?y", "https://B.example"], &below, &[]);
    }
    for address in
        ["192.168.1.10", "8.8.8.8", "10.0.0.1", "2001:db8::1", "255.255.255.255", "fe80::1%lo0", "128.1"]
    {
        let (list, report, _) = hosts.make([format!("{address} nas.example dns.example").as_str()]);
        let said: Vec<_> = report.differences().map(|(reason, count, _)| (reason, count)).collect();
        assert_eq!((list.len(), said), (0, vec![(Reason::OtherAddress, 2)]), "{address}");
    }
    hosts.check(
        "0.0.0.0 a.example b..example github.io co.uk intranet b/c.example 1.2 c.example",
        &[
            "http://a.example/",
            "http://b..example/",
            "http://github.io/",
            "http://co.uk/",
            "http://intranet/",
            "http://c.example/",
        ],
        &["http://x.github.io/", "http://x.co.uk/", "http://1.0.0.2/"],
        &[(Reason::Ipv4Spelling, &["1.2"]), (Reason::NotHost, &["b/c.example"])],
    );
    hosts.check(
        "127.0.0.1 localhost LOCALHOST.localdomain ads.example\n::1 ip6-localhost ip6-loopback ip6.example\n\
         255.255.255.255 broadcasthost\nfe80::1%lo0 localhost\n0.0.0.0 0.0.0.0\n127.0.0.1 local",
        &["http://ads.example/", "http://ip6.example/"],
        &["http://localhost/", "http://localhost.localdomain/", "http://0.0.0.0/", "http://ip6-localhost/"],
        &[(Reason::OwnName, &["localhost", "LOCALHOST.localdomain", "ip6-localhost"])],
    );
    hosts.check(
        "# a comment\n\nads.example\n0.0.0.0\n0.0.0.0 # nothing\n0.0.0.0 ::1 *.example",
        &[],
        &["http://ads.example/"],
        &[
            (Reason::Ipv6, &["::1"]),
            (Reason::NoAddress, &["ads.example"]),
            (Reason::Wildcard, &["*.example"]),
            (Reason::Malformed, &["0.0.0.0", "0.0.0.0 # nothing"]),
        ],
    );
}

#[test]
fn public_suffixes_are_left_out_unless_they_are_kept() {
    let left: [(ListFormat, &str); 5] = [
        (ListFormat::Domains, "co.uk\ngithub.io\nuk\nxn--fiqs8s"),
        (ListFormat::Abp, "||co.uk^\n||github.io^\n||uk^\n||中国^"),
        (ListFormat::Urls, "http://co.uk\nhttp://user@github.io:80/#top\nhttps://UK/\nhttp://中国./"),
        (ListFormat::Urls, "http://co.uk/index.html\nhttp://github.io/?x\nhttps://uk/\nhttp://中国/"),
        (ListFormat::Urlhaus, "1,2,http://co.uk/\n1,2,http://github.io/\n1,2,https://uk\n1,2,http://中国/"),
    ];
    for (format, source) in left {
        let import = Import { on_suffix: OnSuffix::Keep, ..Import::new(format) };
        let (list, report, _) = Import::new(format).make(source.lines());
        let counts: Vec<_> = report.differences().map(|(reason, count, _)| (reason, count)).collect();
        assert_eq!((list.len(), counts), (0, vec![(Reason::PublicSuffix, 4)]), "{source}");
        let (list, report, _) = import.make(source.lines());
        assert_eq!(report.taken(), 4, "{source}");
        assert!(report.differences().all(|(reason, ..)| reason != Reason::PublicSuffix), "{source}");
        assert!(!found(&list, "http://co.uk/").is_empty(), "{source}");
    }
    // Names of one network are suffixes by no rule of the list, and a URL below a suffix is no whole host.
    Import::new(ListFormat::Urls).check(
        "http://intranet/\nhttp://github.io/x\nhttp://192.0.2.1/",
        &["http://intranet/", "http://github.io/x"],
        &["http://github.io/"],
        &[],
    );
    let hosts = Import { on_suffix: OnSuffix::LeaveOut, ..Import::new(ListFormat::Hosts) };
    hosts.check("0.0.0.0 co.uk", &[], &["http://co.uk/"], &[(Reason::PublicSuffix, &["co.uk"])]);
}

/// The examples of "How to write filters" (Adblock Plus) and of AdGuard's knowledge base, "Basic rules".
#[test]
fn filters_match_as_their_anchors_say() {
    let abp = Import::new(ListFormat::Abp);
    abp.check(
        "[Adblock Plus 2.0]\n! Title: a list\n# a comment\n||example.org^",
        &[
            "http://example.org/ad1.gif",
            "http://subdomain.example.org/ad1.gif",
            "https://Example.org/foo/bar",
        ],
        &["http://ads.example.org.us/ad1.gif", "http://example.com/redirect/http://ads.example.org/"],
        &[],
    );
    // At an end of a rule `*` changes nothing.
    abp.check("||example.org^*", &["http://a.example.org/x"], &[], &[]);
    abp.check("||[2001:db8::1]^", &["http://[2001:db8::1]/x"], &["http://[2001:db8::2]/"], &[]);
    for (reason, rules) in [
        (
            Reason::Element,
            &[
                "h.example##.ad",
                "##.ad",
                "h.example#@#.ad",
                "h.example#?#.ad",
                "a.example,b.example#$#x",
                "h.example#@$?#x",
                "h.example##+js(x)",
                "h.example$$script",
            ][..],
        ),
        (Reason::Options, &["||bad.example^$third-party", "|https://h.example/$script", "$image", "*$image"]),
        (Reason::Expression, &["/banner[0-9]+/", "/banner$/", "/banner/$image", "//"]),
        (
            Reason::Wildcard,
            &[
                "||*.bad.example^",
                "||bad.*^",
                "||h.example^*x",
                "https://h.example/*/x",
                "|https://h.example^",
                "*",
                "^x",
                "||h.example^x|",
            ],
        ),
        (
            Reason::Port,
            &[
                "||bad.example:8080^",
                "||bad.example:8080",
                "||[2001:db8::1]:80^",
                "||bad.example:80/x",
                "||192.0.2.1:80^",
            ],
        ),
        (
            Reason::Path,
            &[
                "||bad.example/x",
                "||bad.example/",
                "||bad.example/path^",
                "||bad.example^path",
                "||[::1]/x",
                "||bad.example?x",
            ],
        ),
        (Reason::Ipv6, &["||2001:db8::1^", "||2001:db8::1", "||::1^"]),
        (Reason::OpenHost, &["||bad.example", "||bad.", "||192.0.2."]),
        (Reason::Unfinished, &["||", "||^", "|", "@@", "||bad.example^$", "||[2001:db8::1", "||"]),
        (
            Reason::ExactUrl,
            &[
                "|https://h.example/x|",
                "|https://h.example/|",
                "|https://192.0.2.1/|",
                "||h.example^|",
                "||h.example|",
            ],
        ),
        (
            Reason::UrlPrefix,
            &[
                "|https://h.example/",
                "|https://h.example/x",
                "|https://192.0.2.1/1",
                "|https://192.0.2.1/x/",
                "|http://",
                "|ads",
            ],
        ),
        (Reason::UrlPart, &["https://h.example/", "http://192.0.2.1/", "/ads.js", "ads", "bad.example"]),
        (Reason::OtherScheme, &["|ftp://h.example/", "|wss://h.example/|"]),
        (Reason::ManyWords, &["0.0.0.0 bad.example"]),
        (Reason::Include, &["!#include other.txt"]),
        (Reason::PublicSuffix, &["||com^", "||github.io^"]),
        (Reason::Malformed, &["||a<b^", "|http://[x]/|"]),
    ] {
        for rule in rules {
            abp.check(rule, &[], &["http://bad.example/", "http://h.example/"], &[(reason, &[rule])]);
        }
    }
}

#[test]
fn a_filter_of_a_url_is_listed_if_the_list_holds_it_as_narrowly() {
    let abp = Import::new(ListFormat::Abp);
    // No host is below an address, or climbs to one of more than five labels; below a directory is what
    // begins with it.
    abp.check("|http://192.0.2.1/", &["http://192.0.2.1/x?y"], &["https://192.0.2.1/"], &[]);
    abp.check(
        "|http://192.0.2.1/1/",
        &["http://192.0.2.1/1/x"],
        &["http://192.0.2.1/1", "http://192.0.2.1/"],
        &[],
    );
    let deep = "http://a.b.c.d.e.example/1/";
    abp.check(&format!("|{deep}"), &[deep], &["http://x.a.b.c.d.e.example/1/"], &[]);
    let with_query =
        Import { rules: ListRules { keep: Keep::QUERY, ..abp.rules }, ..Import::new(ListFormat::Abp) };
    with_query.check(
        "|http://192.0.2.1/1?2|",
        &["http://192.0.2.1/1?2"],
        &["http://192.0.2.1/1?3", "http://192.0.2.1/1"],
        &[],
    );

    let widened = Import { widening: Widening::Approximate, ..Import::new(ListFormat::Abp) };
    widened.check(
        "|https://h.example/x|",
        &["https://h.example/x", "https://a.h.example/x?y"],
        &["https://h.example/"],
        &[
            (Reason::Query, &["|https://h.example/x|"]),
            (Reason::Subdomains, &["|https://h.example/x|"]),
            (Reason::LetterCase, &["|https://h.example/x|"]),
        ],
    );
    widened.check(
        "|https://h.example/1?2#3",
        &["https://h.example/1?3"],
        &["https://h.example/12"],
        &[
            (Reason::Query, &["|https://h.example/1?2#3"]),
            (Reason::Fragment, &["|https://h.example/1?2#3"]),
            (Reason::Subdomains, &["|https://h.example/1?2#3"]),
            (Reason::Longer, &["|https://h.example/1?2#3"]),
        ],
    );
    widened.check(
        "https://192.0.2.1/|",
        &[],
        &["https://192.0.2.1/"],
        &[(Reason::Wildcard, &["https://192.0.2.1/|"])],
    );
    widened.check(
        "https://192.0.2.1/",
        &["https://192.0.2.1/1"],
        &[],
        &[(Reason::Elsewhere, &["https://192.0.2.1/"])],
    );
    widened.check(
        "|https://co.uk/|",
        &[],
        &["https://co.uk/"],
        &[(Reason::PublicSuffix, &["|https://co.uk/|"])],
    );
}

/// `$badfilter` by AdGuard's knowledge base and uBlock Origin's wiki: the rule of the same text and options,
/// wherever it stands.
#[test]
fn exceptions_and_badfilter_act_on_all_rules() {
    let abp = Import::new(ListFormat::Abp);
    abp.check(
        "@@||bad.example^\n||bad.example^\n||a.bad.example^\n||ok.example^",
        &["http://ok.example/"],
        &["http://a.bad.example/"],
        &[],
    );
    abp.check("||bad.example^\n@@||BAD.example", &[], &["http://bad.example/"], &[]);
    abp.check("|http://192.0.2.1/\n@@||192.0.2.1^", &[], &["http://192.0.2.1/"], &[]);
    abp.check(
        "||हिन्दी.example^\n@@||xn--j2bd4cyah0f.example^",
        &[],
        &["http://xn--j2bd4cyah0f.example/"],
        &[],
    );
    for exception in [
        "@@||good.bad.example^",
        "@@||bad.example^$document",
        "@@||bad.example/x",
        "@@||bad.example:81^",
        "@@|https://bad.example/x|",
        "@@||good.bad",
        "@@||ba",
        "@@||bad.example^|",
        "@@/x",
        "@@*$image",
        "@@||x.bad.example^$script",
    ] {
        let source = format!("||bad.example^\n{exception}");
        abp.check(&source, &["http://bad.example/"], &[], &[(Reason::Exception, &[exception])]);
    }
    for exception in
        ["@@||good.example^", "@@||good.example^$image", "@@||d.example", "@@|http://h.example/", "! x"]
    {
        abp.check(&format!("||bad.example^\n{exception}"), &["http://bad.example/"], &[], &[]);
    }
    abp.check(
        "||bad.example^\n||ok.example^\n||bad.example^$badfilter",
        &["http://ok.example/"],
        &["http://bad.example/"],
        &[],
    );
    abp.check(
        "||bad.example^$image,badfilter,script\n||bad.example^$script,image",
        &[],
        &["http://bad.example/"],
        &[],
    );
    abp.check("||bad.example^\n||bad.example^$image,badfilter", &["http://bad.example/"], &[], &[]);
    abp.check(
        "||bad.example^\n@@||bad.example^\n@@||bad.example^$badfilter",
        &["http://bad.example/"],
        &[],
        &[],
    );
    abp.check(
        "!#if false\n||bad.example^\n!#endif",
        &["http://bad.example/"],
        &[],
        &[(Reason::Condition, &["!#if false"])],
    );
}

#[test]
fn domains_are_listed_with_those_below_them() {
    let domains = Import::new(ListFormat::Domains);
    domains.check(
        "# a comment\nbad.example # why\nworse.example\t# why",
        &["http://bad.example/x?y", "https://www.bad.example/x", "https://WORSE.example"],
        &["http://even-worse.example/", "http://bad.example:8080/", "ws://bad.example/"],
        &[],
    );
    domains.check(
        "a.b.c.d.e.example",
        &["http://a.b.c.d.e.example/"],
        &["http://x.a.b.c.d.e.example/"],
        &[(Reason::Below, &["a.b.c.d.e.example"])],
    );
    domains.check(
        "*.bad.example\n.worse.example\n1,*.third.example",
        &["http://bad.example/", "http://w.worse.example/", "http://third.example/"],
        &["http://example/"],
        &[],
    );
    domains.check(
        "0.0.0.0 a.example\n||a.example^\n*a.example\n2001:db8::1\n[2001:db8::1]",
        &[],
        &["http://a.example/"],
        &[
            (Reason::Ipv6, &["2001:db8::1", "[2001:db8::1]"]),
            (Reason::ManyWords, &["0.0.0.0 a.example"]),
            (Reason::Wildcard, &["*a.example"]),
            (Reason::Malformed, &["||a.example^"]),
        ],
    );
}

/// The columns are those of URLhaus' CSV feeds: `id,dateadded,url,url_status,…`, by RFC 4180.
#[test]
fn urlhaus_lists_the_urls_of_its_third_column() {
    let kept = Import {
        rules: ListRules { keep: Keep::QUERY, ..ListRules::default() },
        ..Import::new(ListFormat::Urlhaus)
    };
    kept.check(
        "# id,dateadded,url,url_status\r\n\"1\",\"2026-01-01 00:00:00\",\"http://h.example/a,b?\",\"online\"\r\n1,2026-01-01,https://h.example/x?y",
        &["http://h.example/a,b?", "https://h.example/x?y"],
        &["http://h.example/", "https://h.example/x", "https://h.example/x?z"],
        &[],
    );
    Import::new(ListFormat::Urlhaus).check(
        "\"1\",\"a \"\"quoted\"\" word\",\"http://h.example/\"\"x\",\"y\"",
        &["http://h.example/\"x", "http://h.example/%22x?y"],
        &[],
        &[(Reason::Query, &["http://h.example/\"x"])],
    );
    for (reason, line) in [
        (Reason::OtherScheme, "\"1\",\"2\",\"ftp://h.example/\""),
        (Reason::Malformed, "\"1\",\"2\",\"http://h.example/"),
        (Reason::Malformed, "\"1\",\"2\""),
        (Reason::Malformed, "\"1\"x,\"2\",\"http://h.example/\""),
        (Reason::Malformed, "http://h.example/"),
    ] {
        kept.check(line, &[], &["http://h.example/"], &[(reason, &[line])]);
    }
}

#[test]
fn urls_say_what_they_match_beyond_themselves() {
    let urls = |variant, keep, covers| Import {
        rules: ListRules { keep, covers, ..ListRules::of_variant(variant) },
        ..Import::new(ListFormat::Urls)
    };
    let said = |import: &Import, url: &str| -> Vec<Reason> {
        let (_, report, _) = import.make(["# a comment", url]);
        report.differences().map(|(reason, ..)| reason).collect()
    };
    let (none, path) =
        (urls(Variant::N, Keep::NONE, Covers::Url), urls(Variant::N, Keep::NONE, Covers::Directory));
    let hosts = urls(Variant::N, Keep::QUERY, Covers::Subdomains);
    for (import, url, reasons) in [
        (&none, "http://h.example", &[][..]),
        (&none, "http://h.example/x/", &[]),
        (&none, "http://h.example/x?y", &[Reason::Query]),
        (&none, "http://h.example/x?y#z", &[Reason::Query, Reason::Fragment]),
        (&none, "http://h.example/index.html", &[Reason::Directory]),
        (&none, "https://h.example/index.html", &[]),
        (&path, "http://h.example", &[]),
        (&path, "http://h.example/x/.", &[]),
        (&path, "http://h.example/?x", &[Reason::Query, Reason::Directory]),
        (&path, "http://h.example/#x", &[Reason::Fragment, Reason::Directory]),
        (&path, "http://h.example/x/index.html", &[Reason::Directory]),
        (&path, &format!("http://h.example/{}", "x/".repeat(32)), &[Reason::Below]),
        (&hosts, "http://h.example/?x", &[]),
        (&hosts, "http://192.0.2.1/", &[]),
        (&hosts, "http://a.b.c.d.e.example/x", &[Reason::Below]),
        (&hosts, "http://intranet/x", &[Reason::Below]),
        (&urls(Variant::P, Keep::NONE, Covers::Url), "http://h.example/x", &[Reason::Spelling]),
        (
            &urls(Variant::P, Keep::NONE, Covers::Directory),
            "http://h.example/x",
            &[Reason::Directory, Reason::Spelling],
        ),
        (&urls(Variant::P, Keep::NONE, Covers::Directory), "http://h.example/", &[]),
        (&urls(Variant::None, Keep::NONE, Covers::Url), "HTTP://h.example?x", &[Reason::Query]),
    ] {
        assert_eq!(said(import, url), reasons, "{url}, {:?}", import.rules);
    }
}
