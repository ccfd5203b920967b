//! The vectors of a call: arguments and results.
//!
//! They are flat: DuckDB expands constants, dictionaries and the like before the call.

use std::ffi::c_void;
use std::marker::PhantomData;
use std::ptr;

use libduckdb_sys::{
    duckdb_data_chunk, duckdb_string_t, duckdb_string_t__bindgen_ty_1 as StringOrPointer,
    duckdb_string_t__bindgen_ty_1__bindgen_ty_1 as StringPointer,
    duckdb_string_t__bindgen_ty_1__bindgen_ty_2 as InlinedString, duckdb_vector,
};
use urlid_functions::{MOST_ARGUMENTS, Output, Type};

use super::api::duckdb;

/// The longest text that a `duckdb_string_t` contains itself, in bytes; a longer one is behind a pointer.
const LONGEST_INLINED: u32 = 12;

/// The empty text, which is inlined.
const EMPTY: duckdb_string_t =
    duckdb_string_t { value: StringOrPointer { inlined: InlinedString { length: 0, inlined: [0; 12] } } };

/// The most bytes of results that wait to be copied to DuckDB, unless a single result is longer.
const MOST_WAITING: usize = 1 << 20;

/// The arguments of a vector of rows: texts or bytes.
pub(crate) struct Arguments<'c> {
    rows: usize,
    columns: [Column<'c>; MOST_ARGUMENTS],
}

/// The values of one argument.
#[derive(Clone, Copy)]
struct Column<'c> {
    strings: *const duckdb_string_t,
    /// A mask with a bit for each row, set if the row is not NULL; a null pointer if no row is NULL.
    validity: *const u64,
    chunk: PhantomData<&'c ()>,
}

impl<'c> Arguments<'c> {
    /// # Safety
    /// The chunk has at least `count` columns of VARCHAR or BLOB, flat, and stays for `'c`.
    pub(super) unsafe fn new(chunk: duckdb_data_chunk, count: usize) -> Self {
        let none = Column { strings: ptr::null(), validity: ptr::null(), chunk: PhantomData };
        let mut columns = [none; MOST_ARGUMENTS];
        for (index, column) in columns.iter_mut().take(count).enumerate() {
            // SAFETY: the chunk has the column.
            unsafe {
                let vector = duckdb!(duckdb_data_chunk_get_vector(chunk, index as u64));
                column.strings = duckdb!(duckdb_vector_get_data(vector)).cast();
                column.validity = duckdb!(duckdb_vector_get_validity(vector));
            }
        }
        // SAFETY: the chunk is valid.
        Arguments { rows: unsafe { duckdb!(duckdb_data_chunk_get_size(chunk)) } as usize, columns }
    }

    /// Returns the number of rows.
    pub(crate) fn rows(&self) -> usize {
        self.rows
    }

