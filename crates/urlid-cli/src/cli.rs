//! The command line as a whole. Each verb's own options are in its file.

use std::ffi::{OsStr, OsString};
use std::path::Path;

use clap::builder::{Resettable, StyledStr};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, CommandFactory, FromArgMatches, Parser, ValueEnum};

use crate::args::Globals;
use crate::commands::{Command, GROUPS, SPLIT_HOSTS, about};
use crate::output::Output;
use crate::output::color;
use crate::output::escape::Escaped;
use crate::output::name_format;
use crate::report::exit::{Exit, Failure};
use crate::report::message;

/// Stable identifiers for URLs
///
/// urlid parses URLs, prints their parts and canonical forms, computes identifiers from them, and stores them
/// in an index that can be searched by the parts of a URL. A URL has the same identifiers on every machine with
/// the same public suffix list and Unicode data. `urlid --version --format json` prints the versions of both.
/// `urlid URL` is short for `urlid explain URL`.
#[derive(Debug, Parser)]
#[command(
    name = "urlid",
    disable_version_flag = true,
    max_term_width = 100,
    after_long_help = EXIT_CODES
)]
pub(crate) struct Cli {
    /// Print the version
    #[arg(short = 'V', long, exclusive = false)]
    pub(crate) version: bool,

    /// Print the version in this format; json adds the versions of data
    #[arg(long, value_enum, default_value_t, hide_possible_values = true, requires = "version")]
    pub(crate) format: VersionFormat,

    #[command(flatten)]
    pub(crate) globals: Globals,

    #[command(subcommand)]
    pub(crate) command: Option<Command>,
}

/// The formats of `urlid --version`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum VersionFormat {
    /// Only the version
    #[default]
    Text,
    /// A JSON object with the version and the snapshot of the public suffix list and the Unicode data
    #[value(alias = "ndjson")]
    Json,
}

const EXIT_CODES: &str = "\
Exit codes:
  0  done
  1  nothing found, no match, or a check failed
  2  the command line is wrong
  3  some lines were rejected; all others were processed (0 with --invalid ignore or skip)
  4  an input or output failed, or a file is damaged or not in the expected format
  If several apply, the first of 4, 2, 3, 1 is returned. A closed output pipe is not an
  error: the exit code is 0. SIGHUP exits with 129, SIGINT with 130, SIGTERM with 143.

Environment:
  NO_COLOR   if set, output is not coloured
  URLID_CPU  the instruction set to use: portable; avx2, sha-ni or avx512 on x86-64;
             neon or sha2 on 64-bit ARM";

/// Returns the whole command line, with the verbs in groups.
pub(crate) fn program() -> clap::Command {
    let program = Cli::command().styles(color::HELP);
    let template = format!(
        "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{}{}\n{{options}}{{after-help}}",
        groups(&program),
        color::paint(color::HEADING, "Options:")
    );
    program.help_template(template)
}

/// The headings of the help in their order, and the options that many verbs share under each. The other options of a
/// verb come first.
const HEADINGS: [(&str, &[&str]); 7] = [
    (
        "Input",
        &[
            "file",
            "rejects_file",
            "records",
            "recover",
            "lost",
            "invalid",
            "assume",
            "refang",
            "trailing_text",
            "schemes",
            "sitemaps",
        ],
    ),
    ("Hashed URIs", &[]),
    ("Request fingerprints", &[]),
    ("Tables", &[]),
    ("Conditions", &[]),
    ("Output", &["format", "out"]),
    ("Limits", &["max_line", "memory"]),
];

/// Returns the command line as its help and its manual show it: shared options under headings, and without options
/// that a verb always rejects.
fn documented(program: clap::Command) -> clap::Command {
    // Options cannot be moved in a program that is built, and verbs lack the global options before that.
    let mut program = program.mut_subcommands(with_headings);
    program.build();
    documented_verb(program, &mut Vec::new())
}

/// Returns the command line for the manual. The verb `help` does not need a page.
fn manual() -> clap::Command {
    documented(without_help(program()))
}

fn without_help(command: clap::Command) -> clap::Command {
    command.disable_help_subcommand(true).mut_subcommands(without_help)
}

