//! The differences between a hidden list and the source that it is made from, counted by reason.

use core::fmt;
use std::collections::BTreeMap;

/// How many examples are kept for a reason.
const EXAMPLES: usize = 3;

/// The effect of a difference between a hidden list and its source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Effect {
    /// A line, or a name in it, is not in the list.
    LeftOut,
    /// The list matches more than its source.
    More,
    /// The list matches less than its source, although the line is included.
    Less,
}

/// Why a hidden list differs from its source. Displays as a noun in the plural.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Reason {
    /// A public suffix, which has unrelated owners below it.
    PublicSuffix,
    /// A host that looks like an IPv4 address and that browsers read as a different address, or reject.
    Ipv4Spelling,
    /// An IPv6 address in the place of a name.
    Ipv6,
    /// A name with a character that ends a host.
    NotHost,
    /// A name with a character that is impossible in DNS.
    NotDns,
    /// A name of the machine that reads the hosts file.
    OwnName,
    /// A name that a hosts file maps to an address that leads somewhere.
    OtherAddress,
    /// A line of a hosts file that does not start with an address.
    NoAddress,
    /// A line with several words in the place of one name.
    ManyWords,
    /// A rule about elements of a page.
    Element,
    /// A rule with options: `$`.
    Options,
    /// A regular expression.
    Expression,
    /// A rule with `*`, or with `^` or `|` elsewhere than around a host or a URL.
    Wildcard,
    /// A rule about a host and a port.
    Port,
    /// A rule about a host and a path.
    Path,
    /// `||host`: also the prefix of longer hosts.
    OpenHost,
    /// `|URL|`, which the list would match more or less widely.
    ExactUrl,
    /// `|URL`, which the list would match more or less widely.
    UrlPrefix,
    /// A part of a URL, at any position.
    UrlPart,
    /// A rule that lacks its host, its URL or its options.
    Unfinished,
    /// `!#include`: the rules of a different file.
    Include,
    /// A URL that is not of `http` or `https`.
    OtherScheme,
    /// Not a host, or not a URL.
    Malformed,
    /// An exception that applies to a part of the matches of an entry.
    Exception,
    /// `!#if`: the rules after it are used whether the condition holds or not.
    Condition,
    /// An entry without the query of its URL, or one that the source means without any.
    Query,
    /// An entry without the fragment of its URL.
    Fragment,
    /// An entry that matches everything in a directory, although the source names one resource.
    Directory,
    /// An entry that matches on the hosts below its own.
    Subdomains,
    /// An entry of variant P, which ignores letter case and more.
    Spelling,
    /// A URL for which the source also means longer ones.
    Longer,
    /// A URL that the source compares without regard to letter case.
    LetterCase,
    /// A URL that the source also finds inside other URLs.
    Elsewhere,
    /// A filter of pages or of new windows, whose entry matches every request.
    Pages,
    /// `*.host` in a zone that lacks `host`, which the entry also matches.
    Apex,
    /// A URL as a filter, which matches it in any letter case.
    AnyCase,
    /// An entry that covers more than its source means.
    Widened,
    /// An entry that covers less than its source means.
    Narrowed,
    /// A setting of a name server that does not block a name.
    Setting,
    /// An entry with a coverage that the text format cannot express.
    Coverage,
    /// A URL, in a format of text that has names only.
    UrlEntry,
    /// An entry that cannot be reached from below: its host has one label or more than five, or its path is
    /// too deep.
    Below,
}

impl Reason {
    /// Returns the effect of the reason on the list.
    pub fn effect(self) -> Effect {
        match self {
            Self::Exception
            | Self::Condition
            | Self::Query
            | Self::Fragment
            | Self::Directory
            | Self::Subdomains
            | Self::Spelling
            | Self::Pages
            | Self::Apex
            | Self::AnyCase
            | Self::Widened => Effect::More,
            Self::Longer | Self::LetterCase | Self::Elsewhere | Self::Below | Self::Narrowed => Effect::Less,
            _ => Effect::LeftOut,
        }
    }
}

