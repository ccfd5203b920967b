//! Rules for all hosts: one vote a registered domain, so that many hosts or pages do not add weight.

use std::collections::BTreeMap;

use urlid_canonical::RuleKind;

use crate::learn::Domain;

/// The fewest registered domains that vote.
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
    /// Takes the votes of a domain: for each field that one of its hosts drops, and against each that one
    /// holds.
    pub(crate) fn add(&mut self, domain: &Domain) {
        let mut votes: BTreeMap<&str, bool> = BTreeMap::new();
        // A rule of some paths says nothing about the whole host.
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

    /// Returns the fields that there are enough votes for, each with the votes for and against it.
    pub(crate) fn elected(&self) -> impl Iterator<Item = (&str, u64, u64)> {
        let elected = |vote: &Vote| {
            vote.agreeing + vote.against >= VOTES && least_share(vote.agreeing, vote.against) >= SHARE
        };
        let votes = self.0.iter().filter(move |(_, vote)| elected(vote));
        votes.map(|(word, vote)| (word.as_str(), vote.agreeing, vote.against))
    }
}

/// Returns the share that agrees at least with 95 % confidence, where so many agree and so many do not: the 5
/// % quantile of the beta distribution after Jeffreys' prior.
fn least_share(agreeing: u64, against: u64) -> f64 {
    const STEPS: u32 = 20_000;
    let (a, b) = (agreeing as f64 + 0.5, against as f64 + 0.5);
    // In equal steps of an angle whose squared sine is the share: there the density has no poles at 0 and 1.
    let angle = |step: u32| (f64::from(step) + 0.5) * std::f64::consts::FRAC_PI_2 / f64::from(STEPS);
    let log_density = |step: u32| {
        let (sine, cosine) = angle(step).sin_cos();
        (2.0 * a - 1.0) * sine.ln() + (2.0 * b - 1.0) * cosine.ln()
    };
    // Relative to the greatest: with many votes `exp` of each alone would underflow.
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
    fn a_share_is_that_of_the_beta_distribution() {
        // From an incomplete beta function computed by continued fractions.
        for (agreeing, against, expected) in
            [(7, 0, 0.7675), (49, 1, 0.9245), (20, 0, 0.9095), (38, 0, 0.9510), (100, 5, 0.9087)]
        {
            let found = least_share(agreeing, against);
            assert!((found - expected).abs() < 0.001, "{agreeing}, {against}: {found}");
        }
    }
}
