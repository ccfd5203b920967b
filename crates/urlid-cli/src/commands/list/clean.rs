//! `urlid list clean`: lists of several formats, merged into one of text.

use std::path::PathBuf;

use clap::Args;
use urlid_lists::{CleanRules, ListFormat, ListImport, ListRules};

use super::sources::{self, ListInputs, print_report};
use crate::args::{Globals, choice};
use crate::input::line_run::LineRun;
use crate::output::files::FilesInUse;
use crate::report::exit::{Exit, Failure};
use crate::report::message;
use crate::report::rejections::Ended;

/// Merge lists of several formats into one text list: checked, without duplicates, sorted
///
/// Each input is read by its own format: named as FORMAT:FILE (csv:COLUMN:FILE for a column of a table), or
/// recognised by its first lines. Exceptions (@@) apply to the entries of all inputs. An entry that the output
/// format cannot express is left out and reported. If nothing of the inputs can be listed, nothing is written,
/// and the exit code is 1. --rejects has every line that is left out, with its number.
///
/// Example: urlid list clean hosts.txt easylist.txt --format domains -o clean.txt
///
/// Example: urlid list clean hosts:a.txt abp:b.txt csv:2:top.csv --covers subdomains --compact --format dnsmasq
#[derive(Debug, Args)]
pub(super) struct ListCleanArgs {
    #[command(flatten)]
    inputs: ListInputs,

    /// The format of the list
    #[arg(
        long,
        value_name = "FORMAT",
        default_value = "domains",
        value_parser = choice([
            ("domains", ListFormat::Domains, "A domain a line, with the hosts below it"),
            ("hosts", ListFormat::Hosts, "A file of hosts with the address 0.0.0.0: each host exactly"),
            ("abp", ListFormat::Abp, "Filters: ||host^, with the hosts below it, URLs and exceptions"),
            ("dnsmasq", ListFormat::Dnsmasq, "local=/host/ for dnsmasq, with the hosts below it"),
        ])
    )]
    format: ListFormat,

    /// Write the list to this file instead of standard output; it appears when it is complete
    #[arg(short, long, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// Writes the list.
pub(super) fn run(args: &ListCleanArgs, globals: &Globals) -> Result<Exit, Failure> {
    let suffixes = globals.psl.list()?;
    let files = FilesInUse::reading(globals.psl.path());
    let (sources, formats) = args.inputs.sources(false)?;
    let mut run = LineRun::begin(args.inputs.urls.of_sources(sources), files, args.out.as_deref())?;
    let import = ListImport::new(ListFormat::Urls, ListRules::default(), &suffixes);
    let mut import = args.inputs.set_up(import);
    let other = sources::read(&mut run, &formats, &mut import, &mut |import, number, line| {
        import.keep(number, line).map_err(Ended::from)
    })?;
    if run.has_unread() {
        run.leave_out()?;
        return run.finish(Exit::Done);
    }
    let rules =
        CleanRules { format: args.format, covers: args.inputs.covers, is_compact: args.inputs.compact };
    let (list, report) = import.clean(rules);
    if list.is_empty() {
        return sources::list_nothing(&report, run, true, other);
    }
    print_report(&report, &mut run, true, message::print)?;
    list.write(run.out.writer()).map_err(|error| Failure::output(&error))?;
    let exit = run.finish(Exit::Done)?;
    if args.inputs.compact {
        message::print(&format!("left out {} that others cover", message::count(list.covered(), "entry")));
    }
    message::print(&format!("wrote a list of {}", message::count(list.len() as u64, "entry")));
    Ok(exit)
}
