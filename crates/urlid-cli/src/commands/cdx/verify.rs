//! `urlid cdx verify`: checks the order of an index, and finds the form of its keys.

use std::path::{Path, PathBuf};

use clap::Args;
use urlid_archives::cdx::{CdxLayout, key, key_text, push_key};
use urlid_canonical::{Canonicalizer, Form, Kind, Profile};
use urlid_io::files::directory_of;

use super::lines::{IndexInputs, each_line};
use super::payloads::{PayloadCheck, each_payload};
use crate::commands::canon::form::{FormLists, FormName, form_names, parse_form};
use crate::input::line_run::LineRun;
use crate::input::sources::Source;
use crate::output::Output;
use crate::output::escape::Escaped;
use crate::output::files::FilesInUse;
use crate::output::rows::{Column, Format, FormatArg, Rows, Shown, Value};
use crate::report::exit::{Exit, Failure};
use crate::report::message;
use crate::report::rejections::Place;

/// Check that indexes are sorted, and find the canonical form of their keys
///
/// Lookups in an index that is not sorted by its bytes, or by keys of another form, miss lines.
/// The exit code is 1 if an index is not sorted, or no form gives all of its keys.
///
/// Example: urlid cdx verify index.cdxj
///
/// Example: urlid cdx verify --as surt-0.3.1 --format csv cdx-00000.gz
#[derive(Debug, Args)]
pub(super) struct CdxVerifyArgs {
    #[command(flatten)]
    indexes: IndexInputs,

    /// Check the keys against this canonical form; repeatable. By default against every dialect of SURT
    #[arg(long = "as", value_name = "FORM", value_parser = form_names(parse_form), hide_possible_values = true)]
    forms: Vec<FormName>,

    #[command(flatten)]
    lists: FormLists,

    /// Compare the digest of each line with the payload in its archive instead, which is beside the index or in
    /// --dir-root; a line with another digest is rejected
    #[arg(long, conflicts_with_all = ["forms", "format"])]
    payloads: bool,

    /// The directory that the names of the archives start from
    #[arg(long, value_name = "DIR", requires = "payloads")]
    dir_root: Option<PathBuf>,

    #[command(flatten)]
    format: FormatArg,
}

/// Compares the digests of the lines with the payloads of the archives.
fn verify_payloads(args: &CdxVerifyArgs) -> Result<Exit, Failure> {
    let mut run = args.indexes.run(FilesInUse::default())?;
    // An index without a line is reported as well.
    let check_of = |index: &Path| {
        (index.to_owned(), PayloadCheck::new(args.dir_root.as_deref().unwrap_or_else(|| directory_of(index))))
    };
    let mut checks: Vec<_> = run.sources.0.iter().map(|source| check_of(source.name())).collect();
    checks.dedup_by(|(one, _), (other, _)| one == other);
    each_payload(&mut run, &mut |_, place, payload| {
        let check = checks.iter_mut().find(|(index, _)| index == place.input);
        Ok(check.and_then(|(_, check)| check.check(payload).err()))
    })?;
    for (index, check) in &checks {
        let (index, compared) = (Escaped::path(index), message::count(check.compared, "payload"));
        let skipped = message::count(check.skipped, "line");
        run.out.line(&format!("{index}: {compared} compared, {skipped} without a payload or digest"))?;
    }
    run.finish(Exit::Done)
}

/// Returns the dialects of SURT.
pub(super) fn dialects() -> Vec<Form> {
    let is_dialect = |name: &str| name.contains("surt");
    let names = Profile::all().iter().filter(|profile| profile.kind == Kind::Key && is_dialect(profile.name));
    names.map(|profile| profile.name.parse().expect("every profile is a form")).collect()
}

/// Prints a report for each index.
pub(super) fn run(args: &CdxVerifyArgs) -> Result<Exit, Failure> {
    if args.payloads {
        return verify_payloads(args);
    }
    let named = args.lists.forms(&args.forms)?;
    let forms = if named.is_empty() { dialects() } else { named };
    let mut run = args.indexes.run(FilesInUse::reading(args.lists.paths()))?;
    let mut keys: Vec<_> = forms.iter().map(Form::canonicalizer).collect();
    let mut reports: Vec<IndexReport> = Vec::new();
    each_line(&mut run, &mut |run, place, layout, line| {
        // A file that is named twice in a row begins again with its first line, and has two reports.
        let is_next =
            reports.last().is_some_and(|report| report.file == place.input && report.last < place.line);
        if !is_next {
            reports.push(IndexReport { layout: Some(layout), ..IndexReport::new(place, forms.len()) });
        }
        let report = reports.last_mut().expect("one was pushed");
        report.take(run, place, layout.of_plain(), line, &mut keys)
    })?;
    if !run.has_unread() {
        // An index without a line is reported as well.
        let names = run.sources.0.iter().map(Source::name);
        let empty: Vec<_> = names.filter(|name| !reports.iter().any(|report| report.file == *name)).collect();
        reports.extend(empty.into_iter().map(|name| IndexReport::new(Place::in_file(name, 0), forms.len())));
    }
    let format = args.format.format;
    match format {
        Format::Text => reports.iter().try_for_each(|report| report.print(&forms, &mut run.out))?,
        _ => write_rows(&reports, &forms, format, &mut run.out)?,
    }
    let is_good = reports.iter().all(IndexReport::is_good);
    // A finding is exit code 1, apart from an index that cannot be read, which is 4.
    run.finish(if is_good { Exit::Done } else { Exit::Nothing })
}

