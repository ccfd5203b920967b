//! Lists of text: what a format can express is read back as written, and the report names the rest.

use super::importing_at_random::{
    FORMATS, Line, any_line, filter_matches, host, is_at_or_below, line_matches,
};
use super::*;
use urlid::suffix::SuffixList;
use urlid::web::Url;
use urlid_generators::{Seeded, cases, seed};

type Lists<'l> = [(ListFormat, Vec<&'l str>)];

/// Cleans lists, and returns the text.
fn clean(lists: &Lists<'_>, rules: CleanRules, widening: Widening) -> (String, ImportReport) {
    let mut import = ListImport::new(ListFormat::Urls, ListRules::default(), SuffixList::compiled())
        .with_widening(widening)
        .with_left_out();
    for (source, (format, lines)) in lists.iter().enumerate() {
        import.begin_source(source, *format);
        for (number, line) in (1..).zip(lines) {
            // A line that is rejected is reported as that.
            let _ = import.keep(number, line);
        }
    }
    let (list, report) = import.clean(rules);
    let mut text = Vec::new();
    list.write(&mut text).unwrap();
    let text = String::from_utf8(text).unwrap();
    assert_eq!(list.len(), text.lines().count());
    (text, report)
}

fn to(format: ListFormat) -> CleanRules {
    CleanRules { format, covers: None, is_compact: false }
}

const OUTPUTS: [ListFormat; 4] =
    [ListFormat::Domains, ListFormat::Hosts, ListFormat::Abp, ListFormat::Dnsmasq];

/// Returns whether a list of text blocks a URL, by the document that defines its format.
fn blocks(format: ListFormat, text: &str, url: &Url) -> bool {
    let candidate = url.host_str().unwrap_or_default();
    let names =
        |name: &str| candidate == name || format != ListFormat::Hosts && is_at_or_below(candidate, name);
    match format {
        ListFormat::Abp => {
            let matching = |is_exception: bool| {
                let lines = text.lines().filter(move |line| line.starts_with("@@") == is_exception);
                lines.filter(|line| {
                    let rule = line.trim_start_matches("@@");
                    filter_matches(rule.trim_end_matches("$important"), url.as_str())
                })
            };
            matching(false).next().is_some() && matching(true).all(|line| line.contains('$'))
        }
        ListFormat::Hosts => text.lines().any(|line| names(line.trim_start_matches("0.0.0.0 "))),
        ListFormat::Dnsmasq => {
            text.lines().any(|line| names(line.trim_start_matches("local=/").trim_end_matches('/')))
        }
        _ => text.lines().any(names),
    }
}

fn check(random: &mut Seeded) {
    let sources: Vec<(ListFormat, Vec<Line>)> = (0..1 + random.below(3))
        .map(|_| {
            let format = random.one(&FORMATS);
            (format, (0..1 + random.below(4)).map(|_| any_line(random, format)).collect())
        })
        .collect();
    let lists: Vec<(ListFormat, Vec<&str>)> = sources
        .iter()
        .map(|(format, lines)| (*format, lines.iter().map(|line| line.text.as_str()).collect()))
        .collect();
    let rules = CleanRules {
        format: random.one(&OUTPUTS),
        covers: random.one(&[None, None, Some(Covers::Directory), Some(Covers::Subdomains)]),
        is_compact: random.below(2) == 0,
    };
    let widening = random.one(&[Widening::LeaveOut, Widening::Approximate]);
    let (text, report) = clean(&lists, rules, widening);
    let case = || format!("{lists:?} {rules:?} {widening:?}\n{text}{report:?}");

    let own = CleanRules { covers: None, ..rules };
    let (again, said) = clean(&[(rules.format, text.lines().collect())], own, Widening::LeaveOut);
    assert_eq!(again, text, "{}", case());
    assert!(said.left_out().is_empty(), "{said:?}: {}", case());

    let has = |effect: Effect| report.differences().any(|(reason, ..)| reason.effect() == effect);
    for (_, lines) in &sources {
        let Some(name) = host(random.one(&lines.iter().map(|line| line.name).collect::<Vec<_>>())) else {
            continue;
        };
        let below = random.one(&["", "", "w."]);
        let Ok(url) = Url::parse(&format!("http://{below}{name}/x")) else { continue };
        let all = || sources.iter().flat_map(|(format, lines)| lines.iter().map(move |line| (*format, line)));
        let is_exception = |line: &Line| line.text.starts_with("@@") || line.text.contains("badfilter");
        let matching =
            |(format, line): &(ListFormat, &Line)| line_matches(*format, line, &url, ListRules::default());
        let blocking = all().filter(matching).filter(|(_, line)| !is_exception(line));
        let blocking: Vec<&Line> = blocking.map(|(_, line)| line).collect();
        let is_blocked = blocks(rules.format, &text, &url);
        if is_blocked && blocking.is_empty() {
            assert!(has(Effect::More), "{url} is blocked, and nothing says so: {}", case());
        }
        if !is_blocked && !all().any(|(_, line)| is_exception(line)) {
            for line in blocking {
                let is_named = report.left_out().iter().any(|left| line.text.contains(left.text.as_str()));
                assert!(is_named || has(Effect::Less), "{}: {url} is missing: {}", line.text, case());
            }
        }
    }
}

#[test]
fn a_list_of_text_is_read_back_as_written_and_the_report_names_the_rest() {
    let mut random = Seeded::new(seed());
    (0..cases(20_000)).for_each(|_| check(&mut random));
}

