//! Applies rules.
use std::io::{BufRead, Write};
fn main() {
    let text = std::fs::read_to_string(std::env::args().nth(1).unwrap()).unwrap();
    let rules = urlid_canonical::Rules::parse(&text).unwrap();
    let web: urlid_canonical::Form = "web".parse().unwrap();
    let mut out = std::io::BufWriter::new(std::io::stdout());
    for line in std::io::stdin().lock().lines() {
        let line = line.unwrap();
        match web.canonicalize(&line) {
            Ok(url) => writeln!(out, "{}", rules.apply(&url, |_| {})).unwrap(),
            Err(_) => writeln!(out).unwrap(),
        }
    }
}
