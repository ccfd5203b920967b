//! The template of `--get`: a text with the names of parts in braces.

use std::fmt::Write;
use std::str::FromStr;

use urlid::web::Part;

use super::part::Parts;

/// A text with parts of a URL in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Template(Vec<Piece>);

/// A piece of a template.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Piece {
    Text(String),
    Url,
    Part(Part),
    /// The value of the first parameter of this name.
    Parameter(String),
}

impl FromStr for Template {
    type Err = String;

    fn from_str(template: &str) -> Result<Self, String> {
        let mut pieces = Vec::new();
        let mut text = String::new();
        let mut characters = template.chars();
        while let Some(character) = characters.next() {
            let doubled = characters.as_str().starts_with(character);
            match character {
                '{' | '}' if doubled => {
                    characters.next();
                    text.push(character);
                }
                '{' => {
                    let rest = characters.as_str();
                    let (name, rest) = rest.split_once('}').ok_or_else(|| format!("no }} after {{{rest}"))?;
                    characters = rest.chars();
                    pieces.push(Piece::Text(std::mem::take(&mut text)));
                    pieces.push(Piece::named(name)?);
                }
                '}' => return Err("} without {: expected }} for a brace".to_owned()),
                '\\' => text.push(match characters.next() {
                    Some('t') => '\t',
                    Some('n') => '\n',
                    Some('\\') => '\\',
                    _ => return Err(r"unknown escape: expected \t, \n or \\".to_owned()),
                }),
                _ => text.push(character),
            }
        }
        pieces.push(Piece::Text(text));
        Ok(Template(pieces))
    }
}

impl Piece {
    fn named(name: &str) -> Result<Self, String> {
        if let Some(parameter) = name.strip_prefix("query:") {
            return Ok(Piece::Parameter(parameter.to_owned()));
        }
        if name == "url" {
            return Ok(Piece::Url);
        }
        let part = Part::ALL.into_iter().find(|part| part.name() == name);
        part.map(Piece::Part).ok_or_else(|| {
            let names = Part::ALL.map(Part::name).join(", ");
            format!("unknown name {{{name}}}: expected one of url, {names}, query:NAME")
        })
    }
}

impl Template {
    /// Returns the text with the parts of a URL. In a line of text a decoded value cannot have every
    /// character.
    pub(super) fn expand(&self, parts: &Parts<'_>, is_line: bool) -> String {
        let mut expanded = String::new();
        for piece in &self.0 {
            match piece {
                Piece::Text(text) => expanded.push_str(text),
                Piece::Url => expanded.push_str(parts.text()),
                Piece::Part(part) => expanded.push_str(parts.get(*part).unwrap_or_default()),
                Piece::Parameter(name) => {
                    let value = parts.parameter(name).unwrap_or_default();
                    match is_line {
                        true => push_in_line(&value, !parts.are_raw(), &mut expanded),
                        false => expanded.push_str(&value),
                    }
                }
            }
        }
        expanded
    }
}

/// Appends a value. Control characters are percent-encoded again, so that a URL cannot write a line of its
/// own, and of a decoded value so is a `%` that would read as such an escape.
fn push_in_line(text: &str, is_decoded: bool, out: &mut String) {
    let is_escape = |index: usize| {
        let digits = text.as_bytes().get(index + 1..index + 3);
        digits.is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit))
    };
    for (index, character) in text.char_indices() {
        if character.is_control() || character == '%' && is_decoded && is_escape(index) {
            character.encode_utf8(&mut [0; 4]).bytes().for_each(|byte| {
                write!(out, "%{byte:02X}").expect("writing to a String does not fail");
            })
        } else {
            out.push(character);
        }
    }
}

#[cfg(test)]
mod tests {
    use urlid::suffix::SuffixList;

    use super::*;
    use crate::commands::parts::part::Written;

    #[track_caller]
    fn check(template: &str, expected: &str) {
        let url = "https://user@www.Example.co.uk:8443/a/b%20c?utm_source=x+y&n=%0A%C3%A9&e#f";
        let (list, mut parsed) = (SuffixList::compiled(), None);
        let parts = Parts::parse(url, Written::Normal, list, &mut parsed).expect("it is a URL");
        let template: Template = template.parse().expect("it is a template");
        assert_eq!(template.expand(&parts, true), expected);
    }

    #[test]
    fn names_in_braces_are_parts() {
        check("{host} {tld} {query:utm_source}", "www.example.co.uk co.uk x y");
        check("{url}", "https://user@www.example.co.uk:8443/a/b%20c?utm_source=x+y&n=%0A%C3%A9&e#f");
        check("{file}|{query:e}|{query:none}|{query:n}", "b%20c|||%0Aé");
        check(r"{{{port}}}\t\\", "{8443}\t\\");
        check("", "");
    }

    #[test]
    fn no_two_values_are_one_line() {
        let list = SuffixList::compiled();
        let template: Template = "{query:n}".parse().expect("it is a template");
        for (query, line, value) in [
            ("a%0Ab", "a%0Ab", "a\nb"),
            ("a%250Ab", "a%250Ab", "a%0Ab"),
            ("a%25250Ab", "a%25250Ab", "a%250Ab"),
            ("100%25", "100%", "100%"),
            ("%25%0A", "%%0A", "%\n"),
            ("%25zz%2541", "%zz%2541", "%zz%41"),
            ("%C2%85%e2%82%ac", "%C2%85\u{20ac}", "\u{85}\u{20ac}"),
        ] {
            let (url, mut parsed) = (format!("http://h/?n={query}"), None);
            let parts = Parts::parse(&url, Written::Normal, list, &mut parsed).expect("it is a URL");
            assert_eq!([template.expand(&parts, true), template.expand(&parts, false)], [line, value]);
        }
    }

    #[test]
    fn a_name_that_is_no_part_is_an_error_with_the_names() {
        for (template, expected) in [
            ("{hots}", "unknown name {hots}: expected one of url, scheme, user, host, host_kind, port, sub"),
            ("{}", "unknown name {}: expected one of url"),
            ("{host", "no } after {host"),
            ("a}", "} without {"),
            (r"\x", "unknown escape"),
        ] {
            let error = template.parse::<Template>().expect_err(template);
            assert!(error.starts_with(expected), "{error}");
        }
    }
}
