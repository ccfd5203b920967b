//! ToASCII of IDNA 2003 (RFC 3490, with the Nameprep of RFC 3491 on Unicode 3.2).
//!
//! Only the canonical forms of older libraries use it: `host` maps names by UTS 46.

use icu_normalizer::ComposingNormalizerBorrowed;
use stringprep::tables;

/// What becomes of code points that Unicode 3.2 does not assign.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::canonical) enum Unassigned {
    /// They are left as they are, as Python's codec does ("query strings").
    Allowed,
    /// They make the name invalid, as in `java.net.IDN` without a flag ("stored strings").
    Forbidden,
}

/// Returns the ASCII form of a domain name, or nothing where IDNA 2003 has none.
pub(in crate::canonical) fn to_ascii(name: &str, unassigned: Unassigned) -> Option<String> {
    let mut out = String::with_capacity(name.len());
    let mut labels = name.split(is_dot).peekable();
    while let Some(label) = labels.next() {
        let is_last = labels.peek().is_none();
        if !(is_last && label.is_empty()) {
            push_label(label, unassigned, &mut out)?;
        }
        if !is_last {
            out.push('.');
        }
    }
    Some(out)
}

/// The dots of RFC 3490, section 3.1.
pub(in crate::canonical) fn is_dot(character: char) -> bool {
    matches!(character, '.' | '\u{3002}' | '\u{ff0e}' | '\u{ff61}')
}

fn push_label(label: &str, unassigned: Unassigned, out: &mut String) -> Option<()> {
    let start = out.len();
    if label.is_ascii() {
        out.push_str(label);
    } else {
        let prepared = nameprep(label, unassigned)?;
        if prepared.is_ascii() {
            out.push_str(&prepared);
        } else if prepared.starts_with("xn--") {
            return None;
        } else {
            out.push_str("xn--");
            out.push_str(&idna::punycode::encode_str(&prepared)?);
        }
    }
    (1..64).contains(&(out.len() - start)).then_some(())
}

/// RFC 3491: map, normalise, prohibit, check bidi.
fn nameprep(label: &str, unassigned: Unassigned) -> Option<String> {
    if unassigned == Unassigned::Forbidden && label.chars().any(tables::unassigned_code_point) {
        return None;
    }
    let kept = label.chars().filter(|&character| !tables::commonly_mapped_to_nothing(character));
    let mapped: String = kept.flat_map(tables::case_fold_for_nfkc).collect();
    let prepared = normalise(&mapped);
    (!prepared.chars().any(is_prohibited) && has_valid_bidi(&prepared)).then_some(prepared)
}

/// NFKC of Unicode 3.2: a code point assigned later has no decomposition there and composes with nothing.
fn normalise(text: &str) -> String {
    let nfkc = ComposingNormalizerBorrowed::new_nfkc();
    let mut out = String::with_capacity(text.len());
    for piece in text.split_inclusive(tables::unassigned_code_point) {
        let last = piece.chars().next_back().filter(|&last| tables::unassigned_code_point(last));
        let assigned = &piece[..piece.len() - last.map_or(0, char::len_utf8)];
        out.push_str(&nfkc.normalize(assigned));
        out.extend(last);
    }
    out
}

/// Tables C.1.2, C.2.2 and C.3 to C.9 of RFC 3454.
fn is_prohibited(character: char) -> bool {
    tables::non_ascii_space_character(character)
        || tables::non_ascii_control_character(character)
        || tables::private_use(character)
        || tables::non_character_code_point(character)
        || tables::inappropriate_for_plain_text(character)
        || tables::inappropriate_for_canonical_representation(character)
        || tables::change_display_properties_or_deprecated(character)
        || tables::tagging_character(character)
}

/// RFC 3454, section 6, with the classes of Unicode 3.2.
fn has_valid_bidi(text: &str) -> bool {
    let is_right =
        |character: char| !tables::unassigned_code_point(character) && tables::bidi_r_or_al(character);
    let is_left = |character: char| !tables::unassigned_code_point(character) && tables::bidi_l(character);
    if !text.chars().any(is_right) {
        return true;
    }
    !text.chars().any(is_left) && text.starts_with(is_right) && text.ends_with(is_right)
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
        ] {
            assert_eq!(to_ascii(name, Unassigned::Allowed).as_deref(), expected, "{name}");
        }
    }

    #[test]
    fn code_points_after_unicode_3_2_pass_only_where_allowed() {
        assert_eq!(to_ascii("😀.x", Unassigned::Allowed).as_deref(), Some("xn--e28h.x"));
        assert_eq!(to_ascii("😀.x", Unassigned::Forbidden), None);
    }
}
