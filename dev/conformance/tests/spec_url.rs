//! The published test data of `spec-url` and `reurl`, by the author of the Theory of URLs, on `goto'`.
//!
//! Both packages normalise each result, which the theory does not. The listed cases differ by that, or by a
//! row of docs/spec/theory.md.

use std::process::Command;

use conformance::cases::{objects, string};
use conformance::ratchet::Ratchet;
use urlid::reference::{Context, Reference};

/// Prints the cases of both packages as JSON. The cases of `reurl` are functions, which are read as text.
const PRINT: &str = r"
const specUrl = (await import(`${process.argv[1]}/spec-url/test/testdata.js`)).default
const reurl = (await import(`${process.argv[1]}/reurl/test/samples.js`)).default
const goto = /^\(\) => new Url \('([^']*)'\) \.goto \('([^']*)'\)$/
const read = ({ url, href }) => url && href ? [goto.exec(url)].flatMap(m => m ? [{ base: m[1], input: m[2], href }] : []) : []
console.log(JSON.stringify([...specUrl, ...reurl.flatMap(read)]))
";

#[test]
#[ignore = "at length: .ci/run"]
fn published_cases_of_spec_url_and_reurl() {
    let Some((node, modules)) = urlid_testing::node_oracle("spec-url") else { return };
    let ran = Command::new(node)
        .args(["--input-type=module", "--eval", PRINT])
        .arg(&modules)
        .output()
        .expect("Node starts");
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
    let text = String::from_utf8(ran.stdout).expect("JSON is UTF-8");
    let mut ratchet = Ratchet::default();
    for case in objects(&text) {
        let input = string(&case, "input").expect("a case has an input");
        let base = string(&case, "base");
        let goto = |base: &str| {
            let (base, input) =
                (Reference::parse(base, Context::Rfc3986), Reference::parse(input, Context::Rfc3986));
            let joined = base.expect("a base is short").goto_nonstrict(&input.expect("an input is short"));
            joined.map(|joined| joined.as_str().to_owned()).map_err(|error| format!("rejected: {error}"))
        };
        let result = goto(base.unwrap_or_default());
        let result = match (result, string(&case, "href")) {
            (Ok(found), Some(href)) if found == href => Ok(()),
            (Err(_), None) => Ok(()),
            (result, href) => Err(format!("{result:?} instead of {href:?}")),
        };
        ratchet.record(&format!("{} goto {input}", base.unwrap_or_default()), result);
    }
    ratchet.check(include_str!("../expected_differences/spec-url.txt"), 114);
}
