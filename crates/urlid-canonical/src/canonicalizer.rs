//! Runs the rules and steps of a form, with or without a trace.

use std::collections::BTreeSet;

use super::draft::{Draft, Stage};
use super::profile::Profile;
use super::rules::split;
use super::steps::FormStep;
use crate::error;
use serde::Serialize;
use urlid::Error;

/// The change that one rule or step made.
///
/// ```
/// use urlid_canonical::Form;
///
/// let form: Form = "web+drop-fragment".parse()?;
/// let trace = form.canonicalizer().trace("https://docs.rs/#top");
/// assert_eq!(trace.changes[0].rule, "+drop-fragment");
/// assert_eq!(trace.changes[0].after, "https://docs.rs/");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Change {
    /// The name of the rule or step.
    pub rule: String,
    /// The effect of the rule or step, in one sentence.
    pub clause: &'static str,
    /// The text before the change.
    pub before: String,
    /// The text after the change.
    pub after: String,
    /// The lines of a file of rules that made the step `+rules` change the text. Each line occurs once, in
    /// the order of the step's stages.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub decided_by: Vec<DecidedBy>,
}

/// A line of a file of rules.
///
/// ```
/// use urlid_canonical::{Form, Rules};
///
/// let rules = Rules::parse("urlid-rules 1\n[h.example]\ndrop a b\n")?;
/// let form = Form::parse_with_rules("web+rules", &[], Some(&rules))?;
/// let trace = form.canonicalizer().trace("http://h.example/?b&b&c");
/// let by = &trace.changes[0].decided_by[0];
/// assert_eq!((by.line, by.rule.as_str()), (3, "[h.example] drop b"));
/// # Ok::<(), urlid::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct DecidedBy {
    /// The number of the line, from 1.
    pub line: u32,
    /// The scope and the rule, as in the canonical text.
    pub rule: String,
}

/// The effect of a form's rules and steps on a text.
///
/// ```
/// use urlid_canonical::Form;
///
/// let form: Form = "surt-0.3.1".parse()?;
/// let trace = form.canonicalizer().trace("http://www.archive.org/goo/");
/// assert_eq!(trace.result?, "org,archive)/goo");
/// assert!(trace.changes.iter().all(|change| change.before != change.after));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Trace {
    /// The changes in their order. Rules and steps that changed nothing are left out.
    pub changes: Vec<Change>,
    /// The canonical form.
    pub result: Result<String, Error>,
}

/// A form with the buffers of its rules. It converts many texts without an allocation for each.
///
/// ```
/// use urlid_canonical::Form;
///
/// let form: Form = "surt-0.3.1".parse()?;
/// let mut canonicalizer = form.canonicalizer();
/// let mut keys = String::new();
/// for url in ["http://archive.org/", "http://docs.rs/"] {
///     canonicalizer.canonicalize_into(url, &mut keys)?;
///     keys.push('\n');
/// }
/// assert_eq!(keys, "org,archive)/\nrs,docs)/\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Canonicalizer<'f> {
    profile: &'static Profile,
    steps: &'f [FormStep],
    draft: Draft,
}

impl<'f> Canonicalizer<'f> {
    pub(super) fn new(profile: &'static Profile, steps: &'f [FormStep]) -> Self {
        Self { profile, steps, draft: Draft::default() }
    }

    /// Appends the canonical form of a text.
    ///
    /// # Errors
    /// The same as [`canonicalize`](super::Form::canonicalize). `out` is unchanged then.
    pub fn canonicalize_into(&mut self, text: &str, out: &mut String) -> Result<(), Error> {
        // The plain path prints a whole text at once. Steps need parts, which it never makes.
        if self.steps.is_empty() && self.profile.plain.is_some_and(|plain| plain(text, out)) {
            return Ok(());
        }
        self.draft.begin(text.as_bytes());
        for rule in self.profile.rules() {
            rule.apply_to(&mut self.draft, text)?;
            if self.draft.stage == Stage::Finished {
                break;
            }
        }
        if !self.steps.is_empty() {
            split::split(&mut self.draft);
            self.steps.iter().for_each(|step| step.apply(&mut self.draft));
            self.draft.join();
        }
        // Checked only here: rules may decode to bytes that are not UTF-8, which later rules encode again.
        out.push_str(core::str::from_utf8(&self.draft.text).map_err(|_| error::NOT_UTF8.error())?);
        Ok(())
    }

    /// Applies the rules and steps one by one, and returns the change by each of them.
    pub fn trace(&mut self, text: &str) -> Trace {
        let mut changes = Vec::new();
        let result = self.trace_into(text, &mut changes);
        Trace { changes, result }
    }

    fn trace_into(&mut self, text: &str, changes: &mut Vec<Change>) -> Result<String, Error> {
        // The plain path is not tried: it runs no rules that could be shown.
        self.draft.begin(text.as_bytes());
        let mut before = self.draft.to_shown();
        for rule in self.profile.rules() {
            rule.apply_to(&mut self.draft, text)?;
            note(rule.name.to_owned(), rule.clause, &mut before, &self.draft, Vec::new(), changes);
            if self.draft.stage == Stage::Finished {
                break;
            }
        }
        for step in self.steps {
            // Joined after each step, unlike in `canonicalize_into`: a trace shows the URL between steps.
            split::split(&mut self.draft);
            let decided_by = apply(step, &mut self.draft);
            self.draft.join();
            note(format!("+{step}"), step.clause(), &mut before, &self.draft, decided_by, changes);
        }
        String::from_utf8(self.draft.text.clone()).map_err(|_| error::NOT_UTF8.error())
    }
}

/// Applies a step, and returns the lines of its file by which it changed something.
fn apply(step: &FormStep, draft: &mut Draft) -> Vec<DecidedBy> {
    let FormStep::Rules(rules) = step else {
        step.apply(draft);
        return Vec::new();
    };
    let mut decided = Vec::new();
    let mut is_listed = BTreeSet::new();
    rules.apply_to(draft, &mut |rule| {
        if is_listed.insert(rule) {
            decided.extend(rules.rule(rule));
        }
    });
    decided.iter().map(|rule| DecidedBy { line: rule.line, rule: rule.to_string() }).collect()
}

/// Adds a change if there is one.
fn note(
    rule: String,
    clause: &'static str,
    before: &mut String,
    draft: &Draft,
    decided_by: Vec<DecidedBy>,
    changes: &mut Vec<Change>,
) {
    let after = draft.to_shown();
    if after != *before {
        let before = std::mem::replace(before, after.clone());
        changes.push(Change { rule, clause, before, after, decided_by });
    }
}
