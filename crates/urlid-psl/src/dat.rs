//! Parses the text of a public suffix list into rules, line by line (publicsuffix.org/list, "Format").
//!
//! A rule is the text of a line up to the first white space. Empty lines and lines that start with `//` are
//! skipped. Two pairs of marker lines enclose the ICANN and the private section. Names are not mapped: an IDN
//! rule is in Unicode as written.

use alloc::string::String;
use core::fmt;

/// A section of the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Section {
    /// Suffixes that registries delegate.
    Icann,
    /// Suffixes that owners of domains submitted.
    Private,
}

impl Section {
    fn title(self) -> &'static str {
        match self {
            Section::Icann => "ICANN",
            Section::Private => "PRIVATE",
        }
    }
}

/// The three forms of a rule in the list's text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SuffixRuleKind {
    /// `name`: the name is a suffix.
    Plain,
    /// `*.name`: each child of the name is a suffix.
    Wildcard,
    /// `!name`: the name is not a suffix, but its parent is.
    Exception,
}

/// A rule of the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SuffixRule<'a> {
    /// The number of its line, counted from 1.
    pub line: usize,
    /// The rule as written.
    pub text: &'a str,
    /// The rule without its `*.` or `!`. Empty for the rule `*`.
    pub name: &'a str,
    /// The kind of the rule.
    pub kind: SuffixRuleKind,
    /// The section of the rule. A rule outside both sections counts as ICANN.
    pub section: Section,
}

/// Returns the rules of a list in order, or the faults of its lines.
pub fn rules(dat: &str) -> impl Iterator<Item = Result<SuffixRule<'_>, ListError>> {
    let dat = dat.strip_prefix('\u{feff}').unwrap_or(dat);
    let mut open: Option<(usize, Section)> = None;
    // The additional item after the last line detects a section that is not closed.
    dat.lines().map(Some).chain([None]).zip(1..).filter_map(move |(line, number)| {
        let Some(line) = line else {
            let (line, section) = open.take()?;
            return Some(Err(ListError::at(line, ListFault::Unclosed(section))));
        };
        if let Some((edge, section)) = marker(line) {
            let expected = match edge {
                Edge::Begin => open.is_none(),
                Edge::End => open.is_some_and(|(_, inner)| inner == section),
            };
            open = (edge == Edge::Begin).then_some((number, section));
            return (!expected).then_some(Err(ListError { line: number, fault: ListFault::Marker }));
        }
        // The text is empty for a line that starts with white space, and `rule` rejects it.
        let text = line.split(char::is_whitespace).next().unwrap_or("");
        if line.trim_start().starts_with("//") || line.trim_start().is_empty() {
            return None;
        }
        let section = open.map_or(Section::Icann, |(_, section)| section);
        Some(rule(text, number, section).ok_or_else(|| ListError::at(number, ListFault::Rule(excerpt(line)))))
    })
}

/// Returns the rest of the first comment line that starts with `// KEY: `, or an empty text.
pub fn comment<'a>(dat: &'a str, key: &str) -> &'a str {
    let value = |line: &'a str| line.strip_prefix("// ")?.strip_prefix(key)?.strip_prefix(": ");
    dat.lines().find_map(value).map_or("", str::trim)
}

#[derive(PartialEq)]
enum Edge {
    Begin,
    End,
}

fn marker(line: &str) -> Option<(Edge, Section)> {
    let words = line.trim_end().strip_prefix("// ===")?.strip_suffix(" DOMAINS===")?;
    [Section::Icann, Section::Private].into_iter().find_map(|section| {
        match words.strip_suffix(section.title())? {
            "BEGIN " => Some((Edge::Begin, section)),
            "END " => Some((Edge::End, section)),
            _ => None,
        }
    })
}

fn rule(text: &str, line: usize, section: Section) -> Option<SuffixRule<'_>> {
    let (kind, name) = if let Some(name) = text.strip_prefix('!') {
        (SuffixRuleKind::Exception, name)
    } else if let Some(name) = text.strip_prefix("*.") {
        (SuffixRuleKind::Wildcard, name)
    } else if text == "*" {
        return Some(SuffixRule { line, text, name: "", kind: SuffixRuleKind::Wildcard, section });
    } else {
        (SuffixRuleKind::Plain, text)
    };
    let whole = !name.contains(['*', '!']) && name.split('.').all(|label| !label.is_empty());
    // The suffix of an exception is its parent, so an exception needs a parent.
    let has_parent = kind != SuffixRuleKind::Exception || name.contains('.');
    (whole && has_parent).then_some(SuffixRule { line, text, name, kind, section })
}

/// Returns the first 64 characters of a line, for a message.
pub(crate) fn excerpt(line: &str) -> String {
    line.chars().take(64).collect()
}

/// A fault of a list, with its line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListError {
    /// The line, counted from 1.
    pub line: usize,
    /// The fault of that line.
    pub fault: ListFault,
}

/// The reasons to reject a list.
#[non_exhaustive]
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ListFault {
    /// A line is not a rule: it has an empty label, or a `*` or `!` after its start.
    Rule(String),
    /// A name that cannot be a host.
    Name(String),
    /// A section starts inside a section, or ends where none is open.
    Marker,
    /// A section starts on this line and does not end, because the text was cut off.
    Unclosed(Section),
    /// The list lacks rules in the used sections.
    NoRules,
    /// The list has more names than a table can hold.
    TooManyNames {
        /// The maximum number of names of a table.
        most: usize,
    },
}

impl ListError {
    pub(crate) fn at(line: usize, fault: ListFault) -> ListError {
        ListError { line, fault }
    }
}

impl fmt::Display for ListError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "suffix list is not valid: line {} {}", self.line, self.fault)
    }
}

/// Displays as the text that follows `line 7` in the message.
impl fmt::Display for ListFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ListFault::Rule(text) => write!(f, "is `{}`, expected a rule", text.escape_debug()),
            ListFault::Name(text) => {
                write!(f, "is `{}`, expected a name that a host can have", text.escape_debug())
            }
            ListFault::Marker => write!(f, "starts or ends a section, expected the opposite"),
            ListFault::Unclosed(section) => {
                write!(f, "starts the {} section, expected a line that ends it", section.title())
            }
            ListFault::NoRules => write!(f, "is the last, expected at least one rule"),
            ListFault::TooManyNames { most } => {
                write!(f, "goes past the {most} names that a table can hold")
            }
        }
    }
}

impl core::error::Error for ListError {}
