//! Lines in, rows out: parsing, normal texts and identifiers, many at once where that is safe.
//!
//! A line that is plainly its own normal text is only copied; its identifier is made later, together with those of its neighbours. Every other line
//! is parsed alone. Both ways give the same row, and a test compares them.

use std::collections::BTreeMap;

use urlid::batch::{Encoder, HostCacheKey, Kernels};
use urlid::suffix::SuffixList;
use urlid::sxurl::{Components, EncodeError, Sxurl, is_plain_normal_text};
use urlid::{Coded, ErrorCode};
use urlid_sort::Batch;

use crate::id::{Id, Ids};

/// Rows whose identifiers are made together.
const TOGETHER: usize = 256;

/// What the batch encoder of a load works with.
#[derive(Clone, Copy, Debug)]
pub struct EncoderOptions {
    /// The key of the host cache; random, so that nobody can choose hosts that share a slot.
    pub key: HostCacheKey,
    /// The processor's instructions that are used; all give the same identifiers.
    pub kernels: Kernels,
}

impl Default for EncoderOptions {
    /// A random key, and the best instructions there are.
    fn default() -> Self {
        Self { key: HostCacheKey::random(), kernels: Kernels::detect() }
    }
}

/// What became of one line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LineOutcome {
    /// It is a URL and will be in the index.
    Taken,
    /// It is empty and was passed over.
    Blank,
    /// It is no URL that has an identifier.
    Refused(EncodeError),
}

/// Lines by what became of them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Counts {
    pub(crate) lines: u64,
    pub(crate) blank: u64,
    pub(crate) taken: u64,
    pub(crate) credentials: u64,
    pub(crate) refused: BTreeMap<ErrorCode, u64>,
}

/// Takes lines into a batch of rows.
#[derive(Debug)]
pub(crate) struct Parser {
    list: SuffixList,
    ids: Ids,
    encoder: Encoder<Sxurl>,
    rows: Batch,
    pub(crate) counts: Counts,
}

impl Parser {
    pub(crate) fn new(list: &SuffixList, ids: Ids, options: EncoderOptions) -> Self {
        let encoder = Encoder::<Sxurl>::new(list, options.key, options.kernels);
        Self { list: list.clone(), ids, encoder, rows: Batch::default(), counts: Counts::default() }
    }

    /// Takes one line.
    pub(crate) fn push(&mut self, line: &str) -> LineOutcome {
        self.counts.lines += 1;
        if line.is_empty() {
            self.counts.blank += 1;
            return LineOutcome::Blank;
        }
        if self.ids.are_of_the_specification() && is_plain_normal_text(line) {
            self.counts.taken += 1;
            self.rows.push_pending(line);
            if self.rows.pending() >= TOGETHER {
                self.settle();
            }
            return LineOutcome::Taken;
        }
        match Components::parse(line, &self.list) {
            Ok(components) => {
                self.counts.taken += 1;
                self.counts.credentials += u64::from(components.has_userinfo());
                self.settle();
                self.rows.push(self.ids.of(&components), &components.to_normal_text());
                LineOutcome::Taken
            }
            Err(error) => {
                *self.counts.refused.entry(error.code()).or_default() += 1;
                LineOutcome::Refused(error)
            }
        }
    }

    /// Returns the rows of the batch so far.
    pub(crate) fn rows(&self) -> &Batch {
        &self.rows
    }

    /// Gives the batch away and goes on with an empty one.
    pub(crate) fn take(&mut self) -> Batch {
        self.settle();
        std::mem::take(&mut self.rows)
    }

    /// Goes on with the buffers of an earlier batch.
    pub(crate) fn reuse(&mut self, rows: Batch) {
        self.rows = rows;
    }

