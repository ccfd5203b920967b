//! Keeping an index: verify, compact, delete and merge, and a place without writing.

use std::ffi::OsStr;
use std::path::Path;

use super::Index;
#[cfg(target_os = "linux")]
use crate::support::as_somebody;
use crate::support::{DOCS, urlid};

fn many(count: u32) -> String {
    (0..count).map(|n| format!("https://h{}.example{}.com/{n}\n", n % 7, n % 13)).collect()
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
    let finding = "row 1 has an id that does not match `https://docs.rz/`\n";
    let count = format!("{name}: 1 row checked, 1 finding\n");
    index.run("verify", &[]).is_quiet(1, &format!("{finding}{count}"));
    index.run("verify", &["--limit", "0"]).is_quiet(1, &count);
    index.run("find", &["--tld", "rz"]).is_quiet(1, "");
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
    let said = "urlid: 2 candidates left out because their identifiers match but their URLs do not\n\
                urlid: note: --tld sc excludes hosts under com.sc and 4 more suffixes: \
                --under sc also finds them\n";
    index.run("delete", &["--tld", "sc", "--dry-run"]).is(0, &format!("{name}: 1 would be deleted\n"), said);
    index.run("count", &[]).is_quiet(0, "3\n");
    index.run("delete", &["--tld", "sc"]).is(0, &format!("{name}: 1 deleted\n"), said);
    index.run("delete", &["--tld", "org", "--quiet"]).is_quiet(1, &format!("{name}: 0 deleted\n"));
    index.run("delete", &[]).is(2, "", "urlid: expected a condition, or --all to delete everything\n");
    index.run("delete", &["--all", "--tld", "tax"]).is(
        2,
        "",
        "urlid: --all cannot be used with conditions\n",
    );
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
        ran.err.contains("index is not sealed: a log cannot be created next to urls.db; seal the index"),
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
