//! The parts of a URL by their names.

use std::borrow::Cow;

use urlid::host::Host;
use urlid::reference::{Authority, Class, Context, Reference, ReferenceBuf};
use urlid::suffix::{Sections, SuffixList};
use urlid::web::{ParseError, Url, clean, force};

/// A part of a URL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    Scheme,
    User,
    Host,
    HostKind,
    Port,
    Sub,
    Domain,
    Tld,
    RegisteredDomain,
    Path,
    File,
    Query,
    Fragment,
    Origin,
}

impl Part {
    /// All parts, in the order of the columns.
    pub(crate) const ALL: [Part; 14] = [
        Part::Scheme,
        Part::User,
        Part::Host,
        Part::HostKind,
        Part::Port,
        Part::Sub,
        Part::Domain,
        Part::Tld,
        Part::RegisteredDomain,
        Part::Path,
        Part::File,
        Part::Query,
        Part::Fragment,
        Part::Origin,
    ];

    /// Returns the name of the part in headers and templates.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Part::Scheme => "scheme",
            Part::User => "user",
            Part::Host => "host",
            Part::HostKind => "host_kind",
            Part::Port => "port",
            Part::Sub => "sub",
            Part::Domain => "domain",
            Part::Tld => "tld",
            Part::RegisteredDomain => "registered_domain",
            Part::Path => "path",
            Part::File => "file",
            Part::Query => "query",
            Part::Fragment => "fragment",
            Part::Origin => "origin",
        }
    }

    /// Returns the name of the part in tables, after that of the column with the URL: Common Crawl's where that has the part.
    pub(crate) fn name_in_tables(self, sections: Sections) -> &'static str {
        match (self, sections) {
            (Part::Scheme, _) => "protocol",
            (Part::Host, _) => "host_name",
            (Part::Sub, _) => "host_sub",
            (Part::Domain, _) => "host_domain",
            (Part::Tld, Sections::Icann) => "host_registry_suffix",
            (Part::Tld, Sections::All) => "host_private_suffix",
            (Part::RegisteredDomain, Sections::Icann) => "host_registered_domain",
            (Part::RegisteredDomain, Sections::All) => "host_private_domain",
            _ => self.name(),
        }
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

/// The parts of one URL.
pub(crate) struct Parts {
    url: Url,
    raw: Option<ReferenceBuf>,
}

impl Parts {
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
        Ok(Parts { url, raw })
    }

    /// Returns the URL in its normal form.
    pub(crate) fn url(&self) -> &Url {
        &self.url
    }

    /// Returns the whole URL in the form that was asked for.
    pub(crate) fn text(&self) -> &str {
        self.raw.as_ref().map_or(self.url.as_str(), ReferenceBuf::as_str)
    }

    /// Returns a part, if the URL has it. Suffixes, domains and origins are those of the normal form.
    pub(crate) fn get(&self, part: Part, list: &SuffixList) -> Option<Cow<'_, str>> {
        let url = &self.url;
        let borrowed = match part {
            Part::HostKind => host_kind(url.host()?),
            Part::Sub => list.split(url.dns_name()?).sub,
            Part::Domain => list.split(url.dns_name()?).domain,
            Part::Tld => list.split(url.dns_name()?).tld,
            Part::RegisteredDomain => list.registered_domain(url.dns_name()?)?,
            Part::Origin => return url.origin().map(Cow::Owned),
            _ => match &self.raw {
                Some(raw) => raw_part(&raw.as_reference(), part)?,
                None if part == Part::Port => return url.port().map(|port| Cow::Owned(port.to_string())),
                None => normal_part(url, part)?,
            },
        };
        // These are there without a character: the empty path of an opaque URL, and `?` and `#` alone.
        let may_be_empty = matches!(part, Part::Path | Part::Query | Part::Fragment);
        (may_be_empty || !borrowed.is_empty()).then_some(Cow::Borrowed(borrowed))
    }

    /// Returns the query in the form that was asked for.
    fn query(&self) -> Option<&str> {
        match &self.raw {
            Some(raw) => raw.as_reference().query(),
            None => self.url.query(),
        }
    }

    /// Returns the value of the first parameter with a name: decoded, or as written.
    pub(crate) fn parameter(&self, name: &str) -> Option<String> {
        let written = self.query()?.split('&').filter(|pair| !pair.is_empty());
        let (_, value, written) = self
            .url
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

fn host_kind(host: Host<'_>) -> &'static str {
    match host {
        Host::Empty => "",
        Host::Domain(_) => "domain",
        Host::Ipv4(_) => "ipv4",
        Host::Ipv6(_) => "ipv6",
        Host::Opaque(_) => "opaque",
    }
}

fn normal_part(url: &Url, part: Part) -> Option<&str> {
    match part {
        Part::Scheme => Some(url.scheme()),
        Part::User => Some(url.username()),
        Part::Host => url.host_str(),
        Part::Path => Some(url.path()),
        Part::File => url.path_segments()?.next_back(),
        Part::Query => url.query(),
        Part::Fragment => url.fragment(),
        _ => None,
    }
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
