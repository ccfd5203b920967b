//! Files that the program writes: never one that it reads, never half of one, and nothing left behind.
#![cfg(unix)]

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{BufRead, BufReader, Write};
use std::os::unix::fs::{FileTypeExt, PermissionsExt, symlink};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use crate::support::{DOCS, DOCS_ID, Folder, Ran, command, dataset, finish, urlid};

fn run<'a>(args: impl IntoIterator<Item = &'a OsStr>) -> Ran {
    urlid(args)
}

fn names(folder: &Folder) -> Vec<String> {
    let entries = fs::read_dir(folder.path()).expect("it is there");
    let mut names: Vec<_> =
        entries.map(|entry| entry.expect("it is there").file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

/// Makes a text list of `https://aN.example/` for each number.
fn list(folder: &Folder, name: &str, urls: impl IntoIterator<Item = String>) -> std::path::PathBuf {
    let urls = folder.file("urls.tmp", urls.into_iter().map(|url| url + "\n").collect::<String>());
    let made = run(["list".as_ref(), "make".as_ref(), urls.as_os_str()]);
    fs::remove_file(urls).expect("it is there");
    folder.file(name, made.out)
}

fn compile(list: &Path, out: &Path) -> Ran {
    run(["list".as_ref(), "compile".as_ref(), list.as_os_str(), "-o".as_ref(), out.as_os_str()])
}

#[test]
fn rejected_lines_never_go_into_a_file_that_the_command_reads_or_writes() {
    let folder = Folder::new();
    let lines = format!("{DOCS}\nhttp://[/\n");
    let input = folder.file("in.txt", &lines);
    let link = folder.path().join("link");
    fs::hard_link(&input, &link).expect("links work");
    let index = folder.path().join("urls.db");
    let add = |rejected_lines: &Path| {
        run([
            "index".as_ref(),
            "add".as_ref(),
            index.as_os_str(),
            input.as_os_str(),
            "--rejects".as_ref(),
            rejected_lines.as_os_str(),
        ])
    };
    // The index is not there yet in the first round.
    for _ in 0..2 {
        for rejected_lines in [&input, &link, &index, &folder.path().join("urls.db-wal")] {
            let ran = add(rejected_lines);
            assert_eq!(ran.code, Some(2), "{}", ran.err);
            assert!(ran.err.ends_with(": the command reads or writes this file\n"), "{}", ran.err);
        }
        assert_eq!(fs::read_to_string(&input).expect("it is there"), lines);
        assert_eq!(add(&folder.path().join("rejected")).code, Some(3));
    }
    let count = run(["index".as_ref(), "count".as_ref(), index.as_os_str()]);
    count.is_quiet(0, "1\n");
    let out = fs::File::options().append(true).open(&link).expect("it is there");
    let ran = finish(command().args(["id", "ws:y", "--rejects"]).arg(&input).stdout(out));
    assert_eq!(ran.code, Some(2), "{}", ran.err);
    assert_eq!(fs::read_to_string(&input).expect("it is there"), lines);
}

#[test]
fn no_output_replaces_a_file_of_a_dataset_that_is_read() {
    let folder = Folder::new();
    let path = dataset(&folder, "urls", "https://docs.rs/\nhttps://example.com/\n");
    let before: Vec<_> =
        fs::read_dir(&path).expect("a folder").map(|file| file.expect("a file").path()).collect();
    let contents = || before.iter().map(|file| fs::read(file).expect("it is there")).collect::<Vec<_>>();
    let kept = contents();
    for name in ["_urlid.json", "_public_suffix_list.dat.zst", "part-00000.parquet", "new"] {
        for verb in ["uniq", "count", "id", "canon --as web", "parts", "redact"] {
            for option in ["--out", "--rejects"] {
                for input in ["urls", "urls/part-00000.parquet"] {
                    let words = format!("{verb} --column url {input} {option} urls/{name}");
                    let ran = finish(command().current_dir(folder.path()).args(words.split(' ')));
                    assert_eq!(ran.code, Some(2), "{words}: {}", ran.err);
                }
            }
        }
    }
    assert!(contents() == kept && fs::read_dir(&path).expect("a folder").count() == before.len());
}

#[test]
fn rejected_lines_never_go_into_the_suffix_list() {
    let folder = Folder::new();
    let psl = folder.file("psl.dat", "com\n");
    let index = folder.path().join("urls.db");
    let index = index.to_str().expect("it is UTF-8");
    let verbs: [&[&str]; 6] = [
        &["id", DOCS],
        &["parts", "--of", "host", "h.com"],
        &["parts", DOCS],
        &["explain", DOCS],
        &["list", "make", DOCS],
        &["index", "add", index, "no-such-file"],
    ];
    for verb in verbs {
        let mut command = command();
        command.args(verb).arg("--psl").arg(&psl).arg("--rejects").arg(&psl);
        let ran = finish(&mut command);
        assert_eq!(ran.code, Some(2), "{verb:?}: {}", ran.err);
        assert!(ran.err.ends_with(": the command reads or writes this file\n"), "{verb:?}: {}", ran.err);
        assert_eq!(fs::read_to_string(&psl).expect("it is there"), "com\n", "{verb:?}");
    }
}

/// Verbs that read files and write others: the command, the file that it reads, and the option for the file
/// that it writes.
const READ_AND_WRITTEN: &[(&str, &str, &str)] = &[
    ("id in", "in", "--out"),
    ("id -f in", "in", "--out"),
    ("id --kind hashed-uri --key key in", "key", "--out"),
    ("id --column url table", "table", "--out"),
    ("id --as web+rules --rules rules in", "rules", "--out"),
    ("canon --as web in", "in", "--out"),
    ("canon --as web+rules --rules rules in", "rules", "--out"),
    ("parts in", "in", "--out"),
    ("parts --psl psl in", "psl", "--out"),
    ("parts --of host in", "in", "--out"),
    ("parts --of text in", "in", "--out"),
    ("parts --column url table", "table", "--out"),
    ("redact in", "in", "--out"),
    ("redact --names names in", "names", "--out"),
    ("redact --key key in", "key", "--out"),
    ("uniq in", "in", "--out"),
    ("uniq --not-in names in", "names", "--out"),
    ("uniq --column url table", "table", "--out"),
    ("count in", "in", "--out"),
    ("count --by tld --psl psl in", "psl", "--out"),
    ("learn index", "index", "--out"),
    ("templates in", "in", "--out"),
    ("templates in", "in", "--traps"),
    ("templates in", "in", "--write-sample"),
    ("parts --templates templates in", "templates", "--out"),
    ("count --by template --templates templates in", "templates", "--out"),
    ("uniq --per template --limit 1 --templates templates in", "templates", "--out"),
    ("rules test rules index", "rules", "--html"),
    ("rules test --as web index", "index", "--html"),
    ("list match list in", "in", "--out"),
    ("list match list in", "list", "--out"),
    ("list match --uris uris in", "uris", "--out"),
    ("list match --column url list table", "table", "--out"),
    ("list match --trust public signed in", "public", "--out"),
    ("list match --trust public signed in", "signed.minisig", "--out"),
    ("list match --trust public --state state signed in", "state", "--out"),
    ("list match --trust public --state state signed in", "state.lock", "--out"),
    ("list make in", "in", "--out"),
    ("list make --psl psl in", "psl", "--out"),
    ("list make --covers=subdomains in", "in", "--routes"),
    ("list make --sign secret --out new-list in", "secret", ""),
    ("index match urls.db in", "in", "--out"),
    ("index match urls.db in", "urls.db", "--out"),
    ("cdx make index", "index", "--out"),
    ("cdx make --add --out new-index index", "index", ""),
    ("cdx merge index", "index", "--out"),
    ("cdx rekey --from surt-0.3.1 --to web index", "index", "--out"),
    ("cdx rekey --from surt-0.3.1 --to web+rules --rules rules index", "rules", "--out"),
    // With a file of rejected lines alone.
    ("explain in", "in", ""),
    ("explain --as web+rules --rules rules in", "rules", ""),
    ("canon diff --from web --to surt-0.3.1 in", "in", ""),
    ("psl diff psl names in", "names", ""),
    ("list audit list in", "list", ""),
    ("index add new.db in", "in", ""),
    ("index add urls.db in", "urls.db", ""),
    ("index build new in", "in", ""),
    ("index build new urls.db", "urls.db", ""),
    ("uniq --seen new in", "in", ""),
    // Without one.
    ("list merge list list", "list", "--out"),
    ("list compile list", "list", "--out"),
    ("list compile list --sign secret", "secret", "--out"),
    ("list delta compiled compiled", "compiled", "--out"),
    ("list apply compiled delta", "delta", "--out"),
    ("list update compiled delta", "delta", "--out"),
    ("list update compiled delta --trust public", "compiled.minisig", "--out"),
];

/// Verbs without `--rejects`.
const WITHOUT_REJECTED: [&str; 5] = ["list merge", "list compile", "list delta", "list apply", "list update"];

#[test]
fn a_file_in_use_is_never_written() {
    let folder = Folder::new();
    let files: [(&str, Vec<u8>); 11] = [
        ("in", "https://docs.rs/\nhttp://[/\n".into()),
        ("table", "url\nhttps://docs.rs/\n".into()),
        ("psl", "com\n".into()),
        ("names", "org\n".into()),
        ("uris", "hashed:sha1=87ed28009f511ed7ef630180a229ba257180a481\n".into()),
        ("rules", "urlid-rules 1\n[v.example]\nkeep v\n".into()),
        ("templates", "urlid-templates 1\n[v.example]\n/{}\n".into()),
        ("key", vec![7; 32]),
        ("index", format!("rs,docs)/ 20260101000000 {{\"url\": \"{DOCS}\", \"digest\": \"A\"}}\n").into()),
        ("delta", "any".into()),
        ("compiled.minisig", "any".into()),
    ];
    for (name, content) in &files {
        folder.file(name, content);
    }
    let run = |words: &str| finish(command().current_dir(folder.path()).args(words.split(' ')));
    for words in [
        "list key --secret secret --public public",
        "list make --out list in",
        "list compile list --out compiled",
        "list shards list --bits 1 --out shards",
        "list make --sign secret --sequence 1 --expires 2100-01-01 --out signed in",
        "list match --trust public --state state signed in",
        "index add urls.db in",
    ] {
        assert!(matches!(run(words).code, Some(0 | 3)), "{words}");
    }
    symlink("in", folder.path().join("link")).expect("links work");
    let before = names(&folder);
    for &(words, read, option) in READ_AND_WRITTEN {
        let content = fs::read(folder.path().join(read)).expect("it is there");
        let link = format!("link-to-{read}");
        symlink(read, folder.path().join(&link)).expect("links work");
        let has_rejected = !WITHOUT_REJECTED.iter().any(|verb| words.starts_with(verb));
        let mut runs = Vec::new();
        for read in [read.to_owned(), format!("./{read}"), link.clone()] {
            if !option.is_empty() {
                runs.push((format!("{words} {option} {read}"), "the command reads this file\n"));
            }
            if has_rejected {
                runs.push((format!("{words} --rejects {read}"), "the command reads or writes this file\n"));
            }
        }
        if has_rejected && !option.is_empty() {
            let same = format!("{words} {option} new-file --rejects ./new-file");
            runs.push((same, "the command reads or writes this file\n"));
        }
        for (words, said) in runs {
            let ran = run(&words);
            assert!(ran.code == Some(2) && ran.err.ends_with(said), "{words}: {ran:?}");
            assert_eq!(fs::read(folder.path().join(read)).expect("it is there"), content, "{words}");
        }
        fs::remove_file(folder.path().join(link)).expect("it is there");
        assert_eq!(names(&folder), before, "{words}");
    }
    // A folder stands for its files.
    let ran = run("list audit --shards shards in --rejects shards/index");
    assert!(ran.code == Some(2) && ran.err.ends_with("the command reads or writes this file\n"), "{ran:?}");
    assert_eq!(run("index build data in").code, Some(3));
    let ran = run("index match data in --out data/new");
    assert!(ran.code == Some(2) && ran.err.ends_with("the command reads this file\n"), "{ran:?}");
    // Standard input is a file too.
    let input = folder.path().join("in");
    let stdin = || File::open(&input).expect("it is there");
    let ran = finish(command().args(["id", "-", "--out"]).arg(&input).stdin(stdin()));
    assert!(ran.code == Some(2) && ran.err.ends_with("the command reads this file\n"), "{ran:?}");
    let ran = finish(command().args(["id", "-", "--lost", "x", "--recover", "--out", "x"]).stdin(stdin()));
    assert!(ran.code == Some(2) && ran.err.ends_with("writes something else to this file\n"), "{ran:?}");
    assert_eq!(fs::read(&input).expect("it is there"), files[0].1);
}

#[test]
fn a_file_without_end_is_read_up_to_a_limit() {
    let folder = Folder::new();
    let index = folder.path().join("urls.db");
    let index = index.to_str().expect("it is UTF-8");
    urlid(["index", "add", index, DOCS]);
    let endless = "/dev/zero";
    let commands: [&[&str]; 5] = [
        &["parts", "--of", "host", "h.com", "--psl", endless],
        &["psl", "diff", endless, endless],
        &["id", "--kind", "hashed-uri", "--key", endless, DOCS],
        &["vectors", endless],
        &["index", "find", index, "--questions", endless],
    ];
    for args in commands {
        let ran = urlid(args);
        let said =
            format!("urlid: {endless}: ERR_IO: cannot read: file is too large: expected at most 64 MiB\n");
        assert_eq!((ran.code, ran.err), (Some(4), said), "{args:?}");
    }
}

#[test]
fn a_special_file_receives_rejected_lines_and_is_not_replaced() {
    let ran = urlid(["id", "ws:y", "--rejects", "/dev/null"]);
    assert_eq!(ran.code, Some(3), "{}", ran.err);
    assert!(fs::metadata("/dev/null").expect("it is there").file_type().is_char_device());
}

#[test]
fn a_compiled_list_follows_no_link_of_a_guessed_name_and_keeps_the_mode() {
    let folder = Folder::new();
    let list = list(&folder, "list", [DOCS.to_owned()]);
    let victim = folder.file("victim", "precious");
    symlink("victim", folder.path().join("out.partial")).expect("links work");
    let out = folder.file("out", "old");
    fs::set_permissions(&out, fs::Permissions::from_mode(0o600)).expect("it is ours");
    assert_eq!(compile(&list, &out).code, Some(0));
    assert_eq!(fs::read(&victim).expect("it is there"), b"precious");
    assert_eq!(fs::metadata(&out).expect("it is there").permissions().mode() & 0o777, 0o600);
    assert_eq!(names(&folder), ["list", "out", "out.partial", "victim"]);
}

#[test]
fn a_pipe_receives_a_compiled_list_and_is_not_replaced() {
    let folder = Folder::new();
    let list = list(&folder, "list", [DOCS.to_owned()]);
    let pipe = folder.path().join("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().expect("there is mkfifo").success());
    let reader = {
        let pipe = pipe.clone();
        std::thread::spawn(move || fs::read(pipe).expect("it is written"))
    };
    assert_eq!(compile(&list, &pipe).code, Some(0));
    let out = folder.path().join("out");
    assert_eq!(compile(&list, &out).code, Some(0));
    assert_eq!(reader.join().expect("no panic"), fs::read(&out).expect("it is there"));
    assert!(fs::metadata(&pipe).expect("it is there").file_type().is_fifo());
}

#[test]
fn of_two_compiles_at_once_one_is_published() {
    let folder = Folder::new();
    let urls = |host: &str, count: u32| -> Vec<String> {
        (0..count).map(|n| format!("http://{host}{n}.example/")).collect()
    };
    let one = list(&folder, "one", urls("a", 20_000));
    let two = list(&folder, "two", urls("b", 19_000));
    let (expected_one, expected_two) = (folder.path().join("1"), folder.path().join("2"));
    assert_eq!(compile(&one, &expected_one).code, Some(0));
    assert_eq!(compile(&two, &expected_two).code, Some(0));
    let expected = [expected_one, expected_two].map(|path| fs::read(path).expect("it is there"));
    let out = folder.path().join("out");
    for _ in 0..4 {
        let both = [&one, &two].map(|list| {
            let mut command = command();
            command.args(["list", "compile"]).arg(list).arg("-o").arg(&out).stderr(Stdio::null());
            command.spawn().expect("the program is there")
        });
        for mut child in both {
            assert!(child.wait().expect("it ends").success());
        }
        assert!(expected.contains(&fs::read(&out).expect("it is there")), "the list is one of the two");
    }
    assert_eq!(names(&folder), ["1", "2", "one", "out", "two"]);
}

#[test]
fn a_signal_leaves_no_temporary_file() {
    for (signal, _) in ending_signals() {
        let folder = Folder::new();
        let rejected_lines = folder.path().join("rejected");
        let mut command = command();
        command.args(["canon", "--as", "web", "--rejects"]).arg(&rejected_lines);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::null()).spawn().expect("it is there");
        // The input stays open: its end would end the program before the signal does.
        let input = child.stdin.take();
        wait_until(|| !names(&folder).is_empty());
        kill(&child, signal);
        child.wait().expect("it ends");
        drop(input);
        assert!(names(&folder).is_empty(), "{signal}: {:?}", names(&folder));
    }
}

#[test]
fn a_hangup_that_was_ignored_at_the_start_stays_ignored() {
    let script = format!("trap '' HUP; exec {} id", env!("CARGO_BIN_EXE_urlid"));
    let mut command = Command::new("sh");
    command.args(["-c", &script]).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.spawn().expect("there is a shell");
    let mut input = child.stdin.take().expect("it is a pipe");
    let mut output = BufReader::new(child.stdout.take().expect("it is a pipe"));
    for signal in ["HUP", "HUP"] {
        writeln!(input, "{DOCS}").expect("it reads");
        let mut line = String::new();
        output.read_line(&mut line).expect("it answers");
        assert_eq!(line.trim_end(), DOCS_ID);
        kill(&child, signal);
    }
    drop(input);
    assert!(child.wait().expect("it ends").success());
}

#[test]
fn a_signal_ends_a_command_that_waits_for_input() {
    for (signal, code) in ending_signals() {
        for args in [&["index", "add", "urls.db"][..], &["uniq", "--seen", "seen"]] {
            for writer in ["exec 3> pipe; sleep 60", "true"] {
                let folder = Folder::new();
                let made = Command::new("mkfifo").arg(folder.path().join("pipe")).status();
                assert!(made.expect("there is mkfifo").success());
                let mut writer = Command::new("sh")
                    .args(["-c", writer])
                    .current_dir(folder.path())
                    .spawn()
                    .expect("there is a shell");
                // A new seen-set would be made for the first line only.
                let is_set = args[0] == "uniq";
                if is_set {
                    let made = finish(command().current_dir(folder.path()).args(args));
                    assert_eq!(made.code, Some(0), "{}", made.err);
                }
                let lock = folder.path().join("seen/lock");
                let is_locked = || File::open(&lock).is_ok_and(|lock| lock.try_lock().is_err());
                let before = names(&folder).len();
                let mut command = command();
                command.current_dir(folder.path()).args(args).arg("pipe");
                let child =
                    command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().expect("it is there");
                wait_until(|| if is_set { is_locked() } else { names(&folder).len() > before });
                kill(&child, signal);
                let output = child.wait_with_output().expect("it ends");
                let said = String::from_utf8(output.stderr).expect("it is UTF-8");
                assert_eq!(output.status.code(), Some(code), "{signal} {args:?}: {said}");
                assert!(said.contains("stopped: "), "{said}");
                writer.kill().expect("it is ours");
                writer.wait().expect("it ends");
                let left = names(&folder);
                let is_expected = |name: &String| name == "pipe" || (is_set && name == "seen");
                assert!(left.iter().all(is_expected), "{signal} {args:?}: {left:?}");
            }
        }
    }
}

/// The signals that end the program, with its exit codes. SIGHUP is left out where the tests themselves
/// ignore it, as under `nohup`: the program inherits that.
fn ending_signals() -> impl Iterator<Item = (&'static str, i32)> {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let ignored = ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0);
    let signals = [("INT", 130), ("TERM", 143), ("HUP", 129)];
    signals.into_iter().filter(move |(signal, _)| *signal != "HUP" || ignored & 1 == 0)
}

fn kill(child: &Child, signal: &str) {
    let script = format!("kill -{signal} {}", child.id());
    assert!(Command::new("sh").args(["-c", &script]).status().expect("there is a shell").success());
}

/// Waits until the program has done something.
fn wait_until(is_done: impl Fn() -> bool) {
    while !is_done() {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
}
