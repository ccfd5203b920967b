//! The program in `examples` runs, and prints what it says.

#[path = "../examples/ask_an_index.rs"]
#[expect(dead_code, reason = "the test calls `run`, which `main` calls with arguments and standard input")]
mod ask_an_index;

#[test]
fn an_index_answers_questions() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("urls.db");
    let lines = "https://www.debian.org/\nhttps://example.com/\nnot a url\nhttps://debian.org/a\n";
    let ask = || {
        let mut out = Vec::new();
        ask_an_index::run(&path, "debian", "org", lines.as_bytes(), &mut out).expect("the program ends well");
        String::from_utf8(out).expect("it prints text")
    };
    let answers = "https://debian.org/a\nhttps://www.debian.org/\n2 debian.org\n1 example.com\n";
    assert_eq!(ask(), format!("3 of 4 lines are new\n{answers}"));
    assert_eq!(ask(), format!("0 of 4 lines are new\n{answers}"));
}
