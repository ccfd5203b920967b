//! Laws of templates: they depend on the set of URLs alone, parts make the whole, and the file decides.

use std::collections::BTreeSet;

use urlid_canonical::Templates;
use urlid_learn::{HostSample, HostTemplates, TemplateUrls};

/// Numbers that look random and are the same each time.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % end
    }

    /// Returns a word, of which the first are frequent.
    fn word(&mut self, words: usize) -> String {
        let number = self.below(words).min(self.below(words));
        let syllables =
            ["ba", "ce", "di", "fo", "gu", "ka", "le", "mi", "no", "pu", "ra", "se", "ti", "vo", "zu", "xa"];
        (0..4).map(|place| syllables[number >> (4 * place) & 15]).collect()
    }

    fn shuffle<T>(&mut self, items: &mut [T]) {
        (1..items.len()).rev().for_each(|place| items.swap(place, self.below(place + 1)));
    }
}

/// Whether there is time for a million URLs.
fn at_length() -> bool {
    std::env::var_os("URLID_REQUIRE_DATA").is_some()
}

/// URLs of a site with known kinds of pages, some with tracking fields.
fn site(numbers: &mut Numbers, count: usize) -> Vec<String> {
    let url = |numbers: &mut Numbers| {
        let path = match numbers.below(9) {
            0 => format!("/users/{}", numbers.word(2_000)),
            1 => format!("/users/{}/posts", numbers.word(2_000)),
            2 => format!("/users/{}/posts/{}", numbers.word(2_000), numbers.below(9_000)),
            3 => format!("/wiki/Talk:{}", numbers.word(4_000)),
            4 => format!("/img/{}.png", numbers.word(4_000)),
            5 => format!("/search?q={}&page={}", numbers.word(4_000), numbers.below(9)),
            6 => ["/about", "/login", "/"][numbers.below(3)].to_owned(),
            7 => format!("/commits/{:040x}", numbers.below(1 << 30) as u128 * 7_777_777_777_777),
            _ => format!("/old/issue{}", numbers.below(900)),
        };
        let www = ["", "www."][numbers.below(2)];
        format!("https://{www}h.example{path}")
    };
    (0..count).map(|_| url(numbers)).collect()
}

/// Returns the sorted lines of URLs.
fn lines<'u>(urls: impl IntoIterator<Item = &'u String>) -> BTreeSet<String> {
    let mut writer = TemplateUrls::new();
    let line = |url: &String| {
        let mut line = String::new();
        writer.push(url, &mut line).expect("a URL");
        line
    };
    urls.into_iter().map(line).collect()
}

fn sample(lines: &BTreeSet<String>, most: usize) -> HostSample {
    let mut sample = HostSample::new(lines.first().expect("a URL"), most);
    lines.iter().for_each(|line| sample.push(line));
    sample
}

fn learn<'u>(urls: impl IntoIterator<Item = &'u String>) -> HostTemplates {
    sample(&lines(urls), 2_000).learn(true)
}

/// Learns with the hits of each URL.
fn learn_with_hits(urls: &[(String, u32)]) -> HostTemplates {
    let mut writer = TemplateUrls::new();
    let numbered = urls.iter().enumerate().map(|(number, (url, hits))| {
        let mut line = String::new();
        writer.push(url, &mut line).expect("a URL");
        format!("{line}\t{number}\t{hits}")
    });
    sample(&numbered.collect(), 2_000).learn(false)
}

fn parse(learned: &HostTemplates) -> Templates {
    Templates::parse(&format!("urlid-templates 1\n{}", learned.to_canonical())).expect("a file")
}

fn templates(learned: &HostTemplates) -> Vec<&str> {
    learned.templates.iter().map(|line| line.template.as_str()).collect()
}

#[test]
fn kinds_of_pages_are_found() {
    let learned = learn(&site(&mut Numbers(1), 2_000));
    let expected = [
        "/",
        "/about",
        "/commits/{hash}",
        "/img/{}.image",
        "/login",
        "/old/issue{int}",
        "/search?page={}&q={}",
        "/users/{}",
        "/users/{}/posts",
        "/users/{}/posts/{int}",
        "/wiki/Talk:{}",
    ];
    assert_eq!(templates(&learned), expected);
    assert_eq!(parse(&learned).name(), "templates-4c3b7b6e");
}

#[test]
fn small_samples_give_the_same_file_on_every_platform() {
    let lines = (0..10).map(|number| {
        let urls = site(&mut Numbers(20 + number), 60 + 40 * number as usize);
        let host = format!("h{number}.example");
        let urls: Vec<String> = urls.iter().map(|url| url.replace("h.example", &host)).collect();
        learn(&urls).to_canonical()
    });
    let file = ["urlid-templates 1\n".to_owned()].into_iter().chain(lines).collect::<String>();
    assert_eq!(
        Templates::parse(&file).map(|file| file.name().to_owned()).as_deref(),
        Ok("templates-77e9f602")
    );
}

