//! The law of the batch encoder: a line has the same identifier as its text by itself, on every CPU path and
//! among any other lines.

use urlid::batch::{Cpu, Encoder, HostCacheKey, Identifier, Kernels, Outcome};
use urlid::hashed_uri::{HashedUri, Keep, Options};
use urlid::suffix::{Sections, SuffixList};
use urlid::sxurl::Sxurl;
use urlid::url_hash::UrlHash;

use urlid::{Error, ErrorCode};
use urlid_generators::Seeded;

/// Pieces that are combined to URLs and near-URLs.
const PIECES: &[&str] = &[
    "http://",
    "https://",
    "ftp://",
    "HTTP://",
    "http:",
    "//",
    "https:/",
    "mailto:",
    "ws://",
    "file://",
    "www.",
    "a.",
    "example.com",
    "example.co.uk",
    "co.uk",
    "github.io",
    "Example.COM",
    "exämple.de",
    "xn--bcher-kva.ch",
    "xn--a",
    "127.0.0.1",
    "0x7f.1",
    "[::1]",
    "host.",
    "a..b",
    "my_host.org",
    "user@",
    "u:p@",
    ":80",
    ":443",
    ":0",
    ":99999",
    ":",
    ":08",
    "/",
    "/path",
    "/a/b.html",
    "/./",
    "/../",
    "/.",
    "/%2e/",
    "/%41",
    "?",
    "?q=1",
    "?a=b&c=d",
    "#",
    "#frag",
    "#a?b",
    "'",
    "\"",
    "<",
    "^",
    "`",
    "{",
    "|",
    "\\",
    " ",
    "\t",
    "\r",
    "ü",
    "\u{1f600}",
    "\0",
    "\u{7f}",
    "%",
    "%zz",
    "-",
    "_",
    ".",
    "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
    "/xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
];

/// Returns a text made of pieces. Half of the texts start like plain URLs, so that most of the rest reaches
/// the fast paths.
fn text(random: &mut Seeded) -> String {
    let mut text = String::new();
    if random.below(2) == 0 {
        text += random.one(&["http://", "https://", "ftp://"]);
        text += random.one(&["example.com", "www.example.co.uk", "a.b.c.example.org", "h"]);
    }
    for _ in 0..random.below(7) {
        text += random.one(PIECES);
    }
    text
}

/// Returns the outcome of encoding a single text.
fn alone<I: Identifier>(url: &str, of: impl Fn(&str) -> Result<I, ErrorCode>) -> Outcome<I> {
    match url {
        "" => Outcome::Blank,
        _ => of(url).map_or_else(Outcome::Rejected, Outcome::Id),
    }
}

/// Compares the outcomes of texts, as strings, as a column and as lines, with the outcomes of the single
/// texts.
fn check<I: Identifier<Error = Error> + PartialEq + std::fmt::Debug>(
    encoder: &mut Encoder<I>,
    texts: &[String],
    of: impl Fn(&str) -> Result<I, ErrorCode> + Copy,
) {
    let expected: Vec<_> = texts.iter().map(|text| alone(text, of)).collect();
    let mut found = Vec::new();
    encoder.encode_all(texts.iter().map(String::as_str), |batch| {
        found.extend(batch.outcomes());
        for (index, code) in batch.rejected() {
            assert_eq!(batch.error(index).map(|error| error.code()), code);
        }
    });
    compare(texts, &found, &expected);

    let mut found = Vec::new();
    encoder.encode_column(texts.concat().as_bytes(), offsets(texts), |batch| found.extend(batch.outcomes()));
    compare(texts, &found, &expected);

    let lines: Vec<String> =
        texts.iter().map(|text| text.replace('\n', "").trim_end_matches('\r').to_owned()).collect();
    let expected: Vec<_> = lines.iter().map(|line| alone(line, of)).collect();
    let mut found = Vec::new();
    encoder.encode_lines((lines.join("\r\n") + "\r\n").as_bytes(), |batch| found.extend(batch.outcomes()));
    compare(&lines, &found, &expected);
}

/// Returns the start of each text in their concatenation, followed by the end of the last one.
fn offsets(texts: &[String]) -> impl Iterator<Item = usize> {
    std::iter::once(0).chain(texts.iter().scan(0, |end, text| {
        *end += text.len();
        Some(*end)
    }))
}

