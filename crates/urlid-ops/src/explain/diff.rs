//! Compares two URLs: their parts as written, and whether each identifier and canonical form ignores the
//! differences.
//!
//! [`RuleTrace`] has the change that each rule of one form makes to one text.
//!
//! Trials show whether a form ignores the difference in a part. The part of the first URL is replaced by the
//! part of the second, and the form is computed again. This works for every form, whatever its rules are.

use serde::Serialize;
use urlid::Error;
use urlid::hashed_uri::HashedUri;
use urlid::reference::{Context, Reference};
use urlid::suffix::SuffixList;
use urlid::sxurl::Sxurl;
use urlid::url_hash::UrlHash;
use urlid_canonical::{Change, DecidedBy, Form, Profile};

use super::{Fact, Rejection};

/// Two URLs, compared.
///
/// ```
/// use urlid::suffix::SuffixList;
/// use urlid_ops::explain::UrlDiff;
///
/// let form = "web".parse()?;
/// let diff = UrlDiff::new("http://www.h.example/a/", "http://h.example/a", &form, SuffixList::compiled());
/// assert_eq!((diff.verdict.same, &diff.verdict.differs), (Some(false), &vec!["www.", "trailing slash"]));
/// let surt = diff.forms.iter().find(|form| form.name == "surt-0.3.1").expect("every form is there");
/// assert_eq!((surt.same, &surt.ignores), (Some(true), &vec!["www.", "trailing slash"]));
///
/// let form = "page-1".parse()?;
/// let diff = UrlDiff::new("http://www.h.example/a/", "http://h.example/a", &form, SuffixList::compiled());
/// assert_eq!(diff.joined_by, ["+strip-www", "+trailing-slash"]);
/// # Ok::<(), urlid::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct UrlDiff {
    /// The first URL.
    pub a: String,
    /// The second URL.
    pub b: String,
    /// The parts that at least one of the URLs has, as written.
    pub parts: Vec<PartPair>,
    /// The comparison under the requested form.
    pub verdict: Comparison,
    /// The steps that made the URLs the same, in the order of the requested form, if they are the same. A step
    /// joins two URLs if it changes one of them, or if fewer of their parts differ after it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub joined_by: Vec<String>,
    /// The comparison by each kind of identifier.
    pub identifiers: Vec<Comparison>,
    /// The comparison under each canonical form.
    pub forms: Vec<Comparison>,
}

/// One part of two URLs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PartPair {
    /// The name: `scheme`, `user`, `password`, `host`, `port`, `path`, `query` or `fragment`.
    pub part: &'static str,
    /// The part of the first URL, as written.
    pub a: Option<String>,
    /// The part of the second URL.
    pub b: Option<String>,
    /// Whether both are written identically.
    pub same: bool,
}

/// Two URLs, compared by an identifier or a canonical form.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Comparison {
    /// The name of the identifier or the form.
    pub name: String,
    /// The identifier or form of the first URL, or the reason that it is missing.
    pub a: Fact,
    /// The same for the second URL.
    pub b: Fact,
    /// Whether both are the same, or `None` if one of the URLs is rejected.
    pub same: Option<bool>,
    /// The differences that change it.
    pub differs: Vec<&'static str>,
    /// The differences that it ignores.
    pub ignores: Vec<&'static str>,
    /// The lines of a rules file that changed one of the URLs, in the step `+rules` of the requested form.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub decided_by: Vec<DecidedBy>,
}

impl UrlDiff {
    /// Compares two texts. `form` gives the verdict.
    pub fn new(a: &str, b: &str, form: &Form, list: &SuffixList) -> Self {
        let pair = Pair::new(a, b);
        let compare = |form: &Form| pair.compare(&form.to_string(), |text| form.canonicalize(text));
        let identifiers = vec![
            pair.compare("url-hash", |text| UrlHash::encode(text).map(|hash| hash.to_hex())),
            pair.compare("sxurl", |text| Sxurl::encode_with(text, list).map(|id| id.to_hex())),
            pair.compare("hashed-uri", |text| HashedUri::encode(text).map(|uri| uri.to_string())),
        ];
        Self {
            a: a.to_owned(),
            b: b.to_owned(),
            parts: pair.parts(),
            // Only the verdict has such lines. They belong to the requested form, and profiles do not have
            // their own rules.
            verdict: Comparison { decided_by: rule_lines([a, b], form), ..compare(form) },
            joined_by: joined_by([a, b], form),
            identifiers,
            forms: Profile::all().iter().map(|profile| compare(&Form::from(*profile))).collect(),
        }
    }
}

