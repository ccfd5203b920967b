//! The name of a canonical form on the command line, and the list and the rules that a name may need.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use clap::builder::{PossibleValue, TypedValueParser};
use clap::{Arg, Args, Command};
use urlid::Error;
use urlid_canonical::{Form, Kind, NO_RULES, NO_TRACKING_LIST, Rules, TrackingList};
use urlid_store::Urls;
use urlid_store::file::error;
use urlid_store::seen::{SeenFile, is_seen_set};

use crate::input::bounded::read_text;
use crate::report::exit::{Exit, Failure};
use crate::report::message::describe;

/// The name of a canonical form. Only the list and the rules that it names may be missing.
#[derive(Clone, Debug)]
pub(crate) struct FormName(String);

/// Returns a parser of names of forms. Completions offer only the names of the profiles, because a form may
/// have steps after its profile.
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
        // The files are other options, so they are looked for after all options are read.
        Err(error) if error.is(NO_TRACKING_LIST) || error.is(NO_RULES) => Ok(FormName(name.to_owned())),
        Err(error) => Err(describe(&error)),
    }
}

/// The list and the rules that a form may name.
#[derive(Debug, Default, Args)]
pub(crate) struct FormLists {
    /// Use the tracking list in this file, if the form names a list that is not built in
    ///
    /// The format is Firefox's StripOnShare.json. The name of a list is firefox- and the first 8 digits of its
    /// SHA-256.
    #[arg(long = "tracking-list", value_name = "FILE", hide_short_help = true)]
    tracking: Option<PathBuf>,

    /// Use the site rules in this file; needed if the form has the step +rules
    ///
    /// Site rules say which differences between URLs do not matter on a host.
    #[arg(long = "rules", value_name = "FILE", hide_short_help = true)]
    site_rules: Option<PathBuf>,
}

/// The list and the rules that are given.
struct Given {
    tracking: Option<TrackingList>,
    rules: Option<Rules>,
}

impl FormLists {
    /// Returns the files that are given.
    pub(crate) fn paths(&self) -> Vec<&Path> {
        [&self.tracking, &self.site_rules].into_iter().flatten().map(PathBuf::as_path).collect()
    }

    /// Returns the form with a name.
    pub(crate) fn form(&self, name: &FormName) -> Result<Form, Failure> {
        let mut forms = self.forms(std::slice::from_ref(name))?;
        Ok(forms.remove(0))
    }

    /// Returns the form with a name, if there is a name. A list without a form is an error, because it would
    /// not have an effect.
    pub(crate) fn optional_form(&self, name: Option<&FormName>) -> Result<Option<Form>, Failure> {
        match (name, &self.tracking, &self.site_rules) {
            (Some(name), ..) => self.form(name).map(Some),
            (None, Some(_), _) => {
                Err(Failure::usage("--tracking-list needs --as with a form that names the list"))
            }
            (None, None, Some(_)) => {
                Err(Failure::usage("--rules needs --as with a form that has the step +rules"))
            }
            (None, None, None) => Ok(None),
        }
    }

    /// Returns two forms. One of them may ignore the lists.
    pub(crate) fn two_forms(&self, from: &FormName, to: &FormName) -> Result<(Form, Form), Failure> {
        let mut forms = self.forms(&[from.clone(), to.clone()])?;
        let to = forms.remove(1);
        Ok((forms.remove(0), to))
    }

    /// Returns forms. Some of them may ignore the lists.
    pub(crate) fn forms(&self, names: &[FormName]) -> Result<Vec<Form>, Failure> {
        let given = self.read()?;
        let forms: Vec<Form> =
            names.iter().map(|name| given.form(&name.0, Exit::Usage)).collect::<Result<_, _>>()?;
        given.check_used(&forms)?;
        Ok(forms)
    }

    /// Returns the form of a seen-set, or `None` if a set of that name does not exist.
    pub(crate) fn form_of_seen(&self, set: &Path) -> Result<Option<Form>, Failure> {
        if !is_seen_set(set) {
            return Ok(None);
        }
        let file = SeenFile::open(set)?;
        self.recorded(file.keys().name(), || file.site_rules()).map(Some)
    }

