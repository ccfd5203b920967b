//! The names of a table as one text, a third of what the table takes when both are compressed.
//!
//! The names are in the order of the table. Each is how far its parent is behind that of the name before it, and a space, unless
//! that is 0; then its first label in lower case, and its flags in base 16, with the digits `A` to `P`.

use alloc::string::String;

#[cfg(any(feature = "compact", test))]
use crate::builder::{Builder, TableBuf};
#[cfg(any(feature = "compact", test))]
use crate::table::FLAGS_SHIFT;
use crate::table::{NameFields, Table};

/// Writes the names of a table as a text.
pub(crate) fn write(table: &Table<'_>) -> String {
    let mut text = String::new();
    let mut parent_before = 0;
    for (index, NameFields { parent, flags, .. }) in table.names().enumerate().skip(1) {
        if parent != parent_before {
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

/// Makes the table of `count` names from what [`write()`] wrote.
#[cfg(any(feature = "compact", test))]
pub(crate) fn read(mut text: &str, count: usize) -> TableBuf {
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
