//! The batch encoders over lines of standard input: nanoseconds a URL, as JSON.
//!
//! `encoder-bench PIECE ROUNDS`: lines are taken in pieces of so many; of each piece the best of the rounds counts, as in
//! `columns.py` beside it. Lines are read where they lie, which is the encoder's fastest way, and ids are bytes in a row: what the
//! kernels make beyond these, nulls and offsets, is not made here.

use std::io::Read;
use std::time::Instant;

use urlid::batch::{Encoder, HostCacheKey, Kernels};
use urlid::suffix::SuffixList;
use urlid::sxurl::Sxurl;
use urlid::url_hash::UrlHash;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut args = std::env::args().skip(1).map(|arg| arg.parse::<usize>());
    let (Some(piece), Some(rounds)) = (args.next().transpose()?, args.next().transpose()?) else {
        return Err("usage: encoder-bench PIECE ROUNDS".into());
    };
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text)?;
    let pieces = cut(&text, piece.max(1));

    let mut ids: Vec<[u8; 32]> = Vec::with_capacity(piece);
    let mut encoder = Encoder::<Sxurl>::new(SuffixList::compiled(), HostCacheKey([1, 2]), Kernels::detect());
    let sxurl = best(&pieces, rounds, |piece| {
        ids.clear();
        encoder.encode_lines(piece.as_bytes(), |batch| ids.extend_from_slice(batch.ids()));
    });
    let mut encoder = Encoder::<UrlHash>::new(Kernels::detect());
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
        let (piece, behind) = rest.split_at(end);
        pieces.push(piece);
        rest = behind;
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
