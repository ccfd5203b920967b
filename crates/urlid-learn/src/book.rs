//! The file of learned rules, of all domains, with evidence as comments.

use urlid::Error;
use urlid_canonical::{RuleFile, RuleKind, Rules};

use crate::accept::CONTENTS;
use crate::everywhere::Votes;
use crate::learn::{Domain, RuleLine, TRACKING};
use crate::text;

/// The names that are dropped on all hosts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Wide {
    /// The names of [`TRACKING`], where a host has nothing against one.
    pub tracking: bool,
    /// Names that enough registered domains agree about.
    pub everywhere: bool,
}

/// The rules learned of all domains, with their statistics.
#[derive(Debug, Default)]
pub struct RuleBook {
    wide: Wide,
    rules: Vec<RuleLine>,
    votes: Votes,
    /// The number of URLs.
    pub urls: u64,
    /// The number of URLs that are left under the rules.
    pub left: u64,
    /// The number of different contents, each counted once a domain.
    pub contents: u64,
    /// The URLs that were captured more than once.
    pub repeated: u64,
    /// Those of them that had different contents.
    pub volatile: u64,
    has_text: bool,
}

impl RuleBook {
    /// Begins a book.
    #[must_use]
    pub fn new(wide: Wide) -> Self {
        RuleBook { wide, ..RuleBook::default() }
    }

    /// Returns the names that are dropped on all hosts whatever the domains teach, for [`Domain::learn`].
    #[must_use]
    pub fn wide_names(&self) -> &'static [&'static str] {
        if self.wide.tracking { &TRACKING } else { &[] }
    }

    /// Adds the rules learned of a domain. The order of domains does not matter.
    pub fn add(&mut self, domain: Domain) {
        self.urls += domain.urls as u64;
        self.left += domain.left as u64;
        self.contents += domain.contents as u64;
        self.repeated += domain.repeated as u64;
        self.volatile += domain.volatile as u64;
        self.has_text |= domain.has_text;
        if self.wide.everywhere {
            self.votes.add(&domain);
        }
        self.rules.extend(domain.rules);
    }

    /// Returns whether a content was that of a visible text.
    #[must_use]
    pub fn has_text(&self) -> bool {
        self.has_text
    }

    /// Returns the number of rules that join URLs.
    #[must_use]
    pub fn joining(&self) -> usize {
        self.rules.iter().filter(|rule| rule.kind != RuleKind::Hold).count()
    }

    /// Returns the text of the file, and the rules in it.
    ///
    /// # Errors
    /// If the file would be too long.
    pub fn finish(&self) -> Result<(String, Rules), Error> {
        let mut file = RuleFile::new();
        let digest = if self.has_text { text::NAME } else { "digests as given" };
        file.comment(&format!("{digest}, at least {CONTENTS} contents a rule"));
        file.comment(&format!("urls={} contents={}", self.urls, self.contents));
        for rule in &self.rules {
            file.push(&rule.scope, rule.kind, rule.words(), &rule.evidence);
        }
        for name in self.wide_names() {
            file.push("*", RuleKind::Drop, &[name], "a name for tracking, not learned");
        }
        for (word, agreeing, against) in
            self.votes.elected().filter(|(word, ..)| !self.wide_names().contains(word))
        {
            file.push("*", RuleKind::Drop, &[word], &format!("domains={agreeing} against={against}"));
        }
        // The name is a digest of the rules, so the text is made twice: without the name, and with it.
        let rules = Rules::parse(&file.to_text(""))?;
        Ok((file.to_text(rules.name()), rules))
    }
}
