//! Prints the results of this build of the library for every code point at every position of a URL, to
//! compare builds.
//!
//! Depends only on the library, so that other compilers, libraries and platforms build it in a minute
//! (`cargo xtask proof compilers`).

#![forbid(unsafe_code)]
#![expect(clippy::print_stdout, reason = "the output of the program")]

mod functions;

use std::process::ExitCode;

use functions::{Function, functions};
use sweep::{Block, Record, SHAPES, digest};

const USAGE: &str = "\
usage: probe digests ONE_IN              a record of digests of every function; of one code point in so many
       probe answers ONE_IN NAME SHAPE   each code point and what the function makes of its URL
       probe vectors FILE...             the totals of vector files";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = args.iter().map(String::as_str).collect();
    let done = match words[..] {
        ["digests", one_in] => number(one_in).map(print_digests),
        ["answers", one_in, name, shape] => {
            number(one_in).and_then(|one_in| print_answers(one_in, name, shape))
        }
        ["vectors", ref files @ ..] => print_vectors(files),
        _ => Err(USAGE.to_owned()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            println!("{message}");
            ExitCode::FAILURE
        }
    }
}

fn number(text: &str) -> Result<u32, String> {
    text.parse()
        .ok()
        .filter(|number| *number > 0)
        .ok_or_else(|| format!("{text} is not a number of code points"))
}

fn print_digests(one_in: u32) {
    for function in &mut functions() {
        let mut record = Record::default();
        for shape in SHAPES {
            for block in Block::all(shape.reach) {
                let code_points = sample(block.code_points(), one_in);
                let digest = digest(shape, code_points, &mut |url, out| (function.answer)(url, out));
                record.push(shape.name, block, digest);
            }
        }
        println!("{}\n{record}", function.name);
    }
}

fn print_answers(one_in: u32, name: &str, shape: &str) -> Result<(), String> {
    let mut functions = functions();
    let function: &mut Function = functions
        .iter_mut()
        .find(|function| function.name == name)
        .ok_or_else(|| format!("no function: {name}"))?;
    let shape =
        SHAPES.iter().find(|other| other.name == shape).ok_or_else(|| format!("no shape: {shape}"))?;
    let (mut url, mut answer) = (String::new(), String::new());
    for code_point in sample(shape.code_points(), one_in) {
        url.clear();
        answer.clear();
        shape.write(code_point, &mut url);
        let is_form = (function.answer)(&url, &mut answer);
        let code_point = u32::from(code_point);
        if is_form { println!("U+{code_point:04X} {answer:?}") } else { println!("U+{code_point:04X} error") }
    }
    Ok(())
}

/// Returns one of this many code points. It does not return every n-th, because neighbours are often pairs
/// of capital and small letters.
fn sample(code_points: impl Iterator<Item = char>, one_in: u32) -> impl Iterator<Item = char> {
    const SPREAD: u32 = 0x9e37_79b1;
    code_points.filter(move |&code_point| (u32::from(code_point).wrapping_mul(SPREAD) >> 8) % one_in == 0)
}

fn print_vectors(files: &[&str]) -> Result<(), String> {
    for file in files {
        let text = std::fs::read_to_string(file).map_err(|error| format!("{file}: {error}"))?;
        let report = urlid_ops::vectors::run(&text);
        report.failures().iter().for_each(|failure| println!("failed: {}: {}", failure.id, failure.reason));
        println!("{}: {} passed, {} failed", file, report.passed(), report.failures().len());
    }
    Ok(())
}
