//! `urlid parse`: texts as tokens, by the Theory of URLs.

use clap::{Args, ValueEnum};
use urlid::reference::{Class, Context, Reference};
use urlid_lines::Line;

use crate::exit::{Exit, Failure};
use crate::input::TextInputs;
use crate::json;
use crate::refusals::{Place, Refusal};
use crate::rows::{Column, Format, FormatArg, Rows, Shown, Value};
use crate::session::Session;

/// Take URLs and relative references apart into the tokens of the Theory of URLs
///
/// Every text has tokens; `valid` says whether they satisfy the constraints of the Theory. Text, tsv and csv have a row
/// for each token, ndjson an object for each text. For example: urlid parse '//user@example.com/a/../b?q#f'
#[derive(Debug, Args)]
pub(crate) struct ParseArgs {
    #[command(flatten)]
    texts: TextInputs,

    /// How a text without a scheme is read
    #[arg(long, value_enum, default_value_t, value_name = "CONTEXT")]
    context: ContextArg,

    #[command(flatten)]
    format: FormatArg,
}

/// The context of a text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum ContextArg {
    /// As beside an http, https, ws, wss or ftp URL: a backslash is a slash
    #[default]
    Web,
    /// As beside a file URL: drives too
    File,
    /// As beside any other URL
    Generic,
    /// As RFC 3986 has it, whatever the scheme
    Rfc3986,
}

impl From<ContextArg> for Context {
    fn from(context: ContextArg) -> Self {
        match context {
            ContextArg::Web => Context::Whatwg(Class::Web),
            ContextArg::File => Context::Whatwg(Class::File),
            ContextArg::Generic => Context::Whatwg(Class::Generic),
            ContextArg::Rfc3986 => Context::Rfc3986,
        }
    }
}

/// Prints the tokens of each text.
pub(crate) fn run(args: &ParseArgs) -> Result<Exit, Failure> {
    let session = Session::begin(&args.texts, &[])?;
    let context = args.context.into();
    match args.format.format {
        Format::Ndjson => print_objects(session, context),
        format => print_tokens(session, format, context),
    }
}

/// Prints an object for each text.
fn print_objects(mut session: Session, context: Context) -> Result<Exit, Failure> {
    let columns = ["line", "text", "class", "valid", "tokens", "error"];
    let columns = columns.map(|name| Column { name, shown: Shown::Always });
    let mut rows = Rows::begin(&mut session.out, Format::Ndjson, &columns)?;
    session.each_line(&mut |session: &mut Session, place: Place<'_>, line: &Line<'_>| {
        let (number, text) = (Value::Number(place.line), line.text.map_or(Value::Null, Value::Text));
        match parse(line, context) {
            Ok(reference) => {
                let token = |kind: &str, text: &str| json::list([json::string(kind), json::string(text)]);
                let tokens = json::list(reference.tokens().map(|part| token(part.kind.name(), part.text)));
                let class = Value::Text(class_name(reference.class()));
                let valid = Value::Json(if reference.is_valid() { "true" } else { "false" });
                let row = [number, text, class, valid, Value::Json(&tokens), Value::Null];
                rows.write(&mut session.out, &row)
            }
            Err(refusal) => {
                session.refuse(place, line.bytes, &refusal)?;
                let error = Value::Text(refusal.code().as_str());
                let row = [number, text, Value::Null, Value::Null, Value::Null, error];
                rows.write(&mut session.out, &row)
            }
        }
    })?;
    session.finish(Exit::Done)
}

/// Prints a row for each token.
fn print_tokens(mut session: Session, format: Format, context: Context) -> Result<Exit, Failure> {
    let columns = [
        Column { name: "line", shown: Shown::NotInText },
        Column { name: "kind", shown: Shown::Always },
        Column { name: "text", shown: Shown::Always },
    ];
    let mut rows = Rows::begin(&mut session.out, format, &columns)?;
    let mut is_first = true;
    session.each_line(&mut |session: &mut Session, place: Place<'_>, line: &Line<'_>| {
        let reference = match parse(line, context) {
            Ok(reference) => reference,
            Err(refusal) => return session.refuse(place, line.bytes, &refusal),
        };
        if !is_first {
            rows.separate(&mut session.out)?;
        }
        is_first = false;
        reference.tokens().try_for_each(|token| {
            let row = [Value::Number(place.line), Value::Text(token.kind.name()), Value::Text(token.text)];
            rows.write(&mut session.out, &row)
        })
    })?;
    session.finish(Exit::Done)
}

fn parse<'a>(line: &Line<'a>, context: Context) -> Result<Reference<'a>, Refusal> {
    Ok(Reference::parse(line.text?, context)?)
}

fn class_name(class: Class) -> &'static str {
    match class {
        Class::Web => "web",
        Class::File => "file",
        Class::Generic => "generic",
    }
}
