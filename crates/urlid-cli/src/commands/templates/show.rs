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
    let mut lines = Vec::new();
    Templates::parse_with(&text, &mut |host, template, comment| {
        lines.push([host, template, comment].map(str::to_owned));
    })
    .map_err(|error| Failure::of_file(&args.file, &error))?;
    let columns = ["host", "template", "urls", "example"].map(|name| Column { name, shown: Shown::Always });
    let mut out = Output::stdout()?;
    let mut rows = Rows::begin(&mut out, args.format.format, &columns)?;
    for [host, template, comment] in &lines {
        let evidence = comment.strip_prefix("n=").and_then(|found| found.split_once(' '));
        let evidence = evidence.and_then(|(urls, example)| Some((urls.parse().ok()?, example)));
        let (urls, example) = evidence.map_or((Value::Null, Value::Null), |(urls, example)| {
            (Value::Number(urls), Value::Text(example))
        });
        rows.write(&mut out, &[Value::Text(host), Value::Text(template), urls, example])?;
    }
    out.flush()?;
    Ok(Exit::Done)
}
