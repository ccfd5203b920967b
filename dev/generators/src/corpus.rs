//! The corpus that tests share, made from the URLs of the repository.

use std::collections::HashSet;

use crate::{Choices, Recombined, Seeded, hostile_text, sxurl_url, uri, web_url};

/// The number of lines of the corpus.
pub const CORPUS_LINES: usize = 60_000;

/// SHA-256 of the corpus of `samples/debian_homepages.txt`, in hex. Tests in other languages compare counts
/// that were made from these bytes, so a change of a generator that the corpus uses also changes these
/// counts.
pub const CORPUS_SHA256: &str = "13d9cdb95a5a6a25e25a5595567fcceca1e03dfa3b0bdf6139e9e54ceae02a90";

/// One line of this many is not made from real URLs.
const MADE_EVERY: u64 = 4;

/// A word in each script in which people name hosts, including scripts that are written from right to left
/// or combine letters.
const WORDS: [&str; 36] = [
    "straße",
    "ελλάδα",
    "мир",
    "հայ",
    "שלום",
    "سلام",
    "دنیا",
    "ܫܠܡܐ",
    "ދިވެހި",
    "नमस्ते",
    "বাংলা",
    "ਪੰਜਾਬੀ",
    "ગુજરાતી",
    "ଓଡ଼ିଆ",
    "தமிழ்",
    "తెలుగు",
    "ಕನ್ನಡ",
    "മലയാളം",
    "සිංහල",
    "ไทย",
    "ລາວ",
    "བོད་",
    "မြန်မာ",
    "საქართველო",
    "한국",
    "አማርኛ",
    "ᏣᎳᎩ",
    "ខ្មែរ",
    "ᠮᠣᠩᠭᠣᠯ",
    "ひらがな",
    "カタカナ",
    "漢字",
    "ⵜⴰⵎⴰⵣⵉⵖⵜ",
    "tiếng",
    "ﬁle",
    "ｗｉｄｅ",
];

/// Hosts that tests look up, with suffixes of one label and of two.
const KNOWN: [&str; 8] = [
    "www.google.com",
    "maps.google.com",
    "google.de",
    "en.wikipedia.org",
    "de.wikipedia.org",
    "www.bbc.co.uk",
    "news.bbc.co.uk",
    "www.gov.sc",
];

/// Returns the corpus: distinct lines, each with a line feed. Three of four are recombined from the sample's
/// URLs. The others are of every scheme and script, hostile, or not URLs, so that every reader rejects some
/// of them.
///
/// # Panics
/// Panics if the sample does not have URLs with queries.
pub fn corpus(sample: &str) -> String {
    let recombined = Recombined::new(sample).expect("the sample has URLs with queries");
    let mut random = Seeded::new(1);
    let (mut seen, mut text) = (HashSet::with_capacity(CORPUS_LINES), String::new());
    let mut number = 0;
    while seen.len() < CORPUS_LINES {
        let mut line = String::new();
        match number % MADE_EVERY {
            0 => line = made(&mut random),
            _ => recombined.push(number, &mut line),
        }
        number += 1;
        // Readers of lines treat the text after a blank as separate from the URL, so a line with a blank
        // would not be one text.
        let is_line = !line.is_empty() && !line.contains(char::is_whitespace);
        if is_line && seen.insert(line.clone()) {
            text.push_str(&line);
            text.push('\n');
        }
    }
    text
}

fn made(random: &mut Seeded) -> String {
    let mut bytes = [0; 64];
    random.fill(&mut bytes);
    let choices = &mut Choices::new(&bytes);
    match choices.below(16) {
        0 => hostile_text(choices),
        1 | 2 => uri(choices),
        3 | 4 => sxurl_url(choices),
        5..=7 => web_url(choices),
        8 | 9 => of_a_known_host(random),
        _ => in_a_script(choices),
    }
}

/// Returns a URL as people link to sites, with any of its parts.
fn of_a_known_host(random: &mut Seeded) -> String {
    let scheme = random.one(&["https", "https", "http"]);
    let (host, port) = (random.one(&KNOWN), random.one(&["", "", "", "", ":8080"]));
    let number = random.below(5000);
    let path = random.one(&["/", "/robots.txt", "/wiki/", "/search", "/a/b"]);
    let path = if random.below(2) == 0 { path.to_owned() } else { format!("{path}/{number}") };
    let query = if random.below(3) == 0 { format!("?q={number}&hl=en") } else { String::new() };
    let fragment = if random.below(4) == 0 { "#top" } else { "" };
    [scheme, "://", host, port, &path, &query, fragment].concat()
}

/// Returns a URL with words of some script in its parts, escaped or not.
fn in_a_script(choices: &mut Choices<'_>) -> String {
    let word = |choices: &mut Choices<'_>| {
        let word = choices.one(&WORDS);
        if choices.is(6) {
            word.bytes().map(|byte| format!("%{byte:02X}")).collect()
        } else {
            word.to_owned()
        }
    };
    let scheme = choices.one(&["https", "http", "ftp", "ws", "wss", "gemini"]);
    let mut url = format!(
        "{scheme}://{}.{}",
        choices.one(&WORDS),
        choices.one(&["example", "com", "рф", "中国", "भारत"])
    );
    for _ in 0..choices.below(4) {
        url = url + "/" + &word(choices);
    }
    if choices.is(6) {
        url = url + "?" + &word(choices) + "=" + &word(choices);
    }
    if choices.is(4) {
        url = url + "#" + &word(choices);
    }
    url
}
