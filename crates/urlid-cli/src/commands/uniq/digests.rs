//! The digests of the canonical forms of texts, made by workers.

use urlid_canonical::Form;
use urlid_store::seen::Digester;
use urlid_store::sort::TextDigest;

use crate::input::batch::{Batch, RefusedTexts};
use crate::input::driver::Work;

/// The digests of the texts of a batch that have a form.
#[derive(Default)]
pub(super) struct Digests {
    pub(super) digests: Vec<TextDigest>,
    /// The index of each text in the batch, ascending.
    indexes: Vec<usize>,
}

impl Digests {
    /// Makes the digests on the thread of a worker.
    pub(super) fn work(form: &Form) -> Work<'_, Digests> {
        let mut digester = Digester::new(form);
        Box::new(move |batch: &Batch, made: &mut Digests, refused: &mut RefusedTexts| {
            made.digests.clear();
            made.indexes.clear();
            let mut index = 0;
            batch.each_text(refused, |text| {
                index += 1;
                let text = text.text?;
                if !text.is_empty() {
                    made.digests.push(digester.digest(&text)?);
                    made.indexes.push(index - 1);
                }
                Ok(())
            });
        })
    }

    /// Returns the texts of the digests as they came: an assumed scheme is only in what is digested.
    pub(super) fn texts<'b>(&self, batch: &'b Batch) -> Vec<&'b [u8]> {
        let (mut texts, mut indexes) =
            (Vec::with_capacity(self.indexes.len()), self.indexes.iter().peekable());
        let mut index = 0;
        batch.each_raw_text(|text| {
            if indexes.next_if_eq(&&index).is_some() {
                texts.push(text);
            }
            index += 1;
        });
        texts
    }
}
