//! Lists of other formats, a line at a time, as the entries of a hidden list, and the differences between the
//! two.
//!
//! Filters of Adblock Plus are in `filters`, how far an entry of a URL reaches is in `reach`, and the reasons
//! are in `report`.

use core::cell::OnceCell;
use core::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::borrow::Cow;
use std::collections::HashSet;

use super::builder::ListBuilder;
use super::rules::{Covers, Intake, ListRules, named};
use urlid::Error;
use urlid::internal::ends_in_number;
use urlid::suffix::SuffixList;

use reach::{Meaning, is_dns_name, is_url};

mod filters;
mod reach;
mod report;

pub use report::{Effect, ImportReport, Reason};

/// The format of a list that a hidden list is made from.
///
/// Displays as `urls`, `hosts`, `abp`, `domains` or `urlhaus`; [`FromStr`](core::str::FromStr) takes these.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ListFormat {
    /// A URL a line. The maker chooses what entries cover.
    Urls,
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
    /// Returns what the rules of the format cover.
    pub fn covers(self) -> Covers {
        match self {
            Self::Hosts => Covers::Directory,
            Self::Abp | Self::Domains => Covers::Subdomains,
            Self::Urls | Self::Urlhaus => Covers::Url,
        }
    }

    /// Returns the usual treatment of public suffixes. A file of hosts lists exact hosts, so one that is a
    /// suffix does not stand for the names below it.
    pub fn on_suffix(self) -> OnSuffix {
        if self == Self::Hosts { OnSuffix::Keep } else { OnSuffix::LeaveOut }
    }
}

named!(
    ListFormat,
    "urls, hosts, abp, domains or urlhaus",
    Urls = "urls",
    Hosts = "hosts",
    Abp = "abp",
    Domains = "domains",
    Urlhaus = "urlhaus"
);

/// The treatment of an entry for a whole host that is a public suffix.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum OnSuffix {
    /// It is left out and counted.
    LeaveOut,
    /// It is listed.
    Keep,
}

/// Whether filters become entries that match more or less than the filter.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Widening {
    /// No: such a filter is left out and counted.
    #[default]
    LeaveOut,
    /// Yes: it is listed, and counted for each difference.
    Approximate,
}

/// Reads lines of another format into a [`ListBuilder`]. An example is at [`ImportReport`].
pub struct ListImport<'s> {
    format: ListFormat,
    rules: ListRules,
    suffixes: &'s SuffixList,
    on_suffix: OnSuffix,
    widening: Widening,
    report: ImportReport,
    /// The lines of a list of filters, each with a line end: an exception may stand before or after its rule.
    filters: String,
    /// The suffixes of one label that the list names, made when the first is looked up.
    top_level: OnceCell<HashSet<String>>,
}

impl<'s> ListImport<'s> {
    /// Begins a list of a format. The rules are those of the builder.
    pub fn new(format: ListFormat, rules: ListRules, suffixes: &'s SuffixList) -> Self {
        Self {
            format,
            rules,
            suffixes,
            on_suffix: format.on_suffix(),
            widening: Widening::default(),
            report: ImportReport::default(),
            filters: String::new(),
            top_level: OnceCell::new(),
        }
    }

    /// Sets the treatment of public suffixes, instead of [`ListFormat::on_suffix`].
    #[must_use]
    pub fn with_suffixes(self, on_suffix: OnSuffix) -> Self {
        Self { on_suffix, ..self }
    }

    /// Sets whether filters may be approximated.
    #[must_use]
    pub fn with_widening(self, widening: Widening) -> Self {
        Self { widening, ..self }
    }

    /// Reads a line. What cannot be an entry is counted; filters are kept until the end.
    ///
    /// # Errors
    /// [`Error`] if a line of URLs has none with a canonical form.
    pub fn line(&mut self, line: &str, base: Option<&str>, builder: &mut ListBuilder) -> Result<(), Error> {
        let text = line.trim();
        match self.format {
            _ if text.is_empty() => {}
            ListFormat::Abp => {
                self.filters.push_str(text);
                self.filters.push('\n');
            }
            _ if text.starts_with('#') => {}
            // Not the trimmed text: without the intake `web` a space is part of the text, and an error.
            ListFormat::Urls => return self.url(line, Meaning::Entry, base, builder),
            ListFormat::Hosts => self.hosts_line(text, builder),
            ListFormat::Domains => match domain_of_line(text) {
                Ok((name, host)) => self.host(&host, &name, builder),
                Err(reason) => self.report.add(reason, text),
            },
            ListFormat::Urlhaus => match third_field(text) {
                Some(url) if is_url(&url) => return self.url(&url, Meaning::Exact, None, builder),
                Some(url) if url.contains("://") => self.report.add(Reason::OtherScheme, text),
                _ => self.report.add(Reason::Malformed, text),
            },
        }
        Ok(())
    }

