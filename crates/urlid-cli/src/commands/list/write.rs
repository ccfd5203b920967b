//! Where the text of a list goes.

use std::io::BufWriter;
use std::path::Path;

use urlid_lists::HiddenList;

use crate::output::Output;
use crate::output::files;
use crate::report::exit::Failure;

/// Returns the bytes of the text of a list.
pub(super) fn bytes(list: &HiddenList) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    list.write_text(&mut bytes).map_err(|error| Failure::output(&error))?;
    Ok(bytes)
}

/// Writes the text of a list to a file, or to standard output.
pub(super) fn text(list: &HiddenList, file: Option<&Path>, out: &mut Output) -> Result<(), Failure> {
    let Some(path) = file else {
        return list.write_text(out.writer()).map_err(|error| Failure::output(&error));
    };
    let failed = |error| Failure::write(path, &error);
    let mut file = BufWriter::new(files::create(path)?);
    list.write_text(&mut file).map_err(failed)?;
    file.into_inner().map_err(|error| failed(error.into_error()))?.publish().map_err(failed)
}
