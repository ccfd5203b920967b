//! The parts of a URL in its normal form or as written, and their names in tables.

use std::borrow::Cow;

use urlid::reference::{Authority, Class, Context, Reference, ReferenceBuf};
use urlid::suffix::{Sections, SuffixList};
use urlid::web::{ParseError, Part, Url, UrlParts, clean, force};

/// Returns the name of the part in tables, after that of the column with the URL: Common Crawl's where that has the part.
pub(crate) fn name_in_tables(part: Part, sections: Sections) -> &'static str {
    match (part, sections) {
        (Part::Scheme, _) => "protocol",
        (Part::Host, _) => "host_name",
        (Part::Sub, _) => "host_sub",
        (Part::Domain, _) => "host_domain",
        (Part::Tld, Sections::Icann) => "host_registry_suffix",
        (Part::Tld, Sections::All) => "host_private_suffix",
        (Part::RegisteredDomain, Sections::Icann) => "host_registered_domain",
        (Part::RegisteredDomain, Sections::All) => "host_private_domain",
        _ => part.name(),
    }
}

/// In which form parts are given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Written {
    /// As in the WHATWG normal form.
    Normal,
    /// As in the text, where that has the part.
    Raw,
}

/// One URL.
pub(crate) struct ParsedUrl {
    url: Url,
    raw: Option<ReferenceBuf>,
}

impl ParsedUrl {
    /// Parses an absolute URL.
    pub(crate) fn parse(text: &str, written: Written) -> Result<Self, ParseError> {
        let url = Url::parse(text)?;
        let raw = match written {
            Written::Normal => None,
            Written::Raw => {
                let text = clean(text);
                Some(force(&Reference::parse(&text, Context::Whatwg(Class::Generic))?)?)
            }
        };
        Ok(ParsedUrl { url, raw })
    }

    /// Returns its parts; the list splits its host.
    pub(crate) fn parts<'a>(&'a self, list: &'a SuffixList) -> Parts<'a> {
        Parts { parsed: self, normal: UrlParts::new(&self.url, list) }
    }

    /// Returns the URL in its normal form.
    pub(crate) fn url(&self) -> &Url {
        &self.url
    }
}

/// The parts of one URL.
pub(crate) struct Parts<'a> {
    parsed: &'a ParsedUrl,
    normal: UrlParts<'a>,
}

impl<'a> Parts<'a> {
    /// Returns the URL in its normal form.
    pub(crate) fn url(&self) -> &'a Url {
        self.parsed.url()
    }

    /// Returns the whole URL in the form that was asked for.
    pub(crate) fn text(&self) -> &'a str {
        self.parsed.raw.as_ref().map_or(self.url().as_str(), ReferenceBuf::as_str)
    }

    /// Returns a part, if the URL has it. Suffixes, domains and origins are those of the normal form.
    #[inline]
    pub(crate) fn get(&self, part: Part) -> Option<Cow<'a, str>> {
        let value = match &self.parsed.raw {
            Some(raw) if !is_made(part) => Cow::Borrowed(raw_part(&raw.as_reference(), part)?),
            _ => self.normal.get(part)?,
        };
        // These are there without a character: the empty path of an opaque URL, and `?` and `#` alone.
        let may_be_empty = matches!(part, Part::Path | Part::Query | Part::Fragment);
        (may_be_empty || !value.is_empty()).then_some(value)
    }

    /// Returns the query in the form that was asked for.
    fn query(&self) -> Option<&'a str> {
        match &self.parsed.raw {
            Some(raw) => raw.as_reference().query(),
            None => self.url().query(),
        }
    }

    /// Returns the value of the first parameter with a name: decoded, or as written.
    pub(crate) fn parameter(&self, name: &str) -> Option<String> {
        let written = self.query()?.split('&').filter(|pair| !pair.is_empty());
        let (_, value, written) = self
            .url()
            .query_pairs()
            .zip(written)
            .map(|((name, value), written)| (name, value, written))
            .find(|(found, ..)| found == name)?;
        Some(match self.parsed.raw {
            Some(_) => written.split_once('=').map_or("", |(_, value)| value).to_owned(),
            None => value,
        })
    }
}

/// Whether no URL has this part as it is written.
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
