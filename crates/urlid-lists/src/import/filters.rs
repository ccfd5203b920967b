//! Filters of Adblock Plus, as far as they name hosts and URLs. Exceptions and `$badfilter` act on all
//! filters of a run.
//!
//! The syntax follows "How to write filters" (help.adblockplus.org), with `$badfilter`, `$all`, `$important`,
//! `!#if` and `!#include` of uBlock Origin and AdGuard.

use std::collections::HashSet;

use super::exceptions::{Exception, ExceptionScope, MOST_NAME, is_below, key_of, topmost};
use super::kept::KeptUrl;
use super::reach::{self, Meaning, is_url};
use super::{ImportReport, ListImport, Reason, Widening, host_name, parsed_host, parsed_name};
use crate::builder::ListBuilder;
use crate::rules::Covers;
use core::net::Ipv6Addr;

enum FilterLine<'l> {
    Comment,
    /// A line that is counted for a reason and otherwise ignored.
    Counted(Reason),
    Filter(FilterRule<'l>),
}

/// A filter that blocks, or with `@@` an exception.
struct FilterRule<'l> {
    is_exception: bool,
    pattern: &'l str,
    options: Option<&'l str>,
}

/// The options that a filter may have and still become an entry.
#[derive(Clone, Copy, Default)]
struct EntryOptions {
    /// Exceptions without this option do not apply.
    is_important: bool,
    /// Whether it blocks only pages or new windows.
    is_of_pages: bool,
}

impl ListImport<'_> {
    /// Adds the filters to the kept entries, and removes the entries that unconditional exceptions cover: the
    /// host of such an exception and the names below it. URLs of filters get their canonical forms if a builder
    /// is given. `keeps_exact` keeps exact hosts next to the same hosts with the names below them.
    pub(super) fn settle(
        &mut self,
        mut builder: Option<&mut ListBuilder>,
        keeps_exact: bool,
    ) -> Vec<Exception> {
        let text = core::mem::take(&mut self.filters);
        let places = core::mem::take(&mut self.filter_places);
        let mut filters = Vec::new();
        for (line, place) in text.lines().zip(places) {
            match parse_line(line) {
                FilterLine::Filter(filter) => filters.push((line, filter, place)),
                FilterLine::Comment => {}
                FilterLine::Counted(reason) => {
                    self.report.place = place;
                    self.report.add(reason, line);
                }
            }
        }
        // Collected before any rule is read, because `$badfilter` also disables rules that precede it.
        let disabled: HashSet<String> =
            filters.iter().filter_map(|(_, filter, _)| filter.disables()).collect();
        let mut exceptions = core::mem::take(&mut self.zone.exceptions);
        for (line, filter, place) in filters {
            self.report.place = place;
            let is_disabled = !disabled.is_empty() && disabled.contains(&filter.key(None));
            if is_disabled || filter.disables().is_some() {
                continue;
            }
            if filter.is_exception {
                exceptions.push((line.to_owned(), filter.scope(), place));
            } else if let Err(reason) = self.keep_filter(line, &filter, builder.as_deref_mut()) {
                self.report.add(reason, line);
            }
        }
        let mut kept = core::mem::take(&mut self.kept);
        kept.join(keeps_exact, |host| self.leaves_out(Some(host), Covers::Subdomains));
        self.kept = kept;
        let excepted = |is_important: bool| {
            topmost(exceptions.iter().filter_map(|(line, scope, _)| match scope {
                ExceptionScope::Host { host, is_whole: true, .. }
                    if !is_important || line.ends_with("$important") =>
                {
                    Some(key_of(host))
                }
                _ => None,
            }))
        };
        let (usual, important) = (excepted(false), excepted(true));
        if !usual.is_empty() {
            self.kept.retain(|host, is_important| {
                !is_below(&key_of(host), if is_important { &important } else { &usual })
            });
        }
        exceptions
    }

    /// Counts the names that a zone has below `*.` only, whose entries match the names themselves too, unless
    /// they are left out.
    pub(super) fn count_without_apex(&mut self, is_listed: impl Fn(&str) -> bool) {
        for (name, place) in core::mem::take(&mut self.kept.without_apex) {
            if is_listed(name.trim_start_matches("*.")) {
                self.report.place = place;
                self.report.add(Reason::Apex, &name);
            }
        }
    }

    /// Keeps the entry of a filter.
    fn keep_filter(
        &mut self,
        line: &str,
        filter: &FilterRule<'_>,
        builder: Option<&mut ListBuilder>,
    ) -> Result<(), Reason> {
        let pattern = filter.pattern;
        if is_expression(pattern) {
            return Err(Reason::Expression);
        }
        let options = filter.entry_options().ok_or(Reason::Options)?;
        // Counted after the filter is known to become an entry.
        let count = |report: &mut ImportReport| {
            if options.is_of_pages {
                report.add(Reason::Pages, line);
            }
        };
        // A `*` at either end does not change the matches of a pattern.
        let pattern = pattern.trim_end_matches('*');
        if pattern.is_empty() && !filter.pattern.is_empty() {
            return Err(Reason::Wildcard);
        }
        if let Some(rest) = pattern.strip_prefix("||") {
            let host = host_of_filter(rest)?;
            count(&mut self.report);
            self.keep_host(&host, line, Covers::Subdomains);
            self.kept.set_important(options.is_important);
            return Ok(());
        }
        let (url, meaning, name) = match pattern.strip_prefix('|') {
            None => (pattern, Meaning::Part, Reason::UrlPart),
            Some(rest) => match rest.strip_suffix('|') {
                Some(url) => (url, Meaning::Filter, Reason::ExactUrl),
                None => (rest, Meaning::Prefix, Reason::UrlPrefix),
            },
        };
        if url.is_empty() {
            return Err(Reason::Unfinished);
        }
        if url.contains(['*', '^', '|']) {
            return Err(Reason::Wildcard);
        }
        if !is_url(url) {
            return Err(match meaning {
                _ if url.contains("://") => Reason::OtherScheme,
                Meaning::Part if url.contains(char::is_whitespace) => Reason::ManyWords,
                _ => name,
            });
        }
        if url.ends_with("://") {
            return Err(name);
        }
        let mut kept = KeptUrl::new(url.to_owned(), meaning, self.report.place);
        if kept.host.is_empty() {
            return Err(Reason::Malformed);
        }
        if let Some(builder) = builder {
            let canonical = builder.canonical(url, None).map_err(|_| Reason::Malformed)?;
            if !reach::has_dns_host(&canonical) {
                return Err(Reason::NotDns);
            }
            kept.reasons = reach::differences(url, None, &canonical, meaning, self.rules);
            if !kept.reasons.is_empty() && self.widening == Widening::LeaveOut {
                return Err(name);
            }
            if self.leaves_out(reach::whole_host(&canonical), Covers::Subdomains) {
                return Err(Reason::PublicSuffix);
            }
            kept.canonical = Some(canonical);
        }
        count(&mut self.report);
        line.clone_into(&mut kept.shown);
        kept.is_important = options.is_important;
        self.kept.urls.push(kept);
        Ok(())
    }
}

