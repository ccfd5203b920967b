//! Steps that follow a profile with URLs as its forms. Each step drops a difference that often does not
//! matter.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::fmt;

use super::draft::Draft;
use super::no_vary_search::NoVarySearch;
use super::site_rules::Rules;
use super::tracking::TrackingList;
use crate::error;
use crate::rules::{authority, escapes, query, session};
use urlid::Error;
use urlid::internal::escape::{C0_CONTROL, EscapeSet};

/// A step after a profile. A form has each step at most once, and applies them in the order of this list.
///
/// ```
/// use urlid_canonical::{Form, Profile, FormStep};
///
/// let form = Form::new(Profile::named("web")?, vec![FormStep::DropFragment, FormStep::Https])?;
/// assert_eq!(form.to_string(), "web+drop-fragment+https");
/// assert_eq!(form.canonicalize("http://docs.rs/#top")?, "https://docs.rs/");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FormStep {
    /// `+rules@NAME`: applies the rules of sites, which are given. It follows `web` directly. Neither
    /// `+strip-www` nor `+trailing-slash` can follow it, because they would change the host and path by which
    /// scopes are found.
    Rules(Rules),
    /// `+no-vary-search-05=FIELD`: keeps only the fields of the query that matter by a field
    /// `No-Vary-Search`, and drops the fragment. It follows `web`. The field is in canonical form, and all
    /// characters except letters, digits, `-`, `.` and `_` are written as `%XX`.
    NoVarySearch(NoVarySearch),
    /// `+drop-fragment`: drops the fragment.
    DropFragment,
    /// `+drop-anchor`: drops the fragment unless it starts with `!` or `/`, by which applications in a browser
    /// name their pages.
    DropAnchor,
    /// `+sort-query`: sorts the fields of the query by name and value.
    SortQuery,
    /// `+drop-query=NAMES`: drops the fields of the query with these names, which are compared decoded. A `*`
    /// at the end matches any text. In a name, exactly `%`, `*`, `+`, `,`, `=`, controls and characters that
    /// are not ASCII are written as `%XX`.
    DropQuery(Vec<String>),
    /// `+drop-tracking@LIST`: drops the fields of the query that a list names.
    DropTracking(TrackingList),
    /// `+drop-session`: drops the session identifiers of Java servers, PHP, ASP, ASP.NET and ColdFusion from
    /// the path and the query of `http` and `https`. The list never changes.
    DropSession,
    /// `+drop-values`: leaves the names of the fields of the query, without values, sorted, each once.
    DropValues,
    /// `+strip-www`: strips `www`, digits and a dot from the host, once, if two labels are left.
    StripWww,
    /// `+trailing-slash`: drops one `/` at the end of a path that is longer than `/`.
    TrailingSlash,
    /// `+https`: turns `http` into `https` if no port is written.
    Https,
}

impl FormStep {
    /// Reads a step without the `+` before it. `given` are the lists that it may name in addition to the list
    /// of this library, and `rules` are the rules that it may name.
    pub(super) fn parse(text: &str, given: &[TrackingList], rules: Option<&Rules>) -> Result<Self, Error> {
        let unknown = || {
            let names = Self::ALL.map(|(name, _)| name.trim_start_matches('+'));
            error::UNKNOWN_STEP.found(text).with_expected(names.join(", "))
        };
        Ok(match text {
            "drop-fragment" => Self::DropFragment,
            "drop-anchor" => Self::DropAnchor,
            "drop-session" => Self::DropSession,
            "drop-values" => Self::DropValues,
            "sort-query" => Self::SortQuery,
            "strip-www" => Self::StripWww,
            "trailing-slash" => Self::TrailingSlash,
            "https" => Self::Https,
            "drop-tracking" => Self::DropTracking(given.first().unwrap_or(TrackingList::firefox()).clone()),
            "rules" => Self::Rules(
                rules.ok_or_else(|| error::NO_RULES.found(text).with_expected("a file of rules"))?.clone(),
            ),
            _ => match text.split_once(['=', '@']) {
                Some(("drop-query", names)) if names.split(',').all(|name| !name.is_empty()) => {
                    Self::DropQuery(names.split(',').map(str::to_owned).collect())
                }
                Some(("drop-tracking", name)) => {
                    Self::DropTracking(TrackingList::named(name, given)?.clone())
                }
                Some(("no-vary-search-05", field)) if text.contains('=') => {
                    let read = NoVarySearch::of_step(field);
                    Self::NoVarySearch(
                        read.map_err(|expected| error::FIELD.found(field).with_expected(expected))?,
                    )
                }
                Some(("rules", name)) if text.contains('@') => Self::Rules(named_rules(name, rules)?.clone()),
                _ => return Err(unknown()),
            },
        })
    }

