//! Prints a URL by the Theory of URLs: its tokens, and the part that `goto` keeps for each of the other
//! arguments.
//!
//! `cargo run --example theory_of_a_url -- http://example.com/a/b?q ../c '#f'`

use std::error::Error;
use std::io::{self, Write};

use urlid::reference::{Context, Reference};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (base, references) = arguments.split_first().ok_or("usage: theory_of_a_url BASE REFERENCE...")?;
    run(base, references, &mut io::stdout().lock())
}

pub(crate) fn run(base: &str, references: &[String], out: &mut impl Write) -> Result<(), Box<dyn Error>> {
    let base = Reference::parse(base, Context::Rfc3986)?;
    for token in base.tokens() {
        writeln!(out, "{:<10}{}", token.kind, token.text)?;
    }
    for text in references {
        let reference = Reference::parse(text, Context::Rfc3986)?;
        let kept = base.upto(reference.ord());
        writeln!(out, "\ngoto {text}: ord is {}, so {kept} is kept", reference.ord())?;
        match base.goto(&reference) {
            Ok(target) => writeln!(out, "{target}")?,
            Err(error) => writeln!(out, "{error}")?,
        }
    }
    Ok(())
}
