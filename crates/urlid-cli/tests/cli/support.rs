//! Running the program.

use std::ffi::OsStr;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use tempfile::TempDir;

/// `https://docs.rs/` and its SXURL (docs/spec/sxurl.md, "Published crates").
pub(crate) const DOCS: &str = "https://docs.rs/";
pub(crate) const DOCS_ID: &str = "1002397f4018b8efa86c31440f00a9000098911d784580332c354b043a29e356";

/// What a run of the program left.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Ran {
    /// `None` if a signal ended it.
    pub(crate) code: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
}

/// Runs a script in a folder as a user without rights there but those of everybody, where the superuser would
/// have all. The program is `./urlid`.
#[cfg(target_os = "linux")]
pub(crate) fn as_somebody(user: u32, folder: &Folder, script: &str) -> Ran {
    let program = folder.path().join("urlid");
    if !program.exists() {
        std::fs::copy(env!("CARGO_BIN_EXE_urlid"), &program).expect("there is room");
    }
    let change = format!("setpriv --reuid {user} --regid {user} --clear-groups");
    let script = format!("u=; [ $(id -u) = 0 ] && u='{change}'; exec $u sh -c '{script}'");
    finish(Command::new("sh").args(["-c", &script]).current_dir(folder.path()))
}

/// Returns a command that will run the program, without colour and with empty input.
pub(crate) fn command() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_urlid"));
    command.stdin(Stdio::null()).env_remove("NO_COLOR").env_remove("URLID_CPU");
    command
}

/// Runs the program.
pub(crate) fn urlid<S: AsRef<OsStr>>(args: impl IntoIterator<Item = S>) -> Ran {
    finish(command().args(args))
}

/// Runs the program with bytes on its standard input.
pub(crate) fn urlid_on<S: AsRef<OsStr>>(input: &[u8], args: impl IntoIterator<Item = S>) -> Ran {
    let mut child = command()
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program is there");
    let mut stdin = child.stdin.take().expect("it is a pipe");
    let input = input.to_vec();
    let writer = std::thread::spawn(move || stdin.write_all(&input));
    let output = child.wait_with_output().expect("it was started");
    // A program that does not read all of its input is not at fault.
    let _ = writer.join().expect("writing does not panic");
    ran(output)
}

/// Runs a prepared command.
pub(crate) fn finish(command: &mut Command) -> Ran {
    ran(command.output().expect("the program is there"))
}

/// Builds a dataset of these lines in a folder, with identifiers, and returns its path.
pub(crate) fn dataset(folder: &Folder, name: &str, lines: &str) -> PathBuf {
    let path = folder.path().join(name);
    let args = [OsStr::new("index"), "build".as_ref(), "--ids".as_ref(), path.as_os_str(), "-".as_ref()];
    let ran = urlid_on(lines.as_bytes(), args);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    path
}

fn ran(output: std::process::Output) -> Ran {
    let text = |bytes| String::from_utf8(bytes).expect("all output of these tests is UTF-8");
    Ran { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
}

impl Ran {
    /// Checks code and output, and that standard error is empty.
    #[track_caller]
    pub(crate) fn is_quiet(&self, code: i32, out: &str) {
        assert_eq!((self.code, self.out.as_str(), self.err.as_str()), (Some(code), out, ""));
    }

    /// Checks code, output and standard error.
    #[track_caller]
    pub(crate) fn is(&self, code: i32, out: &str, err: &str) {
        assert_eq!((self.code, self.out.as_str(), self.err.as_str()), (Some(code), out, err));
    }
}

/// Returns the verbs that a help names, those of `path` and all below them.
pub(crate) fn verbs(path: &[String]) -> Vec<Vec<String>> {
    let help = urlid(path.iter().map(String::as_str).chain(["--help"]));
    assert_eq!((help.code, help.err.as_str()), (Some(0), ""), "{path:?} --help");
    assert!(
        help.out.contains(&format!(
            "Usage: {}",
            ["urlid"].into_iter().chain(path.iter().map(String::as_str)).collect::<Vec<_>>().join(" ")
        )),
        "{path:?}: {}",
        help.out
    );
    let headings: &[&str] = match path {
        [] => &["URLs", "Sets of URLs", "Archives", "Sites", "References", "Specifications", "Tools"],
        _ => &["Commands"],
    };
    let groups = headings.iter().filter_map(|heading| help.out.split_once(&format!("\n{heading}:\n")));
    let commands: String = groups
        .filter_map(|(_, group)| group.split("\n\n").next())
        .map(|group| format!("{group}\n"))
        .collect();
    let names =
        commands.lines().filter_map(|line| line.strip_prefix("  ")).filter(|line| !line.starts_with(' '));
    let names = names.filter_map(|line| line.split(' ').next()).filter(|name| *name != "help");
    let own: Vec<Vec<String>> =
        names.map(|name| path.iter().cloned().chain([name.to_owned()]).collect()).collect();
    own.iter().flat_map(|verb| [vec![verb.clone()], verbs(verb)].concat()).collect()
}

/// A directory that goes with the test.
pub(crate) struct Folder(TempDir);

impl Folder {
    pub(crate) fn new() -> Self {
        Folder(TempDir::new().expect("a temporary folder"))
    }

    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }

    /// Writes a file and returns its path.
    pub(crate) fn file(&self, name: impl AsRef<Path>, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.0.path().join(name);
        std::fs::write(&path, content).expect("there is room");
        path
    }
}
