//! Makes many distinct URLs from few, for measurements of datasets (docs/scale.md).
//!
//! `recombine COUNT [FIRST] < LINES` prints the URLs with the numbers from FIRST on, one on each line. The
//! same numbers give the same URLs.

use std::error::Error;
use std::io::{BufWriter, Read, Write, stdin, stdout};

use urlid_generators::Recombined;

fn main() -> Result<(), Box<dyn Error>> {
    let mut numbers = std::env::args().skip(1).map(|text| text.replace('_', "").parse::<u64>());
    let count = numbers.next().ok_or("usage: recombine COUNT [FIRST] < LINES")??;
    let first = numbers.next().transpose()?.unwrap_or(0);
    let mut text = String::new();
    stdin().read_to_string(&mut text)?;
    let parts = Recombined::new(&text).ok_or("the lines lack URLs or queries")?;
    let mut out = BufWriter::with_capacity(1 << 20, stdout().lock());
    let mut line = String::new();
    for number in first..first + count {
        line.clear();
        parts.push(number, &mut line);
        line.push('\n');
        out.write_all(line.as_bytes())?;
    }
    Ok(out.flush()?)
}
