//! Damaged archives: every kind of damage at every kind of place. What is outside of it is indexed, and it is
//! reported.

use std::collections::BTreeSet;
use std::io::Cursor;
use std::path::Path;
use std::sync::mpsc::channel;

use urlid_archives::cdxj::{IndexLayout, Visits};
use urlid_archives::{Lost, Records};
use urlid_canonical::Form;
use urlid_generators::{Seeded, cases, seed};
use urlid_io::lines::{Input, LineOptions};
use urlid_testing::{gzip, warc_record_of, zstd};

/// The URLs of the visits that are indexed with recovery, each with its place, and the ranges that are lost.
fn recovered(file: &[u8]) -> (Vec<(String, u64, u64)>, Vec<Lost>) {
    let form: Form = "surt-0.3.1".parse().expect("the profile is in the list");
    let (mut keys, mut found, mut lost) = (form.canonicalizer(), Vec::new(), Vec::new());
    let Ok(mut visits) = Visits::new(Cursor::new(file), Records::default()) else { return (found, lost) };
    loop {
        match visits.next_visit() {
            Ok(Some(visit)) => {
                let mut line = String::new();
                if visit.write_line(&mut keys, "a", IndexLayout::Cdxj, &mut line).is_err() {
                    continue;
                }
                let member = |name: &str| {
                    let rest = line.split_once(&format!("\"{name}\": \"")).expect("it is there").1;
                    rest.split('"').next().expect("it ends").parse::<u64>().expect("it is a number")
                };
                found.push((
                    visit.url().unwrap_or_default().into_owned(),
                    member("offset"),
                    member("length"),
                ));
            }
            Ok(None) => return (found, lost),
            Err(_) => lost.push(visits.recover().expect("memory can be read")),
        }
    }
}

/// The lines of an archive with recovery, and the ranges that are lost.
fn recovered_lines(path: &Path, file: &[u8]) -> (Vec<String>, Vec<Lost>) {
    std::fs::write(path, file).expect("there is room");
    let mut input = Input::open(path).expect("it is there");
    let (give, take) = channel();
    input.recover(move |loss| give.send(loss.range).expect("the test waits"));
    let (mut lines, mut found) = (input.lines(LineOptions::default()), Vec::new());
    while let Some(line) = lines.next_line().expect("what is damaged is lost") {
        found.push(String::from_utf8_lossy(line.bytes).into_owned());
    }
    drop(lines);
    (found, take.into_iter().collect())
}

/// Makes the stored form of a record.
type Store = fn(&[u8]) -> Vec<u8>;

/// A file of records, and the place of each.
fn file(store: Store, is_arc: bool) -> (Vec<u8>, Vec<(String, usize, usize)>) {
    let (mut bytes, mut places) = (Vec::new(), Vec::new());
    if is_arc {
        bytes = store(b"filedesc://a.arc 0.0.0.0 20260102030405 text/plain 20\n1 0 InternetArchive\n\n");
    }
    for number in 0..12 {
        let url = format!("http://example.com/{number}");
        let content =
            format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>{}", "page\r\n".repeat(number * 7));
        let record = if is_arc {
            format!("{url} 192.0.2.1 20260102030405 text/html {}\n{content}\n", content.len()).into_bytes()
        } else {
            warc_record_of("response", &url, content.as_bytes())
        };
        let stored = store(&record);
        places.push((url, bytes.len(), stored.len()));
        bytes.extend(stored);
    }
    (bytes, places)
}

/// Damages a file; returns it with the range of the old file that was damaged, and by how much what follows
/// has moved.
fn damaged(rng: &mut Seeded, file: &[u8]) -> (Vec<u8>, std::ops::Range<usize>, isize) {
    let at = rng.below(file.len() as u64) as usize;
    let len = (1 + rng.below(40) as usize).min(file.len() - at);
    let size = 1 + rng.below(40) as usize;
    let noise = rng.bytes(size);
    let (range, new) = match rng.below(6) {
        0 => (at..at + 1, vec![file[at] ^ 1 << rng.below(8)]),
        1 => (at..at + len, Vec::new()),
        2 => (at..at, noise),
        3 => (at..at + len, vec![0; len]),
        4 => (at..at + len, noise.iter().copied().cycle().take(len).collect()),
        _ => (at..file.len(), Vec::new()),
    };
    let moved = new.len() as isize - range.len() as isize;
    let bytes = [&file[..range.start], &new, &file[range.end..]].concat();
    (bytes, range, moved)
}

