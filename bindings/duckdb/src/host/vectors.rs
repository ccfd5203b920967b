//! The vectors of a call: arguments and results.

use std::ffi::{c_char, c_void};
use std::marker::PhantomData;
use std::ptr;

use libduckdb_sys::v2::{
    duckdb_v2_bytes, duckdb_v2_bytes__bindgen_ty_1 as Value,
    duckdb_v2_bytes__bindgen_ty_1__bindgen_ty_1 as Pointer,
};
use urlid_functions::{MOST_ARGUMENTS, Output, Type};

/// A text or bytes as DuckDB stores them, by either interface: the length, and behind it the bytes if they are few; or else the
/// first four and a pointer.
pub(super) type Bytes = duckdb_v2_bytes;

/// The most bytes that a row contains itself.
const LONGEST_INLINED: u32 = 12;

/// The most bytes of results that wait to be copied to DuckDB, unless a single result is longer.
const MOST_WAITING: usize = 1 << 20;

/// The room for waiting bytes, at first: what most vectors of hosts and identifiers need.
const ROOM: usize = 32;

/// The arguments of a vector of rows: texts or bytes.
pub(crate) struct Arguments<'c> {
    rows: usize,
    columns: [Column; MOST_ARGUMENTS],
    chunk: PhantomData<&'c ()>,
}

/// The values of one argument.
#[derive(Clone, Copy)]
pub(super) struct Column {
    pub(super) strings: *const Bytes,
    /// A mask with a bit for each of the values, set if it is not NULL; a null pointer if none is.
    pub(super) validity: *const u64,
    /// The value of each row; a null pointer if each is at the index of its row.
    pub(super) selection: *const u32,
}

impl<'c> Arguments<'c> {
    /// Takes the columns that `column` returns for the indexes up to `count`.
    ///
    /// # Safety
    /// Each has values for this many rows, of VARCHAR or BLOB, and stays for `'c`.
    pub(super) unsafe fn new(
        rows: usize,
        count: usize,
        column: impl Fn(usize) -> Result<Column, String>,
    ) -> Result<Self, String> {
        let none = Column { strings: ptr::null(), validity: ptr::null(), selection: ptr::null() };
        let mut columns = [none; MOST_ARGUMENTS];
        for (index, place) in columns.iter_mut().take(count).enumerate() {
            *place = column(index)?;
        }
        Ok(Arguments { rows, columns, chunk: PhantomData })
    }

    /// Returns the number of rows.
    pub(crate) fn rows(&self) -> usize {
        self.rows
    }

    /// Returns a value, or `None` for NULL.
    #[inline]
    pub(crate) fn get(&self, row: usize, column: usize) -> Option<&'c [u8]> {
        assert!(row < self.rows, "rows are counted by the caller");
        let Column { strings, validity, selection } = self.columns[column];
        assert!(!strings.is_null(), "columns are counted by the caller");
        // SAFETY: the selection has all rows.
        let index = if selection.is_null() { row } else { unsafe { *selection.add(row) as usize } };
        // SAFETY: the mask has a bit for each value.
        let is_null = !validity.is_null() && unsafe { *validity.add(index / 64) } >> (index % 64) & 1 == 0;
        if is_null {
            return None;
        }
        // SAFETY: the value is in the vector and not NULL, so its text is initialised. A text of at most 12 bytes follows its
        // length; of a longer one 4 bytes follow, and a pointer. Both live as long as the chunk.
        unsafe {
            let text = &(*strings.add(index)).value;
            let length = text.inlined.length;
            let bytes = if length <= LONGEST_INLINED {
                text.inlined.inlined.as_ptr()
            } else {
                text.pointer.ptr.cast_const()
            };
            Some(std::slice::from_raw_parts(bytes.cast(), length as usize))
        }
    }
}

/// Returns bytes as text. DuckDB checks texts where they come from, but not every interface does.
#[inline]
pub(crate) fn text(bytes: &[u8]) -> Option<&str> {
    if is_ascii(bytes) {
        // SAFETY: ASCII is UTF-8. Nearly all URLs are, and it is found faster than UTF-8 is validated.
        return Some(unsafe { str::from_utf8_unchecked(bytes) });
    }
    str::from_utf8(bytes).ok()
}

