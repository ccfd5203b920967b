//! `urlid explain`: the characters of a URL next to the digits that they became, and the contents of an
//! identifier.
//!
//! Crate `urlid-ops` collects the facts, and this module shows them.

mod report;

use std::mem;

use clap::Args;
use report::{Report, form_to_text, goto_to_text};
use urlid::compat::{Format, detect};
use urlid::suffix::SuffixList;
use urlid::sxurl::{Slice, Sxurl};
use urlid::url_hash::{UrlHash, UrlShortHash, UrlVeryShortHash};
use urlid::web::{Part, UrlParts};
use urlid_ops::explain::{
    Explanation, Fact, Facts, Goto, GotoMode, RuleTrace, explain as explain_text, failed_check,
};

use super::canon::form::{FormLists, FormName, form_names, parse_form};
use crate::args::Globals;
use crate::args::host_text::HostText;
use crate::commands::references::goto_mode;
use crate::input::columns::ProseArg;
use crate::input::line_run::LineRun;
use crate::input::sources::BareArgument;
use crate::input::{InputOptions, UrlInputs};
use crate::output::files::FilesInUse;
use crate::output::rows::AnswerFormat;
use crate::output::{color, json};
use crate::report::exit::{Exit, Failure};
use crate::report::message::describe_without_code;

pub(super) use report::{escaped, rejection_text, rule_line};

/// Explain URLs and identifiers: which characters each slice is computed from
///
/// For a URL, prints every part with the digits computed from it. For an SXURL, prints the fields. It also
/// prints guesses for simple values such as the public suffix, `www` and `/`, which shows that an identifier
/// does not hide a value that can be guessed. Url-hashes, hashed URIs and identifiers of published crates are
/// explained in all formats that the text can have. The verb is optional: `urlid example.com` is `urlid explain
/// example.com`.
///
/// Example: urlid explain 'https://www.example.co.uk:8443/a?q#f'
#[derive(Debug, Args)]
pub(crate) struct ExplainArgs {
    #[command(flatten)]
    texts: UrlInputs,

    #[command(flatten)]
    input_format: ProseArg,

    /// Resolve this reference with each text as the base, and show where each token comes from
    ///
    /// The resolution is goto of the Theory of URLs, as in `urlid ref goto`.
    #[arg(long, value_name = "REFERENCE", conflicts_with = "trailing_text")]
    goto: Option<String>,

    /// Use this definition of goto
    #[arg(long, default_value = "strict", value_name = "MODE", value_parser = goto_mode(), requires = "goto")]
    mode: GotoMode,

    /// Show how the rules of this canonical form change each text; `urlid canon --list` prints the names
    #[arg(long = "as", value_name = "FORM", value_parser = form_names(parse_form), hide_possible_values = true, conflicts_with = "goto")]
    form: Option<FormName>,

    #[command(flatten)]
    lists: FormLists,

    /// Print the answer in this format
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    format: AnswerFormat,
}

impl ExplainArgs {
    /// Returns whether the command splits hosts by the suffix list that was chosen.
    pub(super) fn splits_hosts(&self) -> bool {
        self.goto.is_none() && self.form.is_none()
    }
}

/// Explains each text.
pub(crate) fn run(args: &ExplainArgs, globals: &Globals) -> Result<Exit, Failure> {
    let list = globals.psl.list()?;
    let form = args.lists.optional_form(args.form.as_ref())?;
    // With --goto, a text is a base, which may be relative.
    let otherwise = if args.goto.is_some() { BareArgument::Text } else { BareArgument::UrlOrText };
    let files = FilesInUse::reading(globals.psl.path().into_iter().chain(args.lists.paths()));
    let inputs = args.texts.lines_by(otherwise)?.of_prose(args.input_format.is_prose());
    let inputs = form.iter().fold(inputs, InputOptions::of_form);
    let mut run = LineRun::begin(inputs, files, None)?;
    let as_json = args.format == AnswerFormat::Json;
    let width = run.out.width();
    let mut is_first = true;
    run.each_record(&mut |run, text| {
        let (out, text) = (&mut run.out, &*text.text?);
        // An empty text is also a base: a URL of the Theory without tokens.
        if text.is_empty() && args.goto.is_none() {
            return Ok(());
        }
        let shown = match (&args.goto, &form) {
            // The command line has either --as or --goto.
            (_, Some(form)) => {
                let rules = RuleTrace::new(form, text);
                if as_json { json::line(&rules) } else { form_to_text(&rules) }
            }
            (Some(reference), None) => {
                let goto = Goto::new(text, reference, args.mode)?;
                if as_json { json::line(&goto) } else { goto_to_text(&goto) }
            }
            (None, None) => {
                let explanation = explain(text, &list, as_json)?;
                if as_json { json::line(&explanation) } else { Report(&explanation).to_text(width) }
            }
        };
        let shown = if as_json { shown } else { color::for_stdout(shown) };
        if !is_first && !as_json {
            out.write(b"\n")?;
        }
        is_first = false;
        Ok(out.write(shown.as_bytes())?)
    })?;
    run.finish(Exit::Done)
}