    /// Returns an error if the step has a name that is not written in its one way, so that a form has one
    /// name.
    pub(super) fn check(&self) -> Result<(), Error> {
        let Self::DropQuery(patterns) = self else { return Ok(()) };
        patterns.iter().try_for_each(|pattern| {
            let (name, star) = cut_star(pattern);
            let mut expected = String::new();
            NAME.encode(&unescaped(name), &mut expected);
            expected.push_str(star);
            if expected == *pattern {
                return Ok(());
            }
            Err(error::PARAMETER.found(pattern).with_expected(expected))
        })
    }

    /// Returns the place of the step in a name, and in [`ALL`](Self::ALL).
    pub(super) fn rank(&self) -> usize {
        match self {
            Self::Rules(_) => 0,
            Self::NoVarySearch(_) => 1,
            Self::DropFragment => 2,
            Self::DropAnchor => 3,
            Self::SortQuery => 4,
            Self::DropQuery(_) => 5,
            Self::DropTracking(_) => 6,
            Self::DropSession => 7,
            Self::DropValues => 8,
            Self::StripWww => 9,
            Self::TrailingSlash => 10,
            Self::Https => 11,
        }
    }

    /// All steps in the order in which a form applies them: the syntax of a step, and its effect in one
    /// sentence.
    pub const ALL: [(&str, &str); 12] = [
        ("+rules@NAME", "Apply the rules of the site."),
        ("+no-vary-search-05=FIELD", "Apply the No-Vary-Search field to the query, and drop the fragment."),
        ("+drop-fragment", "Drop the fragment."),
        ("+drop-anchor", "Drop the fragment unless it starts with `!` or `/`."),
        ("+sort-query", "Sort the fields of the query by name and value."),
        ("+drop-query=NAMES", "Drop the fields of the query with these names."),
        ("+drop-tracking@LIST", "Drop the fields of the query that the list names."),
        ("+drop-session", "Drop the session identifiers of servers from the path and the query."),
        ("+drop-values", "Leave the names of the fields of the query, sorted, each once."),
        ("+strip-www", "Strip `www`, digits and a dot from the host, once, if two labels are left."),
        ("+trailing-slash", "Drop one `/` at the end of a path that is more than that."),
        ("+https", "Turn `http` into `https` where no port is written."),
    ];

    /// Returns the effect of the step, in one sentence.
    pub fn clause(&self) -> &'static str {
        Self::ALL[self.rank()].1
    }

    /// Changes the parts of a URL, whose host part is the whole authority.
    pub(super) fn apply(&self, draft: &mut Draft) {
        match self {
            Self::Rules(rules) => rules.apply_to(draft, &mut |_| ()),
            Self::NoVarySearch(field) => {
                field.apply(&mut draft.query);
                draft.fragment.remove();
            }
            Self::DropFragment => draft.fragment.remove(),
            Self::DropAnchor => {
                if !draft.fragment.bytes().starts_with(b"!") && !draft.fragment.bytes().starts_with(b"/") {
                    draft.fragment.remove();
                }
            }
            Self::SortQuery => query::sort(&mut draft.query, &mut draft.spare),
            Self::DropQuery(names) => {
                let patterns = Patterns::new(names);
                query::drop_fields(&mut draft.query, &mut draft.spare, |name| {
                    patterns.match_name(&query::decoded_name(name))
                });
            }
            Self::DropTracking(list) => {
                let host = &draft.host.bytes()[host_start(draft)..];
                // An address in brackets is cut at its first colon, which does not matter, because lists do
                // not name such a site.
                let host = host.split(|&byte| byte == b':').next().unwrap_or_default();
                // Looked up with the first field, because most URLs have none.
                let tracked = OnceCell::new();
                let is_tracked = |name: &[u8]| tracked.get_or_init(|| list.on(host)).contains(name);
                query::drop_fields(&mut draft.query, &mut draft.spare, is_tracked);
            }
            Self::DropSession => session::drop(draft),
            Self::DropValues => query::keep_names(&mut draft.query, &mut draft.spare),
            Self::StripWww => {
                let start = host_start(draft);
                let host = &draft.host.bytes()[start..];
                // `www.com` is a domain by itself, of which removing `www.` would leave a public suffix.
                if let Some(length) =
                    authority::www_length(host).filter(|&length| host[length..].contains(&b'.'))
                {
                    draft.host.bytes_mut().drain(start..start + length);
                }
            }
            Self::TrailingSlash => {
                if draft.path.len() > 1 && draft.path.ends_with(b"/") {
                    draft.path.pop();
                }
            }
            Self::Https => {
                let host = &draft.host.bytes()[host_start(draft)..];
                let has_port =
                    // The colons of an IPv6 address precede the last `]`.
                    host.rsplit(|&byte| byte == b']').next().is_some_and(|rest| rest.contains(&b':'));
                // A written port belongs to the `http` server, so `https` at that port would be a different
                // service.
                if draft.scheme.bytes() == b"http" && !has_port {
                    draft.scheme.set(b"https");
                }
            }
        }
    }
}

