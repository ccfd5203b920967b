//! Verbs and options that were renamed: the old words still work, and a line on standard error names the new ones.
//!
//! The words of the command line are replaced before it is parsed, so that the help, the completions and the manual have the
//! new words alone.

use std::ffi::{OsStr, OsString};

/// The old words of a verb, and the words that replace them.
pub(crate) const VERBS: [(&str, &str); 14] = [
    ("parse", "ref parse"),
    ("ord", "ref ord"),
    ("upto", "ref upto"),
    ("goto", "ref goto"),
    ("cdxj", "cdx make"),
    ("cdx check", "cdx verify"),
    ("match", "list match --urls"),
    ("list check", "list match"),
    ("index stats", "index show"),
    ("psl info", "psl show"),
    ("split", "parts --of host"),
    ("decode", "parts --of id"),
    ("detect", "parts --of text"),
    ("expressions", "canon expressions"),
];

/// The verb as it is written (none is every verb), its old option, maybe with a value, and the option that replaces it.
pub(crate) const OPTIONS: [(&str, &str, &str); 9] = [
    ("", "--rejects", "--refused"),
    ("", "--json", "--format json"),
    ("cdxj", "--output", "--out"),
    ("cdx make", "--output", "--out"),
    ("cdx rekey", "--output", "--out"),
    ("index find", "--queries", "--questions"),
    ("list check", "-o", "--only-matching"),
    ("list check", "--on-refused block", "--refused-as match"),
    ("list check", "--on-refused pass", "--refused-as no-match"),
];

/// Options before a verb that take a value.
const WITH_VALUE: [&str; 4] = ["--psl", "--psl-sections", "--color", "--format"];

/// Flags of `list check` of one letter, which may stand together with `-o`.
const FLAGS: &str = "vcqo";

/// A command line in the present words.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Renamed {
    /// The words, the name of the program first.
    pub(crate) words: Vec<OsString>,
    /// A note for each word that was replaced.
    pub(crate) notes: Vec<String>,
}

/// Replaces old words. A first word that is a URL or an identifier instead of a verb is explained.
pub(crate) fn rename(words: Vec<OsString>, is_verb: impl Fn(&str) -> bool) -> Renamed {
    let mut renamed = Renamed { words, notes: Vec::new() };
    let Some(mut first) = next_word(&renamed.words, 1) else {
        renamed.replace_options("");
        return renamed;
    };
    // `urlid help VERB` and `urlid man VERB` name a verb too.
    let is_about = matches!(renamed.words[first].to_str(), Some("help" | "man"));
    if is_about {
        match next_word(&renamed.words, first + 1) {
            Some(verb) => first = verb,
            None => return renamed,
        }
    }
    let second = next_word(&renamed.words, first + 1);
    let text = |place: usize| renamed.words[place].to_string_lossy().into_owned();
    let verb = text(first);
    let written = second.map_or(verb.clone(), |second| format!("{verb} {}", text(second)));
    let is_old = |name: &str| VERBS.iter().find(|(old, _)| *old == name);
    match (second.filter(|_| is_old(&written).is_some()), is_old(&verb)) {
        (Some(second), _) => {
            let (old, new) = is_old(&written).expect("it was found");
            renamed.words.remove(second);
            renamed.replace_verb(first, old, new, is_about);
            renamed.replace_options(old);
        }
        (None, Some((old, new))) => {
            renamed.replace_verb(first, old, new, is_about);
            renamed.replace_options(old);
        }
        (None, None) => {
            if !is_about && !is_verb(&verb) && is_value(&renamed.words[first]) {
                renamed.words.insert(first, "explain".into());
            }
            renamed.replace_options(&written);
        }
    }
    renamed
}

impl Renamed {
    fn replace_verb(&mut self, place: usize, old: &str, new: &str, is_about: bool) {
        // `help split` is about the verb `parts`, without the options that replace a part of its old name.
        let words = new.split(' ').take_while(|word| !is_about || !word.starts_with('-'));
        self.words.splice(place..=place, words.map(OsString::from));
        self.notes.push(format!("`{old}` is now `{new}`"));
    }

    /// Replaces the options of a verb.
    fn replace_options(&mut self, verb: &str) {
        let is_of = |of: &str| of.is_empty() || verb == of || verb.split(' ').next() == Some(of);
        let options: Vec<_> = OPTIONS.iter().filter(|(of, ..)| is_of(of)).collect();
        let mut at = 1;
        while at < self.words.len() && self.words[at] != "--" {
            let replaced = options
                .iter()
                .find_map(|(_, old, new)| Some((old, new, replacement(&self.words[at..], old, new)?)));
            if let Some((old, new, (count, words))) = replaced {
                self.words.splice(at..at + count, words);
                self.notes.push(format!("`{old}` is now `{new}`"));
            }
            at += 1;
        }
    }
}

