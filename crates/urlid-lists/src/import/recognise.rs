//! The format of a list, by its first lines.

use super::filters::is_about_elements;
use super::reach::is_url;
use super::{ListFormat, domain_of_line, parse_address, third_field};

impl ListFormat {
    /// Returns the format of most of the lines. Returns `None` if all are comments or have an unknown format.
    ///
    /// ```
    /// use urlid_lists::ListFormat;
    ///
    /// assert_eq!(ListFormat::recognise(["# hosts", "0.0.0.0 a.example"]), Some(ListFormat::Hosts));
    /// assert_eq!(ListFormat::recognise(["||a.example^"]), Some(ListFormat::Abp));
    /// ```
    pub fn recognise<'l>(lines: impl IntoIterator<Item = &'l str>) -> Option<Self> {
        let mut votes: Vec<(Self, u32)> = Vec::new();
        let mut is_filter_comment = false;
        for line in lines {
            is_filter_comment |= line.starts_with('!') || line.starts_with("[Adblock");
            let Some(format) = format_of(line.trim()) else { continue };
            match votes.iter_mut().find(|(other, _)| *other == format) {
                Some((_, count)) => *count += 1,
                None => votes.push((format, 1)),
            }
        }
        // The first of equal formats is chosen. `max_by_key` returns the last, so the order is reversed.
        let most = votes.iter().rev().max_by_key(|(_, count)| *count).map(|(format, _)| *format);
        most.or(is_filter_comment.then_some(Self::Abp))
    }
}

/// Returns the format of a line. Returns `None` for a comment or an unknown format.
fn format_of(line: &str) -> Option<ListFormat> {
    let is_element = is_about_elements(line) && !line.starts_with("## ") && !line.starts_with("###");
    let is_comment = line.is_empty() || line.starts_with(['#', ';', '!']);
    if is_element {
        return Some(ListFormat::Abp);
    }
    if is_comment {
        return None;
    }
    let starts = |starts: &[&str]| starts.iter().any(|start| line.starts_with(start));
    let mut words = line.split_ascii_whitespace();
    let (first, second) = (words.next()?, words.next());
    Some(match () {
        () if starts(&["||", "@@", "|http", "/^"]) || first.contains("^$") => ListFormat::Abp,
        () if starts(&["address=/", "server=/", "local=/"]) => ListFormat::Dnsmasq,
        () if starts(&["server:", "local-zone:", "local-data:"]) => ListFormat::Unbound,
        () if starts(&["$TTL", "$ORIGIN"]) => ListFormat::Rpz,
        () if line.split_ascii_whitespace().skip(1).any(|word| matches!(word, "CNAME" | "SOA")) => {
            ListFormat::Rpz
        }
        () if second.is_some() && parse_address(first).is_some() => ListFormat::Hosts,
        () if line.contains(',') && third_field(line).is_some_and(|url| is_url(&url)) && !is_url(line) => {
            ListFormat::Urlhaus
        }
        () if line.contains("://") => ListFormat::Urls,
        () if domain_of_line(line).is_ok_and(|(_, host)| host.contains('.')) => ListFormat::Domains,
        () => return None,
    })
}
