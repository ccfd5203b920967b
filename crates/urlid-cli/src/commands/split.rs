//! `urlid split`: the hosts of URLs, and hosts alone, at their public suffix.

use std::borrow::Cow;

use clap::Args;
use urlid::suffix::SuffixList;
use urlid::web::{Part, UrlParts};

use crate::columns::TableArgs;
use crate::enrich;
use crate::exit::{Exit, Failure};
use crate::globals::Globals;
use crate::input::TextInputs;
use crate::refusals::Refusal;
use crate::rows::{FormatArg, Shown};
use crate::session::Session;
use crate::table::{self, Cells, ValueColumn, Values};

/// Split the hosts of URLs, and hosts alone, at their public suffix: sub, domain, tld
///
/// A text with :// is a URL, and so is one that begins with http:, https:, ws:, wss:, ftp: or file:. Hosts are mapped as in
/// URLs: to lower case and to ASCII. A dot at the end is dropped. A host that is itself a
/// public suffix has no domain, and an IP address has none of the parts; host_kind says which it is. The formats csv,
/// tsv and ndjson have registered_domain and host_kind too.
///
/// Example: urlid split www.example.co.uk
///
/// Example: urlid split --column host hosts.tsv
///
/// Example: urlid split --format csv https://www.example.co.uk/a http://127.0.0.1/ example.com.
#[derive(Debug, Args)]
pub(crate) struct SplitArgs {
    #[command(flatten)]
    hosts: TextInputs,

    #[command(flatten)]
    format: FormatArg,

    #[command(flatten)]
    table: TableArgs,
}

/// Prints the parts of each host.
pub(crate) fn run(args: &SplitArgs, globals: &Globals) -> Result<Exit, Failure> {
    let list = globals.psl.list()?;
    let make = || Splitter { list: list.clone() };
    if args.table.is_given()? {
        return enrich::run(
            &args.table,
            args.format.format,
            &args.hosts,
            globals.psl.path().as_slice(),
            make,
        );
    }
    let session = Session::begin(&args.hosts, globals.psl.path().as_slice())?;
    table::run(session, args.format.format, "host", make)
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

    fn values(&mut self, text: &str, cells: &mut impl Cells) -> Option<Refusal> {
        let values = |parts: &UrlParts<'_>| {
            PARTS.iter().for_each(|part| cells.push(parts.get(*part).filter(|value| !value.is_empty())));
        };
        urlid::split_host(text, &self.list, values).err().map(Refusal::from)
    }
}
