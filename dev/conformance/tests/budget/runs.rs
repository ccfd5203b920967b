//! Functions that differ only in their names, so that a profile distinguishes the runs of an operation.
//!
//! A profile has the cost of each call of a function by a different function. A run is a pair of these
//! functions. The first calls the second, which does the work. There are as many pairs as an operation may
//! have runs.

use std::hint::black_box;

/// The number of functions in each of the two sets.
const FUNCTIONS: usize = 20;
/// The maximum number of runs of an operation.
pub(crate) const MOST: usize = FUNCTIONS * FUNCTIONS;

type Work<'w> = &'w mut dyn FnMut();
type Inner = fn(Work<'_>);
type Outer = fn(Inner, Work<'_>);

/// Makes a module of functions that differ in their names, and a table of them.
macro_rules! functions {
    ($module:ident: $of:ident, $arguments:tt $call:block, $($name:ident)*) => {
        mod $module {
            use super::*;

            pub(super) const ALL: [$of; FUNCTIONS] = [$($name),*];
            $(
                #[inline(never)]
                fn $name $arguments {
                    // The body differs, because the compiler would otherwise merge the functions, and it has
                    // an action after the call.
                    black_box(stringify!($name));
                    $call
                    black_box(stringify!($module));
                }
            )*
        }
    };
}

functions!(outer: Outer, (inner: Inner, work: Work<'_>) { inner(work) }, a b c d e f g h i j k l m n o p q r s t);
functions!(inner: Inner, (work: Work<'_>) { work() }, a b c d e f g h i j k l m n o p q r s t);

/// Does some work as the run with a number.
pub(crate) fn run(number: usize, work: &mut dyn FnMut()) {
    outer::ALL[number / FUNCTIONS](inner::ALL[number % FUNCTIONS], work);
}

/// Ends an operation. Callgrind writes a profile and starts the next one.
#[inline(never)]
pub(crate) fn end_of_operation() {
    black_box(FUNCTIONS);
}

/// Returns the number of the run in which the first function called the second, if they are such a pair.
pub(crate) fn number(caller: &str, called: &str) -> Option<usize> {
    let place = |name: &str, module: &str| {
        let name = name.split_once(module)?.1.as_bytes();
        name.first().map(|letter| usize::from(letter.wrapping_sub(b'a'))).filter(|&place| place < FUNCTIONS)
    };
    Some(place(caller, "runs::outer::")? * FUNCTIONS + place(called, "runs::inner::")?)
}
