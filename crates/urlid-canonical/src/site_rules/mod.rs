//! Rules of sites, for the step `+rules@NAME`. They list the differences between URLs that do not matter on a
//! host.
//!
//! `grammar` has the syntax of a file, `scopes` chooses the rule that decides, and `apply` changes the URL. A
//! program writes a file with the evidence of each rule as its comment.

mod apply;
mod grammar;
mod names;
mod scopes;

use std::sync::Arc;

use urlid::internal::digest;
use urlid::suffix::SuffixList;
use urlid::{Error, hex};

use grammar::{HEAD, Parsed};
use scopes::Scopes;

pub use grammar::{RuleKind, SiteRule, escape_rule_word};
pub(crate) use grammar::{check_name, host_scope, name_after, words};

/// The rules of a file, for the step `+rules@NAME` after the profile `web`.
///
/// The name depends only on the rules. Comments, the order of lines and repeated rules do not change it.
///
/// ```
/// use urlid_canonical::{Form, Profile, Rules, FormStep};
///
/// let rules = Rules::parse("urlid-rules 1\n[videos.example]\nalias m.videos.example\nkeep v\n")?;
/// assert_eq!(rules.name(), "rules-e3d23b34");
/// let form = Form::new(Profile::named("web")?, vec![FormStep::Rules(rules)])?;
/// assert_eq!(form.canonicalize("http://m.videos.example/w?t=9&v=1")?, "http://videos.example/w?v=1");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Rules(Arc<Inner>);

struct Inner {
    name: String,
    sha256: [u8; 32],
    text: String,
    scopes: Scopes,
}

impl Rules {
    /// The largest size of a file in bytes.
    pub const MOST_BYTES: usize = grammar::MOST_BYTES;

    /// Reads a file. The compiled suffix list decides whether an alias stays in its registered domain.
    ///
    /// # Errors
    /// [`Error`] with the number of the line that is invalid or contradicts an earlier one, or if the text is
    /// too long.
    pub fn parse(text: &str) -> Result<Self, Error> {
        Self::parse_with(text, SuffixList::compiled())
    }

    /// Reads a file, or the text in a store, with the suffix list of the store.
    ///
    /// # Errors
    /// The same as [`parse`](Rules::parse).
    pub fn parse_with(text: &str, list: &SuffixList) -> Result<Self, Error> {
        let parsed = grammar::parse(text, list)?;
        let canonical = parsed.to_canonical();
        let sha256 = digest::sha256(&[canonical.as_bytes()]);
        let name = format!("rules-{}", hex::encode(&sha256[..4]));
        parsed.check_name(&name)?;
        let Parsed { scopes, rules, .. } = parsed;
        let scopes = Scopes::build(scopes, rules)?;
        Ok(Self(Arc::new(Inner { name, sha256, text: canonical, scopes })))
    }

    /// Returns the name, which is `rules-` and the first 8 digits of the SHA-256 of the canonical text.
    pub fn name(&self) -> &str {
        &self.0.name
    }

    /// Returns the SHA-256 of the canonical text.
    pub fn sha256(&self) -> [u8; 32] {
        self.0.sha256
    }

    /// Returns the canonical text, which is also a valid file. Its scopes and rules are in the order of their
    /// bytes, with one name a rule and without comments.
    pub fn text(&self) -> &str {
        &self.0.text
    }

