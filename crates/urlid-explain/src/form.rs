//! What each rule of a canonical form changes in a text.

use serde::Serialize;
use urlid_canonical::{DecidedBy, Form};

use crate::error::Refusal;

/// A text, and what the rules of a form did to it.
///
/// ```
/// let rules = urlid_explain::Rules::of(&"web+drop-fragment".parse()?, "HTTP://h/#f");
/// assert_eq!(rules.changes.last().map(|change| change.rule.as_str()), Some("+drop-fragment"));
/// assert_eq!(rules.outcome, urlid_explain::Outcome::Canonical("http://h/".to_owned()));
/// # Ok::<(), urlid::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Rules {
    /// The text before the first rule.
    pub text: String,
    /// The name of the form.
    pub form: String,
    /// What each rule changed; those that changed nothing are left out.
    pub changes: Vec<Change>,
    /// The canonical form.
    #[serde(flatten)]
    pub outcome: Outcome,
}

/// What a rule or step changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Change {
    /// The name of the rule or step.
    pub rule: String,
    /// What it does, in one sentence.
    pub clause: &'static str,
    /// The text before it.
    pub before: String,
    /// The text after it.
    pub after: String,
    /// The lines of a file of rules by which the step `+rules` changed it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub lines: Vec<RuleLine>,
}

/// A line of a file of rules.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct RuleLine {
    /// The number of the line, from 1.
    pub line: u32,
    /// The scope and the rule, as the canonical text has them.
    pub rule: String,
}

impl RuleLine {
    pub(crate) fn all(decided_by: Vec<DecidedBy>) -> Vec<Self> {
        decided_by.into_iter().map(|DecidedBy { line, rule }| Self { line, rule }).collect()
    }
}

/// The canonical form, or why there is none.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub enum Outcome {
    /// The canonical form.
    #[serde(rename = "canonical")]
    Canonical(String),
    /// Why there is none.
    #[serde(untagged)]
    Refused(Refusal),
}

impl Rules {
    /// Applies the rules one by one.
    pub fn of(form: &Form, text: &str) -> Self {
        let trace = form.canonicalizer().trace(text);
        let changes = trace.changes.into_iter().map(|change| Change {
            rule: change.rule,
            clause: change.clause,
            before: change.before,
            after: change.after,
            lines: RuleLine::all(change.decided_by),
        });
        let outcome = match trace.result {
            Ok(canonical) => Outcome::Canonical(canonical),
            Err(error) => Outcome::Refused(Refusal::of(&error)),
        };
        Self { text: text.to_owned(), form: form.to_string(), changes: changes.collect(), outcome }
    }
}
