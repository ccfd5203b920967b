//! The change that each rule of a canonical form makes to a text.

use serde::Serialize;
use urlid_canonical::{Change, Form};

use super::explanation::Refusal;

/// A text, and the changes by the rules of a form.
///
/// ```
/// let rules = urlid_ops::explain::Rules::new(&"web+drop-fragment".parse()?, "HTTP://h/#f");
/// assert_eq!(rules.changes.last().map(|change| change.rule.as_str()), Some("+drop-fragment"));
/// assert_eq!(rules.outcome, urlid_ops::explain::Outcome::Canonical("http://h/".to_owned()));
/// # Ok::<(), urlid::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Rules {
    /// The text before the first rule.
    pub text: String,
    /// The name of the form.
    pub form: String,
    /// The change by each rule; rules that changed nothing are left out.
    pub changes: Vec<Change>,
    /// The canonical form.
    #[serde(flatten)]
    pub outcome: Outcome,
}

/// The canonical form, or the reason why the text has no such form.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub enum Outcome {
    /// The canonical form.
    #[serde(rename = "canonical")]
    Canonical(String),
    /// The reason why there is no canonical form.
    #[serde(untagged)]
    Refused(Refusal),
}

impl Rules {
    /// Applies the rules one by one.
    pub fn new(form: &Form, text: &str) -> Self {
        let trace = form.canonicalizer().trace(text);
        let outcome = match trace.result {
            Ok(canonical) => Outcome::Canonical(canonical),
            Err(error) => Outcome::Refused(Refusal::new(&error)),
        };
        Self { text: text.to_owned(), form: form.to_string(), changes: trace.changes, outcome }
    }
}
