//! The speed of urlid beside that of its peers, as ratios within one run.
//!
//! `cargo run --profile bench -p bench -- peers` prints the table; `stages` and `kernels` say where the time
//! goes; `picture` draws a record. Each verb is a file. Timings are never tests.

mod arguments;
mod builds;
mod corpus;
mod encoder;
mod index;
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
mod stages;
mod target;
mod threads;

use std::process::ExitCode;

const USAGE: &str = "usage: bench VERB [--record [FILE]]
  peers | builds DEFAULT CAREFUL | profiles [PYTHON] | stages | program [PROGRAM] | list [ENTRIES] | kernels | encoder PIECE ROUNDS | picture RECORD [SVG]
  index-load [ROWS] [ROUNDS] | index-query FILE | index-urls [COUNT] [SEED]
  seen-digests [KEYS] [LINES] [--peer PYTHON]
  index-big [ROWS] [--memory MIB] [--into FILE] [--index]";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let rest = arguments.get(1..).unwrap_or_default();
    // These work on all cores, so they come before the pinning.
    let on_all_cores = match arguments.first().map(String::as_str) {
        Some("index-urls") => Some(index::urls::run(rest)),
        Some("index-load") => Some(index::load::run(rest)),
        Some("program") => Some(program::run(rest)),
        Some("index-query") => Some(index::queries::run(rest)),
        Some("index-big") => Some(index::big::run(rest)),
        Some("index-fill") => Some(index::big::fill(rest)),
        Some("seen-digests") => Some(seen::run(rest)),
        Some("seen-fill") => Some(seen::fill(rest)),
        _ => None,
    };
    if let Some(done) = on_all_cores {
        return ended(done);
    }
    let pinned = machine::pin(0).map_err(|error| format!("can't stay on one core: {error}"));
    let done = pinned.and_then(|()| match arguments.first().map(String::as_str) {
        Some("peers") => peers::run(rest),
        Some("builds") => builds::run(rest),
        Some("serve") => builds::serve(rest),
        Some("profiles") => profiles::run(rest),
        Some("picture") => picture::run(rest),
        Some("kernels") => kernels::run(),
        Some("encoder") => encoder::run(rest),
        Some("list") => list::run(rest),
        Some("stages") => stages::run(rest),
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
