//! `urlid cdx make`: an index of WARC files.

use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};

use clap::Args;
use urlid_canonical::Canonicalizer;
use urlid_io::archives::Records;
use urlid_io::archives::cdxj::Visits;
use urlid_io::error;
use urlid_io::lines::Archives;
use urlid_io::sort::LineSorter;

use super::output::IndexOutput;
use crate::commands::canon::form::{FormName, TrackingArg, form_names, parse_form};
use crate::exit::{Exit, Failure};
use crate::input::{Inputs, LineRules, RecordsArg};
use crate::refusals::{Ended, OnRefused, OnRefusedArg, Place};
use crate::session::Session;
use crate::signals;
use crate::sources::Sources;

/// The bytes that are read at once.
const BUFFER: usize = 64 << 10;
/// Records between two updates of the progress bar.
const RECORDS_BETWEEN_UPDATES: u64 = 256;

/// Make an index of WARC files: sorted CDXJ, as pywb and cdxj-indexer read and write it
///
/// A line has the key of the URL, the time of the visit, and JSON with url, mime, status, digest, length, offset and
/// filename. The lines are sorted by their bytes, and equal lines are one. Files may be plain, or compressed with a
/// gzip member or zstd frame for each record. A record without a date is refused. Of a file that is damaged, the
/// records before the damage are in the index, and the exit code is 4.
///
/// Example: urlid cdx make crawl.warc.gz -o index.cdxj
///
/// Example: urlid cdx make crawl-*.warc.gz --as ia-surt-1.3 --zipnum 3000 -o index.cdxj
#[derive(Debug, Args)]
pub(super) struct MakeArgs {
    /// WARC files
    #[arg(value_name = "WARC", required = true)]
    files: Vec<PathBuf>,

    /// The canonical form of the keys
    #[arg(long = "as", value_name = "FORM", default_value = "surt-0.3.1", value_parser = form_names(parse_form), hide_possible_values = true)]
    form: FormName,

    #[command(flatten)]
    tracking: TrackingArg,

    #[command(flatten)]
    output: IndexOutput,

    #[command(flatten)]
    rules: LineRules,

    #[command(flatten)]
    records: RecordsArg,

    #[command(flatten)]
    refused: OnRefusedArg,
}

impl Inputs for MakeArgs {
    fn sources(&self) -> Result<Sources, Failure> {
        if self.files.iter().any(|file| file.as_os_str() == "-") {
            return Err(Failure::usage("an index names its WARC files: expected files, found `-`"));
        }
        Sources::of_files(&self.files)
    }

    fn rules(&self) -> &LineRules {
        &self.rules
    }

    fn are_urls(&self) -> bool {
        false
    }

    fn on_refused(&self) -> OnRefused {
        self.refused.on_refused
    }
}

/// Makes the index.
pub(super) fn run(args: &MakeArgs) -> Result<Exit, Failure> {
    let Archives::Urls(records) = args.records.get() else {
        return Err(Failure::usage("--records none: an index is made of records"));
    };
    let (form, list) = (args.tracking.form(&args.form)?, args.tracking.path());
    let outputs = args.output.paths();
    let others: Vec<&Path> = outputs.iter().map(PathBuf::as_path).chain(list).collect();
    let mut session = Session::begin(args, &others)?;
    args.output.check_unused(args.files.iter().map(PathBuf::as_path).chain(list))?;
    let mut indexer =
        Indexer { records, keys: form.canonicalizer(), sorter: args.output.sorter(), line: String::new() };
    session.each_source(|session, source| {
        let Some(path) = source.path() else { return Ok(0) };
        indexer.index(path, args, session)
    })?;
    args.output.write(None, indexer.sorter, &mut session.out)?;
    session.finish(Exit::Done)
}

/// Collects the lines of the index.
struct Indexer<'a> {
    records: Records,
    keys: Canonicalizer<'a>,
    sorter: LineSorter,
    line: String,
}

impl Indexer<'_> {
    /// Adds the visits of a file; returns its size.
    fn index(&mut self, path: &Path, args: &MakeArgs, session: &mut Session) -> Result<u64, Ended> {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let file = File::open(path).map_err(error::read)?;
        let source = BufReader::with_capacity(BUFFER, file);
        let mut visits = Visits::new(source, self.records).map_err(error::read)?;
        let mut count = 0_u64;
        loop {
            count += 1;
            if count.is_multiple_of(RECORDS_BETWEEN_UPDATES) {
                session.show_progress(visits.bytes_read());
            }
            if signals::is_stopping() {
                return Err(Failure::Stopped.into());
            }
            let Some(visit) = visits.next_visit()? else { return Ok(visits.bytes_read()) };
            self.line.clear();
            match visit.write_line(&mut self.keys, &name, &mut self.line) {
                Ok(()) => {
                    self.sorter.push(&self.line).map_err(|error| args.output.sort_failure(&error))?;
                }
                Err(error) => {
                    let url = visit.url().unwrap_or_default();
                    session.refuse(Place::in_file(path, visit.number()), url.as_bytes(), &error.into())?;
                }
            }
        }
    }
}
