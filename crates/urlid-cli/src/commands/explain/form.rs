//! `urlid explain --as`: what each rule of a canonical form changes in a text.

use urlid::canonical::{Form, Trace};

use crate::color::{BOLD, DIM, GREEN, RED, paint};
use crate::escape::Escaped;
use crate::json::{self, Object};
use crate::message;
use crate::refusals::Refusal;

/// A text, and what the rules of a form did to it.
pub(super) struct Rules<'a> {
    form: &'a Form,
    text: &'a str,
    trace: Trace,
}

impl<'a> Rules<'a> {
    /// Applies the rules one by one.
    pub(super) fn new(form: &'a Form, text: &'a str) -> Self {
        Self { form, text, trace: form.canonicalizer().trace(text) }
    }

    /// Returns a paragraph for each rule that changed something.
    pub(super) fn to_text(&self) -> String {
        let shown = |text: &str| Escaped(text.as_bytes()).to_string();
        let mut lines = vec![format!("{}  {}", paint(BOLD, &self.form.to_string()), shown(self.text))];
        for change in &self.trace.changes {
            lines.push(format!("\n  {}  {}", paint(BOLD, &change.rule), paint(DIM, change.clause)));
            lines.push(format!("    {}", shown(&change.before)));
            lines.push(format!("    {}", shown(&change.after)));
        }
        lines.push(match &self.trace.result {
            Ok(form) => format!("\n  {}", paint(GREEN, &shown(form))),
            Err(error) => format!("\n  {}", paint(RED, &message::describe(error))),
        });
        lines.join("\n") + "\n"
    }

    /// Returns a line of JSON.
    pub(super) fn to_json(&self) -> String {
        let changes = json::list(self.trace.changes.iter().map(|change| {
            let object = Object::new().text("rule", &change.rule).text("clause", change.clause);
            object.text("before", &change.before).text("after", &change.after).finish()
        }));
        let object = Object::new().text("text", self.text).text("form", &self.form.to_string());
        let object = object.json("changes", &changes);
        let object = match &self.trace.result {
            Ok(form) => object.text("canonical", form),
            Err(error) => {
                let refusal = Refusal::from(error.clone());
                object.text("error", refusal.code().as_str()).text("message", &refusal.message())
            }
        };
        object.finish() + "\n"
    }
}
