//! Questions to an index: external values are mapped or rejected, and a URL is an answer to its own parts.

use urlid::suffix::SuffixList;
use urlid::sxurl::Components;
use urlid_store::question::{Condition, Question};

use crate::text::texts;

/// Reads a URL and four values.
pub fn target(data: &[u8]) {
    let [url, a, b, c, d] = texts(data);
    let by_parts =
        [(Condition::Tld, &*a), (Condition::Domain, &b), (Condition::Sub, &c), (Condition::Path, &d)];
    let by_host =
        [(Condition::Host, &*a), (Condition::Query, &c), (Condition::Fragment, &d), (Condition::Port, &b)];
    let questions = [Question::new(by_parts), Question::new(by_host)];

    let list = SuffixList::compiled();
    for question in questions.into_iter().flatten() {
        let _ = question.matches(&url, list);
    }
    let Ok(parts) = Components::parse(&url, list) else { return };
    let port = parts.port().map(|port| port.to_string());
    let own = [
        (Condition::Scheme, parts.scheme().name()),
        (Condition::Tld, parts.tld()),
        (Condition::Domain, parts.domain()),
        (Condition::Sub, parts.sub()),
        (Condition::Path, parts.path()),
        (Condition::Query, parts.query()),
        (Condition::Fragment, parts.fragment()),
    ];
    let own = own.into_iter().chain(port.as_deref().map(|port| (Condition::Port, port)));
    let own = Question::new(own).expect("the parts of a URL can be wanted");
    assert!(own.matches(&url, list), "{url:?}");
    let by_host = Question::new([(Condition::Host, parts.host())]).expect("its host can be wanted");
    assert!(by_host.matches(&url, list), "{url:?}");
}
