//! The grammar of a file of rules. It turns lines into scopes and rules, in their order, each once.
//!
//! Rules are compared with each other in `scopes`, and with the head of the file here.

use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt;

use crate::rules::escapes;
use urlid::host::Host;
use urlid::internal::escape;
use urlid::suffix::SuffixList;
use urlid::web::Url;
use urlid::{Error, ErrorCode, ErrorKind};

/// The kind of a rule, in the order of the words that files use.
///
/// ```
/// use urlid_canonical::RuleKind;
///
/// assert_eq!(RuleKind::from_name("keep"), Some(RuleKind::Keep));
/// assert!(RuleKind::ALL.is_sorted_by_key(|kind| kind.name()));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RuleKind {
    /// `alias HOST`: the host of the scope replaces this host.
    Alias,
    /// `case`: ASCII letters of the path become lower case.
    Case,
    /// `default NAME=VALUE`: a field of the query is dropped if it has this value.
    Default,
    /// `drop NAME…`: fields are dropped.
    Drop,
    /// `hold NAME…`: fields stay, whatever the rules of wider scopes are.
    Hold,
    /// `https`: `http` becomes `https` if no port is written.
    Https,
    /// `index NAME…`: a last segment with one of these names is dropped.
    Index,
    /// `keep NAME…`: all other fields are dropped.
    Keep,
    /// `order`: fields are sorted by name. Fields with the same name keep their order.
    Order,
    /// `session NAME…`: `;NAME=…` is dropped at the end of a segment.
    Session,
    /// `slash`: slashes at the end of a path are dropped.
    Slash,
}

impl RuleKind {
    /// All kinds, in the order of their words.
    pub const ALL: [Self; 11] = [
        Self::Alias,
        Self::Case,
        Self::Default,
        Self::Drop,
        Self::Hold,
        Self::Https,
        Self::Index,
        Self::Keep,
        Self::Order,
        Self::Session,
        Self::Slash,
    ];

    /// Returns the word in a file.
    pub fn name(self) -> &'static str {
        match self {
            Self::Alias => "alias",
            Self::Case => "case",
            Self::Default => "default",
            Self::Drop => "drop",
            Self::Hold => "hold",
            Self::Https => "https",
            Self::Index => "index",
            Self::Keep => "keep",
            Self::Order => "order",
            Self::Session => "session",
            Self::Slash => "slash",
        }
    }

    /// Returns the kind with a word.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

/// A rule with one name, as in the canonical text, and the line where it was read.
///
/// ```
/// use urlid_canonical::{RuleKind, Rules};
///
/// let rules = Rules::parse("urlid-rules 1\n\n[h.example/wiki/]\ndrop b a # sessions\n")?;
/// let rule = rules.rules().next().expect("there are two");
/// assert_eq!((rule.scope, rule.kind, rule.word, rule.line), ("h.example/wiki/", RuleKind::Drop, "a", 4));
/// assert_eq!(rule.to_string(), "[h.example/wiki/] drop a");
/// # Ok::<(), urlid::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SiteRule<'r> {
    /// The text between the brackets of its scope.
    pub scope: &'r str,
    /// The kind of the rule.
    pub kind: RuleKind,
    /// Its name, host, or name and value, spelled as in a file. Empty for kinds without one.
    pub word: &'r str,
    /// The number of its first line in the text that was read, from 1.
    pub line: u32,
}

impl fmt::Display for SiteRule<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[{}] {}", self.scope, self.kind.name())?;
        if self.word.is_empty() { Ok(()) } else { write!(f, " {}", self.word) }
    }
}

/// A rule in its stored form, in which the scope is a number.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct RuleLine {
    pub(super) scope: u32,
    pub(super) kind: RuleKind,
    pub(super) word: Box<str>,
    pub(super) line: u32,
}

/// A file that was read.
pub(super) struct Parsed {
    /// The name after the head in the first line.
    name: Option<String>,
    /// The scopes with at least one rule, ascending.
    pub(super) scopes: Vec<String>,
    /// Ascending, each once, with its first line.
    pub(super) rules: Vec<RuleLine>,
}

/// The most bytes of a file.
pub(super) const MOST_BYTES: usize = 16 << 20;
/// The most scopes that hold wherever one scope does.
pub(super) const MOST_WIDER: usize = 32;
/// The first words of a file.
pub(super) const HEAD: &str = "urlid-rules 1";

