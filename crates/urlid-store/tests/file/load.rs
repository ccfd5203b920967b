//! Loading: what is taken, rejected and counted, and that the way a load works does not show in the index.

use std::ops::ControlFlow;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::sync::Barrier;
use std::time::Duration;

use crate::{all, fresh, load, load_with};
use urlid::suffix::SuffixList;
use urlid::{ErrorCode, Place};
use urlid_store::file::{Index, LineOutcome, Load, LoadOptions, error};
use urlid_store::question::Condition;

fn many(count: u32) -> Vec<String> {
    (0..count)
        .map(|n| {
            format!("https://h{}.example{}.com/{}?{}", n % 7, n % 13, n.wrapping_mul(7919) % 1000, n % 3)
        })
        .collect()
}

fn begin(path: &Path, options: LoadOptions) -> Load {
    Load::begin(path, SuffixList::compiled(), options).expect("begins")
}

#[test]
fn lines_are_counted_by_what_became_of_them() {
    let (_directory, path) = fresh("counted");
    let mut load = begin(&path, LoadOptions::default());
    let lines = [
        "https://Example.COM",
        "https://example.com/",
        "",
        "https://user:secret@example.com/private",
        "mailto:a@b.c",
        "https://127.0.0.1/",
        "https://example.com:99999/",
        "no url",
    ];
    let rejected = lines.map(|line| matches!(load.push(line).expect("goes on"), LineOutcome::Rejected(_)));
    assert_eq!(rejected, [false, false, false, false, false, false, true, true]);
    let loaded = load.finish().expect("ends");
    assert_eq!((loaded.lines, loaded.blank, loaded.taken, loaded.new, loaded.credentials), (8, 1, 5, 4, 1));
    assert_eq!(loaded.without_sxurl, 2);
    let rejected: Vec<_> = loaded.rejected.into_iter().collect();
    assert_eq!(rejected, [(ErrorCode::UrlParse, 2)]);
    let rows = all(&path);
    assert_eq!(rows.len(), 4);
    assert_eq!(rows[2..], ["mailto:a@b.c", "https://127.0.0.1/"]);
    assert!(rows.contains(&"https://example.com/private".to_owned()));
    let bytes = std::fs::read(&path).expect("reads");
    assert!(!bytes.windows(6).any(|window| window == b"secret"));
}

#[test]
fn every_way_of_loading_gives_the_same_rows() {
    let urls = many(5000);
    let lines: Vec<&str> = urls.iter().map(String::as_str).collect();
    let mut expected: Vec<&str> = lines.clone();
    expected.sort_unstable();
    expected.dedup();
    let directory = tempfile::tempdir().expect("a directory");
    let ways = [
        LoadOptions::default(),
        LoadOptions { transaction_lines: 100, ..LoadOptions::default() },
        LoadOptions { transaction_lines: 1, ..LoadOptions::default() },
    ];
    let mut files = Vec::new();
    for (number, options) in ways.into_iter().enumerate() {
        let at_once = directory.path().join(format!("once{number}"));
        let lines = if options.transaction_lines == 1 { &lines[..700] } else { &lines[..] };
        let loaded = load_with(&at_once, lines, options.clone());
        let in_parts = directory.path().join(format!("parts{number}"));
        let (first, second) = lines.split_at(lines.len() / 3);
        let new = load_with(&in_parts, first, options.clone()).new
            + load_with(&in_parts, second, options.clone()).new;
        assert_eq!(new, loaded.new);
        assert_eq!(load_with(&in_parts, lines, options).new, 0);
        assert_eq!(all(&at_once), all(&in_parts));
        assert_eq!(Index::open(&in_parts).expect("opens").rows().expect("counts"), new);
        files.push(all(&at_once));
    }
    assert_eq!(files[0], files[1]);
    let mut rows = files.swap_remove(0);
    rows.sort_unstable();
    assert_eq!(rows, expected);
    let names: Vec<_> = std::fs::read_dir(directory.path()).expect("lists").collect();
    assert_eq!(names.len(), 6, "no other file is left: {names:?}");
}

