//! Laws: what holds for every input, checked over generated ones.
//!
//! Each test takes its inputs from bytes (`urlid_generators`), so that proptest can shrink a finding to the shortest
//! bytes that still show it, and the fuzz targets and comparisons meet the same inputs. `URLID_CASES` sets how many
//! cases each law is tried on, `URLID_SEED` which.

mod generic;
mod hashed_uri;
mod lists;
mod reference;
mod sxurl;
mod texts;
mod theory;
mod url_hash;
mod web;

use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestRng, TestRunner};
use urlid_generators::Choices;

/// Checks a law on as many cases as asked for. A finding is shrunk and shown with its seed.
#[track_caller]
fn check_all(law: impl Fn(&mut Choices<'_>) -> Result<(), TestCaseError>) {
    let seed = urlid_generators::seed();
    let cases = urlid_generators::cases(10_000).try_into().unwrap_or(u32::MAX);
    let config =
        Config { cases, failure_persistence: None, max_global_rejects: u32::MAX, ..Config::default() };
    let mut rng_seed = [0; 32];
    urlid_generators::Seeded::new(seed).fill(&mut rng_seed);
    let mut runner = TestRunner::new_with_rng(config, TestRng::from_seed(RngAlgorithm::ChaCha, &rng_seed));

    let bytes = proptest::collection::vec(proptest::num::u8::ANY, 0..80);
    if let Err(error) = runner.run(&bytes, |bytes| law(&mut Choices::new(&bytes))) {
        panic!("URLID_SEED={seed}: {error}");
    }
}