impl Reason {
    /// Returns the noun for a number of lines or names.
    pub fn words(self, count: u64) -> &'static str {
        let (one, many) = match self {
            Self::PublicSuffix => ("public suffix", "public suffixes"),
            Self::Ipv4Spelling => (
                "host in short, octal, hexadecimal or impossible IPv4 spelling",
                "hosts in short, octal, hexadecimal or impossible IPv4 spelling",
            ),
            Self::Ipv6 => ("IPv6 address", "IPv6 addresses"),
            Self::NotHost => (
                r"name with / \ ? # @ or :, which hosts cannot have",
                r"names with / \ ? # @ or :, which hosts cannot have",
            ),
            Self::NotDns => (
                "name with other characters than letters, digits, - and _, which DNS does not have",
                "names with other characters than letters, digits, - and _, which DNS does not have",
            ),
            Self::OwnName => ("name of the machine itself", "names of the machine itself"),
            Self::OtherAddress => {
                ("name with an address that does not block", "names with an address that does not block")
            }
            Self::NoAddress => ("line without an address", "lines without an address"),
            Self::ManyWords => ("line of several words", "lines of several words"),
            Self::Element => ("rule about elements", "rules about elements"),
            Self::Options => ("rule with options", "rules with options"),
            Self::Expression => ("regular expression", "regular expressions"),
            Self::Wildcard => ("rule with wildcards", "rules with wildcards"),
            Self::Port => ("rule with a port", "rules with ports"),
            Self::Path => ("rule with a path", "rules with paths"),
            Self::OpenHost => {
                ("rule about prefixes of hosts, without ^", "rules about prefixes of hosts, without ^")
            }
            Self::ExactUrl => (
                "exact URL (|URL|) that the list cannot hold so narrowly",
                "exact URLs (|URL|) that the list cannot hold so narrowly",
            ),
            Self::UrlPrefix => (
                "prefix of URLs (|URL) that the list cannot express so narrowly",
                "prefixes of URLs (|URL) that the list cannot express so narrowly",
            ),
            Self::UrlPart => ("part of URLs, without |", "parts of URLs, without |"),
            Self::Unfinished => ("unfinished rule", "unfinished rules"),
            Self::Include => ("include of a different list", "includes of other lists"),
            Self::OtherScheme => ("URL of an unsupported scheme", "URLs of unsupported schemes"),
            Self::Malformed => ("malformed line", "malformed lines"),
            Self::Exception => (
                "exception from a part of an entry or with options, so the entry still matches there",
                "exceptions from a part of an entry or with options, so the entries still match there",
            ),
            Self::Condition => (
                "condition (!#if), whose rules apply in any case",
                "conditions (!#if), whose rules apply in any case",
            ),
            Self::Query => ("URL that matches with any query", "URLs that match with any query"),
            Self::Fragment => ("URL that matches with any fragment", "URLs that match with any fragment"),
            Self::Directory => (
                "URL that matches as the directory that it is in or names",
                "URLs that match as the directory that they are in or name",
            ),
            Self::Subdomains => (
                "URL that matches on the hosts below its own, too",
                "URLs that match on the hosts below theirs, too",
            ),
            Self::Spelling => (
                "URL that matches in other spellings of variant p",
                "URLs that match in other spellings of variant p",
            ),
            Self::Longer => (
                "prefix of URLs that does not match all longer ones",
                "prefixes of URLs that do not match all longer ones",
            ),
            Self::LetterCase => {
                ("URL that matches in this letter case only", "URLs that match in this letter case only")
            }
            Self::Elsewhere => {
                ("URL that does not match inside other URLs", "URLs that do not match inside other URLs")
            }
            Self::Pages => (
                "filter of pages or new windows ($document, $popup), whose entry matches every request",
                "filters of pages or new windows ($document, $popup), whose entries match every request",
            ),
            Self::Apex => (
                "*.name without the name itself, whose entry matches both",
                "*.names without the names themselves, whose entries match both",
            ),
            Self::AnyCase => {
                ("URL that a filter matches in any letter case", "URLs that filters match in any letter case")
            }
            Self::Widened => ("widened entry", "widened entries"),
            Self::Narrowed => ("narrowed entry", "narrowed entries"),
            Self::Setting => ("setting that blocks no name", "settings that block no name"),
            Self::Coverage => (
                "entry whose coverage the format cannot express",
                "entries whose coverage the format cannot express",
            ),
            Self::UrlEntry => ("URL that the format cannot express", "URLs that the format cannot express"),
            Self::Below => (
                "entry that matches nothing below its host (one label, or more than five) or directory (more than 32)",
                "entries that match nothing below their hosts (one label, or more than five) or directories (more than 32)",
            ),
        };
        if count == 1 { one } else { many }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.words(0))
    }
}

