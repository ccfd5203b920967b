//! `urlid parts --of host`: the hosts of URLs, and hosts alone, at their public suffix.

use std::borrow::Cow;

use urlid::suffix::SuffixList;
use urlid::web::{Part, UrlParts};

use super::args::PartsArgs;
use crate::args::Globals;
use crate::output::enrich;
use crate::output::files::FilesInUse;
use crate::output::rows::Shown;
use crate::output::table::{Cells, ValueColumn, Values};
use crate::report::exit::{Exit, Failure};
use crate::report::refusals::Refusal;

/// Prints the parts of each host. A text with `://` is a URL, and so is one that begins with `http:`,
/// `https:`, `ws:`, `wss:`, `ftp:` or `file:`. A host that is itself a public suffix has no domain, and an IP
/// address has none of the parts.
pub(super) fn run(args: &PartsArgs, globals: &Globals) -> Result<Exit, Failure> {
    let list = globals.psl.list()?;
    let make = || Box::new(Splitter { list: list.clone() }) as _;
    let files = FilesInUse::reading(globals.psl.path());
    enrich::run(args.inputs()?, files, &args.table, args.format.format, "host", &make)
}

struct Splitter {
    list: Cow<'static, SuffixList>,
}

/// The parts of a host.
const PARTS: [Part; 5] = [Part::Sub, Part::Domain, Part::Tld, Part::RegisteredDomain, Part::HostKind];

impl Values for Splitter {
    fn columns(&self) -> Vec<ValueColumn> {
        let shown = |part| match part {
            Part::RegisteredDomain | Part::HostKind => Shown::NotInText,
            _ => Shown::Always,
        };
        PARTS
            .map(|part| ValueColumn {
                shown: shown(part),
                in_tables: Some(part.column_name(self.list.sections())),
                ..ValueColumn::text(part.name())
            })
            .into()
    }

    fn suffix_list(&self) -> Option<&SuffixList> {
        Some(&self.list)
    }

    fn is_upright(&self) -> bool {
        true
    }

    fn values(&mut self, text: &str, cells: &mut dyn Cells) -> Option<Refusal> {
        let values = |parts: &UrlParts<'_>| {
            PARTS.iter().for_each(|part| cells.push(parts.get(*part).filter(|value| !value.is_empty())));
        };
        urlid::split_host(text, &self.list, values).err().map(Refusal::from)
    }
}
