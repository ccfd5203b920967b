//! Evaluators: Rust functions of typed arguments, and the types of SQL that follow from theirs.
//!
//! A [`Kind`] of arguments says what a value of a row becomes, [`Returned`] what the result of an evaluator is to a database.
//! [`typed`] puts both and an evaluator together, and is where NULL and wrong types end.

use std::borrow::Cow;
use std::marker::PhantomData;

use crate::functions::error::ArgumentError;
use crate::functions::names::Parsed;
use crate::functions::value::{Argument, Output, Type, Value};

/// Returns the result for one row, and keeps what the next row may need again.
pub(crate) type Evaluate = Box<dyn for<'v> FnMut(&[Value<'v>]) -> Result<Output<'v>, ArgumentError> + Send>;

/// A value that is not of the type of its argument.
pub(crate) struct WrongType;

/// What databases pass.
pub(crate) trait Passed: 'static {
    const TYPE: Type;

    /// Returns the value, or nothing for NULL.
    fn of(value: Value<'_>) -> Result<Option<&Self>, WrongType>;
}

impl Passed for str {
    const TYPE: Type = Type::Text;

    fn of(value: Value<'_>) -> Result<Option<&str>, WrongType> {
        match value {
            Value::Null => Ok(None),
            Value::Text(text) => Ok(Some(text)),
            Value::Bytes(_) | Value::Other => Err(WrongType),
        }
    }
}

impl Passed for [u8] {
    const TYPE: Type = Type::Bytes;

    fn of(value: Value<'_>) -> Result<Option<&[u8]>, WrongType> {
        match value {
            Value::Null => Ok(None),
            Value::Bytes(bytes) => Ok(Some(bytes)),
            Value::Text(_) | Value::Other => Err(WrongType),
        }
    }
}

/// A kind of arguments.
pub(crate) trait Kind: 'static {
    const NAME: &'static str;
    const IS_CONSTANT: bool;

    type Passed: Passed + ?Sized;

    /// What is kept between rows.
    type Kept: Default + Send + 'static;

    /// What an evaluator takes: of the row, or of what is kept.
    type Taken<'v, 'k>;

    /// Returns nothing for what is refused. It is an error if no row can have the value.
    fn take<'v, 'k>(
        passed: &'v Self::Passed,
        kept: &'k mut Self::Kept,
    ) -> Result<Option<Self::Taken<'v, 'k>>, ArgumentError>;
}

/// A kind of arguments that stands for something else, which is read once for a run of rows with the same text.
pub(crate) trait Named: Sized + Send + 'static {
    const NAME: &'static str;
    const IS_CONSTANT: bool = true;

    fn parse(name: &str) -> Result<Self, ArgumentError>;
}

impl<T: Named> Kind for T {
    const NAME: &'static str = T::NAME;
    const IS_CONSTANT: bool = T::IS_CONSTANT;

    type Passed = str;
    type Kept = Parsed<T>;
    type Taken<'v, 'k> = &'k T;

    fn take<'k>(name: &str, kept: &'k mut Parsed<T>) -> Result<Option<&'k T>, ArgumentError> {
        kept.get(name, T::parse).map(Some)
    }
}

/// The arguments of a function: a tuple of kinds.
pub(crate) trait Arguments: 'static {
    const ALL: &'static [Argument];

    type Kept: Default + Send + 'static;
    type Taken<'v, 'k>;

    /// Returns nothing if an argument is NULL or refused. The types of all come first, then NULL, then what the values are.
    fn take<'v, 'k>(
        function: &'static str,
        values: &[Value<'v>],
        kept: &'k mut Self::Kept,
    ) -> Result<Option<Self::Taken<'v, 'k>>, ArgumentError>;
}

const fn argument<K: Kind>() -> Argument {
    Argument { name: K::NAME, of: K::Passed::TYPE, is_constant: K::IS_CONSTANT }
}

#[inline(always)]
fn passed<'v, K: Kind>(
    function: &'static str,
    value: Value<'v>,
) -> Result<Option<&'v K::Passed>, ArgumentError> {
    let Argument { name: argument, of: expected, .. } = argument::<K>();
    K::Passed::of(value).map_err(|WrongType| ArgumentError::Type { function, argument, expected })
}

