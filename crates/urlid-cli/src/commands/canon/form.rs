//! The name of a canonical form on the command line.

use urlid::canonical::{Form, Kind};

use crate::message::describe;

/// A form by its name.
#[derive(Clone, Debug)]
pub(crate) enum FormName {
    /// A profile of the library, optionally followed by more steps.
    Form(Form),
    /// The components of an SXURL as text, which depends on the suffix list of the command line.
    Sxurl,
}

/// Reads a name.
pub(crate) fn parse(name: &str) -> Result<FormName, String> {
    match name {
        "sxurl" => Ok(FormName::Sxurl),
        _ => parse_form(name).map(FormName::Form),
    }
}

/// Reads the name of a form whose canonical forms are URLs.
pub(crate) fn parse_url_form(name: &str) -> Result<Form, String> {
    let form = parse_form(name)?;
    match form.profile().kind {
        Kind::Url => Ok(form),
        Kind::Key => Err(format!("ERR_CANON_NAME: {form} gives keys: expected a form that gives URLs")),
    }
}

/// Reads the name of a form of the library.
pub(crate) fn parse_form(name: &str) -> Result<Form, String> {
    name.parse().map_err(|error| describe(&error as &urlid::canonical::NameError))
}
