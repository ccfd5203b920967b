//! `urlid canon diff`: the URLs with different canonical forms.

use clap::Args;

use super::form::{FormLists, FormName, form_names, parse_form};
use crate::input::UrlInputs;
use crate::input::columns::ProseArg;
use crate::input::line_run::LineRun;
use crate::output::files::FilesInUse;
use crate::output::rows::{Column, FormatArg, Rows, Shown, Value};
use crate::report::exit::{Exit, Failure};
use crate::report::message;

/// Print the URLs whose canonical form differs between two forms, and count them
///
/// A row has a URL and its two forms. A form is empty if it is not defined for the URL. The counts are printed
/// on standard error at the end.
///
/// Example: urlid canon diff --from w3lib-2.4 --to w3lib-2.5 urls.txt
#[derive(Debug, Args)]
pub(crate) struct CanonDiffArgs {
    /// The old canonical form
    #[arg(long, value_name = "FORM", value_parser = form_names(parse_form), hide_possible_values = true)]
    from: FormName,

    /// The new canonical form
    #[arg(long, value_name = "FORM", value_parser = form_names(parse_form), hide_possible_values = true)]
    to: FormName,

    #[command(flatten)]
    lists: FormLists,

    #[command(flatten)]
    urls: UrlInputs,

    #[command(flatten)]
    input_format: ProseArg,

    #[command(flatten)]
    format: FormatArg,
}

/// Prints the URLs with a changed form.
pub(super) fn run(args: &CanonDiffArgs) -> Result<Exit, Failure> {
    let (from_form, to_form) = args.lists.two_forms(&args.from, &args.to)?;
    let mut run = LineRun::begin(
        args.urls.lines()?.of_prose(args.input_format.is_prose()).of_form(&from_form).of_form(&to_form),
        FilesInUse::reading(args.lists.paths()),
        None,
    )?;
    let columns = ["url", "from", "to"].map(|name| Column { name, shown: Shown::Always });
    let mut rows = Rows::begin(&mut run.out, args.format.format, &columns)?;
    let (mut from, mut to) = (from_form.canonicalizer(), to_form.canonicalizer());
    let (mut total, mut moved) = (0_u64, 0_u64);
    run.each_text(&mut |out, url| {
        let (mut old, mut new) = (String::new(), String::new());
        let results = (from.canonicalize_into(url, &mut old), to.canonicalize_into(url, &mut new));
        let (old, new) = match results {
            // A URL without either form is rejected, because it cannot move.
            (Err(error), Err(_)) => return Err(error.into()),
            (old_result, new_result) => (shown(&old, &old_result), shown(&new, &new_result)),
        };
        total += 1;
        if old != new {
            moved += 1;
            rows.write(out, &[Some(url), old, new].map(|text| text.map_or(Value::Null, Value::Text)))?;
        }
        Ok(())
    })?;
    let exit = run.finish(Exit::Done)?;
    message::print(&format!(
        "{moved} of {} differ between {from_form} and {to_form}",
        message::count(total, "URL")
    ));
    Ok(exit)
}

fn shown<'a>(form: &'a str, result: &Result<(), urlid::Error>) -> Option<&'a str> {
    result.is_ok().then_some(form)
}