#[test]
fn a_load_that_is_dropped_or_stopped_leaves_no_new_file() {
    let (directory, path) = fresh("absent");
    for stopped in [false, true] {
        let mut load = begin(&path, LoadOptions { transaction_lines: 10, ..LoadOptions::default() });
        for url in many(100) {
            load.push(&url).expect("goes on");
        }
        if stopped {
            let error = load.finish_with(&mut |_| ControlFlow::Break(())).expect_err("was stopped");
            assert!(error.is(error::LOAD_STOPPED));
        } else {
            drop(load);
        }
        assert_eq!(std::fs::read_dir(directory.path()).expect("lists").count(), 0);
    }
}

#[test]
fn a_load_that_is_stopped_keeps_what_was_committed() {
    let (_directory, path) = fresh("present");
    load(&path, &["https://example.com/"]);
    let options = LoadOptions { transaction_lines: 100, ..LoadOptions::default() };
    let mut load = begin(&path, options);
    let urls: Vec<String> = (0..250).map(|n| format!("https://example.com/{n}")).collect();
    for url in &urls {
        load.push(url).expect("goes on");
    }
    let error = load.finish_with(&mut |progress| {
        assert_eq!((progress.lines, progress.committed, progress.new), (250, 200, 200));
        ControlFlow::Break(())
    });
    assert!(error.is_err_and(|error| error.is(error::LOAD_STOPPED)));
    let rows = all(&path);
    assert_eq!(rows.len(), 201);
    assert!(urls[..200].iter().all(|url| rows.contains(url)));
}

#[test]
fn batches_wait_in_a_file_for_their_transaction() {
    let (directory, path) = fresh("present");
    load(&path, &["https://example.com/", "https://example.com/7"]);
    let push = |first: u32| {
        // Each batch has half a MiB.
        let mut load = begin(&path, LoadOptions { memory: 1 << 20, ..LoadOptions::default() });
        for number in (first..first + 20_000).chain(first..first + 20_000) {
            load.push(&format!("https://example.com/{number}")).expect("goes on");
        }
        load
    };
    let loaded = push(0).finish_with(&mut |progress| {
        assert_eq!((progress.lines, progress.committed), (40_000, 0));
        ControlFlow::Continue(())
    });
    assert_eq!(loaded.expect("loads").new, 19_999);
    let rows = all(&path);
    assert_eq!(rows.len(), 20_001);
    let stopped = push(50_000).finish_with(&mut |_| ControlFlow::Break(())).expect_err("was stopped");
    assert!(stopped.is(error::LOAD_STOPPED), "{stopped}");
    assert_eq!(stopped.place(), Some(Place::Number(0)));
    drop(push(90_000));
    assert_eq!(all(&path), rows);
    assert_eq!(std::fs::read_dir(directory.path()).expect("lists").count(), 1, "no other file is left");
}

#[test]
fn a_load_waits_for_the_load_that_creates_the_index() {
    let (directory, path) = fresh("twice");
    let mut first = begin(&path, LoadOptions::default());
    first.push("https://example.com/1").expect("goes on");
    // The wait is 10 seconds, so this one takes as long.
    let error =
        Load::begin(&path, SuffixList::compiled(), LoadOptions::default()).expect_err("is being made");
    assert!(error.is(error::MAKING), "{error}");
    assert_eq!(
        error.to_string(),
        format!("index is in use: a different load is creating {}", path.display())
    );
    std::thread::scope(|scope| {
        let second = scope.spawn(|| load(&path, &["https://example.com/1", "https://example.com/2"]));
        std::thread::sleep(Duration::from_millis(200));
        assert_eq!(first.finish().expect("loads").new, 1);
        assert_eq!(second.join().expect("no panic").new, 1);
    });
    assert_eq!(all(&path).len(), 2);

    let given_up = begin(&directory.path().join("given up"), LoadOptions::default());
    std::thread::scope(|scope| {
        let second = scope.spawn(|| load(&directory.path().join("given up"), &["https://example.com/"]));
        std::thread::sleep(Duration::from_millis(200));
        drop(given_up);
        assert_eq!(second.join().expect("no panic").new, 1);
    });
}

