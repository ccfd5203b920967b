//! What people see on a terminal, of which `script` makes one.

#![cfg(target_os = "linux")]

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// Runs the program on a terminal; returns both streams, with plain line ends.
fn on_terminal(words: &str) -> String {
    on_terminal_in(std::path::Path::new("."), words)
}

/// The same in a folder.
fn on_terminal_in(folder: &std::path::Path, words: &str) -> String {
    on_wide_terminal(80, folder, &format!("'{}' {words}", env!("CARGO_BIN_EXE_urlid")))
}

/// Runs a command of the shell on a terminal of so many columns.
fn on_wide_terminal(columns: usize, folder: &std::path::Path, command: &str) -> String {
    let command = format!("stty rows 24 cols {columns}; {command}");
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
fn each_part_is_on_its_own_line() {
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
fn several_values_of_one_answer_are_on_separate_lines() {
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
    let ids = on_terminal("id -k url-hash,sxurl https://docs.rs/ https://docs.rs/");
    assert!(ids.lines().all(|row| row.split('\t').count() == 2), "{ids}");
}

/// Returns the fields of an aligned table, row by row: those of the lines that continue a row are joined to it.
fn fields(table: &str, header: &[&str]) -> Vec<Vec<String>> {
    let first = table.lines().next().expect("a header");
    assert_eq!(first.split_whitespace().collect::<Vec<_>>(), header, "{table}");
    let is_gap = |line: &str, at: usize| column(line, at).is_none_or(|character| character == ' ');
    let width = table.lines().map(UnicodeWidthStr::width).max().unwrap_or(0);
    // Two columns that are blank in every line are between two fields.
    let gap = |at: &usize| table.lines().all(|line| is_gap(line, *at));
    let gaps: Vec<usize> = (1..width).filter(gap).collect();
    let ends: Vec<usize> =
        gaps.windows(2).filter(|pair| pair[0] + 1 == pair[1]).map(|pair| pair[1]).collect();
    let starts: Vec<usize> =
        [0].into_iter().chain(ends.iter().filter(|end| !gap(&(*end + 1))).map(|end| end + 1)).collect();
    let mut rows: Vec<Vec<String>> = Vec::new();
    for line in table.lines().skip(1) {
        let cells = starts.iter().enumerate().map(|(place, start)| {
            let end = starts.get(place + 1).copied().unwrap_or(usize::MAX);
            let cell = (*start..end.min(width)).filter_map(|at| column(line, at)).collect::<String>();
            cell.trim().to_owned()
        });
        let cells: Vec<String> = cells.collect();
        match rows.last_mut() {
            // The number of a row is in its first line.
            Some(row) if cells.last().is_some_and(String::is_empty) => {
                row.iter_mut().zip(cells).for_each(|(field, cell)| field.push_str(&cell));
            }
            _ => rows.push(cells),
        }
    }
    rows
}

/// Returns the character that begins in a column of the terminal; `None` behind the end of a line.
fn column(line: &str, at: usize) -> Option<char> {
    let mut start = 0;
    line.chars().find(|character| {
        let begins = start == at && character.width() != Some(0);
        start += character.width().unwrap_or(0);
        begins
    })
}

#[test]
fn tables_are_aligned_and_fit_the_terminal() {
    let folder = crate::support::Folder::new();
    let long = format!("https://long.example/{}", "abcdefghi/".repeat(20));
    let hidden = "https://h.example/\u{6f22}\u{5b57}\u{6f22}\u{200b}\u{202e}\u{1b}[31m";
    folder.file(
        "urls",
        format!("https://a.example/\nhttps://a.example/#b\n{long}\n{hidden}\nhttps://a.example/\n"),
    );
    let program = env!("CARGO_BIN_EXE_urlid");
    let made = format!(
        "cd '{}' && '{program}' index add i.db urls; '{program}' index build dataset urls; '{program}' uniq --seen seen urls; \
         '{program}' list make https://a.example/ -o list",
        folder.path().display()
    );
    let made = std::process::Command::new("sh").args(["-c", &made]).output().expect("there is a shell");
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    let shown = "https://h.example/\u{6f22}\u{5b57}\u{6f22}\\u{200b}\\u{202e}\\x1b[31m";
    for columns in [80, 120] {
        let run = |words: &str| {
            let out =
                on_wide_terminal(columns, folder.path(), &format!("('{program}' {words}) 2> /dev/null"));
            let width = out.lines().map(UnicodeWidthStr::width).max().unwrap_or(0);
            assert!(width <= columns, "{words} has {width} of {columns} columns:\n{out}");
            assert!(
                !out.contains(['\t', '\u{1b}', '\u{202e}', '\u{200b}']),
                "{words}: {}",
                out.escape_debug()
            );
            out
        };
        let text = |rows: &[&[&str]]| -> Vec<Vec<String>> {
            rows.iter().map(|row| row.iter().map(ToString::to_string).collect()).collect()
        };
        let counted = run("count --by registered_domain urls");
        let expected = |first| text(&[&["a.example", first], &["h.example", "1"], &["long.example", "1"]]);
        assert_eq!(fields(&counted, &["name", "rows"]), expected("3"));
        // Numbers end in one column.
        assert!(counted.lines().all(|line| line.width() == counted.lines().next().unwrap_or("").width()));
        let counted = run("index count dataset --by registered_domain");
        assert_eq!(fields(&counted, &["name", "rows"]), expected("2"));
        let expected: &[&[&str]] = &[&["https://a.example/", "3"], &[&long, "1"], &[shown, "1"]];
        assert_eq!(fields(&run("uniq --counts urls"), &["url", "rows"]), text(expected));
        let entry = "hashed:sha1=b8de1c4d08fa3849331e9b41b2507202aa9ad22b";
        let expected: &[&[&str]] = &[&["https://a.example/", entry], &["https://a.example/#b", entry]];
        let expected = text(&[expected, &[&["https://a.example/", entry]]].concat());
        assert_eq!(fields(&run("list match list urls"), &["url", "entry"]), expected);
        let all = run("list match --all list urls");
        assert!(all.starts_with("url ") && all.contains("hashed:sha1="), "{all}");
        for (words, header, row) in [
            ("canon --list", "name kind about", "web url "),
            ("index show i.db", "count name rows", "tld example "),
            ("index show dataset", "count name rows", "tld example "),
            ("seen show seen", "count name rows", "canonical_form web+drop-fragment "),
            ("psl show", "key value", "psl_sections all"),
        ] {
            let out = run(words);
            let mut lines =
                out.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ") + " ");
            assert_eq!(lines.next().as_deref(), Some(&*format!("{header} ")), "{out}");
            assert!(lines.any(|line| line.starts_with(row)), "{words}: {out}");
        }
        // Programs have the tabs, and no header.
        let piped = run("count --by registered_domain urls | tr '\\t' ';'");
        assert_eq!(piped, "a.example;3\nh.example;1\nlong.example;1\n");
        let piped = run("uniq --counts urls | head -1 | tr '\\t' ';'");
        assert_eq!(piped, "https://a.example/;3\n");
        let piped = run("canon --list | head -1 | tr '\\t' ';'");
        assert!(piped.starts_with("web;url;"), "{piped}");
        let piped = run("list match list urls | head -1 | tr '\\t' ';'");
        assert_eq!(piped, format!("https://a.example/;{entry}\n"));
        let piped = run("index show i.db | head -1 | tr '\\t' ';'");
        assert!(piped.starts_with("rows;;"), "{piped}");
    }
}

#[test]
fn the_header_of_a_table_is_bold_by_the_choice_of_color() {
    let folder = crate::support::Folder::new();
    folder.file("urls", "https://a.example/\n");
    let program = env!("CARGO_BIN_EXE_urlid");
    let run = |options: &str| {
        let command = format!("unset NO_COLOR; TERM=xterm '{program}' count --by host {options} urls");
        on_wide_terminal(80, folder.path(), &command)
    };
    assert_eq!(run("--color never"), "name       rows\na.example     1\n");
    assert_eq!(run(""), "\u{1b}[1mname       rows\u{1b}[0m\na.example     1\n");
    assert_eq!(run("--color always"), run(""));
    assert_eq!(run("--format csv"), "name,rows\na.example,1\n");
}

#[test]
fn progress_appears_after_half_a_second() {
    let folder = crate::support::Folder::new();
    folder.file("urls", "https://a.example/\n");
    let program = env!("CARGO_BIN_EXE_urlid");
    let run = |command: &str| {
        let begun = std::time::Instant::now();
        (on_wide_terminal(80, folder.path(), command), begun.elapsed())
    };
    // On a loaded machine even short work may take that long.
    let short = (0..10).map(|_| run(&format!("'{program}' uniq urls")));
    let (out, _) = short.into_iter().find(|(_, took)| took.as_millis() < 500).expect("it is short work");
    assert_eq!(out, "https://a.example/\n");
    let (out, _) = run(&format!("(cat urls; sleep 2) | '{program}' uniq - > /dev/null"));
    assert!(out.contains("elapsed"), "{}", out.escape_debug());
    let (out, _) = run(&format!("(cat urls; sleep 2) | '{program}' uniq --quiet - > /dev/null"));
    assert_eq!(out, "", "without messages there is no progress");
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
