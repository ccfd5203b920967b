//! Lists of other formats that a hidden list is made from, and what is left out of them.

use std::collections::BTreeMap;

use urlid::suffix::SuffixList;
use urlid_lists::{LeftOut, ListFormat, ListImport};

use crate::escape::Escaped;
use crate::message;
use crate::refusals::Refusal;

/// How many lines that are left out for one reason are shown.
const SHOWN: usize = 3;

/// The lines of an input: URLs, or rules of another format.
pub(super) struct Import<'s> {
    rules: Option<ListImport<'s>>,
    /// How many lines were left out for a reason, and the first of them.
    left_out: BTreeMap<LeftOut, (u64, Vec<String>)>,
}

impl<'s> Import<'s> {
    pub(super) fn new(format: Option<ListFormat>, suffixes: &'s SuffixList) -> Self {
        let rules = format.map(|format| ListImport::new(format, suffixes));
        Self { rules, left_out: BTreeMap::new() }
    }

    /// Passes the URLs of a line to `add`. A line that begins with `#` is a comment.
    pub(super) fn each_url(
        &mut self,
        text: &str,
        mut add: impl FnMut(&str) -> Result<(), Refusal>,
    ) -> Result<(), Refusal> {
        let Some(rules) = &mut self.rules else {
            return if text.starts_with('#') { Ok(()) } else { add(text) };
        };
        match rules.line(text) {
            Ok(urls) => urls.iter().try_for_each(|url| add(url)),
            Err(reason) => {
                let (count, shown) = self.left_out.entry(reason).or_default();
                *count += 1;
                if shown.len() < SHOWN {
                    shown.push(Escaped(text.as_bytes()).to_string());
                }
                Ok(())
            }
        }
    }

    /// Says what was left out, and what rules about hosts do not cover.
    pub(super) fn report(&self) {
        let Some(rules) = &self.rules else { return };
        for (reason, (count, shown)) in &self.left_out {
            let more = if *count > shown.len() as u64 { ", …" } else { "" };
            message::print(&format!("left out {count} {reason}: {}{more}", shown.join(", ")));
        }
        if rules.hosts() > 0 {
            let deep = match rules.deep_hosts() {
                0 => String::new(),
                deep => format!(", and below {deep} of them with more than five labels other hosts"),
            };
            let hosts = message::count(rules.hosts(), "host");
            message::print(&format!(
                "{hosts} by http and https: other ports and schemes are not covered{deep}"
            ));
        }
    }
}