/// Returns the rules that are given, if they have this name.
fn named_rules<'r>(name: &str, given: Option<&'r Rules>) -> Result<&'r Rules, Error> {
    match given {
        Some(rules) if rules.name() == name => Ok(rules),
        Some(rules) => Err(error::OTHER_RULES.found(rules.name()).with_expected(name.to_owned())),
        None => Err(error::NO_RULES.found(name).with_expected("a file of rules")),
    }
}

fn host_start(draft: &Draft) -> usize {
    memchr::memrchr(b'@', draft.host.bytes()).map_or(0, |offset| offset + 1)
}

/// Bytes written as `%XX` in the name of a parameter.
const NAME: EscapeSet = C0_CONTROL.with(b"%*+,=");

/// Cuts a pattern before the `*` that stands for any text.
fn cut_star(pattern: &str) -> (&str, &str) {
    pattern.strip_suffix('*').map_or((pattern, ""), |name| (name, "*"))
}

/// Returns the name of a parameter that is written with `%XX`. Bytes that are not UTF-8 become U+FFFD.
fn unescaped(name: &str) -> Cow<'_, str> {
    if !name.contains('%') {
        return name.into();
    }
    let mut bytes = name.as_bytes().to_vec();
    escapes::decode_once(&mut bytes, |_| true);
    String::from_utf8_lossy(&bytes).into_owned().into()
}

/// The names of a step, so that a name is found among many.
struct Patterns<'n> {
    /// Ascending.
    names: Vec<Cow<'n, str>>,
    /// The texts before a `*`, ascending. None is a prefix of a different one, so only the greatest that is
    /// not after a name can be its prefix.
    starts: Vec<Cow<'n, str>>,
}

impl<'n> Patterns<'n> {
    fn new(patterns: &'n [String]) -> Self {
        let (mut names, mut starts) = (Vec::new(), Vec::new());
        for pattern in patterns {
            match cut_star(pattern) {
                (start, "*") => starts.push(unescaped(start)),
                (name, _) => names.push(unescaped(name)),
            }
        }
        names.sort_unstable();
        starts.sort_unstable();
        // A prefix such as `utm` already covers `utm_source`, which follows it in this order.
        starts.dedup_by(|longer, shorter| longer.starts_with(&**shorter));
        Self { names, starts }
    }

    fn match_name(&self, name: &str) -> bool {
        // A hostile form can have many names, and a query many fields, so each field is looked up instead of
        // compared with every name.
        let after = self.starts.partition_point(|start| **start <= *name);
        let start = after.checked_sub(1).map(|place| &*self.starts[place]);
        let is_name = || self.names.binary_search_by(|known| (**known).cmp(name)).is_ok();
        start.is_some_and(|start| name.starts_with(start)) || is_name()
    }
}