    /// Returns the rules in the order of the canonical text.
    pub fn rules(&self) -> impl Iterator<Item = SiteRule<'_>> {
        self.0.scopes.rules()
    }

    /// Returns the rule at an index in the order of [`rules`](Rules::rules).
    pub fn rule(&self, index: usize) -> Option<SiteRule<'_>> {
        self.0.scopes.rule(index)
    }

    /// Applies the rules to a text in the form `web`, and returns the new text. `decided` is called with the
    /// index of each rule that changes something, in the order of the stages. A rule that drops several
    /// fields is passed once for each field.
    ///
    /// ```
    /// use urlid_canonical::Rules;
    ///
    /// let rules = Rules::parse("urlid-rules 1\n[*]\nhttps\n[h.example]\ndrop sid\n")?;
    /// let mut decided = Vec::new();
    /// let url = rules.apply("http://h.example/?sid=1&q", |rule| {
    ///     decided.push(rules.rule(rule).expect("it is there").line);
    /// });
    /// assert_eq!((url.as_str(), decided), ("https://h.example/?q", vec![3, 5]));
    /// # Ok::<(), urlid::Error>(())
    /// ```
    pub fn apply(&self, url: &str, mut decided: impl FnMut(usize)) -> String {
        let mut draft = crate::draft::Draft::default();
        draft.begin(url.as_bytes());
        crate::rules::split::split(&mut draft);
        self.apply_to(&mut draft, &mut decided);
        draft.join();
        // The parts of a UTF-8 text are cut at ASCII characters, but a text that is not a URL may still be
        // damaged.
        String::from_utf8_lossy(&draft.text).into_owned()
    }

    /// Applies the rules to the parts of a URL, whose host part is the whole authority.
    pub(crate) fn apply_to(&self, draft: &mut crate::draft::Draft, decided: &mut dyn FnMut(usize)) {
        apply::apply(&self.0.scopes, draft, decided);
    }
}

impl PartialEq for Rules {
    fn eq(&self, other: &Self) -> bool {
        // The canonical text decides, because the numbers of lines also depend on comments.
        self.0.sha256 == other.0.sha256
    }
}

impl Eq for Rules {}

impl std::fmt::Debug for Rules {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Rules").field(&self.0.name).finish()
    }
}

#[cfg(test)]
mod tests;

/// A file of rules that a program writes.
///
/// The text does not depend on the order in which rules are added. It starts with the name of the rules.
///
/// ```
/// use urlid_canonical::{RuleFile, RuleKind, Rules};
///
/// let mut file = RuleFile::new();
/// file.comment("captures=3000");
/// file.push("h.example", RuleKind::Drop, &["sid"], "n=12 k=0");
/// file.push("h.example", RuleKind::Alias, &["www.h.example"], "");
/// let rules = Rules::parse(&file.to_text(""))?;
/// let expected = "# captures=3000\n[h.example]\nalias www.h.example\ndrop sid  # n=12 k=0\n";
/// assert_eq!(file.to_text(rules.name()), format!("urlid-rules 1 {}\n{expected}", rules.name()));
/// # Ok::<(), urlid::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct RuleFile {
    comments: Vec<String>,
    /// Scope, rule, and evidence.
    rules: Vec<(String, String, String)>,
}

impl RuleFile {
    /// Makes a file without rules.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a comment below the head.
    pub fn comment(&mut self, text: &str) {
        self.comments.push(one_line(text));
    }

    /// Adds a rule. `scope` is the text between the brackets of its scope. `words` follow its kind, spelled
    /// as by [`escape_rule_word`]. `evidence` may be empty.
    pub fn push(&mut self, scope: &str, kind: RuleKind, words: &[impl AsRef<str>], evidence: &str) {
        let mut rule = kind.name().to_owned();
        words.iter().for_each(|word| rule.extend([" ", word.as_ref()]));
        self.rules.push((scope.to_owned(), rule, one_line(evidence)));
    }

    /// Returns whether the file has no rules.
    pub fn is_empty(&self) -> bool {
        self.rules.is_empty()
    }

    /// Returns the text with the name of its rules, which may be empty.
    pub fn to_text(&self, name: &str) -> String {
        let mut text = HEAD.to_owned();
        let space = if name.is_empty() { "" } else { " " };
        text.extend([space, name, "\n"]);
        self.comments.iter().for_each(|comment| text.extend(["# ", comment, "\n"]));
        let mut rules: Vec<_> = self.rules.iter().collect();
        rules.sort_unstable();
        rules.dedup();
        let mut open = None;
        for (scope, rule, evidence) in rules {
            if open != Some(scope) {
                text.extend(["[", scope, "]\n"]);
                open = Some(scope);
            }
            let [before, after] = if evidence.is_empty() { ["", ""] } else { ["  # ", evidence] };
            text.extend([rule, before, after, "\n"]);
        }
        text
    }
}

/// Returns a comment without line breaks.
fn one_line(text: &str) -> String {
    // Characters of the category Cc, which never changes.
    text.split(|c: char| matches!(c, '\0'..='\x1f' | '\x7f'..='\u{9f}')).collect::<Vec<_>>().join(" ")
}