/// Whether all bytes are ASCII. The standard library looks at those that fill no block one by one; here the last block overlaps.
#[inline]
fn is_ascii(bytes: &[u8]) -> bool {
    let Some(last) = bytes.last_chunk::<32>() else { return bytes.is_ascii() };
    bytes.as_chunks::<32>().0.iter().all(|block| block.is_ascii()) && last.is_ascii()
}

/// What an interface does with the vector of results.
pub(super) trait ResultVector {
    /// Returns the mask of rows that are not NULL, made if there is none.
    fn validity(&self) -> Result<*mut u64, String>;

    /// Copies bytes, more than a row contains itself, to memory that lives as long as the vector.
    ///
    /// # Safety
    /// The vector is of VARCHAR or BLOB, and not empty.
    unsafe fn keep(&self, bytes: &[u8]) -> Result<*mut c_char, String>;
}

/// The results of a vector of rows, in their order.
pub(crate) struct Results<'c> {
    vector: &'c dyn ResultVector,
    of: Type,
    rows: usize,
    data: *mut c_void,
    /// The number of rows that have a result.
    len: usize,
    /// The longer texts of the rows from `waiting_from` on, one after the other. They are copied to DuckDB at once; until then
    /// a row has an offset into this buffer in place of its pointer.
    waiting: Vec<u8>,
    waiting_from: usize,
    /// The mask of rows that are not NULL; a null pointer as long as none is NULL.
    validity: *mut u64,
}

impl<'c> Results<'c> {
    /// # Safety
    /// The data is that of the vector, which has this type and at least this many rows, and stays for the lifetime of the value.
    pub(super) unsafe fn new(data: *mut c_void, of: Type, rows: usize, vector: &'c dyn ResultVector) -> Self {
        let room = if matches!(of, Type::Text | Type::Bytes) { rows * ROOM } else { 0 };
        let waiting = Vec::with_capacity(room);
        Results { vector, of, rows, data, len: 0, waiting, waiting_from: 0, validity: ptr::null_mut() }
    }

    /// Sets the result of the next row. An output of another type would be NULL, but functions return only their own type.
    #[inline]
    pub(crate) fn push(&mut self, output: &Output<'_>) -> Result<(), String> {
        assert!(self.len < self.rows, "rows are counted by the caller");
        match (self.of, output) {
            (Type::Text, Output::Text(text)) => self.push_string(text.as_bytes())?,
            (Type::Bytes, Output::Id(id)) => self.push_string(id)?,
            // SAFETY: the vector has 64-bit integers, and the row.
            (Type::Integer, Output::Integer(number)) => unsafe {
                self.data.cast::<i64>().add(self.len).write(*number);
            },
            // SAFETY: the vector has booleans of a byte, and the row.
            (Type::Boolean, Output::Boolean(flag)) => unsafe {
                self.data.cast::<bool>().add(self.len).write(*flag);
            },
            _ => {
                if matches!(self.of, Type::Text | Type::Bytes) {
                    // `place` reads the lengths of all rows, so NULL rows are initialised too.
                    self.push_string(&[])?;
                }
                self.set_null(self.len)?;
            }
        }
        self.len += 1;
        Ok(())
    }

    /// Sets the next rows to identifiers, except those at `gaps`, which become NULL.
    pub(crate) fn push_ids(
        &mut self,
        ids: &[[u8; 32]],
        mut gaps: impl Iterator<Item = usize>,
    ) -> Result<(), String> {
        assert!(
            self.of == Type::Bytes && ids.len() <= self.rows - self.len,
            "rows are counted by the caller"
        );
        if self.waiting.len() > MOST_WAITING {
            self.place()?;
        }
        let (first, start) = (self.len, self.waiting.len());
        for (index, id) in ids.iter().enumerate() {
            // SAFETY: the vector is of BLOB, and has the row.
            unsafe { self.strings().add(first + index).write(waiting(id, 32, start + index * 32)) };
        }
        self.waiting.extend_from_slice(ids.as_flattened());
        self.len += ids.len();
        gaps.try_for_each(|gap| self.set_null(first + gap))
    }

