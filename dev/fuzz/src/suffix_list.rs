//! The reader of public suffix lists: any text is a list or is rejected, and a list splits every host into
//! parts that together are the host.

use urlid::snapshot::Snapshot;
use urlid::suffix::{Sections, SuffixList, diff};

use crate::text::texts;

/// Reads the text of a list, and a host.
pub fn target(data: &[u8]) {
    let [host, _] = texts(data);
    let text = String::from_utf8_lossy(data);
    for sections in [Sections::Icann, Sections::All] {
        let Ok(list) = SuffixList::parse(&text, sections) else { continue };
        let split = list.split_normal(&host);
        let length = split.sub.len() + split.domain.len() + split.tld.len();
        assert!(host.ends_with(split.tld) && length <= host.len() && host.len() <= length + 2);

        if let Ok(split) = list.split(&host) {
            let (whole, domain) = (split.host().unwrap_or_default(), split.registered_domain());
            assert!(domain.is_none_or(|domain| whole.ends_with(domain)));
        }

        assert!(list.rules().next().is_some());
        let same = diff(&list, &list);
        assert!(same.gone.is_empty() && same.came.is_empty());
        let snapshot = Snapshot::new(&list);
        assert!(snapshot.to_string().lines().count() == 1);
    }
}