#[test]
fn records_outside_the_damage_are_indexed() {
    let mut rng = Seeded::new(seed());
    let folder = tempfile::tempdir().expect("there is room");
    let path = folder.path().join("archive");
    let stores: [(Store, bool); 5] =
        [(gzip, false), (zstd, false), (<[u8]>::to_vec, false), (gzip, true), (<[u8]>::to_vec, true)];
    for (store, is_arc) in stores {
        let (whole, places) = file(store, is_arc);
        let (found, lost) = recovered(&whole);
        assert_eq!(found.len(), places.len());
        assert_eq!(lost, []);
        for _ in 0..cases(10_000) / 5 {
            let (bytes, range, moved) = damaged(&mut rng, &whole);
            let (found, lost) = recovered(&bytes);
            // By its first record the file is recognised as an archive.
            if range.start >= places[usize::from(!is_arc)].1 {
                let (lines, lost_lines) = recovered_lines(&path, &bytes);
                assert_eq!(lost_lines, lost, "{range:?}");
                let mut rest = lines.iter();
                // A damaged record may be a line, and its URL none: an index needs its date too, and a member
                // for each.
                let is_whole = |url: &String| places.iter().any(|(whole, ..)| whole == url);
                let mut urls = found.iter().map(|(url, ..)| url).filter(|url| is_whole(url));
                assert!(urls.all(|url| rest.any(|line| line == url)), "{range:?}: {found:?} {lines:?}");
            }
            let found: BTreeSet<(String, u64)> = found.into_iter().map(|(url, at, _)| (url, at)).collect();
            for (url, at, len) in &places {
                // The record before the damage touches it if the damage is at its end.
                let is_before = at + len <= range.start;
                // Where the line of a plain record of ARC begins is known by the line end before it.
                let is_lines = is_arc && bytes.first() == Some(&b'f');
                let is_behind = if is_lines { *at > range.end } else { *at >= range.end };
                if is_arc && range.start < places[0].1 {
                    // Without its first record a file of ARC is none.
                    continue;
                }
                let place = if is_before { *at as u64 } else { at.wrapping_add_signed(moved) as u64 };
                if is_before || is_behind {
                    let is_there = found.contains(&(url.clone(), place));
                    let kind = (is_arc, store(b"")[..].first().copied());
                    assert!(is_there, "{kind:?} {url} at {at} with damage at {range:?}: {found:?} {lost:?}");
                }
            }
            // Members of gzip have checksums, so nothing is lost without a report; but a file may end where a
            // member does.
            let has_no_checksum = !store(b"x").starts_with(b"\x1f\x8b");
            let is_cut = range.end == whole.len() && places.iter().any(|(_, at, _)| *at == bytes.len());
            let is_excused = has_no_checksum || is_cut || (is_arc && range.start < places[0].1);
            if found.len() < places.len() && !is_excused {
                assert!(!lost.is_empty(), "damage at {range:?} lost records and was not reported: {found:?}");
            }
            for pair in lost.windows(2) {
                assert!(pair[0].end <= pair[1].start, "{lost:?}");
            }
            assert!(
                lost.iter().all(|lost| lost.start <= lost.end && lost.end <= bytes.len() as u64),
                "{lost:?}"
            );
        }
    }
}

#[test]
fn a_compressed_file_with_a_damaged_start_is_an_archive() {
    let folder = tempfile::tempdir().expect("there is room");
    let path = folder.path().join("archive");
    for store in [gzip as Store, zstd] {
        let (mut bytes, places) = file(store, false);
        let end = places[1].1;
        // Behind the magic number and the head of the member or frame.
        bytes[10..end].fill(0xff);
        let (found, lost) = recovered_lines(&path, &bytes);
        let urls: Vec<&String> = places[1..].iter().map(|(url, ..)| url).collect();
        assert_eq!(found.iter().collect::<Vec<_>>(), urls);
        assert_eq!(lost, [Lost { start: 0, end: end as u64 }]);
    }
}

#[test]
fn records_after_long_damage_are_found() {
    let record = |url: &str| warc_record_of("response", url, b"HTTP/1.1 200 OK\r\n\r\n");
    let stores: [Store; 3] = [gzip, zstd, <[u8]>::to_vec];
    for store in stores {
        let (first, last) = (store(&record("http://a/")), store(&record("http://b/")));
        // Around the bytes that are searched at once.
        for len in (0..8).map(|more| (1 << 20) - 4 + more).chain([(2 << 20) - 1, 2 << 20]) {
            let bytes = [&first[..], &vec![b'x'; len], &last].concat();
            let (found, lost) = recovered(&bytes);
            let places: Vec<u64> = found.iter().map(|(_, at, _)| *at).collect();
            let (start, end) = (first.len() as u64, (first.len() + len) as u64);
            assert_eq!(places, [0, end], "{len}");
            assert_eq!(lost, [Lost { start, end }], "{len}");
        }
    }
}
