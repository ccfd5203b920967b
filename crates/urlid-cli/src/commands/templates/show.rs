//! `urlid templates show`: the templates of a file with their evidence.

use std::path::PathBuf;

use clap::Args;

use crate::input::bounded::read_text_up_to;
use crate::output::Output;
use crate::output::rows::{Column, FormatArg, Rows, Shown, Value};
use crate::report::exit::{Exit, Failure};
use urlid_canonical::Templates;

/// Show the templates of a file, each with the number of its URLs and an example
///
/// The columns are host, template, urls and example. The last two are empty for templates written by hand.
#[derive(Debug, Args)]
pub(super) struct ShowArgs {
    /// The file of templates
    #[arg(value_name = "FILE")]
    file: PathBuf,

    #[command(flatten)]
    format: FormatArg,
}

/// Prints the templates in the order of the file.
pub(super) fn run(args: &ShowArgs) -> Result<Exit, Failure> {
    let text = read_text_up_to(&args.file, Templates::MOST_BYTES)?;
    Templates::parse(&text).map_err(|error| Failure::of_file(&args.file, &error))?;
    let columns = ["host", "template", "urls", "example"].map(|name| Column { name, shown: Shown::Always });
    let mut out = Output::stdout()?;
    let mut rows = Rows::begin(&mut out, args.format.format, &columns)?;
    let mut host = "";
    for line in text.lines().skip(1) {
        let (line, evidence) = line.split_once(" # ").unwrap_or((line, ""));
        let line = line.trim_ascii();
        if let Some(name) = line.strip_prefix('[') {
            host = name.trim_end_matches(']');
        } else if line.starts_with('/') {
            let (urls, example) = evidence.strip_prefix("n=").and_then(|found| found.split_once(' ')).unzip();
            let urls = urls.and_then(|urls| urls.parse().ok()).map_or(Value::Null, Value::Number);
            let example = example.map_or(Value::Null, Value::Text);
            rows.write(&mut out, &[Value::Text(host), Value::Text(line), urls, example])?;
        }
    }
    out.flush()?;
    Ok(Exit::Done)
}