impl fmt::Display for FormStep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rules(rules) => write!(f, "rules@{}", rules.name()),
            Self::NoVarySearch(field) => write!(f, "no-vary-search-05={}", field.to_step()),
            Self::DropFragment => f.write_str("drop-fragment"),
            Self::DropAnchor => f.write_str("drop-anchor"),
            Self::DropSession => f.write_str("drop-session"),
            Self::DropValues => f.write_str("drop-values"),
            Self::SortQuery => f.write_str("sort-query"),
            Self::DropQuery(names) => write!(f, "drop-query={}", names.join(",")),
            Self::DropTracking(list) => write!(f, "drop-tracking@{}", list.name()),
            Self::StripWww => f.write_str("strip-www"),
            Self::TrailingSlash => f.write_str("trailing-slash"),
            Self::Https => f.write_str("https"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_has_one_spelling() {
        for (written, expected) in [
            ("%61", "a"),
            ("a%2c", "a%2C"),
            ("a*c", "a%2Ac"),
            ("d**", "d%2A*"),
            ("a=b", "a%3Db"),
            ("100%", "100%25"),
            ("%", "%25"),
            ("\u{fc}", "%C3%BC"),
            ("%FF", "%EF%BF%BD"),
            ("\u{7f}", "%7F"),
            ("a%20b", "a b"),
            ("%26", "&"),
        ] {
            let error =
                FormStep::parse(&format!("drop-query=q,{written}"), &[], None).and_then(|step| step.check());
            let error = error.expect_err(written);
            let found = format!("`{}`", written.escape_debug());
            assert_eq!((error.found(), error.expected()), (Some(&*found), Some(expected)));
            assert_eq!(FormStep::DropQuery(vec![expected.to_owned()]).check(), Ok(()), "{written}");
        }
    }

    #[track_caller]
    fn check(form: &str, table: &[(&str, &str)]) {
        let form: crate::Form = form.parse().expect("a form");
        for (url, expected) in table {
            let once = form.canonicalize(url).expect("a URL");
            assert_eq!(once, *expected, "{url}");
            assert_eq!(form.canonicalize(&once).as_deref(), Ok(*expected), "{url}");
        }
    }

    #[test]
    fn anchors_go_and_routes_stay() {
        check(
            "web+drop-anchor",
            &[
                ("http://h/#top", "http://h/"),
                ("http://h/#", "http://h/"),
                ("http://h/?q#!/a", "http://h/?q#!/a"),
                ("http://h/#/a?b=1", "http://h/#/a?b=1"),
                ("http://h/#%2Fa", "http://h/"),
                ("http://h/# /", "http://h/"),
                ("http://h/#a/!", "http://h/"),
            ],
        );
    }

    #[test]
    fn sessions_go_and_what_looks_like_them_stays() {
        const HEX: &str = "0123456789abcdef0123456789ABCDEF";
        check(
            "web+drop-session",
            &[
                ("http://h/a;jsessionid=0A.node1/b;JSESSIONID=;x?q", "http://h/a/b;x?q"),
                ("http://h/..;jsessionid=1/a", "http://h/..;jsessionid=1/a"),
                ("http://h/;jsessionid=1", "http://h/"),
                (
                    "http://h/a;jsessionid;jsessionids=1/jsessionid=1",
                    "http://h/a;jsessionid;jsessionids=1/jsessionid=1",
                ),
                ("http://h/?JSESSIONID=1&a&phpsessid=", "http://h/?a"),
                ("http://h/?PHPSESSID=1935a0d44702bab79c28ed9746", "http://h/"),
                (&format!("http://h/?SID={HEX}&b"), "http://h/?b"),
                (&format!("http://h/?mysid={HEX}"), &format!("http://h/?mysid={HEX}")),
                ("http://h/?sid=12", "http://h/?sid=12"),
                (&format!("http://h/?sid={HEX}0"), &format!("http://h/?sid={HEX}0")),
                ("http://h/?ASPSESSIONIDABCDEFGH=x&ASPSESSIONIDABC=y", "http://h/?ASPSESSIONIDABC=y"),
                ("http://h/?cfid=1&a&CFTOKEN=2", "http://h/?a"),
                ("http://h/?cfid=1&a", "http://h/?cfid=1&a"),
                ("http://h/(S(abcdefghijklmnopqrstuvwx))/a.aspx", "http://h/a.aspx"),
                ("http://h/(abcdefghijklmnopqrstuvwx)/a.html", "http://h/(abcdefghijklmnopqrstuvwx)/a.html"),
                ("foo:/;jsessionid=1/a?phpsessid=1", "foo:/;jsessionid=1/a?phpsessid=1"),
            ],
        );
        assert!("web+rules+drop-session".parse::<crate::Form>().is_err());
    }

    #[test]
    fn names_are_left_without_values() {
        check(
            "web+drop-values",
            &[
                ("http://h/?b=2&a=1&%62=3&a", "http://h/?a&b"),
                ("http://h/?a[]=1&a+b=2&a%20b&=x&&", "http://h/?a+b&a%5B%5D"),
                ("http://h/?%FF=1&%C3%BC", "http://h/?%C3%BC&%EF%BF%BD"),
                ("http://h/?%26=%3D&%25", "http://h/?%25&%26"),
                ("http://h/?=1&", "http://h/"),
                ("http://h/?", "http://h/"),
                ("http://h/#f", "http://h/#f"),
            ],
        );
    }

    /// Every choice of patterns, against a walk over them.
    #[test]
    fn a_name_is_dropped_if_a_pattern_says_so() {
        let all = ["a", "ab", "ab*", "abc*", "b*", "ba", "c", "*", "a%2Ac", "d%2A*"];
        let names =
            ["", "a", "ab", "abc", "abd", "ac", "b", "ba", "c", "ca", "d", "d*", "d*x", "a*c", "a*", "*"];
        for chosen in 0_u32..1 << all.len() {
            let chosen: Vec<String> =
                (0..all.len()).filter(|bit| chosen >> bit & 1 == 1).map(|bit| all[bit].to_owned()).collect();
            let patterns = Patterns::new(&chosen);
            for name in names {
                let matches = |pattern: &String| match pattern.strip_suffix('*') {
                    Some(start) => name.starts_with(&start.replace("%2A", "*")),
                    None => name == pattern.replace("%2A", "*"),
                };
                assert_eq!(patterns.match_name(name), chosen.iter().any(matches), "{chosen:?} {name}");
            }
        }
    }
}
