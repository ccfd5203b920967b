//! Laws, which hold for every input, checked over generated inputs.
//!
//! Each law reads its inputs from bytes (`urlid_generators`). Proptest can therefore shrink a finding to the
//! shortest bytes that still show it, and the fuzz targets and comparisons use the same inputs.
//! `URLID_CASES` is the number of cases for each law, and `URLID_SEED` selects them.

use proptest::test_runner::{Config, RngAlgorithm, RngSeed, TestCaseError, TestRng, TestRunner};
use urlid_generators::Choices;

/// The maximum number of skipped cases for each case on which a law held. A generator that exceeds it does
/// not fit the law.
const MOST_SKIPPED: u32 = 20;

/// Checks that a law holds on the configured number of cases, not counting skipped ones. A failing case is
/// shrunk and shown with its seed.
///
/// # Panics
/// Panics if the law fails on a case, or holds on too few.
#[track_caller]
pub fn check_all(law: impl Fn(&mut Choices<'_>) -> Result<(), TestCaseError>) {
    let seed = urlid_generators::seed();
    let cases = urlid_generators::cases(10_000).try_into().unwrap_or(u32::MAX);
    let max_global_rejects = cases.saturating_mul(MOST_SKIPPED);
    let config = Config { cases, failure_persistence: None, max_global_rejects, ..Config::default() };
    let mut rng_seed = [0; 32];
    urlid_generators::Seeded::new(seed).fill(&mut rng_seed);
    let mut runner = TestRunner::new_with_rng(config, TestRng::from_seed(RngAlgorithm::ChaCha, &rng_seed));

    let bytes = proptest::collection::vec(proptest::num::u8::ANY, 0..80);
    if let Err(error) = runner.run(&bytes, |bytes| law(&mut Choices::new(&bytes))) {
        panic!("URLID_SEED={seed}: {error}");
    }
}

/// Returns the settings for tests of proptest's own macro. Their inputs follow from `URLID_SEED`, and
/// findings are not stored in a file.
#[must_use]
pub fn proptest_config() -> Config {
    Config {
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(urlid_generators::seed()),
        ..Config::default()
    }
}

/// Skips a case that the law does not cover. It is replaced by the next case.
///
/// # Errors
/// Always, because proptest treats a skipped case as an error.
pub fn skip() -> Result<(), TestCaseError> {
    Err(TestCaseError::reject("the law is not about this case"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[should_panic(expected = "URLID_SEED")]
    fn a_law_that_holds_on_too_few_cases_fails() {
        check_all(|choices| if choices.below(256) == 0 && choices.below(256) == 0 { Ok(()) } else { skip() });
    }
}
