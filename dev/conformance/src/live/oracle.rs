//! The implementations that profiles freeze. Each is a program that answers line by line.
//!
//! A line is a text or an answer. Its escapes `\\`, `\n` and `\r` are a backslash and two line ends. The
//! answer `\N` is an error.

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, BufWriter, Write};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::thread::JoinHandle;

use urlid_canonical::{Canonicalizer, Expression, Form, HostReader, HostSuffixes, expressions};

/// A profile, and the way to run the implementation that it freezes.
pub struct Oracle {
    pub(crate) profile: &'static str,
    runtime: Runtime,
}

#[derive(Clone, Copy)]
enum Runtime {
    /// CPython 3.11, with the packages of this environment.
    Python(&'static str),
    /// The Node of this folder, with its packages.
    Node(&'static str),
    /// OpenJDK 17, with classes built from sources.
    Java,
    /// Go 1.19, with a program built from sources.
    Go,
}

const fn python(profile: &'static str, environment: &'static str) -> Oracle {
    Oracle { profile, runtime: Runtime::Python(environment) }
}

/// All implementations, the slowest first.
pub(crate) const ORACLES: [Oracle; 22] = [
    python("urlcanon-semantic-0.3.1", "w3lib-2.5"),
    python("scrapy-2.7/w3lib-2.5", "w3lib-2.5"),
    python("scrapy-2.7/w3lib-2.4", "w3lib-2.4"),
    python("url-normalize-3.1", "w3lib-2.5"),
    python("url-normalize-2.2", "url-normalize-2.2"),
    Oracle { profile: "normalize-url-9", runtime: Runtime::Node("normalize-url-9") },
    Oracle { profile: "normalize-url-10", runtime: Runtime::Node("normalize-url-10") },
    python("crawlee-1.11", "crawlee-1.11"),
    python("crawlee-1.11-keep-case", "crawlee-1.11"),
    python("stix-url-2.1", "url-normalize-2.2"),
    python("virustotal-url", "url-normalize-2.2"),
    python("surt-0.3.1", "w3lib-2.5"),
    python("w3lib-2.5", "w3lib-2.5"),
    python("w3lib-2.4", "w3lib-2.4"),
    Oracle { profile: "ia-surt-1.3", runtime: Runtime::Java },
    Oracle { profile: "ia-surt-1.3-keep-www", runtime: Runtime::Java },
    Oracle { profile: "cc-host-2026-05", runtime: Runtime::Java },
    Oracle { profile: "safe-browsing-v4", runtime: Runtime::Go },
    Oracle { profile: EXPRESSIONS, runtime: Runtime::Go },
    python("host-cpython-3.11", "w3lib-2.5"),
    Oracle { profile: "host-java-17", runtime: Runtime::Java },
    Oracle { profile: "host-go-1.19", runtime: Runtime::Go },
];

/// Not profiles: the readers of `HostReader`, by their names.
const HOSTS: &str = "host-";

/// Not a profile: the expressions that the client of `safe-browsing-v4` looks up. The second half of the
/// client makes them from the form.
const EXPRESSIONS: &str = "safe-browsing-v4-expressions";

impl Oracle {
    /// Returns the counterpart of the oracle in the library.
    pub(crate) fn own(&self) -> Own {
        match self.profile {
            EXPRESSIONS => Own::Expressions,
            profile => match self.reader() {
                Some(reader) => Own::Host(reader),
                None => Own::Form(profile.parse().expect("the profile is in the list")),
            },
        }
    }

    fn reader(&self) -> Option<HostReader> {
        let name = self.profile.strip_prefix(HOSTS)?;
        HostReader::ALL.into_iter().find(|reader| reader.name() == name)
    }

    /// Returns whether its packages are installed without external sources.
    pub(crate) fn is_installed(&self) -> bool {
        matches!(self.runtime, Runtime::Python(_) | Runtime::Node(_))
    }

    /// Returns the command that runs the implementation, or records that it was not run.
    fn command(&self) -> Option<Command> {
        let mut command = match self.runtime {
            Runtime::Python(environment) => {
                let mut python = Command::new(urlid_testing::oracle(environment)?);
                python.arg(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/profiles/oracle.py"));
                python
            }
            Runtime::Node(packages) => {
                let (program, modules) = urlid_testing::node_oracle(packages)?;
                let mut node = Command::new(program);
                node.arg(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/profiles/oracle.mjs")).arg(modules);
                node
            }
            Runtime::Java => {
                let classes = urlid_testing::built_oracle("java/classes")?;
                let mut java = Command::new("java");
                let jars =
                    "/usr/share/java/guava.jar:/usr/share/java/slf4j-api.jar:/usr/share/java/slf4j-nop.jar";
                java.arg("-cp").arg(format!("{}:{jars}", classes.display())).arg("Oracle");
                java
            }
            Runtime::Go => Command::new(urlid_testing::built_oracle("go/oracle")?),
        };
        command.arg(self.profile);
        Some(command)
    }

    /// Starts the implementation and writes texts to it. Returns `None` if it cannot be run.
    pub(crate) fn answer(&self, texts: impl Iterator<Item = String> + Send + 'static) -> Option<Answers> {
        let mut child = self
            .command()?
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap_or_else(|error| panic!("{}: {error}", self.profile));
        let input = child.stdin.take().expect("standard input is a pipe");
        let lines = BufReader::new(child.stdout.take().expect("standard output is a pipe"));
        // A separate thread, because the implementation answers while it is written to.
        let writer = std::thread::spawn(move || write_lines(BufWriter::new(input), texts));
        Some(Answers { profile: self.profile, child, lines, line: Vec::new(), writer })
    }
}

fn write_lines(mut input: impl Write, texts: impl Iterator<Item = String>) {
    for text in texts {
        // The reader, which misses the answers, reports an implementation that ends too early.
        if writeln!(input, "{}", escape(text)).is_err() {
            return;
        }
    }
}

/// The answers of an implementation, in order.
pub(crate) struct Answers {
    profile: &'static str,
    child: Child,
    lines: BufReader<ChildStdout>,
    line: Vec<u8>,
    writer: JoinHandle<()>,
}

impl Answers {
    /// Returns the answer to the next text if it is not `found`. Invalid UTF-8 is compared as its
    /// replacement.
    pub(crate) fn differs(&mut self, found: &str) -> Option<String> {
        self.line.clear();
        self.lines.read_until(b'\n', &mut self.line).expect("the answers can be read");
        assert_eq!(self.line.pop(), Some(b'\n'), "{}: an answer is missing", self.profile);
        if self.line == found.as_bytes() {
            return None;
        }
        Some(String::from_utf8_lossy(&self.line).into_owned()).filter(|expected| expected != found)
    }

    /// Ends the implementation, which has answered every text.
    pub(crate) fn end(mut self) {
        let rest = self.lines.read_until(b'\n', &mut self.line).expect("the answers can be read");
        assert_eq!(rest, 0, "{}: more answers than texts", self.profile);
        self.writer.join().expect("writing does not panic");
        let status = self.child.wait().expect("the program ends");
        assert!(status.success(), "{}: {status}", self.profile);
    }
}

/// The counterpart of an oracle in the library.
pub(crate) enum Own {
    Form(Form),
    Expressions,
    Host(HostReader),
}

impl Own {
    /// Returns a function that answers a text with a line.
    pub(crate) fn answers(&self) -> impl FnMut(&str) -> String {
        let mut canonicalizer = match self {
            Own::Form(form) => Some(form.canonicalizer()),
            Own::Expressions | Own::Host(_) => None,
        };
        move |text| {
            let answer = match (&mut canonicalizer, self) {
                (Some(canonicalizer), _) => form(canonicalizer, text).ok(),
                (None, Own::Host(reader)) => reader.host(text),
                (None, _) => distinct_expressions(text).ok(),
            };
            answer.map_or_else(|| "\\N".to_owned(), escape)
        }
    }
}

fn form(canonicalizer: &mut Canonicalizer<'_>, text: &str) -> Result<String, urlid::Error> {
    let mut form = String::new();
    canonicalizer.canonicalize_into(text, &mut form).map(|()| form)
}

/// Each expression once, in byte order, separated by spaces, which expressions do not contain.
fn distinct_expressions(text: &str) -> Result<String, urlid::Error> {
    let expressions = expressions(text, HostSuffixes::LastSevenLabels)?;
    let distinct: BTreeSet<&str> = expressions.iter().map(Expression::as_str).collect();
    Ok(Vec::from_iter(distinct).join(" "))
}

fn escape(text: String) -> String {
    if text.contains(['\\', '\n', '\r']) {
        text.replace('\\', "\\\\").replace('\n', "\\n").replace('\r', "\\r")
    } else {
        text
    }
}

#[test]
fn line_ends_are_escaped() {
    assert_eq!(escape("a\\n\r\nb".to_owned()), "a\\\\n\\r\\nb");
}
