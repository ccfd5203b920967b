//! `urlid cdx merge`: several indexes as one.

use std::borrow::Cow;
use std::path::PathBuf;

use clap::Args;
use urlid_archives::cdx::{key, push_key};
use urlid_canonical::Form;

use super::lines::{IndexInputs, each_line};
use super::output::IndexOutput;
use super::rekey::Heading;
use super::verify::dialects;
use crate::output::escape::Escaped;
use crate::output::files::FilesInUse;
use crate::report::exit::{Exit, Failure};
use crate::report::message;

/// Merge indexes into one sorted index without duplicate lines
///
/// The indexes may be compressed and unsorted. All must have the same fields and keys of the same canonical
/// form, because lookups in an index with keys of two forms miss lines.
///
/// Example: urlid cdx merge january.cdxj february.cdxj -o all.cdxj
///
/// Example: urlid cdx merge all.cdxj --zipnum 3000 -o cluster.cdxj
#[derive(Debug, Args)]
pub(super) struct CdxMergeArgs {
    #[command(flatten)]
    indexes: IndexInputs,

    #[command(flatten)]
    output: IndexOutput,
}

/// The dialects of SURT that give all keys of an index so far.
struct Agreement {
    file: PathBuf,
    agrees: Vec<bool>,
}

/// Merges.
pub(super) fn run(args: &CdxMergeArgs) -> Result<Exit, Failure> {
    let mut files = FilesInUse::default();
    args.output.add_to(&mut files)?;
    let mut run = args.indexes.run(files)?;
    args.output.check_new("")?;
    let forms = dialects();
    let mut keys: Vec<_> = forms.iter().map(Form::canonicalizer).collect();
    let (mut sorter, mut heading, mut expected) = (args.output.sorter(), Heading::default(), String::new());
    let mut agreements: Vec<Agreement> = Vec::new();
    each_line(&mut run, &mut |run, place, layout, line| {
        let Some(text) = heading.key_text(run, place, layout, line)? else { return Ok(()) };
        if agreements.last().is_none_or(|last| last.file != place.input) {
            agreements.push(Agreement { file: place.input.to_owned(), agrees: vec![true; forms.len()] });
        }
        let found = key(layout.of_plain(), line);
        let agrees = agreements.last_mut().into_iter().flat_map(|last| &mut last.agrees);
        for (agrees, keys) in agrees.zip(&mut keys).filter(|(agrees, _)| **agrees) {
            expected.clear();
            push_key(keys, &text, &mut expected);
            *agrees = expected == *found;
        }
        sorter.push(line).map_err(|error| args.output.sort_failure(&error))
    })?;
    check_forms(&forms, &agreements)?;
    let lines = args.output.write(heading.header(), sorter, None, |line| Cow::Borrowed(line), &mut run)?;
    let exit = run.finish(Exit::Done)?;
    message::print(&message::count(lines, "line"));
    Ok(exit)
}

/// Returns an error if two indexes have keys of different forms. The caller handles an index whose keys do
/// not all follow one form.
fn check_forms(forms: &[Form], agreements: &[Agreement]) -> Result<(), Failure> {
    let form_of = |index: &Agreement| index.agrees.iter().position(|agrees| *agrees);
    let known: Vec<_> = agreements.iter().filter(|index| form_of(index).is_some()).collect();
    let differ = |one: &Agreement, other: &Agreement| {
        !one.agrees.iter().zip(&other.agrees).any(|(one, other)| *one && *other)
    };
    let pair = known.iter().find_map(|one| Some((one, known.iter().find(|other| differ(one, other))?)));
    let Some((one, other)) = pair else { return Ok(()) };
    let named = |index: &Agreement| {
        let form = form_of(index).map(|place| forms[place].to_string()).unwrap_or_default();
        (Escaped::path(&index.file).to_string(), form)
    };
    let ((one, to), (other, from)) = (named(one), named(other));
    let failure = Failure::failed(format!(
        "ERR_CANON_MIXED: keys have different forms: {to} in {one}, {from} in {other}"
    ));
    Err(failure.with_hint(format!("`urlid cdx rekey --from {from} --to {to} {other}` changes them")))
}
