//! Functions that take URLs apart. The parts are those of the WHATWG normal form.

use urlid::suffix::{Sections, SuffixList};
use urlid::web::{Part, Url};

use crate::error::ArgumentError;
use crate::function::Evaluate;
use crate::names::{Parsed, choose};
use crate::value::{Output, Value};

pub(crate) fn host() -> Evaluate {
    fixed(Part::Host)
}

pub(crate) fn tld() -> Evaluate {
    fixed(Part::Tld)
}

pub(crate) fn registered_domain() -> Evaluate {
    fixed(Part::RegisteredDomain)
}

pub(crate) fn sub() -> Evaluate {
    fixed(Part::Sub)
}

/// The function that returns one part.
fn fixed(part: Part) -> Evaluate {
    Box::new(move |arguments| match arguments {
        [Value::Text(url)] => Ok(part_of(part, Sections::All, url)),
        _ => Ok(Output::Null),
    })
}

pub(crate) fn part() -> Evaluate {
    let mut part = Parsed::default();
    Box::new(move |arguments| match arguments {
        [Value::Text(url), Value::Text(name)] => {
            let (part, sections) = *part.get(name, parse_part)?;
            Ok(part_of(part, sections, url))
        }
        _ => Ok(Output::Null),
    })
}

pub(crate) fn query_param() -> Evaluate {
    Box::new(|arguments| match arguments {
        [Value::Text(url), Value::Text(name)] => {
            let Ok(url) = Url::parse(url) else { return Ok(Output::Null) };
            let value = url.query_pairs().find(|(key, _)| key == name).map(|(_, value)| value);
            Ok(value.into())
        }
        _ => Ok(Output::Null),
    })
}

/// Reads the name of a part, or that of its column in tables, which says by which sections of the suffix list it is.
fn parse_part(name: &str) -> Result<(Part, Sections), ArgumentError> {
    let parts = Part::ALL.map(|part| (part.name(), (part, Sections::All)));
    let columns = [Sections::All, Sections::Icann]
        .into_iter()
        .flat_map(|sections| Part::ALL.map(|part| (part.column_name(sections), (part, sections))));
    let mut names = parts.to_vec();
    for (name, part) in columns {
        if names.iter().all(|(other, _)| *other != name) {
            names.push((name, part));
        }
    }
    choose("part", name, names)
}

fn part_of(part: Part, sections: Sections, url: &str) -> Output<'_> {
    part.of(url, SuffixList::compiled_with(sections)).ok().flatten().into()
}
