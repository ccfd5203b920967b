//! Old names of verbs and options: they work as before, and a line on standard error names the new ones.

use crate::support::{DOCS, DOCS_ID, Folder, command, finish};

/// Old words after `urlid`, the words that are the same now, and what is noted. `list`, `urls`, `index`, `warc` and `cdx` are files.
const RENAMED: &[(&str, &str, &[&str])] = &[
    ("parse //h/a", "ref parse //h/a", &["`parse` is now `ref parse`"]),
    ("ord ?q", "ref ord ?q", &["`ord` is now `ref ord`"]),
    ("upto query //h/a?q", "ref upto query //h/a?q", &["`upto` is now `ref upto`"]),
    ("goto //h/a b", "ref goto //h/a b", &["`goto` is now `ref goto`"]),
    ("split www.example.co.uk", "parts --of host www.example.co.uk", &["`split` is now `parts --of host`"]),
    ("decode DOCS_ID", "parts --of id DOCS_ID", &["`decode` is now `parts --of id`"]),
    ("detect DOCS_ID", "parts --of text DOCS_ID", &["`detect` is now `parts --of text`"]),
    (
        "expressions http://a.b/c",
        "canon expressions http://a.b/c",
        &["`expressions` is now `canon expressions`"],
    ),
    (
        "match hashed:sha1=87ed28009f511ed7ef630180a229ba257180a481 http://www.thus.net",
        "list match --urls hashed:sha1=87ed28009f511ed7ef630180a229ba257180a481 http://www.thus.net",
        &["`match` is now `list match --urls`"],
    ),
    ("list check list DOCS", "list match list DOCS", &["`list check` is now `list match`"]),
    (
        "list check -o list DOCS",
        "list match --only-matching list DOCS",
        &["`list check` is now `list match`", "`-o` is now `--only-matching`"],
    ),
    (
        "list check --on-refused block list ws:y",
        "list match --refused-as match list ws:y",
        &["`list check` is now `list match`", "`--on-refused block` is now `--refused-as match`"],
    ),
    (
        "list check --on-refused=pass list ws:y",
        "list match --refused-as no-match list ws:y",
        &["`list check` is now `list match`", "`--on-refused pass` is now `--refused-as no-match`"],
    ),
    (
        "list compile list out1",
        "list compile list --out out2",
        &["`list compile LIST FILE` is now `list compile LIST --out FILE`"],
    ),
    ("index stats index", "index show index", &["`index stats` is now `index show`"]),
    (
        "index find index --queries questions",
        "index find index --questions questions",
        &["`--queries` is now `--questions`"],
    ),
    ("psl info", "psl show", &["`psl info` is now `psl show`"]),
    ("cdxj warc", "cdx make warc", &["`cdxj` is now `cdx make`"]),
    (
        "cdxj warc --output out3",
        "cdx make warc --out out4",
        &["`cdxj` is now `cdx make`", "`--output` is now `--out`"],
    ),
    ("cdx check cdx", "cdx verify cdx", &["`cdx check` is now `cdx verify`"]),
    (
        "cdx rekey --from surt-0.3.1 --to web cdx --output out5",
        "cdx rekey --from surt-0.3.1 --to web cdx --out out6",
        &["`--output` is now `--out`"],
    ),
    ("id DOCS --rejects refused1", "id DOCS --refused refused2", &["`--rejects` is now `--refused`"]),
    ("explain --json DOCS", "explain --format json DOCS", &["`--json` is now `--format json`"]),
    ("--version --json", "--version --format json", &["`--json` is now `--format json`"]),
    ("help cdxj", "help cdx make", &["`cdxj` is now `cdx make`"]),
    ("man split", "man parts", &["`split` is now `parts --of host`"]),
];

#[test]
fn every_old_name_works_and_names_the_new_one() {
    let folder = Folder::new();
    let run = |words: &str| {
        let words = words.replace("DOCS_ID", DOCS_ID).replace("DOCS", DOCS);
        finish(command().current_dir(folder.path()).args(words.split(' ')))
    };
    folder.file("urls", format!("{DOCS}\n"));
    folder.file("questions", "tld=rs\n");
    folder.file("list", run("list make urls").out);
    let record = "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: https://docs.rs/\r\n\
                  WARC-Date: 2026-01-02T03:04:05Z\r\nContent-Length: 4\r\n\r\nHTTP\r\n\r\n";
    folder.file("warc", record);
    assert_eq!(run("index add index urls").code, Some(0));
    folder.file("cdx", run("cdx make warc").out);
    for (old, new, notes) in RENAMED {
        let (mut old_ran, new_ran) = (run(old), run(new));
        for note in *notes {
            let line = format!("urlid: {note}\n");
            assert_eq!(old_ran.err.matches(&line).count(), 1, "{old}: {}", old_ran.err);
            old_ran.err = old_ran.err.replacen(&line, "", 1);
        }
        // The files that are written have different names.
        let same = |text: &str| text.replace("out2", "out1");
        assert_eq!(
            (old_ran.code, old_ran.out),
            (new_ran.code, new_ran.out),
            "{old}: {}{}",
            old_ran.err,
            new_ran.err
        );
        assert_eq!(same(&old_ran.err), same(&new_ran.err), "{old}");
    }
    for (old, new) in [("out1", "out2"), ("out3", "out4"), ("out5", "out6"), ("refused1", "refused2")] {
        let read = |name| std::fs::read(folder.path().join(name)).expect("it was written");
        assert_eq!(read(old), read(new), "{old}");
    }
}

#[test]
fn the_help_and_the_completions_have_new_names_alone() {
    let help = finish(command().arg("--help")).out;
    let script = finish(command().args(["completions", "bash"])).out;
    for (old, ..) in RENAMED {
        let verb = old.split(' ').next().unwrap_or_default();
        if ["parse", "ord", "upto", "goto", "split", "decode", "detect", "expressions", "match", "cdxj"]
            .contains(&verb)
        {
            assert!(!help.contains(&format!("\n  {verb} ")), "{verb}");
        }
    }
    for option in ["--rejects", "--queries", "--json", "--output "] {
        assert!(!script.contains(option), "{option}");
    }
}

#[test]
fn quiet_runs_have_no_notes() {
    finish(command().args(["split", "-q", "h.com"])).is_quiet(0, "\th\tcom\n");
}

#[test]
fn a_url_or_an_identifier_needs_no_verb() {
    for word in [DOCS, DOCS_ID, "docs.rs", "localhost:3000"] {
        assert_eq!(finish(command().arg(word)), finish(command().args(["explain", word])), "{word}");
    }
    let ran = finish(command().arg("indx"));
    assert!(ran.code == Some(2) && ran.err.contains("index"), "{}", ran.err);
}
