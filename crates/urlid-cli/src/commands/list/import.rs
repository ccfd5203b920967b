//! The differences between a list and the source that it was made from, as lines of the report.

use urlid_lists::{Effect, ImportReport};

use crate::report::message;

/// Prints a report: with `print`, each reason with its number and a few examples, and what rules about hosts do not cover.
pub(super) fn print_report(report: &ImportReport, print: impl Fn(&str)) {
    for (reason, count, examples) in report.differences() {
        let effect = match reason.effect() {
            Effect::LeftOut => "left out",
            Effect::More => "blocks more than the source:",
            Effect::Less => "blocks less than the source:",
        };
        let more = if count > examples.len() as u64 { ", …" } else { "" };
        print(&format!("{effect} {count} {}: {}{more}", reason.words(count), examples.join(", ")));
    }
    if report.hosts() > 0 {
        let hosts = message::count(report.hosts(), "host");
        print(&format!("{hosts} by http and https: other ports and schemes are not covered"));
    }
}
