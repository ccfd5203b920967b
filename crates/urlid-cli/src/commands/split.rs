//! `urlid split`: hosts at their public suffix.

use std::borrow::Cow;

use clap::Args;
use urlid::suffix::SuffixList;
use urlid::sxurl::{Components, HostPart};

use crate::exit::{Exit, Failure};
use crate::globals::Globals;
use crate::input::TextInputs;
use crate::refusals::Refusal;
use crate::rows::FormatArg;
use crate::session::Session;
use crate::table::{self, Values};

/// Split hosts at their public suffix: sub, domain, tld
///
/// Hosts are mapped as in URLs: to lower case and to ASCII. A host that is itself a public suffix has no domain.
///
/// Example: urlid split www.example.co.uk
#[derive(Debug, Args)]
pub(crate) struct SplitArgs {
    #[command(flatten)]
    hosts: TextInputs,

    #[command(flatten)]
    format: FormatArg,
}

/// Prints the parts of each host.
pub(crate) fn run(args: &SplitArgs, globals: &Globals) -> Result<Exit, Failure> {
    let splitter = Splitter { list: globals.psl.list()? };
    let session = Session::begin(&args.hosts, globals.psl.path().as_slice())?;
    table::run(session, args.format.format, "host", splitter)
}

struct Splitter {
    list: Cow<'static, SuffixList>,
}

impl Splitter {
    fn split(&self, host: &str) -> Result<[String; 3], Refusal> {
        // Mapping refuses what delimits a host in a URL, so the URL below has this host and nothing else.
        let mapped = HostPart::map(host)?;
        let url = format!("https://{}/", mapped.as_str());
        let parts = Components::parse(&url, &self.list)?;
        Ok([parts.sub(), parts.domain(), parts.tld()].map(str::to_owned))
    }
}

impl Values for Splitter {
    fn columns(&self) -> Vec<&str> {
        vec!["sub", "domain", "tld"]
    }

    fn values(&mut self, text: &str, values: &mut Vec<Option<String>>) -> Option<Refusal> {
        match self.split(text) {
            Ok(parts) => {
                values.extend(parts.map(Some));
                None
            }
            Err(refusal) => Some(refusal),
        }
    }
}
