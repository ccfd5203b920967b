//! A function of SQL, and how it is called.

use std::fmt;

use crate::error::ArgumentError;
use crate::value::{Output, Type, Value};

/// An argument of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Argument {
    /// The name, as the documentation has it.
    pub name: &'static str,
    /// The type.
    pub of: Type,
}

/// An identifier that the batch encoder of `urlid` makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Identifier {
    /// SXURL.
    Sxurl,
    /// url-hash.
    UrlHash,
}

/// A function of SQL.
#[derive(Clone, Copy)]
pub struct Function {
    /// The name, the same in every database.
    pub name: &'static str,
    /// The arguments, in their order.
    pub arguments: &'static [Argument],
    /// The type of the result.
    pub result: Type,
    /// What the function returns, in one sentence.
    pub about: &'static str,
    /// The identifier that the function makes of each URL, if it does nothing else: the batch encoder of `urlid` makes many
    /// at once, faster than [`Call::run`] and with the same result.
    pub identifier: Option<Identifier>,
    pub(crate) evaluate: fn() -> Evaluate,
}

/// Returns the result for arguments that are not NULL, of the right number and types.
pub(crate) type Evaluate = Box<dyn for<'v> FnMut(&[Value<'v>]) -> Result<Output<'v>, ArgumentError> + Send>;

impl fmt::Debug for Function {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

/// The signature, such as `urlid_slice(id, name)`.
impl fmt::Display for Function {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let arguments: Vec<_> = self.arguments.iter().map(|argument| argument.name).collect();
        write!(f, "{}({})", self.name, arguments.join(", "))
    }
}

impl Function {
    /// Returns a new call of the function.
    pub fn call(&'static self) -> Call {
        Call { function: self, evaluate: (self.evaluate)() }
    }
}

/// A function with what it keeps between rows. One thread calls it at a time.
pub struct Call {
    function: &'static Function,
    evaluate: Evaluate,
}

impl fmt::Debug for Call {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Call({})", self.function)
    }
}

impl Call {
    /// Returns the function.
    pub fn function(&self) -> &'static Function {
        self.function
    }

    /// Returns the result for one row.
    ///
    /// # Errors
    /// [`ArgumentError`] if an argument is wrong whatever the rows hold: the number of arguments, a type, or a name.
    pub fn run<'v>(&mut self, arguments: &[Value<'v>]) -> Result<Output<'v>, ArgumentError> {
        let Function { name: function, arguments: expected, .. } = *self.function;
        if arguments.len() != expected.len() {
            return Err(ArgumentError::Count { function, expected: expected.len(), found: arguments.len() });
        }
        for (value, argument) in arguments.iter().zip(expected) {
            if !value.is(argument.of) {
                return Err(ArgumentError::Type { function, argument: argument.name, expected: argument.of });
            }
        }
        match arguments.contains(&Value::Null) {
            true => Ok(Output::Null),
            false => (self.evaluate)(arguments),
        }
    }
}
