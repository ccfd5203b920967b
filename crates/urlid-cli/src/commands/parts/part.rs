//! The parts of a URL in its normal form or as written.

use urlid::reference::{Authority, Class, Context, Reference, ReferenceBuf};
use urlid::suffix::SuffixList;
use urlid::web::{Part, QueryPairs, Url, UrlParts, clean, force};

/// In which form parts are given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Written {
    /// As in the WHATWG normal form.
    Normal,
    /// As in the text, where that has the part.
    Raw,
}

/// The parts of one URL.
pub(crate) struct Parts<'a> {
    normal: UrlParts<'a>,
    raw: Option<ReferenceBuf>,
}

impl<'a> Parts<'a> {
    /// Parses an absolute URL, which is left in `parsed` if `text` is not its normal form. The list splits
    /// its host.
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

    /// Returns the whole URL in the form that was asked for.
    pub(crate) fn text(&self) -> &str {
        self.raw.as_ref().map_or(self.normal.as_str(), ReferenceBuf::as_str)
    }

    /// Returns the names and values of the query, decoded.
    pub(crate) fn query_pairs(&self) -> QueryPairs<'a> {
        self.normal.query_pairs()
    }

    /// Returns a part, if the URL has it. Suffixes, domains and origins are those of the normal form.
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

    /// Returns the query in the form that was asked for.
    fn query(&self) -> Option<&str> {
        self.get(Part::Query)
    }

    /// Returns the value of the first parameter with a name: decoded, or as written.
    pub(crate) fn parameter(&self, name: &str) -> Option<String> {
        // Normalising adds and removes no `&`, so the pairs of the raw query are those of the normal form, in
        // the same order.
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

/// Returns whether this part is made from the URL, so that no text of the URL is its raw form.
fn is_made(part: Part) -> bool {
    matches!(
        part,
        Part::HostKind | Part::Sub | Part::Domain | Part::Tld | Part::RegisteredDomain | Part::Origin
    )
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
