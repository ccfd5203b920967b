//! Functions over vectors of rows.

use std::sync::{Mutex, MutexGuard, PoisonError};

use urlid::batch::{Encoder, Identifier as Encodable};
use urlid::sxurl::Sxurl;
use urlid::url_hash::UrlHash;
use urlid_ops::IdKind;
use urlid_ops::functions::{Function, MOST_ARGUMENTS, SqlValue, Type};

use crate::host::{self, Arguments, Body, Results};

/// Returns the body of a function. DuckDB calls it for each vector of rows, from several threads at once.
pub(crate) fn evaluate(function: &'static Function) -> Body {
    match function.identifier {
        Some(IdKind::Sxurl) => in_batches(Encoder::<Sxurl>::new),
        Some(IdKind::UrlHash) => in_batches(Encoder::<UrlHash>::new),
        _ => one_by_one(function),
    }
}

/// Computes identifiers with the batch encoder.
fn in_batches<I: Encodable<Value = [u8; 32]> + 'static>(
    new: impl Fn() -> Encoder<I> + Send + Sync + 'static,
) -> Body
where
    Encoder<I>: Send,
{
    let pool = Pool::new(move || Batches { encoder: new(), bytes: Vec::new(), offsets: Vec::new() });
    Box::new(move |arguments, results| pool.with(|batches| batches.run(arguments, results)))
}

/// The padding around the URLs of a vector. The encoder reads a little beyond each URL, and without padding
/// would copy the first and the last URLs.
const MARGIN: usize = 128;

/// An encoder, and the concatenated URLs of a vector. DuckDB's strings are scattered, and short ones are
/// inlined.
struct Batches<I: Encodable<Value = [u8; 32]>> {
    encoder: Encoder<I>,
    bytes: Vec<u8>,
    offsets: Vec<usize>,
}

impl<I: Encodable<Value = [u8; 32]>> Batches<I> {
    fn run(&mut self, arguments: &Arguments<'_>, results: &mut Results<'_>) -> Result<(), String> {
        self.bytes.clear();
        self.bytes.resize(MARGIN, 0);
        self.offsets.clear();
        self.offsets.push(MARGIN);
        for row in 0..arguments.rows() {
            // NULL becomes an empty text, which has no identifier, so the result is NULL.
            self.bytes.extend_from_slice(arguments.get(row, 0).unwrap_or_default());
            self.offsets.push(self.bytes.len());
        }
        self.bytes.resize(self.bytes.len() + MARGIN, 0);
        let mut outcome = Ok(());
        self.encoder.encode_column(&self.bytes, self.offsets.iter().copied(), |batch| {
            if outcome.is_ok() {
                outcome = results.push_ids(batch.ids(), batch.rejected().map(|(index, _)| index));
            }
        });
        outcome
    }
}

/// Calls a function for each row.
fn one_by_one(function: &'static Function) -> Body {
    let pool = Pool::new(|| function.call());
    let types: Vec<Type> = function.arguments.iter().map(|argument| argument.of).collect();
    Box::new(move |arguments, results| {
        pool.with(|call| {
            let mut values = [SqlValue::Null; MOST_ARGUMENTS];
            let values = &mut values[..types.len()];
            for row in 0..arguments.rows() {
                // The number of arguments is not a compile-time constant, because such a constant made
                // hosts a fifth slower.
                for (column, (place, of)) in values.iter_mut().zip(&types).enumerate() {
                    *place = value(arguments.get(row, column), *of);
                }
                let output = call.run(values).map_err(|error| format!("{}: {error}", error.code()))?;
                results.push(&output)?;
            }
            Ok(())
        })
    })
}

#[inline]
fn value(bytes: Option<&[u8]>, of: Type) -> SqlValue<'_> {
    match (bytes, of) {
        (None, _) => SqlValue::Null,
        (Some(bytes), Type::Bytes) => SqlValue::Bytes(bytes),
        (Some(bytes), _) => host::text(bytes).map_or(SqlValue::Null, SqlValue::Text),
    }
}

/// The state of a function between vectors, such as its host cache. Each thread that calls the function at
/// the same time uses its own value.
struct Pool<T, N> {
    idle: Mutex<Vec<T>>,
    new: N,
}

impl<T, N: Fn() -> T> Pool<T, N> {
    fn new(new: N) -> Self {
        Pool { idle: Mutex::new(Vec::new()), new }
    }

    /// Calls `work` with a value that is not used elsewhere. After a panic, the value is dropped and not used
    /// again.
    fn with<R>(&self, work: impl FnOnce(&mut T) -> R) -> R {
        // The lock is held only for the pop and the push.
        let idle = self.idle().pop();
        let mut value = idle.unwrap_or_else(&self.new);
        let result = work(&mut value);
        self.idle().push(value);
        result
    }

    fn idle(&self) -> MutexGuard<'_, Vec<T>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