/// The names of the parts, in the order of a URL.
const NAMES: [&str; 8] = ["scheme", "user", "password", "host", "port", "path", "query", "fragment"];

/// The parts of a URL as written, in the order of [`NAMES`]. Joining them gives the text.
#[derive(Clone, Copy)]
struct Written<'t>([Option<&'t str>; 8]);

impl<'t> Written<'t> {
    /// Splits a text. A text of 4 GiB or more counts as a path.
    fn split(text: &'t str) -> Self {
        // RFC 3986 splits any text without changing a byte, so `join` restores the text.
        let Ok(url) = Reference::parse(text, Context::Rfc3986) else {
            return Self([None, None, None, None, None, Some(text), None, None]);
        };
        let authority = url.authority();
        Self([
            url.scheme(),
            authority.and_then(|authority| authority.user),
            authority.and_then(|authority| authority.password),
            authority.map(|authority| authority.host),
            authority.and_then(|authority| authority.port),
            Some(url.path()),
            url.query(),
            url.fragment(),
        ])
    }

    fn join(self) -> String {
        let [scheme, user, password, host, port, path, query, fragment] = self.0;
        let mut text = String::new();
        let mut push = |before: &str, part: Option<&str>, after: &str| {
            if let Some(part) = part {
                text.extend([before, part, after]);
            }
        };
        push("", scheme, ":");
        // Replacing a part of one URL by the other URL's part can leave a user or a port without a host.
        let has_authority = host.or(user).or(port).is_some();
        push("//", has_authority.then_some(""), "");
        push("", user, "");
        push(":", password, "");
        // RFC 3986, 3.2.1: the `@` ends user information even if it is empty.
        push("@", user.or(password).map(|_| ""), "");
        push("", host, "");
        push(":", port, "");
        push("", path, "");
        push("?", query, "");
        push("#", fragment, "");
        text
    }
}

