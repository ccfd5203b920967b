//! The fast path for one kind of identifier: chunks of lines, one batch encoder per core.
//!
//! Prints and refuses the same lines as the line-by-line path.

use std::fmt::Write;

use urlid::batch::{Batch, Encoder, HostCacheKey, Identifier, Kernels};
use urlid::url_hash::UrlHash;
use urlid::{Coded, ErrorCode, Sxurl};
use urlid_lines::{Chunk, Line};

use super::kinds::{Kind, Maker, Print};
use crate::exit::{Exit, Failure};
use crate::output::Output;
use crate::pipeline::{Made, Worker};
use crate::refusals::Refusal;
use crate::rows::{Column, Format, Rows, Shown, Value, number_rows};
use crate::session::Session;

/// Prints SXURLs.
pub(super) fn print_sxurls(
    session: Session,
    format: Format,
    maker: &Maker,
    kernels: Kernels,
) -> Result<Exit, Failure> {
    let key = HostCacheKey::random();
    let leaves_refused_out = session.leaves_refused_out();
    let encoder = || Encoder::<Sxurl>::new(maker.list(), key, kernels);
    print(
        session,
        Task { kind: Kind::Sxurl, form: Print::Hex, format, maker, kernels, leaves_refused_out },
        encoder,
    )
}

/// Prints url-hashes.
pub(super) fn print_url_hashes(
    session: Session,
    format: Format,
    maker: &Maker,
    kernels: Kernels,
) -> Result<Exit, Failure> {
    let leaves_refused_out = session.leaves_refused_out();
    let encoder = || Encoder::<UrlHash>::new(kernels);
    print(
        session,
        Task { kind: Kind::UrlHash, form: maker.print(), format, maker, kernels, leaves_refused_out },
        encoder,
    )
}

/// What is printed, and how.
#[derive(Clone, Copy)]
struct Task<'a> {
    kind: Kind,
    form: Print,
    format: Format,
    maker: &'a Maker,
    kernels: Kernels,
    leaves_refused_out: bool,
}

fn print<I: Identifier>(
    mut session: Session,
    task: Task<'_>,
    encoder: impl Fn() -> Encoder<I>,
) -> Result<Exit, Failure>
where
    Encoder<I>: Send,
{
    // The numbers of lines are put in front of the rows when chunks are back in order.
    let columns = [
        Column { name: "url", shown: Shown::NotInText },
        Column { name: task.kind.name(), shown: Shown::Always },
        Column { name: "error", shown: Shown::NotInText },
    ];
    let rows = Rows::begin(&mut session.out, task.format, &columns)?;
    session.each_chunk(|| Encode {
        task,
        encoder: encoder(),
        rows: rows.clone(),
        scratch: Scratch::default(),
    })?;
    session.finish(Exit::Done)
}

/// A worker with its own encoder.
struct Encode<'a, I: Identifier> {
    task: Task<'a>,
    encoder: Encoder<I>,
    rows: Rows,
    scratch: Scratch,
}

/// Buffers that are used again.
#[derive(Default)]
struct Scratch {
    /// The digits of a batch, a line of them for each identifier.
    digits: Vec<[u8; 65]>,
    /// The decimal words of a url-hash.
    words: String,
    /// Rows with their numbers.
    numbered: Vec<u8>,
}

impl<I: Identifier> Worker for Encode<'_, I>
where
    Encoder<I>: Send,
{
    fn chunk(&mut self, chunk: &Chunk, made: &mut Made) {
        let mut before = 0;
        let mut whole = chunk.refused_lines().peekable();
        let Self { task, encoder, rows, scratch } = self;
        encoder.encode_lines(chunk.bytes(), |batch| {
            let is_every_line_a_row = !task.leaves_refused_out;
            if task.format == Format::Text && task.form == Print::Hex && is_every_line_a_row {
                batch.write_hex_lines(&mut made.out);
            } else {
                let refused = |index: usize| {
                    let line = whole.next_if(|(other, _)| *other == before + index)?;
                    Some(line.1.code())
                };
                write_rows(task, &batch, rows, scratch, refused, &mut made.out);
            }
            let refused = batch.exceptions().filter_map(|(index, code)| Some((before + index, code?)));
            made.refused.extend(refused);
            before += batch.len();
        });
        let refused = made.refused.len();
        made.refused.extend(chunk.refused_lines().map(|(index, error)| (index, error.code())));
        if made.refused.len() > refused {
            made.refused.sort_unstable_by_key(|(index, _)| *index);
        }
        made.lines = before as u64;
    }

    fn line(&mut self, line: &Line<'_>, out: &mut Vec<u8>) -> Result<(), Refusal> {
        let text = line.text.map_or(Value::Null, Value::Text);
        let id = match line.text {
            Ok("") => {
                self.rows.push(out, &[text]);
                return Ok(());
            }
            Ok(text) => self.task.maker.line(text).id(self.task.kind),
            Err(error) => Err(error.into()),
        };
        match id {
            Ok(id) => {
                self.rows.push(out, &[text, Value::Text(&id)]);
                Ok(())
            }
            Err(refusal) => {
                self.rows.push(out, &[text, Value::Null, Value::Text(refusal.code().as_str())]);
                Err(refusal)
            }
        }
    }

    fn write(&mut self, made: &[u8], first: u64, out: &mut Output) -> Result<(), Failure> {
        if self.task.format != Format::Ndjson {
            return out.write(made);
        }
        self.scratch.numbered.clear();
        number_rows(made, first, &mut self.scratch.numbered);
        out.write(&self.scratch.numbered)
    }
}

/// Appends a row for each line of a batch. A line that is refused as a whole is an empty line in the batch; `refused`
/// returns its code.
fn write_rows(
    task: &Task<'_>,
    batch: &Batch<'_>,
    rows: &Rows,
    scratch: &mut Scratch,
    mut refused: impl FnMut(usize) -> Option<ErrorCode>,
    out: &mut Vec<u8>,
) {
    let Scratch { digits, words, .. } = scratch;
    if task.form == Print::Hex {
        digits.resize(batch.len(), [0; 65]);
        task.kernels.hex_lines(batch.ids(), digits);
    }
    let mut exceptions = batch.exceptions().peekable();
    for (index, line) in batch.lines().enumerate() {
        let exception = exceptions.next_if(|(other, _)| *other == index);
        let whole = refused(index);
        let is_refused = whole.is_some() || matches!(exception, Some((_, Some(_))));
        if is_refused && task.leaves_refused_out {
            rows.push_left_out(out);
            continue;
        }
        if let Some(code) = whole {
            rows.push(out, &[Value::Null, Value::Null, Value::Text(code.as_str())]);
            continue;
        }
        if let Some((_, code)) = exception {
            let code = code.map_or(Value::Null, |code| Value::Text(code.as_str()));
            rows.push(out, &[Value::Line(line), Value::Null, code]);
            continue;
        }
        let id = match task.form {
            Print::Hex => Value::Line(&digits[index][..64]),
            Print::Words => {
                words.clear();
                write!(words, "{}", UrlHash::from_bytes(batch.ids()[index]))
                    .expect("writing to a String does not fail");
                Value::Text(words)
            }
        };
        rows.push(out, &[Value::Line(line), id]);
    }
}
