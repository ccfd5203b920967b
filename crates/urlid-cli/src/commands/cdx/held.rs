//! `urlid cdx held`: the payloads of new archives that older ones have.

use std::collections::HashMap;
use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};

use clap::Args;
use urlid_archives::Records;
use urlid_archives::cdxj::{IndexLayout, Visits};
use urlid_canonical::Form;
use urlid_io::error;
use urlid_io::lines::{FileKind, Input, InputKind};

use super::lines::each_line;
use super::payloads::payload_of;
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

/// Report which payloads of a new archive are already in older archives
///
/// The older archives are given by their CDXJ indexes, in any order and with any keys. The new archive is a
/// WARC or ARC file, or its CDXJ index. A row has a record with a known payload, and the place of the older
/// one. A note at the end says how many bytes revisit records would save at most. Exits with 1 if no payload is
/// known.
///
/// Example: urlid cdx held all.cdxj tomorrow.warc.gz
#[derive(Debug, Args)]
pub(super) struct CdxHeldArgs {
    /// CDXJ indexes of the older archives, then the new archive or its index
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
    length: u64,
    held: Option<HeldRecord>,
}

/// A record that has the same payload.
struct HeldRecord {
    url: String,
    time: String,
    filename: String,
    offset: u64,
}

/// The records of the new archive, and their places by digest.
#[derive(Default)]
struct NewRecords {
    records: Vec<NewRecord>,
    places: HashMap<String, Vec<usize>>,
}

impl NewRecords {
    fn push(&mut self, line: &str) {
        let Some((time, payload)) = payload_of(line).filter(|(_, payload)| payload.is_stored()) else {
            return;
        };
        let digest = payload.digest.into_owned();
        self.places.entry(digest.clone()).or_default().push(self.records.len());
        self.records.push(NewRecord {
            url: payload.url.into_owned(),
            time: time.to_owned(),
            digest,
            length: payload.length.parse().unwrap_or_default(),
            held: None,
        });
    }
}

/// Prints the records.
pub(super) fn run(args: &CdxHeldArgs) -> Result<Exit, Failure> {
    let Some((new, old)) = args.files.split_last() else { return Ok(Exit::Nothing) };
    let begin = |files: &[PathBuf]| {
        let inputs = InputOptions::new(Sources::from_files(files)?, &args.rules, &args.invalid);
        LineRun::begin(inputs, FilesInUse::default(), None)
    };
    let mut records = NewRecords::default();
    let kind = Input::open(new).and_then(|mut input| input.kind());
    let kind = kind.map_err(|error| Failure::of_file(new, &error))?;
    let mut exit = Exit::Done;
    match kind {
        InputKind::Warc | InputKind::Other(FileKind::Arc) => read_archive(new, &mut records)?,
        _ => {
            let mut run = begin(std::slice::from_ref(new))?;
            each_line(&mut run, &mut |_, _, _, line| {
                records.push(line);
                Ok(())
            })?;
            exit = run.finish(exit)?;
        }
    }
    let mut run = begin(old)?;
    each_line(&mut run, &mut |_, _, _, line| {
        let Some((time, payload)) = payload_of(line).filter(|(_, payload)| payload.is_stored()) else {
            return Ok(());
        };
        for &place in records.places.get(&*payload.digest).into_iter().flatten() {
            records.records[place].held.get_or_insert_with(|| HeldRecord {
                url: payload.url.to_string(),
                time: time.to_owned(),
                filename: payload.filename.to_string(),
                offset: payload.offset.parse().unwrap_or_default(),
            });
        }
        Ok(())
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
    let (mut held_count, mut bytes) = (0, 0);
    for NewRecord { url, time, digest, length, held } in &records.records {
        let Some(held) = held else { continue };
        held_count += 1;
        bytes += length;
        let row = [
            Value::Text(url),
            Value::Text(time),
            Value::Text(digest),
            Value::Number(*length),
            Value::Text(&held.url),
            Value::Text(&held.time),
            Value::Text(&held.filename),
            Value::Number(held.offset),
        ];
        rows.write(&mut run.out, &row)?;
    }
    let all = message::count(records.records.len() as u64, "payload");
    let found = if held_count > 0 { Exit::Done } else { Exit::Nothing };
    let exit = run.finish(exit.max(found))?;
    let verb = if held_count == 1 { "is" } else { "are" };
    message::print(&format!(
        "{held_count} of {all} {verb} held: revisit records would save at most {bytes} bytes"
    ));
    Ok(exit)
}

/// Adds the records of a WARC or ARC file.
fn read_archive(path: &Path, records: &mut NewRecords) -> Result<(), Failure> {
    let failed = |error: urlid::Error| Failure::of_file(path, &error);
    let file = File::open(path).map_err(|error| Failure::read(path, &error))?;
    let mut visits =
        Visits::new(BufReader::new(file), Records::default()).map_err(|error| failed(error::read(error)))?;
    let form: Form = "surt-0.3.1".parse().expect("a profile is a form");
    let (mut keys, mut line) = (form.canonicalizer(), String::new());
    let name = Escaped::path(path).to_string();
    while let Some(visit) = visits.next_visit().map_err(failed)? {
        if signals::is_stopping() {
            return Err(Failure::Stopped);
        }
        line.clear();
        // A record without a date is never in an index, so it does not have to be compared.
        if visit.write_line(&mut keys, &name, IndexLayout::Cdxj, &mut line).is_ok() {
            records.push(&line);
        }
    }
    Ok(())
}
