//! Statistics of a column of texts for the footer: the least and the greatest text, and the number of nulls.

use parquet::data_type::ByteArray;
use parquet::file::statistics::{Statistics, ValueStatistics};

use crate::tables::column::TextColumn;

/// The longest text in statistics. Longer ones are cut, because every reader reads the whole footer, even for
/// one row.
const LONGEST: usize = 64;

/// The range of the texts that were included.
#[derive(Clone, Debug, Default)]
pub(super) struct TextRange {
    ends: Option<(String, String)>,
    nulls: u64,
}

impl TextRange {
    /// Widens the range to values.
    pub(super) fn include(&mut self, values: &TextColumn) {
        let mut texts = values.iter().flatten();
        let Some(first) = texts.next() else {
            self.nulls += values.len() as u64;
            return;
        };
        let (mut least, mut greatest, mut count) = (first, first, 1);
        for text in texts {
            count += 1;
            // Compared before they are copied, because most texts are neither the least nor the greatest. The
            // bytes of UTF-8 sort like its characters.
            if text < least {
                least = text;
            } else if text > greatest {
                greatest = text;
            }
        }
        self.nulls += values.len() as u64 - count;
        let (least, greatest) = match &self.ends {
            Some((old_least, old_greatest)) => (least.min(old_least), greatest.max(old_greatest)),
            None => (least, greatest),
        };
        self.ends = Some((least.to_owned(), greatest.to_owned()));
    }

    /// Returns the statistics. A cut text is a bound, not exact.
    pub(super) fn statistics(&self) -> Statistics {
        let (least, greatest) = self.ends.as_ref().map(|(least, greatest)| (&**least, &**greatest)).unzip();
        let (lower, upper) = (least.map(below), greatest.and_then(above));
        let (is_least, is_greatest) = (lower == least, upper.as_deref() == greatest);
        let bytes = |text: &str| ByteArray::from(text);
        let values = ValueStatistics::new(
            lower.map(bytes),
            upper.as_deref().map(bytes),
            None,
            Some(self.nulls),
            false,
        );
        Statistics::ByteArray(values.with_min_is_exact(is_least).with_max_is_exact(is_greatest))
    }
}

/// Returns the longest prefix of at most `LONGEST` bytes, a lower bound.
fn below(text: &str) -> &str {
    let mut end = text.len().min(LONGEST);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

/// Returns an upper bound of at most `LONGEST` bytes, if one exists. A long text is cut, and its last
/// character that has a successor is replaced by the successor.
fn above(text: &str) -> Option<String> {
    let mut short = below(text).to_owned();
    if short == text {
        return Some(short);
    }
    while let Some(last) = short.pop() {
        // The range skips surrogates. The successor may be one byte longer.
        if let Some(next) = (last..=char::MAX).nth(1).filter(|next| short.len() + next.len_utf8() <= LONGEST)
        {
            short.push(next);
            return Some(short);
        }
    }
    None
}

#[test]
fn a_range_holds_every_text() {
    let long = |end: &str| format!("{}{end}", "a".repeat(LONGEST - 1));
    for (texts, expected) in [
        (&["b", "a", "c"][..], Some((Some("a"), Some("c")))),
        (&[], None),
        (&[&long("a")], Some((Some(&*long("a")), Some(&*long("a"))))),
        (&[&long("ab")], Some((Some(&*long("a")), Some(&*long("b"))))),
        // The 64th byte is the first of two, and U+10FFFF is the last character.
        (&[&long("é")], Some((Some(&*long("")), Some(&*("a".repeat(LONGEST - 2) + "b"))))),
        (&[&"\u{10ffff}".repeat(20)], Some((Some(&*"\u{10ffff}".repeat(16)), None))),
        (
            &[&"\u{d7ff}".repeat(40)],
            Some((Some(&*"\u{d7ff}".repeat(21)), Some(&*("\u{d7ff}".repeat(20) + "\u{e000}")))),
        ),
    ] {
        let mut column = TextColumn::default();
        texts.iter().for_each(|text| column.push(Some(text)));
        column.push(None);
        let mut range = TextRange::default();
        range.include(&column);
        let statistics = range.statistics();
        let text = |bytes: Option<&[u8]>| {
            bytes.map(|bytes| String::from_utf8(bytes.to_vec()).expect("it is a text"))
        };
        let found = (text(statistics.min_bytes_opt()), text(statistics.max_bytes_opt()));
        let (least, greatest) = expected.unwrap_or_default();
        assert_eq!((found.0.as_deref(), found.1.as_deref()), (least, greatest), "{texts:?}");
        assert_eq!(statistics.null_count_opt(), Some(1));
        assert!(texts.iter().all(|text| least.is_none_or(|least| least <= *text)), "{texts:?}");
        assert!(texts.iter().all(|text| greatest.is_none_or(|greatest| *text <= greatest)), "{texts:?}");
    }
}
