//! Rules of sites: reading and applying a file, and learning one from a crawl.

use urlid::suffix::{Sections, SuffixList};
use urlid_canonical::{Form, Rules};
use urlid_generators::shapes::{CRAWLS, RULE_FILES};
use urlid_learn::{Capture, CaptureLines, Domain, Found, PageContent};

use super::operation::{LONG, Operation};

pub(super) fn operations() -> Vec<Operation> {
    vec![
        Operation::sorting("rules of sites", RULE_FILES, |text| {
            let (file, url) = text.trim_end().rsplit_once('\n').unwrap_or(("", text));
            Rules::parse(file).map_or(0, |rules| rules.apply(url, |_| {}).len())
        })
        .from(LONG),
        Operation::sorting("rules learned", CRAWLS, |text| {
            let web: Form = "web".parse().expect("it is a form");
            let (mut reader, mut lines) =
                (CaptureLines::new(&web, SuffixList::compiled_with(Sections::All)), Vec::<String>::new());
            for (number, url) in text.lines().enumerate() {
                let content = PageContent::of_digest(&(number / 9).to_string());
                let mut line = String::new();
                // A text that is not a URL does not have a capture.
                let _ = reader.push(&Found { url, content, ..Found::default() }, &mut line);
                lines.extend((!line.is_empty()).then_some(line));
            }
            lines.sort_unstable();
            let captures: Vec<_> = lines.iter().filter_map(|line| Capture::read(line)).collect();
            Domain::learn(&captures, &[]).joining()
        })
        .from(LONG),
    ]
}
