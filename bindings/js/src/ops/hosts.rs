//! Hosts split at their public suffix, and URLs by the URL Standard and by RFC 3986.

use serde_json::json;
use urlid::generic::{self, Mode};
use urlid::host::Host;
use urlid::suffix::SuffixList;
use urlid::web::{Part, Url, UrlParts};

use crate::arguments::Arguments;
use crate::choice::{choose, sections};
use crate::output::{self, Fault, Output};
use crate::session::{Op, Session};

pub(super) const OPS: &[Op] = &[
    ("split", split),
    ("host", host),
    ("registered_domain", registered_domain),
    ("url", url),
    ("href", href),
    ("resolve", resolve),
    ("normalise", normalise),
    ("remove_dot_segments", remove_dot_segments),
];

/// Arguments: a host, or a URL; the sections of the suffix list.
fn split(_: &mut Session, arguments: &mut Arguments<'_>) -> Result<Output, Fault> {
    let row = |parts: &UrlParts<'_>| {
        let value = |part| parts.get(part).filter(|value| !value.is_empty());
        json!({
            "sub": value(Part::Sub),
            "domain": value(Part::Domain),
            "tld": value(Part::Tld),
            "registeredDomain": value(Part::RegisteredDomain),
            "hostKind": value(Part::HostKind),
        })
    };
    let (host, sections) = (arguments.text()?, sections(arguments.text()?)?);
    Ok(output::json(&urlid::split_host(host, SuffixList::compiled_with(sections), row)?))
}

/// Argument: a URL.
fn host(_: &mut Session, arguments: &mut Arguments<'_>) -> Result<Output, Fault> {
    Ok(Part::Host.of(arguments.text()?, SuffixList::compiled())?.into())
}

/// Arguments: a URL, the sections of the suffix list.
fn registered_domain(_: &mut Session, arguments: &mut Arguments<'_>) -> Result<Output, Fault> {
    let (url, sections) = (arguments.text()?, sections(arguments.text()?)?);
    Ok(Part::RegisteredDomain.of(url, SuffixList::compiled_with(sections))?.into())
}

/// Arguments: a URL, and a base for a relative one.
fn href(_: &mut Session, arguments: &mut Arguments<'_>) -> Result<Output, Fault> {
    let (text, base) = (arguments.text()?, arguments.optional_text()?);
    let url = match base {
        Some(base) => Url::parse(base)?.join(text)?,
        None => Url::parse(text)?,
    };
    Ok(url.into_string().into())
}

/// Argument: a URL.
fn url(_: &mut Session, arguments: &mut Arguments<'_>) -> Result<Output, Fault> {
    let url = Url::parse(arguments.text()?)?;
    let host_kind = url.host().map(|host| match host {
        Host::Empty => "empty",
        Host::Domain(_) => "domain",
        Host::Ipv4(_) => "ipv4",
        Host::Ipv6(_) => "ipv6",
        Host::Opaque(_) => "opaque",
    });
    Ok(output::json(&json!({
        "href": url.as_str(),
        "scheme": url.scheme(),
        "username": url.username(),
        "password": url.password(),
        "host": url.host_str(),
        "hostKind": host_kind,
        "port": url.port(),
        "path": url.path(),
        "query": url.query(),
        "fragment": url.fragment(),
    })))
}

/// Arguments: base, reference, mode.
fn resolve(_: &mut Session, arguments: &mut Arguments<'_>) -> Result<Output, Fault> {
    const MODES: [(&str, Option<Mode>); 4] = [
        ("web", None),
        ("strict", Some(Mode::Strict)),
        ("nonstrict", Some(Mode::Nonstrict)),
        ("rfc2396", Some(Mode::Rfc2396)),
    ];
    let (base, reference) = (arguments.text()?, arguments.text()?);
    Ok(match choose("mode", arguments.text()?, &MODES)? {
        None => Url::parse(base)?.join(reference)?.into_string().into(),
        Some(mode) => generic::resolve(base, reference, mode)?.into(),
    })
}

/// Argument: a URI.
fn normalise(_: &mut Session, arguments: &mut Arguments<'_>) -> Result<Output, Fault> {
    Ok(generic::normalise(arguments.text()?)?.to_string().into())
}

/// Argument: a path.
fn remove_dot_segments(_: &mut Session, arguments: &mut Arguments<'_>) -> Result<Output, Fault> {
    Ok(generic::remove_dot_segments(arguments.text()?).into_owned().into())
}