/// Reads the lines of a file.
pub(super) fn parse(text: &str, list: &SuffixList) -> Result<Parsed, Error> {
    if text.len() > MOST_BYTES {
        return Err(TOO_LONG.error().with_shown(text.len()).with_expected(MOST_BYTES.to_string()));
    }
    let mut lines = (1_u32..).zip(text.split('\n'));
    let name = lines.next().map_or(Ok(None), |(_, line)| name_after(HEAD, line, NO_HEAD))?;
    let mut scopes = HashMap::<String, u32>::new();
    let mut rules = Vec::new();
    let mut open = None;
    for (number, line) in lines {
        read_line(line, number, list, &mut scopes, &mut open, &mut rules)
            .map_err(|error| error.with_number(number.into()))?;
    }
    Ok(Parsed { name, ..in_order(scopes, rules) })
}

/// Numbers the scopes in their order, and sorts the rules by them.
fn in_order(scopes: HashMap<String, u32>, mut rules: Vec<RuleLine>) -> Parsed {
    let mut is_used = vec![false; scopes.len()];
    // A scope without rules must not change the canonical text, whose digest is the name of the file.
    rules.iter().for_each(|rule| is_used[rule.scope as usize] = true);
    let mut scopes: Vec<(String, u32)> =
        scopes.into_iter().filter(|&(_, number)| is_used[number as usize]).collect();
    scopes.sort_unstable();
    let mut places = vec![0; is_used.len()];
    for (place, (_, number)) in (0..).zip(&scopes) {
        places[*number as usize] = place;
    }
    rules.iter_mut().for_each(|rule| rule.scope = places[rule.scope as usize]);
    // The line is last in the derived order, so of equal rules the one of the first line comes first.
    rules.sort_unstable();
    // The first of several equal rules is kept.
    rules.dedup_by(|later, first| {
        (later.scope, later.kind, &later.word) == (first.scope, first.kind, &first.word)
    });
    Parsed { name: None, scopes: scopes.into_iter().map(|(name, _)| name).collect(), rules }
}

/// Reads the first line of a file, and returns the name after its head.
///
/// # Errors
/// Of the given kind, if the line has a different head or further words.
pub(crate) fn name_after(head: &str, line: &str, no_head: ErrorKind) -> Result<Option<String>, Error> {
    let mut found = words(line);
    let is_head = head.split(' ').all(|word| found.next() == Some(word));
    match (is_head, found.next(), found.next()) {
        (true, name, None) => Ok(name.map(str::to_owned)),
        _ => Err(no_head.found(line).with_number(1)),
    }
}

/// Returns an error of the given kind if the first line has a name, and its content a different one.
pub(crate) fn check_name(found: Option<&str>, name: &str, other_name: ErrorKind) -> Result<(), Error> {
    match found {
        Some(found) if found != name => {
            Err(other_name.found(found).with_expected(name.to_owned()).with_number(1))
        }
        _ => Ok(()),
    }
}

/// Returns the words of a line before its comment.
pub(crate) fn words(line: &str) -> impl Iterator<Item = &str> {
    // A `#` inside a word does not start a comment. It is rejected later, so that a part of a word is never
    // lost.
    line.split([' ', '\t']).filter(|word| !word.is_empty()).take_while(|word| !word.starts_with('#'))
}

fn read_line(
    line: &str,
    number: u32,
    list: &SuffixList,
    scopes: &mut HashMap<String, u32>,
    open: &mut Option<(u32, String)>,
    rules: &mut Vec<RuleLine>,
) -> Result<(), Error> {
    if line.ends_with('\r') {
        // Otherwise it would become the end of the line's last name, which then would not match any field.
        return Err(CARRIAGE_RETURN.error());
    }
    let mut words = words(line);
    let Some(first) = words.next() else { return Ok(()) };
    if first.starts_with('[') {
        let name = scope(first).filter(|_| words.next().is_none());
        let name = name.ok_or_else(|| SCOPE.found(line))?;
        // The cast is exact, because `MOST_BYTES` bounds the number of lines.
        let next = scopes.len() as u32;
        let place = *scopes.entry(name.clone()).or_insert(next);
        *open = Some((place, name));
        return Ok(());
    }
    let kind = RuleKind::from_name(first).ok_or_else(|| UNKNOWN.found(first))?;
    let (scope, name) = open.as_ref().ok_or_else(|| NO_SCOPE.found(line))?;
    let words: Vec<&str> = words.collect();
    check_place(kind, name)?;
    check_count(kind, words.len())?;
    let mut push = |word: Cow<'_, str>| {
        rules.push(RuleLine { scope: *scope, kind, word: word.into(), line: number });
    };
    match kind {
        RuleKind::Alias => push(alias(words[0], name, list)?.into()),
        RuleKind::Default => {
            let parts = words[0].split_once('=');
            let (name, value) = parts.ok_or_else(|| SPELLING.found(words[0]).with_expected("NAME=VALUE"))?;
            check_pattern(name)?;
            check_spelling(value, "")?;
            push(words[0].into());
        }
        _ if words.is_empty() => push("".into()),
        _ => words.into_iter().try_for_each(|word| check_pattern(word).map(|()| push(word.into())))?,
    }
    Ok(())
}

