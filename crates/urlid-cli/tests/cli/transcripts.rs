//! Transcripts of a shell: the files `console/*.console`, and the `console` blocks of pages. CONTRIBUTING.md says
//! how to write one.

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::Mutex;

use urlid_testing::root;

use crate::support::Folder;

/// Where a transcript stands. A page shows both outputs as a terminal mixes them, and no exit code.
#[derive(Clone, Copy, PartialEq)]
enum Place {
    Page,
    File,
}

/// A command, and the lines of the transcript that show its outputs.
struct Step {
    line: usize,
    script: String,
    shown: Range<usize>,
}

/// The lines of a transcript that are not output start like this. Lines of output that do so get a backslash.
const MARKS: [&str; 7] = ["$ ", "> ", "! ", "## ", "[no newline]", "[exit ", "\\"];

/// Returns the steps of each case; a page is one case.
fn cases(text: &str, place: Place) -> Vec<Vec<Step>> {
    let mut cases: Vec<Vec<Step>> = if place == Place::Page { vec![Vec::new()] } else { Vec::new() };
    let mut is_shell = place == Place::File;
    let (mut is_command, mut before) = (false, "");
    for (line, content) in text.lines().enumerate() {
        if place == Place::Page && content.starts_with("```") {
            (is_shell, is_command) = (content == "```console", false);
        } else if !is_shell {
        } else if place == Place::File && content.starts_with("## ") {
            if let Some(step) = cases.last_mut().and_then(|case| case.last_mut()) {
                assert!(before.is_empty(), "an empty line is missing before the title in line {}", line + 1);
                step.shown.end -= 1;
            }
            cases.push(Vec::new());
        } else if let Some(script) = content.strip_prefix("$ ") {
            let steps = cases.last_mut().expect("a title comes first");
            steps.push(Step { line, script: script.to_owned(), shown: line + 1..line + 1 });
            is_command = true;
        } else if let Some(step) = cases.last_mut().and_then(|case| case.last_mut()) {
            match content.strip_prefix("> ").or((content == ">").then_some("")) {
                Some(more) if is_command => {
                    step.script.extend(["\n", more]);
                    step.shown = line + 1..line + 1;
                }
                _ => (step.shown.end, is_command) = (line + 1, false),
            }
        }
        before = content;
    }
    cases
}

/// Returns the lines that show what a command printed.
fn shown(output: &Output, place: Place) -> String {
    let [out, err] = [&output.stdout, &output.stderr]
        .map(|bytes| std::str::from_utf8(bytes).expect("what a transcript shows is UTF-8"));
    let mut shown = String::new();
    // What is missing on a page went to the terminal from within a pipe.
    let streams = if place == Place::Page { &[(out, "")][..] } else { &[(out, ""), (err, "! ")] };
    for (text, mark) in streams {
        for line in text.split_inclusive('\n') {
            let is_marked = place == Place::File && MARKS.iter().any(|mark| line.starts_with(mark));
            let escape = if mark.is_empty() && is_marked { "\\" } else { "" };
            shown.extend([mark, escape, line]);
        }
        if !text.is_empty() && !text.ends_with('\n') {
            shown += if place == Place::File { "\n[no newline]\n" } else { "\n" };
        }
    }
    match output.status.code() {
        Some(0) => shown,
        _ if place == Place::Page => shown,
        Some(code) => shown + &format!("[exit {code}]\n"),
        None => shown + "[exit by a signal]\n",
    }
}

fn run(step: &Step, place: Place, folder: &Folder) -> String {
    let script = match place {
        // A text for the shell ends with a line of its own.
        Place::Page if step.script.contains("<<'") => format!("{{ {}\n}} 2>&1", step.script),
        Place::Page => format!("{} 2>&1", step.script),
        Place::File => step.script.clone(),
    };
    shown(&shell(&script, folder), place)
}

/// Runs a command in a shell that finds the program.
pub(crate) fn shell(command: &str, folder: &Folder) -> Output {
    in_shell(folder).args(["-c", command]).output().expect("there is a shell")
}

