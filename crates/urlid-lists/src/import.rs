//! Lists of other formats, a line at a time, as the entries of a hidden list, and the differences between the
//! two.
//!
//! Filters of Adblock Plus are in `filters` and `exceptions`, the files of name servers in `resolvers`. Entries that wait for
//! the exceptions of later inputs are in `kept`, and `clean` writes them as text. How far an entry of a URL
//! reaches is in `reach`, and the reasons are in `report`.

use core::cell::OnceCell;
use core::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::borrow::Cow;
use std::collections::HashSet;

use super::builder::ListBuilder;
use super::candidate::ListCandidate;
use super::rules::{Covers, Intake, ListRules, named};
use urlid::Error;
use urlid::internal::ends_in_number;
use urlid::suffix::SuffixList;

use exceptions::concerning;
use kept::{Kept, KeptUrl, Zone};
use reach::{Meaning, is_dns_name, is_url};

mod clean;
mod exceptions;
mod filters;
mod kept;
mod reach;
mod recognise;
mod report;
mod resolvers;

pub use clean::{CleanList, CleanRules};
pub use report::{Effect, ImportReport, LeftOut, LinePlace, Reason};

/// The format of a list that a hidden list is made from.
///
/// Displays as `urls`, `hosts`, `abp`, `domains`, `urlhaus`, `dnsmasq`, `rpz` or `unbound`;
/// [`FromStr`](core::str::FromStr) takes these.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ListFormat {
    /// A URL a line. The maker chooses what entries cover.
    Urls,
    /// A file of hosts: an address, and the hosts that it is given. Each is listed exactly.
    Hosts,
    /// Filters of Adblock Plus: `||host^` and URLs. Hosts are listed with those below them.
    Abp,
    /// A domain a line, also as `.domain` and `*.domain`. It is listed with the hosts below it.
    Domains,
    /// URLhaus, comma-separated: the third column is a URL.
    Urlhaus,
    /// Settings of dnsmasq: the domains of `address=`, `server=` and `local=` that get no other answer than a
    /// blocking one.
    Dnsmasq,
    /// A response policy zone: names, and with `*.` the names below them.
    Rpz,
    /// Settings of Unbound: `local-zone:`, with the hosts below it, and `local-data:`, exactly.
    Unbound,
}

impl ListFormat {
    /// Returns what the rules of the format usually cover.
    pub fn covers(self) -> Covers {
        match self {
            Self::Hosts => Covers::Directory,
            Self::Abp | Self::Domains | Self::Dnsmasq | Self::Rpz | Self::Unbound => Covers::Subdomains,
            Self::Urls | Self::Urlhaus => Covers::Url,
        }
    }

    /// Returns whether a line is a URL, or has one.
    pub fn is_of_urls(self) -> bool {
        matches!(self, Self::Urls | Self::Urlhaus)
    }

    /// Returns the usual treatment of public suffixes. A file of hosts lists exact hosts, so one that is a
    /// suffix does not stand for the names below it.
    pub fn on_suffix(self) -> OnSuffix {
        if self == Self::Hosts { OnSuffix::Keep } else { OnSuffix::LeaveOut }
    }
}

