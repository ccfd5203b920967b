//! The crawl from the shell that docs/seen-sets.md shows: of a local server, by curl and by wget, killed and
//! run again.
#![cfg(unix)]

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use urlid_generators::Seeded;
use urlid_testing::not_run;

use crate::pages::{blocks, text_of};
use crate::support::Folder;
use crate::transcripts::in_shell;

/// The pages of the server. Each has links to others, as they are written in pages: relative, with fragments,
/// twice, and elsewhere.
const PAGES: usize = 40;

/// How often each path was requested.
type Requests = Arc<Mutex<BTreeMap<String, usize>>>;

fn page(number: usize) -> String {
    let links = [number * 2 + 1, number * 2 + 2, number / 2, 0].map(|other| match other {
        other if other >= PAGES => "<a href=\"mailto:x@example.com\">x</a>".to_owned(),
        other if other % 3 == 0 => format!("<a href=\"../p/{other}#top\">x</a><a href=\"{other}\">x</a>"),
        other => format!("<a href=\"/p/{other}\">x</a><a href=\"https://example.com/{other}\">x</a>"),
    });
    links.concat()
}

/// Answers requests until the process ends, and returns the address.
fn serve(requests: &Requests) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("there is a port");
    let address = format!("http://{}/", listener.local_addr().expect("it is bound"));
    let requests = Arc::clone(requests);
    thread::spawn(move || listener.incoming().flatten().for_each(|stream| drop(answer(stream, &requests))));
    address
}

fn answer(mut stream: TcpStream, requests: &Requests) -> std::io::Result<()> {
    let mut reader = BufReader::new(stream.try_clone()?);
    let mut line = String::new();
    reader.read_line(&mut line)?;
    // Of a program that was killed before it asked for anything there is no path.
    let Some(path) = line.split(' ').nth(1).map(str::to_owned) else { return Ok(()) };
    while line.trim_end() != "" {
        line.clear();
        reader.read_line(&mut line)?;
    }
    *requests.lock().expect("no panic").entry(path.clone()).or_default() += 1;
    let number = path.strip_prefix("/p/").map_or(Some(0), |number| number.parse().ok());
    let (status, body) = number.map_or(("404 Not Found", String::new()), |number| ("200 OK", page(number)));
    let head = format!("HTTP/1.1 {status}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n", body.len());
    stream.write_all((head + &body).as_bytes())
}

#[test]
fn a_crawl_that_is_killed_and_run_again_fetches_every_page() {
    let text = text_of("docs/seen-sets.md");
    let script = blocks(&text, "bash").next().expect("the page has the script");
    let curl = "curl --silent --fail --output page.new \"$url\"";
    assert!(script.contains(curl) && text.contains("wget -q -O page.new \"$url\""));
    for fetch in [curl, "wget -q -O page.new \"$url\""] {
        let program = fetch.split(' ').next().unwrap_or_default();
        if Command::new(program).arg("--version").stdout(Stdio::null()).status().is_err() {
            not_run(&format!("a crawl from the shell: {program} is not installed"));
            continue;
        }
        let (folder, requests) = (Folder::new(), Requests::default());
        let start = serve(&requests);
        folder.file("crawl.sh", script.replace(curl, fetch));
        let (mut kills, mut random) = (0, Seeded::new(11));
        loop {
            let mut command = in_shell(&folder);
            // A group of its own, so that the shell and what it runs are killed together.
            let command = command.arg("crawl.sh").arg(&start).process_group(0).stderr(Stdio::piped());
            let mut child = command.spawn().expect("there is a shell");
            if kills < 8 {
                thread::sleep(Duration::from_millis(20 + random.below(400)));
                let group = format!("-{}", child.id());
                if child.try_wait().expect("it was started").is_none() {
                    let kill =
                        Command::new("kill").args(["-KILL", "--", &group]).stderr(Stdio::null()).status();
                    kill.expect("there is a kill");
                    kills += 1;
                }
                child.wait().expect("it was started");
                continue;
            }
            let output = child.wait_with_output().expect("it was started");
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
            break;
        }
        let fetched = requests.lock().expect("no panic").clone();
        // Beside `/` a link to page 0 is `/0`.
        let numbered = (0..PAGES).map(|number| format!("/p/{number}"));
        let expected: Vec<String> = numbered.chain(["/".to_owned(), "/0".to_owned()]).collect();
        for path in &expected {
            let times = fetched.get(path).copied().unwrap_or(0);
            assert!(times > 0 && times <= kills + 1, "{program}: {path}: {times} times with {kills} kills");
        }
        assert_eq!(fetched.len(), expected.len(), "{fetched:?}");
        // What was fetched more than once was in flight when the crawl was killed.
        assert!(fetched.values().sum::<usize>() <= expected.len() + kills, "{fetched:?}");
        let pages = folder.path().join("pages").read_dir().expect("it is there").count();
        assert_eq!(pages, expected.len());
    }
}
