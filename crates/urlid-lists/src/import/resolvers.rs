//! Lists as settings of name servers: dnsmasq, Unbound and response policy zones (RPZ).

use super::exceptions::ExceptionScope;
use super::report::Reason;
use super::{ListImport, host_name, is_blocking, parse_address};
use crate::rules::Covers;

/// The types of zones that give only a blocking answer.
const BLOCKING_ZONES: [&str; 11] = [
    "always_deny",
    "always_nodata",
    "always_null",
    "always_nxdomain",
    "always_refuse",
    "deny",
    "inform_deny",
    "inform_redirect",
    "redirect",
    "refuse",
    "static",
];

impl ListImport<'_> {
    /// Reads a setting of dnsmasq (dnsmasq(8)): `address=/a.example/b.example/0.0.0.0`. Names without an
    /// address, or with `#`, are answered as not found.
    pub(super) fn dnsmasq_line(&mut self, line: &str) {
        let line = line.split_once(" #").map_or(line, |(line, _)| line.trim_end());
        let names = line.split_once('=').and_then(|(setting, value)| {
            let is_list = matches!(setting.trim(), "address" | "server" | "local");
            value.trim().strip_prefix('/')?.rsplit_once('/').filter(|_| is_list)
        });
        let Some((names, answer)) = names else { return self.report.add(Reason::Setting, line) };
        let blocks = matches!(answer, "" | "#") || parse_address(answer).is_some_and(is_blocking);
        for name in names.split('/') {
            match host_name(name.strip_prefix('.').unwrap_or(name)) {
                _ if !blocks => self.report.add(Reason::OtherAddress, &format!("{answer} {name}")),
                Ok(host) => self.keep_host(&host, name, Covers::Subdomains),
                Err(reason) => self.report.add(reason, name),
            }
        }
    }

    /// Reads a setting of Unbound (unbound.conf(5)): `local-zone: "a.example" always_nxdomain`, which
    /// includes the names below it, or `local-data: "a.example A 0.0.0.0"`, which is exact.
    pub(super) fn unbound_line(&mut self, line: &str) {
        let Some((setting, value)) = line.split_once(':') else {
            return self.report.add(Reason::Malformed, line);
        };
        let value = value.split_once(" #").map_or(value, |(value, _)| value).trim();
        let is_quote = |character| matches!(character, '"' | '\'');
        let mut words = value.split(|character: char| character.is_whitespace() || is_quote(character));
        let words: Vec<&str> = words.by_ref().filter(|word| !word.is_empty()).collect();
        match (setting.trim(), words.as_slice()) {
            // The name of a section.
            (_, []) => {}
            ("local-zone", [name, kind]) if BLOCKING_ZONES.contains(kind) => {
                self.keep_name(name, Covers::Subdomains);
            }
            ("local-data", [name, record @ ..]) => match address_of(record) {
                Some(true) => self.keep_name(name, Covers::Directory),
                Some(false) => self.report.add(Reason::OtherAddress, line),
                None => self.report.add(Reason::Setting, line),
            },
            _ => self.report.add(Reason::Setting, line),
        }
    }

    /// Reads a line of a response policy zone (draft-vixie-dnsop-dns-rpz): `a.example CNAME .`, with `*.` for
    /// the names below it.
    pub(super) fn rpz_line(&mut self, line: &str) {
        let text = line.split(';').next().unwrap_or_default();
        let (opened, closed) = (text.matches('(').count(), text.matches(')').count());
        let is_inside = self.zone.depth > 0;
        self.zone.depth = (self.zone.depth + opened).saturating_sub(closed);
        let mut words: Vec<&str> = text.split_ascii_whitespace().collect();
        if is_inside || words.is_empty() {
            return;
        }
        if let [directive, rest @ ..] = words.as_slice()
            && directive.starts_with('$')
        {
            match (*directive, rest) {
                ("$ORIGIN", [origin, ..]) => self.set_origin(origin),
                ("$TTL", _) => {}
                _ => self.report.add(Reason::Setting, line.trim()),
            }
            return;
        }
        if !text.starts_with([' ', '\t']) {
            words.remove(0).clone_into(&mut self.zone.owner);
        }
        // A time to live and the class may precede the type.
        let is_head = |word: &&str| word.bytes().all(|byte| byte.is_ascii_digit()) || *word == "IN";
        let record: Vec<&str> = words.into_iter().skip_while(is_head).collect();
        let owner = self.zone.owner.clone();
        let text = line.trim();
        match record.as_slice() {
            ["SOA", ..] if owner != "@" => self.set_origin(&owner),
            ["SOA" | "NS", ..] => {}
            ["CNAME", "." | "*." | "rpz-drop." | "rpz-tcp-only."] => self.keep_trigger(&owner, text),
            ["CNAME", "rpz-passthru."] => {
                let name = owner.strip_prefix("*.").unwrap_or(&owner);
                if let Ok(host) = host_name(name) {
                    // The name without the names below it, or the reverse, so only a part of the matches of
                    // an entry.
                    let scope = ExceptionScope::Host { host, is_whole: false, is_open: false };
                    self.zone.exceptions.push((text.to_owned(), scope, self.report.place));
                }
            }
            record => match address_of(record) {
                Some(true) => self.keep_trigger(&owner, text),
                Some(false) => self.report.add(Reason::OtherAddress, text),
                None => self.report.add(Reason::Setting, text),
            },
        }
    }

    fn set_origin(&mut self, origin: &str) {
        origin.trim_end_matches('.').clone_into(&mut self.zone.origin);
    }

    /// Keeps the name that a record of a zone is about, relative to the zone.
    fn keep_trigger(&mut self, owner: &str, line: &str) {
        let name = match owner.strip_suffix('.') {
            None => Some(owner),
            Some(absolute) => {
                absolute.strip_suffix(self.zone.origin.as_str()).and_then(|name| name.strip_suffix('.'))
            }
        };
        // An absolute name outside the zone is not a trigger, and other triggers are about addresses or
        // servers.
        let Some(name) = name.filter(|name| !name.contains(".rpz-")) else {
            return self.report.add(Reason::Setting, line);
        };
        let Some(below) = name.strip_prefix("*.") else { return self.keep_name(name, Covers::Directory) };
        match host_name(below) {
            Ok(host) => {
                self.keep_host(&host, name, Covers::Subdomains);
                self.kept.set_below_only();
            }
            Err(reason) => self.report.add(reason, name),
        }
    }

    fn keep_name(&mut self, name: &str, covers: Covers) {
        match host_name(name) {
            Ok(host) => self.keep_host(&host, name, covers),
            Err(reason) => self.report.add(reason, name),
        }
    }
}

/// Returns whether the address of a record blocks. Returns `None` if the record lacks one.
fn address_of(record: &[&str]) -> Option<bool> {
    let place = record.iter().position(|word| matches!(*word, "A" | "AAAA"))?;
    parse_address(record.get(place + 1)?).map(is_blocking)
}
