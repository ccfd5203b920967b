//! `urlid ref`: URLs and relative references by the Theory of URLs.

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Subcommand};
use urlid::reference::{Class, Context, Reference, TokenKind, TypedHost};
use urlid_ops::explain::GotoMode;

use crate::args::choice;
use crate::input::TextInputs;
use crate::input::batch::BatchText;
use crate::input::line_run::LineRun;
use crate::output::files::FilesInUse;
use crate::output::json::{self, Object};
use crate::output::rows::{Column, Format, FormatArg, Rows, Shown, Value};
use crate::output::table::{self, Cells, ValueColumn, Values};
use crate::report::exit::{Exit, Failure};
use crate::report::message;
use crate::report::rejections::Rejection;

/// Split and join references, by the Theory of URLs
///
/// A reference is a URL, or a text that is relative to one. An argument that names a file is read as this file.
/// The lines of files and pipes are references.
#[derive(Debug, Args)]
pub(crate) struct ReferenceVerb {
    #[command(subcommand)]
    command: ReferenceCommand,
}

#[derive(Debug, Subcommand)]
enum ReferenceCommand {
    Parse(ParseArgs),
    Ord(OrdArgs),
    Upto(UptoArgs),
    Goto(GotoArgs),
}

/// Runs the verb.
pub(crate) fn run(args: &ReferenceVerb) -> Result<Exit, Failure> {
    match &args.command {
        ReferenceCommand::Parse(args) => run_parse(args),
        ReferenceCommand::Ord(args) => run_ord(args),
        ReferenceCommand::Upto(args) => run_upto(args),
        ReferenceCommand::Goto(args) => run_goto(args),
    }
}

/// Texts of the Theory of URLs: where they are, how they are parsed, and how their rows are written.
#[derive(Debug, Args)]
struct TheoryTexts {
    #[command(flatten)]
    texts: TextInputs,

    /// Parse a text without a scheme in this context
    #[arg(long, default_value = "web", value_name = "CONTEXT", value_parser = context())]
    context: Context,

    #[command(flatten)]
    format: FormatArg,
}

/// Returns the parser of a context.
fn context() -> impl TypedValueParser<Value = Context> {
    choice([
        (
            "web",
            Context::Whatwg(Class::Web),
            "As relative to an http, https, ws, wss or ftp URL: a backslash is a slash",
        ),
        ("file", Context::Whatwg(Class::File), "As relative to a file URL: drive letters are recognised too"),
        ("generic", Context::Whatwg(Class::Generic), "As relative to any other URL"),
        ("rfc3986", Context::Rfc3986, "By RFC 3986, for every scheme"),
    ])
}

/// Returns the parser of a definition of goto.
pub(crate) fn goto_mode() -> impl TypedValueParser<Value = GotoMode> {
    choice([
        ("strict", GotoMode::Strict, "goto: a reference with a scheme replaces the base"),
        (
            "nonstrict",
            GotoMode::Nonstrict,
            "goto': a reference with the scheme of the base is read without its scheme",
        ),
    ])
}

/// Split URLs and relative references into the tokens of the Theory of URLs
///
/// Every text has tokens, and `valid` says whether they satisfy the constraints of the Theory. The formats
/// text, tsv and csv have a row for each token, and an authority is followed by a row for each of its parts.
/// ndjson has an object for each text, with the kind of the host: domain, ipv4, ipv6, opaque or empty.
///
/// Example: urlid ref parse '//user@example.com/a/../b?q#f'
#[derive(Debug, Args)]
struct ParseArgs {
    #[command(flatten)]
    texts: TheoryTexts,
}

/// Prints the tokens of each text.
fn run_parse(args: &ParseArgs) -> Result<Exit, Failure> {
    let TheoryTexts { texts, context, format } = &args.texts;
    let (run, context) = (LineRun::begin(texts.lines()?, FilesInUse::default(), None)?, *context);
    match format.format {
        // Rows lack lists, so each token is a separate row there.
        Format::Ndjson => print_objects(run, context),
        format => print_tokens(run, format, context),
    }
}

