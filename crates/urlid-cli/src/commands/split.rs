//! `urlid split`: the hosts of URLs, and hosts alone, at their public suffix.

use std::borrow::Cow;
use std::net::Ipv6Addr;

use clap::Args;
use memchr::memchr_iter;
use urlid::Url;
use urlid::host::Host;
use urlid::suffix::SuffixList;
use urlid::sxurl::HostPart;
use urlid::web::Part;

use super::parts::part::{ParsedUrl, Written, name_in_tables};
use crate::columns::TableArgs;
use crate::enrich;
use crate::exit::{Exit, Failure};
use crate::globals::Globals;
use crate::input::TextInputs;
use crate::refusals::Refusal;
use crate::rows::{FormatArg, Shown};
use crate::session::Session;
use crate::table::{self, Cells, ValueColumn, Values};

/// Split the hosts of URLs, and hosts alone, at their public suffix: sub, domain, tld
///
/// Hosts are mapped as in URLs: to lower case and to ASCII. A dot at the end is dropped. A host that is itself a
/// public suffix has no domain, and an IP address has none of the parts; host_kind says which it is. The formats csv,
/// tsv and ndjson have registered_domain and host_kind too.
///
/// Example: urlid split www.example.co.uk
///
/// Example: urlid split --column host hosts.tsv
///
/// Example: urlid split --format csv https://www.example.co.uk/a http://127.0.0.1/ example.com.
#[derive(Debug, Args)]
pub(crate) struct SplitArgs {
    #[command(flatten)]
    hosts: TextInputs,

    #[command(flatten)]
    format: FormatArg,

    #[command(flatten)]
    table: TableArgs,
}

/// Prints the parts of each host.
pub(crate) fn run(args: &SplitArgs, globals: &Globals) -> Result<Exit, Failure> {
    let list = globals.psl.list()?;
    let make = || Splitter { list: list.clone() };
    if args.table.is_given()? {
        return enrich::run(
            &args.table,
            args.format.format,
            &args.hosts,
            globals.psl.path().as_slice(),
            make,
        );
    }
    let session = Session::begin(&args.hosts, globals.psl.path().as_slice())?;
    table::run(session, args.format.format, "host", make)
}

struct Splitter {
    list: Cow<'static, SuffixList>,
}

/// The parts of a host.
const PARTS: [Part; 5] = [Part::Sub, Part::Domain, Part::Tld, Part::RegisteredDomain, Part::HostKind];

impl Values for Splitter {
    fn columns(&self) -> Vec<ValueColumn> {
        let shown = |part| match part {
            Part::RegisteredDomain | Part::HostKind => Shown::NotInText,
            _ => Shown::Always,
        };
        PARTS
            .map(|part| ValueColumn {
                shown: shown(part),
                in_tables: Some(name_in_tables(part, self.list.sections())),
                ..ValueColumn::text(part.name())
            })
            .into()
    }

    fn suffix_list(&self) -> Option<&SuffixList> {
        Some(&self.list)
    }

    fn values(&mut self, text: &str, cells: &mut impl Cells) -> Option<Refusal> {
        match parse(text) {
            Ok(url) => {
                let parts = url.parts(&self.list);
                if let (Some(domain), None) = (url.url().domain(), parts.get(Part::Tld)) {
                    // A name with an empty label has no parts.
                    if let Err(error) = HostPart::map(domain) {
                        return Some(error.into());
                    }
                }
                PARTS.iter().for_each(|part| cells.push(parts.get(*part).as_deref()));
                None
            }
            Err(refusal) => Some(refusal),
        }
    }
}

/// Parses a URL, or a host as that of a URL.
fn parse(text: &str) -> Result<ParsedUrl, Refusal> {
    let has_scheme = memchr_iter(b':', text.as_bytes()).any(|colon| text[colon..].starts_with("://"));
    Ok(match has_scheme {
        true => ParsedUrl::parse(text, Written::Normal)?,
        false => ParsedUrl::parse(&url_of_host(text)?, Written::Normal)?,
    })
}

fn url_of_host(host: &str) -> Result<String, Refusal> {
    if host.parse::<Ipv6Addr>().is_ok() {
        return Ok(format!("https://[{host}]/"));
    }
    let url = format!("https://{host}/");
    if is_ip(host, &url) {
        return Ok(url);
    }
    // Mapping refuses what delimits a host in a URL, so the URL has this host and nothing else.
    let name = HostPart::map(host.strip_suffix('.').unwrap_or(host))?;
    Ok(format!("https://{}/", name.as_str()))
}

/// Whether a host is an IP address, and `url` has it as its host and nothing else.
fn is_ip(host: &str, url: &str) -> bool {
    let is_plain = host.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'.');
    let is_bracketed = host.starts_with('[') && host.ends_with(']');
    (is_plain || is_bracketed)
        && Url::parse(url).is_ok_and(|url| matches!(url.host(), Some(Host::Ipv4(_) | Host::Ipv6(_))))
}
