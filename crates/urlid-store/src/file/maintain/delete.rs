//! Deletion of the answers to a question in one transaction.

use std::ops::ControlFlow;
use std::path::Path;

use crate::question::{Candidates, Question};
use urlid::Error;

use super::set_aside::SetAside;
use crate::file::database::Access;
use crate::file::error;
use crate::file::id::Ids;
use crate::file::open::IndexFile;
use crate::file::query::find::search;
use crate::file::row::stored_row;

/// Deletes every row that answers a question, in one transaction. On failure nothing is deleted.
///
/// # Errors
/// If the rows cannot be read or deleted, and [`DAMAGED_ROW`](crate::file::error::DAMAGED_ROW) if one of them is stored under a wrong key.
pub fn delete(path: &Path, question: &Question) -> Result<Candidates, Error> {
    delete_with(path, question, Ids::default())
}

pub(crate) fn delete_with(path: &Path, question: &Question, ids: Ids) -> Result<Candidates, Error> {
    let file = IndexFile::open(path, Access::Write)?;
    file.use_log()?;
    let aside = SetAside::beside(path);
    let found = file.change(|view| {
        let mut doomed = aside.create()?;
        let mut kept = Ok(());
        let found = search(view, question, ids, &mut |_, url| {
            let (id, text) = stored_row(url, ids);
            kept = doomed.push((&id, text.as_bytes()));
            if kept.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        })?;
        kept.map_err(|e| aside.failed(e))?;
        let count = aside.delete(view, &aside.finish(doomed)?)?;
        // A row under a wrong key is found by its URL, but not deleted by the key made from it. The error rolls back.
        if count == found.rows { Ok(found) } else { Err(error::DAMAGED_ROW.error()) }
    })?;
    file.checkpoint()?;
    Ok(found)
}
