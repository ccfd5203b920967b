//! The name of a canonical form on the command line.

use urlid::canonical::{Form, Kind};

use crate::message::describe;

/// Reads the name of a form whose canonical forms are URLs.
pub(crate) fn parse_url_form(name: &str) -> Result<Form, String> {
    let form = parse_form(name)?;
    match form.profile().kind {
        Kind::Url => Ok(form),
        Kind::Key => Err(format!("ERR_CANON_NAME: {form} gives keys: expected a form that gives URLs")),
    }
}

/// Reads the name of a form.
pub(crate) fn parse_form(name: &str) -> Result<Form, String> {
    name.parse().map_err(|error| describe(&error as &urlid::canonical::NameError))
}
