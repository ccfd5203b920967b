//! Errors of named canonical forms.

use urlid::hashed_uri::Keep;
use urlid_canonical::{Form, TrackingList};

use crate::example::{Example, example};

pub(crate) fn examples() -> Vec<Example> {
    let form = |from, name, text| {
        let form: Form = str::parse(name).expect("the form is in the list");
        example!(from, form.canonicalize(text))
    };
    vec![
        example!("the form `surt`", "surt".parse::<Form>()),
        example!("the form `web+lower`", "web+lower".parse::<Form>()),
        example!("the form `web+https+sort-query`", "web+https+sort-query".parse::<Form>()),
        example!(
            "the form `web+drop-tracking@firefox-00000000`",
            "web+drop-tracking@firefox-00000000".parse::<Form>()
        ),
        example!("the form `surt-0.3.1+https`", "surt-0.3.1+https".parse::<Form>()),
        example!(
            "the form `generic` with a base",
            "generic".parse::<Form>().and_then(|form| form.check_options(Some("http://h/"), Keep::NONE))
        ),
        example!("the list of tracking parameters `[`", TrackingList::parse("[")),
        example!(
            "a list of which a parameter is no text",
            TrackingList::parse(r#"{"global": {"queryParams": [1], "topLevelSites": ["*"]}}"#)
        ),
        example!("the list of tracking parameters `{}`", TrackingList::parse("{}")),
        example!(
            "a list of tracking parameters of more than 1 MiB",
            TrackingList::parse(&" ".repeat(TrackingList::MOST_BYTES + 1))
        ),
        form("`http://h:x/` as surt-0.3.1", "surt-0.3.1", "http://h:x/"),
        form("`http://h:²/` as url-normalize-3.1", "url-normalize-3.1", "http://h:²/"),
        form("a blank text as surt-0.3.1", "surt-0.3.1", " "),
        form("`http://../` as ia-surt-1.3", "ia-surt-1.3", "http://../"),
    ]
}