/// Puts the options of a verb under their headings, which the help shows in the order of their first options.
fn with_headings(command: clap::Command) -> clap::Command {
    let heading = |arg: &Arg| HEADINGS.iter().find(|(_, ids)| ids.contains(&arg.get_id().as_str()));
    let command = command.mut_args(|arg| match heading(&arg) {
        Some((heading, _)) if arg.get_help_heading().is_none() => arg.help_heading(*heading),
        _ => arg,
    });
    let place = |arg: &Arg| HEADINGS.iter().position(|(heading, _)| Some(*heading) == arg.get_help_heading());
    let mut ids: Vec<_> =
        command.get_arguments().filter_map(|arg| Some((place(arg)?, arg.get_id().clone()))).collect();
    ids.sort_by_key(|(place, _)| *place);
    // This moves each option to the end.
    let command = ids.into_iter().fold(command, |command, (_, id)| command.mut_arg(id, |arg| arg));
    command.mut_subcommands(with_headings)
}

fn documented_verb(command: clap::Command, path: &mut Vec<String>) -> clap::Command {
    let verb = path.join(" ");
    let command = command.mut_args(|arg| match arg.get_id().as_str() {
        "psl" => arg.hide(!SPLIT_HOSTS.contains(&&*verb) || verb == "psl diff"),
        "sections" => arg.hide(!SPLIT_HOSTS.contains(&&*verb)),
        _ => arg,
    });
    with_examples(command).mut_subcommands(|inner| {
        path.push(inner.get_name().to_owned());
        let inner = documented_verb(inner, path);
        path.pop();
        inner
    })
}

/// Moves the examples of a verb from its description to the end of its help.
fn with_examples(command: clap::Command) -> clap::Command {
    let Some(about) = command.get_long_about().map(ToString::to_string) else { return command };
    let (examples, about): (Vec<_>, Vec<_>) =
        about.split("\n\n").partition(|paragraph| paragraph.starts_with("Example"));
    let lines = examples.iter().filter_map(|example| example.split_once(": "));
    let lines: String = lines.map(|(_, line)| format!("\n  {line}")).collect();
    if lines.is_empty() {
        return command;
    }
    let heading = color::paint(color::HEADING, "Examples:");
    command.long_about(about.join("\n\n")).after_long_help(format!("{heading}{lines}"))
}

/// Returns the verbs for the help, a line each.
fn groups(program: &clap::Command) -> String {
    let line = |name: &&str| {
        let about = program.find_subcommand(name).and_then(clap::Command::get_about);
        let about = about.map(ToString::to_string).unwrap_or_default();
        format!(
            "  {}{:width$}{}  {}\n",
            color::BOLD,
            name,
            color::BOLD.render_reset(),
            shortened(&about),
            width = 11
        )
    };
    GROUPS
        .iter()
        .map(|(heading, verbs)| {
            format!(
                "{}\n{}\n",
                color::paint(color::HEADING, &format!("{heading}:")),
                verbs.iter().map(line).collect::<String>()
            )
        })
        .collect()
}

/// Returns the description of a verb up to the first colon or comma.
fn shortened(about: &str) -> &str {
    let (short, _) = about.split_once(": ").unwrap_or((about, ""));
    match short.split_once(", one line for each") {
        Some((short, _)) => short,
        None => short,
    }
}

impl Cli {
    /// Reads the command line. A URL, a host or an identifier in the place of the verb is explained.
    pub(crate) fn read(words: impl Iterator<Item = OsString>) -> Result<Self, clap::Error> {
        let mut program = program();
        let mut words: Vec<OsString> = words.collect();
        let mut matches = program.try_get_matches_from_mut(&words);
        if matches.as_ref().is_err_and(|error| error.kind() == ErrorKind::DisplayHelp) {
            // Parsing has built the program above.
            return documented(self::program())
                .try_get_matches_from(words)
                .and_then(|matches| Cli::from_arg_matches(&matches));
        }
        if let Some(place) = matches.as_ref().err().and_then(|error| value_for_verb(error, &words)) {
            words.insert(place, "explain".into());
            let explained = program.try_get_matches_from_mut(&words);
            // A value in the place of a verb of a group, as in `list docs.rs`, keeps its own error.
            if !explained.as_ref().is_err_and(|error| error.kind() == ErrorKind::InvalidSubcommand) {
                matches = explained;
            }
        }
        if let Some(format) =
            matches.as_ref().ok().and_then(|matches| named_format(&program, matches).transpose())
        {
            matches = format.and_then(|format| {
                let end = words.iter().position(|word| *word == "--").unwrap_or(words.len());
                words.insert(end, format!("--format={format}").into());
                program.try_get_matches_from_mut(&words)
            });
        }
        let cli = matches
            .and_then(|matches| check_required(&program, &words, &matches).map(|()| matches))
            .and_then(|matches| Cli::from_arg_matches(&matches))
            .map_err(|error| with_synonym(error).format(&mut program));
        if let Ok(cli) = &cli {
            cli.globals.color.write_global();
            if cli.globals.quiet {
                message::be_quiet();
            }
        }
        cli
    }

