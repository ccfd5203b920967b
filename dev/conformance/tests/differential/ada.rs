//! ada-url 4.0.0: the only differences are in Unicode data.

use urlid::web::Url;

use super::{compare_all, has_new_character, input, parse};

#[test]
fn every_part_of_a_url_matches_ada() {
    let classes = compare_all(|choices| {
        let (base, text) = input(choices);
        let ours = parse(&base, &text);
        let theirs = ada_url::Url::parse(&text, base.as_ref().map(|base| base.as_str())).ok();
        let parts_of_ours = ours.as_ref().map(|url| {
            let prefixed = |delimiter: &str, part: Option<&str>| match part {
                None | Some("") => String::new(),
                Some(part) => format!("{delimiter}{part}"),
            };
            [
                url.as_str().to_owned(),
                format!("{}:", url.scheme()),
                url.username().to_owned(),
                url.password().unwrap_or_default().to_owned(),
                url.host_str().unwrap_or_default().to_owned(),
                url.port().map(|port| port.to_string()).unwrap_or_default(),
                url.path().to_owned(),
                prefixed("?", url.query()),
                prefixed("#", url.fragment()),
            ]
        });
        let parts_of_theirs = theirs.as_ref().map(|url| {
            [
                url.href(),
                url.protocol(),
                url.username(),
                url.password(),
                url.hostname(),
                url.port(),
                url.pathname(),
                url.search(),
                url.hash(),
            ]
            .map(str::to_owned)
        });
        match parts_of_ours == parts_of_theirs {
            true => Ok(None),
            false if has_new_character(&text) => Ok(Some("Unicode data")),
            false => Err(format!("{text:?} onto {base:?}: {parts_of_ours:?}, ada says {parts_of_theirs:?}")),
        }
    });
    assert!(classes.keys().all(|class| *class == "Unicode data"), "{classes:?}");
}

/// The kinds of hosts on which the two differ apart from Unicode data (docs/spec/web.md), and their
/// neighbours, on which they agree.
#[test]
fn ada_accepts_hosts_of_two_kinds_that_are_rejected_here() {
    let hrefs = |host: &str| {
        let text = format!("http://{host}/");
        let theirs = ada_url::Url::parse(&text, None).ok().map(|url| url.href().to_owned());
        (Url::parse(&text).ok().map(Url::into_string), theirs)
    };
    for host in ["ایران.ir_", "ایران._a", &"é".repeat(1001)] {
        let (ours, theirs) = hrefs(host);
        assert!(ours.is_none() && theirs.is_some(), "{host:?}: {ours:?}, ada says {theirs:?}");
    }
    for host in ["ایران.ir", "é._a", &"é".repeat(1000), "xn--xn---epa.ru"] {
        let (ours, theirs) = hrefs(host);
        assert!(ours.is_some() && ours == theirs, "{host:?}: {ours:?}, ada says {theirs:?}");
    }
    for host in ["é.xn--xn---epa.ru", "1ا.com"] {
        assert_eq!(hrefs(host), (None, None), "{host:?}");
    }
}