    /// Adds the filters, if there are any, and returns the report.
    pub fn finish(mut self, builder: &mut ListBuilder) -> ImportReport {
        self.finish_filters(builder);
        self.report
    }

    /// Adds a URL as it is, and counts the ways in which it matches more.
    fn url(
        &mut self,
        text: &str,
        meaning: Meaning,
        base: Option<&str>,
        builder: &mut ListBuilder,
    ) -> Result<(), Error> {
        let canonical = builder.canonical(text, base)?;
        // By the generic syntax a host may be any name, of any system.
        if matches!(self.rules.intake, Intake::Web(_)) && !reach::has_dns_host(&canonical) {
            self.report.add(Reason::NotDns, text);
            return Ok(());
        }
        // By the canonical form: variants make whole hosts of texts that do not look like one.
        if self.leaves_out(reach::whole_host(&canonical)) {
            self.report.add(Reason::PublicSuffix, text);
            return Ok(());
        }
        for reason in reach::differences(text, base, &canonical, meaning, self.rules) {
            self.report.add(reason, text);
        }
        builder.push(canonical)?;
        self.report.taken += 1;
        Ok(())
    }

    /// Reads a line of a hosts file (hosts(5)): an address and names, each of which is taken or left out for
    /// itself.
    fn hosts_line(&mut self, line: &str, builder: &mut ListBuilder) {
        let mut words = line.split('#').next().unwrap_or_default().split_ascii_whitespace();
        let Some(address) = words.next() else { return };
        let Some(address) = parse_address(address) else {
            return self.report.add(Reason::NoAddress, line);
        };
        // An address that leads somewhere maps its names; it does not block them.
        let blocks = match address {
            IpAddr::V4(address) => address.is_unspecified() || address.is_loopback(),
            IpAddr::V6(address) => address.is_unspecified() || address.is_loopback(),
        };
        let mut words = words.peekable();
        if words.peek().is_none() {
            return self.report.add(Reason::Malformed, line);
        }
        for name in words {
            match host_name(name) {
                // Whatever the address: on each machine these names mean that machine.
                _ if is_own_name(name) => self.report.add(Reason::OwnName, name),
                _ if !blocks => self.report.add(Reason::OtherAddress, &format!("{address} {name}")),
                Ok(host) => self.host(&host, name, builder),
                Err(reason) => self.report.add(reason, name),
            }
        }
    }

    /// Adds the roots of a host, as they are in the form of URLs, unless it is a public suffix.
    fn host(&mut self, host: &str, shown: &str, builder: &mut ListBuilder) {
        if self.leaves_out(Some(host)) {
            return self.report.add(Reason::PublicSuffix, shown);
        }
        let added = ["http", "https"].map(|scheme| builder.add(&format!("{scheme}://{host}/"), None));
        if added.iter().any(Result::is_err) {
            return self.report.add(Reason::Malformed, shown);
        }
        if self.rules.covers == Covers::Subdomains
            && !reach::has_hosts_below(host)
            && !reach::is_address(host)
        {
            self.report.add(Reason::Below, shown);
        }
        self.report.taken += 1;
        self.report.hosts += 1;
    }

    /// Returns whether an entry for a whole host is left out because it is a public suffix.
    fn leaves_out(&self, host: Option<&str>) -> bool {
        let Some(host) = host.filter(|host| self.on_suffix == OnSuffix::LeaveOut && !reach::is_address(host))
        else {
            return false;
        };
        // Variant `none` keeps letter case.
        let host = &*host.to_ascii_lowercase();
        match self.format {
            // Names of one network, such as `http://intranet/`, are suffixes by the default rule only.
            ListFormat::Urls | ListFormat::Urlhaus if !host.contains('.') => {
                let names = || self.suffixes.names().filter(|name| !name.contains('.')).collect();
                self.top_level.get_or_init(names).contains(host)
            }
            _ => self.suffixes.is_normal_suffix(host),
        }
    }
}

/// Reads the line of a list of domains, and returns the name in it as it is written and as the host of a URL.
///
/// The line may be one of comma-separated values with the name in quotation marks, after ranks, or before an
/// empty field: `7,a.example` and `"a.example",`.
pub(crate) fn domain_of_line(line: &str) -> Result<(Cow<'_, str>, String), Reason> {
    // Only after white space: a name with `#` is no name with a comment.
    let comment = line.match_indices('#').find(|(offset, _)| line[..*offset].ends_with([' ', '\t']));
    let line = comment.map_or(line, |(offset, _)| line[..offset].trim_end());
    let name = name_of_record(line).map_or(Cow::Borrowed(line), Cow::Owned);
    let host = host_name(&name)?;
    Ok((name, host))
}

