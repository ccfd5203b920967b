//! Rules that are learned from captures, and others that are not.

use std::collections::BTreeSet;

use urlid::suffix::{Sections, SuffixList};
use urlid_canonical::Form;
use urlid_learn::{CaptureLines, Domain, DomainLines, Found, Judge, PageContent, RuleBook, Wide};

/// Captures of URLs with their contents.
#[derive(Default)]
struct Crawl(Vec<String>);

impl Crawl {
    fn add(&mut self, url: &str, content: &str) -> &mut Self {
        self.found(&Found { url, content: PageContent::of_digest(content), ..Found::default() })
    }

    fn found(&mut self, found: &Found<'_>) -> &mut Self {
        let web: Form = "web".parse().expect("it is a form");
        let mut line = String::new();
        let list = SuffixList::compiled_with(Sections::All);
        CaptureLines::new(&web, list).push(found, &mut line).expect("a URL");
        if !line.is_empty() {
            self.0.push(line);
        }
        self
    }

    /// Returns the domains in order, whatever the order of the captures.
    fn domains(&self) -> Vec<DomainLines> {
        let mut domains: Vec<DomainLines> = Vec::new();
        for line in self.0.iter().collect::<BTreeSet<_>>() {
            match domains.last_mut().filter(|domain| domain.has_domain_of(line)) {
                Some(domain) => domain.push(line),
                None => {
                    let mut domain = DomainLines::new(100_000);
                    domain.push(line);
                    domains.push(domain);
                }
            }
        }
        domains
    }

    fn learn(&self, wide: Wide) -> String {
        let mut book = RuleBook::new(wide);
        self.domains()
            .iter()
            .for_each(|domain| book.add(Domain::learn(&domain.captures(), book.wide_names())));
        book.finish().expect("the file is valid").0
    }

    /// Returns the rules without evidence.
    fn rules(&self) -> Vec<String> {
        let text = self.learn(Wide::default());
        let lines = text.lines().skip(1).filter(|line| !line.starts_with('#'));
        lines.map(|line| line.split("  #").next().unwrap_or_default().to_owned()).collect()
    }
}

/// Adds pages that each of the queries leads to, with the number of the page in the place of `{}`.
fn pages(crawl: &mut Crawl, pages: u32, urls: &[&str]) {
    for page in 0..pages {
        for (copy, url) in urls.iter().enumerate() {
            let url =
                url.replace("{}", &page.to_string()).replace("<>", &format!("{}", page * 7 + copy as u32));
            crawl.add(&url, &format!("page {page}"));
        }
    }
}

fn learned(urls: &[&str]) -> Vec<String> {
    let mut crawl = Crawl::default();
    pages(&mut crawl, 9, urls);
    crawl.rules()
}

#[test]
fn an_address_is_its_own_domain_and_a_final_dot_is_ignored() {
    let mut crawl = Crawl::default();
    for (host, domain) in
        [("1.2.3.4", "1.2.3.4"), ("www.a.co.uk.", "a.co.uk"), ("[::1]", "[::1]"), ("www.a.co.uk", "a.co.uk")]
    {
        crawl.add(&format!("http://{host}/"), "content");
        let line = crawl.0.last().expect("a line");
        assert_eq!(line.split('\t').next(), Some(domain), "{host}");
    }
}

#[test]
fn each_kind_of_rule_is_learned() {
    for (urls, rules) in [
        (&["http://a.example/?p={}", "http://a.example/?p={}&s=<>"][..], &["[a.example]", "drop s"][..]),
        (&["http://a.example/?p={}", "http://a.example/?p={}&s=0"], &["[a.example]", "default s=0"]),
        (&["http://a.example/?p={}&q=1", "http://a.example/?q=1&p={}"], &["[a.example]", "order"]),
        (&["http://a.example/{}", "https://a.example/{}"], &["[a.example]", "https"]),
        (&["http://a.example/{}", "http://www.a.example/{}"], &["[a.example]", "alias www.a.example"]),
        (&["http://b.a.example/{}", "http://a.example/{}"], &["[a.example]", "alias b.a.example"]),
        (&["http://a.example/{}", "http://a.example/{}/"], &["[a.example]", "slash"]),
        (&["http://a.example/{}/", "http://a.example/{}/index.php"], &["[a.example]", "index index.php"]),
        (&["http://a.example/a{}", "http://a.example/A{}"], &["[a.example]", "case"]),
        (&["http://a.example/{}", "http://a.example/{};s=<>"], &["[a.example]", "session s"]),
        (
            &["http://a.example/{}", "http://a.example/{}?utm_source=<>&utm_medium=<>"],
            &["[a.example]", "drop utm_medium", "drop utm_source"],
        ),
    ] {
        assert_eq!(learned(urls), rules, "{urls:?}");
    }
}

