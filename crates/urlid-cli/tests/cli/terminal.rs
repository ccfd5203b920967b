//! What people see on a terminal, of which `script` makes one.

#![cfg(target_os = "linux")]

/// Runs the program on a terminal; returns both streams, with plain line ends.
fn on_terminal(words: &str) -> String {
    on_terminal_in(std::path::Path::new("."), words)
}

/// The same in a folder.
fn on_terminal_in(folder: &std::path::Path, words: &str) -> String {
    let command = format!("stty cols 80; '{}' {words}", env!("CARGO_BIN_EXE_urlid"));
    let mut script = std::process::Command::new("script");
    let output = script
        .args(["-qec", &command, "/dev/null"])
        .current_dir(folder)
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

#[test]
fn no_verb_writes_control_or_direction_characters_of_its_input() {
    const TEXT: &str = "x\u{202e}y\u{9b}31mz\u{2066}w";
    let folder = crate::support::Folder::new();
    folder.file("urls", format!("http://h.example/p?{TEXT}=1\nhttp://h.example/{TEXT}\n{TEXT}\n"));
    folder.file("t.csv", format!("url,{TEXT}\nhttp://h.example/{TEXT},{TEXT}\n"));
    folder.file("t.ndjson", "{\"url\":\"http://h.example/x\u{202e}\",\"k\u{202e}\":1}\n");
    let rows = (0..40).flat_map(|page| {
        ["", "?x%C2%9B31m=1", "?%E2%80%AEx=2"]
            .map(|query| format!("http://h.example/p{page}{query}\tc{page}{TEXT}\n"))
    });
    folder.file("captures.tsv", ["url\td\n".to_owned()].into_iter().chain(rows).collect::<String>());
    folder.file("rules", "urlid-rules 1\n# c\u{202e}\n[h.example]\ndrop x\n");
    folder.file("names", format!("n{TEXT}\n"));
    folder.file("hosts", format!("0.0.0.0 {TEXT}.example\n"));
    folder.file("domains", format!("{TEXT}.example\nb.example\n"));
    folder.file("filters", format!("||{TEXT}.example^\n||b.example^$x{TEXT}\n"));
    let mut warc = Vec::new();
    for number in 0..3 {
        let url = format!("http://h.example/{number}{TEXT}");
        warc.extend(urlid_testing::warc_record_of("response", &url, b"HTTP/1.1 200 OK\r\n\r\nhi"));
    }
    folder.file("a.warc", warc);
    let (program, path) = (env!("CARGO_BIN_EXE_urlid"), folder.path().display());
    let made = format!(
        "cd '{path}' && '{program}' index add i.db urls; '{program}' index build dataset urls; \
         '{program}' uniq --seen seen urls; '{program}' cdx make a.warc -o a.cdxj; \
         '{program}' list make --publisher 'me\u{202e}you' urls -o list; ls i.db dataset seen a.cdxj list"
    );
    let made = std::process::Command::new("sh").args(["-c", &made]).output().expect("there is a shell");
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    let mut shown = 0;
    for words in [
        "canon --as web urls",
        "canon --as hashed-text urls",
        "canon --as surt-0.3.1 urls",
        "canon diff --from w3lib-2.4 --to surt-0.3.1 urls",
        "canon expressions urls",
        "canon --as web --column url t.csv",
        "id --format csv urls",
        "id --format tsv urls",
        "id --column no t.csv",
        "id --column url t.ndjson",
        "id --column no t.ndjson",
        "parts urls",
        "parts --get '{path}' urls",
        "parts --of text 'TEXT'",
        "explain 'http://h.example/TEXT'",
        "explain --as web 'http://h.example/TEXT'",
        "diff 'http://h.example/TEXT' http://h.example/x",
        "diff --hosts urls",
        "diff --no-vary-search 'TEXT' http://h/ http://h/",
        "uniq urls",
        "uniq --seen other urls",
        "count --by path urls",
        "redact urls",
        "redact --names names --list",
        "resolve 'http://h.example/TEXT' urls",
        "ref parse 'TEXT'",
        "learn --column url --content d captures.tsv",
        "learn a.warc",
        "rules test rules --column url --content d captures.tsv",
        "rules diff rules rules --column url --content d captures.tsv",
        "index find i.db",
        "index find dataset",
        "index get i.db 'http://h.example/TEXT'",
        "index count i.db --by path",
        "index match i.db urls",
        "seen show seen",
        "list match list urls",
        "list match --urls list urls",
        "list audit list urls",
        "list show list",
        "list make --input-format hosts hosts",
        "list make --input-format domains domains",
        "list make --input-format abp filters",
        "cdx make a.warc",
        "cdx find a.cdxj 'http://h.example/1TEXT'",
        "cdx verify a.cdxj",
        "id 'noTEXT'",
        "canon --as 'TEXT' urls",
        "probe tld 'TEXT'",
    ] {
        let out = on_terminal_in(folder.path(), &words.replace("TEXT", TEXT));
        let is_bad = |character| matches!(character, '\u{80}'..='\u{9f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
        assert!(!out.contains(is_bad), "{words}: {}", out.escape_debug());
        shown += usize::from(out.to_lowercase().contains("202e"));
    }
    // The characters are there, escaped.
    assert!(shown > 15, "{shown}");
}
