//! Logs as tables: the columns of a line in the formats of web servers, Squid, Zeek and Heritrix.
//!
//! A line stays as it is written. Each format has a column `url`, which is made of others where the log writes a
//! host and a target, or a target alone.

use std::borrow::Cow;
use std::net::IpAddr;
use std::ops::Range;

use urlid::Url;

/// The programs whose logs are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LogFormat {
    /// The combined or common format of Apache and nginx, perhaps after the name of the virtual host.
    Combined,
    /// The native access log of Squid.
    Squid,
    /// Tab-separated `http.log` of Zeek, whose first lines start with `#`.
    Zeek,
    /// `crawl.log` of Heritrix.
    CrawlLog,
}

/// The columns of the formats that do not name them.
const COMBINED: &str =
    "vhost host ident user time request method target protocol status size referer user_agent";
const SQUID: &str = "time elapsed client result size method target user hierarchy type";
const CRAWL_LOG: &str = "time status size target hops via type thread fetch_time digest source annotations";

/// The name of the column that is made of others.
const URL: &str = "url";

impl LogFormat {
    /// Returns the name of the format.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            LogFormat::Combined => "combined",
            LogFormat::Squid => "squid",
            LogFormat::Zeek => "zeek",
            LogFormat::CrawlLog => "crawl-log",
        }
    }

    /// Recognises a format by the first line.
    #[must_use]
    pub fn of_line(line: &[u8]) -> Option<Self> {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        if line.starts_with(b"#separator ") {
            return Some(LogFormat::Zeek);
        }
        let formats = [LogFormat::Combined, LogFormat::Squid, LogFormat::CrawlLog];
        formats.into_iter().find(|format| format.fields(line, &mut Vec::new()))
    }

    /// Returns the names of the columns, by the lines before the first row.
    pub(super) fn columns(self, head: &[u8]) -> Vec<String> {
        let names = match self {
            LogFormat::Combined => COMBINED.into(),
            LogFormat::Squid => SQUID.into(),
            LogFormat::CrawlLog => CRAWL_LOG.into(),
            LogFormat::Zeek => {
                let fields =
                    head.split(|&byte| byte == b'\n').find_map(|line| line.strip_prefix(b"#fields\t"));
                String::from_utf8_lossy(fields.unwrap_or_default())
            }
        };
        let mut columns: Vec<String> = names.split_ascii_whitespace().map(str::to_owned).collect();
        columns.push(URL.to_owned());
        columns
    }

    /// Returns the request targets, URLs and other fields of a line that are read whole where secrets are
    /// replaced; `None` if the line is not of the format.
    #[must_use]
    pub fn targets(self, line: &[u8]) -> Option<Vec<Range<usize>>> {
        let mut fields = Vec::new();
        if !self.fields(line, &mut fields) {
            return None;
        }
        let places: &[usize] = match self {
            LogFormat::Combined => &[7, 11],
            LogFormat::Squid => &[6],
            LogFormat::CrawlLog => &[3, 5],
            LogFormat::Zeek => return Some(fields),
        };
        Some(
            places
                .iter()
                .filter_map(|&place| fields.get(place))
                .filter(|it| !it.is_empty())
                .cloned()
                .collect(),
        )
    }

    /// Finds the range of each field of a line, empty for one that is not there; returns whether the line is of
    /// the format.
    fn fields(self, line: &[u8], fields: &mut Vec<Range<usize>>) -> bool {
        fields.clear();
        match self {
            LogFormat::Combined => combined(line, fields).is_some(),
            LogFormat::Squid => squid(line, fields) == Some(true),
            LogFormat::CrawlLog => crawl_log(line, fields) == Some(true),
            LogFormat::Zeek if line.starts_with(b"#") => false,
            LogFormat::Zeek => {
                let mut start = 0;
                let ends = memchr::memchr_iter(b'\t', line).chain([line.len()]);
                fields.extend(ends.map(|end| std::mem::replace(&mut start, end + 1)..end));
                true
            }
        }
    }
}

/// What a row of a log is read with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct LogColumns {
    format: LogFormat,
    /// The number of fields, without the column `url`.
    width: usize,
    /// The columns of the host, the address, the port and the target.
    host: Option<usize>,
    address: Option<usize>,
    port: Option<usize>,
    target: Option<usize>,
    /// The scheme and host of targets without one.
    base: Option<String>,
}

impl LogColumns {
    pub(super) fn new(format: LogFormat, columns: &[String]) -> Self {
        let place = |name: &str| columns.iter().position(|column| column == name);
        let (host, target) = match format {
            LogFormat::Zeek => (place("host"), place("uri")),
            _ => (place("vhost"), place("target")),
        };
        LogColumns {
            format,
            width: columns.len() - 1,
            host,
            address: place("id.resp_h"),
            port: place("id.resp_p"),
            target,
            base: None,
        }
    }

