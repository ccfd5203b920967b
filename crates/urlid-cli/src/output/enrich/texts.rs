//! Texts of a table: their values, and the rows that are refused.

use std::borrow::Cow;

use urlid::web::assume_scheme;
use urlid_io::lines::LineError;

use crate::input::columns::line_of;
use crate::input::session::Session;
use crate::output::table::{CellColumns, Values};
use crate::report::refusals::Refusal;

/// How texts are taken, as lines are.
pub(super) struct Texts {
    limit: usize,
    assumed_scheme: Option<String>,
}

/// A row whose text has no values.
pub(super) struct RefusedRow {
    pub(super) number: u64,
    pub(super) text: Vec<u8>,
    pub(super) refusal: Refusal,
}

impl Texts {
    /// Takes texts as a session takes lines.
    pub(super) fn of(session: &Session) -> Self {
        Texts {
            limit: session.options().max_line,
            assumed_scheme: session.assumed_scheme().map(str::to_owned),
        }
    }

    /// Appends a row of values for each text, without values for an empty one. Returns the refusals of others, by ascending
    /// index.
    pub(super) fn rows(
        &self,
        maker: &mut dyn Values,
        texts: &mut dyn Iterator<Item = Result<&[u8], Refusal>>,
        cells: &mut CellColumns,
    ) -> Vec<(usize, Refusal)> {
        let (mut refused, mut taken, mut first) = (Vec::new(), Vec::with_capacity(texts.size_hint().0), 0);
        // A maker may make many rows at once, so texts are passed to it in runs. Rows are appended in order, so an unreadable
        // text ends a run.
        for (index, text) in texts.enumerate() {
            match text.and_then(|text| Ok(self.take(text)?)) {
                Ok(text) => taken.push(text),
                Err(refusal) => {
                    rows_of(maker, &taken, first, cells, &mut refused);
                    refused.extend(maker.unreadable(refusal, cells).map(|refusal| (index, refusal)));
                    cells.end_row();
                    taken.clear();
                    first = index + 1;
                }
            }
        }
        rows_of(maker, &taken, first, cells, &mut refused);
        refused
    }

    /// Returns a row that is refused for its text.
    pub(super) fn refused(&self, number: u64, text: Option<&[u8]>, refusal: Refusal) -> RefusedRow {
        let text = line_of(number, text.unwrap_or_default(), self.limit).bytes.to_vec();
        RefusedRow { number, text, refusal }
    }

    fn take<'t>(&self, text: &'t [u8]) -> Result<Cow<'t, str>, LineError> {
        let text = line_of(0, text, self.limit).text?;
        Ok(match &self.assumed_scheme {
            Some(scheme) => assume_scheme(text, scheme),
            None => Cow::Borrowed(text),
        })
    }
}

/// Appends the rows of readable texts; the first text has the index `first`.
fn rows_of(
    maker: &mut dyn Values,
    texts: &[Cow<'_, str>],
    first: usize,
    cells: &mut CellColumns,
    refused: &mut Vec<(usize, Refusal)>,
) {
    if texts.is_empty() {
        return;
    }
    let texts: Vec<&str> = texts.iter().map(|text| &**text).collect();
    maker.rows(&texts, cells, &mut |index, refusal| refused.push((first + index, refusal)));
}
