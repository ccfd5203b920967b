//! `urlid list make` and `urlid list merge`: a list of URLs, or of several lists.

use std::io::BufWriter;
use std::path::{Path, PathBuf};

use clap::Args;
use urlid::hashed_uri::{Algorithm, Keep, Variant};
use urlid_lists::{
    Covers, Date, Edition, HiddenList, Intake, ListBuilder, ListFormat, ListImport, ListRules, Publisher,
    UserInfo,
};

use super::open;
use super::sign::{self, SignArgs, write_file};
use super::sources::{self, ListInputs, print_report};
use crate::args::hashed::{self, KeyArg, check_base};
use crate::args::{Globals, choice};
use crate::clock;
use crate::input::line_run::LineRun;
use crate::output::Output;
use crate::output::escape::Escaped;
use crate::output::files::{self, FilesInUse};
use crate::report::exit::{Exit, Failure};
use crate::report::message;
use crate::report::rejections::Ended;

/// Make a list of URLs: a header, and one hashed URI per line
///
/// Inputs are lists of URLs, hosts, domains, filters and others, also several formats in one run: each input is
/// recognised by its first lines, or named as FORMAT:FILE (csv:COLUMN:FILE for a column of a table). A list has
/// one coverage, so --covers is needed if the inputs differ.
///
/// The same URLs give the same bytes, in any order. Lines that begin with # are comments. If an input cannot
/// be read to its end, nothing is written. If the list matches more or less than its source, each reason is
/// reported, with a number and examples; if nothing of the source can be listed, nothing is written and the
/// exit code is 1.
///
/// Example: urlid list make --covers directory --alg sha1,x-sha256 bad-urls.txt > bad.list
///
/// Example: urlid list make hosts:hosts.txt --sequence 7 --expires 2026-12-01 --sign bad.key -o
/// bad.list
#[derive(Debug, Args)]
pub(crate) struct ListMakeArgs {
    #[command(flatten)]
    inputs: ListInputs,

    /// The canonicalisation of URLs
    #[arg(long, default_value = "n", value_name = "VARIANT", value_parser = hashed::variant())]
    variant: Variant,

    /// How to parse URLs: `web` as browsers do; `rfc3986` by RFC 3986, which rejects any text that is not a
    /// URI [default: web, or rfc3986 with --variant none]
    #[arg(long, value_name = "INTAKE")]
    intake: Option<Intake>,

    /// What to do with user information, and with a dot at the end of the host [default: drop, or keep with
    /// --intake rfc3986]
    #[arg(
        long,
        value_name = "HOW",
        value_parser = choice([
            ("drop", UserInfo::Drop, "Remove both: URLs with and without them open the same page"),
            ("keep", UserInfo::Keep, "An entry with a user name, or a final dot, matches only URLs with it"),
        ])
    )]
    user_info: Option<UserInfo>,

    /// The algorithms, one entry for each; a comma-separated list [default: sha1, or x-hmac-sha256 with
    /// --key]
    #[arg(long, value_delimiter = ',', value_name = "ALGORITHM", value_parser = parse_algorithm)]
    alg: Vec<Algorithm>,

    /// Optional parts of a URL to hash too; a comma-separated list
    #[arg(long, value_delimiter = ',', value_name = "PARTS", value_parser = hashed::kept_part())]
    keep: Vec<Keep>,

    /// The absolute URI that relative references are resolved against
    #[arg(long, value_name = "URI", conflicts_with = "input_format", hide_short_help = true)]
    base: Option<String>,

    #[command(flatten)]
    key: KeyArg,

    /// Write the list to this file instead of standard output; it appears when it is complete
    #[arg(short, long, value_name = "FILE")]
    out: Option<PathBuf>,

    #[command(flatten)]
    edition: EditionArgs,

    /// Also write the routes of the entries to this file: by them `urlid list shards` splits a list that
    /// covers directories or subdomains. They show which entries have one domain, so keep them
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    routes: Option<PathBuf>,

    #[command(flatten)]
    sign: SignArgs,
}

