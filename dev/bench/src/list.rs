//! `bench list [ENTRIES]`: checks candidates against a hidden list, and against a `HashSet` of the texts of
//! hashed URIs made with `url`, `sha1` and `hex`, which is the plain way.
//!
//! The list has planted candidates among many near misses. Before the measurement, every answer is compared
//! with a set of canonical texts. Both ways get the same candidates and lists of the same length.

use std::collections::HashSet;
use std::hint::black_box;
use std::sync::Barrier;
use std::thread;
use std::time::{Duration, Instant};

use sha1::{Digest, Sha1};
use urlid::hashed_uri::{Algorithm, Canonical, Keep, Variant, canonicalize};
use urlid_lists::{Covers, Entry, HiddenList, Intake, ListBuilder, ListMatcher, ListRules, Scratch};
use urlid_testing::memory;

use crate::arguments::Arguments;
use crate::corpus::{self, Corpus};
use crate::machine;
use crate::race::{Race, Time};
use crate::record::{Fact, Record, Row};
use crate::target::Target;

/// The number of passes of each way over all candidates.
const ROUNDS: usize = 12;
/// The number of candidates that the program passes to the matcher at once.
const TOGETHER: usize = 256;
/// Lines in a slice of the race between threads.
const SLICE: usize = 512;
const ENTRIES: u64 = 1_000_000;
/// One entry in this many is a candidate.
const PLANTED: usize = 40;

/// The draft's own rules, because the plain way does not support wider ones.
const RULES: ListRules =
    ListRules { variant: Variant::N, intake: Intake::Rfc3986, keep: Keep::NONE, covers: Covers::Url };

const OURS: &str = "urlid: canonical form, sha1, look-up";
const CANONICAL: &str = "urlid: canonical form alone";
const PLAIN: &str = "url, sha1, hex, HashSet<String>";

const ONE_THREAD: Target = Target { work: OURS, against: PLAIN, must: [6.0; 2], aim: [9.0; 2] };

/// Measures, prints the table and writes the record.
pub(crate) fn run(arguments: &[String]) -> Result<(), String> {
    let entries = Arguments(arguments).number(0, ENTRIES)? as usize;
    let corpora = corpus::standard()?;
    let mut record = Record::begin("list");
    let (list, ours) = grown(|| make_list(&corpora, entries));
    let list = list?;
    let (plain, theirs) = grown(|| make_plain(&corpora, entries));
    for corpus in &corpora {
        verify(&list, &corpora, corpus, entries)?;
    }
    for (work, kilobytes) in [("urlid", ours), (PLAIN, theirs)] {
        let bytes = kilobytes as f64 * 1024.0 / list.len() as f64;
        record.facts.push(Fact::new(format!("{work}: memory of an entry"), bytes, "bytes"));
    }
    let times = [&corpora[0], &corpora[1]].map(|corpus| race(&list, &plain, corpus));
    for (corpus, times) in corpora.iter().zip(&times) {
        record.add_times(corpus, times);
    }
    let row = |work: String, must: f64, aim: f64, reached: [f64; 2]| Row {
        work,
        against: PLAIN.to_owned(),
        must: [must; 2],
        aim: [aim; 2],
        reached,
    };
    record.rows.push(Row { work: format!("{entries} entries, one thread"), ..ONE_THREAD.row(&times) });
    let two = [&corpora[0], &corpora[1]].map(|corpus| two_threads(&list, &plain, corpus));
    record.rows.push(row(format!("{entries} entries, two threads"), 9.0, 14.0, two));
    record.rows.push(row("memory".to_owned(), 3.0, 4.0, [theirs as f64 / ours as f64; 2]));
    record.print();
    record.write(arguments)
}

/// Returns the entry with this number, which is sometimes a candidate and otherwise differs from a candidate
/// in its end.
fn entry(lines: &[&str], number: usize) -> String {
    let line = lines[number.wrapping_mul(7919) % lines.len()];
    if number.is_multiple_of(PLANTED) {
        line.to_owned()
    } else {
        format!("{}/{number}", line.split(['?', '#']).next().unwrap_or(line))
    }
}

fn all_lines(corpora: &[Corpus; 2]) -> Vec<&str> {
    corpora.iter().flat_map(Corpus::lines).collect()
}

/// Makes the list in a checker's form, read from its compiled form.
fn make_list(corpora: &[Corpus; 2], entries: usize) -> Result<HiddenList, String> {
    let lines = all_lines(corpora);
    let mut builder = ListBuilder::new(RULES, &[Algorithm::Sha1], None).map_err(|error| error.to_string())?;
    for number in 0..entries {
        // Texts that are not URIs are not entries.
        let _ = builder.add(&entry(&lines, number), None);
    }
    let list = builder.finish();
    let mut bytes = Vec::with_capacity(list.len() as usize * 20 + 1000);
    list.write_compiled(&mut bytes).map_err(|error| error.to_string())?;
    drop(list);
    HiddenList::from_compiled(bytes).map_err(|error| error.to_string())
}

fn make_plain(corpora: &[Corpus; 2], entries: usize) -> HashSet<String> {
    let lines = all_lines(corpora);
    (0..entries).filter_map(|number| plain_hashed_uri(&entry(&lines, number))).collect()
}

