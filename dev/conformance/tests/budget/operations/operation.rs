//! An operation on texts, its lengths, and helpers for operations.

use urlid::batch::{Cpu, Kernels};
use urlid_generators::shapes::{Shape, URLS};

use crate::law::Order;

/// An operation on texts.
pub(crate) struct Operation {
    pub(crate) name: String,
    /// The shapes of its texts.
    pub(crate) shapes: &'static [Shape],
    pub(crate) order: Order,
    /// The shortest of the four lengths at which instructions are counted.
    pub(crate) from: usize,
    /// Prepares the work on a text. The preparation is not measured.
    pub(crate) prepare: Box<dyn Fn(String) -> Work>,
}

/// The shortest text of an operation that costs hundreds of instructions a byte.
pub(super) const USUAL: usize = 512;
/// The shortest text of an operation that costs tens of instructions a byte, or whose breach shows late.
pub(super) const CHEAP: usize = 1 << 10;
/// The shortest text if each byte costs hundreds of instructions, and a copy of the whole text for some
/// bytes would cost less.
pub(super) const LONG: usize = 1 << 11;
/// The shortest text of an operation that costs thousands of instructions a byte.
pub(super) const DEAR: usize = 256;

/// The measured work. Returns the number of bytes that it wrote.
pub(crate) type Work = Box<dyn FnMut() -> usize>;

impl Operation {
    /// An operation whose cost is proportional to its text.
    pub(super) fn linear(
        name: impl Into<String>,
        shapes: &'static [Shape],
        work: impl Fn(&str) -> usize + Clone + 'static,
    ) -> Self {
        Self::prepared(name, shapes, Order::Linear, move |text| {
            let work = work.clone();
            Box::new(move || work(&text))
        })
    }

    /// An operation that keeps things in order.
    pub(super) fn sorting(
        name: impl Into<String>,
        shapes: &'static [Shape],
        work: impl Fn(&str) -> usize + Clone + 'static,
    ) -> Self {
        Self { order: Order::Sorting, ..Self::linear(name, shapes, work) }
    }

    /// An operation that needs more than the text, which is prepared before.
    pub(super) fn prepared(
        name: impl Into<String>,
        shapes: &'static [Shape],
        order: Order,
        prepare: impl Fn(String) -> Work + 'static,
    ) -> Self {
        Self { name: name.into(), shapes, order, from: USUAL, prepare: Box::new(prepare) }
    }

    /// The same with a different shortest length.
    pub(super) fn from(self, from: usize) -> Self {
        Self { from, ..self }
    }
}

/// Returns the shapes of URLs with these names.
pub(super) fn only(names: &[&str]) -> &'static [Shape] {
    let shapes: Vec<Shape> = URLS.iter().filter(|shape| names.contains(&shape.name)).copied().collect();
    assert_eq!(shapes.len(), names.len(), "each is the name of a shape: {names:?}");
    shapes.leak()
}

/// Returns all shapes of URLs except one.
pub(super) fn without(name: &str) -> &'static [Shape] {
    let shapes: Vec<Shape> = URLS.iter().filter(|shape| shape.name != name).copied().collect();
    assert_eq!(shapes.len() + 1, URLS.len(), "it is the name of a shape: {name}");
    shapes.leak()
}

/// Returns the kernels of the path that every machine has.
pub(super) fn kernels() -> Kernels {
    Kernels::new(Cpu::Portable).expect("every machine has it")
}
