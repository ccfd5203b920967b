//! Finds doc comments that only repeat the name of their item.

/// Words that add nothing to a name: articles, and the first words of doc comments of functions.
const EMPTY: [&str; 14] = [
    "a", "all", "an", "begins", "gives", "is", "its", "makes", "of", "reads", "returns", "runs", "the",
    "this",
];

/// Returns the lines, from 1, of doc comments in which every word occurs in the name of the item below.
///
/// Only a comment of a single sentence on a single line counts. A comment without a full stop is the help of
/// an option.
pub fn repeats(text: &str) -> impl Iterator<Item = usize> {
    let lines: Vec<&str> = text.lines().map(str::trim_start).collect();
    let is_doc = |index: usize| lines.get(index).and_then(|line| line.strip_prefix("///"));
    let alone =
        |index: &usize| is_doc(index + 1).is_none() && index.checked_sub(1).and_then(is_doc).is_none();
    let repeats = |index: &usize| {
        let doc = is_doc(*index).filter(|doc| doc.ends_with('.') && !doc.contains('`'));
        doc.zip(item_name(&lines[index + 1..])).is_some_and(|(doc, name)| says_the_name(doc, name))
    };
    let found: Vec<usize> = (0..lines.len()).filter(alone).filter(repeats).map(|index| index + 1).collect();
    found.into_iter()
}

/// Returns the name of the item that starts on the first line without an attribute.
fn item_name<'t>(lines: &[&'t str]) -> Option<&'t str> {
    const BEFORE: [&str; 12] = [
        "async", "const", "enum", "fn", "mod", "pub", "static", "struct", "trait", "type", "union", "unsafe",
    ];
    let item = lines.iter().find(|line| !line.starts_with("#["))?;
    let mut words = item.split(|c: char| !(c.is_alphanumeric() || c == '_')).filter(|word| !word.is_empty());
    // `pub(super)` contains an extra word.
    words.find(|word| !BEFORE.contains(word) && !matches!(*word, "crate" | "super" | "r"))
}

fn says_the_name(doc: &str, name: &str) -> bool {
    let in_name: Vec<String> = words(name).map(singular).collect();
    let mut said = words(doc).filter(|word| !EMPTY.contains(&word.as_str())).map(singular).peekable();
    said.peek().is_some() && said.all(|word| in_name.contains(&word))
}

/// Returns the words of a sentence, or of a name in snake case or camel case, in lower case.
fn words(text: &str) -> impl Iterator<Item = String> {
    let mut spaced = String::new();
    let mut was_small = false;
    for character in text.chars() {
        if character.is_uppercase() && was_small {
            spaced.push(' ');
        }
        was_small = character.is_lowercase() || character.is_numeric();
        spaced.push(if character.is_alphanumeric() { character.to_ascii_lowercase() } else { ' ' });
    }
    let words: Vec<String> = spaced.split_whitespace().map(str::to_owned).collect();
    words.into_iter()
}

fn singular(word: String) -> String {
    word.strip_suffix('s').map_or(word.clone(), str::to_owned)
}
