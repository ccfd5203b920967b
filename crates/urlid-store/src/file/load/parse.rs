//! Parses lines into rows. Identifiers are computed in batches where this is safe.
//!
//! Most lines are recognised as their own normal text (`is_plain_normal_text`). Such a line is only copied,
//! and its row is pending until 256 of them have collected. Then the vector kernels compute their identifiers
//! together. Every other line is parsed by itself. A batch of rows keeps the order of the lines, and its
//! pending rows are always the last ones. A line that is parsed by itself therefore first completes the
//! pending rows before it. Both ways give the same row for the same line, and a test compares them.

use std::collections::BTreeMap;

use crate::question::StoredUrl;
use crate::sort::RowBatch;
use urlid::batch::{Encoder, HostCacheKey, Kernels};
use urlid::suffix::SuffixList;
use urlid::sxurl::{Components, Sxurl, is_plain_normal_text};
use urlid::{Error, ErrorCode};
use urlid_canonical::Form;

use crate::file::error::check_canonical;
use crate::file::meta::Basis;
use crate::file::row::{Id, stored_id, stored_row, url_id};

/// Rows whose identifiers are computed together.
const BATCH_ROWS: usize = 256;

/// Settings of the batch encoder of a load.
#[derive(Clone, Copy, Debug)]
pub struct EncoderOptions {
    /// The key of the host cache. It should be random, so that attackers cannot choose hosts that share a
    /// slot.
    pub key: HostCacheKey,
    /// The instruction set for the encoder. All of them give the same identifiers.
    pub kernels: Kernels,
}

impl Default for EncoderOptions {
    /// Returns a random key, and the best instruction set of the processor.
    fn default() -> Self {
        Self { key: HostCacheKey::random(), kernels: Kernels::detect() }
    }
}

/// The outcome of one line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LineOutcome {
    /// An absolute URL, which will be in the index.
    Taken,
    /// An empty line, which was skipped.
    Blank,
    /// A line that is not stored.
    Rejected(Error),
}

/// The kind of the lines of a load.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lines {
    /// Any URLs, which are converted to the canonical form of the index.
    AsGiven,
    /// URLs from an index, which already are in the form. Converting them again may change them, because not
    /// every form is idempotent.
    Stored,
}

/// The numbers of lines by outcome.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Counts {
    pub(crate) lines: u64,
    pub(crate) blank: u64,
    pub(crate) taken: u64,
    pub(crate) without_sxurl: u64,
    pub(crate) credentials: u64,
    pub(crate) rejected: BTreeMap<ErrorCode, u64>,
}

/// Parses lines into a batch of rows.
#[derive(Debug)]
pub(crate) struct Parser {
    list: SuffixList,
    /// The form that lines are converted to.
    form: Option<Form>,
    /// The buffer for the canonical form of the current line.
    canonical: String,
    encoder: Encoder<Sxurl>,
    rows: RowBatch,
    pub(crate) counts: Counts,
}

impl Parser {
    pub(crate) fn new(basis: &Basis, options: EncoderOptions, lines: Lines) -> Self {
        Self {
            list: basis.list.clone(),
            form: basis.form.clone().filter(|_| lines == Lines::AsGiven),
            canonical: String::new(),
            encoder: Encoder::<Sxurl>::with_kernels(&basis.list, options.key, options.kernels),
            rows: RowBatch::default(),
            counts: Counts::default(),
        }
    }

    /// Parses one line.
    pub(crate) fn push(&mut self, line: &str) -> LineOutcome {
        self.counts.lines += 1;
        if line.is_empty() {
            self.counts.blank += 1;
            return LineOutcome::Blank;
        }
        match self.take_line(line) {
            Ok(()) => {
                self.counts.taken += 1;
                LineOutcome::Taken
            }
            Err(error) => {
                *self.counts.rejected.entry(error.code()).or_default() += 1;
                LineOutcome::Rejected(error)
            }
        }
    }

    fn take_line(&mut self, line: &str) -> Result<(), Error> {
        let Some(form) = &self.form else { return self.take_url(line) };
        // The buffer is moved out because `take_url` needs all of `self`. It goes back below.
        let mut canonical = std::mem::take(&mut self.canonical);
        canonical.clear();
        let taken = form
            .canonicalize_into(line, &mut canonical)
            .and_then(|()| check_canonical(&canonical))
            .and_then(|()| self.take_url(&canonical));
        self.canonical = canonical;
        taken
    }

