//! The bounds of the budget, and the verdict from four costs at doubled lengths.

use std::fmt;

/// The allowed growth of an operation's cost with its bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Order {
    /// Proportional to the bytes.
    Linear,
    /// Proportional to the bytes times their logarithm, for sorting or ordered structures.
    Sorting,
}

/// The cost of one run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Cost {
    /// The bytes read, after decompression, and the bytes written.
    pub(crate) bytes: u64,
    /// Instructions, or bytes of memory.
    pub(crate) cost: u64,
}

/// The costs of one operation on texts of one shape, the shortest first.
#[derive(Clone, Debug)]
pub(crate) struct Series {
    pub(crate) operation: String,
    pub(crate) shape: String,
    pub(crate) order: Order,
    pub(crate) costs: Vec<Cost>,
}

/// The result for a series.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Verdict {
    Within,
    /// The factor by which a byte costs more after the last doubling than after the first.
    Grows(f64),
    /// The cost of a byte.
    Costs(f64),
}

impl Order {
    /// Returns the factor by which a byte may cost more when the length doubles, and the factor from the
    /// first doubling to the last.
    ///
    /// Both are 1 for a linear cost, about 1.1 and 1.2 for sorting, and 2 and 4 for a quadratic cost.
    fn most_growth(self) -> (f64, f64) {
        match self {
            Self::Linear => (1.15, 1.5),
            Self::Sorting => (1.2, 1.7),
        }
    }
}

/// The counted quantity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unit {
    Instructions,
    Memory,
}

impl Unit {
    /// Returns the difference below which a cost is a step of allocators and tables, not of the text. A copy
    /// by an instruction that repeats is counted once for each byte. The allocator decides whether a buffer
    /// of the longest text is copied when it grows.
    fn noise(self) -> f64 {
        match self {
            Self::Instructions => 20_000.0,
            Self::Memory => 8_192.0,
        }
    }

    /// Returns the factor of cost for each byte above which the reason is something other than growth. The
    /// maximum memory of a run may be a buffer of a fixed size, until the text needs more. Memory that grows
    /// with the cube of the length does not reach the factor.
    fn step(self) -> f64 {
        match self {
            Self::Instructions => f64::INFINITY,
            Self::Memory => 4.5,
        }
    }

    /// Returns the maximum fixed cost of a text and the maximum cost of a byte: `a` and `b`, `c` and `d`.
    fn most(self) -> (f64, f64) {
        match self {
            Self::Instructions => (80e6, 30e3),
            Self::Memory => (4e6, 100.0),
        }
    }
}

impl Series {
    /// Returns whether the operation exists to show that the check can fail.
    pub(crate) fn is_built_to_breach(&self) -> bool {
        self.operation.starts_with("breach of ")
    }

    /// Returns the cost of a byte at the greatest length, without the fixed cost of a text.
    pub(crate) fn per_byte(&self) -> f64 {
        match self.costs[..] {
            [.., before, last] => slope(before, last).max(0.0),
            _ => 0.0,
        }
    }

    /// Returns the factor by which a byte costs more after the last doubling than after the first, or 1 if
    /// this is not growth. For growth, the cost of a byte must rise with each doubling. It does not do so if
    /// a limit is exceeded or a table grows once.
    pub(crate) fn growth(&self, unit: Unit) -> f64 {
        let slopes: Vec<f64> = self.costs.windows(2).map(|two| slope(two[0], two[1])).collect();
        let (each, all) = self.order.most_growth();
        let rises = |two: &[f64]| two[0] > 0.0 && (each * two[0]..unit.step() * two[0]).contains(&two[1]);
        let (&[first, .., last], &[.., before, end]) = (&slopes[..], &self.costs[..]) else { return 1.0 };
        let excess = (last - all * first) * (end.bytes.saturating_sub(before.bytes)) as f64;
        if excess > unit.noise() && slopes.windows(2).all(rises) { last / first } else { 1.0 }
    }

    /// Judges the series.
    pub(crate) fn verdict(&self, unit: Unit) -> Verdict {
        let growth = self.growth(unit);
        if growth > 1.0 {
            return Verdict::Grows(growth);
        }
        let (fixed, per_byte) = unit.most();
        let within = |cost: &&Cost| cost.cost as f64 <= fixed + per_byte * cost.bytes as f64;
        match self.costs.iter().find(|cost| !within(cost)) {
            Some(cost) => Verdict::Costs(cost.cost as f64 / cost.bytes.max(1) as f64),
            None => Verdict::Within,
        }
    }
}

/// Returns the cost of a byte between two lengths.
fn slope(shorter: Cost, longer: Cost) -> f64 {
    (longer.cost as f64 - shorter.cost as f64) / (longer.bytes.saturating_sub(shorter.bytes)).max(1) as f64
}

impl fmt::Display for Unit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Instructions => "instructions",
            Self::Memory => "memory",
        })
    }
}

impl fmt::Display for Series {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {}", self.operation, self.shape)
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Within => f.write_str("within its budget"),
            Self::Grows(growth) => {
                write!(f, "a byte costs {growth:.2} times as much at four times the length")
            }
            Self::Costs(cost) => write!(f, "a byte costs {cost:.0}"),
        }
    }
}
