//! ToASCII of IDNA 2003 (RFC 3490, with the Nameprep of RFC 3491 on Unicode 3.2), as in two runtimes.
//!
//! Only the canonical forms of older libraries use it. `host` maps names by UTS 46. The data are in
//! `unicode::nameprep`.

use crate::unicode::{Direction, nameprep};

/// An implementation of IDNA 2003. The implementations differ in code points that Unicode 3.2 does not
/// assign.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Codec {
    /// The codec `idna` of CPython 3.11: such a code point gets its lower case, and composes, but has no
    /// direction.
    Python,
    /// `java.net.IDN` of Java 17 without a flag ("stored strings"): such a code point makes the name invalid.
    Java,
    /// `java.net.IDN` with `ALLOW_UNASSIGNED` ("query strings"): such a code point stays, and has the
    /// direction of Unicode 13.0.
    JavaAllowUnassigned,
}

/// Returns the ASCII form of a domain name, or `None` if IDNA 2003 does not define one.
pub(crate) fn to_ascii(name: &str, codec: Codec) -> Option<String> {
    let is_root = name.strip_prefix(is_dot) == Some("");
    // Java returns a root unchanged. Python rejects its first label, which is empty.
    if is_root && codec != Codec::Python {
        return Some(".".to_owned());
    }
    let mut out = String::with_capacity(name.len());
    let mut labels = name.split(is_dot).peekable();
    while let Some(label) = labels.next() {
        let is_last = labels.peek().is_none();
        if !(is_last && label.is_empty()) {
            push_label(label, codec, &mut out)?;
        }
        if !is_last {
            out.push('.');
        }
    }
    Some(out)
}

fn is_dot(character: char) -> bool {
    // RFC 3490, section 3.1, counts all four as dots between labels.
    matches!(character, '.' | '\u{3002}' | '\u{ff0e}' | '\u{ff61}')
}

/// The most octets of a label.
const LONGEST_LABEL: usize = 63;

/// The most characters of a label that is encoded. Each character becomes at least one octet after the
/// prefix. The time of encoding grows with the square of the length, so longer labels are rejected without
/// encoding.
const LONGEST_ENCODED: usize = LONGEST_LABEL - "xn--".len();

fn push_label(label: &str, codec: Codec, out: &mut String) -> Option<()> {
    let start = out.len();
    if label.is_ascii() {
        out.push_str(label);
    } else {
        let prepared = nameprep(label, codec)?;
        // RFC 3490, section 4.1: ASCII stays (step 4), and a label to be encoded must not look encoded (step
        // 5).
        if prepared.is_ascii() {
            out.push_str(&prepared);
        } else if prepared.starts_with("xn--") || prepared.chars().nth(LONGEST_ENCODED).is_some() {
            return None;
        } else {
            out.push_str("xn--");
            out.push_str(&idna::punycode::encode_str(&prepared)?);
        }
    }
    // This is step 8. Step 3 is left out, because neither runtime sets `UseSTD3ASCIIRules`.
    (1..=LONGEST_LABEL).contains(&(out.len() - start)).then_some(())
}

/// RFC 3491: map, normalise, prohibit, check bidi.
fn nameprep(label: &str, codec: Codec) -> Option<String> {
    if codec == Codec::Java && !label.chars().all(nameprep::is_assigned) {
        return None;
    }
    let mut mapped = String::with_capacity(label.len());
    label.chars().filter(|&character| !is_mapped_to_nothing(character)).for_each(|character| {
        push_mapped(character, codec, &mut mapped);
    });
    let prepared = normalise(&mapped, codec);
    (!prepared.chars().any(is_prohibited) && has_valid_bidi(&prepared, codec)).then_some(prepared)
}

/// Maps a character by table B.2 of RFC 3454, according to its definition. The result is the folded
/// character, unless folding its normal form gives a different text.
fn push_mapped(character: char, codec: Codec, out: &mut String) {
    let fold = |character| match codec {
        Codec::Python => nameprep::fold(character),
        Codec::Java | Codec::JavaAllowUnassigned => nameprep::fold_assigned(character),
    };
    // RFC 3454, table B.2: the NFKC form of a folded character may have to be folded again.
    let folded = fold(character);
    let normal = nameprep::nfkc(&folded);
    let again: String = normal.chars().map(fold).collect();
    let again = nameprep::nfkc(&again);
    out.push_str(if again == normal { &folded } else { &again });
}

