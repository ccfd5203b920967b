//! `urlid canon --list`: the profiles.

use urlid_canonical::{Idna, Kind};

use crate::output::Output;
use crate::output::rows::{Column, Format, Rows, Shown, Value};
use crate::report::exit::{Exit, Failure};

/// Prints a row for each profile.
pub(super) fn print(format: Format) -> Result<Exit, Failure> {
    let mut out = Output::stdout()?;
    let columns = [
        ("name", Shown::Always),
        ("kind", Shown::Always),
        ("about", Shown::Always),
        ("idempotent", Shown::NotInText),
        ("suffix_list", Shown::NotInText),
        ("idna", Shown::NotInText),
        ("runtime", Shown::NotInText),
        ("frozen_since", Shown::NotInText),
    ];
    let mut rows = Rows::begin(&mut out, format, &columns.map(|(name, shown)| Column { name, shown }))?;
    for profile in urlid_canonical::Profile::all() {
        let kind = match profile.kind {
            Kind::Url => "url",
            Kind::Key => "key",
        };
        let idna = match profile.idna {
            Idna::None => Value::Null,
            Idna::Idna2003 => Value::Text("2003"),
            Idna::Idna2008 => Value::Text("2008"),
            Idna::Uts46 => Value::Text("uts46"),
        };
        let flag = |value: bool| Value::Json(if value { "true" } else { "false" });
        rows.write(
            &mut out,
            &[
                Value::Text(profile.name),
                Value::Text(kind),
                Value::Text(profile.about),
                flag(profile.is_idempotent),
                flag(profile.needs_suffix_list),
                idna,
                profile.runtime.map_or(Value::Null, Value::Text),
                Value::Text(profile.frozen_since),
            ],
        )?;
    }
    out.flush()?;
    Ok(Exit::Done)
}
