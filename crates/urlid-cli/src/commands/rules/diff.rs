//! `urlid rules diff`: rules that were added and removed, and the URLs whose key moves.

use std::path::PathBuf;

use clap::Args;
use serde::Serialize;
use urlid_learn::{Changes, Moves};

use super::answer::{Examples, read};
use crate::commands::captures::CaptureInputs;
use crate::input::line_run::LineRun;
use crate::output::Output;
use crate::output::files::FilesInUse;
use crate::output::json;
use crate::output::rows::AnswerFormat;
use crate::report::exit::{Exit, Failure};

/// Compare two files of rules: which rules were added and removed, and which URLs of crawls get a different key
///
/// A line starts with `-` for a rule that the new file lacks, and with `+` for one that the old file lacks.
/// Evidence and comments are not compared. Exits with 1 if the rules differ.
///
/// Example: urlid rules diff old.rules new.rules later.warc.gz
#[derive(Debug, Args)]
pub(super) struct RulesDiffArgs {
    /// The old file of rules
    #[arg(value_name = "OLD")]
    old: PathBuf,

    /// The new file of rules
    #[arg(value_name = "NEW")]
    new: PathBuf,

    #[command(flatten)]
    inputs: CaptureInputs,

    /// Show or mask values that may be secrets
    #[arg(long, value_enum, default_value_t, value_name = "HOW", hide_short_help = true)]
    examples: Examples,

    /// Print the answer in this format
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    format: AnswerFormat,
}

/// The answer in JSON.
#[derive(Serialize)]
struct DiffAnswer<'a> {
    lost: &'a [String],
    gained: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    urls: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    moved: Option<u64>,
    /// URL, old key and new key.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    examples: &'a Vec<[String; 3]>,
}

/// Compares the files.
pub(super) fn run(args: &RulesDiffArgs) -> Result<Exit, Failure> {
    let (old, new) = (read(&args.old)?, read(&args.new)?);
    let changes = Changes::between(&old, &new);
    let mut moves = Moves::default();
    let mut exit = Exit::Done;
    // Without inputs, only the rules are compared. Standard input is read only as `-`.
    if args.inputs.is_given() {
        let mut run =
            LineRun::begin(args.inputs.inputs(None)?, FilesInUse::reading([&args.old, &args.new]), None)?;
        args.inputs.each_domain(
            &mut run,
            false,
            &|lines| {
                let mut moves = Moves::default();
                let mut last = "";
                for capture in lines.captures() {
                    // Lines are sorted, so the captures of a URL are neighbours, and each URL counts once.
                    if capture.url != last {
                        moves.add(capture.url, &old, &new, args.examples.are_full());
                        last = capture.url;
                    }
                }
                moves
            },
            &mut |more: Moves| {
                moves.join(more);
                Ok(())
            },
        )?;
        exit = run.finish(Exit::Done)?;
    }
    let mut out = Output::stdout()?;
    match args.format {
        AnswerFormat::Json => {
            let counts = args.inputs.is_given().then_some((moves.urls, moves.moved));
            out.write(
                json::line(&DiffAnswer {
                    lost: &changes.lost,
                    gained: &changes.gained,
                    urls: counts.map(|(urls, _)| urls),
                    moved: counts.map(|(_, moved)| moved),
                    examples: &moves.examples,
                })
                .as_bytes(),
            )?;
        }
        AnswerFormat::Text => {
            for rule in &changes.lost {
                out.line(&format!("- {rule}"))?;
            }
            for rule in &changes.gained {
                out.line(&format!("+ {rule}"))?;
            }
            if args.inputs.is_given() {
                out.line(&format!("{} of {} URLs get a different key", moves.moved, moves.urls))?;
            }
            for [url, old, new] in &moves.examples {
                out.line(&format!("  {url}\n    {old}\n    {new}"))?;
            }
        }
    }
    out.flush()?;
    // Like `diff` of POSIX, which exits with 1 if there are differences.
    let is_same = changes == Changes::default();
    Ok(exit.max(if is_same { Exit::Done } else { Exit::Nothing }))
}