fn parse_line(line: &str) -> FilterLine<'_> {
    if line.starts_with("!#include") {
        return FilterLine::Counted(Reason::Include);
    }
    if line.starts_with("!#if") {
        return FilterLine::Counted(Reason::Condition);
    }
    if line.starts_with('!') || (line.starts_with('[') && line.ends_with(']')) {
        return FilterLine::Comment;
    }
    if is_about_elements(line) {
        return FilterLine::Counted(Reason::Element);
    }
    // Requests lack a fragment, so a filter cannot start with one.
    if line.starts_with('#') {
        return FilterLine::Comment;
    }
    let (is_exception, rule) = line.strip_prefix("@@").map_or((false, line), |rule| (true, rule));
    let (pattern, options) = match rule.rsplit_once('$') {
        // The last `$` is used, because a pattern may contain `$`. In a regular expression it is an anchor.
        Some((pattern, options)) if !is_expression(rule) => (pattern, Some(options)),
        _ => (rule, None),
    };
    let is_unfinished = options == Some("") || (pattern.is_empty() && options.is_none());
    match is_unfinished {
        true => FilterLine::Counted(Reason::Unfinished),
        false => FilterLine::Filter(FilterRule { is_exception, pattern, options }),
    }
}

/// Returns whether a rule hides or changes elements. Such a rule has domains, which lack all of `/ | @ " !`,
/// followed by `##`, `#@#` and the like, or `$$`.
pub(super) fn is_about_elements(rule: &str) -> bool {
    let domains = rule.find(['/', '|', '@', '"', '!']).map_or(rule, |offset| &rule[..offset]);
    let Some(offset) = domains.find(['#', '$']) else { return false };
    let (mark, rest) = rule[offset..].split_at(1);
    rest.trim_start_matches(['@', '?', '$', '%']).starts_with('#') && mark == "#"
        || mark == "$" && (rest.starts_with('$') || rest.starts_with("@$"))
}

