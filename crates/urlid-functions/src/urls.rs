//! Functions that take URLs apart. The parts are those of the WHATWG normal form.

use urlid::suffix::SuffixList;
use urlid::web::Url;

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
        [Value::Text(url)] => Ok(part.of_text(url)),
        _ => Ok(Output::Null),
    })
}

pub(crate) fn part() -> Evaluate {
    let mut part = Parsed::default();
    Box::new(move |arguments| match arguments {
        [Value::Text(url), Value::Text(name)] => Ok(part.get(name, parse_part)?.of_text(url)),
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

/// A part of a URL.
#[derive(Clone, Copy)]
enum Part {
    Scheme,
    User,
    Host,
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

fn parse_part(name: &str) -> Result<Part, ArgumentError> {
    choose(
        "part",
        name,
        [
            ("scheme", Part::Scheme),
            ("user", Part::User),
            ("host", Part::Host),
            ("port", Part::Port),
            ("sub", Part::Sub),
            ("domain", Part::Domain),
            ("tld", Part::Tld),
            ("registered_domain", Part::RegisteredDomain),
            ("path", Part::Path),
            ("file", Part::File),
            ("query", Part::Query),
            ("fragment", Part::Fragment),
            ("origin", Part::Origin),
        ],
    )
}

impl Part {
    fn of_text(self, url: &str) -> Output {
        match Url::parse(url) {
            Ok(url) => self.of(&url),
            Err(_) => Output::Null,
        }
    }

    fn of(self, url: &Url) -> Output {
        let list = <&SuffixList>::default();
        let split = || url.dns_name().map(|name| list.split(name));
        match self {
            Part::Scheme => url.scheme().into(),
            Part::User => Some(url.username()).filter(|user| !user.is_empty()).into(),
            Part::Host => url.host_str().filter(|host| !host.is_empty()).into(),
            Part::Port => url.port().map(|port| port.to_string()).into(),
            Part::Sub => split().map(|split| split.sub).into(),
            Part::Domain => split().map(|split| split.domain).filter(|domain| !domain.is_empty()).into(),
            Part::Tld => split().map(|split| split.tld).into(),
            Part::RegisteredDomain => url.dns_name().and_then(|name| list.registered_domain(name)).into(),
            Part::Path => url.path().into(),
            Part::File => url.path_segments().and_then(Iterator::last).into(),
            Part::Query => url.query().into(),
            Part::Fragment => url.fragment().into(),
            Part::Origin => url.origin().into(),
        }
    }
}
