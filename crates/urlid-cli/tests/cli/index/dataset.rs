//! Datasets through the program, compared with an index of the same lines.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use super::Index;
#[cfg(target_os = "linux")]
use crate::support::as_somebody;
use crate::support::{Folder, Ran, command, finish, urlid, urlid_on};

const LINES: &str = "https://www.example.co.uk:8443/a?q#f\nhttp://example.com/\nftp://b\u{fc}cher.de/x\n\
    https://example.com/a/b?x=1\nhttps://example.com/a\nhttp://192.0.2.1/\nhttp://[::1]:8080/a\nmailto:a@b\n\
    foo://www.example.com/a\nhttp://example.com./\nhttps://a.github.io/\nhttps://github.io/\nhttps://u:p@example.org/\n\
    https://example.com/\u{1}x\nhttps://example.com/a\n\nno URL\nhttps://example.com:80/a\n";

/// A dataset in a folder of its own.
struct Dataset {
    folder: Folder,
    path: PathBuf,
}

impl Dataset {
    fn new(lines: &str) -> Self {
        let folder = Folder::new();
        let path = folder.path().join("urls");
        let dataset = Dataset { folder, path };
        let ran = dataset.build(lines, &["--invalid", "skip"]);
        assert_eq!(ran.code, Some(0), "{}", ran.err);
        dataset
    }

