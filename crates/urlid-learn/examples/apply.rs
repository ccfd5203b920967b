//! Learns and applies, without the program.
use std::io::{BufRead, Write};
use urlid_learn::*;
fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let web: urlid_canonical::Form = "web".parse().unwrap();
    let after = |name: &str| args.iter().position(|a| a == name).map(|p| args[p + 1].clone());
    if args[0] == "canon" {
        let rules = urlid_canonical::Rules::parse(&std::fs::read_to_string(after("--rules").unwrap()).unwrap()).unwrap();
        let mut out = std::io::BufWriter::new(std::io::stdout());
        for line in std::io::stdin().lock().lines() {
            match web.canonicalize(&line.unwrap()) {
                Ok(url) => writeln!(out, "{}", rules.apply(&url, |_| {})).unwrap(),
                Err(_) => writeln!(out).unwrap(),
            }
        }
        return;
    }
    let list = urlid::suffix::SuffixList::compiled_with(urlid::suffix::Sections::All);
    let mut all = std::collections::BTreeSet::new();
    let out = after("-o").unwrap();
    let start = std::time::Instant::now();
    if let Some(warc) = args.iter().find(|a| a.ends_with(".warc.gz")) {
        let input = urlid_io::lines::Input::open(warc).unwrap();
        let mut reader = urlid_io::archives::WarcReader::new(input.content());
        let mut lines = RecordLines::new(CaptureLines::new(&web, list));
        let mut stored = StoredCapture::default();
        while stored.read(&mut reader).unwrap() {
            let mut line = String::new();
            if lines.push(&stored, &mut line).is_ok() && !line.is_empty() {
                let mut fields: Vec<&str> = line.split('\t').collect();
                fields[3] = "";
                all.insert(fields.join("\t"));
            }
        }
    } else {
        let text = std::fs::read_to_string(&args[args.iter().position(|a| a == "-o").unwrap() - 1]).unwrap();
        let mut lines = CaptureLines::new(&web, list);
        let column = if after("--content").unwrap() == "raw" { 4 } else { 7 };
        for row in text.lines().skip(1) {
            let f: Vec<&str> = row.split('\t').collect();
            let mut line = String::new();
            let found = Found { url: f[1], content: Content::of_digest(f[column]), status: f[2].parse().ok(), redirect: Some(f[8]).filter(|r| *r != "-"), time: "" };
            if lines.push(&found, &mut line).is_ok() && !line.is_empty() {
                all.insert(line);
            }
        }
    }
    if let Ok(p) = std::env::var("LINES") { std::fs::write(p, all.iter().map(|l| format!("{l}\n")).collect::<String>()).unwrap(); }
    let read = start.elapsed();
    let mut book = RuleBook::new(Wide { tracking: args.iter().any(|a| a == "tracking"), everywhere: false });
    let mut domains: Vec<DomainLines> = Vec::new();
    for line in &all {
        if domains.last().is_none_or(|d| !d.has_domain_of(line)) {
            domains.push(DomainLines::new(500_000));
        }
        domains.last_mut().unwrap().push(line);
    }
    for d in &domains {
        book.add(Domain::learn(&d.captures(), book.wide_names()));
    }
    std::fs::write(&out, book.finish().unwrap().0).unwrap();
    eprintln!("{} captures, read {read:?}, learned {:?}", all.len(), start.elapsed() - read);
}
