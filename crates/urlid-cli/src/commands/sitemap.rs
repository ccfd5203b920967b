//! `urlid sitemap`: the entries of sitemaps and feeds as rows.

use std::path::PathBuf;

use clap::Args;
use urlid_io::lines::{FileKind, InputKind};

use crate::input::assume::SitemapsArg;
use crate::input::line_run::LineRun;
use crate::input::sources::{Opened, Sources};
use crate::input::{InputOptions, LineRules};
use crate::output::OutArg;
use crate::output::escape::Escaped;
use crate::output::files::FilesInUse;
use crate::report::exit::{Exit, Failure};
use crate::report::rejections::InvalidArg;

/// Print the entries of sitemaps, feeds and robots.txt as ndjson: url, kind, lastmod and alternates
///
/// The kind is `page`, or `sitemap` for an entry of an index of sitemaps or a Sitemap line of robots.txt. The
/// date is printed as written. The alternates of a page are its `xhtml:link` elements, each with `hreflang` and
/// `url`. Other verbs read these rows with --column url. They also read sitemaps directly, but only the URLs.
///
/// Example: urlid sitemap sitemap.xml.gz
///
/// Example: urlid sitemap --sitemaps index robots.txt sitemap_index.xml | urlid uniq --column url
#[derive(Debug, Args)]
pub(crate) struct SitemapArgs {
    /// Sitemaps, RSS and Atom feeds and robots.txt, also compressed; `-` or no file is standard input
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,

    #[command(flatten)]
    rules: LineRules,

    #[command(flatten)]
    sitemaps: SitemapsArg,

    #[command(flatten)]
    invalid: InvalidArg,

    /// The format of the rows
    #[arg(long, value_name = "FORMAT", default_value = "ndjson", value_parser = ["ndjson"], hide_short_help = true)]
    format: String,

    #[command(flatten)]
    out: OutArg,
}

/// Prints the rows.
pub(crate) fn run(args: &SitemapArgs) -> Result<Exit, Failure> {
    let inputs = InputOptions::new(Sources::from_files(&args.files)?, &args.rules, &args.invalid);
    let mut run = LineRun::begin(inputs, FilesInUse::default(), args.out.path())?;
    run.options.sitemaps = args.sitemaps.get();
    run.options.has_sitemap_rows = true;
    run.each_source(&mut |run, source| {
        let Opened::Input(mut input) = run.open(source)? else { return Ok(0) };
        match input.kind()? {
            InputKind::Empty | InputKind::Other(FileKind::Sitemap | FileKind::Feed | FileKind::Robots) => {}
            _ => {
                let name = Escaped::path(source.name());
                let failure = format!("{name}: expected a sitemap, a feed (RSS or Atom) or robots.txt");
                return Err(Failure::failed(failure).into());
            }
        }
        let lines = run.lines_of(input, source.name(), run.options);
        run.drive_records(lines, &mut |run, line| {
            run.out.write(line.text?.as_bytes())?;
            run.out.write(b"\n")?;
            Ok(())
        })
    })?;
    run.finish(Exit::Done)
}
