//! The runner of vector files: any text gives a report, and its last line counts the listed vectors.

use crate::text::texts;

/// Reads a file, or one vector of each operation with a text of the fuzzer's.
pub fn target(data: &[u8]) {
    let file = String::from_utf8_lossy(data);
    check(&file);

    let [a, b] = texts(data);
    let vectors: Vec<String> = urlid_ops::vectors::ops::ALL
        .iter()
        // The other operations of the Theory read tokens, and a property without URLs costs a second
        // of time.
        .filter(|op| op.name != "theory.property")
        .map(|op| {
            let value = |index: usize| if index == 0 { quote(&a) } else { quote(&b) };
            let input: Vec<String> = op
                .inputs
                .iter()
                .enumerate()
                .map(|(index, key)| format!("{}: {}", quote(key), value(index)))
                .collect();
            let (name, input) = (quote(op.name), input.join(", "));
            format!(r#"{{"id": {name}, "op": {name}, "input": {{{input}}}, "expect": {{"x": 0}}}}"#)
        })
        .collect();
    check(&format!(r#"{{"format": 1, "vectors": [{}]}}"#, vectors.join(", ")));
}

fn check(file: &str) {
    let report = urlid_ops::vectors::run(file);
    let text = report.to_string();
    let last = format!("{} passed, {} failed", report.passed(), report.failures().len());
    assert_eq!(text.lines().last(), Some(last.as_str()));
}

fn quote(text: &str) -> String {
    let escaped: String = text
        .chars()
        .map(|character| match character {
            '"' | '\\' => format!("\\{character}"),
            character if character.is_control() => format!("\\u{:04x}", u32::from(character)),
            character => character.to_string(),
        })
        .collect();
    format!("\"{escaped}\"")
}
