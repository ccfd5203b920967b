//! The description of a SQL function, and its calls.

use std::fmt;

use urlid::{Error, ErrorCode, ErrorKind};

use super::evaluators::Evaluate;
use super::names::Names;
use super::{Output, SqlValue, Type};
use crate::kinds::IdKind;

const COUNT: ErrorKind = ErrorKind::new(
    ErrorCode::Argument,
    "wrong number of arguments of {subject}: found {found}, expected {expected}",
);
const TYPE: ErrorKind =
    ErrorKind::new(ErrorCode::Argument, "wrong type of argument {subject}: expected {expected}");

/// The most arguments that a function can have.
pub const MOST_ARGUMENTS: usize = 3;

/// An argument of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Argument {
    /// The name in the documentation.
    pub name: &'static str,
    /// The type.
    pub of: Type,
    /// Whether it is a constant of the query, like a name, instead of a column.
    pub is_constant: bool,
}

/// A call of a function with its result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Example {
    /// The call in SQL. Its arguments are texts and other calls.
    pub call: &'static str,
    /// The result as SQL prints it: a text in quotes, the digits of bytes as in `x'00ff'`, a number, `true`
    /// or `false`.
    pub result: &'static str,
}

/// A function of SQL, which is a row of the table. The result of every function is NULL if an argument is
/// NULL.
#[derive(Clone, Copy)]
pub struct Function {
    /// The name, the same in every database.
    pub name: &'static str,
    /// The arguments, in their order.
    pub arguments: &'static [Argument],
    /// The type of the result.
    pub result: Type,
    /// The result, in one sentence.
    pub about: &'static str,
    /// An example, which a test runs.
    pub example: Example,
    /// The identifier that the function computes for each URL, if it does only this and `urlid` has a batch
    /// encoder. The encoder computes many at once, faster than [`Call::run`] and with the same result.
    pub identifier: Option<IdKind>,
    pub(crate) evaluate: Evaluate,
}

impl fmt::Debug for Function {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

/// Displays as the signature, such as `urlid_slice(id, name)`.
impl fmt::Display for Function {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let arguments: Vec<_> = self.arguments.iter().map(|argument| argument.name).collect();
        write!(f, "{}({})", self.name, arguments.join(", "))
    }
}

impl Function {
    /// Returns a new call of the function.
    pub fn call(&'static self) -> Call {
        Call { function: self, names: Names::default() }
    }
}

/// A function with the names of the last row. One thread calls it at a time.
pub struct Call {
    function: &'static Function,
    names: Names,
}

impl fmt::Debug for Call {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Call({})", self.function)
    }
}

impl Call {
    /// Returns the called row of the table.
    pub fn function(&self) -> &'static Function {
        self.function
    }

    /// Returns the result for one row.
    ///
    /// # Errors
    /// If an argument is wrong for all rows. The number of arguments, a type, or a name is wrong.
    #[inline]
    pub fn run<'v>(&mut self, values: &[SqlValue<'v>]) -> Result<Output<'v>, Error> {
        let Function { arguments, evaluate, .. } = self.function;
        if values.len() != arguments.len() {
            return Err(self.wrong_count(values.len()));
        }
        // All arguments are checked before a NULL decides. A wrong type must fail in every row, not only in
        // some.
        let mut has_null = false;
        for (value, argument) in values.iter().zip(*arguments) {
            match (value, argument.of) {
                // NULL has no type in SQL.
                (SqlValue::Null, _) => has_null = true,
                (SqlValue::Text(_), Type::Text) | (SqlValue::Bytes(_), Type::Bytes) => {}
                _ => return Err(self.wrong_type(argument)),
            }
        }
        if has_null {
            return Ok(Output::Null);
        }
        evaluate(values, &mut self.names)
    }

    #[cold]
    fn wrong_count(&self, found: usize) -> Error {
        let Function { name, arguments, .. } = self.function;
        COUNT.error().with_subject(*name).with_shown(found).with_expected(arguments.len().to_string())
    }

    #[cold]
    fn wrong_type(&self, argument: &Argument) -> Error {
        let subject = format!("{} of {}", argument.name, self.function.name);
        TYPE.error().with_subject(subject).with_expected(argument.of.to_string())
    }
}