fn compare<I: PartialEq + std::fmt::Debug>(texts: &[String], found: &[Outcome<I>], expected: &[Outcome<I>]) {
    assert_eq!(found.len(), texts.len());
    for ((text, found), expected) in texts.iter().zip(found).zip(expected) {
        assert_eq!(found, expected, "{text:?}");
    }
}

fn on_every_path(check: impl Fn(Kernels)) {
    Cpu::available().for_each(|cpu| check(Kernels::new(cpu).expect("an available path has kernels")));
}

fn sxurl_of(list: &SuffixList) -> impl Fn(&str) -> Result<Sxurl, ErrorCode> + Copy {
    move |url| Sxurl::encode_with(url, list).map_err(|error| error.code())
}

fn url_hash_of(url: &str) -> Result<UrlHash, ErrorCode> {
    UrlHash::encode(url).map_err(|error| error.code())
}

fn hashed_uri_of(keep: Keep) -> impl Fn(&str) -> Result<HashedUri, ErrorCode> + Copy {
    move |uri| {
        let options = Options { keep, ..Options::default() };
        HashedUri::encode_with(uri, &options).map_err(|error| error.code())
    }
}

#[test]
fn a_batch_equals_single_encodings_on_generated_texts() {
    let own = SuffixList::parse("com\nexample.com\n*.uk\n!co.uk\n", Sections::All).expect("a small list");
    on_every_path(|kernels| {
        for seed in 0..20 {
            let mut random = Seeded::new(seed);
            let texts: Vec<String> = (0..1000).map(|_| text(&mut random)).collect();
            for list in [SuffixList::compiled(), SuffixList::compiled_with(Sections::Icann), &own] {
                check(
                    &mut Encoder::<Sxurl>::with_kernels(list, HostCacheKey([seed, 7]), kernels),
                    &texts,
                    sxurl_of(list),
                );
            }
            check(&mut Encoder::<UrlHash>::with_kernels(kernels), &texts, url_hash_of);
            for keep in Keep::EACH {
                check(&mut Encoder::<HashedUri>::with_kernels(keep, kernels), &texts, hashed_uri_of(keep));
            }
        }
    });
}

#[test]
fn a_batch_equals_single_encodings_at_every_length() {
    let mut texts = Vec::new();
    for length in 0..300 {
        let filler = "abcdefghij".repeat(30)[..length].to_owned();
        texts.push(format!("http://{filler}"));
        texts.push(format!("http://{filler}.com/x"));
        texts.push(format!("https://user:{filler}@example.com/"));
        texts.push(format!("https://example.com/{filler}"));
        texts.push(format!("https://example.com/{filler}?q#f"));
        texts.push(format!("https://example.com?{filler}#f"));
        texts.push(format!("https://example.com/?{filler}"));
        texts.push(format!("https://example.com/#{filler}"));
        texts.push(format!("https://example.com/{filler}ü?{filler}"));
    }
    texts.push(format!("http://example.com/{}", "x".repeat(100_000)));
    texts.push(format!("http://example.com/?{}", "ü".repeat(100_000)));
    on_every_path(|kernels| {
        let list = SuffixList::compiled();
        check(
            &mut Encoder::<Sxurl>::with_kernels(list, HostCacheKey([1, 2]), kernels),
            &texts,
            sxurl_of(list),
        );
        check(&mut Encoder::<UrlHash>::with_kernels(kernels), &texts, url_hash_of);
        check(&mut Encoder::<HashedUri>::with_kernels(Keep::ALL, kernels), &texts, hashed_uri_of(Keep::ALL));
    });
}

#[test]
fn an_encoder_encodes_one_text_like_the_function_without_it() {
    let mut random = Seeded::new(99);
    let mut encoder =
        Encoder::<Sxurl>::with_kernels(SuffixList::compiled(), HostCacheKey([5, 6]), Kernels::detect());
    let mut hasher = Encoder::<UrlHash>::new();
    for _ in 0..20_000 {
        let text = text(&mut random);
        assert_eq!(encoder.encode(&text), Sxurl::encode(&text), "{text:?}");
        assert_eq!(hasher.encode(&text), UrlHash::encode(&text), "{text:?}");
    }
}