/// Returns whether a scope is one host.
fn is_host(scope: &str) -> bool {
    !scope.contains('/') && !scope.starts_with('*')
}

/// Returns an error for a rule that is not allowed in its scope.
fn check_place(kind: RuleKind, scope: &str) -> Result<(), Error> {
    let expected = match kind {
        RuleKind::Alias if !is_host(scope) => "a host",
        RuleKind::Https if scope.contains('/') => "a host or *",
        _ => return Ok(()),
    };
    Err(MISPLACED.found(scope).with_subject(kind.name()).with_expected(expected))
}

fn check_count(kind: RuleKind, found: usize) -> Result<(), Error> {
    let (expected, is_right) = match kind {
        RuleKind::Case | RuleKind::Https | RuleKind::Order | RuleKind::Slash => ("no word", found == 0),
        RuleKind::Alias => ("one host", found == 1),
        RuleKind::Default => ("one NAME=VALUE", found == 1),
        _ => ("names", found > 0),
    };
    if is_right {
        return Ok(());
    }
    let found = format!("{found} words");
    Err(WORDS.error().with_shown(found).with_subject(kind.name()).with_expected(expected))
}

fn check_pattern(pattern: &str) -> Result<(), Error> {
    match pattern.strip_suffix('*') {
        Some(name) => check_spelling(name, "*"),
        None if pattern.is_empty() => Err(SPELLING.found(pattern).with_expected("a name")),
        None => check_spelling(pattern, ""),
    }
}

/// Returns an error if a name or a value is not written in its one way.
fn check_spelling(text: &str, star: &str) -> Result<(), Error> {
    // Each name has a single spelling, because the name of a file of rules is a digest of its canonical text.
    let expected = escape_rule_word(&unescaped(text));
    if expected == text {
        return Ok(());
    }
    Err(SPELLING.found(&[text, star].concat()).with_expected([&*expected, star].concat()))
}

/// Returns a name or a value as a file writes it. `#`, `%`, `*`, `+`, `=`, the space, controls, and
/// characters that turn the direction of text or break lines are written as `%XX`.
///
/// ```
/// assert_eq!(urlid_canonical::escape_rule_word("a b[ü]+*"), "a%20b[ü]%2B%2A");
/// assert_eq!(urlid_canonical::escape_rule_word("\u{9b}31m\u{202e}"), "%C2%9B31m%E2%80%AE");
/// ```
pub fn escape_rule_word(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '#' | '%' | '*' | '+' | '=' | ' '
            // The category Cc, the marks of bidirectional text, and the separators of lines and paragraphs,
            // which would change how the line of a rule is shown.
            | '\0'..='\x1f' | '\x7f'..='\u{9f}'
            | '\u{61c}' | '\u{200e}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => {
                let mut bytes = [0; 4];
                let bytes = character.encode_utf8(&mut bytes).bytes();
                bytes.for_each(|byte| escape::push_escaped(byte, &mut escaped));
            }
            _ => escaped.push(character),
        }
    }
    escaped
}

/// Returns the decoded text of a written name or value. Bytes that are not UTF-8 become U+FFFD.
pub(super) fn unescaped(text: &str) -> Cow<'_, str> {
    if !text.contains('%') {
        return text.into();
    }
    let mut bytes = text.as_bytes().to_vec();
    escapes::decode_once(&mut bytes, |_| true);
    String::from_utf8_lossy(&bytes).into_owned().into()
}

/// Returns the name of a scope that is written between brackets, mapped as a URL with it is.
fn scope(word: &str) -> Option<String> {
    let inner = word.strip_prefix('[')?.strip_suffix(']')?;
    if inner == "*" {
        return Some(inner.to_owned());
    }
    if let Some(domain) = inner.strip_prefix("*.") {
        let url = host_url(domain, "").filter(|url| matches!(url.host(), Some(Host::Domain(_))));
        return url.filter(|_| !domain.contains('/')).map(|url| ["*.", host_of(&url)].concat());
    }
    let (host, path) = inner.split_at(inner.find('/').unwrap_or(inner.len()));
    let url = host_url(host, path)?;
    match (path, url.path(), url.query(), url.fragment()) {
        ("", ..) => Some(host_of(&url).to_owned()),
        // `[host/]` would be a second spelling of `[host]`.
        (_, "/", ..) => None,
        // A prefix ends with a slash, so that `/wiki/` does not hold `/wikipedia`.
        (_, mapped, None, None) if mapped.ends_with('/') => Some([host_of(&url), mapped].concat()),
        _ => None,
    }
}

/// Returns the host that is written between brackets, mapped as a URL with it is.
pub(crate) fn host_scope(word: &str) -> Option<String> {
    scope(word).filter(|name| is_host(name))
}

