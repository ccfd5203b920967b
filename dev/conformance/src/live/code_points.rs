//! Every code point at every position of a URL.

use sweep::Shape;

use super::findings::{Differences, Findings, report};
use super::oracle::{Answers, Oracle};
use super::selection::{CodePoints, Selection};

/// Compares the forms of URLs with one code point each.
pub fn compare_code_points(oracle: &'static Oracle, selection: &Selection, findings: &Findings) {
    let (shapes, code_points) = (selection.shapes(), selection.code_points);
    let texts = shapes.clone().flat_map(move |shape| texts(shape, code_points).map(|(_, text)| text));
    let Some(mut answers) = oracle.answer(texts) else { return };
    let mut all = Differences::default();
    for shape in shapes {
        let differences = compare_shape(oracle, shape, code_points, &mut answers);
        findings.take(&format!("{}, {}", oracle.profile, shape.name), &differences);
        all.add(&differences);
    }
    answers.end();
    report(&format!("{}, one code point each ({code_points:?}): {all}", oracle.profile));
}

fn compare_shape(
    oracle: &Oracle,
    shape: &'static Shape,
    code_points: CodePoints,
    answers: &mut Answers,
) -> Differences {
    let own = oracle.own();
    let mut own_answer = own.answers();
    let mut differences = Differences::default();
    for (code_point, text) in texts(shape, code_points) {
        let found = own_answer(&text);
        let expected = answers.differs(&found);
        if expected.is_some() {
            differences.of_code_point(code_point);
        }
        differences.count(&text, &found, expected);
    }
    differences
}

/// Returns each compared code point and its URL.
fn texts(
    shape: &'static Shape,
    code_points: CodePoints,
) -> impl Iterator<Item = (char, String)> + Clone + Send {
    code_points.of(shape).map(|code_point| {
        let mut text = String::new();
        shape.write(code_point, &mut text);
        (code_point, text)
    })
}
