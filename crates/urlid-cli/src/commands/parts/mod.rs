//! `urlid parts`: the parts of absolute URLs, one column for each, or as named by a template.
//!
//! `part` has the parts and their names, and the template of `--get`. `of` reads lines of other kinds.

mod args;
mod of;
mod part;

use std::borrow::Cow;

use urlid::suffix::SuffixList;
use urlid::web::Part;
use urlid_canonical::{CrawlColumns, TemplateAssigner, Templates};

pub(crate) use self::args::PartsArgs;

use self::args::{Of, PartsForm};
use self::part::{Parts, Template, Written};
use crate::args::Globals;
use crate::output::files::FilesInUse;
use crate::output::rows::{Format, Shown};
use crate::output::table::{Cells, Holds, MakeBoxedValues, ValueColumn, Values};
use crate::output::{enrich, json};
use crate::report::exit::{Exit, Failure};
use crate::report::rejections::Rejection;

/// Prints the parts of each line.
pub(crate) fn run(args: &PartsArgs, globals: &Globals) -> Result<Exit, Failure> {
    if args.of() != Of::Url && (args.raw || args.get.is_some() || args.form != PartsForm::Web) {
        return Err(Failure::usage("--raw, --get and --as need URLs: --of url"));
    }
    if args.of() != Of::Url && args.urls.url_lines().keeps_text() {
        return Err(Failure::usage("--trailing-text needs URLs: --of url"));
    }
    let needs_templates = args.get.as_ref().is_some_and(Template::has_kind);
    if needs_templates && args.templates.templates.is_none() {
        return Err(Failure::usage("--get {template}: expected --templates FILE"));
    }
    if args.templates.templates.is_some() && (args.of() != Of::Url || args.form != PartsForm::Web) {
        return Err(Failure::usage("--templates needs the parts of URLs"));
    }
    match args.of() {
        Of::Url => run_on_urls(args, globals),
        Of::Host => of::run_on_hosts(args, globals),
        Of::Id => of::run_on_ids(args),
        Of::Text => of::run_on_texts(args),
    }
}

fn run_on_urls(args: &PartsArgs, globals: &Globals) -> Result<Exit, Failure> {
    let list = globals.psl.list()?;
    let written = if args.raw { Written::Raw } else { Written::Normal };
    match args.form {
        PartsForm::Web => {
            let is_line = !args.table.columns.is_given() && args.format.format == Format::Text;
            let template = args.get.as_ref();
            let templates = args.templates.read()?;
            print(args, globals, &|| {
                let assigner = templates.as_ref().map(Templates::assigner);
                Box::new(PartsOf { assigner, ..PartsOf::new(written, template, is_line, list.clone()) })
            })
        }
        PartsForm::Crawl => {
            let columns = CrawlColumns::new(&list);
            print(args, globals, &|| Box::new(CrawlParts { columns: &columns, list: &list }))
        }
    }
}

fn print(args: &PartsArgs, globals: &Globals, make: &MakeBoxedValues<'_>) -> Result<Exit, Failure> {
    let files =
        FilesInUse::reading(globals.psl.path().into_iter().chain(args.templates.templates.as_deref()));
    enrich::run(args.inputs()?, files, &args.table, args.format.format, "url", make)
}

/// Makes the columns of Common Crawl's index.
struct CrawlParts<'a> {
    columns: &'a CrawlColumns,
    list: &'a SuffixList,
}

impl Values for CrawlParts<'_> {
    fn columns(&self) -> Vec<ValueColumn> {
        let column = |name: &'static str| ValueColumn {
            // The only column of Common Crawl here that is not a text.
            holds: if name == "url_port" { Holds::Number } else { Holds::Text },
            // The name of the source column precedes it.
            in_tables: name.strip_prefix("url_"),
            ..ValueColumn::text(name)
        };
        CrawlColumns::NAMES.map(column).into()
    }

    fn suffix_list(&self) -> Option<&SuffixList> {
        Some(self.list)
    }

    fn is_upright(&self) -> bool {
        true
    }

    fn values(&mut self, text: &str, cells: &mut Cells<'_>) -> Option<Rejection> {
        match self.columns.row(text) {
            Ok(row) => {
                row.iter().for_each(|value| cells.push(value.as_deref()));
                None
            }
            Err(error) => Some(error.into()),
        }
    }
}

/// Makes the parts of URLs.
struct PartsOf<'a> {
    written: Written,
    template: Option<&'a Template>,
    /// Whether the values are in lines of text.
    is_line: bool,
    list: Cow<'static, SuffixList>,
    has_pairs: bool,
    /// The assigner for the file of templates, if one is given.
    assigner: Option<TemplateAssigner<'a>>,
}

impl<'a> PartsOf<'a> {
    fn new(
        written: Written,
        template: Option<&'a Template>,
        is_line: bool,
        list: Cow<'static, SuffixList>,
    ) -> Self {
        PartsOf { written, template, is_line, list, has_pairs: true, assigner: None }
    }
}

impl Values for PartsOf<'_> {
    fn columns(&self) -> Vec<ValueColumn> {
        if let Some(template) = self.template {
            return vec![ValueColumn {
                holds: Holds::Lines,
                ..ValueColumn::text(template.name().to_owned())
            }];
        }
        let parts = Part::ALL.map(|part| ValueColumn {
            // A port as written may have leading zeros.
            holds: match (part, self.written) {
                (Part::Port, Written::Normal) => Holds::Number,
                _ => Holds::Text,
            },
            ..ValueColumn::text(part.name())
        });
        let pairs =
            ValueColumn { shown: Shown::InJson, holds: Holds::Json, ..ValueColumn::text("query_pairs") };
        let kind = self.assigner.as_ref().map(|_| ValueColumn::text("template"));
        parts.into_iter().chain(kind).chain([pairs]).collect()
    }

    fn suffix_list(&self) -> Option<&SuffixList> {
        Some(&self.list)
    }

    fn leave_out_json(&mut self) {
        self.has_pairs = false;
    }

    fn is_upright(&self) -> bool {
        true
    }

    fn values(&mut self, text: &str, cells: &mut Cells<'_>) -> Option<Rejection> {
        let mut parsed = None;
        let parts = match Parts::parse(text, self.written, &self.list, &mut parsed) {
            Ok(parts) => parts,
            Err(error) => return Some(error.into()),
        };
        // A URL with parts also has the form of templates.
        let kind = self.assigner.as_mut().and_then(|assigner| assigner.assign(text).ok().flatten());
        match (self.template, self.written) {
            (Some(template), _) => {
                let kind = kind.as_deref().unwrap_or_default();
                cells.push(Some(&template.expand(&parts, kind, self.is_line)));
            }
            (None, Written::Normal) => cells.push_pieces(parts.text(), &parts.all()),
            // Raw parts are not pieces of one text, because suffixes and domains come from the normal form.
            (None, Written::Raw) => parts.all().iter().for_each(|part| cells.push(*part)),
        }
        if self.template.is_none() && self.assigner.is_some() {
            cells.push(kind.as_deref());
        }
        if self.template.is_none() && self.has_pairs {
            cells.push(Some(&query_pairs(&parts)));
        }
        None
    }
}

fn query_pairs(parts: &Parts<'_>) -> String {
    let pair = |(name, value): (String, String)| json::list([json::string(&name), json::string(&value)]);
    json::list(parts.query_pairs().map(pair))
}
