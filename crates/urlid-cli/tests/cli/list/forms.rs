//! Lists in their forms: read, compiled, shown, compared, merged and audited.

use super::*;

/// The SHA-256 of `hashed:x-other=00` and a line end.
const UNKNOWN_DIGEST: &str = "17684b6adeabafc7408da3393524fe2dc9ab275f39b3207d243fda36836776cd";

#[test]
fn bad_lists_are_told_by_line_or_as_a_whole() {
    let folder = Folder::new();
    let broken = folder.file("broken", header(2) + "hashed:sha1=xyz\n" + THUS_ENTRY + "\n");
    let ran = finish(command().args(["list", "match", "-c"]).arg(&broken).arg(THUS));
    assert_eq!((ran.code, ran.out.as_str()), (Some(3), "1\n"));
    assert!(
        ran.err.contains("broken:11: ERR_LIST_LINE: hashed URI breaks its grammar at byte 12"),
        "{}",
        ran.err
    );

    let [_, compiled] = lists(&folder, &[], THUS);
    let mut damaged = std::fs::read(&compiled).expect("it was written");
    *damaged.last_mut().expect("it is not empty") ^= 1;
    for (content, message) in [
        ((header(3) + THUS_ENTRY + "\n").into_bytes(), "found 1 entries, expected 3"),
        (THUS_ENTRY.into(), "list header lacks `urlid-list`"),
        (Vec::new(), "list header lacks `urlid-list`"),
        (b"urlidbin".to_vec(), "compiled list is damaged"),
        // The first bytes of another format.
        (b"urlidlst\x04\0\0\0".to_vec(), "list header lacks `urlid-list`"),
        (damaged, "compiled list is damaged"),
    ] {
        let list = folder.file("list", content);
        for args in [&["match", "-c"][..], &["audit"]] {
            let ran = finish(command().arg("list").args(args).arg(&list).arg(THUS));
            assert_eq!((ran.code, ran.out.as_str()), (Some(4), ""), "{message}");
            assert!(ran.err.contains("ERR_LIST_HEADER") && ran.err.contains(message), "{}", ran.err);
        }
    }
    let unknown = header(1).replace("sha1", "x-other").replace(&"0".repeat(64), UNKNOWN_DIGEST);
    let unknown = unknown + "hashed:x-other=00\n";
    let ran = finish(command().args(["list", "match", "-c"]).arg(folder.file("unknown", unknown)).arg(THUS));
    assert_eq!((ran.code, ran.out.as_str()), (Some(1), "0\n"));
    assert!(
        ran.err.contains("1 entry by unknown algorithms cannot be checked, the first by x-other"),
        "{}",
        ran.err
    );
}

#[test]
fn a_compiled_list_replaces_an_older_one_and_leaves_nothing_beside_it() {
    let folder = Folder::new();
    let [text, compiled] = lists(
        &folder,
        &["--alg", "md5,x-sha512", "--keep", "query"],
        "http://a.example/?q\nhttp://b.example/\n",
    );
    let before = std::fs::read(&compiled).expect("it was written");
    let ran = run(&["compile", "-o"], &[&compiled, &text]);
    assert_eq!(ran.code, Some(0));
    assert!(ran.err.ends_with("compiled: 4 entries\n"), "{}", ran.err);
    assert_eq!(std::fs::read(&compiled).expect("it was written"), before);
    let ran = run(&["compile", "-o"], &[&text, &text]);
    assert_eq!(ran.code, Some(2), "{}", ran.err);
    assert!(ran.err.contains("the command reads this file"), "{}", ran.err);
    let again = folder.path().join("again");
    assert_eq!(run(&["compile", "-o"], &[&again, &compiled]).code, Some(0));
    assert_eq!(std::fs::read(&again).expect("it was written"), before);
    let mut names: Vec<_> = std::fs::read_dir(folder.path())
        .expect("it is there")
        .map(|entry| entry.expect("it is there").file_name())
        .collect();
    names.sort();
    assert_eq!(names, ["again", "compiled", "text"]);
    assert_eq!(run(&["compile", "-o"], &[&folder.path().join("no/where"), &text]).code, Some(4));
    // Without `--out` there is nothing to write to: another list is never replaced.
    assert_eq!(run(&["compile"], &[&text, &compiled]).code, Some(2));
    assert_eq!(std::fs::read(&compiled).expect("it was written"), before);
}

