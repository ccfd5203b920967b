//! The vectors of a call: arguments and results.

use std::ffi::c_void;
use std::marker::PhantomData;
use std::ptr;

use libduckdb_sys::v2::{
    duckdb_v2_bytes, duckdb_v2_bytes__bindgen_ty_1 as Value,
    duckdb_v2_bytes__bindgen_ty_1__bindgen_ty_1 as Pointer,
};
use urlid_ops::functions::{MOST_ARGUMENTS, Output, Type};

/// A text or bytes as DuckDB stores them, by either interface: the length, and behind it the bytes if they
/// are few; or else the first four and a pointer.
pub(super) type Bytes = duckdb_v2_bytes;

/// The most bytes that a row contains itself.
const LONGEST_INLINED: u32 = 12;

/// The most memory for results that is allocated at once, in bytes, unless a single result is longer.
const LARGEST_BLOCK: usize = 1 << 14;

/// The memory that a row most often needs, in bytes: for a host or an identifier.
const USUAL: usize = 32;

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
        // SAFETY: the selection has all rows. Of a constant or a dictionary the selection leads to the value;
        // the mask has a bit for each value, not for each row.
        let index = if selection.is_null() { row } else { unsafe { *selection.add(row) as usize } };
        // SAFETY: the mask has a bit for each value.
        let is_null = !validity.is_null() && unsafe { *validity.add(index / 64) } >> (index % 64) & 1 == 0;
        if is_null {
            return None;
        }
        // SAFETY: the value is in the vector and not NULL, so its text is initialised. A text of at most 12
        // bytes follows its length; of a longer one 4 bytes follow, and a pointer. Both live as long as the
        // chunk.
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

/// Whether all bytes are ASCII. The standard library looks at those that fill no block one by one; here the
/// last block overlaps.
#[inline]
fn is_ascii(bytes: &[u8]) -> bool {
    let Some(last) = bytes.last_chunk::<32>() else { return bytes.is_ascii() };
    bytes.as_chunks::<32>().0.iter().all(|block| block.is_ascii()) && last.is_ascii()
}

/// What an interface does with the vector of results.
pub(super) trait ResultVector {
    /// Returns the mask of rows that are not NULL, made if there is none.
    fn validity(&self) -> Result<*mut u64, String>;

    /// Returns memory for bytes, more than a row contains itself, that lives as long as the vector.
    ///
    /// # Safety
    /// The vector is of VARCHAR or BLOB, and not empty.
    unsafe fn allocate(&self, len: usize) -> Result<*mut u8, String>;
}

/// The results of a vector of rows, in their order.
pub(crate) struct Results<'c> {
    vector: &'c dyn ResultVector,
    of: Type,
    rows: usize,
    data: *mut c_void,
    /// The number of rows that have a result.
    len: usize,
    /// Memory of the vector for longer texts, and how many bytes of it are free.
    free: *mut u8,
    free_len: usize,
    /// The mask of rows that are not NULL; a null pointer as long as none is NULL.
    validity: *mut u64,
}

impl<'c> Results<'c> {
    /// # Safety
    /// The data is that of the vector, which has this type and at least this many rows, and stays for the
    /// lifetime of the value.
    pub(super) unsafe fn new(data: *mut c_void, of: Type, rows: usize, vector: &'c dyn ResultVector) -> Self {
        let (free, validity) = (ptr::null_mut(), ptr::null_mut());
        Results { vector, of, rows, data, len: 0, free, free_len: 0, validity }
    }

    /// Sets the result of the next row. An output of another type would be NULL, but functions return only
    /// their own type.
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
            _ => self.set_null(self.len)?,
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
        let (first, bytes) = (self.len, ids.as_flattened());
        let mut copy = self.copy(bytes)?;
        for (index, id) in ids.iter().enumerate() {
            // SAFETY: the vector is of BLOB, and has the row; the copy has 32 bytes for each.
            unsafe {
                self.strings().add(first + index).write(behind(copy, id, 32));
                copy = copy.add(32);
            }
        }
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
            behind(self.copy(bytes)?, bytes, length)
        };
        // SAFETY: the vector is of VARCHAR or BLOB, and has the row.
        unsafe { self.strings().add(self.len).write(string) };
        Ok(())
    }

    /// Copies bytes to memory of the vector.
    #[inline]
    fn copy(&mut self, bytes: &[u8]) -> Result<*mut u8, String> {
        if bytes.len() > self.free_len {
            self.allocate(bytes.len())?;
        }
        let place = self.free;
        // SAFETY: this many bytes are free.
        unsafe {
            ptr::copy_nonoverlapping(bytes.as_ptr(), place, bytes.len());
            self.free = place.add(bytes.len());
        }
        self.free_len -= bytes.len();
        Ok(place)
    }

    /// Gets memory for at least so many bytes, and for the next rows.
    #[cold]
    fn allocate(&mut self, least: usize) -> Result<(), String> {
        // Not more than the rows that are left will need: a vector of few rows takes little memory.
        let len = ((self.rows - self.len) * USUAL).min(LARGEST_BLOCK).max(least);
        // SAFETY: the vector is of VARCHAR or BLOB, since it has texts, and has rows.
        self.free = unsafe { self.vector.allocate(len) }?;
        self.free_len = len;
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
    // The text follows its length, and zeros follow the text: DuckDB compares such strings as whole words. So
    // that no bytes are written one by one, only to be read as words again, they are put together as a
    // number, the first byte the lowest.
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
    // SAFETY: all bits are valid in every field, and both have 16 bytes; `host` is for platforms of little
    // endian, as DuckDB is.
    unsafe { std::mem::transmute::<[u8; 16], Bytes>(words) }
}

/// Returns a text whose first and last bytes are given, which overlap but for `more` bytes.
#[inline]
fn joined(first: u128, last: u128, more: u32) -> u128 {
    // The bytes of the overlap are the same in both, so the OR leaves them as they are.
    first | last << (8 * more)
}

/// Returns the string for a longer text, of which there is a copy.
#[inline]
fn behind(copy: *mut u8, bytes: &[u8], length: u32) -> Bytes {
    // DuckDB compares the first 4 bytes without following the pointer.
    let prefix = [bytes[0], bytes[1], bytes[2], bytes[3]].map(u8::cast_signed);
    Bytes { value: Value { pointer: Pointer { length, prefix, ptr: copy.cast() } } }
}