/// Shows url-hashes as `id` prints them, with the text of the crate below the first one, which libraries give.
fn show_digits(facts: &mut Vec<(&'static str, Fact)>) {
    let mut words = None;
    for (index, (name, fact)) in facts.iter_mut().enumerate() {
        let Fact::Text(text) = fact else { continue };
        let digits = match *name {
            "url-hash" => text.parse().map(|hash: UrlHash| hash.to_hex()),
            "url-short-hash" => text.parse().map(|hash: UrlShortHash| hash.to_hex()),
            "url-very-short-hash" => text.parse().map(|hash: UrlVeryShortHash| hash.to_hex()),
            _ => continue,
        };
        if let Ok(digits) = digits {
            let text = mem::replace(text, digits);
            words.get_or_insert((index + 1, text));
        }
    }
    if let Some((place, text)) = words {
        facts.insert(place, ("words", Fact::Text(text)));
        // The digits are there already.
        facts.retain(|(name, _)| *name != "digest");
    }
}

/// Explains a text. For people an identifier has more facts: its formats, and the numbers of its slices.
/// Programs find these in the rows of `parts`, and JSON has the facts from the libraries.
fn explain(text: &str, list: &SuffixList, as_json: bool) -> Result<Explanation, urlid::Error> {
    let formats: Vec<&str> =
        detect(text).into_iter().filter(|format| *format != Format::Url).map(Format::name).collect();
    let mut explanation = match explain_text(text, list) {
        Ok(explanation) if as_json => return Ok(explanation),
        Ok(explanation) => explanation,
        Err(error) if formats.is_empty() => return Err(error),
        // The identifier of a published crate, which the libraries only recognise.
        Err(_) => Explanation {
            text: text.to_owned(),
            kind: "identifier",
            parts: Vec::new(),
            facts: Facts(Vec::new()),
        },
    };
    let facts = &mut explanation.facts.0;
    show_digits(facts);
    let mut parsed = None;
    let domain = UrlParts::parse(text, list, &mut parsed).ok();
    if let Some(domain) = domain.as_ref().and_then(|parts| parts.get(Part::RegisteredDomain)) {
        facts.push(("registered_domain", Fact::Text(domain.to_owned())));
    }
    // For any other host these equal the written text.
    let is_encoded = |host: &str| host.split('.').any(|label| label.starts_with("xn--"));
    if domain.and_then(|parts| parts.get(Part::Host).map(is_encoded)) == Some(true) {
        for host in [HostText::Unicode, HostText::Scripts] {
            let value =
                host.of(text).ok().flatten().unwrap_or_else(|| "none: not valid under UTS 46".to_owned());
            facts.push((host.name(), Fact::Text(value)));
        }
    }
    if let Ok(id) = Sxurl::from_hex(text) {
        let numbers = Slice::ALL.map(|slice| format!("{} {}", slice.label(), id.slice(slice)));
        facts.push(("numbers", Fact::Text(numbers.join(", "))));
    }
    if !formats.is_empty() {
        facts.push(("formats", Fact::Text(formats.join(" "))));
    }
    if let Some(error) = failed_check(text).filter(|_| !facts.iter().any(|(name, _)| *name == "sxurl")) {
        facts.push(("not_sxurl", Fact::Text(format!("{}: {}", error.code(), describe_without_code(&error)))));
    }
    Ok(explanation)
}