/// Returns the URL of a host that is written without user and port, and without a pattern.
fn host_url(host: &str, path: &str) -> Option<Url> {
    let after_address = host.rsplit(']').next().unwrap_or(host);
    // In the URL below these would end the host, or make part of it a user.
    let is_host = !host.contains(['*', '@', '\\', '?', '#']) && !after_address.contains(':');
    is_host.then(|| Url::parse(&["https://", host, path].concat()).ok()).flatten()
}

fn host_of(url: &Url) -> &str {
    url.host_str().unwrap_or_default()
}

/// Names that stand for a different host in each network.
// Domains without an owner by RFC 6761 (localhost, invalid), RFC 6762 (local) and RFC 8375 (home.arpa).
const LOCAL: [&str; 4] = ["localhost", "local", "home.arpa", "invalid"];

/// Returns the mapped host of an alias, which must have the registered domain of the scope.
fn alias(from: &str, scope: &str, list: &SuffixList) -> Result<String, Error> {
    let invalid = |expected: String| ALIAS.found(from).with_expected(expected);
    let url = if from.contains('/') { None } else { host_url(from, "") };
    let url = url.ok_or_else(|| invalid("a host".to_owned()))?;
    let target = host_url(scope, "");
    let [registered, of_scope] = [Some(&url), target.as_ref()].map(|url| {
        let is_name = url.is_some_and(|url| matches!(url.host(), Some(Host::Domain(_))));
        url.filter(|_| is_name).and_then(|url| url.registered_domain(list))
    });
    let is_local = |name: &str| {
        LOCAL.iter().any(|local| name.strip_suffix(local).is_some_and(|rest| rest.ends_with('.')))
    };
    match (registered, of_scope.filter(|domain| !is_local(domain))) {
        (_, None) => Err(invalid(format!("a scope with a registered domain, which {scope} lacks"))),
        (Some(registered), Some(of_scope)) if registered == of_scope => match host_of(&url) {
            host if host == scope => Err(invalid("a host that differs from the scope".to_owned())),
            host => Ok(host.to_owned()),
        },
        (_, Some(of_scope)) => Err(invalid(format!("a host of the registered domain {of_scope}"))),
    }
}

impl Parsed {
    /// Returns the canonical text.
    pub(super) fn to_canonical(&self) -> String {
        let mut text = [HEAD, "\n"].concat();
        let mut scope = None;
        for rule in &self.rules {
            if scope != Some(rule.scope) {
                text.extend(["[", &self.scopes[rule.scope as usize], "]\n"]);
                scope = Some(rule.scope);
            }
            let space = if rule.word.is_empty() { "" } else { " " };
            text.extend([rule.kind.name(), space, &rule.word, "\n"]);
        }
        text
    }

    /// Returns an error if the name in the first line differs from the name of the rules.
    pub(super) fn check_name(&self, name: &str) -> Result<(), Error> {
        check_name(self.name.as_deref(), name, OTHER_NAME)
    }
}

const TOO_LONG: ErrorKind = ErrorKind::new(
    ErrorCode::LineLen,
    "file of rules is too long: found {found} bytes, expected at most {expected}",
);
const NO_HEAD: ErrorKind =
    line("file of rules has a different first line: found {found}, expected urlid-rules 1");
const OTHER_NAME: ErrorKind =
    line("rules at line {place} have a different name: found {found}, expected {expected}");
const CARRIAGE_RETURN: ErrorKind = line("line {place} ends with a carriage return: expected a line feed");
const SCOPE: ErrorKind = line(
    "scope at line {place} is not valid: found {found}, expected [HOST], [HOST/PREFIX/], [*.DOMAIN] or [*], without a port",
);
const UNKNOWN: ErrorKind = line("rule at line {place} is unknown: found {found}, expected one such as drop");
const NO_SCOPE: ErrorKind = line(
    "rule at line {place} is not in a scope: found {found}, expected a line such as [example.org] before it",
);
const MISPLACED: ErrorKind =
    line("{subject} at line {place} is in a scope that cannot have it: found {found}, expected {expected}");
const WORDS: ErrorKind =
    line("{subject} at line {place} has too few or too many words: found {found}, expected {expected}");
const SPELLING: ErrorKind =
    line("name at line {place} is not in canonical form: found {found}, expected {expected}");
pub(super) const ALIAS: ErrorKind =
    line("alias at line {place} is not valid: found {found}, expected {expected}");
pub(super) const CONTRADICTION: ErrorKind =
    line("rules contradict each other at line {place}: found {found}, expected {expected}");
pub(super) const DEPTH: ErrorKind = line(
    "scope of the rule at line {place} is within too many others: found {found}, expected at most {expected}",
);

const fn line(message: &'static str) -> ErrorKind {
    ErrorKind::new(ErrorCode::ListLine, message)
}
