//! Errors of named canonical forms.

use urlid::canonical::Form;

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
        example!("the form `surt-0.3.1+https`", "surt-0.3.1+https".parse::<Form>()),
        form("`http://h:x/` as surt-0.3.1", "surt-0.3.1", "http://h:x/"),
        form("a blank text as surt-0.3.1", "surt-0.3.1", " "),
        form("`http://../` as ia-surt-1.3", "ia-surt-1.3", "http://../"),
    ]
}