#[test]
fn a_rule_applies_where_it_holds() {
    let mut crawl = Crawl::default();
    pages(&mut crawl, 9, &["http://a.example/wiki/{}", "http://a.example/wiki/{}?v=<>"]);
    for version in 0..9 {
        for shop in ["shop", "news"] {
            crawl.add(&format!("http://a.example/{shop}?v={version}"), &format!("{shop} {version}"));
        }
    }
    assert_eq!(crawl.rules(), ["[a.example]", "hold v", "[a.example/wiki/]", "drop v"]);
}

#[test]
fn one_page_for_everything_teaches_nothing() {
    let mut crawl = Crawl::default();
    for page in 0..500 {
        for tab in 0..5 {
            crawl.add(&format!("http://a.example/my/{page}?tab={tab}"), "log in first");
            crawl.add(&format!("http://a.example/v?id={page}"), "the same");
            crawl.found(&Found {
                url: &format!("http://a.example/gone/{page}?x={tab}"),
                status: Some(404),
                ..Found::default()
            });
        }
    }
    assert_eq!(crawl.rules(), [""; 0]);
    // Six contents are too few.
    let mut crawl = Crawl::default();
    pages(&mut crawl, 6, &["http://a.example/?p={}", "http://a.example/?p={}&s=<>"]);
    assert!(!crawl.rules().iter().any(|rule| rule.starts_with("drop")));
}

#[test]
fn each_member_of_a_bundle_is_judged_separately() {
    let mut crawl = Crawl::default();
    pages(&mut crawl, 20, &["http://a.example/{}", "http://a.example/{}?do=<>&tab=<>"]);
    for page in 0..2 {
        crawl.add(&format!("http://a.example/{page}?tab=special"), "special");
    }
    assert!(!crawl.rules().iter().any(|rule| rule.starts_with("drop")), "{:?}", crawl.rules());
}

#[test]
fn redirects_join_what_they_lead_to() {
    let mut crawl = Crawl::default();
    pages(&mut crawl, 9, &["http://a.example/new/{}"]);
    for page in 0..9 {
        let (url, target) = (format!("http://a.example/new/{page}?from=<{page}>"), format!("/new/{page}"));
        crawl.found(&Found { url: &url, status: Some(302), redirect: Some(&target), ..Found::default() });
    }
    assert_eq!(crawl.rules(), ["[a.example]", "drop from"]);
}

#[test]
fn a_registered_domain_only_writes_rules_for_itself() {
    let mut crawl = Crawl::default();
    let victim =
        ["http://victim.example/?id={}", "http://shop.victim.example/?id={}", "http://b.github.io/?id={}"];
    for url in victim {
        for page in 0..40 {
            crawl.add(&url.replace("{}", &page.to_string()), &format!("{url} {page}"));
        }
    }
    let before = crawl.learn(Wide::default());
    // An attacker copies pages of the victim, serves one page for all, and sends visitors to it.
    for page in 0..400 {
        for url in [
            "http://evil.example/?id={}",
            "http://a.github.io/?id={}",
            "http://victim.example.evil.example/?id={}",
        ] {
            let url = url.replace("{}", &page.to_string());
            crawl
                .add(&url, &format!("{} {page}", victim[0]))
                .add(&format!("{url}&x={page}"), &format!("{} {page}", victim[0]));
            crawl.found(&Found {
                url: &format!("{url}&to"),
                status: Some(301),
                redirect: Some("http://victim.example/?id=1"),
                ..Found::default()
            });
        }
    }
    let after = crawl.learn(Wide { everywhere: true, ..Wide::default() });
    let of_victims = |text: &str| -> Vec<String> {
        let scopes = text.split("\n[").skip(1);
        scopes
            .filter(|scope| {
                ["victim.example]", "shop.victim.example]", "b.github.io]", "*]"]
                    .iter()
                    .any(|host| scope.starts_with(host))
            })
            .map(|scope| scope.trim_end().to_owned())
            .collect()
    };
    assert_eq!(of_victims(&after), of_victims(&before));
    assert!(after.contains("[evil.example]\n"), "the attacker has rules of his own");
}

