//! `urlid parse`: texts as tokens, by the Theory of URLs.

use clap::{Args, ValueEnum};
use urlid::reference::{Class, Context, Reference};
use urlid_lines::Line;

use crate::exit::{Exit, Failure};
use crate::input::{self, LineSink, TextInputs};
use crate::json;
use crate::output::{Column, Format, Output, Rows, Shown, Value};
use crate::refusals::{Place, Refusal, Refusals};
use crate::table::FormatArg;

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
    let sources = args.texts.sources()?;
    let rules = args.texts.rules();
    let progress = sources.progress();
    let format = args.format.format;
    let columns: &[Column<'_>] = match format {
        Format::Ndjson => &[
            Column { name: "line", shown: Shown::Always },
            Column { name: "text", shown: Shown::Always },
            Column { name: "class", shown: Shown::Always },
            Column { name: "valid", shown: Shown::Always },
            Column { name: "tokens", shown: Shown::Always },
            Column { name: "error", shown: Shown::Always },
        ],
        Format::Text | Format::Csv | Format::Tsv => &[
            Column { name: "line", shown: Shown::NotInText },
            Column { name: "kind", shown: Shown::Always },
            Column { name: "text", shown: Shown::Always },
        ],
    };
    let mut parser = Parser {
        rows: Rows::new(Output::stdout()?, format, columns)?,
        refusals: Refusals::new(rules.rejects.as_deref(), progress.clone())?,
        format,
        context: args.context.into(),
        is_first: true,
    };
    let read = input::each_line(&sources, rules.options(), &progress, &mut parser);
    progress.finish();
    let exit = read?;
    parser.rows.flush()?;
    Ok(exit.max(parser.refusals.finish()?))
}

struct Parser {
    rows: Rows,
    refusals: Refusals,
    format: Format,
    context: Context,
    is_first: bool,
}

impl LineSink for Parser {
    fn line(&mut self, place: Place<'_>, line: &Line<'_>) -> Result<(), Failure> {
        let parsed = match line.text {
            Ok(text) => Reference::parse(text, self.context).map_err(|error| Refusal::of(&error)),
            Err(error) => Err(Refusal::of(&error)),
        };
        if let Err(refusal) = &parsed {
            self.refusals.refuse(place, refusal.code, &refusal.message, line.bytes)?;
        }
        match self.format {
            Format::Ndjson => self.object(place.line, line, &parsed),
            _ => parsed.map_or(Ok(()), |reference| self.tokens(place.line, &reference)),
        }
    }

    fn pause(&mut self) -> Result<(), Failure> {
        self.rows.flush()
    }
}

impl Parser {
    fn object(
        &mut self,
        number: u64,
        line: &Line<'_>,
        parsed: &Result<Reference<'_>, Refusal>,
    ) -> Result<(), Failure> {
        let text = line.text.map_or(Value::Null, Value::Text);
        match parsed {
            Ok(reference) => {
                let token = |kind: &str, text: &str| json::list([json::string(kind), json::string(text)]);
                let tokens = json::list(reference.tokens().map(|part| token(part.kind.name(), part.text)));
                let class = Value::Text(class_name(reference.class()));
                let valid = Value::Json(if reference.is_valid() { "true" } else { "false" });
                self.rows.row(&[Value::Number(number), text, class, valid, Value::Json(&tokens), Value::Null])
            }
            Err(refusal) => {
                let error = Value::Text(refusal.code.as_str());
                self.rows.row(&[Value::Number(number), text, Value::Null, Value::Null, Value::Null, error])
            }
        }
    }

    fn tokens(&mut self, number: u64, reference: &Reference<'_>) -> Result<(), Failure> {
        if !self.is_first {
            self.rows.separate()?;
        }
        self.is_first = false;
        reference.tokens().try_for_each(|token| {
            self.rows.row(&[Value::Number(number), Value::Text(token.kind.name()), Value::Text(token.text)])
        })
    }
}

fn class_name(class: Class) -> &'static str {
    match class {
        Class::Web => "web",
        Class::File => "file",
        Class::Generic => "generic",
    }
}