#[test]
fn lists_of_several_formats_are_one_list_of_text() {
    let lists = [
        (ListFormat::Hosts, vec!["0.0.0.0 a.example good.example"]),
        (
            ListFormat::Abp,
            vec!["||b.example^$all", "@@||good.example^", "||c.example^$document", "|http://d.example/x|"],
        ),
        (
            ListFormat::Rpz,
            vec!["$TTL 60", "@ SOA a. b. (1 2", "3 4 5)", "e.example CNAME .", "*.e.example CNAME ."],
        ),
        (ListFormat::Unbound, vec!["server:", "local-zone: \"x.b.example\" refuse"]),
    ];
    for (rules, expected, left_out) in [
        (to(ListFormat::Hosts), "0.0.0.0 a.example\n0.0.0.0 e.example\n", 5),
        (to(ListFormat::Domains), "b.example\nc.example\ne.example\nx.b.example\n", 2),
        (
            CleanRules { covers: Some(Covers::Subdomains), is_compact: true, format: ListFormat::Abp },
            "||a.example^\n||b.example^\n||c.example^\n||e.example^\n|http://d.example/x|\n",
            0,
        ),
    ] {
        let (text, report) = clean(&lists, rules, Widening::LeaveOut);
        assert_eq!((text.as_str(), report.left_out().len()), (expected, left_out), "{report:?}");
    }
    let (text, report) = clean(&lists, to(ListFormat::Hosts), Widening::Approximate);
    assert_eq!(text.lines().count(), 6);
    let said: Vec<_> = report.differences().map(|(reason, count, _)| (reason, count)).collect();
    assert_eq!(said, [(Reason::Pages, 1), (Reason::Widened, 1), (Reason::Narrowed, 4)]);
    let left_out = [(ListFormat::Hosts, vec!["# no", "", "0.0.0.0 192.0.2"])];
    let (_, report) = clean(&left_out, to(ListFormat::Hosts), Widening::LeaveOut);
    assert_eq!(report.left_out()[0].place, LinePlace { source: 0, line: 3 });
}

#[test]
fn names_that_dns_does_not_have_are_left_out() {
    let long = [format!("{}.example", "a".repeat(64)), format!("{}example", "a.".repeat(124))];
    for name in ["\u{3002}a.example", "a..b.example", "a\u{ff0e}.b.example", &long[0], &long[1]] {
        let (filter, address) = (format!("||{name}^"), format!("address=/{name}/"));
        let lists = [
            (ListFormat::Domains, vec![name, "ok.example"]),
            (ListFormat::Abp, vec![filter.as_str()]),
            (ListFormat::Dnsmasq, vec![address.as_str()]),
        ];
        let (text, report) = clean(&lists, to(ListFormat::Domains), Widening::Approximate);
        assert_eq!((text.as_str(), report.left_out().len()), ("ok.example\n", 3), "{name}: {report:?}");
    }
    let longest = format!("{}.{}abcdefg", "a".repeat(63), "a.".repeat(91));
    assert_eq!(longest.len(), 253);
    let (text, _) =
        clean(&[(ListFormat::Domains, vec![&longest])], to(ListFormat::Domains), Widening::LeaveOut);
    assert_eq!(text.trim_end(), longest);
}

#[test]
fn filters_of_urls_match_requests() {
    let lists = [(ListFormat::Urls, vec!["HTTP://user:secret@a.example/x#y", "http://a.example/x"])];
    let (text, _) = clean(&lists, to(ListFormat::Abp), Widening::LeaveOut);
    assert_eq!(text, "|http://a.example/x|\n");
}

#[test]
fn a_name_that_is_left_out_blocks_nothing_more() {
    let lists = [(ListFormat::Rpz, vec!["*.a.example CNAME .", "b.example CNAME ."])];
    let said = |widening| {
        let (text, report) = clean(&lists, to(ListFormat::Hosts), widening);
        (text, report.differences().map(|(reason, ..)| reason).collect::<Vec<_>>())
    };
    assert_eq!(said(Widening::LeaveOut), ("0.0.0.0 b.example\n".to_owned(), vec![Reason::Coverage]));
    let both = "0.0.0.0 a.example\n0.0.0.0 b.example\n".to_owned();
    assert_eq!(said(Widening::Approximate), (both, vec![Reason::Apex, Reason::Narrowed]));
}

#[test]
fn a_format_is_recognised_by_most_of_its_lines() {
    for (text, expected) in [
        ("# h\n127.0.0.1 localhost\n0.0.0.0 a.example", Some(ListFormat::Hosts)),
        ("[Adblock Plus 2.0]\n! x", Some(ListFormat::Abp)),
        ("! a list of domains\na.example\nb.example", Some(ListFormat::Domains)),
        ("1,a.example\n2,b.example", Some(ListFormat::Domains)),
        ("*.a.example\n.b.example", Some(ListFormat::Domains)),
        ("$TTL 60\n@ SOA a b 1 2 3 4 5\na.example CNAME .", Some(ListFormat::Rpz)),
        ("server:\nlocal-zone: \"a.example\" refuse", Some(ListFormat::Unbound)),
        ("address=/a.example/0.0.0.0", Some(ListFormat::Dnsmasq)),
        ("\"1\",\"2026\",\"http://a.example/x\",\"online\"", Some(ListFormat::Urlhaus)),
        ("http://a.example/\nhttp://b.example/x,y\nc.example", Some(ListFormat::Urls)),
        ("## a title\n# a comment", None),
        ("relative", None),
    ] {
        assert_eq!(ListFormat::recognise(text.lines()), expected, "{text}");
    }
}