/// Returns NFKC of Unicode 3.2. In Java, an unassigned code point splits the text.
fn normalise(text: &str, codec: Codec) -> String {
    if codec == Codec::Python {
        return nameprep::nfkc(text).into_owned();
    }
    // Java normalises by Unicode 3.2. Later characters are unassigned in it, and do not compose with others.
    let is_unassigned = |character: char| !nameprep::is_assigned(character);
    let mut out = String::with_capacity(text.len());
    for piece in text.split_inclusive(is_unassigned) {
        let last = piece.chars().next_back().filter(|&last| is_unassigned(last));
        let assigned = &piece[..piece.len() - last.map_or(0, char::len_utf8)];
        out.push_str(&nameprep::nfkc(assigned));
        out.extend(last);
    }
    out
}

/// Table B.1 of RFC 3454.
fn is_mapped_to_nothing(character: char) -> bool {
    matches!(character,
        '\u{ad}' | '\u{34f}' | '\u{1806}' | '\u{180b}'..='\u{180d}' | '\u{200b}'..='\u{200d}' | '\u{2060}'
        | '\u{fe00}'..='\u{fe0f}' | '\u{feff}')
}

/// Returns whether tables C.1.2, C.2.2, or C.3 to C.9 of RFC 3454 have a character. Texts never contain
/// surrogates, C.5.
fn is_prohibited(character: char) -> bool {
    // RFC 3491, section 5, prohibits tables C.1.2, C.2.2 and C.3 to C.9 of RFC 3454.
    let is_space = matches!(
        character,
        '\u{a0}' | '\u{1680}' | '\u{2000}'..='\u{200b}' | '\u{202f}' | '\u{205f}' | '\u{3000}'
    );
    let is_control = matches!(character,
        '\u{80}'..='\u{9f}' | '\u{6dd}' | '\u{70f}' | '\u{180e}' | '\u{200c}' | '\u{200d}' | '\u{2028}' | '\u{2029}'
        | '\u{2060}'..='\u{2063}' | '\u{206a}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffc}' | '\u{1d173}'..='\u{1d17a}');
    let is_private = matches!(character, '\u{e000}'..='\u{f8ff}' | '\u{f0000}'..='\u{ffffd}' | '\u{100000}'..='\u{10fffd}');
    let is_noncharacter =
        matches!(character, '\u{fdd0}'..='\u{fdef}') || u32::from(character) & 0xfffe == 0xfffe;
    let is_unsuitable = matches!(character,
        '\u{fff9}'..='\u{fffd}' | '\u{2ff0}'..='\u{2ffb}'
        | '\u{340}' | '\u{341}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}'
        | '\u{e0001}' | '\u{e0020}'..='\u{e007f}');
    is_space || is_control || is_private || is_noncharacter || is_unsuitable
}

/// RFC 3454, section 6.
fn has_valid_bidi(text: &str, codec: Codec) -> bool {
    let direction = match codec {
        Codec::Python => nameprep::direction,
        Codec::Java | Codec::JavaAllowUnassigned => nameprep::direction_in_java,
    };
    let is_right = |character: char| direction(character) == Direction::Right;
    let is_left = |character: char| direction(character) == Direction::Left;
    // RFC 3454, section 6: a text with a right-to-left character must not contain a left-to-right character.
    if !text.chars().any(is_right) {
        return true;
    }
    let first = match codec {
        Codec::Python => text,
        // Java uses the class of this character as a marker that there was no character yet.
        Codec::Java | Codec::JavaAllowUnassigned => text.trim_start_matches('\u{2068}'),
    };
    !text.chars().any(is_left) && first.starts_with(is_right) && text.ends_with(is_right)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_map_as_in_2003() {
        for (name, expected) in [
            ("bücher.example", Some("xn--bcher-kva.example")),
            ("faß.de", Some("fass.de")),
            ("é。x．", Some("xn--9ca.x.")),
            ("a..é", None),
            ("☃.net", Some("xn--n3h.net")),
            ("xn--é", None),
            ("", Some("")),
        ] {
            assert_eq!(to_ascii(name, Codec::Python).as_deref(), expected, "{name}");
            assert_eq!(to_ascii(name, Codec::Java).as_deref(), expected, "{name}");
        }
    }

    #[test]
    fn code_points_after_unicode_3_2_pass_only_where_allowed() {
        assert_eq!(to_ascii("😀.x", Codec::Python).as_deref(), Some("xn--e28h.x"));
        assert_eq!(to_ascii("😀.x", Codec::JavaAllowUnassigned).as_deref(), Some("xn--e28h.x"));
        assert_eq!(to_ascii("😀.x", Codec::Java), None);
    }

    #[test]
    fn the_root_is_a_name_in_java_only() {
        assert_eq!(to_ascii("。", Codec::Java).as_deref(), Some("."));
        assert_eq!(to_ascii("。", Codec::Python), None);
    }
}
