//! The file of learned rules for all domains, with evidence as comments. It also has rules for all hosts.
//! Each registered domain has one vote on them, so that many hosts or pages do not add weight.

use std::collections::BTreeMap;

use urlid::Error;
use urlid_canonical::{RuleFile, RuleKind, Rules};

use crate::accept::CONTENTS;
use crate::learn::{Domain, RuleLine, TRACKING};
use crate::text;

/// The names that are dropped on all hosts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Wide {
    /// The names of [`TRACKING`], on hosts without evidence against them.
    pub tracking: bool,
    /// The names that enough registered domains agree on.
    pub everywhere: bool,
}

/// The learned rules of all domains, with their statistics.
#[derive(Debug, Default)]
pub struct RuleBook {
    wide: Wide,
    rules: Vec<RuleLine>,
    votes: Votes,
    /// The number of URLs.
    pub urls: u64,
    /// The number of URLs that remain under the rules.
    pub left: u64,
    /// The number of different contents. Each one counts once a domain.
    pub contents: u64,
    /// The URLs that were captured more than once.
    pub repeated: u64,
    /// The repeated URLs that had different contents.
    pub volatile: u64,
    has_text: bool,
}

impl RuleBook {
    /// Makes an empty book.
    #[must_use]
    pub fn new(wide: Wide) -> Self {
        RuleBook { wide, ..RuleBook::default() }
    }

    /// Returns the names that are dropped on all hosts, independently of the domains, for [`Domain::learn`].
    #[must_use]
    pub fn wide_names(&self) -> &'static [&'static str] {
        if self.wide.tracking { &TRACKING } else { &[] }
    }

    /// Adds the learned rules of a domain. The order of domains does not matter.
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

    /// Returns whether a digest was computed from a visible text.
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

/// The smallest number of registered domains that vote.
const VOTES: u64 = 20;
/// The least share that agrees, with 95 % confidence.
const SHARE: f64 = 0.95;

/// The votes of registered domains on fields of the query.
#[derive(Clone, Debug, Default)]
pub(crate) struct Votes(BTreeMap<String, Vote>);

#[derive(Clone, Copy, Debug, Default)]
struct Vote {
    agreeing: u64,
    against: u64,
}

impl Votes {
    /// Adds the votes of a domain: for each field that one of its hosts drops, and against each field that
    /// one holds.
    pub(crate) fn add(&mut self, domain: &Domain) {
        let mut votes: BTreeMap<&str, bool> = BTreeMap::new();
        // A rule for some paths does not show anything about the whole host.
        for rule in domain.rules.iter().filter(|rule| !rule.scope.contains('/')) {
            let agrees = match rule.kind {
                RuleKind::Drop => true,
                RuleKind::Hold => false,
                _ => continue,
            };
            *votes.entry(&rule.word).or_insert(true) &= agrees;
        }
        for (word, agrees) in votes {
            let vote = self.0.entry(word.to_owned()).or_default();
            *if agrees { &mut vote.agreeing } else { &mut vote.against } += 1;
        }
    }

    /// Returns the fields with enough votes, each with the votes for and against it.
    pub(crate) fn elected(&self) -> impl Iterator<Item = (&str, u64, u64)> {
        let elected = |vote: &Vote| {
            vote.agreeing + vote.against >= VOTES && least_share(vote.agreeing, vote.against) >= SHARE
        };
        let votes = self.0.iter().filter(move |(_, vote)| elected(vote));
        votes.map(|(word, vote)| (word.as_str(), vote.agreeing, vote.against))
    }
}

/// Returns the share that agrees at least, with 95 % confidence, for numbers of votes for and against. It is
/// the 5 % quantile of the beta distribution after Jeffreys' prior.
fn least_share(agreeing: u64, against: u64) -> f64 {
    const STEPS: u32 = 20_000;
    let (a, b) = (agreeing as f64 + 0.5, against as f64 + 0.5);
    // The steps are equal in an angle with the share as its squared sine, because the density then has no
    // poles at 0 and 1.
    let angle = |step: u32| (f64::from(step) + 0.5) * std::f64::consts::FRAC_PI_2 / f64::from(STEPS);
    let log_density = |step: u32| {
        let (sine, cosine) = angle(step).sin_cos();
        (2.0 * a - 1.0) * sine.ln() + (2.0 * b - 1.0) * cosine.ln()
    };
    // The densities are relative to the greatest one. With many votes, `exp` of a single one would underflow.
    let most = (0..STEPS).map(log_density).fold(f64::NEG_INFINITY, f64::max);
    let weight = |step: u32| (log_density(step) - most).exp();
    let total: f64 = (0..STEPS).map(weight).sum();
    let mut sum = 0.0;
    let quantile = (0..STEPS).find(|step| {
        sum += weight(*step);
        sum >= 0.05 * total
    });
    quantile.map_or(0.0, |step| angle(step).sin().powi(2))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_matches_the_beta_distribution() {
        // From an incomplete beta function computed by continued fractions.
        for (agreeing, against, expected) in
            [(7, 0, 0.7675), (49, 1, 0.9245), (20, 0, 0.9095), (38, 0, 0.9510), (100, 5, 0.9087)]
        {
            let found = least_share(agreeing, against);
            assert!((found - expected).abs() < 0.001, "{agreeing}, {against}: {found}");
        }
    }
}