#[test]
fn order_and_repeats_and_parts_change_nothing() {
    let mut numbers = Numbers(2);
    for round in 0..if at_length() { 50 } else { 3 } {
        let urls = site(&mut numbers, 300);
        let whole = learn(&urls);
        for _ in 0..20 {
            let mut shuffled: Vec<&String> = urls.iter().chain(&urls[..100]).collect();
            numbers.shuffle(&mut shuffled);
            assert_eq!(learn(shuffled.iter().copied()), whole, "round {round}");
            let (one, other) = shuffled.split_at(numbers.below(shuffled.len() - 2) + 1);
            let part = |urls: &[&String]| {
                let sample = sample(&lines(urls.iter().copied()), 100);
                sample.urls().map(|(url, _)| url.to_owned()).collect::<Vec<_>>()
            };
            let parts = [part(one), part(other)].concat();
            let [of_parts, of_whole] =
                [lines(&parts), lines(&urls)].map(|lines| sample(&lines, 100).learn(true));
            assert_eq!(of_parts, of_whole, "round {round}");
        }
    }
}

#[test]
fn the_file_decides_and_gives_each_url_one_template() {
    let mut numbers = Numbers(3);
    let learned = learn(&site(&mut numbers, 4_000));
    let templates = parse(&learned);
    assert_eq!(Templates::parse(templates.text()).as_ref(), Ok(&templates));
    assert_eq!(templates.text(), ["urlid-templates 1\n", &learned.to_canonical()].concat());
    let (mut assigner, mut assigned) = (templates.assigner(), BTreeSet::new());
    for url in site(&mut numbers, if at_length() { 1_000_000 } else { 20_000 }) {
        let template = assigner.assign(&url).expect("a URL").expect("a template");
        assert!(template.starts_with("h.example/"), "{url}: {template}");
        assigned.insert(template);
    }
    // Beside the lines, places where none of them goes on: a first segment, and a hash of digits only.
    assert!(assigned.len() <= learned.templates.len() + 2, "{assigned:?}");
    let counted: usize = learned.templates.iter().map(|line| line.urls).sum();
    assert_eq!(counted, sample(&self::lines(&site(&mut Numbers(3), 4_000)), 2_000).urls().count());
}

#[test]
fn repeats_show_a_closed_set() {
    let mut numbers = Numbers(4);
    let calls = |numbers: &mut Numbers, hits: usize| -> Vec<(String, u32)> {
        let method = |number| {
            format!(
                "https://h.example/api/{}.{}",
                Numbers(number).word(60_000),
                Numbers(number + 7).word(60_000)
            )
        };
        (0..170).map(|number| (method(number * 131), numbers.below(hits) as u32 + 1)).collect()
    };
    let of_hits = learn_with_hits(&calls(&mut numbers, 40));
    assert!(of_hits.templates.len() >= 100, "{:?}", templates(&of_hits));
    let of_set = learn_with_hits(&calls(&mut numbers, 1));
    assert_eq!(templates(&of_set), ["/api/{}"]);
}

#[test]
fn numbers_after_letters_can_share_a_segment_with_words() {
    let mut numbers = Numbers(5);
    let names = ["issue", "msg", "user"];
    let urls = (0..600).map(|_| match numbers.below(4) {
        3 => format!("https://h.example/t/{}", ["help", "index", "keyword", "rest"][numbers.below(4)]),
        name => format!("https://h.example/t/{}{}", names[name], numbers.below(5_000)),
    });
    let learned = learn(&urls.collect::<Vec<_>>());
    let found = templates(&learned);
    for name in names {
        assert!(found.contains(&&*format!("/t/{name}{{int}}")), "{found:?}");
    }
    assert_eq!(found.len(), 7, "{found:?}");
}

#[test]
fn locales_are_one_class_however_many_urls_each_has() {
    let locales = ["en", "de", "fr", "es", "it", "nl", "pl", "pt-BR", "ja", "zh-CN", "en-GB", "sv"];
    let mut numbers = Numbers(6);
    let urls = (0..10_000).map(|_| {
        let locale = locales[numbers.below(12).min(numbers.below(12))];
        match numbers.below(3) {
            0 => format!("https://h.example/{locale}/products/{}", numbers.word(3_000)),
            1 => format!("https://h.example/{locale}/category/{}", numbers.word(200)),
            _ => format!("https://h.example/{locale}/{}", ["cart", "help", "stores"][numbers.below(3)]),
        }
    });
    let learned = learn(&urls.collect::<Vec<_>>());
    assert!(
        templates(&learned).iter().all(|template| template.starts_with("/{}")),
        "{:?}",
        templates(&learned)
    );
}

