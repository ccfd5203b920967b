//! The names of a table as one text. Its compressed size is a third of the compressed table.
//!
//! The names are in the order of the table. Each name consists of three parts. The first is the distance of
//! its parent from the parent of the previous name, in decimal, and a space; it is omitted if the distance is
//! 0. The second is the name's first label in lower case. The third is its flags in base 16 with the digits
//! `A` to `P`, which also end the name.

use alloc::string::String;

#[cfg(any(feature = "compact", test))]
use crate::builder::{Builder, SuffixTableBuf};
#[cfg(any(feature = "compact", test))]
use crate::table::FLAGS_SHIFT;
use crate::table::{NameFields, SuffixTable};

/// Returns the names of a table as text.
pub(crate) fn write(table: &SuffixTable<'_>) -> String {
    let mut text = String::new();
    let mut parent_before = 0;
    for (index, NameFields { parent, flags, .. }) in table.names().enumerate().skip(1) {
        if parent != parent_before {
            // Names with fewer labels come first, and children have the order of their parents, so the
            // distance is not negative.
            text.push_str(&alloc::format!("{} ", parent - parent_before));
        }
        let name = table.name(index).expect("there are as many names");
        text.push_str(name.split('.').next().unwrap_or_default());
        text.extend(
            [flags >> 4, flags & 15]
                .into_iter()
                .skip(usize::from(flags < 16))
                .map(|digit| char::from(b'A' + digit)),
        );
        parent_before = parent;
    }
    text
}

/// Builds the table of `count` names from the text of [`write()`].
#[cfg(any(feature = "compact", test))]
pub(crate) fn read(mut text: &str, count: usize) -> SuffixTableBuf {
    let mut builder = Builder::with_room(count);
    let mut parent = 0;
    while let Some(end) = text.bytes().position(|byte| byte.is_ascii_uppercase()) {
        let (name, rest) = text.split_at(end);
        let digits = rest.bytes().position(|byte| !byte.is_ascii_uppercase()).unwrap_or(rest.len());
        let (digits, rest) = rest.split_at(digits);
        let flags = digits.bytes().fold(0, |flags, digit| flags << 4 | u64::from(digit - b'A'));
        let (step, label) = name.split_once(' ').unwrap_or(("0", name));
        parent += step.parse::<u32>().expect("`write` writes a number");
        builder.add(parent, label, flags << FLAGS_SHIFT);
        text = rest;
    }
    builder.table
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::TABLE;

    #[test]
    fn the_text_makes_the_table() {
        let made = read(crate::generated::NAMES_TEXT, TABLE.count());
        let made = made.as_table();
        assert_eq!((made.slots(), made.filter(), made.rest()), (TABLE.slots(), TABLE.filter(), TABLE.rest()));
        assert!(made.names().eq(TABLE.names()));
        assert_eq!(write(&made), crate::generated::NAMES_TEXT);
    }
}
