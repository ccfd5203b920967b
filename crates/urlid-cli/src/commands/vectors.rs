//! `urlid vectors`: runs test vectors over this build.

use std::path::PathBuf;

use clap::Args;

use crate::input::bounded::read_text;
use crate::output::Output;
use crate::output::escape::Escaped;
use crate::output::progress::Progress;
use crate::report::exit::{Exit, Failure};
use crate::report::message;

/// Run test vectors against this build
///
/// Prints a line for each failure, then the totals. Exits with 1 if a vector failed.
///
/// Example: urlid vectors vectors/public.json
#[derive(Debug, Args)]
pub(crate) struct VectorsArgs {
    /// The files of vectors
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
}

/// Runs the files and prints the failures.
pub(crate) fn run(args: &VectorsArgs) -> Result<Exit, Failure> {
    let mut out = Output::stdout()?;
    let (mut passed, mut failed) = (0, 0);
    let mut exit = Exit::Done;
    for path in &args.files {
        let name = Escaped::path(path).to_string();
        let text = match read_text(path) {
            Ok(text) => text,
            Err(Failure::Reported { message, .. }) => {
                message::print_error(&message);
                // The other files are run all the same, so that one run shows all that is wrong.
                exit = Exit::Failed;
                continue;
            }
            Err(failure) => return Err(failure),
        };
        let progress = Progress::work(&format!("running {name}"));
        let report = urlid_ops::vectors::run(&text);
        progress.finish();
        for failure in report.failures() {
            let line = format!("{name}: failed: {}: {}", failure.id, failure.reason);
            // Identifiers and reasons quote the file, which may have control characters.
            out.line(&Escaped(line.as_bytes()).to_string())?;
        }
        passed += report.passed();
        failed += report.failures().len();
    }
    out.line(&format!("{passed} passed, {failed} failed"))?;
    out.flush()?;
    Ok(exit.max(if failed == 0 { Exit::Done } else { Exit::Nothing }))
}
