//! Continued fraction expansions: partial quotients, convergents and intermediate convergents.
//!
//! Source: Fortin, Gouicem, Graillat, *GPU-Accelerated Generation of Correctly Rounded Elementary
//! Functions* (2016), section 3.2. For `a` in `[0, 1)` the paper sets
//!
//! ```text
//! θ_{−1} = 1,  θ_0 = a,  θ_{i+1} = θ_{i−1} − k_{i+1}·θ_i,   k_{i+1} = ⌊θ_{i−1}/θ_i⌋
//! p_{−1} = 1,  p_0 = 0,  p_{i+1} = p_{i−1} + k_{i+1}·p_i
//! q_{−1} = 0,  q_0 = 1,  q_{i+1} = q_{i−1} + k_{i+1}·q_i
//! θ_{i,t} = θ_i − t·θ_{i+1},  q_{i,t} = q_i + t·q_{i+1},  p_{i,t} = p_i + t·p_{i+1}   (0 ≤ t ≤ k_{i+2})
//! ```
//!
//! | name | what it is |
//! |---|---|
//! | `k_i` | partial quotient; `k_0` is the integer part |
//! | `p_i/q_i` | convergent: at most `a` for even `i`, at least `a` for odd `i` |
//! | `p_{i,t}/q_{i,t}` | intermediate convergent (semiconvergent), on the same side of `a` as `p_i/q_i` |
//! | `θ_{i,t}` | `|a·q_{i,t} − p_{i,t}|`, here scaled by the modulus |
//!
//! Invariant of the iterators: `q_{i+1}·θ_{i,t} + q_{i,t}·θ_{i+1} = 1` (scaled: the modulus),
//! equation (2) of the paper.
//!
//! Deviations from the paper:
//!
//! 1. `a` is rational, so the expansion ends. The last convergent is `a` itself, in lowest terms,
//!    with `θ = 0`.
//! 2. `(i, t)` labels the convergent `q_{i,t}`. The *configuration* `(i, t)` of
//!    [`crate::two_length`] is the one in which `q_{i−1,t}` and `q_i` occur.

use core::iter::FusedIterator;

use crate::{Error, Rotation};

/// The partial quotients `k_0, k_1, …` of a fraction, by Euclid's algorithm.
///
/// The last quotient is at least 2 unless it is the only one; the iterator yields
/// `O(log denominator)` items.
///
/// ```
/// use tmd_contfrac::PartialQuotients;
///
/// assert!(PartialQuotients::new(14, 45)?.eq([0, 3, 4, 1, 2]));
/// # Ok::<(), tmd_contfrac::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct PartialQuotients {
    numerator: u128,
    denominator: u128,
}

/// A convergent or an intermediate convergent `p_{i,t}/q_{i,t}` of `a/modulus`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Convergent {
    /// The index `i`, from −1 on; its parity tells the side: even for at most `a`, odd for at least
    /// `a`.
    pub i: i32,
    /// How many times convergent `i + 1` was added to convergent `i`; 0 for a convergent.
    pub t: u128,
    /// The numerator `p_{i,t}`.
    pub numerator: u128,
    /// The denominator `q_{i,t}`, at least 1 and at most the modulus.
    pub denominator: u128,
    /// The remainder `θ_{i,t} = |a·q_{i,t} − p_{i,t}·modulus|`, in units of 1/modulus.
    pub remainder: u128,
}

/// The convergents `p_0/q_0 = 0/1, p_1/q_1, …` of `a/modulus`; the last one has remainder 0.
///
/// ```
/// use tmd_contfrac::{Convergents, Rotation};
///
/// let fractions = Convergents::new(Rotation::new(14, 45)?).map(|c| (c.numerator, c.denominator, c.remainder));
/// assert!(fractions.eq([(0, 1, 14), (1, 3, 3), (4, 13, 2), (5, 16, 1), (14, 45, 0)]));
/// # Ok::<(), tmd_contfrac::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Convergents {
    state: Option<Pair>,
}