/// Makes the list.
pub(crate) fn run_make(args: &ListMakeArgs, globals: &Globals) -> Result<Exit, Failure> {
    let usual = ListRules::of_variant(args.variant);
    let inputs = &args.inputs;
    let given = inputs.covers.or(inputs.input_format.map(ListFormat::covers));
    let rules = ListRules {
        variant: usual.variant,
        intake: intake(args.intake.unwrap_or(usual.intake), args.user_info)?,
        keep: hashed::union(&args.keep),
        covers: inputs.covers.unwrap_or(Covers::Url),
    };
    let key = args.key.read()?;
    let algorithms = match (args.alg.as_slice(), &key) {
        ([], None) => vec![Algorithm::Sha1],
        ([], Some(_)) => vec![Algorithm::XHmacSha256],
        (algorithms, _) => algorithms.to_vec(),
    };
    let new = |rules| ListBuilder::new(rules, &algorithms, key.as_ref());
    new(rules).map_err(|error| Failure::new(Exit::Usage, &error))?;
    // Tried with another builder, because adding leaves an entry.
    check_base(args.base.as_deref(), |text, base| {
        new(rules).map_or(Ok(()), |mut builder| builder.add(text, base))
    })?;
    if let Some(format) =
        inputs.input_format.filter(|format| inputs.approximate && *format != ListFormat::Abp)
    {
        return Err(Failure::usage(format!(
            "--approximate is for --input-format abp: {format} has no filters"
        )));
    }
    let suffixes = globals.psl.list()?;
    let edition = args.edition.edition();
    let make = |covers| {
        let builder =
            new(ListRules { covers, ..rules }).map_err(|error| Failure::new(Exit::Usage, &error))?;
        let builder = builder.with_edition(edition.clone());
        let builder = if args.routes.is_some() { builder.with_routes(&suffixes) } else { builder };
        match inputs.compact {
            true => builder.with_compaction().map_err(|error| {
                Failure::usage(format!("--compact needs --covers, --variant n and --intake web: {error}"))
            }),
            false => Ok(builder),
        }
    };
    // An error of its options is reported before the inputs are read.
    given.map(make).transpose()?;
    let mut builder = None;
    let signature = sign::signature_of(args.out.as_deref(), args.sign.path());
    let read = [globals.psl.path(), args.key.path(), args.sign.path()];
    let mut files = FilesInUse::reading(read.into_iter().flatten());
    files.write("--out", args.out.as_deref())?;
    files.write("--sign", signature.as_deref())?;
    files.write("--routes", args.routes.as_deref())?;
    let (sources, formats) = inputs.sources(args.base.is_some())?;
    // Without a choice, lists of URLs and those with exceptions cover different things, and are not made.
    let streams = inputs.covers.is_none() || sources.0.len() == 1 || args.base.is_some();
    let mut run = LineRun::begin(inputs.urls.of_sources(sources), files, None)?;
    // A key that cannot be read is reported before the inputs are read.
    let signer = args.sign.read()?;
    let mut import = inputs.set_up(ListImport::new(ListFormat::Urls, rules, &suffixes));
    let mut has_urls = None;
    let other = sources::read(&mut run, &formats, &mut import, &mut |import, number, line| {
        if !import.format().is_of_urls() || !streams {
            return import.keep(number, line).map_err(Ended::from);
        }
        has_urls.get_or_insert(import.source());
        if builder.is_none() {
            builder = Some(make(rules.covers)?);
        }
        import.set_number(number);
        let builder = builder.as_mut().expect("one was made");
        import.line(line, args.base.as_deref(), builder).map_err(Ended::from)
    })?;
    if run.has_unread() {
        // A part of a list is not a list; `finish` returns the exit code of an unread input.
        return run.finish(Exit::Done);
    }
    let covers = match inputs.covers {
        Some(covers) => covers,
        None => common_coverage(import.coverage(), has_urls, &run)?.unwrap_or(rules.covers),
    };
    let mut builder = match builder {
        Some(builder) => builder,
        None if import.is_empty() => new(rules).map_err(|error| Failure::new(Exit::Usage, &error))?,
        None => make(covers)?,
    };
    let report = import.finish(&mut builder);
    if report.taken() == 0 {
        // An empty list would replace one that blocks. A source is empty, too, after a download that failed.
        return sources::list_nothing(&report, run, false, other);
    }
    print_report(&report, &mut run, false, message::print)?;
    let covered = builder.compact();
    let (list, routes) = builder.finish_routed();
    if let Some(path) = &args.routes {
        let mut bytes = Vec::new();
        routes.write(&mut bytes).map_err(|error| Failure::write(path, &error))?;
        write_file(path, &bytes)?;
    }
    write_text(&list, args.out.as_deref(), &mut run.out)?;
    if let (Some(signer), Some(out)) = (signer, &args.out) {
        signer.sign_file(out, &text_bytes(&list)?)?;
    }
    let exit = run.finish(Exit::Done)?;
    if inputs.compact {
        message::print(&format!("left out {} that others cover", message::count(covered, "entry")));
    }
    message::print(&format!("made a list of {}", message::count(list.len(), "entry")));
    Ok(exit)
}

/// Returns what all entries cover; `None` if there are none. A list cannot hold several coverages.
fn common_coverage(
    mut found: Vec<(Covers, usize)>,
    has_urls: Option<usize>,
    run: &LineRun,
) -> Result<Option<Covers>, Failure> {
    found.extend(has_urls.map(|source| (Covers::Url, source)));
    if let [] | [_] = found.as_slice() {
        return Ok(found.first().map(|(covers, _)| *covers));
    }
    let named = found.iter().map(|(covers, source)| {
        let name = run.sources.0.get(*source).map(|source| Escaped::path(source.name()).to_string());
        format!("{covers} ({})", name.unwrap_or_default())
    });
    let named = named.collect::<Vec<_>>().join(", ");
    Err(Failure::usage(format!("the inputs cover {named}, and a list has one coverage: expected --covers")))
}

