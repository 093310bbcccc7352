//! Ranges of integers, doubles and nanoseconds, and what of them a place takes.

use crate::constraint::{ElementRules, Quantity, Side};
use crate::value::{nearest_f32, widened};

/// Integers, or nanoseconds; both ends count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Whole {
    pub(super) low: i128,
    pub(super) high: i128,
}

/// Doubles; both ends count, and NaN is told apart.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Real {
    pub(super) low: f64,
    pub(super) high: f64,
    pub(super) nan: bool,
    /// Whether each is the reading of a 32-bit float.
    pub(super) narrow: bool,
}

// === impl Whole ===

impl Whole {
    pub(super) fn new((low, high): (i128, i128)) -> Self {
        Self { low, high }
    }

    /// What is left by the bounds.
    pub(super) fn within(self, rules: Option<&ElementRules>) -> Self {
        let bounds = rules.map(|rules| rules.bounds.as_slice()).unwrap_or_default();
        bounds.iter().fold(self, |it, bound| match (bound.at, bound.side) {
            (Quantity::Exact(at), Side::Least) => {
                Self { low: it.low.max(at.saturating_add(i128::from(bound.exclusive))), ..it }
            }
            (Quantity::Exact(at), Side::Greatest) => {
                Self { high: it.high.min(at.saturating_sub(i128::from(bound.exclusive))), ..it }
            }
            (Quantity::Double(_), _) => it,
        })
    }

    pub(super) fn is_empty(self) -> bool {
        self.low > self.high
    }

    /// One less than how many there are.
    pub(super) fn span(self) -> i128 {
        self.high.saturating_sub(self.low)
    }

    pub(super) fn contains(self, other: Self) -> bool {
        self.low <= other.low && self.high >= other.high
    }

    pub(super) fn has(self, value: i128) -> bool {
        (self.low..=self.high).contains(&value)
    }

    pub(super) fn and(self, other: Self) -> Self {
        Self { low: self.low.max(other.low), high: self.high.min(other.high) }
    }

    pub(super) fn times(self, factor: i128) -> Self {
        Self { low: self.low.saturating_mul(factor), high: self.high.saturating_mul(factor) }
    }

    /// The multiples of a factor, divided by it.
    pub(super) fn per(self, factor: i128) -> Self {
        Self { low: -(-self.low).div_euclid(factor), high: self.high.div_euclid(factor) }
    }

    /// Whether a float of that many bits holds each of them.
    pub(super) fn all_exact(self, bits: u32) -> bool {
        let limit = 1_i128 << bits;
        self.low >= -limit && self.high <= limit
    }

    /// Whether a float of that many bits holds one of them.
    pub(super) fn some_exact(self, bits: u32) -> bool {
        !self.is_empty() && next_exact(self.low, bits) <= self.high
    }

    /// How many characters their decimal texts have.
    pub(super) fn lengths(self) -> (u32, u32) {
        let length = |value: i128| u32::try_from(value.to_string().len()).unwrap_or(u32::MAX);
        let (low, high) = (length(self.low), length(self.high));
        let least = if self.has(0) { 1 } else { low.min(high) };
        (least, low.max(high))
    }
}

/// The least integer from there on that has at most so many significant bits.
fn next_exact(value: i128, bits: u32) -> i128 {
    let magnitude = value.unsigned_abs();
    let length = 128_u32.saturating_sub(magnitude.leading_zeros());
    let step = 1_i128.checked_shl(length.saturating_sub(bits)).unwrap_or(1);
    value.saturating_add(step.saturating_sub(1)).div_euclid(step).saturating_mul(step)
}

// === impl Real ===

impl Real {
    /// Every value of a double or float, infinite ones where those are allowed.
    pub(super) fn every(narrow: bool, non_finite: bool) -> Self {
        let greatest = match (non_finite, narrow) {
            (true, _) => f64::INFINITY,
            (false, true) => widened(f32::MAX),
            (false, false) => f64::MAX,
        };
        Self { low: -greatest, high: greatest, nan: non_finite, narrow }
    }

    /// What is left by the bounds. NaN is within none.
    pub(super) fn within(self, rules: Option<&ElementRules>) -> Self {
        let bounds = rules.map(|rules| rules.bounds.as_slice()).unwrap_or_default();
        bounds.iter().fold(self, |it, bound| {
            let Quantity::Double(at) = bound.at else { return it };
            let it = Self { nan: false, ..it };
            match (bound.side, bound.exclusive) {
                (Side::Least, false) => Self { low: it.low.max(at), ..it },
                (Side::Least, true) => Self { low: it.low.max(it.after(at)), ..it },
                (Side::Greatest, false) => Self { high: it.high.min(at), ..it },
                (Side::Greatest, true) => Self { high: it.high.min(it.before(at)), ..it },
            }
        })
    }

    fn after(self, value: f64) -> f64 {
        if self.narrow { widened(nearest_f32(value).next_up()) } else { value.next_up() }
    }

    fn before(self, value: f64) -> f64 {
        if self.narrow { widened(nearest_f32(value).next_down()) } else { value.next_down() }
    }

    pub(super) fn is_empty(self) -> bool {
        self.low.partial_cmp(&self.high).is_none_or(std::cmp::Ordering::is_gt)
    }

    pub(super) fn has(self, value: f64) -> bool {
        (self.low..=self.high).contains(&value)
    }

    pub(super) fn is_finite(self) -> bool {
        !self.nan && self.low.is_finite() && self.high.is_finite()
    }

    /// Whether there is a value beside the whole numbers. Where two neighbours are one apart there is none.
    pub(super) fn has_fraction(self) -> bool {
        let limit = if self.narrow { 8_388_608.0 } else { 4_503_599_627_370_496.0 };
        self.low < self.high && self.low < limit && self.high > -limit
    }

    /// The whole numbers between the ends, as far as 64 bits and more go.
    pub(super) fn whole(self) -> Whole {
        // Saturates, far beyond every integer type.
        Whole { low: self.low.ceil() as i128, high: self.high.floor() as i128 }
    }

    /// How many bits an integer among them may have.
    pub(super) fn bits(self) -> u32 {
        if self.narrow { 24 } else { 53 }
    }
}