    /// Runs the command.
    pub(crate) fn run(self) -> Result<Exit, Failure> {
        if self.version {
            return about::print_version(self.format == VersionFormat::Json, &self.globals);
        }
        match self.command {
            Some(command @ Command::Man(_)) => command.run(&self.globals, manual),
            Some(command) => command.run(&self.globals, program),
            None => help(),
        }
    }
}

/// Returns an error if an option is missing that a given option requires.
///
/// The parser does not check this if a third option excludes the required one: after `uniq --sample 5`,
/// `--limit 1` would be ignored, because `--per`, which it requires, cannot be used with `--sample`. A
/// command line with an option that excludes a missing one is therefore parsed again, by a definition without
/// exclusions.
fn check_required(
    parsed_by: &clap::Command,
    words: &[OsString],
    matches: &ArgMatches,
) -> Result<(), clap::Error> {
    let (verb, given) = verb_of(parsed_by, matches);
    let is_given = |arg: &&Arg| given.value_source(arg.get_id().as_str()) == Some(ValueSource::CommandLine);
    let is_excluded =
        |arg: &Arg| verb.get_arguments().filter(is_given).any(|other| exclude(verb, arg, other));
    if !verb.get_arguments().any(|arg| !is_given(&arg) && is_excluded(arg)) {
        return Ok(());
    }
    let Err(mut error) = without_conflicts(program()).try_get_matches_from(words) else { return Ok(()) };
    let tips = excluded(matches, &error);
    if !tips.is_empty() {
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(tips));
    }
    Err(error)
}

fn without_conflicts(command: clap::Command) -> clap::Command {
    command.mut_args(|arg| arg.conflicts_with(Resettable::Reset)).mut_subcommands(without_conflicts)
}

/// Returns a tip for each option that `error` misses and a given option excludes.
fn excluded(matches: &ArgMatches, error: &clap::Error) -> Vec<StyledStr> {
    let Some(ContextValue::Strings(missing)) = error.get(ContextKind::InvalidArg) else { return Vec::new() };
    let mut program = program();
    program.build();
    let (verb, matches) = verb_of(&program, matches);
    let is_given = |arg: &&Arg| matches.value_source(arg.get_id().as_str()) == Some(ValueSource::CommandLine);
    let mut tips = Vec::new();
    for arg in verb.get_arguments().filter(|arg| missing.contains(&arg.to_string())) {
        for other in verb.get_arguments().filter(is_given).filter(|other| exclude(verb, arg, other)) {
            tips.push(StyledStr::from(format!("'{arg}' cannot be used with '{other}'")));
        }
    }
    tips
}

/// Returns the verb of a command line, and the matches for it.
fn verb_of<'c>(program: &'c clap::Command, matches: &'c ArgMatches) -> (&'c clap::Command, &'c ArgMatches) {
    let (mut verb, mut matches) = (program, matches);
    while let Some((name, inner)) = matches.subcommand() {
        let Some(command) = verb.find_subcommand(name) else { break };
        (verb, matches) = (command, inner);
    }
    (verb, matches)
}

/// Returns the format that the name of the output selects instead of the default, if it selects one.
///
/// # Errors
/// If the verb does not write that format, or --format names a different one.
fn named_format(program: &clap::Command, matches: &ArgMatches) -> Result<Option<&'static str>, clap::Error> {
    let (verb, matches) = verb_of(program, matches);
    let is_known = |id: &str| verb.get_arguments().any(|arg| arg.get_id() == id);
    let is_given = |id: &str| is_known(id) && matches.value_source(id) == Some(ValueSource::CommandLine);
    if !is_known("out") {
        return Ok(None);
    }
    let Ok(Some(mut out)) = matches.try_get_raw("out") else { return Ok(None) };
    let out = Path::new(out.next().unwrap_or_default());
    let (format, is_compressed) = name_format(out);
    let error = |message: String| Err(program.clone().error(ErrorKind::ArgumentConflict, message));
    let shown = Escaped::path(out);
    // A table is written in its own format, which is known when it is opened, and so are rows of `uniq`.
    let keeps_rows = is_known("values") && !is_given("values") && !is_given("count");
    if (is_known("prefix") || keeps_rows) && (is_given("column") || is_given("column_number")) {
        return Ok(None);
    }
    // ZipNum names its blocks so.
    if is_compressed && !is_known("format") && !is_known("prefix") && !is_known("zipnum") {
        return error(format!("--out {shown}: the output of this verb is not compressed"));
    }
    let Some(format) = format else { return Ok(None) };
    let written = verb.get_arguments().find(|arg| arg.get_id() == "format").map(Arg::get_possible_values);
    let is_written = |format: &str| written.iter().flatten().any(|value| value.matches(format, false));
    if !is_written(format) || is_compressed && format == "parquet" {
        let names = ["csv", "tsv", "ndjson"].into_iter().filter(|name| is_written(name));
        let names = names.map(|name| format!(".{name}")).collect::<Vec<_>>().join(", ");
        let expected = if names.is_empty() { String::new() } else { format!(", but {names}") };
        return error(format!("--out {shown}: this verb does not write this format{expected}"));
    }
    if !is_given("format") {
        return Ok(Some(format));
    }
    let named = matches.try_get_raw("format").ok().flatten().and_then(|mut names| names.next());
    match named.and_then(OsStr::to_str) {
        Some(name) if name == format || (name, format) == ("json", "ndjson") => Ok(None),
        name => {
            let name = name.unwrap_or_default();
            error(format!("--format {name} and --out {shown} name different formats"))
        }
    }
}