    /// Sets the next row to a text or bytes.
    #[inline]
    fn push_string(&mut self, bytes: &[u8]) -> Result<(), String> {
        let length = u32::try_from(bytes.len()).map_err(|_| "the result is too long for DuckDB")?;
        let string = if length <= LONGEST_INLINED {
            inlined(bytes, length)
        } else {
            if self.waiting.len() + bytes.len() > MOST_WAITING {
                self.place()?;
            }
            let string = waiting(bytes, length, self.waiting.len());
            self.waiting.extend_from_slice(bytes);
            string
        };
        // SAFETY: the vector is of VARCHAR or BLOB, and has the row.
        unsafe { self.strings().add(self.len).write(string) };
        Ok(())
    }

    /// Copies the waiting texts to memory of the vector, and sets the pointers of their rows.
    pub(super) fn place(&mut self) -> Result<(), String> {
        if !self.waiting.is_empty() {
            // SAFETY: the vector is of VARCHAR or BLOB, and all of its rows so far are initialised. All of them may point to
            // parts of the same memory.
            unsafe {
                let kept = self.vector.keep(&self.waiting)?;
                for row in self.waiting_from..self.len {
                    let string = &mut (*self.strings().add(row)).value.pointer;
                    if string.length > LONGEST_INLINED {
                        string.ptr = kept.add(string.ptr.addr());
                    }
                }
            }
            self.waiting.clear();
        }
        self.waiting_from = self.len;
        Ok(())
    }

    /// Sets a row to NULL.
    fn set_null(&mut self, row: usize) -> Result<(), String> {
        assert!(row < self.rows, "rows are counted by the caller");
        if self.validity.is_null() {
            self.validity = self.vector.validity()?;
        }
        // SAFETY: the mask has a bit for each row.
        unsafe { *self.validity.add(row / 64) &= !(1 << (row % 64)) };
        Ok(())
    }

    /// Returns the rows of a vector of VARCHAR or BLOB.
    fn strings(&self) -> *mut Bytes {
        self.data.cast()
    }
}

/// Returns the string that contains a text of at most [`LONGEST_INLINED`] bytes.
#[inline]
fn inlined(bytes: &[u8], length: u32) -> Bytes {
    // The text follows its length, and zeros follow the text: DuckDB compares such strings as whole words. So that no bytes are
    // written one by one, only to be read as words again, they are put together as a number, the first byte the lowest.
    let text = match (bytes.first_chunk(), bytes.last_chunk()) {
        (Some(first), Some(last)) => {
            joined(u64::from_le_bytes(*first).into(), u64::from_le_bytes(*last).into(), length - 8)
        }
        _ => match (bytes.first_chunk(), bytes.last_chunk()) {
            (Some(first), Some(last)) => {
                joined(u32::from_le_bytes(*first).into(), u32::from_le_bytes(*last).into(), length - 4)
            }
            _ => bytes.iter().rev().fold(0, |number, byte| number << 8 | u128::from(*byte)),
        },
    };
    let words = (text << 32 | u128::from(length)).to_le_bytes();
    // SAFETY: all bits are valid in every field, and both have 16 bytes; `host` is for platforms of little endian, as DuckDB is.
    unsafe { std::mem::transmute::<[u8; 16], Bytes>(words) }
}

/// Returns a text whose first and last bytes are given, which overlap but for `more` bytes.
#[inline]
fn joined(first: u128, last: u128, more: u32) -> u128 {
    first | last << (8 * more)
}

/// Returns the string for a longer text that waits at an offset.
#[inline]
fn waiting(bytes: &[u8], length: u32, offset: usize) -> Bytes {
    // DuckDB compares the first 4 bytes without following the pointer.
    let prefix = [bytes[0], bytes[1], bytes[2], bytes[3]].map(u8::cast_signed);
    let pointer = Pointer { length, prefix, ptr: ptr::without_provenance_mut(offset) };
    Bytes { value: Value { pointer } }
}