named!(
    ListFormat,
    "urls, hosts, abp, domains, urlhaus, dnsmasq, rpz or unbound",
    Urls = "urls",
    Hosts = "hosts",
    Abp = "abp",
    Domains = "domains",
    Urlhaus = "urlhaus",
    Dnsmasq = "dnsmasq",
    Rpz = "rpz",
    Unbound = "unbound"
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

/// Reads lines of other formats into a [`ListBuilder`]. An example is at [`ImportReport`].
pub struct ListImport<'s> {
    format: ListFormat,
    rules: ListRules,
    suffixes: &'s SuffixList,
    /// `None` keeps those of exact hosts only, which do not stand for the names below them.
    on_suffix: Option<OnSuffix>,
    widening: Widening,
    report: ImportReport,
    /// The lines of lists of filters, each with a line end, and their places: an exception may stand before or
    /// after its rule.
    filters: String,
    filter_places: Vec<LinePlace>,
    kept: Kept,
    zone: Zone,
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
            on_suffix: None,
            widening: Widening::default(),
            report: ImportReport::default(),
            filters: String::new(),
            filter_places: Vec::new(),
            kept: Kept::default(),
            zone: Zone::default(),
            top_level: OnceCell::new(),
        }
    }

    /// Sets the treatment of public suffixes. By default entries that match below them are left out.
    #[must_use]
    pub fn with_suffixes(self, on_suffix: OnSuffix) -> Self {
        Self { on_suffix: Some(on_suffix), ..self }
    }

    /// Sets whether filters may be approximated.
    #[must_use]
    pub fn with_widening(self, widening: Widening) -> Self {
        Self { widening, ..self }
    }

    /// Keeps every line that is left out, for [`ImportReport::left_out`].
    #[must_use]
    pub fn with_left_out(mut self) -> Self {
        self.report.left_out = Some(Vec::new());
        self
    }

    /// Begins the source of this index, whose lines have this format.
    pub fn begin_source(&mut self, source: usize, format: ListFormat) {
        self.format = format;
        self.report.place = LinePlace { source, line: 0 };
        self.zone = Zone::default();
    }

    /// Reads a line. URLs are added at once, and what cannot be an entry is counted; the others are kept until
    /// the end.
    ///
    /// # Errors
    /// [`Error`] if a line of URLs has none with a canonical form.
    pub fn line(&mut self, line: &str, base: Option<&str>, builder: &mut ListBuilder) -> Result<(), Error> {
        self.report.place.line += 1;
        match self.url_of(line) {
            Some((url, meaning)) => {
                let base = base.filter(|_| self.format == ListFormat::Urls);
                self.url(&url, meaning, base, builder)
            }
            None => Ok(()),
        }
    }

    /// Reads the line of this number. URLs are kept until the end too, so that exceptions apply to them.
    ///
    /// # Errors
    /// [`Error`] if a line of URLs has none with a canonical form.
    pub fn keep(&mut self, number: u64, line: &str) -> Result<(), Error> {
        self.report.place.line = number;
        let Some((url, meaning)) = self.url_of(line) else { return Ok(()) };
        let candidate = ListCandidate::new(&url, None, self.rules)?;
        candidate.canonical(String::new(), &mut String::new(), candidate.itself(), self.rules.keep)?;
        self.kept.urls.push(KeptUrl::new(url.into_owned(), meaning, self.report.place));
        Ok(())
    }

    /// Returns the format of the source that is read.
    pub fn format(&self) -> ListFormat {
        self.format
    }

    /// Returns the index of the source that is read.
    pub fn source(&self) -> usize {
        self.report.place.source
    }

    /// Returns whether no entry and no filter is kept.
    pub fn is_empty(&self) -> bool {
        self.kept.hosts.is_empty() && self.kept.urls.is_empty() && self.filters.is_empty()
    }

    /// Sets the number of the line that [`line`](Self::line) reads next.
    pub fn set_number(&mut self, number: u64) {
        self.report.place.line = number.saturating_sub(1);
    }

    /// Returns what the entries that are kept cover, each with the index of the first source that has it.
    pub fn coverage(&self) -> Vec<(Covers, usize)> {
        self.kept.coverage(self.filter_places.first())
    }

    /// Reads a line, and returns the URL of a line of URLs.
    fn url_of<'l>(&mut self, line: &'l str) -> Option<(Cow<'l, str>, Meaning)> {
        let text = line.trim();
        match self.format {
            _ if text.is_empty() => {}
            ListFormat::Abp => {
                self.filters.push_str(text);
                self.filters.push('\n');
                self.filter_places.push(self.report.place);
            }
            _ if text.starts_with('#') => {}
            // Not the trimmed text: without the intake `web` a space is part of the text, and an error.
            ListFormat::Urls => return Some((Cow::Borrowed(line), Meaning::Entry)),
            ListFormat::Hosts => self.hosts_line(text),
            ListFormat::Domains => match domain_of_line(text) {
                Ok((name, host)) => self.keep_host(&host, &name, Covers::Subdomains),
                Err(reason) => self.report.add(reason, text),
            },
            ListFormat::Urlhaus => match third_field(text) {
                Some(url) if is_url(&url) => return Some((Cow::Owned(url), Meaning::Exact)),
                Some(url) if url.contains("://") => self.report.add(Reason::OtherScheme, text),
                _ => self.report.add(Reason::Malformed, text),
            },
            ListFormat::Dnsmasq => self.dnsmasq_line(text),
            ListFormat::Rpz => self.rpz_line(line),
            ListFormat::Unbound => self.unbound_line(text),
        }
        None
    }

    /// Keeps the entry of a host. A public suffix is left out later, by what entries of the list cover.
    fn keep_host(&mut self, host: &str, shown: &str, covers: Covers) {
        if !self.kept.push_host(host, shown, covers, self.report.place) {
            self.report.add(Reason::Malformed, host);
        }
    }

    /// Adds the entries that were kept, unless exceptions take them out, and returns the report. Entries cover
    /// what the rules of the builder say.
    pub fn finish(mut self, builder: &mut ListBuilder) -> ImportReport {
        self.rules = builder.rules();
        let exceptions = self.settle(Some(builder), false);
        self.count_without_apex(|_| true);
        let kept = core::mem::take(&mut self.kept);
        let listed: Vec<&str> = kept.all_hosts().collect();
        for (line, place) in concerning(exceptions, &listed) {
            self.report.place = place;
            self.report.add(Reason::Exception, &line);
        }
        for index in 0..kept.hosts.len() {
            let (host, shown) = kept.texts(index);
            self.report.place = kept.hosts[index].place;
            self.host(host, shown, kept.hosts[index].covers, builder);
        }
        for url in kept.urls {
            self.report.place = url.place;
            let Some(canonical) = url.canonical else {
                // `keep` tried it.
                if self.url(&url.text, url.meaning, None, builder).is_err() {
                    self.report.add(Reason::Malformed, &url.text);
                }
                continue;
            };
            for reason in url.reasons {
                self.report.add(reason, &url.shown);
            }
            match builder.push(canonical) {
                Ok(()) => self.report.taken += 1,
                Err(_) => self.report.add(Reason::Malformed, &url.shown),
            }
        }
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
        if self.leaves_out_url(reach::whole_host(&canonical)) {
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
    fn hosts_line(&mut self, line: &str) {
        let mut words = line.split('#').next().unwrap_or_default().split_ascii_whitespace();
        let Some(address) = words.next() else { return };
        let Some(address) = parse_address(address) else {
            return self.report.add(Reason::NoAddress, line);
        };
        let blocks = is_blocking(address);
        let mut words = words.peekable();
        if words.peek().is_none() {
            return self.report.add(Reason::Malformed, line);
        }
        for name in words {
            match host_name(name) {
                // Whatever the address: on each machine these names mean that machine.
                _ if is_own_name(name) => self.report.add(Reason::OwnName, name),
                _ if !blocks => self.report.add(Reason::OtherAddress, &format!("{address} {name}")),
                Ok(host) => self.keep_host(&host, name, Covers::Directory),
                Err(reason) => self.report.add(reason, name),
            }
        }
    }

    /// Adds the roots of a host, as they are in the form of URLs, unless it is a public suffix. `covers` is what
    /// the source means.
    fn host(&mut self, host: &str, shown: &str, covers: Covers, builder: &mut ListBuilder) {
        let widest = if covers == Covers::Subdomains { covers } else { self.rules.covers };
        if self.leaves_out(Some(host), widest) {
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
        if let Some(reason) = reach::change(reach::has_hosts_below(host), covers, self.rules.covers) {
            self.report.add(reason, shown);
        }
        self.report.taken += 1;
        self.report.hosts += 1;
    }

    /// Returns whether an entry for a whole host is left out because it is a public suffix.
    fn leaves_out(&self, host: Option<&str>, covers: Covers) -> bool {
        let usual = if covers == Covers::Subdomains { OnSuffix::LeaveOut } else { OnSuffix::Keep };
        let is_left_out = self.on_suffix.unwrap_or(usual) == OnSuffix::LeaveOut;
        let Some(host) = host.filter(|host| is_left_out && !reach::is_address(host)) else {
            return false;
        };
        // Variant `none` keeps letter case.
        self.suffixes.is_normal_suffix(&host.to_ascii_lowercase())
    }

    /// Returns whether the entry of a line of URLs is left out because it is a whole host that is a public suffix.
    fn leaves_out_url(&self, host: Option<&str>) -> bool {
        // Names of one network, such as `http://intranet/`, are suffixes by the default rule only.
        let names = || self.suffixes.names().filter(|name| !name.contains('.')).collect();
        let is_local = |host: &str| {
            let host = host.to_ascii_lowercase();
            !host.contains('.') && !self.top_level.get_or_init(names).contains(&host)
        };
        self.leaves_out(host, Covers::Subdomains) && !host.is_some_and(is_local)
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
    // Both forms stand for a domain with the names below it in lists of domains.
    let host = host_name(name.strip_prefix("*.").or(name.strip_prefix('.')).unwrap_or(&name))?;
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

/// Returns whether an address blocks its names. One that leads somewhere maps them.
fn is_blocking(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => address.is_unspecified() || address.is_loopback(),
        IpAddr::V6(address) => address.is_unspecified() || address.is_loopback(),
    }
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
