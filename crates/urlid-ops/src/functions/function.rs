//! A function of SQL, and how it is called.

use std::fmt;

use crate::functions::error::ArgumentError;
use crate::functions::evaluator::{Arguments, Evaluate, Evaluates, Evaluator, Returned, Typed};
use crate::functions::value::{Argument, Output, Type, Value};

/// A call of a function with its result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Example {
    /// The call, as SQL has it. Its arguments are texts and other calls.
    pub call: &'static str,
    /// The result as SQL prints it: a text in quotes, the digits of bytes as in `x'00ff'`, a number, `true` or `false`.
    pub result: &'static str,
}

/// An identifier that the batch encoder of `urlid` makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Identifier {
    /// SXURL, by the compiled suffix list.
    Sxurl,
    /// SHA-256 of the WHATWG normal form.
    UrlHash,
}

/// A function of SQL: a row of the table. Its result is NULL if an argument is, in every function.
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
    /// An example, which a test runs.
    pub example: Example,
    /// The identifier that the function makes of each URL, if it does nothing else: the batch encoder of `urlid` makes many
    /// at once, faster than [`Call::run`] and with the same result.
    pub identifier: Option<Identifier>,
    pub(crate) evaluator: &'static dyn Evaluator,
}

/// Returns the types of a row, and its evaluator; the texts are those of the table.
pub(crate) const fn row<A, R, F>(evaluator: &'static Typed<A, R, F>) -> Function
where
    A: Arguments,
    R: Returned + ?Sized,
    F: for<'v, 'k> Evaluates<'v, 'k, A, R>,
{
    Function {
        name: "",
        arguments: A::ALL,
        result: R::TYPE,
        about: "",
        example: Example { call: "", result: "" },
        identifier: None,
        evaluator,
    }
}

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
        Call { function: self, evaluate: self.evaluator.start(self.name) }
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
    /// Returns the row of the table that is called.
    pub fn function(&self) -> &'static Function {
        self.function
    }

    /// Returns the result for one row.
    ///
    /// # Errors
    /// [`ArgumentError`] if an argument is wrong whatever the rows hold: the number of arguments, a type, or a name.
    pub fn run<'v>(&mut self, arguments: &[Value<'v>]) -> Result<Output<'v>, ArgumentError> {
        (self.evaluate)(arguments)
    }
}
