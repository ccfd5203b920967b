//! Tables: the SQL functions, the texts of codes, the version, and the snapshot.

use std::sync::LazyLock;

use urlid::snapshot::Snapshot;
use urlid::suffix::SuffixList;
use urlid_ops::functions;
use urlid_ops::functions::{FUNCTIONS, MOST_ARGUMENTS};

use crate::border::{guard, guard_or};
use crate::bytes::Bytes;
use crate::code::{self, Code};

/// The type of an argument, of a result, or of a value.
#[repr(i32)]
#[derive(Clone, Copy, Debug)]
#[expect(non_camel_case_types, reason = "the names of the header")]
pub enum Type {
    /// NULL, without a value.
    URLID_NULL = 0,
    /// UTF-8, in `bytes`.
    URLID_TEXT = 1,
    /// Bytes, in `bytes`.
    URLID_BYTES = 2,
    /// A number, in `integer`.
    URLID_INTEGER = 3,
    /// 0 or 1, in `integer`.
    URLID_BOOLEAN = 4,
}

impl From<functions::Type> for Type {
    fn from(of: functions::Type) -> Self {
        match of {
            functions::Type::Bytes => Type::URLID_BYTES,
            functions::Type::Integer => Type::URLID_INTEGER,
            functions::Type::Boolean => Type::URLID_BOOLEAN,
            _ => Type::URLID_TEXT,
        }
    }
}

/// The maximum number of arguments of a function.
pub const URLID_MOST_ARGUMENTS: usize = 3;

const _: () = assert!(URLID_MOST_ARGUMENTS == MOST_ARGUMENTS);

/// An argument of a function.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Argument {
    /// The name.
    pub name: Bytes,
    /// One of urlid_type.
    pub kind: i32,
}

/// An SQL function. Its texts are valid until the process ends.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Function {
    /// The name, which is the same in every database.
    pub name: Bytes,
    /// A sentence about the result.
    pub about: Bytes,
    /// The type of the result, one of urlid_type.
    pub result: i32,
    /// The number of arguments.
    pub argument_count: usize,
    /// The arguments. Arguments past the count are of type URLID_NULL.
    pub arguments: [Argument; URLID_MOST_ARGUMENTS],
}

/// Returns the number of functions.
#[unsafe(no_mangle)]
pub extern "C" fn urlid_function_count() -> usize {
    FUNCTIONS.len()
}

/// Writes the function with this number, counted from 0. A number beyond the last is URLID_MISUSE.
///
/// # Safety
/// `function` can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn urlid_function_at(number: usize, function: *mut Function) -> Code {
    guard(|| {
        let of = FUNCTIONS.get(number).filter(|_| !function.is_null()).ok_or(Code::URLID_MISUSE)?;
        let mut arguments =
            [Argument { name: Bytes::EMPTY, kind: Type::URLID_NULL as i32 }; URLID_MOST_ARGUMENTS];
        for (place, argument) in arguments.iter_mut().zip(of.arguments) {
            *place = Argument { name: argument.name.into(), kind: Type::from(argument.of) as i32 };
        }
        let described = Function {
            name: of.name.into(),
            about: of.about.into(),
            result: Type::from(of.result) as i32,
            argument_count: of.arguments.len(),
            arguments,
        };
        // SAFETY: not NULL, and otherwise promised by the caller.
        unsafe { function.write(described) };
        Ok(())
    })
}

/// Returns the text of a code, such as `ERR_PORT`. The text has length 0 if the number is not positive or
/// unknown. It is valid until the process ends.
#[unsafe(no_mangle)]
pub extern "C" fn urlid_code_text(code: i32) -> Bytes {
    guard_or(Bytes::EMPTY, || code::text(code).map_or(Bytes::EMPTY, Bytes::from))
}

/// Returns the version of urlid, such as `0.1.0`. It is valid until the process ends.
#[unsafe(no_mangle)]
pub extern "C" fn urlid_version() -> Bytes {
    Bytes::from(env!("CARGO_PKG_VERSION"))
}

/// Returns the data that SXURLs depend on in addition to their specification: the versions of the public
/// suffix list and of the Unicode data, as one line. Store it with identifiers. It is valid until the process
/// ends.
#[unsafe(no_mangle)]
pub extern "C" fn urlid_snapshot() -> Bytes {
    static SNAPSHOT: LazyLock<String> = LazyLock::new(|| Snapshot::new(SuffixList::compiled()).to_string());
    guard_or(Bytes::EMPTY, || Bytes::from(SNAPSHOT.as_str()))
}
