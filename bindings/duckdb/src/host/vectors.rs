//! The vectors of a call: arguments and results.

use std::ffi::c_void;
use std::marker::PhantomData;
use std::mem::MaybeUninit;
use std::ptr;

use libduckdb_sys::{
    duckdb_string_t as Bytes, duckdb_string_t__bindgen_ty_1 as Value,
    duckdb_string_t__bindgen_ty_1__bindgen_ty_1 as Pointer, duckdb_vector,
};
use urlid_ops::functions::{MOST_ARGUMENTS, Output, Type};

use super::api::duckdb;

/// The maximum number of bytes that a row contains itself.
const LONGEST_INLINED: u32 = 12;

/// The maximum number of bytes that are allocated at once for results, unless a single result is longer.
const LARGEST_BLOCK: usize = 1 << 14;

/// The usual number of bytes of a row: a host or an identifier.
const USUAL: usize = 32;

/// The arguments of a vector of rows: texts or bytes.
pub(crate) struct Arguments<'c> {
    rows: usize,
    columns: [Column; MOST_ARGUMENTS],
    chunk: PhantomData<&'c ()>,
}

/// The values of one argument.
#[derive(Clone, Copy)]
struct Column {
    /// The length of a text, followed by its bytes if they are few, or by its first four bytes and a pointer.
    strings: *const Bytes,
    /// A mask with a bit for each row, which is set if the row is not NULL. A null pointer if all rows have
    /// values.
    validity: *const u64,
}

impl<'c> Arguments<'c> {
    /// Reads the vectors that `vector` returns for the indexes up to `count`.
    ///
    /// # Safety
    /// Each has this many rows, of VARCHAR or BLOB, and stays for `'c`.
    pub(super) unsafe fn new(rows: usize, count: usize, vector: impl Fn(usize) -> duckdb_vector) -> Self {
        let mut columns = [Column { strings: ptr::null(), validity: ptr::null() }; MOST_ARGUMENTS];
        for (index, place) in columns.iter_mut().take(count).enumerate() {
            let vector = vector(index);
            // SAFETY: the vector is valid.
            *place = unsafe {
                Column {
                    strings: duckdb!(duckdb_vector_get_data(vector)).cast(),
                    validity: duckdb!(duckdb_vector_get_validity(vector)),
                }
            };
        }
        Arguments { rows, columns, chunk: PhantomData }
    }

    /// Returns the number of rows.
    pub(crate) fn rows(&self) -> usize {
        self.rows
    }

    /// Returns a value, or `None` for NULL.
    #[inline]
    pub(crate) fn get(&self, row: usize, column: usize) -> Option<&'c [u8]> {
        assert!(row < self.rows, "rows are counted by the caller");
        let Column { strings, validity } = self.columns[column];
        assert!(!strings.is_null(), "columns are counted by the caller");
        // SAFETY: the mask has a bit for each row.
        let is_null = !validity.is_null() && unsafe { *validity.add(row / 64) } >> (row % 64) & 1 == 0;
        if is_null {
            return None;
        }
        // SAFETY: the value is in the vector and not NULL, so its text is initialised. A text of at most 12
        // bytes follows its length. For a longer text, 4 bytes and a pointer follow the length. Both live as
        // long as the chunk.
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

/// Returns bytes as text. DuckDB checks texts at their source, but not every interface does.
#[inline]
pub(crate) fn text(bytes: &[u8]) -> Option<&str> {
    if is_ascii(bytes) {
        // SAFETY: ASCII is UTF-8. Nearly all URLs are ASCII, and the check for it is faster than UTF-8
        // validation.
        return Some(unsafe { str::from_utf8_unchecked(bytes) });
    }
    str::from_utf8(bytes).ok()
}

/// Returns whether all bytes are ASCII. The standard library checks the bytes after the last full block one
/// at a time, while the last block overlaps here.
#[inline]
fn is_ascii(bytes: &[u8]) -> bool {
    let Some(last) = bytes.last_chunk::<32>() else { return bytes.is_ascii() };
    bytes.as_chunks::<32>().0.iter().all(|block| block.is_ascii()) && last.is_ascii()
}

/// The results of a vector of rows, in their order.
pub(crate) struct Results<'c> {
    vector: duckdb_vector,
    of: Type,
    rows: usize,
    data: *mut c_void,
    /// The number of rows that have a result.
    len: usize,
    /// Memory of the vector for longer texts, and the number of its free bytes.
    free: *mut u8,
    free_len: usize,
    /// The mask of rows that are not NULL. A null pointer as long as no row is NULL.
    validity: *mut u64,
    call: PhantomData<&'c ()>,
}

