//! What is searched, in fixed point: [`Model`], [`Segment`] and [`Span`] (definitions L.1 to L.3 of
//! docs/proofs/lattice3.md; definition L.4 and its lattice are Theorem S.10 of
//! `proofs/Families.v`).

use tmd_difftable::Upper;

use super::Wide;

/// Bits after the point of a segment's coefficients.
pub const COEFFICIENT_BITS: u32 = 128;

/// Bits after the point of a window's slope: the least power of two that slopes are multiples of.
pub const SLOPE_BITS: u32 = 48;

/// Windows that a segment has at most, whoever searches it.
pub const MAX_WINDOWS: u32 = 1 << 24;

/// Where the points of a family are: the point of the integers (i, n) is at the *angle*
/// `i·alpha + n·2^log2_period`, in units of `2^-angle_bits`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Model {
    /// Bits after the point of an angle; at least `COEFFICIENT_BITS − SLOPE_BITS`.
    pub angle_bits: u32,
    /// The angle from one index to the next, in units of `2^-angle_bits`.
    pub alpha: Wide,
    /// log2 of the angle that n counts, in units of `2^-angle_bits`.
    pub log2_period: u32,
}

impl Model {
    /// Bits after the point of the lattice's third coordinate, v: angles times slopes are exact in
    /// it.
    pub const fn value_bits(&self) -> u32 {
        self.angle_bits + SLOPE_BITS
    }
}

/// Indices, ends included, whose points are searched; mirrored, those of the points at minus their
/// angle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    /// Least index.
    pub first: i128,
    /// Greatest index.
    pub last: i128,
    /// Whether it is the angles' negatives that lie in the windows.
    pub is_mirrored: bool,
}

impl Span {
    /// First and last index of the points, mirrored if they are.
    pub const fn ends(&self) -> (i128, i128) {
        if self.is_mirrored { (-self.last, -self.first) } else { (self.first, self.last) }
    }

    /// The index in the middle of these.
    pub const fn middle(&self) -> i128 {
        let (first, last) = self.ends();
        first + (last - first) / 2
    }

    /// The greatest distance of one from the middle.
    pub const fn reach(&self) -> i128 {
        self.ends().1 - self.middle()
    }
}

/// Consecutive windows of one width, with the polynomial that stands for the function over all of
/// them.
///
/// At the angle `center + t` the value of the point with index i is, within `accuracy − ε`,
/// `Σ_k coefficients[k]·t^k + gain·i` mod 1, where the breakpoints are the integers; so the point
/// is a case only if that is within `accuracy` of one. (For a mirrored span i is the negative
/// index.)
#[derive(Clone, Debug)]
pub struct Segment {
    /// Where the first window begins, in units of `2^-angle_bits`.
    pub start: Wide,
    /// Half the width of a window, positive, in the same unit.
    pub half: Wide,
    /// Number of windows, at least 1.
    pub windows: u32,
    /// At least three coefficients about the middle, in units of `2^-COEFFICIENT_BITS`, of the
    /// angle as a real number t.
    pub coefficients: Vec<Wide>,
    /// What the value grows by with the index, in units of `2^-value_bits`.
    pub gain: Wide,
    /// ε and everything that separates the polynomial from the function over the segment, in units
    /// of the breakpoints' spacing.
    pub accuracy: Upper,
    /// Bound of |F'''|/6 over the segment, F being the polynomial, in spacings of breakpoints per
    /// cubed angle.
    pub third: Upper,
}

impl Segment {
    /// The angle about which the polynomial is.
    pub fn center(&self) -> Wide {
        self.start + self.half * Wide::from(i128::from(self.windows))
    }

    /// The angle where the last window ends.
    pub fn end(&self) -> Wide {
        self.center() + self.half * Wide::from(i128::from(self.windows))
    }
}
