//! `bench encoder PIECE ROUNDS`: the batch encoders over lines of standard input, nanoseconds a URL as JSON.
//!
//! The Python package's columns are measured against it (`bindings/python/bench/columns.py`): lines are taken
//! in pieces of PIECE, and the best of the rounds counts of each. Lines are read in place, which is the
//! encoder's fastest way, and ids are bytes in a row; nulls and offsets, which columns have too, are not made
//! here.

use std::io::Read;
use std::time::Instant;

use urlid::batch::{Encoder, HostCacheKey, Kernels};
use urlid::suffix::SuffixList;
use urlid::sxurl::Sxurl;
use urlid::url_hash::UrlHash;

/// Measures and prints.
#[expect(clippy::print_stdout, reason = "the figures are the output")]
pub(crate) fn run(arguments: &[String]) -> Result<(), String> {
    let numbers: Option<Vec<usize>> = arguments.iter().map(|argument| argument.parse().ok()).collect();
    let Some([piece, rounds]) = numbers.as_deref() else { return Err("expected PIECE ROUNDS".to_owned()) };
    let (piece, rounds) = (*piece, *rounds);
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text).map_err(|error| format!("standard input: {error}"))?;
    let pieces = cut(&text, piece.max(1));

    let mut ids: Vec<[u8; 32]> = Vec::with_capacity(piece);
    let mut encoder =
        Encoder::<Sxurl>::with_kernels(SuffixList::compiled(), HostCacheKey([1, 2]), Kernels::detect());
    let sxurl = best(&pieces, rounds, |piece| {
        ids.clear();
        encoder.encode_lines(piece.as_bytes(), |batch| ids.extend_from_slice(batch.ids()));
    });
    let mut encoder = Encoder::<UrlHash>::new();
    let url_hash = best(&pieces, rounds, |piece| {
        ids.clear();
        encoder.encode_lines(piece.as_bytes(), |batch| ids.extend_from_slice(batch.ids()));
    });
    println!("{{\"rust encoder sxurl\": {sxurl:.1}, \"rust encoder url-hash\": {url_hash:.1}}}");
    Ok(())
}

/// Cuts a text into pieces of so many lines.
fn cut(text: &str, lines: usize) -> Vec<&str> {
    let (mut rest, mut pieces) = (text, Vec::new());
    while !rest.is_empty() {
        let end = rest.match_indices('\n').nth(lines - 1).map_or(rest.len(), |(feed, _)| feed + 1);
        let (piece, after) = rest.split_at(end);
        pieces.push(piece);
        rest = after;
    }
    pieces
}

/// Returns the sum of each piece's best time, in nanoseconds a line.
fn best(pieces: &[&str], rounds: usize, mut run: impl FnMut(&str)) -> f64 {
    let mut times = vec![f64::INFINITY; pieces.len()];
    for _ in 0..rounds {
        for (time, piece) in times.iter_mut().zip(pieces) {
            let start = Instant::now();
            run(piece);
            *time = time.min(start.elapsed().as_nanos() as f64);
        }
    }
    times.iter().sum::<f64>() / pieces.iter().map(|piece| piece.lines().count()).sum::<usize>().max(1) as f64
}
