//! The fast path for one kind of identifier: many lines or texts at once, one batch encoder for each core.
//!
//! Prints and refuses the same lines as the line-by-line path.

use std::io::Write;
use std::mem;

use memchr::memchr_iter;
use urlid::batch::{Batch, Encoder, HostCacheKey, Identifier, Kernels, Outcome};
use urlid::hashed_uri::HashedUri;
use urlid::url_hash::UrlHash;
use urlid::{Coded, ErrorCode, Sxurl};
use urlid_io::lines::{Chunk, Line};
use urlid_ops::IdKind;

use super::kinds::{Maker, Print};
use crate::input::pipeline::{Made, Worker};
use crate::input::session::Session;
use crate::output::rows::{Column, Format, Rows, Shown, Value};
use crate::report::exit::{Exit, Failure};
use crate::report::refusals::Refusal;

/// Appends a line for each text, its identifier or nothing where there is none, and the index and code of each refused text.
pub(super) type WriteIds<'a> =
    Box<dyn FnMut(&[&str], &mut Vec<u8>, &mut Vec<(usize, ErrorCode)>) + Send + 'a>;

/// Returns a writer of the identifiers of this kind, if a batch encoder makes them.
pub(super) fn writer<'a>(kind: IdKind, maker: &'a Maker, kernels: Kernels) -> Option<WriteIds<'a>> {
    match kind {
        IdKind::Sxurl => {
            let encoder = Encoder::<Sxurl>::new(maker.list(), HostCacheKey::random(), kernels);
            Some(write_all(encoder, |batch, out| batch.write_hex_lines(out)))
        }
        IdKind::UrlHash => Some(write_all(Encoder::<UrlHash>::new(kernels), url_hash_lines(maker))),
        IdKind::HashedUri if maker.has_batched_hashed_uris() => {
            let encoder = Encoder::<HashedUri>::new(maker.keep(), kernels);
            Some(write_all(encoder, |batch, out| batch.write_hashed_uris(out)))
        }
        _ => None,
    }
}