fn is_expression(pattern: &str) -> bool {
    pattern.len() > 1 && pattern.starts_with('/') && pattern.ends_with('/')
}

/// Returns the host of a filter that starts with `||`, if it is about exactly a host and the hosts below it.
fn host_of_filter(rest: &str) -> Result<String, Reason> {
    if rest.trim_end_matches(['^', '|']).is_empty() {
        return Err(Reason::Unfinished);
    }
    if rest.contains('*') {
        return Err(Reason::Wildcard);
    }
    if rest.trim_end_matches('^').parse::<Ipv6Addr>().is_ok() {
        return Err(Reason::Ipv6);
    }
    let (host, end) = split_host_pattern(rest);
    match end {
        "^" => {}
        "" if host.starts_with('[') && !host.ends_with(']') => return Err(Reason::Unfinished),
        "" => return Err(Reason::OpenHost),
        "|" | "^|" => return Err(Reason::ExactUrl),
        _ if end.starts_with(':') => return Err(Reason::Port),
        _ if end.starts_with(['/', '?', '#']) => return Err(Reason::Path),
        _ if end.starts_with('^') && !end[1..].contains(['^', '|']) => return Err(Reason::Path),
        _ => return Err(Reason::Wildcard),
    }
    match host.starts_with('[') {
        true => parsed_host(host).ok_or(Reason::Malformed),
        false => host_name(host),
    }
}

/// Splits the text after `||` at the end of the host.
fn split_host_pattern(rest: &str) -> (&str, &str) {
    let end = match rest.starts_with('[') {
        true => rest.find(']').map_or(rest.len(), |offset| offset + 1),
        false => rest.find(['/', ':', '^', '|', '?', '#', '*']).unwrap_or(rest.len()),
    };
    rest.split_at(end)
}

impl FilterRule<'_> {
    /// Returns the key of the filters that this one disables, if it has the option `badfilter`.
    fn disables(&self) -> Option<String> {
        let is_bad = self.options?.split(',').any(|option| option == "badfilter");
        is_bad.then(|| self.key(Some("badfilter")))
    }

    /// Returns a text that is the same for filters of the same text and options, whatever their order.
    /// Patterns ignore letter case.
    fn key(&self, without: Option<&str>) -> String {
        let mut options: Vec<&str> = self.options.map_or(Vec::new(), |options| {
            options.split(',').filter(|option| Some(*option) != without).collect()
        });
        options.sort_unstable();
        let start = if self.is_exception { "@@" } else { "" };
        let dollar = if options.is_empty() { "" } else { "$" };
        format!("{start}{}{dollar}{}", self.pattern.to_lowercase(), options.join(","))
    }

    /// Returns the options of a filter that becomes an entry. Returns `None` if it has other options.
    fn entry_options(&self) -> Option<EntryOptions> {
        let (mut options, mut is_of_all) = (EntryOptions::default(), false);
        for option in self.options.into_iter().flat_map(|options| options.split(',')) {
            match option.trim() {
                "all" => is_of_all = true,
                "important" => options.is_important = true,
                "document" | "doc" | "popup" => options.is_of_pages = true,
                _ => return None,
            }
        }
        options.is_of_pages &= !is_of_all;
        Some(options)
    }

    fn scope(&self) -> ExceptionScope {
        let pattern = self.pattern.trim_end_matches('*');
        let (host, end) = match (pattern.strip_prefix("||"), pattern.strip_prefix('|')) {
            (Some(rest), _) => split_host_pattern(rest),
            (None, Some(url)) if is_url(url) => {
                split_host_pattern(url.split_once("://").map_or("", |(_, rest)| rest))
            }
            _ => return ExceptionScope::Unknown,
        };
        let is_host = pattern.starts_with("||") && matches!(end, "" | "^");
        let is_open = end.is_empty() || end.starts_with('*');
        let host = match host.starts_with('[') {
            true => parsed_host(host),
            false => parsed_name(host).ok(),
        };
        match host {
            // A name of this length is impossible, so the hosts that start with it are not searched.
            Some(host) if is_open && host.len() > MOST_NAME => ExceptionScope::Unknown,
            None => ExceptionScope::Unknown,
            Some(host) => {
                let is_whole = is_host && self.options.is_none_or(|options| options == "important");
                ExceptionScope::Host { host, is_whole, is_open }
            }
        }
    }
}