#[test]
fn many_simultaneous_first_loads_do_not_lose_rows() {
    let directory = tempfile::tempdir().expect("a directory");
    for round in 0..20 {
        let path = directory.path().join(format!("at-once-{round}"));
        let barrier = Barrier::new(12);
        std::thread::scope(|scope| {
            for number in 0..12 {
                let (path, barrier) = (&path, &barrier);
                scope.spawn(move || {
                    let lines = [format!("https://example.com/{number}"), "https://example.com/".to_owned()];
                    let lines = lines.each_ref().map(String::as_str);
                    barrier.wait();
                    load(path, &lines);
                });
            }
        });
        assert_eq!(all(&path).len(), 13, "round {round}");
    }
}

#[test]
fn a_name_taken_meanwhile_is_not_replaced() {
    let (directory, path) = fresh("taken");
    let mut load = begin(&path, LoadOptions::default());
    load.push("https://example.com/").expect("goes on");
    std::fs::write(&path, "mine").expect("writes");
    load.finish().expect_err("would replace a file");
    assert_eq!(std::fs::read_to_string(&path).expect("reads"), "mine");
    assert_eq!(std::fs::read_dir(directory.path()).expect("lists").count(), 1);
}

#[test]
fn only_the_remains_of_a_killed_load_are_removed() {
    let (directory, path) = fresh("index");
    let loading = directory.path().join("index.loading");
    std::fs::write(&loading, b"").expect("writes");
    assert_eq!(load(&path, &["https://example.com/"]).new, 1);
    std::fs::rename(&path, &loading).expect("renames");
    assert_eq!(load(&path, &["https://example.com/"]).new, 1);
    assert!(!loading.exists());

    let next = directory.path().join("next");
    let victim = directory.path().join("victim");
    std::fs::write(&victim, "precious").expect("writes");
    let in_the_way = directory.path().join("next.loading");
    symlink(&victim, &in_the_way).expect("links");
    Load::begin(&next, SuffixList::compiled(), LoadOptions::default()).expect_err("a link is in the way");
    std::fs::remove_file(&in_the_way).expect("removes");
    std::fs::write(&in_the_way, "a letter").expect("writes");
    Load::begin(&next, SuffixList::compiled(), LoadOptions::default()).expect_err("a letter is in the way");
    assert_eq!(std::fs::read_to_string(&in_the_way).expect("reads"), "a letter");
    assert_eq!(std::fs::read_to_string(&victim).expect("reads"), "precious");
    assert!(!next.exists());
}

#[test]
fn a_link_to_nowhere_is_not_followed() {
    let (directory, path) = fresh("link");
    symlink(directory.path().join("elsewhere"), &path).expect("links");
    Load::begin(&path, SuffixList::compiled(), LoadOptions::default()).expect_err("leads nowhere");
    assert_eq!(std::fs::read_dir(directory.path()).expect("lists").count(), 1);
}

#[test]
fn the_file_is_its_makers_alone_until_it_has_its_name() {
    let (directory, path) = fresh("mode");
    let load = begin(&path, LoadOptions::default());
    let mode = |name: &str| {
        std::fs::metadata(directory.path().join(name)).expect("is there").permissions().mode() & 0o777
    };
    assert_eq!(mode("mode.loading") & 0o077, 0);
    load.finish().expect("ends");
    std::fs::write(directory.path().join("usual"), "").expect("writes");
    assert_eq!(mode("mode"), mode("usual"));
}

#[test]
fn hostile_text_is_stored_and_found_unchanged() {
    let (_directory, path) = fresh("hostile");
    let urls = [
        "https://example.com/'; DROP TABLE url;--",
        "https://example.com/%_\"x'00'",
        "https://example.com/\u{0}nul",
        "https://example.com/\u{1b}[31m",
    ];
    load(&path, &urls);
    let index = Index::open(&path).expect("opens");
    for url in urls {
        let path = &url["https://example.com".len()..];
        let ask = &[(Condition::Path, path), (Condition::Tld, "com")];
        assert_eq!(crate::find(&index, ask).0, [url]);
        assert!(index.get_url(url, None).expect("is looked up").is_stored);
    }
    assert_eq!(index.rows().expect("counts"), 4);
}