#[test]
fn an_audit_shows_what_a_dictionary_reveals() {
    let folder = Folder::new();
    let [list, _] = lists(
        &folder,
        &["--alg", "md5", "--intake", "rfc3986"],
        "http://www.thus.net\nhttp://h.example/secret\n",
    );
    let ran = finish(
        command().args(["list", "audit", "--rate", "1000"]).arg(&list).args([THUS, "http://a.example/"]),
    );
    assert_eq!((ran.code, ran.err.as_str()), (Some(1), ""));
    let lines: Vec<&str> = ran.out.lines().collect();
    assert_eq!(
        lines[..3],
        [
            "hashed:md5=be96302a0468481aca954431cf293e05\thttp://www.thus.net",
            "1 of 2 entries revealed (50.0 %), 1 of them home pages like http://www.domain/",
            "2 URLs tried, 2 digests: less than 0.1 seconds at 1e3 digests a second",
        ]
    );
    // 37 + 37^2 + … + 37^6 names, four forms each, at a thousand a second.
    assert_eq!(lines[4], "  names of up to 6 characters: 122 days");
    let ran = finish(command().args(["list", "audit", "--summary"]).arg(&list).arg("http://a.example/"));
    assert_eq!(ran.code, Some(0));
    assert!(ran.out.starts_with("0 of 2 entries revealed (0.0 %)"));
}

#[test]
fn lists_are_recognised_in_every_form_and_from_every_source() {
    let folder = Folder::new();
    for list in &lists(&folder, &[], THUS) {
        let bytes = std::fs::read(list).expect("it was written");
        let packed = folder.file("packed", gzip(&bytes));
        finish(command().args(["list", "match", "-c"]).arg(&packed).arg(THUS)).is_quiet(0, "1\n");
        for input in [bytes, gzip(&std::fs::read(list).expect("it was written"))] {
            urlid_on(&input, ["list", "match", "-c", "-", THUS]).is_quiet(0, "1\n");
            urlid_on(&input, ["list", "show", "-"]).is_quiet(0, &thus_list());
        }
    }
    let ran = urlid_on(b"", ["list", "match", "-"]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.err.contains("standard input cannot be both the list and the URLs"), "{}", ran.err);
}

#[test]
fn a_list_with_a_flipped_digit_is_refused() {
    let folder = Folder::new();
    let flipped = folder.file("flipped", thus_list().replace(":sha1=de", ":sha1=df"));
    let ran = finish(command().args(["list", "match", "-c"]).arg(flipped).arg(THUS));
    assert_eq!((ran.code, ran.out.as_str()), (Some(4), ""));
    assert!(ran.err.contains("ERR_LIST_HEADER: list has other entries than its header says"), "{}", ran.err);
}

#[test]
fn lists_are_shown_compared_and_merged_in_either_form() {
    let folder = Folder::new();
    let [text, compiled] = &lists(&folder, &[], THUS);
    let shown = run(&["show"], &[compiled]);
    shown.is_quiet(0, &thus_list());
    assert_eq!(std::fs::read_to_string(text).expect("it was written"), shown.out);
    let header = run(&["show", "--header"], &[compiled]);
    assert_eq!((header.code, header.out + THUS_WEB_ENTRY + "\n"), (Some(0), thus_list()));

    let other = urlid(["list", "make", "http://b.example/"]).out;
    let other_entry = other.lines().last().expect("a list has lines").to_owned();
    let other = folder.file("other", &other);
    run(&["diff"], &[text, compiled]).is_quiet(0, "");
    let differences = run(&["diff"], &[compiled, &other]);
    let mut lines: Vec<&str> = differences.out.lines().collect();
    lines.sort_unstable();
    assert_eq!(
        (differences.code, lines),
        (Some(1), vec![&*format!("+{other_entry}"), &*format!("-{THUS_WEB_ENTRY}")])
    );

    let merged = run(&["merge", "--made", "2026-11-22"], &[compiled, &other]);
    let both = urlid(["list", "make", "--made", "2026-11-22", THUS, "http://b.example/"]);
    assert_eq!((merged.code, merged.out), (Some(0), both.out));
    let p = folder.file("p", urlid(["list", "make", "--variant", "p", THUS]).out);
    let ran = run(&["merge"], &[text, &p]);
    assert_eq!((ran.code, ran.out.as_str()), (Some(4), ""));
    assert!(ran.err.contains("lists have different `variant`: found p, expected n"), "{}", ran.err);
}