#[test]
fn no_value_of_a_session_is_written() {
    let mut crawl = Crawl::default();
    for page in 0..40_u64 {
        let secret = format!("{:016x}", 0x5ec2_e7a1_0000_0001_u64.wrapping_mul(page * 2 + 1));
        for url in [
            format!("http://a.example/p{page}?t=1"),
            format!("http://a.example/p{page}?PHPSESSID={secret}&t=1"),
            format!("http://a.example/p{page};jsessionid={secret}?t=1"),
            format!("http://a.example/p{page}?t=1&{secret}"),
            format!("http://a.example/p{page}?t=1&token={secret}"),
        ] {
            crawl.add(&url, &format!("page {page}"));
        }
        crawl.add(&format!("http://a.example/reset?token={secret}&b"), &format!("token {page}"));
        crawl.add(&format!("http://user:{secret}@a.example/p{page}?t=1&q"), "other");
        let default = "0123456789abcdef";
        crawl.add(&format!("http://a.example/d{page}"), &format!("d {page}"));
        crawl.add(&format!("http://a.example/d{page}?key={default}"), &format!("d {page}"));
        let text = crawl.learn(Wide { tracking: true, everywhere: true });
        assert!(!text.contains(&secret) && !text.contains(&secret[..8]) && !text.contains(default), "{text}");
    }
    assert!(crawl.rules().iter().any(|rule| rule == "drop PHPSESSID"), "{:?}", crawl.rules());
}

#[test]
fn the_same_captures_give_the_same_file() {
    let mut crawl = Crawl::default();
    pages(
        &mut crawl,
        30,
        &[
            "http://www.a.example/?p={}",
            "https://a.example/?s=<>&p={}",
            "http://a.example/?p={}&q=1",
            "http://a.example/?q=2&p={}",
        ],
    );
    let text = crawl.learn(Wide::default());
    for turn in 0..crawl.0.len() {
        let mut other = Crawl(crawl.0.clone());
        other.0.rotate_left(turn);
        other.0.reverse();
        assert_eq!(other.learn(Wide::default()), text);
    }
}

#[test]
fn a_host_keeps_a_name_of_tracking_that_matters_there() {
    let mut crawl = Crawl::default();
    for page in 0..9 {
        crawl.add(&format!("http://git.a.example/log?ref={page}"), &format!("log {page}"));
    }
    let text = crawl.learn(Wide { tracking: true, ..Wide::default() });
    let rules = urlid_canonical::Rules::parse(&text).expect("it is valid");
    let apply = |url| rules.apply(url, |_| {});
    assert_eq!(apply("http://git.a.example/log?ref=1&gclid=2"), "http://git.a.example/log?ref=1");
    assert_eq!(apply("http://b.example/log?ref=1&gclid=2"), "http://b.example/log");
}

#[test]
fn a_form_is_judged_by_what_its_skips_lose() {
    let mut crawl = Crawl::default();
    let mut time = 0;
    let mut add = |url: &str, content: &str| {
        time += 1;
        crawl.found(&Found {
            url,
            content: PageContent::of_digest(content),
            time: &format!("{time:03}"),
            ..Found::default()
        });
    };
    for (url, content) in [
        ("http://a.example/1", "one"),
        ("http://a.example/1/", "one"),
        ("http://a.example/2", "two"),
        ("http://a.example/2/", "another"),
        ("http://a.example/2", "two"),
        // This one has two digests, so nobody can say whether it is the same.
        ("http://a.example/3/", "x"),
        ("http://a.example/3/", "y"),
        ("http://a.example/3", "x"),
        ("http://a.example/1?again", "one"),
        ("http://a.example/4", "four"),
        ("http://a.example/4", "four"),
        ("http://b.a.example/1", "nobody captured a URL of this host twice"),
    ] {
        add(url, content);
    }
    let form: Form = "web+trailing-slash".parse().expect("it is a form");
    let domains = crawl.domains();
    let report =
        Judge { keys: form.canonicalizer(), rules: None, shows_values: false }.judge(&domains[0].captures());
    let total = report.total();
    assert_eq!((total.urls, total.skipped, total.judged, total.wrong, total.lost), (8, 3, 2, 1, 1));
    assert_eq!((total.precision(), total.removable), (Some(0.5), 3));
    assert_eq!(report.counters, [("http://a.example/2".to_owned(), "http://a.example/2/".to_owned())]);
    assert_eq!(report.unjudged.into_iter().collect::<Vec<_>>(), [("b.a.example".to_owned(), 1)]);
}