/// Returns whether two options of a verb exclude each other, by the definition of either.
fn exclude(verb: &clap::Command, one: &Arg, other: &Arg) -> bool {
    let names = |one: &Arg, other: &Arg| {
        verb.get_arg_conflicts_with(one).iter().any(|arg| arg.get_id() == other.get_id())
    };
    names(one, other) || names(other, one)
}

/// Returns the index of the word that `error` rejects as a verb, if verbs read such words: a URL, a host or
/// an identifier.
fn value_for_verb(error: &clap::Error, words: &[OsString]) -> Option<usize> {
    let ContextValue::String(word) = error.get(ContextKind::InvalidSubcommand)? else { return None };
    // The shortest identifier has 16 digits.
    let is_identifier = word.len() >= 16 && word.bytes().all(|byte| byte.is_ascii_hexdigit());
    if error.kind() != ErrorKind::InvalidSubcommand || !(is_identifier || word.contains(['.', ':', '/'])) {
        return None;
    }
    // The first word is the path of the program.
    let mut before_dashes = words.iter().take_while(|given| *given != "--").skip(1);
    before_dashes.position(|given| given.to_string_lossy() == *word).map(|place| place + 1)
}

/// Words that other programs use for the actions of verbs.
const SYNONYMS: [(&str, &str); 11] = [
    ("normalize", "'urlid canon' prints canonical forms"),
    ("normalise", "'urlid canon' prints canonical forms"),
    ("hash", "'urlid id' prints identifiers"),
    ("dedupe", "'urlid uniq' prints the first line for each distinct URL"),
    ("deduplicate", "'urlid uniq' prints the first line for each distinct URL"),
    ("match", "'urlid list match' looks URLs up in a list, 'urlid index match' in an index"),
    ("filter", "'urlid list match' looks URLs up in a list, 'urlid index find' finds URLs by their parts"),
    ("extract", "'urlid parts --get' prints parts of URLs"),
    ("add", "'urlid index add' adds to an index of URLs, 'urlid cdx make --add' to one of archives"),
    ("version", "'urlid --version' prints the version"),
    ("sort", "'urlid canon --as surt-0.3.1' prints keys that 'sort' groups by site"),
];

/// Adds a tip to the error of a verb that has a different name here, and removes a tip that is too far from
/// the word: the parser takes `learn` for a misspelling of `verson`.
fn with_synonym(mut error: clap::Error) -> clap::Error {
    let Some(ContextValue::String(word)) = error.get(ContextKind::InvalidSubcommand) else { return error };
    if let Some((_, tip)) = SYNONYMS.iter().find(|(synonym, _)| synonym == word) {
        error.remove(ContextKind::SuggestedSubcommand);
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![StyledStr::from(*tip)]));
        return error;
    }
    let first = word.chars().next();
    if let Some(ContextValue::Strings(names)) = error.get(ContextKind::SuggestedSubcommand) {
        let names: Vec<String> = names.iter().filter(|name| name.chars().next() == first).cloned().collect();
        match names[..] {
            [] => drop(error.remove(ContextKind::SuggestedSubcommand)),
            _ => drop(error.insert(ContextKind::SuggestedSubcommand, ContextValue::Strings(names))),
        }
    }
    error
}

/// Shows the short help if the verb is missing.
fn help() -> Result<Exit, Failure> {
    let mut out = Output::stdout()?;
    let help = program().render_help();
    out.write(color::for_stdout(help.ansi().to_string()).as_bytes())?;
    out.flush()?;
    Ok(Exit::Usage)
}

#[cfg(test)]
mod pairs;