    fn args<'a>(&'a self, verb: &'a str, args: &'a [&'a str]) -> impl Iterator<Item = &'a OsStr> {
        let start = [OsStr::new("index"), verb.as_ref(), self.path.as_os_str()];
        start.into_iter().chain(args.iter().map(OsStr::new))
    }

    fn build(&self, lines: &str, args: &[&str]) -> Ran {
        urlid_on(lines.as_bytes(), self.args("build", args))
    }

    fn run(&self, verb: &str, args: &[&str]) -> Ran {
        urlid(self.args(verb, args))
    }
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("it is there");
    let name = |entry: std::io::Result<fs::DirEntry>| entry.expect("it is there").file_name();
    let mut names: Vec<_> = entries.map(|entry| name(entry).to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

fn sorted(text: &str) -> Vec<&str> {
    let mut lines: Vec<&str> = text.lines().collect();
    lines.sort_unstable();
    lines
}

#[test]
fn every_question_has_the_answers_of_an_index() {
    let dataset = Dataset::new(LINES);
    let folder = Folder::new();
    let index = Index { path: folder.path().join("urls.db"), folder };
    assert_eq!(index.add(LINES.as_bytes(), &["--invalid", "skip"]).code, Some(0));
    let conditions: &[&[&str]] = &[
        &[],
        &["--host", "example.com"],
        &["--host", "192.0.2.1"],
        &["--host", ""],
        &["--under", "example.com"],
        &["--under", "github.io"],
        &["--under", "uk"],
        &["--registered-domain", "example.com"],
        &["--domain", "example"],
        &["--domain", "example.com"],
        &["--tld", "com"],
        &["--tld", "io"],
        &["--sub", "www"],
        &["--sub", ""],
        &["--scheme", "https"],
        &["--scheme", "foo"],
        &["--port", "8443"],
        &["--path", "/a"],
        &["--path-prefix", "/a"],
        &["--query", "q"],
        &["--fragment", "f"],
        &["--has", "query"],
        &["--lacks", "sub"],
        &["--tld", "nowhere"],
    ];
    for (number, one) in conditions.iter().enumerate() {
        for two in &conditions[number..] {
            let pair = if one == two { one.to_vec() } else { [*one, *two].concat() };
            for more in [&[][..], &["--ids"], &["--format", "csv"], &["--format", "ndjson", "--ids"]] {
                let args = [&pair, more].concat();
                let (found, expected) = (dataset.run("find", &args), index.run("find", &args));
                assert_eq!(found.code, expected.code, "{args:?}: {} {}", found.err, expected.err);
                assert_eq!(sorted(&found.out), sorted(&expected.out), "{args:?}");
                // The index says besides which rows only share slices.
                let notes = |ran: &Ran| -> Vec<String> {
                    ran.err
                        .lines()
                        .filter(|line| !line.contains("left out because their"))
                        .map(str::to_owned)
                        .collect()
                };
                assert_eq!(notes(&found), notes(&expected), "{args:?}");
            }
            assert_eq!(dataset.run("count", &pair).out, index.run("count", &pair).out, "{pair:?}");
            let by = [&pair, &["--by", "host"][..]].concat();
            assert_eq!(dataset.run("count", &by).out, index.run("count", &by).out, "{pair:?}");
        }
    }
    let without_name =
        |ran: Ran| ran.out.split_once(':').map_or(ran.out.clone(), |(_, rest)| rest.to_owned());
    for (verb, args) in [("show", &[][..]), ("verify", &["--rows"])] {
        assert_eq!(without_name(dataset.run(verb, args)), without_name(index.run(verb, &[])), "{verb}");
    }
    let verified = dataset.run("verify", &[]);
    assert_eq!(
        (verified.code, without_name(verified)),
        (Some(0), " 1 file checked, 0 findings\n".to_owned())
    );
    for wanted in
        ["https://example.com/a", "HTTPS://Example.com/b", "mailto:a@b", "no URL", "http://[::1]:8080/a"]
    {
        let (found, expected) = (dataset.run("get", &[wanted]), index.run("get", &[wanted]));
        assert_eq!(
            (found.code, &found.out, &found.err),
            (expected.code, &expected.out, &expected.err),
            "{wanted}"
        );
    }
    let id = index.run("get", &["https://example.com/a", "--ids"]).out;
    let id = id.split_once('\t').expect("it has two columns").0.to_owned();
    dataset.run("get", &[&id]).is_quiet(0, "https://example.com/a\n");
    for format in ["urls", "csv", "ndjson"] {
        let (found, expected) =
            (dataset.run("export", &["--format", format]), index.run("export", &["--format", format]));
        assert_eq!(sorted(&found.out), sorted(&expected.out), "{format}");
    }
    let questions = dataset.folder.file("questions", "tld=com\nhost=192.0.2.1\tscheme=http\ntld=zz\n");
    let questions = ["--questions", questions.to_str().expect("is text")];
    assert_eq!(sorted(&dataset.run("find", &questions).out), sorted(&index.run("find", &questions).out));
}

#[test]
fn a_foreign_or_damaged_dataset_is_an_error() {
    let dataset = Dataset::new(LINES);
    let taken = dataset.build("https://a.com/\n", &[]);
    assert!(
        taken.code == Some(4) && taken.err.contains("ERR_IO: dataset cannot be created"),
        "{}",
        taken.err
    );
    for verb in ["add", "seal", "compact"] {
        let ran = urlid_on(b"", dataset.args(verb, &[]));
        assert!(ran.code == Some(4) && ran.err.contains("ERR_INDEX_FORMAT"), "{verb}: {}", ran.err);
    }
    let ran = dataset.run("export", &["--format", "parquet", "--out", "/nowhere/x"]);
    assert!(ran.code == Some(2) && ran.err.contains("Parquet already"), "{}", ran.err);
    let foreign = dataset.path.join("more.parquet");
    fs::write(&foreign, "").expect("there is room");
    for verb in ["find", "count", "show", "verify"] {
        let ran = dataset.run(verb, &[]);
        assert!(ran.code == Some(4) && ran.err.contains("more.parquet"), "{verb}: {}", ran.err);
    }
    fs::remove_file(foreign).expect("it was there");
    let part = dataset.path.join("part-00000.parquet");
    let mut bytes = fs::read(&part).expect("it is there");
    bytes[60] ^= 1;
    fs::write(&part, bytes).expect("there is room");
    let ran = dataset.run("find", &["--host", "example.com"]);
    assert!(ran.code == Some(4) && ran.err.contains("a wrong checksum"), "{} {}", ran.out, ran.err);
    for (args, what) in [(&[][..], "a SHA-256 that differs"), (&["--rows"], "a wrong checksum")] {
        let ran = dataset.run("verify", args);
        assert!(ran.code == Some(1) && ran.out.contains(what), "{} {}", ran.out, ran.err);
        assert!(ran.out.contains("part-00000.parquet"), "{}", ran.out);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn an_unreadable_file_is_an_error_and_not_a_finding() {
    use std::os::unix::fs::PermissionsExt;
    let dataset = Dataset::new("https://example.com/\n");
    let part = dataset.path.join("part-00000.parquet");
    fs::set_permissions(&part, fs::Permissions::from_mode(0o000)).expect("it is ours");
    let ran = as_somebody(65_534, &dataset.folder, "./urlid index verify urls");
    assert!(ran.code == Some(4) && ran.err.contains("ERR_IO"), "{:?} {}", ran.code, ran.err);
}

#[cfg(unix)]
#[test]
fn a_stopped_build_leaves_no_files() {
    let folder = Folder::new();
    let path = folder.path().join("urls");
    let mut child = command()
        .args([OsStr::new("index"), "build".as_ref(), path.as_os_str()])
        .stdin(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program is there");
    // Kept open: the end of the input would be the end of the build.
    let input = child.stdin.take();
    let waits = || names(folder.path()).is_empty();
    while waits() {
        std::thread::yield_now();
    }
    let stopped = std::process::Command::new("kill").arg(child.id().to_string()).status();
    assert!(stopped.expect("kill is there").success());
    let code = child.wait().expect("it was started").code();
    drop(input);
    assert_eq!((code, names(folder.path())), (Some(143), Vec::new()));
}

#[cfg(unix)]
#[test]
fn a_closed_pipe_ends_a_question() {
    let lines: String =
        (0..100_000).map(|number| format!("https://h{}.com/{number}\n", number % 1_000)).collect();
    let dataset = Dataset::new(&lines);
    let program = command().get_program().to_owned();
    let ran = std::process::Command::new("bash")
        .args(["-o", "pipefail", "-c", "\"$0\" index find \"$1\" | head -n 3"])
        .arg(program)
        .arg(&dataset.path)
        .output();
    let ran = ran.expect("bash is there");
    assert_eq!(String::from_utf8_lossy(&ran.stdout).lines().count(), 3);
    assert_eq!(String::from_utf8_lossy(&ran.stderr), "");
}

#[test]
fn several_datasets_are_asked_as_one() {
    let dataset = Dataset::new("https://a.com/1\nhttps://a.com/2\nhttps://b.com/\n");
    let more = Dataset::new("https://a.com/2\nhttps://a.com/3\n");
    let also = more.path.to_str().expect("is text");
    let find = dataset.run("find", &["--with", also, "--host", "a.com"]);
    find.is_quiet(0, "https://a.com/1\nhttps://a.com/2\nhttps://a.com/3\n");
    dataset.run("count", &["--with", also]).is_quiet(0, "4\n");
    dataset.run("count", &["--with", also, "--by", "host"]).is_quiet(0, "a.com\t3\nb.com\t1\n");
    dataset.run("get", &["--with", also, "https://a.com/3"]).is_quiet(0, "https://a.com/3\n");
    assert!(dataset.run("show", &["--with", also]).out.starts_with("rows\t\t4\n"));
    let ran = dataset.run("find", &["--with", "/nowhere"]);
    assert!(ran.code == Some(4) && ran.err.contains("/nowhere"), "{}", ran.err);
    let form = Folder::new();
    let path = form.path().join("web");
    let args = [OsStr::new("index"), "build".as_ref(), path.as_os_str(), "--as".as_ref(), "web".as_ref()];
    assert_eq!(urlid_on(b"https://a.com/\n", args).code, Some(0));
    let ran = dataset.run("count", &["--with", path.to_str().expect("is text")]);
    assert!(ran.code == Some(4) && ran.err.contains("ERR_CANON_MIXED"), "{}", ran.err);
}

#[test]
fn urls_are_matched_with_an_index_and_a_dataset_alike() {
    let dataset = Dataset::new(LINES);
    let index = Index::new(&LINES.replace("no URL\n", ""));
    let asked =
        "https://example.com/a\nhttps://example.com/nowhere\nhttp://[0::1]:8080/a\n\nno URL\nMAILTO:a@b\n";
    let match_all = |args: &[&str]| {
        let [one, two] = [dataset.path.as_os_str(), index.path.as_os_str()].map(|path| {
            let start = [OsStr::new("index"), "match".as_ref(), path];
            let ran = urlid_on(asked.as_bytes(), start.into_iter().chain(args.iter().map(OsStr::new)));
            (ran.code, ran.out)
        });
        assert_eq!(one, two, "{args:?}");
        one
    };
    let stored = "https://example.com/a\nhttp://[0::1]:8080/a\nMAILTO:a@b\n";
    let unchecked = stored.replace("MAILTO", "no URL\t!ERR_URL_PARSE\nMAILTO");
    assert_eq!(match_all(&[]), (Some(3), unchecked));
    assert_eq!(match_all(&["--invalid", "skip"]), (Some(0), stored.to_owned()));
    assert_eq!(match_all(&["-v"]), (Some(3), "https://example.com/nowhere\n".to_owned()));
    assert_eq!(match_all(&["-c", "--invalid", "skip"]), (Some(0), "3\n".to_owned()));
    assert_eq!(match_all(&["--format", "csv", "-v"]).1, "url\nhttps://example.com/nowhere\n");
    dataset.run("match", &["https://example.com/x"]).is_quiet(1, "");
    // A page that cannot be read is an error, and not an answer.
    let part = dataset.path.join("part-00000.parquet");
    let mut bytes = fs::read(&part).expect("it is there");
    bytes[60] ^= 1;
    fs::write(&part, bytes).expect("there is room");
    let ran = dataset.run("match", &["-v", "https://example.com/x"]);
    assert!(ran.code == Some(4) && ran.err.contains("a wrong checksum") && ran.out.is_empty(), "{}", ran.err);
}

#[test]
fn a_build_that_lacks_an_input_publishes_nothing_unless_that_is_permitted() {
    let folder = Folder::new();
    let whole = folder.file("whole", "https://a.example/\n");
    let lines: String = (0..50_000).map(|number| format!("https://b.example/{number}\n")).collect();
    let gzip = urlid_testing::gzip(lines.as_bytes());
    let cut = folder.file("cut.gz", &gzip[..gzip.len() / 2]);
    let other = folder.file("other", b"SQLite format 3\0");
    let missing = folder.path().join("missing");
    let taken = folder.path().join("urls");
    let build = |inputs: &[&Path], args: &[&str]| {
        let ran = finish(command().args(["index", "build"]).arg(&taken).args(inputs).args(args));
        assert_eq!(ran.code, Some(4), "{inputs:?}: {ran:?}");
        ran
    };
    let before = names(folder.path());
    for bad in [&missing, &cut, &other] {
        for inputs in [&[&*whole, bad][..], &[bad, &*whole], &[bad]] {
            let ran = build(inputs, &[]);
            assert!(ran.err.contains("not built"), "{inputs:?}: {ran:?}");
            assert_eq!(names(folder.path()), before, "{inputs:?}");
        }
        let ran = build(&[&whole, bad], &["--allow-missing"]);
        assert!(ran.err.contains(bad.to_str().expect("UTF-8")), "{bad:?} is named: {ran:?}");
        let count = finish(command().args(["index", "count"]).arg(&taken).args(["--host", "a.example"]));
        assert_eq!(count.out, "1\n", "{bad:?}");
        fs::remove_dir_all(&taken).expect("it was built");
    }
    // Every file that is missing is named before any is read.
    let ran = build(&[&whole, &missing, &folder.path().join("gone")], &[]);
    assert!(ran.err.contains("missing") && ran.err.contains("gone"), "{ran:?}");
}
