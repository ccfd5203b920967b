//! Functions that take URLs apart. The parts are those of the WHATWG normal form.

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
        [Value::Text(url)] => Ok(part_of(part, url)),
        _ => Ok(Output::Null),
    })
}

pub(crate) fn part() -> Evaluate {
    let mut part = Parsed::default();
    Box::new(move |arguments| match arguments {
        [Value::Text(url), Value::Text(name)] => Ok(part_of(*part.get(name, parse_part)?, url)),
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

fn parse_part(name: &str) -> Result<Part, ArgumentError> {
    choose("part", name, Part::ALL.map(|part| (part.name(), part)))
}

fn part_of(part: Part, url: &str) -> Output<'_> {
    part.of(url, Default::default()).ok().flatten().into()
}