    /// Takes the scheme and host of a URL for targets without one.
    pub(super) fn set_base(&mut self, base: &Url) {
        let port = base.port().map(|port| format!(":{port}")).unwrap_or_default();
        self.base = Some(format!("{}://{}{port}", base.scheme(), base.host_str().unwrap_or_default()));
    }

    /// Calls `take` with the value of each column of `places`; returns whether the line is of the format. `fields`
    /// is used again.
    pub(super) fn values<'l>(
        &self,
        line: &'l [u8],
        places: &[usize],
        fields: &mut Vec<Range<usize>>,
        mut take: impl FnMut(Option<Cow<'l, [u8]>>),
    ) -> bool {
        // Zeek names its fields, so that a line with others is damaged.
        let is_row = self.format.fields(line, fields)
            && (self.format != LogFormat::Zeek || fields.len() == self.width);
        if is_row {
            for &place in places {
                take(match place {
                    _ if place >= self.width => self.url(line, fields),
                    _ => value(line, fields.get(place)).map(Cow::Borrowed),
                });
            }
        }
        is_row
    }

    /// Returns the URL of a line: the target, with the host that it lacks.
    fn url<'l>(&self, line: &'l [u8], fields: &[Range<usize>]) -> Option<Cow<'l, [u8]>> {
        let value = |place: Option<usize>| value(line, fields.get(place?));
        let target = unescaped(value(self.target)?);
        // A proxy writes whole URLs, and of a tunnel only a host and a port.
        if !target.starts_with(b"/") {
            return memchr::memmem::find(&target, b"://").map(|_| target);
        }
        let host = value(self.host).or(value(self.address));
        let mut url = match (self.format, host) {
            (LogFormat::Zeek, Some(host)) => {
                let port = value(self.port).filter(|&port| port != b"80" && !host.contains(&b':'));
                let mut url = [b"http://", host].concat();
                port.into_iter().for_each(|port| url.extend([b":", port].concat()));
                url
            }
            (_, Some(host)) => {
                let secure = host.strip_suffix(b":443");
                let scheme = if secure.is_some() { "https://" } else { "http://" };
                let host = secure.or(host.strip_suffix(b":80")).unwrap_or(host);
                [scheme.as_bytes(), host].concat()
            }
            (_, None) => self.base.as_deref().unwrap_or_default().into(),
        };
        url.extend_from_slice(&target);
        Some(Cow::Owned(url))
    }
}

/// Returns the value of a field, if it has one.
fn value<'l>(line: &'l [u8], field: Option<&Range<usize>>) -> Option<&'l [u8]> {
    let value = &line[field?.clone()];
    (!matches!(value, b"" | b"-" | b"(empty)")).then_some(value)
}

/// Returns a target without the escapes of a log: `\xHH` is `%HH`, and `\"` is `%22`.
fn unescaped(target: &[u8]) -> Cow<'_, [u8]> {
    let Some(first) = memchr::memchr(b'\\', target) else { return Cow::Borrowed(target) };
    let mut out = target[..first].to_vec();
    let mut rest = &target[first..];
    while let Some(at) = memchr::memchr(b'\\', rest) {
        out.extend_from_slice(&rest[..at]);
        rest = match &rest[at..] {
            [_, b'x', high, low, after @ ..] if high.is_ascii_hexdigit() && low.is_ascii_hexdigit() => {
                out.extend([b'%', *high, *low]);
                after
            }
            [_, b'"', after @ ..] => {
                out.extend(b"%22");
                after
            }
            [_, b'\\', after @ ..] => {
                out.push(b'\\');
                after
            }
            _ => {
                out.push(b'\\');
                &rest[at + 1..]
            }
        };
    }
    out.extend_from_slice(rest);
    Cow::Owned(out)
}

