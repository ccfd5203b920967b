//! `urlid cdx held`: the payloads of new archives that older ones have.

use std::collections::HashMap;
use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};

use clap::Args;
use urlid_archives::Records;
use urlid_archives::cdx::CdxLayout;
use urlid_archives::cdxj::{IndexLayout, Visits};
use urlid_canonical::Form;
use urlid_io::error;
use urlid_io::lines::{FileKind, Input, InputKind};

use super::payloads::{Payload, each_payload, normal_digest, payload_of};
use crate::input::line_run::LineRun;
use crate::input::sources::Sources;
use crate::input::{InputOptions, LineRules};
use crate::output::escape::Escaped;
use crate::output::files::FilesInUse;
use crate::output::rows::{Column, FormatArg, Rows, Shown, Value};
use crate::report::exit::{Exit, Failure};
use crate::report::message;
use crate::report::rejections::InvalidArg;
use crate::report::signals;
use crate::report::ways::Needs;

/// Report which payloads of a new archive are held by older ones
///
/// The old archives are read by their indexes, CDXJ or the CDX of 9 or 11 fields, in any order and with any
/// keys; the new one is a WARC or ARC file, or such an index. Digests are compared by their bytes, whether in base
/// 32 or hexadecimal. A row has a record whose payload is held, and where. Revisit records in
/// their place would save at most the bytes that are printed at the end. The exit code is 1 if no payload is
/// held.
///
/// Example: urlid cdx held all.cdxj tomorrow.warc.gz
#[derive(Debug, Args)]
pub(super) struct CdxHeldArgs {
    /// The indexes of the old archives, and at the end the new archive or its index
    #[arg(value_name = "INDEX|WARC", num_args = 2.., required = true)]
    files: Vec<PathBuf>,

    #[command(flatten)]
    rules: LineRules,

    #[command(flatten)]
    invalid: InvalidArg,

    #[command(flatten)]
    format: FormatArg,
}

/// A record of the new archive.
struct NewRecord {
    url: String,
    time: String,
    digest: String,
    length: Option<u64>,
    held: Option<HeldRecord>,
}

/// A record that has the same payload.
struct HeldRecord {
    url: String,
    time: String,
    filename: String,
    offset: Option<u64>,
}

/// The records of the new archive, and their places by digest.
#[derive(Default)]
struct NewRecords {
    records: Vec<NewRecord>,
    places: HashMap<String, Vec<usize>>,
}

impl NewRecords {
    fn push(&mut self, payload: &Payload<'_>) {
        if !payload.is_stored() {
            return;
        }
        self.places.entry(normal_digest(&payload.digest)).or_default().push(self.records.len());
        self.records.push(NewRecord {
            url: payload.url.to_string(),
            time: payload.time.to_owned(),
            digest: payload.digest.to_string(),
            length: payload.length,
            held: None,
        });
    }

    /// Notes a record of an old archive if a new one has its payload.
    fn hold(&mut self, payload: &Payload<'_>) {
        if !payload.is_stored() {
            return;
        }
        for &place in self.places.get(&normal_digest(&payload.digest)).into_iter().flatten() {
            self.records[place].held.get_or_insert_with(|| HeldRecord {
                url: payload.url.to_string(),
                time: payload.time.to_owned(),
                filename: payload.filename.to_string(),
                offset: payload.offset,
            });
        }
    }
}

/// Prints the records.
pub(super) fn run(args: &CdxHeldArgs) -> Result<Exit, Failure> {
    let Some((new, old)) = args.files.split_last() else { return Ok(Exit::Nothing) };
    // A pipe can be opened once only, so it is an index.
    let kind = match new.is_file() {
        true => Input::open(new).and_then(|mut input| input.kind()),
        false => Ok(InputKind::Empty),
    };
    let kind = kind.map_err(|error| Failure::of_file(new, &error))?;
    let is_archive = matches!(kind, InputKind::Warc | InputKind::Other(FileKind::Arc));
    let indexes = if is_archive { old } else { &args.files };
    let inputs = InputOptions::new(Sources::from_files(indexes)?, &args.rules, &args.invalid);
    let mut run = LineRun::begin(inputs, FilesInUse::reading([new.as_path()]), None)?;
    run.needs = Needs::CdxLines;
    let mut records = NewRecords::default();
    if is_archive {
        read_archive(new, &mut records, &mut run)?;
    } else {
        // The new index is read first.
        let last = run.sources.0.pop();
        let old = std::mem::replace(&mut run.sources, Sources(last.into_iter().collect()));
        each_payload(&mut run, &mut |_, _, payload| {
            records.push(payload);
            Ok(None)
        })?;
        run.sources = old;
    }
    each_payload(&mut run, &mut |_, _, payload| {
        records.hold(payload);
        Ok(None)
    })?;
    let names = [
        "url",
        "timestamp",
        "digest",
        "length",
        "held_url",
        "held_timestamp",
        "held_filename",
        "held_offset",
    ];
    let columns = names.map(|name| Column { name, shown: Shown::Always });
    let mut rows = Rows::begin(&mut run.out, args.format.format, &columns)?;
    let (mut held_count, mut bytes, mut unknown) = (0, 0, 0);
    for NewRecord { url, time, digest, length, held } in &records.records {
        let Some(held) = held else { continue };
        held_count += 1;
        bytes += length.unwrap_or_default();
        unknown += u64::from(length.is_none());
        let row = [
            Value::Text(url),
            Value::Text(time),
            Value::Text(digest),
            length.map_or(Value::Null, Value::Number),
            Value::Text(&held.url),
            Value::Text(&held.time),
            Value::Text(&held.filename),
            held.offset.map_or(Value::Null, Value::Number),
        ];
        rows.write(&mut run.out, &row)?;
    }
    let all = message::count(records.records.len() as u64, "payload");
    let found = if held_count > 0 { Exit::Done } else { Exit::Nothing };
    let exit = run.finish(found)?;
    let verb = if held_count == 1 { "is" } else { "are" };
    let beside = match unknown {
        0 => String::new(),
        _ => format!(", and {} of unknown length", message::count(unknown, "record")),
    };
    message::print(&format!(
        "{held_count} of {all} {verb} held: revisit records would save at most {bytes} bytes{beside}"
    ));
    Ok(exit)
}

/// Adds the records of a WARC or ARC file. A damaged one is reported after the records before the damage.
fn read_archive(path: &Path, records: &mut NewRecords, run: &mut LineRun) -> Result<(), Failure> {
    let file = File::open(path).map_err(|error| Failure::read(path, &error))?;
    let visits = Visits::new(BufReader::new(file), Records::default());
    let mut visits = visits.map_err(|error| Failure::of_file(path, &error::read(error)))?;
    let form: Form = "surt-0.3.1".parse().expect("a profile is a form");
    let (mut keys, mut line) = (form.canonicalizer(), String::new());
    let name = Escaped::path(path).to_string();
    loop {
        if signals::is_stopping() {
            return Err(Failure::Stopped);
        }
        let visit = match visits.next_visit() {
            Ok(Some(visit)) => visit,
            Ok(None) => return Ok(()),
            Err(error) => {
                run.report_failed(path, &error.into(), "");
                return Ok(());
            }
        };
        line.clear();
        // A record without a date is not in an index, so nothing is lost if it is not compared.
        let written = visit.write_line(&mut keys, &name, IndexLayout::Cdxj, &mut line);
        if let Some(payload) = written.ok().and_then(|()| payload_of(CdxLayout::Cdxj, &line).ok()?) {
            records.push(&payload);
        }
    }
}