/// Prints an object for each text.
fn print_objects(mut run: LineRun, context: Context) -> Result<Exit, Failure> {
    let columns = ["line", "text", "class", "valid", "tokens", "authority", "error"];
    let columns = columns.map(|name| Column { name, shown: Shown::Always });
    let mut rows = Rows::begin(&mut run.out, Format::Ndjson, &columns)?;
    run.each_record(&mut |run, line| {
        let (number, text) =
            (Value::Number(line.number), line.text.as_deref().map_or(Value::Null, Value::Text));
        match parse(&line, context) {
            Ok(reference) => {
                let token = |kind: &str, text: &str| json::list([json::string(kind), json::string(text)]);
                let tokens = json::list(reference.tokens().map(|part| token(part.kind.name(), part.text)));
                let class = Value::Text(class_name(reference.class()));
                let valid = Value::Json(if reference.is_valid() { "true" } else { "false" });
                let authority = authority_to_json(&reference);
                let authority = authority.as_deref().map_or(Value::Null, Value::Json);
                let row = [number, text, class, valid, Value::Json(&tokens), authority, Value::Null];
                rows.write(&mut run.out, &row)?;
            }
            Err(rejection) => {
                // As in the rows of other verbs, values that cannot be made are null, and the code has the
                // reason.
                let error = Value::Text(rejection.code().as_str());
                let row = [number, text, Value::Null, Value::Null, Value::Null, Value::Null, error];
                if !run.leaves_rejected_out() {
                    rows.write(&mut run.out, &row)?;
                }
                return Err(rejection.into());
            }
        }
        Ok(())
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
    run.each_record(&mut |run, line| {
        let reference = parse(&line, context)?;
        if !is_first {
            rows.separate(&mut run.out)?;
        }
        is_first = false;
        for token in reference.tokens() {
            let mut write = |kind, text| {
                let row = [Value::Number(line.number), Value::Text(kind), Value::Text(text)];
                rows.write(&mut run.out, &row)
            };
            write(token.kind.name(), token.text)?;
            // The Theory has one token for the whole authority, so its parts follow as separate rows.
            if token.kind == TokenKind::Authority {
                parts(&reference).try_for_each(|(name, text)| write(name, text))?;
            }
        }
        Ok(())
    })?;
    run.finish(Exit::Done)
}

fn parse<'a>(line: &'a BatchText<'_>, context: Context) -> Result<Reference<'a>, Rejection> {
    match &line.text {
        Ok(text) => Ok(Reference::parse(text, context)?),
        Err(error) => Err(error.clone().into()),
    }
}

/// Returns the parts of the authority that are written.
fn parts<'a>(reference: &Reference<'a>) -> impl Iterator<Item = (&'static str, &'a str)> + use<'a> {
    let parts = reference.authority().map(|authority| {
        let host = Some(authority.host);
        [("user", authority.user), ("password", authority.password), ("host", host), ("port", authority.port)]
    });
    parts.into_iter().flatten().filter_map(|(name, text)| Some((name, text?)))
}

/// Returns the parts of the authority as an object, with null for missing parts.
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

/// Print the order of URLs and references: the type of the first token
///
/// The order of the empty reference is fragment.
///
/// Example: urlid ref ord '//h/a' '?q'
#[derive(Debug, Args)]
struct OrdArgs {
    #[command(flatten)]
    texts: TheoryTexts,
}

/// Print the order-limited prefix of URLs and references
///
/// The prefix has all tokens of a type smaller than ORDER. If ORDER is directory, it also has the directories.
///
/// Example: urlid ref upto query 'http://h/a?q#f'
#[derive(Debug, Args)]
struct UptoArgs {
    /// The type of token that limits the prefix
    #[arg(value_parser = order())]
    order: TokenKind,

