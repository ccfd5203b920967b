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
    /// The last bytes cost so many times as much as those before them.
    Grows(f64),
    /// A byte costs so much.
    Costs(f64),
}

impl Order {
    /// Returns by which factor a byte may cost more when the length doubles. It is 1 where the cost is linear, 1.1 where things
    /// are sorted, 2 where the cost is quadratic; tables that grow take a step now and then.
    fn most_growth(self) -> f64 {
        match self {
            Self::Linear => 1.3,
            Self::Sorting => 1.4,
        }
    }
}

/// Differences below this are the steps of allocators and tables, not of the text.
const NOISE: f64 = 12_000.0;
/// The most instructions of any text, and of a byte: `a` and `b`.
const MOST_INSTRUCTIONS: (f64, f64) = (20e6, 30e3);
/// The most bytes of memory for any text, and for a byte: `c` and `d`.
const MOST_MEMORY: (f64, f64) = (4e6, 200.0);

impl Series {
    /// Returns whether the operation is there to show that the check can fail.
    pub(crate) fn is_built_to_breach(&self) -> bool {
        self.operation.starts_with("breach:")
    }

    /// Returns what a byte costs at the greatest length, without what any text costs.
    pub(crate) fn per_byte(&self) -> f64 {
        match self.costs[..] {
            [.., before, last] => slope(before, last).max(0.0),
            _ => 0.0,
        }
    }

    /// Returns how the slope grew at most from one doubling to the next.
    pub(crate) fn growth(&self) -> f64 {
        let growth = |three: &[Cost]| {
            let (first, second) = (slope(three[0], three[1]), slope(three[1], three[2]));
            let excess = (second - self.order.most_growth() * first) * (three[2].bytes - three[1].bytes) as f64;
            if excess < NOISE { 1.0 } else { second / first.max(1e-9) }
        };
        self.costs.windows(3).map(growth).fold(1.0, f64::max)
    }

    /// Judges the series; `unit` is what was counted.
    pub(crate) fn verdict(&self, unit: &str) -> Verdict {
        let growth = self.growth();
        if growth > self.order.most_growth() {
            return Verdict::Grows(growth);
        }
        let (fixed, per_byte) = if unit == "instructions" { MOST_INSTRUCTIONS } else { MOST_MEMORY };
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

impl fmt::Display for Series {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {}", self.operation, self.shape)
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Within => f.write_str("within its budget"),
            Self::Grows(growth) => write!(f, "a byte costs {growth:.2} times as much at twice the length"),
            Self::Costs(cost) => write!(f, "a byte costs {cost:.0}"),
        }
    }
}