/// Makes the text of a hashed URI in the plain way, with the `url` crate.
pub(crate) fn plain_hashed_uri(text: &str) -> Option<String> {
    let mut url = url::Url::parse(text).ok()?;
    url.set_query(None);
    url.set_fragment(None);
    Some(format!("hashed:sha1={}", hex::encode(Sha1::digest(url.as_str()))))
}

/// Checks that the list matches exactly the candidates whose canonical text is the canonical text of an
/// entry.
fn verify(list: &HiddenList, corpora: &[Corpus; 2], corpus: &Corpus, entries: usize) -> Result<(), String> {
    let canonical =
        |text: &str| canonicalize(text, None, Keep::NONE, Variant::N).ok().map(|text| text.into_string());
    let candidates: HashSet<String> = corpus.lines().into_iter().filter_map(canonical).collect();
    let lines = all_lines(corpora);
    let listed: HashSet<String> = (0..entries)
        .filter_map(|number| canonical(&entry(&lines, number)))
        .filter(|text| candidates.contains(text))
        .collect();
    let matcher = ListMatcher::new(list, None).map_err(|error| error.to_string())?;
    let mut scratch = Scratch::default();
    for line in corpus.lines() {
        let found = matcher.find(&mut scratch, line, None).ok().flatten().is_some();
        let expected = canonical(line).is_some_and(|text| listed.contains(&text));
        if found != expected {
            return Err(format!("{line}: found {found}, expected {expected}"));
        }
    }
    Ok(())
}

fn race(list: &HiddenList, plain: &HashSet<String>, corpus: &Corpus) -> Vec<Time> {
    let lines = corpus.lines();
    let matcher = ListMatcher::new(list, None).expect("the list is not keyed");
    let (mut scratch, mut room, mut found) = (Scratch::default(), String::new(), Vec::new());
    let mut race = Race::over(lines.len());
    race.add(OURS, |range| count_listed(&matcher, &mut scratch, &lines[range], &mut found));
    race.add(PLAIN, |range| lines[range].iter().map(|line| u64::from(is_in_set(plain, line))).sum());
    race.add(CANONICAL, |range| {
        let mut sum = 0;
        for line in &lines[range] {
            let made = Canonical::make(std::mem::take(&mut room), line, None, Keep::NONE, Variant::N);
            room = made.map(|canonical| canonical.into_string()).unwrap_or_default();
            sum += room.len() as u64;
        }
        sum
    });
    race.run(ROUNDS)
}

fn is_in_set(plain: &HashSet<String>, line: &str) -> bool {
    plain_hashed_uri(line).is_some_and(|text| plain.contains(&text))
}

/// Returns the number of lines that are listed; `found` is a reused buffer.
fn count_listed<'l>(
    matcher: &'l ListMatcher,
    scratch: &mut Scratch,
    lines: &[&str],
    found: &mut Vec<Result<Option<Entry<'l>>, urlid::Error>>,
) -> u64 {
    let mut count = 0;
    for lines in lines.chunks(TOGETHER) {
        found.clear();
        matcher.find_many(scratch, lines, None, found);
        count += found.iter().filter(|found| matches!(found, Ok(Some(_)))).count() as u64;
    }
    count
}

/// Returns the ratio of the speed of two threads to the plain way on one.
fn two_threads(list: &HiddenList, plain: &HashSet<String>, corpus: &Corpus) -> f64 {
    let lines = corpus.lines();
    let matcher = ListMatcher::new(list, None).expect("the list is not keyed");
    let halves: Vec<&[&str]> = lines.chunks(lines.len().div_ceil(2)).collect();
    let two = best(&halves, |lines| count_listed(&matcher, &mut Scratch::default(), lines, &mut Vec::new()));
    let one = best(&[&lines], |lines| lines.iter().filter(|line| is_in_set(plain, line)).count() as u64);
    one.as_secs_f64() / two.as_secs_f64()
}

/// Returns the time that threads need for a part each, all at once. It is the best of each slice, as in a
/// race, and the slowest of the threads.
fn best(parts: &[&[&str]], work: impl Fn(&[&str]) -> u64 + Sync) -> Duration {
    let barrier = &Barrier::new(parts.len());
    let work = &work;
    let worker = |core: usize, part: &[&str]| -> Duration {
        // If pinning is not allowed, the scheduler decides.
        let _ = machine::pin(core);
        let mut best = vec![Duration::MAX; part.len().div_ceil(SLICE)];
        for _ in 0..ROUNDS {
            barrier.wait();
            for (slice, best) in part.chunks(SLICE).zip(&mut best) {
                let start = Instant::now();
                black_box(work(slice));
                *best = start.elapsed().min(*best);
            }
        }
        best.iter().sum()
    };
    let worker = &worker;
    thread::scope(|scope| {
        let threads: Vec<_> =
            parts.iter().enumerate().map(|(core, part)| scope.spawn(move || worker(core, part))).collect();
        threads.into_iter().filter_map(|thread| thread.join().ok()).max().unwrap_or(Duration::MAX)
    })
}

/// Runs `make` and returns the growth of the memory in use in KiB.
fn grown<T>(make: impl FnOnce() -> T) -> (T, u64) {
    let before = resident();
    let made = make();
    (made, resident().saturating_sub(before).max(1))
}

fn resident() -> u64 {
    memory::resident(std::process::id()).unwrap_or_default() >> 10
}