/// Returns the name in a line of comma-separated values, if it has ranks and one name; nothing of a line that
/// is a single field.
fn name_of_record(line: &str) -> Option<String> {
    if !line.contains([',', '"']) {
        return None;
    }
    let is_rank = |field: &String| !field.is_empty() && field.bytes().all(|byte| byte.is_ascii_digit());
    let mut fields = fields(line).skip_while(|field| field.as_ref().is_some_and(is_rank));
    let name = fields.next()??;
    let is_alone = fields.all(|field| field.is_some_and(|field| field.is_empty()));
    is_alone.then(|| name.trim().to_owned())
}

/// Returns a name as the host of a URL, if DNS has such names: of letters, digits, `-` and `_`, after the
/// mapping of the URL Standard.
fn host_name(name: &str) -> Result<String, Reason> {
    let host = parsed_name(name)?;
    if is_dns_name(&host) { Ok(host) } else { Err(Reason::NotDns) }
}

/// Returns a name as the host of a URL (URL Standard, "host parsing"). A dot at its end is the root of the
/// domain system.
fn parsed_name(name: &str) -> Result<String, Reason> {
    let name = name.strip_suffix('.').unwrap_or(name);
    if name.contains('*') {
        return Err(Reason::Wildcard);
    }
    if name.trim_matches(['[', ']']).parse::<Ipv6Addr>().is_ok() {
        return Err(Reason::Ipv6);
    }
    if name.contains(['/', '\\', '?', '#', '@', ':']) {
        return Err(Reason::NotHost);
    }
    // The URL parser drops tabs and line ends, so `a<TAB>b` would become one name.
    if name.contains(|character: char| character.is_ascii_whitespace()) {
        return Err(Reason::ManyWords);
    }
    if ends_in_number(name) && name.parse::<Ipv4Addr>().is_err() {
        return Err(Reason::Ipv4Spelling);
    }
    // No resolver looks such a name up, and without the dots it would be another one.
    if name.starts_with('.') || name.ends_with('.') {
        return Err(Reason::Malformed);
    }
    let host = parsed_host(name).ok_or(Reason::Malformed)?;
    // Digits that are not ASCII are mapped to such: `１２３４` is an address, too.
    if ends_in_number(&host) && host != name {
        return Err(Reason::Ipv4Spelling);
    }
    Ok(host)
}

fn parsed_host(name: &str) -> Option<String> {
    let url = urlid::web::Url::parse(&format!("http://{name}/")).ok()?;
    let (_, range) = url.user_and_host();
    url.as_str().get(range).filter(|host| !host.is_empty()).map(str::to_owned)
}

/// Reads the address of a line, which may name an interface. An IPv4 address may be short: `0` is 0.0.0.0
/// (inet_aton(3)).
fn parse_address(word: &str) -> Option<IpAddr> {
    // An interface limits an address to one link, which does not matter for what it blocks.
    let address = word.split_once('%').map_or(word, |(address, _)| address);
    if ends_in_number(address) && !address.contains(':') {
        return parsed_host(address)?.parse().ok();
    }
    address.parse().ok()
}

/// Returns whether a name is one that hosts files give to the machine itself.
fn is_own_name(name: &str) -> bool {
    const OWN: [&str; 9] = [
        "localhost",
        "localhost.localdomain",
        "localhost4",
        "localhost4.localdomain4",
        "localhost6",
        "localhost6.localdomain6",
        "local",
        "broadcasthost",
        "0.0.0.0",
    ];
    let name = name.strip_suffix('.').unwrap_or(name).to_ascii_lowercase();
    OWN.contains(&name.as_str()) || (name.starts_with("ip6-") && !name.contains('.'))
}

/// Returns the third field of a line of comma-separated values.
fn third_field(line: &str) -> Option<String> {
    fields(line).nth(2)?
}

/// Iterates over the fields of a line of comma-separated values (RFC 4180); the last one is `None` if it
/// breaks the rules for quotation marks.
fn fields(line: &str) -> impl Iterator<Item = Option<String>> {
    let mut rest = Some(line);
    core::iter::from_fn(move || {
        let text = rest.take()?;
        let Some(quoted) = text.strip_prefix('"') else {
            let (field, after) =
                text.split_once(',').map_or((text, None), |(field, after)| (field, Some(after)));
            rest = after;
            return Some(Some(field.to_owned()));
        };
        let field = quoted_field(quoted);
        rest = field.as_ref().and_then(|(_, after)| *after);
        Some(field.map(|(field, _)| field))
    })
}

/// Reads a field after its quotation mark: two such marks are one, and one ends it. Returns what follows the
/// comma after it.
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