impl Results<'_> {
    /// # Safety
    /// The vector has this type and at least this many rows, and stays for the lifetime of the value.
    pub(super) unsafe fn new(vector: duckdb_vector, of: Type, rows: usize) -> Self {
        // SAFETY: promised by the caller.
        let data = unsafe { duckdb!(duckdb_vector_get_data(vector)) };
        let (free, validity) = (ptr::null_mut(), ptr::null_mut());
        Results { vector, of, rows, data, len: 0, free, free_len: 0, validity, call: PhantomData }
    }

    /// Sets the result of the next row. An output of a different type would be NULL, but functions only
    /// return their own type.
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
            _ => self.set_null(self.len),
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
        let (first, bytes) = (self.len, ids.as_flattened());
        let mut copy = self.copy(bytes)?;
        for (index, id) in ids.iter().enumerate() {
            // SAFETY: the vector is of BLOB and has the row. The copy has 32 bytes for each identifier.
            unsafe {
                self.strings().add(first + index).write(behind(copy, id, 32));
                copy = copy.add(32);
            }
        }
        self.len += ids.len();
        gaps.for_each(|gap| self.set_null(first + gap));
        Ok(())
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

    /// Gets memory for at least this many bytes, and for the next rows.
    #[cold]
    fn allocate(&mut self, least: usize) -> Result<(), String> {
        // The memory is limited to the needs of the remaining rows, so a vector of few rows needs little
        // memory.
        let len = ((self.rows - self.len) * USUAL).min(LARGEST_BLOCK).max(least);
        // The interface only allocates memory for a copy of a text. The copy here is of zeros, and is
        // assigned to a row that gets its own value back.
        let zeros = vec![0_u8; len];
        // SAFETY: the vector is of VARCHAR or BLOB, since it has texts, and has a first row. The zeros are
        // too many to be inlined, so the row points to memory that DuckDB has allocated for them. Only this
        // row refers to that memory.
        let copy = unsafe {
            let row = self.strings().cast::<MaybeUninit<Bytes>>();
            let before = row.read();
            duckdb!(duckdb_vector_assign_string_element_len(
                self.vector,
                0,
                zeros.as_ptr().cast(),
                len as u64
            ));
            row.replace(before).assume_init().value.pointer
        };
        if copy.length as usize != len {
            return Err("DuckDB has no memory for the results".to_owned());
        }
        (self.free, self.free_len) = (copy.ptr.cast(), len);
        Ok(())
    }

    /// Sets a row to NULL.
    fn set_null(&mut self, row: usize) {
        assert!(row < self.rows, "rows are counted by the caller");
        if self.validity.is_null() {
            // SAFETY: the vector is valid.
            self.validity = unsafe {
                duckdb!(duckdb_vector_ensure_validity_writable(self.vector));
                duckdb!(duckdb_vector_get_validity(self.vector))
            };
        }
        // SAFETY: the mask has a bit for each row.
        unsafe { *self.validity.add(row / 64) &= !(1 << (row % 64)) };
    }

    /// Returns the rows of a vector of VARCHAR or BLOB.
    fn strings(&self) -> *mut Bytes {
        self.data.cast()
    }
}

/// Returns the string that contains a text of at most [`LONGEST_INLINED`] bytes.
#[inline]
fn inlined(bytes: &[u8], length: u32) -> Bytes {
    // The text follows its length, and zeros follow the text, because DuckDB compares such strings as whole
    // words. Bytes that are written one by one and then read as words would be slow. Therefore they are
    // combined into a number, with the first byte lowest.
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
    // SAFETY: all bits are valid in every field, and both have 16 bytes. Like DuckDB, `host` supports only
    // platforms of little endian.
    unsafe { std::mem::transmute::<[u8; 16], Bytes>(words) }
}

/// Returns a text from its first and last bytes, which overlap except for `more` bytes.
#[inline]
fn joined(first: u128, last: u128, more: u32) -> u128 {
    // The bytes of the overlap are the same in both, so the OR keeps them.
    first | last << (8 * more)
}

/// Returns the string for a longer text, which has been copied to `copy`.
#[inline]
fn behind(copy: *mut u8, bytes: &[u8], length: u32) -> Bytes {
    // DuckDB compares the first 4 bytes without following the pointer.
    let prefix = [bytes[0], bytes[1], bytes[2], bytes[3]].map(u8::cast_signed);
    Bytes { value: Value { pointer: Pointer { length, prefix, ptr: copy.cast() } } }
}
