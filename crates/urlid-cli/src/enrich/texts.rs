//! Texts of a table: their values, and the rows that are refused.

use urlid_lines::Line;

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

    /// Appends the values of a text, which is that of row `number`; returns why there are none. An empty text has none.
    pub(super) fn values(
        &self,
        maker: &mut impl Values,
        number: u64,
        text: &[u8],
        cells: &mut Cells,
    ) -> Option<RefusedRow> {
        let Line { bytes, text, .. } = line_of(number, text, self.limit);
        let refusal = match (text, &self.assumed_scheme) {
            (Ok(""), _) => None,
            (Ok(text), None) => maker.values(text, cells),
            (Ok(text), Some(scheme)) => maker.values(&complete(text, scheme), cells),
            (Err(error), _) => Some(error.into()),
        };
        refusal.map(|refusal| RefusedRow { number, text: bytes.to_vec(), refusal })
    }
}
