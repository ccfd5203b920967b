//! Errors of named canonical forms.

use urlid::hashed_uri::Keep;
use urlid_canonical::{Form, Rules, Templates, TrackingList};

use crate::example::{Example, example};

pub(crate) fn examples() -> Vec<Example> {
    let form = |from, name, text| {
        let form: Form = str::parse(name).expect("the form is in the list");
        example!(from, form.canonicalize(text))
    };
    vec![
        example!("the form `surt`", "surt".parse::<Form>()),
        example!("the form `web+lower`", "web+lower".parse::<Form>()),
        example!("the form `web+https+https`", "web+https+https".parse::<Form>()),
        example!(
            "the form `web+drop-tracking@firefox-00000000`",
            "web+drop-tracking@firefox-00000000".parse::<Form>()
        ),
        example!("the form `web+rules`", "web+rules".parse::<Form>()),
        example!(
            "the form `web+rules+strip-www`",
            Form::parse_with_rules("web+rules+strip-www", &[], Rules::parse("urlid-rules 1").ok().as_ref())
        ),
        example!("the form `web+no-vary-search-05=%61`", "web+no-vary-search-05=%61".parse::<Form>()),
        example!("the form `surt-0.3.1+https`", "surt-0.3.1+https".parse::<Form>()),
        example!(
            "the form `generic` with a base",
            "generic".parse::<Form>().and_then(|form| form.check_options(Some("http://h/"), Keep::NONE))
        ),
        example!("the list of tracking parameters `[`", TrackingList::parse("[")),
        example!(
            "a list with a parameter that is not a text",
            TrackingList::parse(r#"{"global": {"queryParams": [1], "topLevelSites": ["*"]}}"#)
        ),
        example!("the list of tracking parameters `{}`", TrackingList::parse("{}")),
        example!(
            "a list of tracking parameters of more than 1 MiB",
            TrackingList::parse(&" ".repeat(TrackingList::MOST_BYTES + 1))
        ),
        example!("the file of rules `[h]`", Rules::parse("[h]")),
        example!("a file of rules with `drop %61`", Rules::parse("urlid-rules 1\n[h]\ndrop %61")),
        example!(
            "a file of rules with `drop a` and `hold a`",
            Rules::parse("urlid-rules 1\n[h]\ndrop a\nhold a")
        ),
        example!(
            "a file of rules with an alias of a different domain",
            Rules::parse("urlid-rules 1\n[a.example]\nalias b.example")
        ),
        example!("a file of templates with `/{word}`", Templates::parse("urlid-templates 1\n[h]\n/{word}")),
        example!("a file of templates with `/{*}/a`", Templates::parse("urlid-templates 1\n[h]\n/{*}/a")),
        form("`http://h:x/` as surt-0.3.1", "surt-0.3.1", "http://h:x/"),
        form("`http://h:²/` as url-normalize-3.1", "url-normalize-3.1", "http://h:²/"),
        form("a blank text as surt-0.3.1", "surt-0.3.1", " "),
        form("`http://../` as ia-surt-1.3", "ia-surt-1.3", "http://../"),
    ]
}
