//! Generated and hostile URLs.

use urlid_generators::{Choices, Seeded, archived_url, hostile_text, seed, web_url};

use super::findings::{Differences, Findings, report};
use super::oracle::Oracle;

/// Compares the forms of `count` generated URLs.
pub fn compare_generated(oracle: &'static Oracle, count: u64, findings: &Findings) {
    let Some(mut answers) = oracle.answer(generated_urls(count)) else { return };
    let own = oracle.own();
    let mut own_answer = own.answers();
    let mut differences = Differences::default();
    for url in generated_urls(count) {
        let found = own_answer(&url);
        let expected = answers.differs(&found);
        differences.count(&url, &found, expected);
    }
    answers.end();
    let name = format!("{}, generated, seed {}", oracle.profile, seed());
    findings.take(&name, &differences);
    report(&format!("{name}: {differences}"));
}

/// Returns generated URLs. Half of them are made for canonical forms, and half for other comparisons.
pub fn generated_urls(count: u64) -> impl Iterator<Item = String> + Send {
    let mut random = Seeded::new(seed());
    let mut bytes = [0; 96];
    (0..count).map(move |case| {
        random.fill(&mut bytes);
        let choices = &mut Choices::new(&bytes);
        match case % 4 {
            0 => hostile_text(choices),
            1 => web_url(choices),
            _ => archived_url(choices),
        }
    })
}
