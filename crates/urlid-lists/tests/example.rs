//! The program in `examples` runs, and prints what it says.

#[path = "../examples/check_a_list.rs"]
#[expect(dead_code, reason = "the test calls `run`, which `main` calls with arguments and standard input")]
mod check_a_list;

#[test]
fn a_list_matches_its_entries_and_what_is_below_them() {
    let candidates = ["https://BAD.example/secret/x?y", "https://good.example/", "page"].map(str::to_owned);
    let expected = "listed as https://bad.example/secret/: https://BAD.example/secret/x?y\n\
                    not listed: https://good.example/\n\
                    cannot be checked, text has no scheme: expected an absolute URL, or a base: page\n";
    let mut out = Vec::new();
    check_a_list::run("https://bad.example/secret/\n", &candidates, &mut out).expect("the program ends well");
    assert_eq!(String::from_utf8(out).expect("it prints text"), expected);
}
