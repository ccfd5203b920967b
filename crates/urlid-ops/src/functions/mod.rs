//! The SQL functions of urlid, over plain values.
//!
//! [`FUNCTIONS`] is the table of their names, arguments, results, documentation and examples, from which
//! every database registers them. A value is a text, bytes, an integer, a boolean or NULL. The rules are the
//! same for all functions:
//!
//! - If an argument is NULL, so is the result.
//! - A URL or an id that is rejected gives NULL, and so does a part that a URL does not have.
//! - A name that does not exist, such as that of a slice or of a canonical form, is an error: the query is
//!   wrong, not the row.
//!
//! A [`Call`] is a function with what it keeps between rows. Names are parsed once for a run of rows with the
//! same name.
//!
//! ```
//! use urlid_ops::functions::{Output, Value, function};
//!
//! let mut canon = function("urlid_canon").expect("a function").call();
//! let form = Value::Text("web");
//! let canonical = canon.run(&[Value::Text("HTTP://EXAMPLE.com:80"), form])?;
//! assert_eq!(canonical, Output::Text("http://example.com/".into()));
//! assert_eq!(canon.run(&[Value::Null, form])?, Output::Null);
//! assert_eq!(canon.run(&[Value::Text("not a URL"), form])?, Output::Null);
//! assert!(canon.run(&[Value::Text("http://h/"), Value::Text("wob")]).is_err());
//! # Ok::<(), urlid::Error>(())
//! ```

mod evaluators;
mod function;
mod names;
mod table;
mod value;

pub use function::{Argument, Call, Example, Function, MOST_ARGUMENTS};
pub use table::{FUNCTIONS, function};
pub use value::{Output, Type, Value};
