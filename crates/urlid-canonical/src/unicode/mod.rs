//! The Unicode data of the runtimes that profiles freeze. It never changes.
//!
//! | module | freezes |
//! | --- | --- |
//! | `python` | `str` and `unicodedata` of CPython 3.11 (Unicode 14.0): case, forms, digits, directions |
//! | `java` | `String` and `Character` of Java 17, which has Unicode 13.0: lower case, digits, white space |
//! | `idna` | the tables of PyPI's idna 3.20, for IDNA 2008 and UTS 46 |
//! | `node` | UTS 46 in the `URL` of Node 20, and lower case there |
//! | `nameprep` | the data of IDNA 2003 in both of them, Unicode 3.2 |
//!
//! The tables are from Unicode 14.0, with the age of each code point and a few exceptions, because the
//! properties of assigned code points rarely change in the next version. `cargo xtask unicode` generates them
//! from the runtimes, and checks this. The standard library and crates with today's Unicode data have no
//! influence here.

mod generated;
pub(super) mod idna;
pub(super) mod java;
pub(super) mod nameprep;
pub(super) mod node;
mod normal_forms;
mod properties;
pub(super) mod python;
mod tables;

pub(super) use tables::{BidiClass, Direction};

/// Whether a character has the property `White_Space`: the same characters since Unicode 6.3.
pub(super) fn is_white_space(character: char) -> bool {
    matches!(
        character,
        '\t'..='\r'
            | ' '
            | '\u{85}'
            | '\u{a0}'
            | '\u{1680}'
            | '\u{2000}'..='\u{200a}'
            | '\u{2028}'
            | '\u{2029}'
            | '\u{202f}'
            | '\u{205f}'
            | '\u{3000}'
    )
}
