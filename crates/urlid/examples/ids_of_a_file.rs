//! Prints the identifiers of a file: a line of 64 digits for each line, and an empty line if the line is
//! rejected.
//!
//! `cargo run --release --example ids_of_a_file -- urls.txt`

use std::io::{self, Write};

use urlid::Sxurl;
use urlid::batch::Encoder;

fn main() -> io::Result<()> {
    let path = std::env::args().nth(1).ok_or_else(|| io::Error::other("usage: ids_of_a_file FILE"))?;
    run(&std::fs::read(path)?, &mut io::stdout().lock())
}

pub(crate) fn run(lines: &[u8], out: &mut impl Write) -> io::Result<()> {
    let mut encoder = Encoder::<Sxurl>::default();
    let mut digits = Vec::new();
    encoder.encode_lines(lines, |batch| batch.write_hex_lines(&mut digits));
    out.write_all(&digits)
}
