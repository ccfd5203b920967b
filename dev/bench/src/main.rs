//! The speed of urlid compared with its peers, as ratios within one run.
//!
//! `cargo run --profile bench -p bench -- peers` prints the table, `kernels` the cost of the vector kernels,
//! and `picture` draws a record. Each verb is a file. Timings are never tests.

mod arguments;
mod corpus;
mod kernels;
mod list;
mod machine;
mod own;
mod peers;
mod picture;
mod process;
mod profiles;
mod program;
mod race;
mod record;
mod seen;
mod target;
mod threads;

use std::process::ExitCode;

const USAGE: &str = "usage: bench VERB [--record [FILE]]
  peers | profiles [PYTHON] | program [PROGRAM] | list [ENTRIES] | seen [KEYS] [LINES] [PROGRAM] | kernels | picture RECORD [SVG]";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let rest = arguments.get(1..).unwrap_or_default();
    // The program uses all cores, so it runs before the pinning.
    if arguments.first().is_some_and(|verb| verb == "program") {
        return ended(program::run(rest));
    }
    let pinned = machine::pin(0).map_err(|error| format!("can't stay on one core: {error}"));
    let done = pinned.and_then(|()| match arguments.first().map(String::as_str) {
        Some("peers") => peers::run(rest),
        Some("profiles") => profiles::run(rest),
        Some("picture") => picture::run(rest),
        Some("kernels") => kernels::run(),
        Some("list") => list::run(rest),
        Some("seen") => seen::run(rest),
        _ => Err(USAGE.to_owned()),
    });
    ended(done)
}

#[expect(clippy::print_stderr, reason = "a program reports errors")]
fn ended(done: Result<(), String>) -> ExitCode {
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("bench: {message}");
            ExitCode::FAILURE
        }
    }
}