    #[command(flatten)]
    texts: TheoryTexts,
}

fn order() -> impl TypedValueParser<Value = TokenKind> {
    PossibleValuesParser::new(TokenKind::ALL.map(TokenKind::name))
        .try_map(|name| TokenKind::from_name(&name).ok_or("no such type"))
}

/// Prints the order of each text.
fn run_ord(args: &OrdArgs) -> Result<Exit, Failure> {
    run_on(&args.texts, "ord", |reference| reference.ord().name().to_owned())
}

/// Prints the prefix of each text.
fn run_upto(args: &UptoArgs) -> Result<Exit, Failure> {
    run_on(&args.texts, "prefix", |reference| reference.upto(args.order).as_str().to_owned())
}

fn run_on(
    texts: &TheoryTexts,
    column: &'static str,
    value: impl Fn(&Reference<'_>) -> String + Sync,
) -> Result<Exit, Failure> {
    let of_texts = OfTexts { column, context: texts.context, value };
    table::print_rows(
        LineRun::begin(texts.texts.lines()?, FilesInUse::default(), None)?,
        texts.format.format,
        "text",
        &|| Box::new(&of_texts),
    )
}

struct OfTexts<F> {
    column: &'static str,
    context: Context,
    value: F,
}

impl<F: Fn(&Reference<'_>) -> String + Sync> Values for &OfTexts<F> {
    fn columns(&self) -> Vec<ValueColumn> {
        vec![ValueColumn::text(self.column)]
    }

    fn values(&mut self, text: &str, cells: &mut Cells<'_>) -> Option<Rejection> {
        let reference = Reference::parse(text, self.context);
        cells.push_result(reference.map(|reference| (self.value)(&reference)).map_err(Rejection::from))
    }
}

/// Print the target of references from a base: goto of the Theory of URLs
///
/// The base may be relative. The result is not normalised, and dot segments are kept. `urlid resolve` resolves
/// like browsers. A reference without a target is rejected with ERR_NO_URL.
///
/// Example: urlid ref goto http://h/a/b '../c?q' '//g' '#f'
#[derive(Debug, Args)]
struct GotoArgs {
    /// The base, a URL or a relative reference
    base: String,

    #[command(flatten)]
    references: TextInputs,

    /// Use this definition of goto
    #[arg(long, default_value = "strict", value_name = "MODE", value_parser = goto_mode())]
    mode: GotoMode,

    /// Parse a base without a scheme in this context; references are parsed relative to the base
    #[arg(long, default_value = "web", value_name = "CONTEXT", value_parser = context())]
    context: Context,

    #[command(flatten)]
    format: FormatArg,
}

/// Prints the target of each reference.
fn run_goto(args: &GotoArgs) -> Result<Exit, Failure> {
    // A wrong base would reject every reference, so it is an error of the command line.
    let base = Reference::parse(&args.base, args.context);
    let base = base.map_err(|error| Failure::usage(format!("base: {}", message::describe(&error))))?;
    let targets = Targets { base, mode: args.mode };
    table::print_rows(
        LineRun::begin(args.references.lines()?, FilesInUse::default(), None)?,
        args.format.format,
        "reference",
        &|| Box::new(&targets),
    )
}

struct Targets<'a> {
    base: Reference<'a>,
    mode: GotoMode,
}

impl Targets<'_> {
    fn target(&self, text: &str) -> Result<String, Rejection> {
        // Parsed in the context of the base, which decides whether a backslash is a slash.
        let reference = Reference::parse(text, self.base.context())?;
        Ok(self.mode.goto(&self.base, &reference)?.into_string())
    }
}

impl Values for &Targets<'_> {
    fn columns(&self) -> Vec<ValueColumn> {
        vec![ValueColumn::text("url")]
    }

    fn values(&mut self, text: &str, cells: &mut Cells<'_>) -> Option<Rejection> {
        cells.push_result(self.target(text))
    }
}