    /// Makes the identifiers that are still to be made.
    fn settle(&mut self) {
        let Self { list, ids, encoder, rows, .. } = self;
        if rows.pending() == 0 {
            return;
        }
        let (texts, mut places) = rows.pending_rows();
        encoder.encode_all(texts, |batch| {
            let mut exceptions = batch.exceptions().map(|(index, _)| index).peekable();
            for (index, (id, line)) in batch.ids().iter().zip(batch.lines()).enumerate() {
                let place = places.next().expect("there is one for each text");
                *place = match exceptions.next_if_eq(&index) {
                    None => *id,
                    Some(_) => plain_id(line, list, *ids),
                };
            }
        });
        drop(places);
        rows.settled();
    }
}

/// Makes the identifier of a plainly normal line that the batch encoder passed over.
fn plain_id(line: &[u8], list: &SuffixList, ids: Ids) -> Id {
    let text = std::str::from_utf8(line).expect("it came as text");
    let components = Components::parse(text, list).expect("a text that is plainly normal is a URL");
    ids.of(&components)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Asserts that both ways make the same of a line.
    fn check(line: &str) {
        let list = <&SuffixList>::default();
        let mut parser = Parser::new(list, Ids::Sxurl, EncoderOptions::default());
        let taken = parser.push(line);
        let rows = parser.take();
        match Components::parse(line, list) {
            Ok(components) if !line.is_empty() => {
                assert_eq!(taken, LineOutcome::Taken, "{line}");
                let expected = (components.encode().to_bytes(), components.to_normal_text());
                let rows: Vec<_> = rows.iter().map(|(id, url)| (*id, url.to_owned())).collect();
                assert_eq!(rows, [expected], "{line}");
                assert!(!is_plain_normal_text(line) || !components.has_userinfo(), "{line}");
            }
            Err(error) if !line.is_empty() => {
                assert!(!is_plain_normal_text(line), "{line}");
                assert_eq!(taken, LineOutcome::Refused(error), "{line}");
            }
            _ => assert_eq!(taken, LineOutcome::Blank),
        }
    }

    #[test]
    fn plain_and_other_lines() {
        let plain = [
            "https://example.com/",
            "http://a-b.example.co.uk:8080/a/../b?x=?#y#",
            "ftp://host/\u{fc}\u{0} #f",
            "https://a.b.c1/?q",
            "https://-.com:65535/",
            "https://a_b.com/",
        ];
        let other = [
            "",
            "https://example.com",
            "https://example.com?q",
            "https://example.com/?",
            "https://example.com/#",
            "https://example.com/?#f",
            "https://example.com/?q#",
            "https://Example.com/",
            "HTTPS://example.com/",
            "https://u@example.com/",
            "https://example.com:/",
            "https://example.com:080/",
            "https://example.com:0/",
            "https://example.com:65536/",
            "https://example.com:99999999999999999999/",
            "https://example.com:8 /",
            "https://a..b/",
            "https://.a/",
            "https://a./",
            "https://1.2.3.4/",
            "https://a.0x1/",
            "https://a.1b/",
            "https://xn--bcher-kva.com/",
            "https:///x",
            "https://",
            "https:",
            "mailto:a@b",
        ];
        for line in plain {
            assert!(is_plain_normal_text(line), "{line}");
            check(line);
        }
        for line in other {
            assert!(!is_plain_normal_text(line), "{line}");
            check(line);
        }
        check(&format!("https://{}.com/", "a".repeat(63)));
        check(&format!("https://{}.com/", "a".repeat(64)));
        for labels in 120..130 {
            check(&format!("https://{}com/", "a.".repeat(labels)));
        }
    }

    proptest! {
        #[test]
        fn both_ways_agree(
            line in "(https?|ftp|HTTP|x)://([a-zA-Z0-9.@-]{0,12}|xn--[a-z]{0,3}|[a-z]{1,4}\\.[a-z]{1,3})(:[0-9]{0,6})?[/?#a-z0-9 \u{fc}]{0,8}"
        ) {
            check(&line);
        }
    }
}
