//! A file of rules that a program writes, with the evidence of each rule as its comment.

use super::grammar::{HEAD, RuleKind};

/// A file of rules that a program writes.
///
/// The text is the same whatever the order in which rules are added, and begins with the name that the rules
/// have.
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

    /// Adds a rule: the text between the brackets of its scope, what follows its kind, spelled as
    /// [`escape_rule_word`](crate::escape_rule_word) does, and its evidence, which may be empty.
    pub fn push(&mut self, scope: &str, kind: RuleKind, words: &[impl AsRef<str>], evidence: &str) {
        let mut rule = kind.name().to_owned();
        words.iter().for_each(|word| rule.extend([" ", word.as_ref()]));
        self.rules.push((scope.to_owned(), rule, one_line(evidence)));
    }

    /// Returns whether no rule was added.
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
