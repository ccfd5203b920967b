//! Two URLs, compared.

use urlid::suffix::SuffixList;
use urlid_canonical::Form;
use urlid_explain::Diff;

use crate::arguments::Arguments;
use crate::output::{self, Fault, Output};
use crate::session::{Op, Session};

pub(super) const OPS: &[Op] = &[("diff", diff)];

/// Arguments: two URLs, and the form that gives the verdict. Returns what `urlid diff --format json` prints.
fn diff(_: &mut Session, arguments: &mut Arguments<'_>) -> Result<Output, Fault> {
    let (a, b, form) = (arguments.text()?, arguments.text()?, arguments.text()?);
    Ok(output::json(&Diff::of(a, b, &form.parse::<Form>()?, SuffixList::compiled())))
}
