//! The records that are printed: how they are chosen of all that were read, and how they are written.

use std::{env, io};

use urlid_canonical::Form;
use urlid_io::tables::Dialect;
use urlid_store::sort::{DigestSet, RowSorter, RowsInOrder, Sight, TallyOrder, TextDigest, TextTally};

use super::arguments::UniqArgs;
use super::choices::{Chosen, Compared, PerSite, Sample, SiteSample};
use super::digests::{Digests, FoundUrl, Routes};
use crate::commands::count::sort_failure;
use crate::output::Output;
use crate::output::enrich::{push_field, push_member};
use crate::output::rows::{Column, Format, Rows, Shown, Value};
use crate::output::table::{Holds, place_columns, place_in_text};
use crate::report::exit::Failure;
use crate::report::signals;

/// The records that are printed.
pub(super) struct Kept {
    distinct: Distinct,
    choice: Choice,
    routes: Routes,
    pub(super) sink: Sink,
}

/// How the first record of each form is found.
enum Distinct {
    /// A sample of the whole input keeps the first record of each of its few forms.
    ByChoice,
    First(First),
    /// Also whether another file has the form.
    Compared(Compared),
}

/// Which of the first records are printed.
enum Choice {
    All,
    PerSite(PerSite),
    Sample(Sample),
    SiteSample(SiteSample),
}

/// The first record of each form.
struct First {
    /// `None` if records are counted, and printed at the end.
    seen: Option<DigestSet>,
    /// The records that are printed at the end.
    later: TextTally,
}

/// A record with what choices need of it.
#[derive(Clone, Copy)]
struct Record<'r> {
    digest: TextDigest,
    site: TextDigest,
    /// The records of its form, if they are counted.
    count: u64,
    bytes: &'r [u8],
}

impl Kept {
    pub(super) fn new(args: &UniqArgs, form: &Form, compared: Option<Compared>, sink: Sink) -> Self {
        let choice = match (args.per, args.limit, args.sample) {
            (None, _, None) => Choice::All,
            (None, _, Some(most)) => Choice::Sample(Sample::new(most)),
            (Some(_), _, Some(most)) => Choice::SiteSample(SiteSample::new(most, args.memory / 2)),
            (Some(_), most, None) => Choice::PerSite(PerSite::new(most.unwrap_or(1), args.memory / 2)),
        };
        // Half for the sites, if they matter.
        let memory = if args.per.is_some() { args.memory / 2 } else { args.memory };
        let distinct = match (compared, &choice) {
            (Some(compared), _) => Distinct::Compared(compared),
            (None, Choice::Sample(_)) => Distinct::ByChoice,
            (None, _) => Distinct::First(First::new(args.counts, memory)),
        };
        Kept { distinct, choice, routes: Routes::new(form, args.memory / 16), sink }
    }

    /// Takes records, each with its digests.
    pub(super) fn take(
        &mut self,
        out: &mut Output,
        made: &Digests,
        records: &[&[u8]],
    ) -> Result<(), Failure> {
        let Self { distinct, choice, routes, sink } = self;
        let record = |index: usize| Record {
            digest: made.digests[index],
            site: made.sites.get(index).copied().unwrap_or_default(),
            count: 1,
            bytes: records[index],
        };
        match distinct {
            Distinct::ByChoice => {
                (0..records.len()).try_for_each(|index| choice.take(record(index), sink, out))
            }
            Distinct::Compared(compared) => (0..records.len()).try_for_each(|index| {
                let record = record(index);
                let taken = choice.packed(record, |packed| compared.take(record.digest, packed));
                taken.map_err(|error| sort_failure(&error))
            }),
            Distinct::First(First { seen: Some(seen), later }) => {
                let mut next_routes = made.routes.iter().peekable();
                seen.see(&made.digests, |index, sight| {
                    if let Some((_, route)) = next_routes.next_if(|(with_route, _)| *with_route == index) {
                        routes.push(*route, sight == Sight::Again);
                    }
                    match sight {
                        Sight::Again => Ok(()),
                        Sight::First => choice.take(record(index), sink, out),
                        // The set is full and lacks it: the sort at the end finds which of its records is
                        // the first.
                        Sight::Unknown => {
                            let record = record(index);
                            let added = choice.packed(record, |packed| later.add(record.digest, 1, packed));
                            added.map_err(|error| sort_failure(&error))
                        }
                    }
                })
            }
            // With --counts every record goes to the sort, which counts those of each form.
            Distinct::First(First { seen: None, later }) => (0..records.len())
                .try_for_each(|index| later.add(made.digests[index], 1, records[index]))
                .map_err(|error| sort_failure(&error)),
        }
    }