    /// Returns a value, or `None` for NULL.
    #[inline]
    pub(crate) fn get(&self, row: usize, column: usize) -> Option<&'c [u8]> {
        assert!(row < self.rows, "rows are counted by the caller");
        let Column { strings, validity, .. } = self.columns[column];
        assert!(!strings.is_null(), "columns are counted by the caller");
        // SAFETY: the mask has a bit for each row.
        let is_null = !validity.is_null() && unsafe { *validity.add(row / 64) } >> (row % 64) & 1 == 0;
        if is_null {
            return None;
        }
        // SAFETY: the row is in the vector and not NULL, so its text is initialised. A text of at most 12 bytes follows its
        // length; of a longer one 4 bytes follow, and a pointer. Both live as long as the chunk.
        unsafe {
            let text = &(*strings.add(row)).value;
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

/// The results of a vector of rows, in their order.
pub(crate) struct Results<'c> {
    vector: duckdb_vector,
    of: Type,
    rows: usize,
    data: *mut c_void,
    /// The number of rows that have a result.
    len: usize,
    /// The longer texts of the rows from `waiting_from` on, one after the other. They are copied to DuckDB at once; until then
    /// a row has an offset into this buffer in place of its pointer.
    waiting: Vec<u8>,
    waiting_from: usize,
    chunk: PhantomData<&'c mut ()>,
}

impl Results<'_> {
    /// # Safety
    /// The vector has this type and at least this many rows, and stays for the lifetime of the value.
    pub(super) unsafe fn new(vector: duckdb_vector, of: Type, rows: usize) -> Self {
        // SAFETY: the vector is valid.
        let data = unsafe { duckdb!(duckdb_vector_get_data(vector)) };
        Results { vector, of, rows, data, len: 0, waiting: Vec::new(), waiting_from: 0, chunk: PhantomData }
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
                self.set_null(self.len);
            }
        }
        self.len += 1;
        Ok(())
    }

    /// Sets the next rows to identifiers, except those at `gaps`, which become NULL.
    pub(crate) fn push_ids(
        &mut self,
        ids: &[[u8; 32]],
        gaps: impl Iterator<Item = usize>,
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
        gaps.for_each(|gap| self.set_null(first + gap));
        Ok(())
    }

    /// Sets the next row to a text or bytes.
    #[inline]
    fn push_string(&mut self, bytes: &[u8]) -> Result<(), String> {
        let length = u32::try_from(bytes.len()).map_err(|_| "the result is too long for DuckDB")?;
        let mut string = EMPTY;
        if length <= LONGEST_INLINED {
            // SAFETY: a short text follows its length. DuckDB compares inlined strings as whole words, so the rest stays zero.
            let place = unsafe { &mut string.value.inlined };
            place.length = length;
            for (to, from) in place.inlined.iter_mut().zip(bytes) {
                *to = from.cast_signed();
            }
        } else {
            if self.waiting.len() + bytes.len() > MOST_WAITING {
                self.place()?;
            }
            string = waiting(bytes, length, self.waiting.len());
            self.waiting.extend_from_slice(bytes);
        }
        // SAFETY: the vector is of VARCHAR or BLOB, and has the row.
        unsafe { self.strings().add(self.len).write(string) };
        Ok(())
    }

    /// Copies the waiting texts to memory of the vector, and sets the pointers of their rows.
    pub(super) fn place(&mut self) -> Result<(), String> {
        if !self.waiting.is_empty() {
            // SAFETY: the vector is of VARCHAR or BLOB, and all of its rows so far are initialised. DuckDB copies the bytes as
            // one string, too long to be inlined, to memory that lives as long as the vector, so all rows may point to parts of
            // it. The row to which it was assigned gets its own value back.
            unsafe {
                let first = &mut *self.strings().add(self.waiting_from);
                let before = std::mem::replace(first, EMPTY);
                duckdb!(duckdb_vector_assign_string_element_len(
                    self.vector,
                    self.waiting_from as u64,
                    self.waiting.as_ptr().cast(),
                    self.waiting.len() as u64
                ));
                let whole =
                    std::mem::replace(&mut *self.strings().add(self.waiting_from), before).value.pointer;
                if whole.length as usize != self.waiting.len() {
                    return Err("DuckDB does not take the results as texts".to_owned());
                }
                for row in self.waiting_from..self.len {
                    let string = &mut (*self.strings().add(row)).value.pointer;
                    if string.length > LONGEST_INLINED {
                        string.ptr = whole.ptr.add(string.ptr.addr());
                    }
                }
            }
            self.waiting.clear();
        }
        self.waiting_from = self.len;
        Ok(())
    }

    /// Sets a row to NULL.
    fn set_null(&self, row: usize) {
        assert!(row < self.rows, "rows are counted by the caller");
        // SAFETY: the mask, made if there was none, has a bit for each row.
        unsafe {
            duckdb!(duckdb_vector_ensure_validity_writable(self.vector));
            let word = duckdb!(duckdb_vector_get_validity(self.vector)).add(row / 64);
            *word &= !(1 << (row % 64));
        }
    }

    /// Returns the rows of a vector of VARCHAR or BLOB.
    fn strings(&self) -> *mut duckdb_string_t {
        self.data.cast()
    }
}

/// Returns the string for a longer text that waits at an offset.
#[inline]
fn waiting(bytes: &[u8], length: u32, offset: usize) -> duckdb_string_t {
    // DuckDB compares the first 4 bytes without following the pointer.
    let prefix = [bytes[0], bytes[1], bytes[2], bytes[3]].map(u8::cast_signed);
    let pointer = StringPointer { length, prefix, ptr: ptr::without_provenance_mut(offset) };
    duckdb_string_t { value: StringOrPointer { pointer } }
}