/// The convergents and intermediate convergents of `a/modulus` in the order in which the
/// configurations meet them: `0/1`, then `p_{−1,t}/q_{−1,t}` for `t = 1, …, k_1`, then
/// `p_{0,t}/q_{0,t}` for `t = 1, …, k_2`, and so on (`p_{i,k_{i+2}}/q_{i,k_{i+2}}` is labeled as
/// the convergent `(i + 2, 0)` that it is).
///
/// Denominators never decrease. The items are exactly the best approximations from one side: those
/// of remainder smaller than that of every smaller denominator on the same side. There are `Σ k_i`
/// of them, up to `2^64`.
///
/// ```
/// use tmd_contfrac::{IntermediateConvergents, Rotation};
///
/// let labels = IntermediateConvergents::new(Rotation::new(14, 45)?).map(|c| (c.i, c.t, c.denominator)).take(6);
/// assert!(labels.eq([(0, 0, 1), (-1, 1, 1), (-1, 2, 2), (1, 0, 3), (0, 1, 4), (0, 2, 7)]));
/// # Ok::<(), tmd_contfrac::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct IntermediateConvergents {
    /// The pair whose `previous` member comes next, once 0/1 is out.
    state: Pair,
    started: bool,
}

impl PartialQuotients {
    /// The expansion of `numerator/denominator`, which need not be in lowest terms nor below 1.
    ///
    /// # Errors
    ///
    /// [`Error::ZeroDenominator`].
    pub fn new(numerator: u128, denominator: u128) -> Result<Self, Error> {
        if denominator == 0 {
            return Err(Error::ZeroDenominator { numerator });
        }
        Ok(Self { numerator, denominator })
    }
}

impl Iterator for PartialQuotients {
    type Item = u128;

    fn next(&mut self) -> Option<u128> {
        let k = self.numerator.checked_div(self.denominator)?;
        (self.numerator, self.denominator) = (self.denominator, self.numerator % self.denominator);
        Some(k)
    }
}

impl FusedIterator for PartialQuotients {}

impl Convergents {
    /// The convergents of the slope of `rotation`.
    pub fn new(rotation: Rotation) -> Self {
        Self { state: Some(Pair::start(rotation)) }
    }
}

impl Iterator for Convergents {
    type Item = Convergent;

    fn next(&mut self) -> Option<Convergent> {
        let pair = self.state?;
        self.state = pair.previous.remainder.checked_div(pair.current.remainder).map(|k| pair.advance(k));
        Some(pair.current)
    }
}

impl FusedIterator for Convergents {}

impl IntermediateConvergents {
    /// The convergents and intermediate convergents of the slope of `rotation`.
    pub fn new(rotation: Rotation) -> Self {
        Self { state: Pair::start(rotation), started: false }
    }
}

impl Iterator for IntermediateConvergents {
    type Item = Convergent;

    fn next(&mut self) -> Option<Convergent> {
        if !self.started {
            self.started = true;
            return Some(self.state.current);
        }
        if self.state.current.remainder == 0 {
            return None;
        }
        let before = self.state.current.i;
        self.state = self.state.advance(1);
        let whole_quotient = self.state.current.i != before;
        Some(if whole_quotient { self.state.current } else { self.state.previous })
    }
}

impl FusedIterator for IntermediateConvergents {}

/// Two consecutive members: `previous` = `(i − 1, t)` and `current` = `(i, 0)`.
///
/// Invariants: `q_i·θ_{i−1,t} + q_{i−1,t}·θ_i = modulus` and `θ_i < θ_{i−1,0}`; since all four are
/// nonnegative the products stay within the modulus.
#[derive(Clone, Copy, Debug)]
struct Pair {
    previous: Convergent,
    current: Convergent,
    modulus: u128,
}

impl Pair {
    fn start(rotation: Rotation) -> Self {
        let modulus = rotation.modulus();
        Self {
            previous: Convergent { i: -1, t: 0, numerator: 1, denominator: 0, remainder: modulus },
            current: Convergent { i: 0, t: 0, numerator: 0, denominator: 1, remainder: rotation.a() },
            modulus,
        }
        .checked()
    }

    /// Adds `current` to `previous` `k` times; needs `k·θ_i ≤ θ_{i−1,t}`. A quotient taken whole
    /// moves on to `i + 1`.
    fn advance(self, k: u128) -> Self {
        let Self { previous, current, modulus } = self;
        let sum = Convergent {
            i: previous.i,
            t: previous.t + k,
            numerator: previous.numerator + k * current.numerator,
            denominator: previous.denominator + k * current.denominator,
            remainder: previous.remainder - k * current.remainder,
        };
        if sum.remainder < current.remainder {
            let next = Convergent { i: current.i + 1, t: 0, ..sum };
            Self { previous: current, current: next, modulus }.checked()
        } else {
            Self { previous: sum, current, modulus }.checked()
        }
    }

    fn checked(self) -> Self {
        let Self { previous, current, modulus } = self;
        debug_assert_eq!(
            current.denominator * previous.remainder + previous.denominator * current.remainder,
            modulus,
            "equation (2) of the paper"
        );
        self
    }
}