/// Prepares a shell that finds the program, and `warc`, which prints a record of an archive.
pub(crate) fn in_shell(folder: &Folder) -> Command {
    let programs = Path::new(env!("CARGO_BIN_EXE_urlid")).parent().expect("it is in a folder").to_owned();
    let paths = std::env::var_os("PATH").unwrap_or_default();
    // First, because the folder of the program may have others, such as a fuzz target of this name.
    let paths = [console().join("bin"), programs].into_iter().chain(std::env::split_paths(&paths));
    let paths = std::env::join_paths(paths).expect("no path has a colon");
    let mut shell = Command::new("sh");
    shell.current_dir(folder.path()).env("PATH", paths).env("LC_ALL", "C").env("ROOT", root());
    shell.env_remove("NO_COLOR").env_remove("URLID_CPU").stdin(Stdio::null());
    shell
}

fn console() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cli/console")
}

/// Compares the outputs of a transcript with what it shows, and returns the differences. With `URLID_WRITE_DOCS`
/// in the environment the outputs are written into it.
fn differences(path: &Path, text: &str, mut printed: Vec<(&Step, String)>) -> String {
    printed.sort_by_key(|(step, _)| step.line);
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let (mut written, mut end, mut differences) = (String::new(), 0, String::new());
    for (step, printed) in printed {
        let expected = lines[step.shown.clone()].concat();
        written += &(lines[end..step.shown.start].concat() + &printed);
        end = step.shown.end;
        if expected != printed {
            let [expected, printed] = [&expected, &printed].map(|text| text.lines().collect::<Vec<_>>());
            let same = expected.iter().zip(&printed).take_while(|(one, other)| one == other).count();
            differences +=
                &format!("{}:{}: $ {}\n", path.display(), step.shown.start + same + 1, step.script);
            let changes = [('-', &expected[same..]), ('+', &printed[same..])];
            for (sign, line) in
                changes.iter().flat_map(|(sign, lines)| lines.iter().map(move |line| (sign, line)))
            {
                differences += &format!("{sign}{line}\n");
            }
        }
    }
    written += &lines[end..].concat();
    if std::env::var_os("URLID_WRITE_DOCS").is_some() {
        std::fs::write(path, written).expect("the transcript can be written");
        return String::new();
    }
    differences
}

/// Runs the commands of the `console` blocks of a page, one after the other, in a folder.
pub(crate) fn check_page(page: &str, folder: &Folder) {
    let path = root().join(page);
    let text = std::fs::read_to_string(&path).expect("the page is there");
    let cases = cases(&text, Place::Page);
    let printed: Vec<_> = cases[0].iter().map(|step| (step, run(step, Place::Page, folder))).collect();
    assert!(printed.len() > 1, "{page} has {} commands", printed.len());
    let differences = differences(&path, &text, printed);
    assert!(differences.is_empty(), "{differences}");
}

/// Runs the cases of all files at once, each in a folder of its own.
#[test]
fn commands_print_what_the_transcripts_show() {
    let files = console().read_dir().expect("it is there").map(|entry| entry.expect("it is there").path());
    let paths: Vec<PathBuf> =
        files.filter(|path| path.extension().is_some_and(|it| it == "console")).collect();
    let texts = paths.iter().map(|path| std::fs::read_to_string(path).expect("it is text"));
    let texts: Vec<String> = texts.collect();
    let files: Vec<_> = texts.iter().map(|text| cases(text, Place::File)).collect();
    let numbered = files.iter().enumerate();
    let work = Mutex::new(numbered.flat_map(|(file, cases)| cases.iter().map(move |case| (file, case))));
    let printed: Vec<_> = files.iter().map(|_| Mutex::new(Vec::new())).collect();
    let work_off = || {
        loop {
            let Some((file, case)) = work.lock().expect("no panic").next() else { return };
            let folder = Folder::new();
            for step in case {
                let shown = run(step, Place::File, &folder);
                printed[file].lock().expect("no panic").push((step, shown));
            }
        }
    };
    std::thread::scope(|scope| {
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        (0..threads).for_each(|_| drop(scope.spawn(work_off)));
    });
    let printed = printed.into_iter().map(|printed| printed.into_inner().expect("no panic"));
    let all = paths.iter().zip(&texts).zip(printed);
    let differences: String = all.map(|((path, text), printed)| differences(path, text, printed)).collect();
    assert!(differences.is_empty(), "{differences}");
}
