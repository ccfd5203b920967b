//! The table of operations and their shapes.

mod files;
mod indexes;
mod lists;
mod operation;
mod packages;
mod rules;
mod texts;

use std::hint::black_box;

use urlid_generators::shapes::URLS;

use operation::DEAR;
pub(crate) use operation::Operation;

/// Returns every operation, always in the same order.
pub(crate) fn all() -> Vec<Operation> {
    let every = [
        texts::operations(),
        packages::operations(),
        lists::operations(),
        files::operations(),
        indexes::operations(),
        rules::operations(),
        breaches(),
    ];
    every.into_iter().flatten().collect()
}

/// Operations that breach any budget. The check must find them.
fn breaches() -> Vec<Operation> {
    vec![
        Operation::linear("breach of instructions", &URLS[..1], |text| {
            let equal = text.bytes().map(|a| text.bytes().filter(|&b| b == a).count());
            black_box(equal.sum::<usize>());
            0
        })
        .from(DEAR / 2),
        Operation::linear("breach of memory", &URLS[..1], |text| {
            let copies: Vec<Vec<u8>> = (0..text.len() / 8).map(|_| text.as_bytes().to_vec()).collect();
            black_box(copies);
            0
        }),
    ]
}
