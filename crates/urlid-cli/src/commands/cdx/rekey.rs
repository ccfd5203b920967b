//! `urlid cdx rekey`: an index with keys of a different canonical form.

use std::borrow::Cow;

use clap::Args;
use urlid_archives::cdx::{CdxError, CdxLayout, key, key_text, push_key, styled_key, written_key};

use super::lines::{IndexInputs, OtherKey, each_line};
use super::output::IndexOutput;
use crate::commands::canon::form::{FormLists, FormName, form_names, parse_form};
use crate::input::line_run::LineRun;
use crate::output::files::FilesInUse;
use crate::report::exit::{Exit, Failure};
use crate::report::message;
use crate::report::rejections::Place;

/// Write indexes with keys of a different canonical form, merged and sorted
///
/// A line whose key is not in the form of --from is rejected and left out, because its URL may not be the one
/// that was indexed. All indexes must have the same fields. `urlid cdx merge` keeps the keys.
///
/// Example: urlid cdx rekey --from surt-0.3.1 --to ia-surt-1.3 index.cdxj -o new.cdxj
#[derive(Debug, Args)]
pub(crate) struct RekeyArgs {
    #[command(flatten)]
    indexes: IndexInputs,

    /// The canonical form of the old keys; `urlid cdx verify` finds it
    #[arg(long, value_name = "FORM", value_parser = form_names(parse_form), hide_possible_values = true)]
    from: FormName,

    /// The canonical form of the new keys
    #[arg(long, value_name = "FORM", value_parser = form_names(parse_form), hide_possible_values = true)]
    to: FormName,

    #[command(flatten)]
    lists: FormLists,

    #[command(flatten)]
    output: IndexOutput,
}

/// Adds a line of the header of an index to the lines of the indexes before it, unless they have it already.
/// A header of CDX is one line.
fn push_header(header: &mut String, line: &str) {
    let is_new = header.is_empty() || line.starts_with('!') && !header.split('\n').any(|other| other == line);
    if is_new {
        if !header.is_empty() {
            header.push('\n');
        }
        header.push_str(&with_key(line));
    }
}

/// Returns a header of CDX with its first column as the key, which some indexes call a URL. Returns any other
/// line unchanged.
fn with_key(line: &str) -> Cow<'_, str> {
    let separator = line.chars().next().filter(|first| matches!(first, ' ' | '\t')).unwrap_or(' ');
    let mut names: Vec<&str> = line.split(separator).collect();
    match names.as_mut_slice() {
        ["", "CDX", key, ..] if !matches!(*key, "N" | "A") => {
            *key = "N";
            names.join(&separator.to_string()).into()
        }
        _ => line.into(),
    }
}

/// The header and the fields of indexes that become one.
#[derive(Debug, Default)]
pub(super) struct Heading {
    header: Option<String>,
    layout: Option<CdxLayout>,
}

impl Heading {
    /// Returns the header of the new index.
    pub(super) fn header(&self) -> Option<&str> {
        self.header.as_deref()
    }

    /// Returns the text of the key of a line. It is `None` for a line of the header, which is kept, and for a
    /// line that is rejected here.
    pub(super) fn key_text<'l>(
        &mut self,
        run: &mut LineRun,
        place: Place<'_>,
        layout: CdxLayout,
        line: &'l str,
    ) -> Result<Option<Cow<'l, str>>, Failure> {
        let layout = layout.of_plain();
        // One header describes all lines of the output, so their fields must be the same.
        let text = match *self.layout.get_or_insert(layout) == layout {
            true => key_text(layout, line),
            false => Err(CdxError::OtherLayout),
        };
        match text {
            Ok(Some(text)) => return Ok(Some(text)),
            Ok(None) if layout != CdxLayout::Cdxj && !line.is_empty() => {
                push_header(self.header.get_or_insert_default(), line);
            }
            Ok(None) => {}
            Err(error) => run.reject(place, line.as_bytes(), &error.into())?,
        }
        Ok(None)
    }
}

/// Writes the lines with new keys.
pub(super) fn run(args: &RekeyArgs) -> Result<Exit, Failure> {
    let (from_form, to_form) = args.lists.two_forms(&args.from, &args.to)?;
    let mut files = FilesInUse::reading(args.lists.paths());
    args.output.add_to(&mut files)?;
    let mut run = args.indexes.run(files)?;
    args.output.check_new("")?;
    let (mut from, mut to, mut sorter) =
        (from_form.canonicalizer(), to_form.canonicalizer(), args.output.sorter());
    let (mut heading, mut changed) = (Heading::default(), 0_u64);
    let (mut expected, mut rekeyed) = (String::new(), String::new());
    each_line(&mut run, &mut |run, place, layout, line| {
        let Some(text) = heading.key_text(run, place, layout, line)? else { return Ok(()) };
        let layout = layout.of_plain();
        expected.clear();
        push_key(&mut from, &text, &mut expected);
        let found = key(layout, line);
        if expected != *found {
            let (form, found) = (from_form.to_string(), found.into_owned());
            let error = OtherKey { form, found, expected: expected.clone() };
            return run.reject(place, line.as_bytes(), &error.into());
        }
        rekeyed.clear();
        push_key(&mut to, &text, &mut rekeyed);
        changed += u64::from(rekeyed != *found);
        // The length in the line, whose key may lack a comma or a parenthesis that `styled_key` would write.
        let stored = written_key(layout, line).len();
        rekeyed = styled_key(layout, &rekeyed).into_owned();
        rekeyed.push_str(&line[stored..]);
        sorter.push(&rekeyed).map_err(|error| args.output.sort_failure(&error))
    })?;
    let lines = args.output.write(heading.header(), sorter, None, |line| Cow::Borrowed(line), &mut run)?;
    let exit = run.finish(Exit::Done)?;
    message::print(&format!("{}, {} changed", message::count(lines, "line"), message::count(changed, "key")));
    Ok(exit)
}
