//! The programs in `examples` run and print the documented output.
#![cfg(feature = "batch")]

use std::error::Error;

/// Includes the programs as modules. Only `main` is not used.
macro_rules! programs {
    ($($name:ident: $path:literal),+ $(,)?) => {$(
        #[path = $path]
        #[expect(dead_code, reason = "the tests call `run`, which `main` calls with arguments and standard input")]
        mod $name;
    )+};
}

programs!(
    ids_of_a_file: "../examples/ids_of_a_file.rs",
    key_range: "../examples/key_range.rs",
    seen_set: "../examples/seen_set.rs",
    theory_of_a_url: "../examples/theory_of_a_url.rs",
);

/// Checks the output of a program.
fn check<E: Into<Box<dyn Error>>>(run: impl FnOnce(&mut Vec<u8>) -> Result<(), E>, expected: &str) {
    let mut out = Vec::new();
    run(&mut out).map_err(Into::into).expect("the program ends well");
    assert_eq!(String::from_utf8(out).expect("it prints text"), expected);
}

fn texts<const N: usize>(texts: [&str; N]) -> [String; N] {
    texts.map(str::to_owned)
}

#[test]
fn the_ids_of_a_file_are_printed_line_by_line() {
    let id = "1002397f4018b8efa86c31440f00a9000098911d784580332c354b043a29e356\n";
    check(|out| ids_of_a_file::run(b"https://docs.rs/\nmailto:a@b\n", out), &format!("{id}\n"));
}

#[test]
fn a_seen_set_prints_what_is_new() {
    let lines = "http://h/a\nHTTP://H:80/b/../a\nhttp://h/b\nh\n";
    let expected =
        "http://h/a\nhttp://h/b\n# ERR_URL_PARSE: text has no scheme: expected an absolute URL, or a base\n";
    check(|out| seen_set::run(lines.as_bytes(), out), expected);
}

#[test]
fn the_theory_shows_tokens_and_targets() {
    let expected = "scheme    http\nauthority h\nroot      /\ndirectory a\nfile      b\n\n\
                    goto ?q: ord is query, so http://h/a/b is kept\nhttp://h/a/b?q\n";
    check(|out| theory_of_a_url::run("http://h/a/b", &texts(["?q"]), out), expected);
}

#[test]
fn a_key_range_holds_the_urls_of_a_domain() {
    let lines =
        "https://docs.rs/b\nhttps://docs.com/\nhttp://a.docs.rs:8080/\nhttps://docs.rs/a\nftp://rs/\n";
    let mut out = Vec::new();
    key_range::run("rs", "docs", lines.as_bytes(), &mut out).expect("the parts are labels");
    let mut found: Vec<&str> = str::from_utf8(&out).expect("it prints text").lines().collect();
    found.sort_unstable();
    assert_eq!(found, ["http://a.docs.rs:8080/", "https://docs.rs/a", "https://docs.rs/b"]);
}