#[test]
fn hashed_uris_are_written_as_they_are_displayed() {
    let mut random = Seeded::new(5);
    let texts: Vec<String> = (0..1000).map(|_| text(&mut random)).collect();
    for keep in Keep::EACH {
        let shown =
            |text: &String| hashed_uri_of(keep)(text).map_or(String::new(), |uri| uri.to_string()) + "\n";
        let mut lines = Vec::new();
        let mut encoder = Encoder::<HashedUri>::new(keep);
        encoder.encode_all(texts.iter().map(String::as_str), |batch| batch.write_hashed_uris(&mut lines));
        assert_eq!(str::from_utf8(&lines), Ok(texts.iter().map(shown).collect::<String>().as_str()));
    }
}

#[test]
fn lines_that_are_not_utf8_are_rejected_and_the_rest_is_done() {
    let bytes = b"http://a.com/\nhttp://b.com/\xff\n\nhttp://\xc3\xa4.com/\nhttp://c.com/\xc3";
    on_every_path(|kernels| {
        let expected = |url| Outcome::Id(Sxurl::encode(url).expect("a URL"));
        let mut encoder =
            Encoder::<Sxurl>::with_kernels(SuffixList::compiled(), HostCacheKey([1, 1]), kernels);
        let mut found = Vec::new();
        encoder.encode_lines(bytes, |batch| found.extend(batch.outcomes()));
        let rejected = Outcome::Rejected(ErrorCode::Utf8);
        assert_eq!(
            found,
            [expected("http://a.com/"), rejected, Outcome::Blank, expected("http://ä.com/"), rejected]
        );

        let mut hex = Vec::new();
        encoder.encode_lines(bytes, |batch| batch.write_hex_lines(&mut hex));
        let [a, b] =
            ["http://a.com/", "http://ä.com/"].map(|url| Sxurl::encode(url).expect("a URL").to_hex());
        assert_eq!(str::from_utf8(&hex), Ok(format!("{a}\n\n\n{b}\n\n").as_str()));
    });
}

#[test]
fn a_column_may_start_and_end_anywhere_and_have_wrong_offsets() {
    let bytes = "xhttp://a.com/ähttps://b.com/xxxxxhttps:".as_bytes();
    on_every_path(|kernels| {
        let mut encoder =
            Encoder::<Sxurl>::with_kernels(SuffixList::compiled(), HostCacheKey([1, 1]), kernels);
        let mut check = |offsets: &[usize], expected: &[&str]| {
            let mut found = Vec::new();
            encoder.encode_column(bytes, offsets.iter().copied(), |batch| found.extend(batch.outcomes()));
            let outcome = |text: &&str| match *text {
                "\u{fffd}" => Outcome::Rejected(ErrorCode::Utf8),
                text => alone(text, sxurl_of(SuffixList::compiled())),
            };
            assert_eq!(found, expected.iter().map(outcome).collect::<Vec<_>>(), "{offsets:?}");
        };
        check(&[], &[]);
        check(&[5], &[]);
        check(&[1, 14], &["http://a.com/"]);
        check(&[1, 14, 16, 30], &["http://a.com/", "ä", "https://b.com/"]);
        // The offsets are inside a character, and then inside a scheme.
        check(&[1, 15, 21, 30], &["\u{fffd}", "\u{fffd}", "://b.com/"]);
        check(&[16, 21, 23, 24], &["https", ":/", "/"]);
        // The offsets descend, and are beyond the bytes.
        check(&[16, 30, 1, 30], &["https://b.com/", "", ""]);
        check(&[35, usize::MAX, 0], &["https:", ""]);
        check(&[usize::MAX, 1], &[""]);
    });
}

#[test]
fn errors_are_cached_and_hosts_that_share_a_slot_keep_their_own_hashes() {
    // There are more hosts than the host cache holds, each twice in a row and once more later.
    let url = |n: u32| match n % 3 {
        0 => format!("http://h{n}.example.com/"),
        1 => format!("http://10.0.{}.{}/", n >> 8, n & 255),
        _ => format!("http://h{n}:8080/x"),
    };
    let numbers = (0..40_000).flat_map(|n| [n, n]).chain(0..40_000);
    let texts: Vec<String> = numbers.map(url).collect();
    let list = SuffixList::compiled();
    check(
        &mut Encoder::<Sxurl>::with_kernels(list, HostCacheKey([3, 4]), Kernels::detect()),
        &texts,
        sxurl_of(list),
    );
}

#[test]
fn an_encoder_can_be_sent_to_a_thread() {
    fn is_send<T: Send>() {}
    is_send::<Encoder<Sxurl>>();
    is_send::<Encoder<UrlHash>>();
}