/// Two texts, their parts, and the differences between their parts.
struct Pair<'t> {
    texts: [&'t str; 2],
    written: [Written<'t>; 2],
    /// The index of each part that differs, and the name of the difference.
    differences: Vec<(usize, &'static str)>,
}

impl<'t> Pair<'t> {
    fn new(a: &'t str, b: &'t str) -> Self {
        let written = [a, b].map(Written::split);
        let differences = (0..NAMES.len())
            .filter(|&part| written[0].0[part] != written[1].0[part])
            .map(|part| (part, named(NAMES[part], written[0].0[part], written[1].0[part])))
            .collect();
        Self { texts: [a, b], written, differences }
    }

    fn parts(&self) -> Vec<PartPair> {
        let pairs =
            (0..NAMES.len()).map(|part| (NAMES[part], self.written[0].0[part], self.written[1].0[part]));
        pairs
            .filter(|(_, a, b)| [a, b].iter().any(|part| part.is_some_and(|text| !text.is_empty())))
            .map(|(part, a, b)| PartPair {
                part,
                a: a.map(str::to_owned),
                b: b.map(str::to_owned),
                same: a == b,
            })
            .collect()
    }

    /// Compares by an identifier or a form.
    fn compare(&self, name: &str, make: impl Fn(&str) -> Result<String, Error>) -> Comparison {
        let [a, b] = self.texts.map(&make);
        // Equal errors are not equal identifiers. If a value is missing, the comparison has no answer.
        let same = a.as_ref().ok().zip(b.as_ref().ok()).map(|(a, b)| a == b);
        let mut comparison = Comparison {
            name: name.to_owned(),
            a: Fact::from_result(a.clone()),
            b: Fact::from_result(b),
            same,
            differs: Vec::new(),
            ignores: Vec::new(),
            decided_by: Vec::new(),
        };
        let (Some(same), Ok(a)) = (same, a) else { return comparison };
        for &(part, difference) in &self.differences {
            let mut exchanged = self.written[0];
            exchanged.0[part] = self.written[1].0[part];
            // Some differences matter only together, such as a default port and its scheme. They are ignored
            // if the results are the same.
            let is_ignored = same || make(&exchanged.join()).as_ref() == Ok(&a);
            // Either only these two spellings or all values of the part are ignored. The report names the two
            // cases differently.
            let is_dropped = is_ignored && self.is_dropped(part, &a, &make);
            let name = if is_dropped { whole(NAMES[part]) } else { difference };
            let names = if is_ignored { &mut comparison.ignores } else { &mut comparison.differs };
            // A user and a password are both named "credentials", which is listed once.
            if !names.contains(&name) {
                names.push(name);
            }
        }
        comparison
    }

    /// Returns whether the form stays the same if a part gets a different value. `form` is the form of the
    /// first URL.
    fn is_dropped(&self, part: usize, form: &str, make: impl Fn(&str) -> Result<String, Error>) -> bool {
        // These values are not special to any form: they are not a default port, an index file, or `www.`.
        let other = match NAMES[part] {
            "scheme" => "gopher",
            "host" => "urlid.example",
            "port" => "8181",
            "path" => "/urlid",
            _ => "urlid",
        };
        let mut exchanged = self.written[0];
        exchanged.0[part] = Some(other);
        make(&exchanged.join()).is_ok_and(|other| other == form)
    }
}

/// Returns the lines of a form's rules that change one of the texts, in the order of the file.
fn rule_lines(texts: [&str; 2], form: &Form) -> Vec<DecidedBy> {
    let traces =
        texts.into_iter().filter(|_| form.rules().is_some()).map(|text| form.canonicalizer().trace(text));
    let changes = traces.flat_map(|trace| trace.changes);
    // The same line may change both URLs, and is then reported once.
    let mut lines: Vec<DecidedBy> = changes.flat_map(|change| change.decided_by).collect();
    lines.sort_unstable();
    lines.dedup();
    lines
}

/// Returns the steps that made two texts the same, or no step if they differ.
fn joined_by(texts: [&str; 2], form: &Form) -> Vec<String> {
    let traces = texts.map(|text| form.canonicalizer().trace(text));
    if !matches!(traces.each_ref().map(|trace| &trace.result), [Ok(a), Ok(b)] if a == b) {
        return Vec::new();
    }
    let differing = |a: &str, b: &str| Pair::new(a, b).parts().iter().filter(|pair| !pair.same).count();
    let is_joining = |step: &String| {
        let changes = traces.each_ref().map(|trace| trace.changes.iter().find(|change| change.rule == *step));
        match changes {
            [Some(a), Some(b)] => differing(&a.after, &b.after) < differing(&a.before, &b.before),
            changes => changes.iter().any(Option::is_some),
        }
    };
    form.steps().iter().map(|step| format!("+{step}")).filter(is_joining).collect()
}

/// Returns the name of a part in differences.
fn whole(part: &'static str) -> &'static str {
    if matches!(part, "user" | "password") { "credentials" } else { part }
}

/// Returns the name of the difference between two values of a part. If people have a word for it, the name is
/// more exact than the part.
fn named(part: &'static str, a: Option<&str>, b: Option<&str>) -> &'static str {
    let [a, b] = [a, b].map(Option::unwrap_or_default);
    let is_same_by = |by: fn(&str) -> String| by(a) == by(b);
    match part {
        "user" | "password" => whole(part),
        // One is empty and the other is absent.
        _ if a == b => part,
        "scheme" if a.eq_ignore_ascii_case(b) => "letter case of the scheme",
        "host" if a.eq_ignore_ascii_case(b) => "letter case of the host",
        "host" if is_same_by(without_www) => "www.",
        // Only these three parts are named in this way. RFC 3986, 6.2.2.2 decodes escapes of unreserved
        // characters in any component, but a host has its own rules (UTS 46), and user information is not
        // named in detail.
        "path" if is_same_by(spelled) => "spelling of the path",
        "query" if is_same_by(spelled) => "spelling of the query",
        "fragment" if is_same_by(spelled) => "spelling of the fragment",
        "path" if a.trim_end_matches('/') == b.trim_end_matches('/') => "trailing slash",
        "path" if a.eq_ignore_ascii_case(b) => "letter case of the path",
        "query" if is_same_by(in_order) => "order of the query",
        _ => part,
    }
}

/// Returns a text in the spelling of RFC 3986, 6.2.2: characters that a URI cannot contain are escaped,
/// escapes are in upper case, and escapes of unreserved characters are decoded.
fn spelled(text: &str) -> String {
    let is_unreserved = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
    let (mut spelled, mut rest) = (String::new(), text.as_bytes());
    while let Some((&first, tail)) = rest.split_first() {
        // This works on bytes instead of `str` indices, because a character of several bytes may cut off an
        // escape.
        let digits = tail.get(..2).and_then(|digits| str::from_utf8(digits).ok());
        let escape =
            digits.filter(|digits| first == b'%' && digits.bytes().all(|digit| digit.is_ascii_hexdigit()));
        let decoded = escape.and_then(|digits| u8::from_str_radix(digits, 16).ok());
        rest = if decoded.is_some() { &tail[2..] } else { tail };
        match decoded {
            Some(byte) if is_unreserved(byte) => spelled.push(char::from(byte)),
            // Reserved characters (RFC 3986, 2.2) stay, because escaping them gives a different URL.
            None if is_unreserved(first) || b":/?#[]@!$&'()*+,;=".contains(&first) => {
                spelled.push(char::from(first));
            }
            _ => spelled.push_str(&format!("%{:02X}", decoded.unwrap_or(first))),
        }
    }
    spelled
}

fn without_www(host: &str) -> String {
    let host = host.to_ascii_lowercase();
    host.strip_prefix("www.").unwrap_or(&host).to_owned()
}

fn in_order(query: &str) -> String {
    let mut parameters: Vec<&str> = query.split('&').collect();
    // The parameters are compared as written. A query that differs in order and in spelling does not have a
    // separate name.
    parameters.sort_unstable();
    parameters.join("&")
}

/// A text and the changes that the rules of a form make to it.
///
/// ```
/// let rules = urlid_ops::explain::RuleTrace::new(&"web+drop-fragment".parse()?, "HTTP://h/#f");
/// assert_eq!(rules.changes.last().map(|change| change.rule.as_str()), Some("+drop-fragment"));
/// assert_eq!(rules.outcome, urlid_ops::explain::TraceOutcome::Canonical("http://h/".to_owned()));
/// # Ok::<(), urlid::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RuleTrace {
    /// The text before the first rule.
    pub text: String,
    /// The name of the form.
    pub form: String,
    /// The change by each rule. Rules that changed nothing are left out.
    pub changes: Vec<Change>,
    /// The canonical form.
    #[serde(flatten)]
    pub outcome: TraceOutcome,
}

/// The canonical form, or the reason that the text lacks one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub enum TraceOutcome {
    /// The canonical form.
    #[serde(rename = "canonical")]
    Canonical(String),
    /// The reason that there is no canonical form.
    #[serde(untagged)]
    Rejected(Rejection),
}

impl RuleTrace {
    /// Applies the rules one by one.
    pub fn new(form: &Form, text: &str) -> Self {
        let trace = form.canonicalizer().trace(text);
        let outcome = match trace.result {
            Ok(canonical) => TraceOutcome::Canonical(canonical),
            Err(error) => TraceOutcome::Rejected(Rejection::new(&error)),
        };
        Self { text: text.to_owned(), form: form.to_string(), changes: trace.changes, outcome }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn diff(a: &str, b: &str) -> UrlDiff {
        UrlDiff::new(a, b, &"web".parse().expect("a form"), SuffixList::compiled())
    }

    #[test]
    fn parts_are_joined_to_the_text_that_was_split() {
        for text in [
            "",
            "a",
            "//h",
            "http://u:p@h:80/a/b?q#f",
            "http://u@h?",
            "mailto:a@b",
            "http://@h:#",
            "file:///c:/a",
            "?#",
            "http://:p@h",
        ] {
            assert_eq!(Written::split(text).join(), text);
        }
    }

    #[test]
    fn differences_have_the_names_that_people_use() {
        let table: [(&str, &str, &[&str]); 18] = [
            ("http://h/", "https://h/", &["scheme"]),
            ("http://H/", "HTTP://h/", &["letter case of the scheme", "letter case of the host"]),
            ("http://www.h.example/", "http://h.example/", &["www."]),
            ("http://h/a", "http://h/a//", &["trailing slash"]),
            ("http://h/a", "http://h/A", &["letter case of the path"]),
            ("http://h/?a&b", "http://h/?b&a", &["order of the query"]),
            ("http://h/?a", "http://h/?b", &["query"]),
            ("http://h/a<b", "http://h/a%3Cb", &["spelling of the path"]),
            ("http://h/%7Ea%3c", "http://h/~a%3C", &["spelling of the path"]),
            ("http://h/\u{fc} %", "http://h/%c3%BC%20%25", &["spelling of the path"]),
            ("http://h/a%2Fb", "http://h/a/b", &["path"]),
            ("http://h/a%25", "http://h/a%2525", &["path"]),
            ("http://h/a/./b", "http://h/a/b", &["path"]),
            ("http://h/?a b", "http://h/?a%20b", &["spelling of the query"]),
            ("http://h/?a+b", "http://h/?a%20b", &["query"]),
            ("http://h/#<", "http://h/#%3c", &["spelling of the fragment"]),
            ("http://u:p@h/", "http://h/#x", &["credentials", "credentials", "fragment"]),
            ("http://h/", "http://h:80/", &["port"]),
        ];
        for (a, b, expected) in table {
            let names: Vec<_> = Pair::new(a, b).differences.iter().map(|(_, name)| *name).collect();
            assert_eq!(names, expected, "{a} and {b}");
        }
    }

    #[test]
    fn a_difference_counts_only_where_it_changes_the_form() {
        let found = diff("HTTP://h.example:80/a?b&a#x", "http://h.example/a?a&b");
        assert_eq!(found.verdict.same, Some(false));
        assert_eq!(found.verdict.ignores, ["letter case of the scheme", "port"]);
        assert_eq!(found.verdict.differs, ["order of the query", "fragment"]);
        let surt = found.forms.iter().find(|form| form.name == "surt-0.3.1").expect("it is there");
        assert_eq!((surt.same, surt.differs.len(), surt.ignores.len()), (Some(true), 0, 4));
    }

    #[test]
    fn a_part_that_a_form_drops_is_ignored_as_a_whole() {
        let ignores = |form: &str, a: &str, b: &str| {
            let form = form.parse().expect("a form");
            let Comparison { same, ignores, .. } = UrlDiff::new(a, b, &form, SuffixList::compiled()).verdict;
            assert_eq!(same, Some(true), "{form}: {a} and {b}");
            ignores
        };
        let [a, b] = ["http://h.example/A?b&a", "http://h.example/A?a&b"];
        assert_eq!(ignores("hashed-n", a, b), ["query"]);
        assert_eq!(ignores("web+sort-query", a, b), ["order of the query"]);
        assert_eq!(ignores("web+drop-query=*", a, b), ["query"]);
        assert_eq!(ignores("web", "http://h.example/<", "http://h.example/%3C"), ["spelling of the path"]);
        assert_eq!(
            ignores("web+drop-fragment", "http://h.example/#<", "http://h.example/#%3C"),
            ["fragment"]
        );
    }

    #[test]
    fn differences_that_cancel_each_other_are_ignored() {
        let found = diff("http://h/?x", "http://h:80/?x");
        assert_eq!((found.verdict.same, &found.verdict.ignores), (Some(true), &vec!["port"]));
        let found = diff("http://h:443/", "https://h:80/");
        assert_eq!(found.verdict.same, Some(false));
    }

    #[test]
    fn a_rejected_url_does_not_hide_the_other_one() {
        let found = diff("http://1.2.3.4/", "no url");
        assert_eq!(found.verdict.same, None);
        assert_eq!(found.verdict.a, Fact::Text("http://1.2.3.4/".to_owned()));
        assert!(matches!(found.verdict.b, Fact::Rejected(_)));
        assert!(found.identifiers.iter().any(|id| id.name == "sxurl" && matches!(id.a, Fact::Rejected(_))));
    }
}