    fn take_url(&mut self, url: &str) -> Result<(), Error> {
        if is_plain_normal_text(url) {
            self.rows.push_pending(url);
            if self.rows.pending() >= BATCH_ROWS {
                self.settle();
            }
            return Ok(());
        }
        let read = StoredUrl::read(url, &self.list, |url, has_userinfo| {
            let is_other = matches!(url, StoredUrl::Other(_));
            (stored_row(url), is_other, has_userinfo)
        });
        let ((id, text), is_other, has_userinfo) = read?;
        // Pending rows must be at the end of the batch, so they get their identifiers before the next row is
        // added.
        self.settle();
        self.rows.push(id, &text);
        self.counts.without_sxurl += u64::from(is_other);
        self.counts.credentials += u64::from(has_userinfo);
        Ok(())
    }

    /// Returns the rows of the batch so far.
    pub(crate) fn rows(&self) -> &RowBatch {
        &self.rows
    }

    /// Returns the batch and starts an empty one.
    pub(crate) fn take_batch(&mut self) -> RowBatch {
        self.settle();
        std::mem::take(&mut self.rows)
    }

    /// Continues with the buffers of an earlier batch.
    pub(crate) fn reuse(&mut self, rows: RowBatch) {
        self.rows = rows;
    }

    /// Computes the identifiers of pending rows.
    fn settle(&mut self) {
        let Self { list, encoder, rows, .. } = self;
        if rows.pending() == 0 {
            return;
        }
        let (texts, mut places) = rows.pending_rows();
        encoder.encode_all(texts, |batch| {
            // The encoder skips lines that need the full parser, and lists their indexes in order.
            let mut exceptions = batch.rejected().map(|(index, _)| index).peekable();
            for (index, (id, line)) in batch.ids().iter().zip(batch.lines()).enumerate() {
                let place = places.next().expect("there is one for each text");
                *place = match exceptions.next_if_eq(&index) {
                    None => stored_id(*id),
                    Some(_) => plain_id(line, list),
                };
            }
        });
        drop(places);
        rows.settled();
    }
}

/// Computes the identifier of a normal line that the batch encoder skipped.
fn plain_id(line: &[u8], list: &SuffixList) -> Id {
    let text = std::str::from_utf8(line).expect("it came as text");
    let components = Components::parse(text, list).expect("a text that is plainly normal is a URL");
    url_id(&components)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Asserts that both ways make the same of a line.
    fn check(line: &str) {
        let list = SuffixList::compiled();
        let basis = Basis { list: list.clone(), form: None };
        let mut parser = Parser::new(&basis, EncoderOptions::default(), Lines::AsGiven);
        let taken = parser.push(line);
        let rows = parser.take_batch();
        let rows: Vec<_> = rows.iter().map(|(id, url)| (*id, url.to_owned())).collect();
        if line.is_empty() {
            assert_eq!(taken, LineOutcome::Blank);
            return;
        }
        match StoredUrl::read(line, list, |url, _| stored_row(url)) {
            Ok(row) => {
                assert_eq!(taken, LineOutcome::Taken, "{line}");
                assert_eq!(rows, [row], "{line}");
            }
            Err(error) => {
                assert_eq!(taken, LineOutcome::Rejected(error), "{line}");
            }
        }
        if is_plain_normal_text(line) {
            let components = Components::parse(line, list).expect("a plain text is a URL");
            assert_eq!(components.to_normal_text(), line);
            assert!(!components.has_userinfo(), "{line}");
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
        #![proptest_config(urlid_testing::proptest_config())]

        #[test]
        fn both_ways_agree(
            line in "(https?|ftp|HTTP|x)://([a-zA-Z0-9.@-]{0,12}|xn--[a-z]{0,3}|[a-z]{1,4}\\.[a-z]{1,3})(:[0-9]{0,6})?[/?#a-z0-9 \u{fc}]{0,8}"
        ) {
            check(&line);
        }
    }
}