#[test]
fn an_audit_takes_domains() {
    let folder = Folder::new();
    let [list, _] = &lists(&folder, &[], "http://www.a.example/\nhttps://b.example/\nhttp://c.example/x\n");
    let domains = folder.file("domains", "a.example\nb.example\nc.example\n");
    let ran = finish(command().args(["list", "audit", "--domains"]).arg(list).arg(&domains));
    assert_eq!(ran.code, Some(1), "{}", ran.err);
    assert!(ran.out.contains("2 of 3 entries revealed") && ran.out.contains("12 URLs tried"), "{}", ran.out);
    // Lists of popular domains have ranks.
    let ranks = folder.file("ranks", "1,a.example\r\n2,b.example\r\n3,c.example\r\n");
    let ranked = finish(command().args(["list", "audit", "--domains"]).arg(list).arg(&ranks));
    assert_eq!((ranked.code, ranked.out), (ran.code, ran.out));
    let head = folder.file("head", "GlobalRank,TldRank,Domain\n");
    let refused = finish(command().args(["list", "audit", "--domains"]).arg(list).arg(&head));
    assert!(
        refused.code == Some(3) && refused.err.contains("ERR_URL_PARSE: line is not a domain"),
        "{refused:?}"
    );
}

#[test]
fn an_audit_of_domains_takes_no_urls() {
    let folder = Folder::new();
    let [list, _] = lists(&folder, &[], "https://bad.example/");
    let audit = |domain: &str| {
        let domains = folder.file("domains", domain);
        finish(command().args(["list", "audit", "--summary", "--domains"]).arg(&list).arg("-f").arg(domains))
    };
    assert!(audit("bad.example").out.starts_with("1 of 1 entry revealed"));
    for domain in ["https://bad.example/", "bad.example/", "bad.example?", "x@bad.example", "bad.example\\"] {
        let ran = audit(domain);
        assert!(ran.code == Some(3) && ran.err.contains("line is not a domain"), "{domain}: {}", ran.err);
    }
}

/// Lists are recognised by their content, so `-`, and a pipe that a shell has opened, are as good as a file.
/// A pipe with a name may have no writer, and a device no end.
#[cfg(unix)]
#[test]
fn a_pipe_with_a_name_is_no_list() {
    let folder = Folder::new();
    let [text, _] = lists(&folder, &[], THUS);
    let pipe = folder.path().join("pipe");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status().expect("it is installed");
    assert!(made.success());
    let other = text.to_str().expect("it is UTF-8");
    for words in [
        format!("match pipe {THUS}"),
        "audit pipe http://h/".to_owned(),
        "show pipe".to_owned(),
        format!("diff pipe {other}"),
        format!("merge {other} pipe"),
        "compile pipe -o out".to_owned(),
        "match /dev/zero http://h/".to_owned(),
        format!("delta {other} pipe -o out"),
        format!("apply {other} pipe -o out"),
        format!("update {other} pipe"),
    ] {
        let ran = in_folder(&folder, &words);
        assert_eq!((ran.code, ran.out.as_str()), (Some(4), ""), "{words}");
        assert!(
            ran.err.contains("ERR_IO: ") && ran.err.contains("found a pipe or a device"),
            "{words}: {}",
            ran.err
        );
    }
    let open = format!("cat text | {} list show /dev/fd/0", env!("CARGO_BIN_EXE_urlid"));
    let open = std::process::Command::new("sh").args(["-c", &open]).current_dir(folder.path()).output();
    let open = open.expect("there is a shell");
    assert_eq!(open.stdout, thus_list().into_bytes(), "{}", String::from_utf8_lossy(&open.stderr));
}

#[test]
fn a_list_that_has_expired_is_used_with_a_note() {
    let folder = Folder::new();
    let ran = done(&folder, &format!("make {THUS} --expires 2001-01-01 -o list"));
    assert!(ran.err.starts_with("urlid: --expires 2001-01-01: this is over"), "{}", ran.err);
    done(&folder, "compile list -o compiled");
    done(&folder, "shards list --bits 1 --out shards");
    for (words, name) in [
        (format!("match -c list {THUS}"), "list"),
        (format!("match -c compiled {THUS}"), "compiled"),
        (format!("match -c --shards shards {THUS}"), "shards/index"),
        ("show compiled".to_owned(), "compiled"),
        (format!("audit list {THUS}"), "list"),
    ] {
        let ran = done(&folder, &words);
        let note = format!("urlid: {name}: list has expired: it was to be used before 2001-01-01\n");
        assert!(ran.err.contains(&note), "{words}: {}", ran.err);
        assert_eq!(in_folder(&folder, &format!("{words} --quiet")).err, "", "{words}");
    }
    done(&folder, &format!("make {THUS} --expires 2100-01-01 -o list")).is(
        0,
        "",
        "urlid: made a list of 1 entry\n",
    );
    assert_eq!(done(&folder, "show list").err, "");
}