/// Returns the intake with the treatment of user information that was chosen.
fn intake(intake: Intake, user_info: Option<UserInfo>) -> Result<Intake, Failure> {
    let Some(user_info) = user_info else { return Ok(intake) };
    intake.with_user_info(user_info).map_err(|error| Failure::usage(format!("--user-info: {error}")))
}

/// Reads the name of an algorithm; whether it can be computed depends on the key.
fn parse_algorithm(text: &str) -> Result<Algorithm, String> {
    text.parse().map_err(|error: urlid::Error| error.to_string())
}

/// Merge several lists that were made by the same rules, and print the result
///
/// Lists that keep a part of their digests are merged with such lists, into a compiled list (--out).
///
/// Example: urlid list merge monday.list tuesday.compiled -o both.list
#[derive(Debug, Args)]
pub(crate) struct ListMergeArgs {
    /// The lists, in either form
    #[arg(value_name = "LIST", required = true)]
    pub(super) lists: Vec<PathBuf>,

    /// Write the list to this file instead of standard output; it appears when it is complete
    #[arg(short, long, value_name = "FILE")]
    out: Option<PathBuf>,

    #[command(flatten)]
    edition: EditionArgs,
}

pub(crate) fn run_merge(args: &ListMergeArgs) -> Result<Exit, Failure> {
    open::check_stdin(&args.lists)?;
    FilesInUse::reading(&args.lists).write("--out", args.out.as_deref())?;
    let mut exit = Exit::Done;
    let mut lists = Vec::with_capacity(args.lists.len());
    for path in &args.lists {
        let (list, list_exit) = open::list(path)?;
        exit = exit.max(list_exit);
        lists.push(list);
    }
    let merged = HiddenList::merge(&lists).map_err(|error| Failure::new(Exit::Failed, &error))?;
    if merged.is_empty() {
        return Ok(open::empty_list("merged list"));
    }
    let merged = merged.with_edition(args.edition.edition());
    let mut out = Output::stdout()?;
    match (merged.is_whole(), &args.out) {
        (true, out_path) => write_text(&merged, out_path.as_deref(), &mut out)?,
        // A text is not made of parts of digests.
        (false, Some(path)) => write_file(path, &open::compiled(&merged)?)?,
        (false, None) => {
            return Err(Failure::usage("lists with parts of digests are merged into a file: expected --out"));
        }
    }
    out.flush()?;
    message::print(&format!(
        "merged {} into one of {}",
        message::count(lists.len() as u64, "list"),
        message::count(merged.len(), "entry")
    ));
    Ok(exit)
}

/// The edition of a list.
#[derive(Debug, Args)]
struct EditionArgs {
    /// The publisher of the list, for its header: a name or an address
    #[arg(long, value_name = "NAME", hide_short_help = true)]
    publisher: Option<Publisher>,

    /// The number of this edition, for the header; each edition has a greater one than those before it
    #[arg(long, value_name = "NUMBER", hide_short_help = true)]
    sequence: Option<u64>,

    /// When the list was made, for the header: as 2026-01-31, or as 2026-01-31T12:00:00Z
    #[arg(long, value_name = "DATE")]
    made: Option<Date>,

    /// From when on the list is no longer to be used, for the header
    #[arg(long, value_name = "DATE", hide_short_help = true)]
    expires: Option<Date>,
}

impl EditionArgs {
    /// Returns what was given, for the header of a list.
    fn edition(&self) -> Edition {
        let Self { publisher, sequence, made, expires } = self;
        if let Some(expires) = expires.filter(|expires| expires.seconds() <= clock::now()) {
            message::print(&format!(
                "--expires {expires}: this is over, so no reader who trusts the list uses it"
            ));
        }
        Edition { publisher: publisher.clone(), sequence: *sequence, made: *made, expires: *expires }
    }
}

/// Returns the bytes of the text of a list.
fn text_bytes(list: &HiddenList) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    list.write_text(&mut bytes).map_err(|error| Failure::output(&error))?;
    Ok(bytes)
}

/// Writes the text of a list to a file, or to standard output.
fn write_text(list: &HiddenList, file: Option<&Path>, out: &mut Output) -> Result<(), Failure> {
    let Some(path) = file else {
        return list.write_text(out.writer()).map_err(|error| Failure::output(&error));
    };
    let failed = |error| Failure::write(path, &error);
    let mut file = BufWriter::new(files::create(path)?);
    list.write_text(&mut file).map_err(failed)?;
    file.into_inner().map_err(|error| failed(error.into_error()))?.publish().map_err(failed)
}