/// The findings of one index.
struct IndexReport {
    file: PathBuf,
    /// `None` if it has no line.
    layout: Option<CdxLayout>,
    /// The number of the last line.
    last: u64,
    /// Lines with a URL.
    lines: u64,
    before: String,
    unsorted: LineCount,
    /// For each form, the lines with another key than the form gives.
    differing: Vec<LineCount>,
    expected: String,
}

/// Lines of one kind.
#[derive(Clone, Default)]
struct LineCount {
    count: u64,
    first: Option<u64>,
}

impl LineCount {
    fn push(&mut self, line: u64) {
        self.count += 1;
        self.first.get_or_insert(line);
    }
}

impl IndexReport {
    fn new(place: Place<'_>, forms: usize) -> Self {
        IndexReport {
            file: place.input.to_owned(),
            layout: None,
            last: 0,
            lines: 0,
            before: String::new(),
            unsorted: LineCount::default(),
            differing: vec![LineCount::default(); forms],
            expected: String::new(),
        }
    }

    fn take(
        &mut self,
        run: &mut LineRun,
        place: Place<'_>,
        layout: CdxLayout,
        line: &str,
        keys: &mut [Canonicalizer<'_>],
    ) -> Result<(), Failure> {
        self.last = place.line;
        // The end of rows of JSON is not a line.
        let is_end = line.is_empty() && matches!(self.layout, Some(CdxLayout::Rows { .. }));
        // Texts compare by their bytes, as lookups in an index do.
        if *line < *self.before && !is_end {
            self.unsorted.push(place.line);
        }
        if !is_end {
            line.clone_into(&mut self.before);
        }
        let text = match key_text(layout, line) {
            Ok(None) => return Ok(()),
            Ok(Some(text)) => text,
            Err(error) => return run.reject(place, line.as_bytes(), &error.into()),
        };
        self.lines += 1;
        for (keys, differing) in keys.iter_mut().zip(&mut self.differing) {
            self.expected.clear();
            push_key(keys, &text, &mut self.expected);
            if self.expected != *key(layout, line) {
                differing.push(place.line);
            }
        }
        Ok(())
    }

    /// Returns whether the index is sorted and one form has given all keys.
    fn is_good(&self) -> bool {
        self.unsorted.count == 0 && self.differing.iter().any(|found| found.count == 0)
    }

    fn print(&self, forms: &[Form], out: &mut Output) -> Result<(), Failure> {
        let file = Escaped::path(&self.file);
        let order = match self.unsorted {
            LineCount { count, first: Some(first) } => {
                format!("not sorted: {count} out of order, the first is line {first}")
            }
            _ => "sorted".to_owned(),
        };
        let layout = self.layout.map(|layout| format!("{layout}, ")).unwrap_or_default();
        out.line(&format!("{file}: {layout}{}, {order}", message::count(self.lines, "line")))?;
        for (form, differing) in forms.iter().zip(&self.differing) {
            let first =
                differing.first.map(|first| format!(", the first is line {first}")).unwrap_or_default();
            let agreeing = self.lines - differing.count;
            let agree = if agreeing == 1 { "agrees" } else { "agree" };
            let agreeing = message::count(agreeing, "key");
            out.line(&format!("{file}: {form}: {agreeing} {agree}, {} differ{first}", differing.count))?;
        }
        Ok(())
    }
}

fn write_rows(
    reports: &[IndexReport],
    forms: &[Form],
    format: Format,
    out: &mut Output,
) -> Result<(), Failure> {
    let names = [
        "file",
        "form",
        "lines",
        "out_of_order",
        "first_out_of_order",
        "agreeing",
        "differing",
        "first_differing",
        "layout",
    ];
    let columns = names.map(|name| Column { name, shown: Shown::Always });
    let mut rows = Rows::begin(out, format, &columns)?;
    for report in reports {
        let file = Escaped::path(&report.file).to_string();
        let layout = report.layout.map(|layout| layout.to_string());
        let number = |number: Option<u64>| number.map_or(Value::Null, Value::Number);
        for (form, differing) in forms.iter().zip(&report.differing) {
            let row = [
                Value::Text(&file),
                Value::Text(&form.to_string()),
                Value::Number(report.lines),
                Value::Number(report.unsorted.count),
                number(report.unsorted.first),
                Value::Number(report.lines - differing.count),
                Value::Number(differing.count),
                number(differing.first),
                layout.as_deref().map_or(Value::Null, Value::Text),
            ];
            rows.write(out, &row)?;
        }
    }
    Ok(())
}
