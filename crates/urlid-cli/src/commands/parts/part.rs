//! The parts of a URL in its normal form or as written, and the template of `--get`, a text that names them
//! in braces.

use std::fmt::Write;
use std::str::FromStr;

use urlid::reference::{Authority, Class, Context, Reference, ReferenceBuf};
use urlid::suffix::SuffixList;
use urlid::web::{Part, QueryPairs, Url, UrlParts, clean, force};

use crate::args::host_text::HostText;
use crate::args::splits_hosts;

/// The form in which parts are given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Written {
    /// The parts of the WHATWG normal form.
    Normal,
    /// The parts as written, if the text has them.
    Raw,
}

/// The parts of one URL.
pub(crate) struct Parts<'a> {
    normal: UrlParts<'a>,
    raw: Option<ReferenceBuf>,
}

impl<'a> Parts<'a> {
    /// Parses an absolute URL. `parsed` receives it if `text` is not its normal form. The list splits its
    /// host.
    #[inline]
    pub(crate) fn parse(
        text: &'a str,
        written: Written,
        list: &'a SuffixList,
        parsed: &'a mut Option<Url>,
    ) -> Result<Self, urlid::Error> {
        let normal = UrlParts::parse(text, list, parsed)?;
        let raw = match written {
            Written::Normal => None,
            Written::Raw => {
                // The step of WHATWG that the Theory lacks: tabs, line ends and outer spaces are not parts of
                // a URL.
                let text = clean(text);
                Some(force(&Reference::parse(&text, Context::Whatwg(Class::Generic))?)?)
            }
        };
        Ok(Parts { normal, raw })
    }

    /// Returns the whole URL in the requested form.
    pub(crate) fn text(&self) -> &str {
        self.raw.as_ref().map_or(self.normal.as_str(), ReferenceBuf::as_str)
    }

    /// Returns the names and values of the query, decoded.
    pub(crate) fn query_pairs(&self) -> QueryPairs<'a> {
        self.normal.query_pairs()
    }

    /// Returns a part, if the URL has it. Suffixes, domains and origins come from the normal form.
    pub(crate) fn get(&self, part: Part) -> Option<&str> {
        let value = match &self.raw {
            Some(raw) if !is_made(part) => raw_part(&raw.as_reference(), part),
            _ => self.normal.get(part),
        };
        value.filter(|value| !value.is_empty() || part.may_be_empty())
    }

    /// Returns all parts, in the order of [`Part::ALL`].
    #[inline]
    pub(crate) fn all(&self) -> [Option<&str>; Part::ALL.len()] {
        match self.raw {
            Some(_) => Part::ALL.map(|part| self.get(part)),
            None => self.normal.columns(),
        }
    }

    /// Returns whether parts are given as written.
    pub(crate) fn are_raw(&self) -> bool {
        self.raw.is_some()
    }

    /// Returns the query in the requested form.
    fn query(&self) -> Option<&str> {
        self.get(Part::Query)
    }

    /// Returns the value of the first parameter with a name, either decoded or as written.
    pub(crate) fn parameter(&self, name: &str) -> Option<String> {
        // Normalising neither adds nor removes an `&`, so the raw query and the normal form have the same
        // pairs in the same order.
        let written = self.query()?.split('&').filter(|pair| !pair.is_empty());
        let (_, value, written) = self
            .query_pairs()
            .zip(written)
            .map(|((name, value), written)| (name, value, written))
            .find(|(found, ..)| found == name)?;
        Some(match self.raw {
            Some(_) => written.split_once('=').map_or("", |(_, value)| value).to_owned(),
            None => value,
        })
    }
}

/// Returns whether this part is computed from the URL, so that a raw form does not exist.
fn is_made(part: Part) -> bool {
    splits_hosts(part) || matches!(part, Part::HostKind | Part::Origin)
}

fn raw_part<'r>(raw: &Reference<'r>, part: Part) -> Option<&'r str> {
    let authority: Option<Authority<'r>> = raw.authority();
    match part {
        Part::Scheme => raw.scheme(),
        Part::User => authority?.user,
        Part::Host => Some(authority?.host),
        Part::Port => authority?.port,
        Part::Path => Some(raw.path()),
        Part::File if raw.is_opaque() => None,
        Part::File => raw.segments().last(),
        Part::Query => raw.query(),
        Part::Fragment => raw.fragment(),
        _ => None,
    }
}

/// A text with parts of a URL in it, and the name of its column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Template {
    pieces: Vec<Piece>,
    name: String,
}

/// The names of the columns other than the column of a template.
const OTHER_COLUMNS: [&str; 3] = ["line", "url", "error"];

/// A piece of a template.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Piece {
    Text(String),
    Url,
    Part(Part),
    /// A text of its host.
    Host(HostText),
    /// The template of the URL.
    Kind,
    /// The value of the first parameter of this name.
    Parameter(String),
}

impl FromStr for Template {
    type Err = String;