/// A Rust function of some arguments that returns an `R`, or nothing for NULL.
pub(crate) trait Evaluates<'v, 'k, A: Arguments, R: Returned + ?Sized>:
    Copy + Send + Sync + 'static
{
    fn evaluate(self, taken: A::Taken<'v, 'k>) -> Option<R::Of<'v>>;
}

macro_rules! arguments {
    ($($kind:ident $value:ident $kept:ident),+) => {
        impl<$($kind: Kind),+> Arguments for ($($kind,)+) {
            const ALL: &'static [Argument] = &[$(argument::<$kind>()),+];

            type Kept = ($($kind::Kept,)+);
            type Taken<'v, 'k> = ($($kind::Taken<'v, 'k>,)+);

            // Inlined with what it calls: what is taken of a row would be copied from call to call.
            #[inline(always)]
            fn take<'v, 'k>(
                function: &'static str,
                values: &[Value<'v>],
                ($($kept,)+): &'k mut Self::Kept,
            ) -> Result<Option<Self::Taken<'v, 'k>>, ArgumentError> {
                let &[$($value),+] = values else {
                    return Err(ArgumentError::Count { function, expected: Self::ALL.len(), found: values.len() });
                };
                $(let $value = passed::<$kind>(function, $value)?;)+
                let ($(Some($value),)+) = ($($value,)+) else { return Ok(None) };
                $(let $value = $kind::take($value, $kept)?;)+
                let ($(Some($value),)+) = ($($value,)+) else { return Ok(None) };
                Ok(Some(($($value,)+)))
            }
        }

        impl<'v, 'k, $($kind: Kind,)+ R: Returned + ?Sized, F> Evaluates<'v, 'k, ($($kind,)+), R> for F
        where
            F: Fn($($kind::Taken<'v, 'k>),+) -> Option<R::Of<'v>> + Copy + Send + Sync + 'static,
        {
            #[inline(always)]
            fn evaluate(self, ($($value,)+): ($($kind::Taken<'v, 'k>,)+)) -> Option<R::Of<'v>> {
                self($($value),+)
            }
        }
    };
}

arguments!(A a kept_a);
arguments!(A a kept_a, B b kept_b);
arguments!(A a kept_a, B b kept_b, C c kept_c);

/// The most arguments that a function can have.
pub const MOST_ARGUMENTS: usize = 3;

/// A result, by its type in Rust. A `str` may be part of an argument, a `String` is made.
pub(crate) trait Returned: 'static {
    const TYPE: Type;

    type Of<'v>: Into<Output<'v>>;
}

impl Returned for str {
    const TYPE: Type = Type::Text;
    type Of<'v> = Cow<'v, str>;
}

impl Returned for String {
    const TYPE: Type = Type::Text;
    type Of<'v> = Self;
}

impl Returned for [u8; 32] {
    const TYPE: Type = Type::Bytes;
    type Of<'v> = Self;
}

impl Returned for i64 {
    const TYPE: Type = Type::Integer;
    type Of<'v> = Self;
}

impl Returned for bool {
    const TYPE: Type = Type::Boolean;
    type Of<'v> = Self;
}

/// An evaluator with its types.
pub(crate) struct Typed<A, R: ?Sized, F> {
    evaluate: F,
    // A pointer to a function is `Send` and `Sync` whatever its types are, and an evaluator has values of neither.
    types: PhantomData<fn(A) -> PhantomData<R>>,
}

/// Returns an evaluator from arguments `A` to `R`. The compiler compares both with the types of the function.
pub(crate) const fn typed<A, R: ?Sized, F: Copy>(evaluate: F) -> Typed<A, R, F> {
    Typed { evaluate, types: PhantomData }
}

/// An evaluator of any types.
pub(crate) trait Evaluator: Sync {
    /// Returns what evaluates rows, with nothing kept yet. Errors have the name of the function.
    fn start(&self, function: &'static str) -> Evaluate;
}

impl<A, R, F> Evaluator for Typed<A, R, F>
where
    A: Arguments,
    R: Returned + ?Sized,
    F: for<'v, 'k> Evaluates<'v, 'k, A, R>,
{
    fn start(&self, function: &'static str) -> Evaluate {
        let (evaluator, mut kept) = (self.evaluate, A::Kept::default());
        Box::new(move |values| {
            let taken = A::take(function, values, &mut kept)?;
            Ok(taken.and_then(|taken| evaluator.evaluate(taken)).into())
        })
    }
}
