//! `bench stages`: what each phase of the batch encoder costs, beside the hashes that no encoder can spare.
//!
//! Batch sizes and worst cases too. Every figure is nanoseconds for each line, the minimum of each slice.

use std::collections::BTreeMap;
use std::hint::black_box;
use std::time::{Duration, Instant};

use urlid::Sxurl;
use urlid::batch::{Batch, Encoder, HostCacheKey, Identifier, Kernels};
use urlid::hashed_uri::{HashedUri, Keep};
use urlid::suffix::SuffixList;
use urlid::url_hash::UrlHash;
use urlid_simd::{Cpu, MessageBlock};

use crate::corpus::{self, Corpus};
use crate::race::Race;
use crate::record::{Figure, Record};

const ROUNDS: usize = 30;
const SLICE: usize = 1000;

/// Measures and prints.
pub(crate) fn run(arguments: &[String]) -> Result<(), String> {
    let corpora = corpus::standard()?;
    let mut record = Record::begin("stages");
    for corpus in &corpora {
        phases(corpus, "SXURL", encoder(Kernels::detect()), &mut record, |batch, out| {
            batch.write_hex_lines(out)
        });
        let url_hashes = Encoder::<UrlHash>::new();
        phases(corpus, "url-hash", url_hashes, &mut record, |batch, out| batch.write_hex_lines(out));
        let hashed_uris = Encoder::<HashedUri>::new(Keep::NONE);
        phases(corpus, "hashed URI", hashed_uris, &mut record, |batch, out| batch.write_hashed_uris(out));
        hash_floor(corpus, &mut record);
        batch_sizes(corpus, &mut record);
        paths(corpus, &mut record)?;
    }
    for corpus in worst_cases() {
        whole(&corpus, &mut record);
    }
    record.print();
    record.write(arguments)
}

fn encoder(kernels: Kernels) -> Encoder<Sxurl> {
    Encoder::<Sxurl>::with_kernels(SuffixList::compiled(), HostCacheKey([3, 4]), kernels)
}

fn figure(record: &mut Record, corpus: &Corpus, work: String, nanoseconds: f64) {
    record.figures.push(Figure { corpus: corpus.name.clone(), work, nanoseconds });
}

