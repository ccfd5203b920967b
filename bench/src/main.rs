//! The speed of urlid beside that of its peers, as ratios within one run.
//!
//! `cargo run --profile bench -p bench -- peers` prints the table; `kernels` and `stages` say where the time goes. Each verb
//! is a file. Timings are never tests.

mod corpus;
mod kernels;
mod machine;
mod race;

use std::process::ExitCode;

const USAGE: &str = "usage: bench kernels";

fn main() -> ExitCode {
    let verb = std::env::args().nth(1).unwrap_or_default();
    let done =
        machine::pin(0).map_err(|error| format!("can't stay on one core: {error}")).and_then(|()| match verb
            .as_str()
        {
            "kernels" => kernels::run(),
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
