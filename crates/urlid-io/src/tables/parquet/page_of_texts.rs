//! Pages of texts that are read by their place, for files whose metadata says where they are.

use std::ops::ControlFlow;

use bytes::Bytes;
use urlid::Error;

use super::ParquetColumn;
use super::end::End;
use super::pages::Pages;
use super::values::each_value;

impl ParquetColumn {
    /// Returns a text of the file's metadata.
    #[must_use]
    pub fn fact(&self, key: &str) -> Option<&str> {
        let facts = self.metadata.file_metadata().key_value_metadata()?;
        facts.iter().find(|fact| fact.key == key)?.value.as_deref()
    }

    /// Calls `each` with every value of a page of the column, given as its bytes in the file, until it returns `Break`.
    ///
    /// # Errors
    /// If the bytes are not a page of `rows` rows without a dictionary. The values before that are valid.
    pub fn each_value_of_page(
        &self,
        page: Bytes,
        rows: u32,
        each: &mut dyn FnMut(Option<&[u8]>) -> ControlFlow<()>,
    ) -> Result<(), Error> {
        let damaged = |detail: String| End::Damaged(detail).into_error(0, 0);
        let Some(group) = self.metadata.row_groups().first() else {
            return Err(damaged("the file has no rows".to_owned()));
        };
        let read = || -> Result<(), End> {
            let mut pages = Pages::of_bytes(page, group.column(self.column))?;
            let page = pages.next()?.ok_or_else(|| "it has no page".to_owned())?;
            if page.values != rows {
                return Err(format!("it has {} rows, expected {rows}", page.values).into());
            }
            if pages.next()?.is_some() {
                return Err("it has a second page".to_owned().into());
            }
            each_value(&page, None, (self.shape, self.is_nullable), &mut |value| {
                if each(value).is_break() { Err(End::Stopped) } else { Ok(()) }
            })
        };
        match read() {
            Ok(()) | Err(End::Stopped) => Ok(()),
            Err(end) => Err(end.into_error(0, 0)),
        }
    }
}
