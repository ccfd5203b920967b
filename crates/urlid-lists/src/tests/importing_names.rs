//! Names that DNS cannot have, and domains in comma-separated values.

use super::importing::{Import, line_of};
use super::*;

/// Lines of ranks, tables, JSON and of the rules of other programs: a list of them would block nothing.
#[test]
fn names_that_dns_cannot_have_are_left_out() {
    for name in [
        "1,google.example",
        "\"a.example\"",
        "'a.example'",
        "a.example,",
        "a.example;5",
        "DOMAIN-SUFFIX,a.example",
        "+.a.example",
        "a!b.example",
        "a%2Cb.example",
        "a(b).example",
        "a=b.example",
        "a{b}.example",
        "$a.example",
        "a`b.example",
        "a,\u{fc}.example",
    ] {
        for format in [ListFormat::Hosts, ListFormat::Abp] {
            let line = line_of(format, name);
            // `$` begins the options of a filter.
            let reason = match format {
                ListFormat::Abp if name.contains('$') => Reason::Options,
                _ => Reason::NotDns,
            };
            let shown = if format == ListFormat::Hosts { name } else { &line };
            Import::new(format).check(&line, &[], &["http://a.example/"], &[(reason, &[shown])]);
        }
        let url = format!("http://{name}/");
        let urlhaus = format!("1,2,\"{}\",online", url.replace('"', "\"\""));
        Import::new(ListFormat::Urls).check(&url, &[], &[&url], &[(Reason::NotDns, &[&url])]);
        Import::new(ListFormat::Urlhaus).check(&urlhaus, &[], &[&url], &[(Reason::NotDns, &[&url])]);
        if !name.contains('$') {
            let filter = format!("|http://{name}/|");
            let abp = Import { widening: Widening::Approximate, ..Import::new(ListFormat::Abp) };
            abp.check(&filter, &[], &[&url], &[(Reason::NotDns, &[&filter])]);
        }
    }
    // Other schemes have hosts of their own, and so have URIs by the generic syntax.
    Import::new(ListFormat::Urls).check("foo://a,b/", &["foo://a,b/"], &[], &[]);
    let rules = rfc3986(Variant::N, Keep::NONE, Covers::Url);
    let import = Import { rules, ..Import::new(ListFormat::Urls) };
    import.check("http://a,b/", &["http://a,b/"], &[], &[]);
}

/// Lists of domains with ranks are published as comma-separated values, and elements of JSON have one name a
/// line.
#[test]
fn domains_are_read_in_comma_separated_values() {
    for line in [
        "a.example",
        "1,a.example",
        "12,345,a.example",
        "\"1\",\"a.example\"",
        "\"a.example\"",
        "\"a.example\",",
        "  \"a.example\",",
        "a.example,",
        "1,a.example,,",
        "1, a.example  # a comment",
    ] {
        Import::new(ListFormat::Domains).check(line, &["http://x.a.example/"], &["http://b.example/"], &[]);
    }
    for line in [
        "DOMAIN-SUFFIX,a.example",
        "GlobalRank,TldRank,Domain,TLD",
        "1,2,a.example,example",
        "a.example,1",
        "a.example;5",
        "0.0.0.0,a.example",
        "'a.example',",
        "\"a.example",
        "\"a.example\"b",
        "+.a.example",
        ",",
        "1,",
    ] {
        let (list, report, _) = Import::new(ListFormat::Domains).make([line]);
        let said: Vec<_> =
            report.differences().map(|(_, count, examples)| (count, examples[0].as_str())).collect();
        assert_eq!((list.len(), said), (0, vec![(1, line)]), "{line}");
    }
}

/// The dictionary of an audit and a list of domains are read alike.
#[test]
fn an_audit_reads_domains_as_lists_of_them_are_read() {
    let list =
        build(ListRules::default(), &[Algorithm::Sha1], ["http://a.example/", "https://www.b.example/"]);
    let matcher = ListMatcher::new(&list, None).unwrap();
    let mut audit = Audit::new(&matcher);
    for line in ["# rank,domain", "1,a.example", "\"b.example\","] {
        audit.guess_domain(line).unwrap();
    }
    assert_eq!((audit.findings().revealed, audit.findings().candidates), (2, 8));
    for line in ["GlobalRank,TldRank,Domain", "a.example;5", "a b", "http://a.example/", "*a.example"] {
        let error = audit.guess_domain(line).unwrap_err();
        assert_eq!(error.code(), ErrorCode::UrlParse, "{line}");
        assert!(error.to_string().starts_with(&format!("line is not a domain: found `{line}`, ")), "{error}");
    }
}