fn write_all<'a, I: Identifier + 'a>(
    mut encoder: Encoder<I>,
    lines: fn(&Batch<'_, I>, &mut Vec<u8>),
) -> WriteIds<'a>
where
    Encoder<I>: Send,
{
    Box::new(move |texts, out, refused| {
        // The encoder splits the texts into batches and counts exceptions in each of them; `before` are the texts of earlier
        // batches.
        let mut before = 0;
        encoder.encode_all(texts.iter().copied(), |batch| {
            lines(&batch, out);
            refused.extend(batch.exceptions().filter_map(|(index, code)| Some((before + index, code?))));
            before += batch.len();
        });
    })
}

pub(super) fn print_sxurls(
    session: Session,
    format: Format,
    maker: &Maker,
    kernels: Kernels,
) -> Result<Exit, Failure> {
    // Secret and random: with a known key, hosts could be made that all share one slot of the cache.
    let key = HostCacheKey::random();
    let encoder = || Encoder::<Sxurl>::new(maker.list(), key, kernels);
    print(
        session,
        format,
        maker,
        Printed { kind: IdKind::Sxurl, lines: |batch, out| batch.write_hex_lines(out) },
        encoder,
    )
}

pub(super) fn print_url_hashes(
    session: Session,
    format: Format,
    maker: &Maker,
    kernels: Kernels,
) -> Result<Exit, Failure> {
    let encoder = || Encoder::<UrlHash>::new(kernels);
    print(session, format, maker, Printed { kind: IdKind::UrlHash, lines: url_hash_lines(maker) }, encoder)
}

/// Returns a function that appends a line for each url-hash.
fn url_hash_lines(maker: &Maker) -> fn(&Batch<'_, UrlHash>, &mut Vec<u8>) {
    match maker.print() {
        Print::Hex => |batch, out| batch.write_hex_lines(out),
        Print::Words => write_words,
    }
}

/// Prints hashed URIs by SHA-1 and variant N, without a base.
pub(super) fn print_hashed_uris(
    session: Session,
    format: Format,
    maker: &Maker,
    kernels: Kernels,
) -> Result<Exit, Failure> {
    let encoder = || Encoder::<HashedUri>::new(maker.keep(), kernels);
    let printed = Printed { kind: IdKind::HashedUri, lines: |batch, out| batch.write_hashed_uris(out) };
    print(session, format, maker, printed, encoder)
}

/// Appends a line of decimal words for each url-hash of a batch, an empty line where there is none.
fn write_words(batch: &Batch<'_, UrlHash>, out: &mut Vec<u8>) {
    for outcome in batch.outcomes() {
        if let Outcome::Id(hash) = outcome {
            write!(out, "{hash}").expect("writing to a Vec does not fail");
        }
        out.push(b'\n');
    }
}

/// A kind of identifier, and the function that appends its lines for a batch.
struct Printed<I: Identifier> {
    kind: IdKind,
    lines: fn(&Batch<'_, I>, &mut Vec<u8>),
}

fn print<I: Identifier>(
    mut session: Session,
    format: Format,
    maker: &Maker,
    printed: Printed<I>,
    encoder: impl Fn() -> Encoder<I>,
) -> Result<Exit, Failure>
where
    Encoder<I>: Send,
{
    let columns = [
        Column { name: "line", shown: Shown::InJson },
        Column { name: "url", shown: Shown::NotInText },
        Column { name: printed.kind.name(), shown: Shown::Always },
        Column { name: "error", shown: Shown::NotInText },
    ];
    let rows = Rows::begin(&mut session.out, format, &columns)?;
    let leaves_refused_out = session.leaves_refused_out();
    session.each_chunk(&|| {
        Box::new(Encode {
            kind: printed.kind,
            lines: printed.lines,
            encoder: encoder(),
            rows: rows.clone(),
            format,
            maker,
            leaves_refused_out,
            ids: Vec::new(),
        })
    })?;
    session.finish(Exit::Done)
}

/// A worker with its own encoder.
struct Encode<'a, I: Identifier> {
    kind: IdKind,
    lines: fn(&Batch<'_, I>, &mut Vec<u8>),
    encoder: Encoder<I>,
    rows: Rows,
    format: Format,
    maker: &'a Maker,
    leaves_refused_out: bool,
    /// The lines of a batch's identifiers; used again.
    ids: Vec<u8>,
}

impl<I: Identifier> Worker for Encode<'_, I>
where
    Encoder<I>: Send,
{
    fn chunk(&mut self, chunk: &Chunk, first: u64, made: &mut Made) {
        let mut before = 0;
        let mut whole = chunk.refused_lines().peekable();
        let Self { lines, encoder, rows, format, leaves_refused_out, ids, .. } = self;
        encoder.encode_lines(chunk.bytes(), |batch| {
            if *format == Format::Text && !*leaves_refused_out {
                // The lines of a batch are the output already: an identifier, or an empty line for a refused or blank one.
                lines(&batch, &mut made.out);
            } else {
                ids.clear();
                lines(&batch, ids);
                let refused = |index: usize| {
                    let line = whole.next_if(|(other, _)| *other == before + index)?;
                    Some(line.1.code())
                };
                let first = first + before as u64;
                write_rows(&batch, ids, rows, first, *leaves_refused_out, refused, &mut made.out);
            }
            let refused =
                batch.exceptions().filter_map(|(index, code)| Some((before + index, Refusal::Code(code?))));
            made.refused.extend(refused);
            before += batch.len();
        });
        let refused = made.refused.len();
        // Lines that are not text are empty lines in the bytes of the chunk, so they are not exceptions of a batch.
        made.refused.extend(chunk.refused_lines().map(|(index, error)| (index, error.into())));
        // Both lists ascend, and `Made` holds one that does.
        if made.refused.len() > refused {
            made.refused.sort_unstable_by_key(|(index, _)| *index);
        }
    }

    fn line(&mut self, line: &Line<'_>, is_blank: bool, out: &mut Vec<u8>) -> Result<(), Refusal> {
        let (number, text) = (Value::Number(line.number), line.text.map_or(Value::Null, Value::Text));
        let id = match line.text {
            Ok(_) if is_blank => {
                self.rows.push(out, &[number, text]);
                return Ok(());
            }
            Ok(text) => self.maker.line(text).id(self.kind),
            Err(error) => Err(error.into()),
        };
        match id {
            Ok(id) => {
                self.rows.push(out, &[number, text, Value::Text(&id)]);
                Ok(())
            }
            Err(refusal) => {
                self.rows.push(out, &[number, text, Value::Null, Value::Text(refusal.code().as_str())]);
                Err(refusal)
            }
        }
    }
}

/// Appends a row for each line of a batch, of which `ids` are the lines of its identifiers. A line that is refused as a
/// whole is an empty line in the batch; `refused` returns its code. The first line has the number `first`.
fn write_rows<I: Identifier>(
    batch: &Batch<'_, I>,
    ids: &[u8],
    rows: &Rows,
    first: u64,
    leaves_refused_out: bool,
    mut refused: impl FnMut(usize) -> Option<ErrorCode>,
    out: &mut Vec<u8>,
) {
    let mut exceptions = batch.exceptions().peekable();
    let mut start = 0;
    // Identifiers have no line ends, so each LF in `ids` ends the one of a line.
    for ((index, line), end) in batch.lines().enumerate().zip(memchr_iter(b'\n', ids)) {
        let id = &ids[mem::replace(&mut start, end + 1)..end];
        let exception = exceptions.next_if(|(other, _)| *other == index);
        let whole = refused(index);
        let is_refused = whole.is_some() || matches!(exception, Some((_, Some(_))));
        if is_refused && leaves_refused_out {
            continue;
        }
        let number = Value::Number(first + index as u64);
        if let Some(code) = whole {
            rows.push(out, &[number, Value::Null, Value::Null, Value::Text(code.as_str())]);
            continue;
        }
        if let Some((_, code)) = exception {
            let code = code.map_or(Value::Null, |code| Value::Text(code.as_str()));
            rows.push(out, &[number, Value::Line(line), Value::Null, code]);
            continue;
        }
        rows.push(out, &[number, Value::Line(line), Value::Line(id)]);
    }
}