    /// Prints the remaining records, and returns where all of them went.
    pub(super) fn finish(self, out: &mut Output) -> Result<SinkKind, Failure> {
        let Self { distinct, mut choice, routes, mut sink } = self;
        sink.has_lines = false;
        match distinct {
            Distinct::ByChoice => {}
            Distinct::Compared(compared) => {
                let mut records = compared.finish().map_err(|error| sort_failure(&error))?;
                while let Some((_, packed)) = records.next_row().map_err(|error| sort_failure(&error))? {
                    check_stopping()?;
                    choice.take(choice.unpacked(1, packed), &mut sink, out)?;
                }
            }
            Distinct::First(First { seen, later }) => {
                // Frees its memory before that of the sort is needed.
                drop(seen);
                let mut later = later.finish(TallyOrder::First).map_err(|error| sort_failure(&error))?;
                while let Some((count, packed)) = later.next_text().map_err(|error| sort_failure(&error))? {
                    check_stopping()?;
                    choice.take(choice.unpacked(count, packed), &mut sink, out)?;
                }
            }
        }
        let rest = match choice {
            Choice::All => None,
            Choice::Sample(sample) => {
                sample.finish().try_for_each(|record| sink.print(out, &record, 1))?;
                None
            }
            Choice::PerSite(sites) => sites.finish().map_err(|error| sort_failure(&error))?,
            Choice::SiteSample(sites) => Some(sites.finish().map_err(|error| sort_failure(&error))?),
        };
        rest.map_or(Ok(()), |records| sink.print_all(out, records))?;
        routes.report();
        Ok(sink.kind)
    }
}

impl Choice {
    /// Takes the first record of a form, and prints it if it is chosen already.
    fn take(&mut self, record: Record<'_>, sink: &mut Sink, out: &mut Output) -> Result<(), Failure> {
        let Record { digest, site, count, bytes } = record;
        let taken = match self {
            Choice::All => return sink.print(out, bytes, count),
            Choice::PerSite(sites) => match sites.take(site, bytes) {
                Ok(Chosen::Now) => return sink.print(out, bytes, count),
                taken => taken.map(drop),
            },
            Choice::Sample(sample) => {
                sample.take(digest, bytes);
                Ok(())
            }
            Choice::SiteSample(sites) => sites.take(site, digest, bytes),
        };
        taken.map_err(|error| sort_failure(&error))
    }

    /// Passes the bytes of a record to a sort, with what the choice needs of it later.
    fn packed(&self, record: Record<'_>, push: impl FnOnce(&[u8]) -> io::Result<()>) -> io::Result<()> {
        if matches!(self, Choice::All) {
            return push(record.bytes);
        }
        push(&[&record.digest.to_le_bytes(), &record.site.to_le_bytes(), record.bytes].concat())
    }

    /// Returns the record of packed bytes.
    fn unpacked<'r>(&self, count: u64, packed: &'r [u8]) -> Record<'r> {
        let mut bytes = packed;
        let mut number = || match bytes.split_first_chunk() {
            Some((number, rest)) if !matches!(self, Choice::All) => {
                bytes = rest;
                TextDigest::from_le_bytes(*number)
            }
            _ => 0,
        };
        let (digest, site) = (number(), number());
        Record { digest, site, count, bytes }
    }
}

impl First {
    fn new(counts: bool, memory: usize) -> Self {
        // Half for what was seen, half for what is printed at the end.
        let (seen, later) = match counts {
            true => (None, memory),
            false => (Some(DigestSet::new(memory / 2)), memory / 2),
        };
        First { seen, later: TextTally::new(env::temp_dir(), later) }
    }
}

/// Writes the records that are chosen.
pub(super) struct Sink {
    pub(super) kind: SinkKind,
    has_counts: bool,
    /// Whether the records are lines, which have no line end.
    pub(super) has_lines: bool,
    /// A row with its count; used again.
    buffer: Vec<u8>,
}