    /// Returns the form of an index if a list or rules are given. The form must name them.
    pub(crate) fn form_of(&self, index: &Path) -> Result<Option<Form>, Failure> {
        if self.paths().is_empty() || !index.exists() {
            return Ok(None);
        }
        let store = Urls::open(index, &[])?;
        match store.about()?.canonical_form {
            Some(name) => self.recorded(&name, || store.site_rules()).map(Some),
            // An index without a form uses neither a list nor rules, so giving them is an error.
            None => self.read()?.check_used(&[]).map(|()| None),
        }
    }

    /// Returns the form of stored URLs, if they have one. With `is_given`, --as is compared with it, and the
    /// lists may be those of --as.
    pub(crate) fn form_of_store(&self, urls: &Urls, is_given: bool) -> Result<Option<Form>, Failure> {
        match urls.about()?.canonical_form {
            Some(name) => self.recorded(&name, || urls.site_rules()).map(Some),
            None if is_given => Ok(None),
            None => self.read()?.check_used(&[]).map(|()| None),
        }
    }

    /// Returns the form that a store records. Its rules are the stored ones, unless rules are given.
    fn recorded(
        &self,
        name: &str,
        carried: impl FnOnce() -> Result<Option<Rules>, Error>,
    ) -> Result<Form, Failure> {
        let mut given = self.read()?;
        if given.rules.is_none() {
            given.rules = carried()?;
        }
        // The name comes from a file instead of the command line, so it is not an error of usage.
        let form = given.form(name, Exit::Failed)?;
        given.check_used(std::slice::from_ref(&form))?;
        Ok(form)
    }

    fn read(&self) -> Result<Given, Failure> {
        let of_file = |path: &Path, error: Error| Failure::of_file(path, &error);
        let tracking = self
            .tracking
            .as_deref()
            .map(|path| TrackingList::parse(&read_text(path)?).map_err(|error| of_file(path, error)));
        let rules = self
            .site_rules
            .as_deref()
            .map(|path| Rules::parse(&read_text(path)?).map_err(|error| of_file(path, error)));
        Ok(Given { tracking: tracking.transpose()?, rules: rules.transpose()? })
    }
}

impl Given {
    /// Returns the form with a name.
    fn form(&self, name: &str, exit: Exit) -> Result<Form, Failure> {
        Form::parse_with_rules(name, self.tracking.as_slice(), self.rules.as_ref())
            .map_err(|error| with_hint(Failure::new(exit, &error), hint(&error)))
    }

    /// Returns an error for a list or rules that are not used by any form.
    fn check_used(&self, forms: &[Form]) -> Result<(), Failure> {
        let uses = |list: &str| forms.iter().any(|form| form.to_string().contains(list));
        if let Some(list) = self.tracking.as_ref().filter(|list| !uses(list.name())) {
            let message =
                format!("--tracking-list: found {}, expected a list that the form names", list.name());
            return Err(Failure::usage(message));
        }
        match &self.rules {
            Some(rules) if !uses(rules.name()) => {
                Err(Failure::usage("--rules: expected a form with the step +rules"))
            }
            _ => Ok(()),
        }
    }
}

/// Makes the failure of an index with a form that may name a list or rules.
pub(crate) fn index_failure(error: Error) -> Failure {
    let source = std::error::Error::source(&error).and_then(|source| source.downcast_ref::<Error>());
    let hint = source.filter(|_| error.is(error::FORM_NAME)).and_then(hint);
    with_hint(error.into(), hint)
}

/// Returns advice for the error of a form that names a missing list or missing rules.
fn hint(error: &Error) -> Option<&'static str> {
    match () {
        () if error.is(NO_TRACKING_LIST) => Some("--tracking-list FILE gives the list of that name"),
        () if error.is(NO_RULES) => Some("--rules FILE gives the rules"),
        () => None,
    }
}

fn with_hint(failure: Failure, hint: Option<&'static str>) -> Failure {
    match hint {
        Some(hint) => failure.with_hint(hint),
        None => failure,
    }
}
