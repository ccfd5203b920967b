//! `urlid ref parse`: texts as tokens, by the Theory of URLs.

use clap::Args;
use urlid::reference::{Class, Context, Reference, TokenKind, TypedHost};
use urlid_io::lines::Line;

use crate::args::theory::TheoryTexts;
use crate::input::line_run::LineRun;
use crate::output::files::FilesInUse;
use crate::output::json::{self, Object};
use crate::output::rows::{Column, Format, Rows, Shown, Value};
use crate::report::exit::{Exit, Failure};
use crate::report::refusals::{Place, Refusal};

/// Split URLs and relative references into the tokens of the Theory of URLs
///
/// Every text has tokens; `valid` says whether they satisfy the constraints of the Theory. The formats text, tsv
/// and csv have a row for each token, and an authority is followed by a row for each of its parts; ndjson has an
/// object for each text, with the kind of the host too: domain, ipv4, ipv6, opaque or empty.
///
/// Example: urlid ref parse '//user@example.com/a/../b?q#f'
#[derive(Debug, Args)]
pub(super) struct ParseArgs {
    #[command(flatten)]
    texts: TheoryTexts,
}

/// Prints the tokens of each text.
pub(super) fn run(args: &ParseArgs) -> Result<Exit, Failure> {
    let TheoryTexts { texts, context, format } = &args.texts;
    let (run, context) = (LineRun::begin(texts.lines()?, FilesInUse::default(), None)?, *context);
    match format.format {
        Format::Ndjson => print_objects(run, context),
        format => print_tokens(run, format, context),
    }
}

/// Prints an object for each text.
fn print_objects(mut run: LineRun, context: Context) -> Result<Exit, Failure> {
    let columns = ["line", "text", "class", "valid", "tokens", "authority", "error"];
    let columns = columns.map(|name| Column { name, shown: Shown::Always });
    let mut rows = Rows::begin(&mut run.out, Format::Ndjson, &columns)?;
    run.each_line(&mut |run: &mut LineRun, place: Place<'_>, line: &Line<'_>| {
        let (number, text) = (Value::Number(place.line), line.text.map_or(Value::Null, Value::Text));
        match parse(line, context) {
            Ok(reference) => {
                let token = |kind: &str, text: &str| json::list([json::string(kind), json::string(text)]);
                let tokens = json::list(reference.tokens().map(|part| token(part.kind.name(), part.text)));
                let class = Value::Text(class_name(reference.class()));
                let valid = Value::Json(if reference.is_valid() { "true" } else { "false" });
                let authority = authority_to_json(&reference);
                let authority = authority.as_deref().map_or(Value::Null, Value::Json);
                let row = [number, text, class, valid, Value::Json(&tokens), authority, Value::Null];
                rows.write(&mut run.out, &row)
            }
            Err(refusal) => {
                run.refuse(place, line.bytes, &refusal)?;
                if run.leaves_refused_out() {
                    return Ok(());
                }
                let error = Value::Text(refusal.code().as_str());
                let row = [number, text, Value::Null, Value::Null, Value::Null, Value::Null, error];
                rows.write(&mut run.out, &row)
            }
        }
    })?;
    run.finish(Exit::Done)
}

/// Prints a row for each token.
fn print_tokens(mut run: LineRun, format: Format, context: Context) -> Result<Exit, Failure> {
    let columns = [
        Column { name: "line", shown: Shown::NotInText },
        Column { name: "kind", shown: Shown::Always },
        Column { name: "text", shown: Shown::Always },
    ];
    let mut rows = Rows::begin(&mut run.out, format, &columns)?;
    let mut is_first = true;
    run.each_line(&mut |run: &mut LineRun, place: Place<'_>, line: &Line<'_>| {
        let reference = match parse(line, context) {
            Ok(reference) => reference,
            Err(refusal) => return run.refuse(place, line.bytes, &refusal),
        };
        if !is_first {
            rows.separate(&mut run.out)?;
        }
        is_first = false;
        for token in reference.tokens() {
            let mut write = |kind, text| {
                let row = [Value::Number(place.line), Value::Text(kind), Value::Text(text)];
                rows.write(&mut run.out, &row)
            };
            write(token.kind.name(), token.text)?;
            if token.kind == TokenKind::Authority {
                parts(&reference).try_for_each(|(name, text)| write(name, text))?;
            }
        }
        Ok(())
    })?;
    run.finish(Exit::Done)
}

fn parse<'a>(line: &Line<'a>, context: Context) -> Result<Reference<'a>, Refusal> {
    Ok(Reference::parse(line.text?, context)?)
}

/// Returns the parts of the authority that are written.
fn parts<'a>(reference: &Reference<'a>) -> impl Iterator<Item = (&'static str, &'a str)> + use<'a> {
    let parts = reference.authority().map(|authority| {
        let host = Some(authority.host);
        [("user", authority.user), ("password", authority.password), ("host", host), ("port", authority.port)]
    });
    parts.into_iter().flatten().filter_map(|(name, text)| Some((name, text?)))
}

/// Returns the parts of the authority as an object, null for those that are not written.
fn authority_to_json(reference: &Reference<'_>) -> Option<String> {
    let authority = reference.authority()?;
    let object = Object::new()
        .optional("user", authority.user)
        .optional("password", authority.password)
        .text("host", authority.host)
        .text("host_kind", TypedHost::new(authority.host).kind())
        .optional("port", authority.port);
    Some(object.finish())
}

fn class_name(class: Class) -> &'static str {
    match class {
        Class::Web => "web",
        Class::File => "file",
        Class::Generic => "generic",
    }
}
