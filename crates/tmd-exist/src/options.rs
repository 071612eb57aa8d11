//! The options of the regular test: where its counts start, and how much of its last quotient it
//! takes.

/// The start of the regular test.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Start {
    /// (p, q, u, v) = ({a}, 1, 0, 1): one point, at 0, and one interval, of length q = 1. Keeps
    /// u·p + v·q = 1.
    #[default]
    Corrected,
    /// (p, q, u, v) = ({a}, 1, 1, 0), as all the papers print it. The lengths are those of the
    /// other start and the counts never exceed them, so the test goes on for longer than it needs
    /// to: sound, with more false positives. (It keeps u·p + v·q = {a} instead.)
    Printed,
}

/// How much of the quotient that reaches N points the regular test takes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum LastQuotient {
    /// All of it, as printed: fewer than (k+1)·N points are looked at, k being the quotient.
    #[default]
    Whole,
    /// Only t = min(k, ⌈(N−u−v)/·⌉) of it (the divisor is the number of points that a unit of the
    /// quotient places): the first two-length configuration with at least N points, which has fewer
    /// than 2N.
    Trimmed,
}
