//! Texts of a table: their values, and the rows that are refused.

use std::borrow::Cow;

use urlid_lines::LineError;

use crate::assume::complete;
use crate::columns::line_of;
use crate::refusals::Refusal;
use crate::session::Session;
use crate::table::{Cells, Values};

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

    /// Appends a row of values for each text, without values for an empty one and for a null. Returns why there are none
    /// for others, by ascending index.
    pub(super) fn rows(
        &self,
        maker: &mut impl Values,
        texts: &[Option<&[u8]>],
        cells: &mut Cells,
    ) -> Vec<(usize, Refusal)> {
        let mut refused: Vec<(usize, Refusal)> = Vec::new();
        let mut taken = Vec::with_capacity(texts.len());
        for (index, text) in texts.iter().enumerate() {
            taken.push(self.take(text.unwrap_or_default()).unwrap_or_else(|error| {
                refused.push((index, error.into()));
                Cow::Borrowed("")
            }));
        }
        let taken: Vec<&str> = taken.iter().map(|text| &**text).collect();
        maker.rows(&taken, cells, &mut |index, refusal| refused.push((index, refusal)));
        refused.sort_by_key(|(index, _)| *index);
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
            Some(scheme) => complete(text, scheme),
            None => Cow::Borrowed(text),
        })
    }
}
