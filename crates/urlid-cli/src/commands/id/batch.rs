//! The fast way for one kind of identifier in plain text: chunks of lines, a batch encoder on every core.
//!
//! Prints the same bytes and tells the same refusals as the way line by line, which is asked for the reason of each
//! refusal that is told.

use urlid::ErrorCode;
use urlid::Sxurl;
use urlid::batch::{Encoder, HostCacheKey, Identifier, Kernels};
use urlid::url_hash::UrlHash;
use urlid_lines::{Chunk, Line};

use super::kinds::{Kind, Maker};
use super::rows::{Form, RowWriter, number_rows};
use crate::exit::{Exit, Failure};
use crate::input::{self, LineRules, Opened, Source, Sources};
use crate::output::{Format, Output};
use crate::pipeline::{self, Made, Worker};
use crate::progress::Progress;
use crate::refusals::{Place, Refusal, Refusals};

/// Prints the identifiers of one kind, if there is a fast way for it.
pub(super) fn run(
    kind: Kind,
    format: Format,
    maker: &Maker,
    kernels: Kernels,
    sources: &Sources,
    rules: &LineRules,
) -> Option<Result<Exit, Failure>> {
    let list = maker.list();
    let key = HostCacheKey::random();
    let printer = Printer { kind, format, maker, sources, rules };
    let rows = |form| RowWriter::new(format, kind.name(), form, kernels);
    match kind {
        Kind::Sxurl => {
            let make =
                || Encode { encoder: Encoder::<Sxurl>::new(list, key, kernels), rows: rows(Form::Hex) };
            Some(printer.print(make))
        }
        Kind::UrlHash => {
            let form = if maker.prints_hex() { Form::Hex } else { Form::Words };
            Some(printer.print(|| Encode { encoder: Encoder::<UrlHash>::new(kernels), rows: rows(form) }))
        }
        _ => None,
    }
}

/// A worker with its own encoder.
struct Encode<I: Identifier> {
    encoder: Encoder<I>,
    rows: RowWriter,
}

impl<I: Identifier + 'static> Worker for Encode<I>
where
    Encoder<I>: Send,
{
    fn work(&mut self, chunk: &Chunk, made: &mut Made) {
        let mut before = 0;
        let mut long = chunk.long_lines().peekable();
        self.encoder.encode_lines(chunk.bytes(), |batch| {
            self.rows.write(&batch, before, &mut long, &mut made.out);
            let refused = batch.exceptions().filter_map(|(index, code)| Some((before + index, code?)));
            made.refused.extend(refused);
            before += batch.len();
        });
        // A line over the cap is an empty line of the chunk, so it is printed like one.
        let long = chunk.long_lines().map(|index| (index, ErrorCode::LineLen));
        let refused = made.refused.len();
        made.refused.extend(long);
        if made.refused.len() > refused {
            made.refused.sort_unstable_by_key(|(index, _)| *index);
        }
        made.lines = before as u64;
    }
}

/// What is printed and where it comes from.
struct Printer<'a> {
    kind: Kind,
    format: Format,
    maker: &'a Maker,
    sources: &'a Sources,
    rules: &'a LineRules,
}

impl Printer<'_> {
    fn print<W: Worker>(&self, make: impl Fn() -> W) -> Result<Exit, Failure> {
        let progress = self.sources.progress();
        let mut refusals = Refusals::new(self.rules.rejects.as_deref(), progress.clone())?;
        let mut out = Output::stdout()?;
        out.write(RowWriter::header(self.format, self.kind.name()).as_bytes())?;
        let mut exit = Exit::Done;
        for source in &self.sources.0 {
            let failed = match source.open() {
                Ok(Opened::Texts(texts)) => {
                    self.arguments(source, texts, &mut out, &mut refusals)?;
                    None
                }
                Ok(Opened::Input(input)) => {
                    self.input(source, input, &make, &mut out, &mut refusals, &progress)?
                }
                Err(error) => Some(error),
            };
            if let Some(error) = failed {
                exit = exit.max(input::cannot_read(source, &error, &progress));
            }
        }
        progress.finish();
        out.flush()?;
        Ok(exit.max(refusals.finish()?))
    }

    /// Prints the identifiers of one input and returns why it could not be read to its end.
    fn input<W: Worker>(
        &self,
        source: &Source,
        input: urlid_lines::Input,
        make: impl Fn() -> W,
        out: &mut Output,
        refusals: &mut Refusals,
        progress: &Progress,
    ) -> Result<Option<urlid_lines::ReadError>, Failure> {
        let mut numbered = Vec::new();
        pipeline::run(input, self.rules, make, progress, |slot, lines| {
            if self.format == Format::Ndjson {
                numbered.clear();
                number_rows(&slot.made.out, lines + 1, &mut numbered);
                out.write(&numbered)?;
            } else {
                out.write(&slot.made.out)?;
            }
            out.flush()?;
            slot.refuse(lines, refusals, |refusals, line, _| match self.id(line) {
                Ok(_) => Ok(()),
                Err(refusal) => {
                    let place = Place { input: source.name(), line: line.number };
                    refusals.refuse(place, refusal.code, &refusal.message, line.bytes)
                }
            })
        })
    }

    fn arguments(
        &self,
        source: &Source,
        texts: &[std::ffi::OsString],
        out: &mut Output,
        refusals: &mut Refusals,
    ) -> Result<(), Failure> {
        for (number, text) in (1..).zip(texts) {
            let line = Line::of(number, text.as_encoded_bytes());
            let id = match self.id(&line) {
                _ if line.text == Ok("") => String::new(),
                Ok(id) => id,
                Err(refusal) => {
                    let place = Place { input: source.name(), line: number };
                    refusals.refuse(place, refusal.code, &refusal.message, line.bytes)?;
                    String::new()
                }
            };
            out.line(&id)?;
        }
        Ok(())
    }

    /// Makes the identifier of a line in the plain way, for the sake of the refusal.
    fn id(&self, line: &Line<'_>) -> Result<String, Refusal> {
        match line.text {
            Ok(text) => self.maker.line(text).id(self.kind),
            Err(error) => Err(Refusal::of(&error)),
        }
    }
}
