//! A column of values under construction, as in Arrow: the concatenated texts, their end offsets, and a mask
//! of nulls.

use bytes::Bytes;

/// A column of values.
///
/// ```
/// use urlid_io::tables::TextColumn;
///
/// let mut column = TextColumn::default();
/// column.push(Some("a"));
/// column.push(None);
/// assert!(column.iter().eq([Some("a"), None]));
/// ```
#[derive(Clone, Debug, Default)]
pub struct TextColumn {
    texts: String,
    /// The end of each text in `texts`. The end of a null equals the end of the previous value.
    ends: Vec<usize>,
    /// Whether each value is a text, not null.
    are_there: Vec<bool>,
}

impl TextColumn {
    /// Returns the number of values.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Returns whether the column is empty.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Appends nulls up to `len` values, or removes values beyond that.
    pub(crate) fn resize(&mut self, len: usize) {
        self.ends.resize(len, self.texts.len());
        self.are_there.resize(len, false);
        self.texts.truncate(self.ends.last().copied().unwrap_or(0));
    }

    /// Removes all values.
    pub fn clear(&mut self) {
        self.texts.clear();
        self.ends.clear();
        self.are_there.clear();
    }

    /// Appends a value, or a null.
    #[inline]
    pub fn push(&mut self, value: Option<&str>) {
        self.texts.push_str(value.unwrap_or_default());
        self.ends.push(self.texts.len());
        self.are_there.push(value.is_some());
    }

    /// Appends the value that `write` appends to its argument, or a null if `write` fails.
    ///
    /// # Errors
    /// The error of `write`.
    pub fn write<E>(&mut self, write: impl FnOnce(&mut String) -> Result<(), E>) -> Result<(), E> {
        let start = self.texts.len();
        let written = write(&mut self.texts);
        if written.is_err() {
            self.texts.truncate(start);
        }
        self.ends.push(self.texts.len());
        self.are_there.push(written.is_ok());
        written
    }

    /// Returns the value of a row, or `None` for a null.
    pub fn get(&self, row: usize) -> Option<&str> {
        let end = *self.ends.get(row).filter(|_| self.are_there[row])?;
        let start = row.checked_sub(1).map_or(0, |before| self.ends[before]);
        Some(&self.texts[start..end])
    }

    /// Returns for each value whether it is a text, not null.
    pub(crate) fn are_there(&self) -> &[bool] {
        &self.are_there
    }

    /// Removes all values and calls `each` with the texts, without the nulls, as slices of one buffer.
    pub(crate) fn take(&mut self, mut each: impl FnMut(Bytes)) {
        // The next values will need about as much room.
        let empty = String::with_capacity(self.texts.len());
        let buffer = Bytes::from(std::mem::replace(&mut self.texts, empty));
        let mut start = 0;
        for (&end, &is_there) in self.ends.iter().zip(&self.are_there) {
            if is_there {
                each(buffer.slice(start..end));
            }
            start = end;
        }
        self.clear();
    }

    /// Returns the values, nulls as `None`.
    pub fn iter(&self) -> impl Iterator<Item = Option<&str>> {
        let mut start = 0;
        self.ends.iter().zip(&self.are_there).map(move |(&end, &is_there)| {
            let text = &self.texts[start..end];
            start = end;
            is_there.then_some(text)
        })
    }
}