/// The phases of an encoder, by its laps.
fn phases<I: Identifier>(
    corpus: &Corpus,
    kind: &str,
    mut encoder: Encoder<I>,
    record: &mut Record,
    write: impl Fn(&Batch<'_, I>, &mut Vec<u8>),
) {
    let offsets = corpus.offsets();
    let lines = offsets.len() - 1;
    let mut best: BTreeMap<(usize, &'static str), Duration> = BTreeMap::new();
    let mut order: Vec<&'static str> = Vec::new();
    let mut hex = Vec::new();
    for _ in 0..ROUNDS {
        for (slice, start) in (0..lines).step_by(SLICE).enumerate() {
            let text = &corpus.text.as_bytes()[offsets[start]..offsets[(start + SLICE).min(lines)]];
            let mut times: BTreeMap<&'static str, Duration> = BTreeMap::new();
            let mut last = Instant::now();
            hex.clear();
            encoder.encode_lines_with_laps(
                text,
                |batch| write(&batch, &mut hex),
                |phase| {
                    let now = Instant::now();
                    *times.entry(phase).or_default() += now - last;
                    if !order.contains(&phase) {
                        order.push(phase);
                    }
                    last = Instant::now();
                },
            );
            for (phase, time) in times {
                let best = best.entry((slice, phase)).or_insert(Duration::MAX);
                *best = time.min(*best);
            }
        }
    }
    let mut sum = 0.0;
    for phase in order {
        let time: Duration = best.iter().filter(|((_, name), _)| *name == phase).map(|(_, time)| *time).sum();
        let nanoseconds = time.as_nanos() as f64 / lines as f64;
        sum += nanoseconds;
        figure(record, corpus, format!("{kind}: {phase}"), nanoseconds);
    }
    figure(record, corpus, format!("{kind}: all phases"), sum);
}

/// SHA-256 alone, of as many blocks as paths, queries and fragments have, in batches of equal length.
fn hash_floor(corpus: &Corpus, record: &mut Record) {
    let mut blocks = 0;
    for line in corpus.lines() {
        let rest = line.split_once("://").map_or("", |(_, rest)| rest);
        let rest = rest.find(['/', '?', '#']).map_or("", |at| &rest[at..]);
        let (rest, fragment) = rest.split_once('#').unwrap_or((rest, ""));
        let (path, query) = rest.split_once('?').unwrap_or((rest, ""));
        for (label, part) in [(5, path), (7, query), (5, fragment)] {
            if !matches!(part, "" | "/") {
                blocks += (label + part.len() + 9_usize).div_ceil(64);
            }
        }
    }
    let lines = corpus.offsets().len() - 1;
    let messages = vec![MessageBlock([7; 64]); 512];
    let mut tails = vec![0_u64; 512];
    let mut race = Race::over(512);
    race.add("floor", move |range| {
        Kernels::detect().hash(&messages[range.clone()], 1, &mut tails[range]);
        tails[0]
    });
    let each: f64 = race.run(2000).iter().map(|time| time.nanoseconds).sum();
    let count = blocks as f64 / lines as f64;
    figure(record, corpus, format!("SXURL: floor, {count:.2} blocks but the hosts'"), each * count);
}

/// The whole encoder with fewer lines at once.
fn batch_sizes(corpus: &Corpus, record: &mut Record) {
    let lines = &corpus.lines();
    let mut race = Race::over(lines.len());
    for (name, size) in [
        ("SXURL: batch of 1", 1),
        ("SXURL: batch of 4", 4),
        ("SXURL: batch of 16", 16),
        ("SXURL: batch of 64", 64),
        ("SXURL: batch of 512", 512),
    ] {
        let mut encoder = encoder(Kernels::detect());
        let mut hex = Vec::new();
        race.add(name, move |range| {
            hex.clear();
            for batch in lines[range].chunks(size) {
                encoder.encode_all(batch.iter().copied(), |batch| batch.write_hex_lines(&mut hex));
            }
            u64::from(hex[hex.len() / 2])
        });
    }
    for time in race.run(ROUNDS) {
        figure(record, corpus, time.name.to_owned(), time.nanoseconds);
    }
}

/// The whole encoder on each CPU path.
fn paths(corpus: &Corpus, record: &mut Record) -> Result<(), String> {
    for cpu in Cpu::available() {
        let kernels = Kernels::new(cpu).ok_or("the path went away")?;
        for (kind, nanoseconds) in [
            ("SXURL", lines(corpus, encoder(kernels))),
            ("url-hash", lines(corpus, Encoder::<UrlHash>::with_kernels(kernels))),
        ] {
            figure(record, corpus, format!("{kind}: path {cpu}"), nanoseconds);
        }
    }
    Ok(())
}

/// The encoders over a corpus beside the `url` crate's parser.
fn whole(corpus: &Corpus, record: &mut Record) {
    figure(record, corpus, "SXURL: batch".to_owned(), lines(corpus, encoder(Kernels::detect())));
    figure(record, corpus, "url-hash: batch".to_owned(), lines(corpus, Encoder::<UrlHash>::new()));
    let texts = &corpus.lines();
    let mut race = Race::over(texts.len());
    race.add("url 2.5: parse", |range| {
        texts[range].iter().map(|line| url::Url::parse(line).map_or(0, |url| url.as_str().len() as u64)).sum()
    });
    for time in race.run(ROUNDS) {
        figure(record, corpus, time.name.to_owned(), time.nanoseconds);
    }
}

fn lines<I: Identifier<Value = [u8; 32]>>(corpus: &Corpus, mut encoder: Encoder<I>) -> f64 {
    let offsets = &corpus.offsets();
    let text = corpus.text.as_bytes();
    let mut race = Race::over(offsets.len() - 1);
    let mut hex = Vec::new();
    race.add("lines", move |range| {
        hex.clear();
        encoder.encode_lines(&text[offsets[range.start]..offsets[range.end]], |batch| {
            batch.write_hex_lines(&mut hex)
        });
        u64::from(*black_box(&hex).first().unwrap_or(&0))
    });
    race.run(ROUNDS).iter().map(|time| time.nanoseconds).sum()
}

/// Lines that the encoder is worst at.
fn worst_cases() -> [Corpus; 4] {
    let lines = 20_000;
    [
        Corpus::of("new hosts", (0..lines).map(|n| format!("https://www.host-{n}.example-{n}.com/path/{n}"))),
        Corpus::of(
            "slow path",
            (0..lines).map(|n| format!("HTTPS://user@www.Example.com:443/a/../path/{n}'")),
        ),
        Corpus::of(
            "2000 bytes",
            (0..lines / 10).map(|n| format!("https://www.example.com/{n}?{}", "abcdefghij".repeat(198))),
        ),
        Corpus::of("idn", (0..lines).map(|n| format!("https://www.bücher-{n}.example/straße/{n}"))),
    ]
}
