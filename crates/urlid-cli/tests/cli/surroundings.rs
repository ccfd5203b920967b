//! The same answers whatever surrounds the program: language, time zone, directory, names of files.

use urlid::batch::Cpu;

use crate::support::{DOCS, DOCS_ID, Folder, command, finish};

#[test]
fn language_and_time_zone_change_nothing() {
    let url = "HTTPS://I\u{307}ST.\u{130}i.com/I";
    let plain = finish(command().args(["id", "-k", "sxurl,url-hash,hashed-uri,sxurl-crate-0", DOCS, url]));
    for (name, value) in
        [("LANG", "tr_TR.UTF-8"), ("LC_ALL", "C"), ("TZ", "Pacific/Kiritimati"), ("COLUMNS", "1")]
    {
        let ran = finish(command().env(name, value).args([
            "id",
            "-k",
            "sxurl,url-hash,hashed-uri,sxurl-crate-0",
            DOCS,
            url,
        ]));
        assert_eq!(ran, plain, "{name}={value}");
    }
    let bare = finish(command().env_clear().args([
        "id",
        "-k",
        "sxurl,url-hash,hashed-uri,sxurl-crate-0",
        DOCS,
        url,
    ]));
    assert_eq!(bare, plain);
}

#[test]
fn the_kind_of_cpu_changes_nothing() {
    let folder = Folder::new();
    let lines: String =
        (0..3000).map(|n| format!("https://www.example{n}.co.uk/{n}/%41?q={n}#f\n")).collect();
    let path = folder.file("urls", lines);
    for kind in ["sxurl", "url-hash"] {
        let run = |cpu: &str| finish(command().env("URLID_CPU", cpu).args(["id", "-k", kind]).arg(&path));
        let best = run("");
        assert_eq!((best.code, best.out.lines().count()), (Some(0), 3000));
        assert_eq!(run("portable"), best);
        for cpu in Cpu::ALL {
            let ran = run(cpu.name());
            let cannot = format!("urlid: URLID_CPU is `{cpu}`: this machine cannot run it\n");
            assert!(ran == best || (ran.code == Some(2) && ran.err == cannot), "{cpu}: {}", ran.err);
        }
    }
}

#[test]
fn every_kind_of_cpu_is_documented() {
    let help = finish(command().arg("--help")).out;
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/platforms.md");
    let page = std::fs::read_to_string(page).expect("the documentation is beside the crates");
    for cpu in Cpu::ALL {
        assert!(page.contains(&format!("| `{cpu}` | ")), "docs/platforms.md lacks {cpu}");
        assert!(cpu == Cpu::Simd128 || help.contains(cpu.name()), "the help lacks {cpu}");
    }
}

#[cfg(unix)]
#[test]
fn names_of_files_may_be_anything() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let folder = Folder::new();
    let longest = "n".repeat(255);
    for name in
        [&b"with space"[..], b"new\nline", b"not \xff utf-8", b"-dash", b"\xc3\xbc", longest.as_bytes()]
    {
        let name = OsStr::from_bytes(name);
        let path = folder.file(name, DOCS);
        finish(command().arg("id").arg(&path)).is_quiet(0, &format!("{DOCS_ID}\n"));
        let index = folder.path().join("index").join(name);
        std::fs::create_dir_all(folder.path().join("index")).expect("there is room");
        // The name of the first load's temporary file is longer than its own.
        if name.len() < 200 {
            let ran = finish(command().args(["index", "add"]).arg(&index).arg(&path));
            assert_eq!(ran.code, Some(0), "{}", ran.err);
            finish(command().args(["index", "find"]).arg(&index)).is_quiet(0, "https://docs.rs/\n");
        }
    }
}

#[cfg(unix)]
#[test]
fn a_directory_that_is_gone_does_not_matter() {
    let script = "d=$(mktemp -d) && cd \"$d\" && rmdir \"$d\" && exec \"$0\" id https://docs.rs/";
    let ran = finish(std::process::Command::new("sh").args(["-c", script, env!("CARGO_BIN_EXE_urlid")]));
    ran.is_quiet(0, &format!("{DOCS_ID}\n"));
}

#[cfg(unix)]
#[test]
fn closed_descriptors_do_not_matter() {
    for (script, out) in [("exec \"$0\" id <&-", ""), ("exec \"$0\" id https://docs.rs/ 2>&-", DOCS_ID)] {
        let ran = finish(std::process::Command::new("sh").args(["-c", script, env!("CARGO_BIN_EXE_urlid")]));
        assert_eq!((ran.code, ran.out.trim_end()), (Some(0), out), "{}", ran.err);
    }
}
