//! Lists in their forms: read, compiled, shown, compared, merged and audited.

use super::*;

#[test]
fn bad_lists_are_told_by_line_or_as_a_whole() {
    let folder = Folder::new();
    let broken = folder.file("broken", header(2) + "hashed:sha1=xyz\n" + THUS_ENTRY + "\n");
    let ran = finish(command().args(["list", "match", "-c"]).arg(&broken).arg(THUS));
    assert_eq!((ran.code, ran.out.as_str()), (Some(3), "1\n"));
    assert!(
        ran.err.contains("broken:8: ERR_LIST_LINE: hashed URI breaks its grammar at byte 12"),
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
        (b"urlidlst".to_vec(), "compiled list ends too early"),
        (damaged, "compiled list is damaged"),
    ] {
        let list = folder.file("list", content);
        for args in [&["match", "-c"][..], &["audit"]] {
            let ran = finish(command().arg("list").args(args).arg(&list).arg(THUS));
            assert_eq!((ran.code, ran.out.as_str()), (Some(4), ""), "{message}");
            assert!(ran.err.contains("ERR_LIST_HEADER") && ran.err.contains(message), "{}", ran.err);
        }
    }
    let unknown = header(1).replace("sha1", "x-other") + "hashed:x-other=00\n";
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
    let ran = run(&["compile"], &[&text, Path::new("-o"), &compiled]);
    assert_eq!(ran.code, Some(0));
    assert!(ran.err.ends_with("compiled: 4 entries\n"), "{}", ran.err);
    assert_eq!(std::fs::read(&compiled).expect("it was written"), before);
    let ran = run(&["compile"], &[&text, Path::new("-o"), &text]);
    assert_eq!(ran.code, Some(2), "{}", ran.err);
    assert!(ran.err.contains("the command reads this file"), "{}", ran.err);
    let again = folder.path().join("again");
    assert_eq!(run(&["compile"], &[&compiled, Path::new("-o"), &again]).code, Some(0));
    assert_eq!(std::fs::read(&again).expect("it was written"), before);
    let mut names: Vec<_> = std::fs::read_dir(folder.path())
        .expect("it is there")
        .map(|entry| entry.expect("it is there").file_name())
        .collect();
    names.sort();
    assert_eq!(names, ["again", "compiled", "text"]);
    assert_eq!(run(&["compile"], &[&text, Path::new("-o"), &folder.path().join("no/where")]).code, Some(4));
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
}

#[test]
fn an_audit_of_domains_takes_no_urls() {
    let folder = Folder::new();
    let [list, _] = lists(&folder, &[], "https://bad.example/");
    let audit = |domain: &str| {
        let domains = folder.file("domains", domain);
        finish(command().args(["list", "audit", "--summary", "--domains"]).arg(&list).arg("-f").arg(domains))
    };
    assert!(audit("bad.example").out.starts_with("1 of 1 entries revealed"));
    for domain in ["https://bad.example/", "bad.example/", "bad.example?", "x@bad.example", "bad.example\\"] {
        let ran = audit(domain);
        assert!(
            ran.code == Some(3) && ran.err.contains("host has a forbidden character"),
            "{domain}: {}",
            ran.err
        );
    }
}