/// The differences of a list from its source, and its contents.
///
/// ```
/// use urlid::hashed_uri::Algorithm;
/// use urlid::suffix::SuffixList;
/// use urlid_lists::{Covers, ListBuilder, ListFormat, ListImport, Reason, ListRules};
///
/// let rules = ListRules { covers: ListFormat::Abp.covers(), ..ListRules::default() };
/// let mut builder = ListBuilder::new(rules, &[Algorithm::Sha1], None)?;
/// let mut import = ListImport::new(ListFormat::Abp, rules, SuffixList::compiled());
/// for line in ["! a comment", "||bad.example^", "||worse.example:81^", "@@||good.bad.example^"] {
///     import.line(line, None, &mut builder)?;
/// }
/// let report = import.finish(&mut builder);
/// assert_eq!((report.taken(), report.hosts(), builder.finish().len()), (1, 1, 2));
/// let reasons: Vec<_> = report
///     .differences()
///     .map(|(reason, count, examples)| (reason, count, examples[0].as_str()))
///     .collect();
/// assert_eq!(
///     reasons,
///     [(Reason::Port, 1, "||worse.example:81^"), (Reason::Exception, 1, "@@||good.bad.example^")]
/// );
/// # Ok::<(), urlid::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ImportReport {
    differences: BTreeMap<Reason, (u64, Vec<String>)>,
    pub(super) taken: u64,
    pub(super) hosts: u64,
    /// The place of the line that is read.
    pub(super) place: LinePlace,
    /// Every line that is left out, if they are kept.
    pub(super) left_out: Option<Vec<LeftOut>>,
}

/// The place of a line: the index of its source, and its number from 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LinePlace {
    /// The index of the source.
    pub source: usize,
    /// The number of the line.
    pub line: u64,
}

/// A line, or a name in it, that is not in the list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeftOut {
    /// Where it is.
    pub place: LinePlace,
    /// Why it is left out.
    pub reason: Reason,
    /// The line or the name.
    pub text: String,
}

impl ImportReport {
    /// Iterates over the reasons, each with its number of lines or names and the first few of them.
    pub fn differences(&self) -> impl Iterator<Item = (Reason, u64, &[String])> {
        self.differences.iter().map(|(&reason, (count, examples))| (reason, *count, examples.as_slice()))
    }

    /// Returns the number of rules, names and URLs that became entries.
    pub fn taken(&self) -> u64 {
        self.taken
    }

    /// Returns the number of hosts among them, which became `http` and `https`. Other schemes and ports are
    /// not matched.
    pub fn hosts(&self) -> u64 {
        self.hosts
    }

    /// Returns every line that is left out, if [they are kept](super::ListImport::with_left_out), in the order
    /// of the sources.
    pub fn left_out(&self) -> Vec<&LeftOut> {
        let mut lines: Vec<_> = self.left_out.iter().flatten().collect();
        lines.sort_by_key(|line| line.place);
        lines
    }

    pub(super) fn add(&mut self, reason: Reason, example: &str) {
        if let Some(lines) = self.left_out.as_mut().filter(|_| reason.effect() == Effect::LeftOut) {
            lines.push(LeftOut { place: self.place, reason, text: example.to_owned() });
        }
        let (count, examples) = self.differences.entry(reason).or_default();
        *count += 1;
        if examples.len() < EXAMPLES {
            examples.push(example.to_owned());
        }
    }
}
