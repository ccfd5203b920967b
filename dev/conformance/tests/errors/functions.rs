//! Errors of the functions of SQL.

use urlid_ops::functions::{SqlValue, function};

use crate::example::{Example, example};

pub(crate) fn examples() -> Vec<Example> {
    let call = |from, name, arguments: &[SqlValue<'_>]| {
        let mut call = function(name).expect("a function of the table").call();
        example!(from, call.run(arguments))
    };
    let text = SqlValue::Text;
    vec![
        call("`urlid_host()`", "urlid_host", &[]),
        call("`urlid_host(x'00')`", "urlid_host", &[SqlValue::Bytes(&[0])]),
        call("`urlid_part('http://h/', 'name')`", "urlid_part", &[text("http://h/"), text("name")]),
        call("`urlid_canon('http://h/', 'surt')`", "urlid_canon", &[text("http://h/"), text("surt")]),
        call(
            "`urlid_hashed('http://h/', 'x-a', 'n')`",
            "urlid_hashed",
            &[text("http://h/"), text("x-a"), text("n")],
        ),
    ]
}