/// Returns how many of the first words are an old option, and the words that replace them.
fn replacement(words: &[OsString], old: &str, new: &str) -> Option<(usize, Vec<OsString>)> {
    let word = words[0].to_str()?;
    let new = || new.split(' ').map(OsString::from).collect::<Vec<_>>();
    if let Some((name, value)) = old.split_once(' ') {
        let is_apart = word == name && words.get(1).is_some_and(|next| next == value);
        let is_joined = word.strip_prefix(name).and_then(|rest| rest.strip_prefix('=')) == Some(value);
        return (is_apart || is_joined).then(|| (if is_apart { 2 } else { 1 }, new()));
    }
    if word == old {
        return Some((1, new()));
    }
    if old.starts_with("--") {
        let value = word.strip_prefix(old)?.strip_prefix('=')?;
        let mut words = new();
        words.last_mut()?.push(format!("={value}"));
        return Some((1, words));
    }
    // A flag of one letter among others: `-vo`.
    let (flag, flags) = (old.strip_prefix('-')?, word.strip_prefix('-')?);
    let are_flags = flags.contains(flag) && flags.chars().all(|letter| FLAGS.contains(letter));
    are_flags.then(|| (1, [vec![format!("-{}", flags.replacen(flag, "", 1)).into()], new()].concat()))
}

/// Returns the place of the next word that is neither an option nor the value of one.
fn next_word(words: &[OsString], from: usize) -> Option<usize> {
    let mut place = from;
    loop {
        let word = words.get(place)?;
        match word.to_str() {
            Some("--") => return None,
            // With its value in the next word. `--psl=FILE` is one word, as an option without a value.
            Some(option) if WITH_VALUE.contains(&option) => place += 2,
            Some(option) if option.len() > 1 && option.starts_with('-') => place += 1,
            _ => return Some(place),
        }
    }
}

/// Returns whether a word is not a verb but something that verbs read: a URL, a host or an identifier.
fn is_value(word: &OsStr) -> bool {
    let word = word.as_encoded_bytes();
    // The shortest identifier has 16 digits.
    let is_digits = word.len() >= 16 && word.iter().all(u8::is_ascii_hexdigit);
    is_digits || word.iter().any(|byte| b".:/".contains(byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(given: &str, expected: &str, notes: &[&str]) {
        let words = |text: &str| text.split(' ').map(OsString::from).collect::<Vec<_>>();
        let renamed =
            rename(words(&format!("urlid {given}")), |word| ["id", "list", "cdx", "index"].contains(&word));
        assert_eq!(renamed.words, words(&format!("urlid {expected}")));
        assert_eq!(renamed.notes, notes);
    }

    #[test]
    fn old_words_become_new_ones() {
        check("id -q x", "id -q x", &[]);
        check("--psl cdxj parse -q //h", "--psl cdxj ref parse -q //h", &["`parse` is now `ref parse`"]);
        check("list -q check l.list u", "list match -q l.list u", &["`list check` is now `list match`"]);
        check("help cdxj", "help cdx make", &["`cdxj` is now `cdx make`"]);
        check("man split", "man parts", &["`split` is now `parts --of host`"]);
        check("id --rejects=a=b x", "id --refused=a=b x", &["`--rejects` is now `--refused`"]);
        check("id -- --rejects", "id -- --rejects", &[]);
        check("--version --json", "--version --format json", &["`--json` is now `--format json`"]);
    }

    #[test]
    fn options_that_mean_something_else_now_keep_the_meaning_of_the_old_verb() {
        let is_now = "`list check` is now `list match`";
        check("list match -o out l", "list match -o out l", &[]);
        check("list check -o l", "list match --only-matching l", &[is_now, "`-o` is now `--only-matching`"]);
        check(
            "list check -vo l",
            "list match -v --only-matching l",
            &[is_now, "`-o` is now `--only-matching`"],
        );
        check(
            "list check --on-refused=block l",
            "list match --refused-as match l",
            &[is_now, "`--on-refused block` is now `--refused-as match`"],
        );
        check("list check --on-refused fail l", "list match --on-refused fail l", &[is_now]);
    }

    #[test]
    fn what_is_no_verb_but_a_url_is_explained() {
        check("https://h/", "explain https://h/", &[]);
        check("-q docs.rs --format json", "-q explain docs.rs --format json", &[]);
        check("indx a.db", "indx a.db", &[]);
    }
}
