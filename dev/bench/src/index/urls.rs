//! Realistic URLs from a seed: hosts as a zipf law, paths and queries as sites have them.
//!
//! `bench index-urls [COUNT] [SEED]` prints them, one a line. The same seed gives the same lines on every
//! machine.

use std::io::Write;

use urlid_generators::{Seeded, mix};

use super::SEED;
use crate::arguments::Arguments;

const TLDS: [&str; 32] = [
    "com", "com", "com", "com", "com", "com", "com", "com", "com", "com", "com", "com", "org", "org", "net",
    "net", "de", "de", "co.uk", "fr", "ru", "jp", "co.jp", "nl", "it", "pl", "com.br", "io", "info", "edu",
    "gov", "com.au",
];
const RARE_TLDS: [&str; 24] = [
    "app",
    "dev",
    "xyz",
    "ai",
    "sc",
    "tax",
    "paris",
    "fox",
    "museum",
    "ac.uk",
    "gov.uk",
    "co.nz",
    "github.io",
    "blogspot.com",
    "edu.cn",
    "or.jp",
    "in",
    "ca",
    "ch",
    "se",
    "no",
    "es",
    "eu",
    "us",
];
const SUBS: [&str; 12] =
    ["www", "www", "www", "www", "www", "en", "blog", "news", "m", "shop", "docs", "forum"];
const WORDS: [&str; 48] = [
    "about", "article", "articles", "blog", "category", "contact", "content", "data", "download", "en",
    "events", "faq", "files", "forum", "gallery", "help", "history", "home", "images", "index", "info",
    "items", "library", "list", "login", "media", "members", "music", "news", "pages", "people", "photo",
    "pictures", "posts", "press", "privacy", "product", "products", "profile", "projects", "reviews",
    "search", "services", "shop", "support", "tag", "users", "view",
];
const ENDINGS: [&str; 8] = ["", "", "", "/", "/", ".html", ".html", ".php"];
const KEYS: [&str; 10] = ["id", "p", "page", "q", "lang", "ref", "utm_source", "sort", "cat", "v"];

/// An endless sequence of URLs.
#[derive(Debug, Clone)]
pub(crate) struct Urls {
    random: Seeded,
    last: String,
}

impl Urls {
    /// Begins the sequence of a seed.
    pub(crate) fn of(seed: u64) -> Self {
        Urls { random: Seeded::new(seed ^ 0x9e37_79b9_7f4a_7c15), last: String::new() }
    }

    /// Appends the next URL to `out`, without a line end.
    pub(crate) fn push_next(&mut self, out: &mut String) {
        // Pages link to what was linked before: one in forty repeats its neighbour.
        if !self.last.is_empty() && self.random.below(40) == 0 {
            out.push_str(&self.last);
            return;
        }
        let start = out.len();
        out.push_str(match self.random.below(1000) {
            0..850 => "https://",
            850..998 => "http://",
            _ => "ftp://",
        });
        self.host(out);
        if self.random.below(250) == 0 {
            out.push_str(match self.random.below(3) {
                0 => ":8080",
                1 => ":8443",
                _ => ":80",
            });
        }
        self.path(out);
        if self.random.below(4) == 0 {
            self.query(out);
        }
        if self.random.below(50) == 0 {
            out.push('#');
            let word = self.random.one(&WORDS);
            out.push_str(word);
        }
        self.last.clear();
        self.last.push_str(&out[start..]);
    }

    fn host(&mut self, out: &mut String) {
        // The rank of a site is a power of a uniform number: few sites have most pages.
        let uniform = (self.random.word() >> 11) as f64 / (1_u64 << 53) as f64;
        let rank = 3e6_f64.powf(uniform.powf(1.55)) as u64;
        let site = mix(rank);
        let tld = if site.is_multiple_of(6) {
            RARE_TLDS[(site >> 8) as usize % RARE_TLDS.len()]
        } else {
            TLDS[(site >> 8) as usize % TLDS.len()]
        };
        match self.random.below(10) {
            0..5 => {
                out.push_str("www.");
            }
            5 => {
                let sub = self.random.one(&SUBS);
                out.push_str(sub);
                out.push('.');
            }
            _ => {}
        }
        name(site, out);
        out.push('.');
        out.push_str(tld);
    }

    fn path(&mut self, out: &mut String) {
        let depth = match self.random.below(20) {
            0 => {
                out.push('/');
                return;
            }
            1 => {
                out.push_str("/robots.txt");
                return;
            }
            2..8 => 1,
            8..15 => 2,
            _ => 3,
        };
        for _ in 0..depth {
            out.push('/');
            let word = self.random.one(&WORDS);
            out.push_str(word);
        }
        match self.random.below(3) {
            0 => {}
            1 => {
                out.push('/');
                let number = self.random.below(10_000_000);
                out.push_str(&number.to_string());
            }
            _ => {
                for _ in 0..4 + self.random.below(5) {
                    out.push('-');
                    let word = self.random.one(&WORDS);
                    out.push_str(word);
                }
                let number = self.random.below(100_000);
                out.push('-');
                out.push_str(&number.to_string());
            }
        }
        let ending = self.random.one(&ENDINGS);
        out.push_str(ending);
    }

    fn query(&mut self, out: &mut String) {
        for number in 0..1 + self.random.below(2) {
            out.push(if number == 0 { '?' } else { '&' });
            let key = self.random.one(&KEYS);
            out.push_str(key);
            out.push('=');
            let value = self.random.below(1_000_000);
            out.push_str(&value.to_string());
        }
    }
}

/// A pronounceable name, the same for the same site.
fn name(mut site: u64, out: &mut String) {
    let syllables = 2 + site % 4;
    for _ in 0..syllables {
        out.push(char::from(b"bcdfghklmnprstvz"[(site & 15) as usize]));
        out.push(char::from(b"aeiou"[(site >> 4) as usize % 5]));
        site >>= 9;
    }
}

/// Returns `count` URLs of a seed, one a line.
pub(super) fn lines(seed: u64, count: usize) -> String {
    let (mut urls, mut text) = (Urls::of(seed), String::new());
    for _ in 0..count {
        urls.push_next(&mut text);
        text.push('\n');
    }
    text
}

/// Prints URLs of a seed.
pub(crate) fn run(args: &[String]) -> Result<(), String> {
    let arguments = Arguments(args);
    let count = arguments.number(0, 1_000_000)?;
    let mut urls = Urls::of(arguments.number(1, SEED)?);
    let mut out = std::io::BufWriter::with_capacity(1 << 20, std::io::stdout().lock());
    let mut line = String::new();
    for _ in 0..count {
        line.clear();
        urls.push_next(&mut line);
        line.push('\n');
        out.write_all(line.as_bytes()).map_err(|error| error.to_string())?;
    }
    out.flush().map_err(|error| error.to_string())
}
