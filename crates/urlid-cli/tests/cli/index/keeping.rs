//! Keeping an index: verify, seal, compact, delete, merge, migrate and the seen-set.

use std::ffi::OsStr;
use std::path::Path;

use super::Index;
#[cfg(target_os = "linux")]
use crate::support::as_somebody;
use crate::support::{DOCS, Folder, urlid};

fn many(count: u32) -> String {
    (0..count).map(|n| format!("https://h{}.example{}.com/{n}\n", n % 7, n % 13)).collect()
}

fn files(folder: &Folder) -> Vec<String> {
    let entries = std::fs::read_dir(folder.path()).expect("it is there");
    let mut names: Vec<_> =
        entries.map(|entry| entry.expect("it is there").file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

/// Writes other bytes over the only place where some are.
fn overwrite(path: &Path, from: &[u8], to: &[u8]) {
    let mut bytes = std::fs::read(path).expect("it is there");
    let places: Vec<usize> = (0..bytes.len()).filter(|&place| bytes[place..].starts_with(from)).collect();
    assert_eq!((places.len(), from.len()), (1, to.len()));
    bytes[places[0]..][..to.len()].copy_from_slice(to);
    std::fs::write(path, bytes).expect("there is room");
}

#[test]
fn verify_finds_a_changed_row_and_every_reader_goes_on() {
    let index = Index::new(DOCS);
    let name = index.path.display();
    index.run("verify", &[]).is_quiet(0, &format!("{name}: 1 row checked, 0 findings\n"));
    overwrite(&index.path, b"https://docs.rs/", b"https://docs.rz/");
    let finding = "row 1 has the id of another URL than `https://docs.rz/`\n";
    let count = format!("{name}: 1 row checked, 1 finding\n");
    index.run("verify", &[]).is_quiet(1, &format!("{finding}{count}"));
    index.run("verify", &["--limit", "0"]).is_quiet(1, &count);
    index.run("find", &["--tld", "rz"]).is_quiet(1, "");
}

#[test]
fn a_sealed_index_is_one_file() {
    let index = Index::new(DOCS);
    assert_eq!(index.add(b"https://a.com/\n", &[]).code, Some(0));
    index.run("seal", &[]).is_quiet(0, "");
    assert_eq!(files(&index.folder), ["urls.db"]);
    assert_eq!(std::fs::read(&index.path).expect("it is there")[18..20], [1, 1]);
    index.run("count", &[]).is_quiet(0, "2\n");
    assert_eq!(files(&index.folder), ["urls.db"]);
}

#[test]
fn compact_gives_back_what_delete_has_left() {
    let index = Index::new(&many(5_000));
    let size = || std::fs::metadata(&index.path).expect("it is there").len();
    let name = index.path.display();
    let before = size();
    let ran = index.run("delete", &["--sub", "h3"]);
    assert_eq!((ran.code, ran.out), (Some(0), format!("{name}: 714 deleted\n")), "{}", ran.err);
    index.run("compact", &[]).is_quiet(0, "");
    assert!(size() < before, "{} < {before}", size());
    index.run("count", &[]).is_quiet(0, "4286\n");
    assert_eq!(index.run("verify", &[]).code, Some(0));
}

#[test]
fn delete_shows_first_and_asks_twice_for_everything() {
    let index = Index::new("https://a.sc/\nhttps://a.tax/\nhttps://b.tax/\n");
    let name = index.path.display();
    let said = "urlid: 2 candidates left out: their identifiers fit, their URLs do not\n\
                urlid: note: --tld sc leaves out hosts under com.sc and 4 more suffixes: \
                --under sc finds them too\n";
    index.run("delete", &["--tld", "sc", "--dry-run"]).is(0, &format!("{name}: 1 would be deleted\n"), said);
    index.run("count", &[]).is_quiet(0, "3\n");
    index.run("delete", &["--tld", "sc"]).is(0, &format!("{name}: 1 deleted\n"), said);
    index.run("delete", &["--tld", "org", "--quiet"]).is_quiet(1, &format!("{name}: 0 deleted\n"));
    index.run("delete", &[]).is(2, "", "urlid: no condition is given: --all deletes everything\n");
    index.run("delete", &["--all", "--tld", "tax"]).is(2, "", "urlid: --all goes without conditions\n");
    index.run("delete", &["--all", "--dry-run"]).is_quiet(0, &format!("{name}: 2 would be deleted\n"));
    index.run("count", &[]).is_quiet(0, "2\n");
    index.run("delete", &["--all"]).is_quiet(0, &format!("{name}: 2 deleted\n"));
    index.run("count", &[]).is_quiet(1, "0\n");
}

#[test]
fn merge_is_the_union_and_never_of_an_index_with_itself() {
    let (one, two) = (Index::new(&many(300)), Index::new("https://h0.example0.com/0\nhttps://docs.rs/\n"));
    let whole = one.folder.path().join("whole");
    let merge = |target: &Path, sources: &[&Path]| {
        let verb = [OsStr::new("index"), "merge".as_ref(), target.as_os_str()];
        urlid(verb.into_iter().chain(sources.iter().map(|path| path.as_os_str())))
    };
    let name = whole.display();
    merge(&whole, &[&one.path, &two.path]).is_quiet(0, &format!("{name}: 302 rows read, 301 new\n"));
    merge(&whole, &[&two.path]).is_quiet(0, &format!("{name}: 2 rows read, 0 new\n"));
    let ran = merge(&one.path, &[&two.path, &one.path]);
    assert!(ran.code == Some(4) && ran.err.contains("cannot be merged with itself"), "{}", ran.err);
    one.run("count", &[]).is_quiet(0, "300\n");
    assert_eq!(merge(&whole, &[Path::new("/nowhere")]).code, Some(4));
}

#[test]
fn migrate_rewrites_and_names_the_rows_whose_split_changed() {
    let index = Index::new("https://a.github.io/x\nhttps://example.com/\n");
    let list = "// ===BEGIN ICANN DOMAINS===\ncom\nio\n// ===END ICANN DOMAINS===\n\
                // ===BEGIN PRIVATE DOMAINS===\n// ===END PRIVATE DOMAINS===\n";
    let list = index.folder.file("list", list);
    let list = list.to_str().expect("is text");
    index.run("find", &["--domain", "a"]).is_quiet(0, "https://a.github.io/x\n");
    let ran = index.run("migrate", &["--psl", list, "--format", "csv"]);
    let moved = "url,old_tld,new_tld\nhttps://a.github.io/x,github.io,io\n";
    assert_eq!((ran.code, ran.out.as_str()), (Some(0), moved), "{}", ran.err);
    assert!(ran.err.contains("1 of 2 rows rewritten, from ") && ran.err.contains(" to "), "{}", ran.err);
    let ran = index.run("migrate", &["--psl", list]);
    assert!(
        ran.code == Some(0) && ran.out.is_empty() && ran.err.contains("there is nothing to do"),
        "{}",
        ran.err
    );
    index.run("find", &["--domain", "github"]).is_quiet(0, "https://a.github.io/x\n");
    let ran = index.add(DOCS.as_bytes(), &[]);
    assert!(ran.code == Some(4) && ran.err.contains("ERR_SNAPSHOT"), "{}", ran.err);
    assert_eq!(index.run("migrate", &[]).out, "https://a.github.io/x\tio\tgithub.io\n");
    assert_eq!(index.add(DOCS.as_bytes(), &[]).code, Some(0));
    assert_eq!(index.run("verify", &[]).code, Some(0));
}

#[test]
fn an_index_of_a_newer_format_is_refused_by_every_verb() {
    let index = Index::new(DOCS);
    let mut bytes = std::fs::read(&index.path).expect("it was made");
    // The format version in the header of the file.
    bytes[60..64].copy_from_slice(&2_u32.to_be_bytes());
    std::fs::write(&index.path, &bytes).expect("writes");
    let name = index.path.display();
    let message = format!(
        "urlid: ERR_INDEX_FORMAT: index is of a newer format: found version 2 in {name}, expected 1\n"
    );
    for verb in ["count", "find", "show", "verify", "seal", "compact", "migrate"] {
        index.run(verb, &[]).is(4, "", &message);
    }
    let ran = index.add(b"http://1.2.3.4/\n", &[]);
    assert_eq!((ran.code, ran.out.as_str(), ran.err.as_str()), (Some(4), "", message.as_str()));
    assert!(std::fs::read(&index.path).expect("reads") == bytes);
}

#[cfg(target_os = "linux")]
#[test]
fn an_index_with_a_log_in_a_place_without_writing_says_how_to_seal_it() {
    use std::os::unix::fs::PermissionsExt;
    let index = Index::new(DOCS);
    assert_eq!(index.add(b"https://a.com/\n", &[]).code, Some(0));
    // Puts the program into the folder, which nobody can after that.
    as_somebody(65534, &index.folder, "");
    let set_mode = |path: &Path, mode| {
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).expect("it is ours");
    };
    set_mode(&index.path, 0o444);
    set_mode(index.folder.path(), 0o555);
    let ran = as_somebody(65534, &index.folder, "./urlid index count urls.db");
    set_mode(index.folder.path(), 0o755);
    assert_eq!(ran.code, Some(4), "{}", ran.err);
    assert!(
        ran.err.contains("index is not sealed: no log can be made beside urls.db; seal it"),
        "{}",
        ran.err
    );
}

#[test]
fn a_url_that_a_line_cannot_hold_is_not_exported_as_one() {
    for url in ["https://example.com/x\r", "https://example.com/\rx", "https://example.com/\nx"] {
        let index = Index::new("");
        assert_eq!(index.run("add", &[url]).code, Some(0));
        let ran = index.run("export", &["--format", "urls"]);
        assert_eq!((ran.code, ran.out.as_str()), (Some(4), ""), "{}", ran.err);
        assert!(ran.err.contains("a URL cannot be a line: found `https://example.com/"), "{}", ran.err);
    }
}
