//! What people see on a terminal, of which `script` makes one.

#![cfg(target_os = "linux")]

/// Runs the program on a terminal; returns both streams, with plain line ends.
fn on_terminal(words: &str) -> String {
    let command = format!("stty cols 80; '{}' {words}", env!("CARGO_BIN_EXE_urlid"));
    let mut script = std::process::Command::new("script");
    let output = script
        .args(["-qec", &command, "/dev/null"])
        .env("NO_COLOR", "1")
        .stdin(std::process::Stdio::null())
        .output();
    let out = String::from_utf8(output.expect("there is script").stdout).expect("it is text");
    out.replace("\r\n", "\n")
}

#[test]
fn parts_stand_on_lines_of_their_own() {
    let out = on_terminal("parts 'https://u@www.h.co.uk:8443/a?b#c' 'http://1.2.3.4/'");
    let (first, second) = out.split_once("\n\n").expect("a blank line between two URLs");
    let value = |rows: &str, name: &str| {
        rows.lines()
            .find_map(|row| row.strip_prefix(name)?.strip_prefix(' '))
            .map(|value| value.trim().to_owned())
    };
    for (name, expected) in [
        ("url", "https://u@www.h.co.uk:8443/a?b#c"),
        ("host", "www.h.co.uk"),
        ("port", "8443"),
        ("registered_domain", "h.co.uk"),
        ("query", "b"),
        ("fragment", "c"),
    ] {
        assert_eq!(value(first, name).as_deref(), Some(expected), "{out}");
    }
    // What a URL lacks has no line.
    assert_eq!((value(second, "host").as_deref(), value(second, "tld")), (Some("1.2.3.4"), None), "{out}");
}

#[test]
fn one_answer_of_several_values_has_lines_of_its_own() {
    let out = on_terminal("id -k url-hash,sxurl https://docs.rs/");
    assert!(
        out.lines().any(|row| row.starts_with("sxurl "))
            && out.lines().any(|row| row.starts_with("url-hash ")),
        "{out}"
    );
    let out = on_terminal("parts --of host www.h.com");
    assert!(out.contains("\ntld ") && out.contains("\nregistered_domain  h.com\n"), "{out}");
    // One value, and many rows, are as in a pipe.
    assert_eq!(on_terminal("canon --as web http://H"), "http://h/\n");
    assert_eq!(on_terminal("probe domain google"), "03e9505795e1d08\n");
    assert!(
        on_terminal("psl show").lines().next().is_some_and(|row| row.contains('\t') || row.contains("  "))
    );
}

#[test]
fn a_host_is_explained_with_a_note() {
    let out = on_terminal("docs.rs");
    assert!(out.starts_with("urlid: docs.rs: read as https://docs.rs\n"), "{out}");
}

#[test]
fn resume_alone_does_not_wait_for_the_terminal() {
    let folder = crate::support::Folder::new();
    let set = folder.path().join("seen");
    let args = ["uniq".as_ref(), "--seen".as_ref(), set.as_os_str(), "https://docs.rs/".as_ref()];
    assert_eq!(crate::support::urlid(args).code, Some(0));
    let command = format!("'{}' uniq --seen '{}' --resume", env!("CARGO_BIN_EXE_urlid"), set.display());
    let mut script = std::process::Command::new("script");
    let script = script.args(["-qec", &command, "/dev/null"]).stdout(std::process::Stdio::piped());
    // Held open: a program that reads it waits.
    let mut child = script.stdin(std::process::Stdio::piped()).spawn().expect("there is script");
    let input = child.stdin.take();
    let output = child.wait_with_output().expect("it was started");
    assert_eq!((output.status.code(), output.stdout.as_slice()), (Some(0), &b""[..]));
    drop(input);
}
