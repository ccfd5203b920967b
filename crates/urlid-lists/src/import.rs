//! Lists of other formats, a line at a time, as the URLs that a hidden list is made of.
//!
//! What a hidden list cannot say is left out, each line with the reason.

use core::fmt;
use core::net::IpAddr;
use core::str::FromStr;

use super::rules::Ladder;
use crate::error;
use urlid::Error;
use urlid::internal::ends_in_number;
use urlid::suffix::SuffixList;

/// The format of a list that a hidden list is made from.
///
/// Displays as `hosts`, `abp`, `domains` or `urlhaus`; [`FromStr`] takes these.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ListFormat {
    /// A file of hosts: an address, and the hosts that it is given. Each is listed exactly.
    Hosts,
    /// Filters of Adblock Plus: `||host^` and URLs. Hosts are listed with those below them.
    Abp,
    /// A domain a line, listed with the hosts below it.
    Domains,
    /// URLhaus, comma-separated: the third column is a URL.
    Urlhaus,
}

impl ListFormat {
    const EACH: [Self; 4] = [Self::Hosts, Self::Abp, Self::Domains, Self::Urlhaus];

    /// Returns the ladder by which the rules of the format are matched.
    pub fn ladder(self) -> Ladder {
        match self {
            Self::Hosts => Ladder::Path,
            Self::Abp | Self::Domains => Ladder::Hosts,
            Self::Urlhaus => Ladder::None,
        }
    }
}

impl fmt::Display for ListFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Hosts => "hosts",
            Self::Abp => "abp",
            Self::Domains => "domains",
            Self::Urlhaus => "urlhaus",
        })
    }
}

impl FromStr for ListFormat {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let format = Self::EACH.into_iter().find(|format| format.to_string() == text);
        format.ok_or_else(|| error::setting(text, "hosts, abp, domains or urlhaus"))
    }
}

/// Why a line of another format is not in a hidden list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum LeftOut {
    /// An exception: `@@`.
    Exception,
    /// A rule about elements of a page.
    Element,
    /// A rule with options: `$`.
    Options,
    /// A regular expression.
    Expression,
    /// A rule with `*`, or with `^` or `|` elsewhere than around a host or before a URL.
    Wildcard,
    /// A public suffix: everybody's names are below it.
    PublicSuffix,
    /// Not a host, or not a URL.
    Malformed,
}

impl fmt::Display for LeftOut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Exception => "exceptions",
            Self::Element => "rules about elements",
            Self::Options => "rules with options",
            Self::Expression => "regular expressions",
            Self::Wildcard => "rules with wildcards",
            Self::PublicSuffix => "public suffixes",
            Self::Malformed => "malformed lines",
        })
    }
}

/// Reads lines of another format.
///
/// ```
/// use urlid::suffix::SuffixList;
/// use urlid_lists::{LeftOut, ListFormat, ListImport};
///
/// let mut import = ListImport::new(ListFormat::Abp, SuffixList::compiled());
/// assert_eq!(import.line("||bad.example^"), Ok(vec!["http://bad.example/".to_owned(), "https://bad.example/".to_owned()]));
/// assert_eq!(import.line("||co.uk^"), Err(LeftOut::PublicSuffix));
/// assert_eq!(import.line("! a comment"), Ok(vec![]));
/// assert_eq!((import.hosts(), import.deep_hosts()), (1, 0));
/// ```
#[derive(Clone, Debug)]
pub struct ListImport<'s> {
    format: ListFormat,
    suffixes: &'s SuffixList,
    hosts: u64,
    deep: u64,
}

impl<'s> ListImport<'s> {
    /// Begins a list of a format.
    pub fn new(format: ListFormat, suffixes: &'s SuffixList) -> Self {
        Self { format, suffixes, hosts: 0, deep: 0 }
    }

    /// Returns the URLs of a line; none of a comment and a blank line.
    ///
    /// # Errors
    /// Why the line is left out.
    pub fn line(&mut self, line: &str) -> Result<Vec<String>, LeftOut> {
        let line = line.trim();
        match self.format {
            _ if line.is_empty() => Ok(Vec::new()),
            ListFormat::Hosts => self.hosts_line(line),
            ListFormat::Abp => self.abp_rule(line),
            ListFormat::Domains if line.starts_with('#') => Ok(Vec::new()),
            ListFormat::Domains => self.host(line.split('#').next().unwrap_or(line).trim_end()),
            ListFormat::Urlhaus if line.starts_with('#') => Ok(Vec::new()),
            ListFormat::Urlhaus => {
                third_field(line).filter(|url| is_url(url)).map(|url| vec![url]).ok_or(LeftOut::Malformed)
            }
        }
    }

    /// Returns the number of rules about hosts, which became `http` and `https`: other schemes and ports are not matched.
    pub fn hosts(&self) -> u64 {
        self.hosts
    }

