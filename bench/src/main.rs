//! The speed of urlid beside that of its peers, as ratios within one run.
//!
//! `cargo run --profile bench -p bench -- peers` prints the table; `stages` and `kernels` say where the time goes. Each verb
//! is a file. Timings are never tests.

mod corpus;
mod kernels;
mod machine;
mod peers;
mod race;
mod record;
mod stages;
mod threads;

use std::process::ExitCode;

const USAGE: &str = "usage: bench peers|kernels [--record [FILE]]";

#[expect(clippy::print_stderr, reason = "a program says what went wrong")]
fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let pinned = machine::pin(0).map_err(|error| format!("can't stay on one core: {error}"));
    let done = pinned.and_then(|()| match arguments.first().map(String::as_str) {
        Some("peers") => peers::run(&arguments),
        Some("kernels") => kernels::run(),
        Some("stages") => stages::run(&arguments),
        _ => Err(USAGE.to_owned()),
    });
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("bench: {message}");
            ExitCode::FAILURE
        }
    }
}
