//! What is within a budget: the bounds, and how they are judged by four costs at doubled lengths.

use std::fmt;

/// How the cost of an operation may grow with its bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Order {
    /// As the bytes do.
    Linear,
    /// As the bytes times their logarithm: something is sorted or kept in order.
    Sorting,
}

/// The cost of one run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Cost {
    /// The bytes read, after decompression, and those written.
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

/// What a series shows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Verdict {
    Within,
    /// After the last doubling a byte costs so many times as much as after the first.
    Grows(f64),
    /// A byte costs so much.
    Costs(f64),
}

impl Order {
    /// Returns by which factor a byte may cost more when the length doubles, and by which from the first
    /// doubling to the last.
    ///
    /// Both are 1 where the cost is linear, about 1.1 and 1.2 where things are sorted, 2 and 4 where it is
    /// quadratic.
    fn most_growth(self) -> (f64, f64) {
        match self {
            Self::Linear => (1.15, 1.5),
            Self::Sorting => (1.2, 1.7),
        }
    }
}

/// What is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unit {
    Instructions,
    Memory,
}

impl Unit {
    /// Returns the difference below which a cost is a step of allocators and tables, not of the text. A copy
    /// by an instruction that repeats is counted once a byte; whether a buffer of the longest text is copied
    /// when it grows is up to the allocator.
    fn noise(self) -> f64 {
        match self {
            Self::Instructions => 20_000.0,
            Self::Memory => 8_192.0,
        }
    }

    /// Returns by which factor a byte costs more where something else shows than growth. The most memory of a
    /// run may be that of a buffer of one size, until the text needs more. Memory that grows with the cube of
    /// the length does not reach the factor.
    fn step(self) -> f64 {
        match self {
            Self::Instructions => f64::INFINITY,
            Self::Memory => 4.5,
        }
    }

    /// Returns the most that any text may cost, and that a byte may cost: `a` and `b`, `c` and `d`.
    fn most(self) -> (f64, f64) {
        match self {
            Self::Instructions => (80e6, 30e3),
            Self::Memory => (4e6, 100.0),
        }
    }
}

impl Series {
    /// Returns whether the operation is there to show that the check can fail.
    pub(crate) fn is_built_to_breach(&self) -> bool {
        self.operation.starts_with("breach of ")
    }

    /// Returns what a byte costs at the greatest length, without what any text costs.
    pub(crate) fn per_byte(&self) -> f64 {
        match self.costs[..] {
            [.., before, last] => slope(before, last).max(0.0),
            _ => 0.0,
        }
    }

    /// Returns how many times as much a byte costs after the last doubling as after the first, or 1 if that
    /// does not show growth: the cost of a byte must rise with each doubling, which it does not where a limit
    /// is passed or a table grows once.
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

/// Returns what a byte costs between two lengths.
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