    /// Returns how many of them have more than five labels: the hosts below those are not matched.
    pub fn deep_hosts(&self) -> u64 {
        self.deep
    }

    /// A line of a hosts file: if one host is left out, so is the line.
    fn hosts_line(&mut self, line: &str) -> Result<Vec<String>, LeftOut> {
        let mut words = line.split('#').next().unwrap_or_default().split_whitespace();
        let Some(address) = words.next() else { return Ok(Vec::new()) };
        let mut urls = Vec::new();
        let mut words = words.peekable();
        if !is_address(address) || words.peek().is_none() {
            return Err(LeftOut::Malformed);
        }
        for host in words {
            urls.extend(self.host(host)?);
        }
        Ok(urls)
    }

    fn abp_rule(&mut self, rule: &str) -> Result<Vec<String>, LeftOut> {
        if rule.starts_with('!') || (rule.starts_with('[') && rule.ends_with(']')) {
            return Ok(Vec::new());
        }
        if rule.starts_with("@@") {
            return Err(LeftOut::Exception);
        }
        if ["##", "#@#", "#?#", "#$#", "#%#"].iter().any(|mark| rule.contains(mark)) {
            return Err(LeftOut::Element);
        }
        if rule.len() > 1 && rule.starts_with('/') && rule.ends_with('/') {
            return Err(LeftOut::Expression);
        }
        if let Some(host) = rule.strip_prefix("||") {
            // `$` occurs in no host; in a URL it begins options.
            return match (host.contains('$'), host.strip_suffix('^')) {
                (true, _) => Err(LeftOut::Options),
                (false, Some(host)) if !host.contains(['*', '/', '|', '^']) => self.host(host),
                (false, _) => Err(LeftOut::Wildcard),
            };
        }
        let url = rule.strip_prefix('|').unwrap_or(rule);
        match url {
            _ if url.contains('$') => Err(LeftOut::Options),
            _ if url.contains(['*', '^', '|']) => Err(LeftOut::Wildcard),
            _ if is_url(url) => Ok(vec![url.to_owned()]),
            // A part of a URL matches wherever it stands.
            _ => Err(LeftOut::Wildcard),
        }
    }

    /// Returns the roots of a host.
    fn host(&mut self, host: &str) -> Result<Vec<String>, LeftOut> {
        if host.contains('*') {
            return Err(LeftOut::Wildcard);
        }
        let host = host.strip_suffix('.').unwrap_or(host);
        let is_name = !host.is_empty()
            && !host.starts_with('.')
            && host
                .chars()
                .all(|character| character.is_alphanumeric() || matches!(character, '.' | '-' | '_'));
        if !is_name {
            return Err(LeftOut::Malformed);
        }
        let url = urlid::web::Url::parse(&format!("http://{host}/")).map_err(|_| LeftOut::Malformed)?;
        let (_, range) = url.user_and_host();
        let name = &url.as_str()[range];
        // Names below a public suffix are of different owners.
        if !ends_in_number(name) && self.suffixes.split(name).domain.is_empty() {
            return Err(LeftOut::PublicSuffix);
        }
        self.hosts += 1;
        // A candidate climbs to hosts of at most five labels, so the hosts below one with more are not found by it.
        self.deep += u64::from(!ends_in_number(name) && name.split('.').count() > 5);
        Ok(["http", "https"].map(|scheme| format!("{scheme}://{host}/")).to_vec())
    }
}

/// Returns whether a word is an address, which may name an interface.
fn is_address(word: &str) -> bool {
    let address = word.split_once('%').map_or(word, |(address, _)| address);
    address.parse::<IpAddr>().is_ok()
}

fn is_url(text: &str) -> bool {
    ["http://", "https://"]
        .iter()
        .any(|start| text.get(..start.len()).is_some_and(|text| text.eq_ignore_ascii_case(start)))
}

/// Returns the third field of a line of comma-separated values (RFC 4180).
fn third_field(line: &str) -> Option<String> {
    let mut rest = line;
    for index in 0.. {
        let (field, after) = match rest.strip_prefix('"') {
            None => rest
                .split_once(',')
                .map_or((rest.to_owned(), None), |(field, rest)| (field.to_owned(), Some(rest))),
            Some(quoted) => quoted_field(quoted)?,
        };
        if index == 2 {
            return Some(field);
        }
        rest = after?;
    }
    None
}

/// Reads a field after its quotation mark: two such marks are one, and one ends it. Returns what follows the comma after it.
fn quoted_field(text: &str) -> Option<(String, Option<&str>)> {
    let mut field = String::new();
    let mut rest = text;
    loop {
        let (before, after) = rest.split_once('"')?;
        field.push_str(before);
        match after.strip_prefix('"') {
            Some(more) => {
                field.push('"');
                rest = more;
            }
            None if after.is_empty() => return Some((field, None)),
            None => return after.strip_prefix(',').map(|after| (field, Some(after))),
        }
    }
}
