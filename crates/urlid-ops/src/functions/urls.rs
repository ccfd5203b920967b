//! Functions that take URLs apart. The parts are those of the WHATWG normal form.

use std::borrow::Cow;

use urlid::suffix::{Sections, SuffixList};
use urlid::web::{Part, Url, assume_scheme, is_scheme};

use crate::functions::error::ArgumentError;
use crate::functions::evaluator::Named;
use crate::functions::names::{choose, unknown};

pub(crate) fn assume<'v>(url: &'v str, AssumedScheme(scheme): &AssumedScheme) -> Option<Cow<'v, str>> {
    Some(assume_scheme(url, scheme))
}

#[inline(always)]
pub(crate) fn host(url: &str) -> Option<Cow<'_, str>> {
    part_of(Part::Host, Sections::All, url)
}

#[inline(always)]
pub(crate) fn tld(url: &str) -> Option<Cow<'_, str>> {
    part_of(Part::Tld, Sections::All, url)
}

#[inline(always)]
pub(crate) fn registered_domain(url: &str) -> Option<Cow<'_, str>> {
    part_of(Part::RegisteredDomain, Sections::All, url)
}

#[inline(always)]
pub(crate) fn sub(url: &str) -> Option<Cow<'_, str>> {
    part_of(Part::Sub, Sections::All, url)
}

pub(crate) fn part<'v>(url: &'v str, name: &PartName) -> Option<Cow<'v, str>> {
    part_of(name.part, name.sections, url)
}

pub(crate) fn query_param(url: &str, name: &str) -> Option<String> {
    let url = Url::parse(url).ok()?;
    let (_, value) = url.query_pairs().find(|(key, _)| key == name)?;
    Some(value)
}

/// The scheme of URLs that have none.
pub(crate) struct AssumedScheme(String);

impl Named for AssumedScheme {
    const NAME: &'static str = "scheme";

    fn parse(text: &str) -> Result<Self, ArgumentError> {
        let chosen = is_scheme(text).then(|| Self(text.to_owned()));
        chosen.ok_or_else(|| unknown("scheme", text, vec!["a scheme such as https"]))
    }
}

/// The name of a part, or that of its column in tables, which says by which sections of the suffix list it is.
pub(crate) struct PartName {
    part: Part,
    sections: Sections,
}

impl Named for PartName {
    const NAME: &'static str = "part";

    fn parse(name: &str) -> Result<Self, ArgumentError> {
        let parts = Part::ALL.map(|part| (part.name(), (part, Sections::All)));
        let columns = [Sections::All, Sections::Icann]
            .into_iter()
            .flat_map(|sections| Part::ALL.map(|part| (part.column_name(sections), (part, sections))));
        let mut names = parts.to_vec();
        for (name, part) in columns {
            // Some columns have the name of their part, or one name for both sections. The first of a name stands: by all
            // sections.
            if names.iter().all(|(other, _)| *other != name) {
                names.push((name, part));
            }
        }
        choose("part", name, names).map(|(part, sections)| PartName { part, sections })
    }
}

// Inlined, so that each function has the short way of its own part.
#[inline(always)]
fn part_of(part: Part, sections: Sections, url: &str) -> Option<Cow<'_, str>> {
    part.of(url, SuffixList::compiled_with(sections)).ok().flatten()
}
