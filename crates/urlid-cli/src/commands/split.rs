//! `urlid split`: the hosts of URLs, and hosts alone, at their public suffix.

use std::borrow::Cow;
use std::net::Ipv6Addr;

use clap::Args;
use memchr::{memchr_iter, memchr3};
use urlid::Url;
use urlid::host::Host;
use urlid::reference::Class;
use urlid::suffix::SuffixList;
use urlid::sxurl::HostPart;
use urlid::web::Part;

use super::parts::part::{Parts, Written, name_in_tables};
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
/// A text with :// is a URL, and so is one that begins with http:, https:, ws:, wss:, ftp: or file:. Hosts are mapped as in
/// URLs: to lower case and to ASCII. A dot at the end is dropped. A host that is itself a
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
        let url = match without_path(text) {
            Some(url) => Cow::Borrowed(url),
            None if is_special(text) => Cow::Borrowed(text),
            None => match url_of_host(text) {
                Ok(url) => Cow::Owned(url),
                Err(refusal) => return Some(refusal),
            },
        };
        let mut parsed = None;
        let parts = match Parts::parse(&url, Written::Normal, &self.list, &mut parsed) {
            Ok(parts) => parts,
            Err(error) => return Some(error.into()),
        };
        if let (Some("domain"), None) = (parts.get(Part::HostKind), parts.get(Part::Tld)) {
            // A name with an empty label has no parts.
            if let Some(Err(error)) = parts.get(Part::Host).map(HostPart::map) {
                return Some(error.into());
            }
        }
        PARTS.iter().for_each(|part| cells.push(parts.get(*part)));
        None
    }
}

/// Returns a URL up to the slash behind its authority, or further: what is behind that changes no host, and is long. None if
/// the text has no `://`.
fn without_path(text: &str) -> Option<&str> {
    let colon = memchr_iter(b':', text.as_bytes()).find(|colon| text[*colon..].starts_with("://"))?;
    // Web URLs may have more slashes before the host.
    let authority = text[colon..].trim_start_matches([':', '/', '\\', '\t', '\n', '\r']);
    let start = text.len() - authority.len();
    let end = memchr3(b'/', b'?', b'#', authority.as_bytes()).map_or(text.len(), |len| start + len);
    // With its slash, most often, the URL is in normal form, and no other text is made of it.
    Some(&text[..end + usize::from(text[end..].starts_with('/'))])
}

/// Whether a text begins with a scheme of the web: behind it a host needs no slashes.
fn is_special(text: &str) -> bool {
    text.split_once(':').is_some_and(|(scheme, _)| Class::of_scheme(scheme).is_special())
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_host_of_a_url_does_not_depend_on_what_is_behind_it() {
        let schemes = ["http", "https", "FTP", "file", "foo", "blob:https", "mailto:a", "ht\ttp", ""];
        let slashes = ["://", ":///", "://\\", "://\t/", ":\\://"];
        let authorities = [
            "www.Example.co.uk",
            "u:p@h.:8",
            "u@x:y@h",
            "[::1]:1",
            "1.2.3",
            "",
            "a b",
            ":80",
            "é.com",
            "a\nb",
            "C:",
        ];
        let rests = ["", "/", "/a@b:c", "?a://b", "#/x", "\\a/b", "/\t", "/../x y%"];
        let host = |url: &str| Url::parse(url).ok().map(|url| url.host_str().map(str::to_owned));
        for (scheme, slashes) in schemes.iter().flat_map(|scheme| slashes.map(|slashes| (scheme, slashes))) {
            for (authority, rest) in authorities.iter().flat_map(|host| rests.map(|rest| (host, rest))) {
                let text = [scheme, slashes, authority, rest].concat();
                let url = without_path(&text).expect("it has ://");
                assert_eq!(host(url), host(&text), "{text:?}");
            }
        }
    }
}
