//! `urlid explain --as` for people: a paragraph for each rule that changed something.

use urlid_canonical::DecidedBy;
use urlid_ops::explain::{RuleTrace, TraceOutcome};

use super::report::{escaped, shown_refusal};
use crate::output::color::{ASIDE, BOLD, GREEN, paint};

/// Returns the changes that the rules of a form made to a text.
pub(super) fn to_text(rules: &RuleTrace) -> String {
    let mut lines = vec![format!("{}  {}", paint(BOLD, &rules.form), escaped(&rules.text))];
    for change in &rules.changes {
        lines.push(format!("\n  {}  {}", paint(BOLD, &change.rule), paint(ASIDE, change.clause)));
        lines.extend(change.decided_by.iter().map(rule_line));
        lines.push(format!("    {}", escaped(&change.before)));
        lines.push(format!("    {}", escaped(&change.after)));
    }
    lines.push(match &rules.outcome {
        TraceOutcome::Canonical(form) => format!("\n  {}", paint(GREEN, &escaped(form))),
        TraceOutcome::Refused(refusal) => format!("\n  {}", shown_refusal(refusal)),
    });
    lines.join("\n") + "\n"
}

/// Shows a line of a file of rules that changed a URL.
pub(in crate::commands) fn rule_line(line: &DecidedBy) -> String {
    format!("    line {}: {}", line.line, escaped(&line.rule))
}
