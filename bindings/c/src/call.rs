//! Calls of the SQL functions, one row at a time.

use urlid::ErrorCode;
use urlid_ops::functions;
use urlid_ops::functions::{MOST_ARGUMENTS, Output};

use crate::border::guard;
use crate::bytes::{Bytes, array};
use crate::code::Code;
use crate::functions::Type;
use crate::handle::{free, make, text_of};

/// A value of an argument or a result.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Value {
    /// One of urlid_type.
    pub kind: i32,
    /// A number, or 0 or 1.
    pub integer: i64,
    /// A text or bytes.
    pub bytes: Bytes,
}

/// A function and its state between rows.
#[derive(Debug)]
pub struct Call {
    /// `None` while it runs, and always after a panic.
    call: Option<functions::Call>,
    output: Output<'static>,
    message: String,
}

/// Makes a call of the function with this name, such as `urlid_host`. An unknown name is URLID_ERR_ARGUMENT.
/// Free the call with urlid_call_free.
///
/// # Safety
/// `name` is a text, and `call` points to a pointer that can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn urlid_call_new(name: Bytes, call: *mut *mut Call) -> Code {
    let new = || {
        // SAFETY: promised by the caller.
        let name = unsafe { name.get() }.ok_or(Code::URLID_MISUSE)?;
        let function = str::from_utf8(name).ok().and_then(functions::function);
        let function = function.ok_or(Code::from(ErrorCode::Argument))?;
        Ok(Call { call: Some(function.call()), output: Output::Null, message: String::new() })
    };
    // SAFETY: promised by the caller.
    guard(|| unsafe { make(call, new) })
}

/// Frees a call. NULL is ignored.
///
/// # Safety
/// `call` is from urlid_call_new and is not used again, or is NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn urlid_call_free(call: *mut Call) {
    // SAFETY: promised by the caller.
    unsafe { free(call) }
}

/// Runs a call for one row. The result is URLID_NULL if an argument is URLID_NULL, if a URL or an identifier
/// is rejected, or if a URL does not have the requested part. The bytes of a result are valid until the call
/// is used again or freed.
///
/// An error code is about arguments that are wrong for every row: their number, a type, or a name. Its
/// message is urlid_call_message.
///
/// # Safety
/// `call` is from urlid_call_new, and no other thread uses it. `arguments` points to `count` values, whose
/// kind determines which of their fields are set, and `result` can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn urlid_call_run(
    call: *mut Call,
    arguments: *const Value,
    count: usize,
    result: *mut Value,
) -> Code {
    guard(|| {
        // SAFETY: promised by the caller.
        let (call, arguments) = unsafe { (call.as_mut(), array(arguments, count)) };
        let call = call.filter(|_| !result.is_null()).ok_or(Code::URLID_MISUSE)?;
        let arguments = arguments.ok_or(Code::URLID_MISUSE)?;
        let mut values = [functions::SqlValue::Null; MOST_ARGUMENTS + 1];
        for (value, argument) in values.iter_mut().zip(arguments) {
            // SAFETY: promised by the caller.
            *value = unsafe { argument.read() }.ok_or(Code::URLID_MISUSE)?;
        }
        // Longer arrays are truncated to one more than the maximum number of arguments, which every function
        // rejects.
        call.run(&values[..count.min(values.len())])?;
        // SAFETY: not NULL, and otherwise promised by the caller.
        unsafe { result.write(Value::of(&call.output)) };
        Ok(())
    })
}

/// Returns the message of the last error of a call. It is valid until the call is used again or freed.
///
/// # Safety
/// `call` is from urlid_call_new, and no other thread uses it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn urlid_call_message(call: *const Call) -> Bytes {
    // SAFETY: promised by the caller.
    unsafe { text_of(call, |call: &Call| &call.message) }
}

impl Call {
    fn run(&mut self, values: &[functions::SqlValue<'_>]) -> Result<(), Code> {
        self.message.clear();
        let mut call = self.call.take().ok_or(Code::URLID_PANIC)?;
        let result = call.run(values);
        self.call = Some(call);
        self.output = result.map(Output::into_owned).map_err(|error| {
            self.message = error.to_string();
            Code::from(error.code())
        })?;
        Ok(())
    }
}

impl Value {
    /// Reads a value of C. Returns `None` for an unknown kind or a NULL pointer with a length.
    ///
    /// # Safety
    /// If the kind is text or bytes, `bytes` is valid and stays unchanged during `'a`.
    unsafe fn read<'a>(&self) -> Option<functions::SqlValue<'a>> {
        // SAFETY: promised by the caller; only called for texts and bytes.
        let bytes = || unsafe { self.bytes.get() };
        match self.kind {
            kind if kind == Type::URLID_NULL as i32 => Some(functions::SqlValue::Null),
            // A text that is not UTF-8 is neither a URL nor a name.
            kind if kind == Type::URLID_TEXT as i32 => bytes().map(|bytes| {
                str::from_utf8(bytes).map_or(functions::SqlValue::Null, functions::SqlValue::Text)
            }),
            kind if kind == Type::URLID_BYTES as i32 => bytes().map(functions::SqlValue::Bytes),
            kind if kind == Type::URLID_INTEGER as i32 || kind == Type::URLID_BOOLEAN as i32 => {
                Some(functions::SqlValue::Other)
            }
            _ => None,
        }
    }

    /// Returns an output as a value of C, which points to the output's bytes.
    fn of(output: &Output<'_>) -> Self {
        let (kind, integer, bytes) = match output {
            Output::Null => (Type::URLID_NULL, 0, Bytes::EMPTY),
            Output::Text(text) => (Type::URLID_TEXT, 0, Bytes::from(&**text)),
            Output::Id(id) => (Type::URLID_BYTES, 0, Bytes::from(&id[..])),
            Output::Integer(number) => (Type::URLID_INTEGER, *number, Bytes::EMPTY),
            Output::Boolean(flag) => (Type::URLID_BOOLEAN, i64::from(*flag), Bytes::EMPTY),
        };
        Value { kind: kind as i32, integer, bytes }
    }
}
