//! Questions to an index: values from outside are mapped or refused, and a URL is an answer to its own parts.

use urlid::suffix::{Sections, SuffixList};
use urlid::sxurl::Components;
use urlid_index::{Ask, Question};

use crate::text::texts;

/// Takes a URL and four values.
pub fn target(data: &[u8]) {
    let list = SuffixList::compiled(Sections::All);
    let [url, a, b, c, d] = texts(data);
    let ask = Ask { tld: Some(&a), domain: Some(&b), sub: Some(&c), path: Some(&d), ..Ask::default() };
    let asked = Question::of(&ask, list);
    let by_host =
        Question::of(&Ask { host: Some(&a), query: Some(&c), fragment: Some(&d), ..Ask::default() }, list);

    let Ok(parts) = Components::parse(&url, list) else { return };
    for question in [asked, by_host].into_iter().flatten() {
        let _ = question.matches(&parts);
    }
    let own = Ask {
        scheme: Some(parts.scheme()),
        tld: Some(parts.tld()),
        domain: Some(parts.domain()),
        sub: Some(parts.sub()),
        port: parts.port(),
        path: Some(parts.path()),
        query: Some(parts.query()),
        fragment: Some(parts.fragment()),
        ..Ask::default()
    };
    let own = Question::of(&own, list).expect("the parts of a URL can be asked for");
    assert!(own.matches(&parts), "{url:?}");
    let host = parts.host().to_owned();
    let by_host =
        Question::of(&Ask { host: Some(&host), ..Ask::default() }, list).expect("its host can be asked for");
    assert!(by_host.matches(&parts), "{url:?}");
}
