//! The name of a canonical form on the command line, and the list that a name may need.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use clap::builder::{PossibleValue, TypedValueParser};
use clap::{Arg, Args, Command};
use urlid::Error;
use urlid_canonical::{Form, Kind, NO_TRACKING_LIST, TrackingList};
use urlid_store::dataset::{Dataset, is_dataset};
use urlid_store::file::{Index, error};
use urlid_store::seen::{SeenFile, is_seen_set};

use crate::bounded::read_text;
use crate::exit::{Exit, Failure};
use crate::message::describe;

/// The name of a canonical form. Only the list that it names may be missing.
#[derive(Clone, Debug)]
pub(crate) struct FormName(String);

/// Returns a parser of names of forms, of which completions know those of the profiles: a form may have steps after that.
pub(crate) fn form_names(
    parse: fn(&str) -> Result<FormName, String>,
) -> impl TypedValueParser<Value = FormName> {
    FormNames(parse)
}

#[derive(Clone)]
struct FormNames(fn(&str) -> Result<FormName, String>);

impl TypedValueParser for FormNames {
    type Value = FormName;

    fn parse_ref(
        &self,
        command: &Command,
        arg: Option<&Arg>,
        value: &OsStr,
    ) -> Result<FormName, clap::Error> {
        self.0.parse_ref(command, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(
            urlid_canonical::Profile::all()
                .iter()
                .map(|profile| profile.name)
                .filter(|name| (self.0)(name).is_ok())
                .map(PossibleValue::new),
        ))
    }
}

/// Reads the name of a form whose canonical forms are URLs.
pub(crate) fn parse_url_form(name: &str) -> Result<FormName, String> {
    match name.parse::<Form>() {
        Ok(form) if form.profile().kind == Kind::Key => {
            Err(format!("ERR_CANON_NAME: {form} gives keys: expected a form that gives URLs"))
        }
        _ => parse_form(name),
    }
}

/// Reads the name of a form.
pub(crate) fn parse_form(name: &str) -> Result<FormName, String> {
    match name.parse::<Form>() {
        Ok(_) => Ok(FormName(name.to_owned())),
        Err(error) if error.is(NO_TRACKING_LIST) => Ok(FormName(name.to_owned())),
        Err(error) if name.split('+').any(|step| step == "drop-tracking") => {
            let list = TrackingList::firefox().name();
            Err(format!("{}; the list is part of the name: drop-tracking@{list}", describe(&error)))
        }
        Err(error) => Err(describe(&error)),
    }
}

/// The list of tracking parameters that a form may name.
#[derive(Debug, Default, Args)]
pub(crate) struct TrackingArg {
    /// The list of tracking parameters that the form names, in the format of Firefox's StripOnShare.json; its name is firefox-
    /// and the first 8 digits of its SHA-256
    #[arg(long = "tracking-list", value_name = "FILE", hide_short_help = true)]
    path: Option<PathBuf>,
}

impl TrackingArg {
    /// Returns the file with the list, if one is given.
    pub(crate) fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }

    /// Returns the form with a name.
    pub(crate) fn form(&self, name: &FormName) -> Result<Form, Failure> {
        let list = self.list()?;
        let form = named(&name.0, list.as_ref(), Exit::Usage)?;
        check_named(list.as_ref(), &[name])?;
        Ok(form)
    }

    /// Returns the form with a name, if there is one; without it a list would do nothing.
    pub(crate) fn optional_form(&self, name: Option<&FormName>) -> Result<Option<Form>, Failure> {
        match (name, &self.path) {
            (Some(name), _) => self.form(name).map(Some),
            (None, Some(_)) => {
                Err(Failure::usage("--tracking-list goes with --as, and a form that names the list"))
            }
            (None, None) => Ok(None),
        }
    }

    /// Returns two forms, of which one may be without the list.
    pub(crate) fn two_forms(&self, from: &FormName, to: &FormName) -> Result<(Form, Form), Failure> {
        let list = self.list()?;
        let form = |name: &FormName| named(&name.0, list.as_ref(), Exit::Usage);
        let forms = (form(from)?, form(to)?);
        check_named(list.as_ref(), &[from, to])?;
        Ok(forms)
    }

    /// Returns forms, of which some may be without the list.
    pub(crate) fn forms(&self, names: &[FormName]) -> Result<Vec<Form>, Failure> {
        let list = self.list()?;
        check_named(list.as_ref(), &names.iter().collect::<Vec<_>>())?;
        names.iter().map(|name| named(&name.0, list.as_ref(), Exit::Usage)).collect()
    }

    /// Returns the form of a seen-set; `None` if there is none of that name.
    pub(crate) fn form_of_seen(&self, set: &Path) -> Result<Option<Form>, Failure> {
        if !is_seen_set(set) {
            return Ok(None);
        }
        let list = self.list()?;
        let file = SeenFile::open(set)?;
        let name = FormName(file.keys().name().to_owned());
        let form = named(&name.0, list.as_ref(), Exit::Failed)?;
        check_named(list.as_ref(), &[&name])?;
        Ok(Some(form))
    }

    fn list(&self) -> Result<Option<TrackingList>, Failure> {
        self.path.as_deref().map(read).transpose()
    }

    /// Returns the form of an index if a list is given, which the form must name.
    pub(crate) fn form_of(&self, index: &Path) -> Result<Option<Form>, Failure> {
        if self.path.is_none() || !index.exists() {
            return Ok(None);
        }
        let list = self.list()?;
        let name = if is_dataset(index) {
            Dataset::open(index)?.describe().canonical_form.clone()
        } else {
            Index::open(index)?.describe()?.canonical_form.clone()
        };
        let name = name.map(FormName);
        let form = name.as_ref().map(|name| named(&name.0, list.as_ref(), Exit::Failed)).transpose()?;
        check_named(list.as_ref(), &name.iter().collect::<Vec<_>>())?;
        Ok(form)
    }
}

/// Returns the form with a name, which may name the list.
fn named(name: &str, list: Option<&TrackingList>, exit: Exit) -> Result<Form, Failure> {
    Form::parse_with(name, list.map_or(&[], std::slice::from_ref)).map_err(|error| {
        let is_list = error.is(NO_TRACKING_LIST);
        with_hint(Failure::of(exit, &error), is_list)
    })
}

/// Returns an error if a list is given but no form uses it.
fn check_named(list: Option<&TrackingList>, names: &[&FormName]) -> Result<(), Failure> {
    match list {
        Some(list) if !names.iter().any(|name| name.0.contains(list.name())) => {
            let message = format!("--tracking-list: this is {}, which the form does not name", list.name());
            Err(Failure::usage(message))
        }
        _ => Ok(()),
    }
}

fn read(path: &Path) -> Result<TrackingList, Failure> {
    TrackingList::parse(&read_text(path)?).map_err(|error| Failure::of_file(path, &error))
}

/// Makes the failure of an index, whose form may name a list.
pub(crate) fn index_failure(error: Error) -> Failure {
    let source = std::error::Error::source(&error).and_then(|source| source.downcast_ref::<Error>());
    let is_list = error.is(error::FORM_NAME) && source.is_some_and(|source| source.is(NO_TRACKING_LIST));
    with_hint(error.into(), is_list)
}

/// Adds a hint about the option to a failure, if `is_list`: a form names a list that is not given.
fn with_hint(failure: Failure, is_list: bool) -> Failure {
    if is_list { failure.with_hint("--tracking-list FILE gives the list of that name") } else { failure }
}