#[test]
fn names_that_do_not_affect_the_next_segments_are_values() {
    let mut numbers = Numbers(10);
    let names = ["production", "staging", "preview", "test"];
    let rests = ["", "/rules/{}", "/secrets", "/variables"];
    let url = |name: usize, rest: usize, numbers: &mut Numbers| {
        let rest = rests[rest].replace("{}", &numbers.below(9_000).to_string());
        format!("https://h.example/projects/{}/at/{}{rest}", numbers.below(90_000), names[name])
    };
    // An environment is a parameter of four routes.
    let urls: Vec<String> = (0..200).map(|_| url(numbers.below(4), numbers.below(4), &mut numbers)).collect();
    let values = learn(&urls);
    let lines = rests.map(|rest| format!("/projects/{{int}}/at/{{}}{}", rest.replace("{}", "{int}")));
    assert_eq!(templates(&values), lines);
    // Sixteen routes, of which each is more or less frequent for itself.
    let urls: Vec<String> = (0..200)
        .map(|_| {
            let route = numbers.below(16).min(numbers.below(16)) * 5 % 16;
            url(route / 4, route % 4, &mut numbers)
        })
        .collect();
    let routes = learn(&urls);
    assert!(templates(&routes).iter().all(|line| !line.contains("/at/{}")), "{:?}", templates(&routes));
}

#[test]
fn a_branch_is_a_value_where_others_are_digests() {
    let mut numbers = Numbers(11);
    let urls = (0..300).map(|_| {
        let branch = match numbers.below(5) {
            0 => format!("{:040x}", numbers.below(1 << 30) as u128 * 7_777_777_777_777),
            branch => ["main", "main", "master", "develop"][branch - 1].to_owned(),
        };
        let rest = ["", "/protection", "/protection/teams"][numbers.below(3)];
        format!("https://h.example/{}/branches/{branch}{rest}", numbers.below(90_000))
    });
    let learned = learn(&urls.collect::<Vec<_>>());
    let expected =
        ["", "/protection", "/protection/teams"].map(|rest| format!("/{{int}}/branches/{{}}{rest}"));
    assert_eq!(templates(&learned), expected);
}

#[test]
fn no_host_has_more_literals_or_templates_than_the_bounds() {
    let mut numbers = Numbers(7);
    let noise = (0..20_000).map(|_| {
        let depth = 1 + numbers.below(9);
        (0..depth).fold("https://h.example".to_owned(), |url, _| format!("{url}/{}", numbers.word(40)))
    });
    let learned = learn(&noise.collect::<Vec<_>>());
    assert!((1..=1_024).contains(&learned.templates.len()), "{}", learned.templates.len());
    let long: Vec<String> =
        (0..100).map(|number| format!("https://h.example/{number}{}", "/a".repeat(10_000))).collect();
    assert_eq!(lines(&long), BTreeSet::from([String::new()]));
    let wide =
        (0..2_100).map(|number| format!("https://h.example/?a{number}={number}&b={}", "x".repeat(200)));
    let lines = lines(&wide.collect::<Vec<_>>());
    assert!(sample(&lines, 2_000).bytes() <= 208_000);
}

#[test]
fn an_endlessly_growing_url_is_a_trap() {
    let mut numbers = Numbers(8);
    let clean = site(&mut numbers, 1_000);
    assert_eq!(learn(&clean).traps, []);
    let trap = |kind: &str, url: &dyn Fn(&mut Numbers) -> String| {
        let mut numbers = Numbers(9);
        let planted: Vec<String> =
            (0..200).map(|_| format!("https://h.example{}", url(&mut numbers))).collect();
        let learned = learn(clean.iter().chain(&planted));
        assert_eq!(
            learned.traps.iter().map(|trap| trap.kind).collect::<BTreeSet<_>>(),
            BTreeSet::from([kind]),
            "{:?}",
            learned.traps
        );
    };
    trap("repeat", &|numbers| format!("/de/{}{}", numbers.word(9), "/intl/de".repeat(1 + numbers.below(6))));
    trap("calendar", &|numbers| {
        format!(
            "/events/{}/{:02}/{:02}",
            1_900 + numbers.below(400),
            1 + numbers.below(12),
            1 + numbers.below(28)
        )
    });
    trap("facets", &|numbers| {
        (0..6)
            .filter(|_| numbers.below(2) > 0)
            .fold("/shop?z=1".to_owned(), |url, field| format!("{url}&f{field}={}", field % 4))
    });
    trap("session", &|numbers| {
        format!(
            "/p/{}?s={:016x}{:016x}",
            numbers.word(60),
            numbers.below(1 << 31) as u64 * 77_777_777,
            numbers.below(1 << 31)
        )
    });
}
