//! Hidden lists by how they store digests, beside the structures that one would take otherwise.
//!
//! Every way gets the digests of the same candidates from the same encoder, so that only the store differs.

use std::collections::HashSet;

use urlid::batch::{Encoder, Kernels};
use urlid::hashed_uri::{HashedUri, Keep};
use urlid_lists::{HiddenList, ListKind, ListMatcher, Scratch, Store};
use xorf::{BinaryFuse8, BinaryFuse16, Filter};

use super::listed::{ROUNDS, TOGETHER, count_listed};
use crate::corpus::Corpus;
use crate::race::{Race, Time};
use crate::record::{Bound, Fact, Record, Target as Limit};
use crate::target::Target;

type Digest = [u8; 20];

const WHOLE: &str = "list: exact, whole digests";
const EXACT: &str = "list: exact, 80 bits";

/// Cutting digests must not make a list slow.
const RATE: Target = Target { work: EXACT, against: WHOLE, must: [0.8; 2], aim: [1.0; 2] };

/// A kind of list, its name here, and the bytes an entry that it may take from a million entries on.
struct Compiled {
    name: &'static str,
    kind: ListKind,
    bits: Option<u16>,
    at_most: f64,
}

const COMPILED: [Compiled; 4] = [
    Compiled { name: WHOLE, kind: ListKind::Exact, bits: None, at_most: 20.1 },
    Compiled { name: EXACT, kind: ListKind::Exact, bits: Some(80), at_most: 7.9 },
    Compiled { name: "list: prefix, 32 bits", kind: ListKind::Prefix, bits: Some(32), at_most: 1.8 },
    Compiled { name: "list: exact, 40 bits", kind: ListKind::Exact, bits: Some(40), at_most: 2.8 },
];

/// A structure of other people, and whether a digest is in it.
struct Peer {
    name: &'static str,
    /// The bytes that its parts take, of a `HashSet` those of its table.
    bytes: usize,
    has: Box<dyn Fn(&Digest) -> bool>,
}

/// Adds what each store takes, in bytes an entry and nanoseconds a candidate, to a record.
pub(super) fn measure(record: &mut Record, list: &HiddenList, corpora: &[Corpus; 2]) -> Result<(), String> {
    let entries = list.len() as f64;
    let mut lists = Vec::new();
    for compiled in COMPILED {
        let (list, bytes) = compile(list, &compiled)?;
        let (what, reached) = (format!("{}: bytes an entry", compiled.name), bytes as f64 / entries);
        // What a file has once counts for little in a long list only.
        match entries >= 900_000.0 {
            true => record.targets.push(Limit { what, must: Bound::AtMost(compiled.at_most), reached }),
            false => record.facts.push(Fact::new(what, reached, "bytes")),
        }
        lists.push((compiled.name, list));
    }
    let others = others(list)?;
    for peer in &others {
        let bytes = peer.bytes as f64 / entries;
        record.facts.push(Fact::new(format!("{}: bytes an entry", peer.name), bytes, "bytes"));
    }
    let times = [race(&lists, &others, &corpora[0])?, race(&lists, &others, &corpora[1])?];
    for (corpus, times) in corpora.iter().zip(&times) {
        record.add_times(corpus, times);
    }
    record.rows.push(RATE.row(&times));
    Ok(())
}

/// Makes a list of a kind as a checker has it, read from its file; returns it with the length of that file.
fn compile(list: &HiddenList, compiled: &Compiled) -> Result<(HiddenList, usize), String> {
    let store = Store::new(compiled.kind, compiled.bits).map_err(|error| error.to_string())?;
    let mut bytes = Vec::new();
    list.compile(store)
        .map_err(|error| error.to_string())?
        .write_compiled(&mut bytes)
        .map_err(|error| error.to_string())?;
    let length = bytes.len();
    Ok((HiddenList::from_compiled(bytes).map_err(|error| error.to_string())?, length))
}

fn others(list: &HiddenList) -> Result<[Peer; 4], String> {
    let digests = list.entries().map(|entry| entry.digest().try_into().map_err(|_| "not a SHA-1"));
    let mut sorted: Vec<Digest> = digests.collect::<Result<_, _>>()?;
    sorted.sort_unstable();
    let set: HashSet<Digest> = sorted.iter().copied().collect();
    // One byte for each place of the table beside the keys.
    let table = set.capacity() * 8 / 7 * (size_of::<Digest>() + 1);
    let mut keys: Vec<u64> = sorted.iter().map(key).collect();
    keys.dedup();
    let fuse_16 = BinaryFuse16::try_from(&keys)?;
    let fuse_8 = BinaryFuse8::try_from(&keys)?;
    Ok([
        Peer {
            name: "sorted array of whole digests",
            bytes: sorted.len() * size_of::<Digest>(),
            has: Box::new(move |digest| sorted.binary_search(digest).is_ok()),
        },
        Peer {
            name: "HashSet of whole digests",
            bytes: table,
            has: Box::new(move |digest| set.contains(digest)),
        },
        Peer {
            name: "xorf: BinaryFuse16",
            bytes: fuse_16.len() * size_of::<u16>(),
            has: Box::new(move |digest| fuse_16.contains(&key(digest))),
        },
        Peer {
            name: "xorf: BinaryFuse8",
            bytes: fuse_8.len(),
            has: Box::new(move |digest| fuse_8.contains(&key(digest))),
        },
    ])
}

fn key(digest: &Digest) -> u64 {
    let (first, _) = digest.split_first_chunk().expect("a digest has more bytes");
    u64::from_be_bytes(*first)
}

fn race(lists: &[(&'static str, HiddenList)], others: &[Peer], corpus: &Corpus) -> Result<Vec<Time>, String> {
    let lines = corpus.lines();
    let lines = lines.as_slice();
    let mut race = Race::over(lines.len());
    let mut listed = None;
    for (name, list) in lists {
        let matcher = ListMatcher::new(list, None).map_err(|error| error.to_string())?;
        let mut scratch = Scratch::default();
        let count = count_listed(&matcher, &mut scratch, lines, &mut Vec::new());
        check(name, count, *listed.get_or_insert(count), list.certainty().chance(), lines.len())?;
        race.add(name, move |range| {
            // The room for answers is part of what a checker reuses, the answers borrow from the matcher.
            count_listed(&matcher, &mut scratch, &lines[range], &mut Vec::with_capacity(TOGETHER))
        });
    }
    for peer in others {
        let mut encoder = Encoder::<HashedUri>::new(Keep::NONE);
        race.add(peer.name, move |range| count_in(peer, &mut encoder, &lines[range]));
    }
    Ok(race.run(ROUNDS))
}

/// Checks that a store finds what is listed, and no more than chance explains many times over.
fn check(name: &str, count: u64, listed: u64, chance: f64, candidates: usize) -> Result<(), String> {
    let by_chance = 10.0 + 2.0 * chance * candidates as f64;
    if count < listed || (count - listed) as f64 > by_chance {
        return Err(format!("{name}: {count} candidates are found, {listed} are listed"));
    }
    Ok(())
}

fn count_in(peer: &Peer, encoder: &mut Encoder<HashedUri>, lines: &[&str]) -> u64 {
    let mut count = 0;
    for lines in lines.chunks(TOGETHER) {
        encoder.encode_all(lines.iter().copied(), |batch| {
            count += batch.ids().iter().filter(|id| (peer.has)(&id.digest)).count() as u64;
        });
    }
    count
}