/// Where chosen records go.
pub(super) enum SinkKind {
    /// Lines or values are rows of an output format.
    Texts(Rows, Format),
    /// URLs in text, with their places.
    Places(Rows),
    /// Rows of tables stay as they are. Their counts are values of a column: its name with a colon, as that
    /// of a JSON member.
    Rows(Dialect, Vec<u8>),
    /// Numbers of rows of Parquet files, which are read again.
    Numbers(RowSorter),
    /// They are only counted.
    Count(u64),
}

impl Sink {
    pub(super) fn new(kind: SinkKind, has_counts: bool) -> Self {
        Sink { kind, has_counts, has_lines: false, buffer: Vec::new() }
    }

    /// Begins to print texts.
    pub(super) fn texts(args: &UniqArgs, out: &mut Output) -> Result<SinkKind, Failure> {
        let format = args.format.format;
        let has_places = args.columns.is_prose() && format != Format::Text;
        let mut columns = if has_places { place_columns(true) } else { Vec::new() };
        let names = if args.counts { &["url", "rows"][..] } else { &["url"] };
        columns.extend(names.iter().map(|name| Column { name, shown: Shown::Always }));
        let rows = Rows::begin(out, format, &columns)?;
        Ok(if has_places { SinkKind::Places(rows) } else { SinkKind::Texts(rows, format) })
    }

    fn print(&mut self, out: &mut Output, record: &[u8], count: u64) -> Result<(), Failure> {
        let Self { kind, has_counts, has_lines, buffer } = self;
        match kind {
            // Written without a look at its bytes.
            SinkKind::Texts(_, Format::Text) if *has_lines && !*has_counts && !out.is_terminal() => {
                out.write(record)?;
                out.write(b"\n")
            }
            SinkKind::Texts(rows, _) => {
                let values = [Value::Line(record), Value::Number(count)];
                rows.write(out, if *has_counts { &values } else { &values[..1] })
            }
            SinkKind::Places(rows) => {
                let Some(FoundUrl { file, line, column, url }) = FoundUrl::read(record) else {
                    return Ok(());
                };
                let [file, line, column] = place_in_text(file, line, column);
                let values = [file, line, column, Value::Line(url), Value::Number(count)];
                rows.write(out, if *has_counts { &values } else { &values[..4] })
            }
            SinkKind::Rows(..) if !*has_counts => out.lines(record),
            SinkKind::Rows(dialect, key) => {
                buffer.clear();
                push_count(buffer, record, count, *dialect, key);
                out.lines(buffer)
            }
            SinkKind::Numbers(numbers) => {
                let mut key = [0; 32];
                key.iter_mut()
                    .zip(record.iter().chain(&count.to_be_bytes()))
                    .for_each(|(to, from)| *to = *from);
                numbers.push(&key, b"").map_err(|error| sort_failure(&error))
            }
            SinkKind::Count(printed) => {
                *printed += 1;
                Ok(())
            }
        }
    }

    fn print_all(&mut self, out: &mut Output, mut records: RowsInOrder) -> Result<(), Failure> {
        while let Some((_, record)) = records.next_row().map_err(|error| sort_failure(&error))? {
            check_stopping()?;
            self.print(out, record, 1)?;
        }
        Ok(())
    }
}

/// Appends a row with its count, before the line end.
fn push_count(row: &mut Vec<u8>, record: &[u8], count: u64, dialect: Dialect, key: &[u8]) {
    let text = record.strip_suffix(b"\n").unwrap_or(record);
    let text = text.strip_suffix(b"\r").unwrap_or(text);
    let count = count.to_string();
    // Of an object, the last brace is its end, and the column that was read is a member before it.
    let end = text.iter().rposition(|&byte| byte == b'}').filter(|_| dialect == Dialect::Ndjson);
    let (before, after) = record.split_at(end.unwrap_or(text.len()));
    row.extend_from_slice(before);
    match dialect {
        Dialect::Ndjson => push_member(row, true, key, Some(&count), Holds::Number),
        _ => push_field(row, Some(&count), dialect),
    }
    row.extend_from_slice(after);
}

pub(super) fn check_stopping() -> Result<(), Failure> {
    if signals::is_stopping() { Err(Failure::Stopped) } else { Ok(()) }
}
