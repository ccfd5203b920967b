//! Runs the rules of a profile, with or without a trace.

use super::draft::{Draft, Stage};
use super::error::ProfileError;
use super::profile::{Profile, Rule};

/// What one rule changed.
#[derive(Clone, Debug)]
pub struct Change {
    /// The rule.
    pub rule: &'static Rule,
    /// The text before it.
    pub before: String,
    /// The text after it.
    pub after: String,
}

impl Profile {
    /// Returns the canonical form of a text.
    ///
    /// # Errors
    /// [`ProfileError`] if the profile gives the text no form.
    pub fn canonicalize(&self, text: &str) -> Result<String, ProfileError> {
        let mut out = String::new();
        self.canonicalize_into(text, &mut out)?;
        Ok(out)
    }

    /// Appends the canonical form of a text.
    ///
    /// # Errors
    /// As for [`canonicalize`](Profile::canonicalize); then nothing is appended.
    pub fn canonicalize_into(&self, text: &str, out: &mut String) -> Result<(), ProfileError> {
        Canonicalizer::new(self).canonicalize_into(text, out)
    }
}

/// A profile, and the room in which its rules work: for many texts, without an allocation for each.
#[derive(Clone, Debug)]
pub struct Canonicalizer<'p> {
    profile: &'p Profile,
    draft: Draft,
}

impl<'p> Canonicalizer<'p> {
    /// Makes a canonicalizer.
    pub fn new(profile: &'p Profile) -> Self {
        Self { profile, draft: Draft::default() }
    }

    /// Appends the canonical form of a text.
    ///
    /// # Errors
    /// As for [`Profile::canonicalize`]; then nothing is appended.
    pub fn canonicalize_into(&mut self, text: &str, out: &mut String) -> Result<(), ProfileError> {
        self.draft.begin(text);
        for rule in self.profile.rules() {
            rule.apply(&mut self.draft)?;
            if self.draft.stage == Stage::Finished {
                break;
            }
        }
        out.push_str(std::str::from_utf8(&self.draft.text).map_err(|_| ProfileError::NotUtf8)?);
        Ok(())
    }

    /// Applies the rules one by one and returns what each of them changed.
    pub fn trace(&mut self, text: &str) -> (Vec<Change>, Result<String, ProfileError>) {
        let mut changes = Vec::new();
        self.draft.begin(text);
        let mut before = self.draft.to_shown();
        for rule in self.profile.rules() {
            if let Err(error) = rule.apply(&mut self.draft) {
                return (changes, Err(error));
            }
            let after = self.draft.to_shown();
            if after != before {
                changes.push(Change { rule, before, after: after.clone() });
            }
            before = after;
            if self.draft.stage == Stage::Finished {
                break;
            }
        }
        let text = String::from_utf8(self.draft.text.clone()).map_err(|_| ProfileError::NotUtf8);
        (changes, text)
    }
}