    /// Reads `TEMPLATE`, the name of a part, or either after `NAME=`.
    fn from_str(text: &str) -> Result<Self, String> {
        let is_name = |name: &str| {
            name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
                && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-".contains(&byte))
        };
        let (name, template) = match text.split_once('=') {
            Some((name, template)) if is_name(name) => (Some(name), template),
            _ => (None, text),
        };
        if let Some(name) = name.filter(|name| OTHER_COLUMNS.contains(name)) {
            return Err(format!("there is already a column `{name}`"));
        }
        let pieces = match template.contains(['{', '}']) {
            true => Self::read_pieces(template)?,
            false => vec![Piece::named(template)?],
        };
        let name = match (name, &pieces[..]) {
            (Some(name), _) => name,
            (None, [Piece::Part(part)]) => part.name(),
            (None, [Piece::Host(text)]) => text.name(),
            (None, _) => "get",
        };
        Ok(Template { name: name.to_owned(), pieces })
    }
}

impl Template {
    fn read_pieces(template: &str) -> Result<Vec<Piece>, String> {
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
        pieces.retain(|piece| !matches!(piece, Piece::Text(text) if text.is_empty()));
        Ok(pieces)
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
        if name == "template" {
            return Ok(Piece::Kind);
        }
        if let Some(text) = HostText::ALL.into_iter().find(|text| text.name() == name) {
            return Ok(Piece::Host(text));
        }
        Part::from_name(name).map(Piece::Part).ok_or_else(|| {
            let names = Part::ALL.map(Part::name).join(", ");
            let hosts = HostText::ALL.map(HostText::name).join(", ");
            format!("unknown name {{{name}}}: expected one of url, {names}, {hosts}, template, query:NAME")
        })
    }
}

impl Template {
    /// Returns whether the text has a part that depends on the suffix list.
    pub(super) fn splits_hosts(&self) -> bool {
        self.pieces.iter().any(|piece| matches!(piece, Piece::Part(part) if splits_hosts(*part)))
    }

    /// Returns the name of the column: the given one, the name of the only part, or `get`.
    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// Returns whether the text has the template of a URL in it.
    pub(super) fn has_kind(&self) -> bool {
        self.pieces.contains(&Piece::Kind)
    }

    /// Returns the text with the parts of a URL and its template, `kind`. In a line of text a decoded value
    /// cannot have every character.
    pub(super) fn expand(&self, parts: &Parts<'_>, kind: &str, is_line: bool) -> String {
        let mut expanded = String::new();
        for piece in &self.pieces {
            match piece {
                Piece::Text(text) => expanded.push_str(text),
                Piece::Kind => expanded.push_str(kind),
                Piece::Url => expanded.push_str(parts.text()),
                Piece::Part(part) => expanded.push_str(parts.get(*part).unwrap_or_default()),
                // The URL is already read, so an error is impossible.
                Piece::Host(text) => {
                    expanded.push_str(&text.of(parts.normal.as_str()).ok().flatten().unwrap_or_default());
                }
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

/// Appends a value. Control characters are percent-encoded again, so that a URL cannot add a line to the
/// output. In a decoded value, a `%` that would look like such an escape is also encoded.
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
    use super::*;

    #[track_caller]
    fn check(template: &str, expected: &str) {
        let url = "https://user@www.Example.co.uk:8443/a/b%20c?utm_source=x+y&n=%0A%C3%A9&e#f";
        let (list, mut parsed) = (SuffixList::compiled(), None);
        let parts = Parts::parse(url, Written::Normal, list, &mut parsed).expect("it is a URL");
        let template: Template = template.parse().expect("it is a template");
        assert_eq!(template.expand(&parts, "", true), expected);
    }

    #[test]
    fn names_in_braces_are_parts() {
        check("{host} {tld} {query:utm_source}", "www.example.co.uk co.uk x y");
        check("{url}", "https://user@www.example.co.uk:8443/a/b%20c?utm_source=x+y&n=%0A%C3%A9&e#f");
        check("{file}|{query:e}|{query:none}|{query:n}", "b%20c|||%0Aé");
        check(r"{{{port}}}\t\\", "{8443}\t\\");
        check("{{{{", "{{");
    }

    #[test]
    fn a_column_has_the_given_name_or_the_name_of_its_part() {
        for (template, name, expected) in [
            ("host", "host", "{host}"),
            ("{tld}", "tld", "{tld}"),
            ("query:a", "get", "{query:a}"),
            ("{host}{path}", "get", "{host}{path}"),
            ("site=registered_domain", "site", "{registered_domain}"),
            ("a=b={host}", "a", "b={host}"),
            ("?u={host}", "get", "?u={host}"),
        ] {
            let template: Template = template.parse().expect(template);
            let pieces = Template::read_pieces(expected).expect(expected);
            assert_eq!((template.name(), &template.pieces), (name, &pieces));
        }
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
            assert_eq!([true, false].map(|is_line| template.expand(&parts, "", is_line)), [line, value]);
        }
    }

    #[test]
    fn an_unknown_part_is_an_error_that_lists_the_names() {
        for (template, expected) in [
            ("", "unknown name {}: expected one of url"),
            ("hots", "unknown name {hots}: expected one of url"),
            (r"\t", r"unknown name {\t}"),
            ("a=hots", "unknown name {hots}"),
            ("url={host}", "there is already a column `url`"),
            ("{hots}", "unknown name {hots}: expected one of url, scheme, user, host, host_kind, port, sub"),
            ("{}", "unknown name {}: expected one of url"),
            ("{host", "no } after {host"),
            ("a}", "} without {"),
            (r"{host}\x", "unknown escape"),
        ] {
            let error = template.parse::<Template>().expect_err(template);
            assert!(error.starts_with(expected), "{error}");
        }
    }
}
