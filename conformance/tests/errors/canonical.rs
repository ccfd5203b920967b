//! Errors of named canonical forms.

use urlid::canonical;

use crate::example::{Example, example};

pub(crate) fn examples() -> Vec<Example> {
    let form = |from, name, text| {
        let profile = canonical::profile(name).expect("the profile is in the list");
        example!(from, profile.canonicalize(text))
    };
    vec![
        example!("the form `surt`", canonical::profile("surt")),
        form("`http://h:x/` as surt-0.3.1", "surt-0.3.1", "http://h:x/"),
        form("a blank text as surt-0.3.1", "surt-0.3.1", " "),
        form("`http://../` as ia-surt-1.3", "ia-surt-1.3", "http://../"),
    ]
}
