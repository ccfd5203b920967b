//! How the time of each reading grows with its input, over families that are slow in bad parsers.
//!
//! Prints time(2n) / time(n) for each family and reading, best of nine, at n = 1 MiB or the size given: about 2 where time is
//! linear, 4 where it is quadratic. The time is the processor's, not the clock's. Ratios within one run, and no test:
//! machines differ, and so do their loads. A reading that only copies shows a step of 8 to 16 once, where the allocator
//! stops to reuse memory and takes fresh pages: 0.16 and 1.3 nanoseconds a byte on either side, whatever the size.
//!
//! ```text
//! cargo run --release --package conformance --example linear -- 1048576
//! ```

use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};
use urlid::generic::{Mode, normalise, remove_dot_segments, resolve};
use urlid::hashed_uri::{Keep, Variant, canonicalize};
use urlid::reference::{Class, Context, Reference};
use urlid::sxurl::Sxurl;
use urlid::web::Url;

/// A family: what comes before, what is repeated to fill the size, what comes after.
struct Family(&'static str, &'static str, &'static str, &'static str);

const FAMILIES: [Family; 24] = [
    Family("one long path segment", "http://h/", "a", ""),
    Family("empty segments", "http://h/", "/", ""),
    Family("dot segments", "http://h/", "./", ""),
    Family("parent segments", "http://h/", "../", ""),
    Family("segments and parents", "http://h/", "a/../", ""),
    Family("escaped parents", "http://h/", "%2e%2E/", ""),
    Family("backslashes", "http://h/", "\\", ""),
    Family("many segments", "http://h/", "a/", ""),
    Family("escapes", "http://h/", "%41", ""),
    Family("bad escapes", "http://h/", "%", ""),
    Family("what must be escaped", "http://h/", "^", ""),
    Family("characters beyond ASCII", "http://h/", "é", ""),
    Family("tabs", "http://h/", "\t", "a"),
    Family("spaces at the end", "http://h/", " ", ""),
    Family("spaces in an opaque path", "a:", " ", "#"),
    Family("a long query", "http://h/?", "a=1&", ""),
    Family("a long fragment", "http://h/#", "#", ""),
    Family("at signs", "http://", "a@", "h/"),
    Family("colons", "http://", ":", "@h/"),
    Family("labels", "http://", "a.", "b/"),
    Family("labels in Punycode", "http://", "xn--fa-hia.", "de/"),
    Family("one label in Punycode", "http://xn--", "a", "/"),
    Family("a label beyond ASCII", "http://", "é", "/"),
    Family("brackets", "http://[", "1:", "]/"),
];

/// A parser of a text; its result is ignored.
type Reading = (&'static str, fn(&str) -> usize);

const READINGS: [Reading; 8] = [
    ("tokens", |text| {
        Reference::parse(text, Context::Whatwg(Class::Web)).map_or(0, |url| url.tokens().count())
    }),
    ("web", |text| Url::parse(text).map_or(0, |url| url.as_str().len())),
    ("join", |text| {
        Url::parse("http://h/a/b").and_then(|base| base.join(text)).map_or(0, |url| url.as_str().len())
    }),
    ("resolve", |text| resolve("http://h/a/b", text, Mode::Nonstrict).map_or(0, |url| url.len())),
    ("normalise", |text| normalise(text).map_or(0, |url| url.len())),
    ("dots", |text| remove_dot_segments(text).len()),
    ("hashed", |text| canonicalize(text, None, Keep::ALL, Variant::P).map_or(0, |url| url.as_str().len())),
    ("sxurl", |text| Sxurl::encode(text).map_or(0, |id| id.as_bytes().len())),
];

#[expect(clippy::print_stdout, reason = "the table is what the program is for")]
fn main() {
    let size = std::env::args().nth(1).and_then(|size| size.parse().ok()).unwrap_or(1 << 20);
    print!("{:28}", "family");
    READINGS.iter().for_each(|(name, _)| print!("{name:>10}"));
    println!();
    let mut worst: (f64, &str, &str) = (0.0, "", "");
    for Family(name, before, repeated, after) in FAMILIES {
        let text = |size: usize| [before, &repeated.repeat(size / repeated.len()), after].concat();
        let (short, long) = (text(size), text(2 * size));
        print!("{name:28}");
        for (reading, read) in READINGS {
            let (short, long) = (seconds(read, &short), seconds(read, &long));
            // A reading that stops early takes no time worth a ratio.
            let ratio = if long < 20e-6 { 1.0 } else { long / short };
            print!("{ratio:10.2}");
            if ratio > worst.0 {
                worst = (ratio, name, reading);
            }
        }
        println!();
    }
    println!("worst: {:.2} ({}, {})", worst.0, worst.1, worst.2);
}

/// Returns the best time of nine.
fn seconds(read: fn(&str) -> usize, text: &str) -> f64 {
    let times = (0..9).map(|_| {
        let start = processor_time();
        std::hint::black_box(read(std::hint::black_box(text)));
        (processor_time() - start).as_secs_f64()
    });
    times.fold(f64::INFINITY, f64::min)
}

fn processor_time() -> Duration {
    clock_gettime(ClockId::ThreadCPUTime).try_into().unwrap_or_default()
}