/// Reads a line of Apache or nginx.
fn combined(line: &[u8], fields: &mut Vec<Range<usize>>) -> Option<()> {
    // The time is the first in brackets before a quote: a virtual host and a user may have some.
    let time_end = memchr::memmem::find(line, b"] \"")?;
    let bracket = memchr::memmem::rfind(&line[..time_end], b" [")? + 1;
    fields.extend(words(line, 0..bracket));
    // The name of a virtual host is before the others. A client is never absent.
    let is_vhost = fields.len() >= 4 && {
        let [first, second] = [0, 1].map(|index| &line[fields[index].clone()]);
        second != b"-" && (is_host_with_port(first) || is_address(second))
    };
    let vhost = if is_vhost { fields.remove(0) } else { 0..0 };
    let [host, ident, user, ..] = &fields[..] else { return None };
    // A user may have a blank in it.
    let (host, ident, user) = (host.clone(), ident.clone(), user.start..fields.last()?.end);
    let request = quoted(line, time_end + 1)?;
    let mut rest = words(line, request.end + 1..line.len());
    let (status, size) = (rest.next()?, rest.next()?);
    if status.len() != 3 || !line[status.clone()].iter().all(u8::is_ascii_digit) {
        return None;
    }
    let referer = quoted(line, size.end).unwrap_or(0..0);
    let agent = if referer.end > 0 { quoted(line, referer.end + 1).unwrap_or(0..0) } else { 0..0 };
    // A target may have blanks in it, and a request that is not HTTP has neither.
    let text = &line[request.clone()];
    let method_end = memchr::memchr(b' ', text);
    let protocol = memchr::memmem::rfind(text, b" HTTP/").map_or(request.end, |at| request.start + at);
    let (method, target) = match method_end.map(|end| request.start + end) {
        Some(end) if end < protocol => (request.start..end, end + 1..protocol),
        _ => (0..0, request.clone()),
    };
    let protocol = (protocol + 1).min(request.end)..request.end;
    let time = bracket + 1..time_end;
    fields.clear();
    fields.extend([vhost, host, ident, user, time, request, method, target, protocol]);
    fields.extend([status, size, referer, agent]);
    Some(())
}

/// Returns whether a word is a host with its port, which an IPv6 address without brackets is not.
fn is_host_with_port(word: &[u8]) -> bool {
    let Some(colon) = memchr::memrchr(b':', word) else { return false };
    let (host, port) = (&word[..colon], &word[colon + 1..]);
    let is_host = host.ends_with(b"]") || memchr::memchr(b':', host).is_none();
    is_host && !host.is_empty() && !port.is_empty() && port.iter().all(u8::is_ascii_digit)
}

fn is_address(word: &[u8]) -> bool {
    std::str::from_utf8(word).is_ok_and(|word| word.parse::<IpAddr>().is_ok())
}

/// Returns the range between the next two quotes, without a backslash before them. Only a blank is before the
/// first.
fn quoted(line: &[u8], from: usize) -> Option<Range<usize>> {
    let start = match line.get(from..)? {
        [b' ', b'"', ..] => from + 2,
        _ => return None,
    };
    let mut at = start;
    loop {
        at += memchr::memchr2(b'"', b'\\', line.get(at..)?)?;
        match line[at] {
            b'"' => return Some(start..at),
            _ => at += 2,
        }
    }
}

/// Reads a line of Squid.
fn squid(line: &[u8], words: &mut Vec<Range<usize>>) -> Option<bool> {
    words.extend(self::words(line, 0..line.len()));
    let text = |index: usize| words.get(index).map(|word: &Range<usize>| &line[word.clone()]);
    let (seconds, fraction) = text(0)?.split_at_checked(10)?;
    let is_number = |text: &[u8]| !text.is_empty() && text.iter().all(u8::is_ascii_digit);
    let is_time = is_number(seconds) && fraction.strip_prefix(b".").is_some_and(is_number);
    let result = text(3)?;
    let has_code = memchr::memchr(b'/', result).is_some_and(|slash| is_number(&result[slash + 1..]));
    let elapsed = text(1)?;
    let is_elapsed = is_number(elapsed.strip_prefix(b"-").unwrap_or(elapsed));
    Some(is_time && is_elapsed && has_code && is_number(text(4)?) && words.len() >= 10)
}

/// Reads a line of Heritrix, whose last columns may be missing.
fn crawl_log(line: &[u8], words: &mut Vec<Range<usize>>) -> Option<bool> {
    words.extend(self::words(line, 0..line.len()));
    let text = |index: usize| words.get(index).map(|word: &Range<usize>| &line[word.clone()]);
    let time = text(0)?;
    let is_number = |text: &[u8]| !text.is_empty() && text.iter().all(u8::is_ascii_digit);
    let is_time =
        (time.len() == 17 && is_number(time)) || (time.get(10) == Some(&b'T') && time.ends_with(b"Z"));
    let status = text(1)?;
    let is_status = is_number(status.strip_prefix(b"-").unwrap_or(status));
    let has_scheme = memchr::memchr(b':', text(3)?).is_some();
    Some(is_time && is_status && has_scheme && words.len() >= 7)
}

/// Returns the ranges of the words between blanks, in a part of a line.
fn words(line: &[u8], part: Range<usize>) -> impl Iterator<Item = Range<usize>> {
    let mut start = part.start;
    let blanks = memchr::memchr2_iter(b' ', b'\t', &line[part.clone()]).map(move |blank| part.start + blank);
    let ends = blanks.chain([part.end]).map(move |end| std::mem::replace(&mut start, end + 1)..end);
    ends.filter(|word| !word.is_empty())
}
