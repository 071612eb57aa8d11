//! [`Reading`]: how a line stands for a domain's parabola. The papers leave it open; the counts
//! tell.

use tmd_core::{Window, difftable::Upper, exist::Segment, scalar::parabola::Parabola};

/// Which polynomial of degree 1 stands for the domain's parabola `P`, with `c` its coefficient of
/// x².
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Truncation {
    /// The tangent at the first argument, `P mod x²`: off by 0 to c·(N−1)².
    First,
    /// The tangent in the middle: off by 0 to c·(N/2)².
    Middle,
    /// The chord moved to the middle, as in our searches: off by at most c·(N−1)²/8 to either side.
    Chord,
}

/// What ε″ makes of the truncation's error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sides {
    /// ε + |error| to either side of the line, whatever the error's sign: the papers'
    /// `ε″ = ε′ + ε_trunc`, tested against `2ε″`.
    Both,
    /// Only where the error is: a tangent's lies on one side, so the width is half as much.
    One,
}

/// Which of the equivalent segments is tested. The distances are the same; the continued fractions
/// are not, and with them the points beyond N that a test looks at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Orientation {
    /// b − a·x with a minus the slope.
    Falling,
    /// The arguments from the last to the first: a is the slope.
    FromEnd,
    /// The circle mirrored, −f instead of f: a is the slope.
    Mirrored,
}

/// A way to make a segment and a width of a parabola.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reading {
    /// The line.
    pub truncation: Truncation,
    /// Its width.
    pub sides: Sides,
    /// Its direction.
    pub orientation: Orientation,
}

impl Reading {
    /// As the papers seem to have it.
    pub const PAPERS: Self =
        Self { truncation: Truncation::First, sides: Sides::One, orientation: Orientation::Mirrored };
    /// As our searches have it.
    pub const OURS: Self = Self { truncation: Truncation::Chord, sides: Sides::Both, ..Self::PAPERS };
}

/// A parabola's line and what is around it, in units of 2^-64.
struct Line {
    value: u64,
    slope: u64,
    /// the parabola is between this much below the line
    below: u64,
    /// and this much above
    above: u64,
}

impl Reading {
    /// The segment of the first `n` arguments and the width against which it is tested: an argument
    /// within `half` of a breakpoint, in units of 2^-64, is below it. `half` includes n + 4 units
    /// for rounding to 64 bits; the truncation's error is that over `spread ≥ n` arguments. `None`
    /// if the width is the whole circle, or `n` no size of a segment.
    pub fn segment(self, parabola: &Parabola, n: u64, spread: u64, half: u64) -> Option<(Segment, u64)> {
        debug_assert!(spread >= n, "an error over {spread} arguments of {n}");
        let mut line = self.truncation.line(parabola, n, spread)?;
        if self.sides == Sides::Both {
            let most = line.below.max(line.above);
            (line.below, line.above) = (most, most);
        }
        // f within half of an integer: the line is at most half + above below it, and half + below
        // above it
        let (lower, upper) = (half.checked_add(line.above)?, half.checked_add(line.below)?);
        let width = lower.checked_add(upper)?.checked_add(1)?;
        let last = line.value.wrapping_add(line.slope.wrapping_mul(n - 1));
        let (a, b) = match self.orientation {
            Orientation::Falling => (line.slope.wrapping_neg(), line.value.wrapping_add(lower)),
            Orientation::FromEnd => (line.slope, last.wrapping_add(lower)),
            Orientation::Mirrored => (line.slope, upper.wrapping_sub(line.value)),
        };
        Some((Segment::new(a, b, n).ok()?, width))
    }
}

impl Truncation {
    /// The line over the first `n` arguments with its error over `spread`; `None` if that is not
    /// below 2^63.
    fn line(self, parabola: &Parabola, n: u64, spread: u64) -> Option<Line> {
        let curvature = parabola.r2 as i128;
        let reach = match self {
            // n/2, which is above (n−1)/2
            Self::Middle => i128::from(spread / 2),
            Self::First | Self::Chord => i128::from(spread.checked_sub(1)?),
        };
        // |c|·reach², c = r2/2
        let most = curvature.checked_mul(reach.checked_mul(reach)?)?.unsigned_abs() >> 1;
        let eighths = if self == Self::Chord { 3 } else { 0 };
        let error = u64::try_from(most >> (64 + eighths)).ok()?.checked_add(1)?;
        let (below, above) = match self {
            Self::Chord => (error, error),
            _ if curvature < 0 => (error, 0),
            _ => (0, error),
        };
        let (value, slope) = match self {
            Self::First => tangent(parabola, 0),
            Self::Middle => {
                let (value, slope) = tangent(parabola, n / 2);
                (value.wrapping_sub(slope.wrapping_mul(n / 2)), slope)
            }
            Self::Chord => {
                let raised = Window::new(Upper::ZERO)?;
                let segment = parabola.segment(n, raised).ok()?;
                (segment.b().wrapping_sub(raised.half()), segment.a().wrapping_neg())
            }
        };
        (error < 1 << 63).then_some(Line { value, slope, below, above })
    }
}

/// Value and slope of the tangent at argument x, rounded down to 64 bits.
fn tangent(parabola: &Parabola, x: u64) -> (u64, u64) {
    let shifted = parabola.shifted(x);
    // C(x, 2) has the derivative −1/2 at 0
    let slope = shifted.r1.wrapping_sub(((shifted.r2 as i128) >> 1) as u128);
    ((shifted.r0 >> 64) as u64, (slope >> 64) as u64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const ORIENTATIONS: [Orientation; 3] =
        [Orientation::Falling, Orientation::FromEnd, Orientation::Mirrored];

    const LINES: [(Truncation, Sides); 5] = [
        (Truncation::First, Sides::One),
        (Truncation::First, Sides::Both),
        (Truncation::Middle, Sides::One),
        (Truncation::Middle, Sides::Both),
        (Truncation::Chord, Sides::Both),
    ];

    proptest! {
        /// Every argument within the half-width of an integer is below the segment's width,
        /// whichever way it is read, and the width is what the documentation says of the error.
        #[test]
        fn no_argument_is_lost(
            r in any::<[u128; 2]>(),
            curvature in -(1i128 << 108)..1 << 108,
            n in 1u64..400,
            bits in 3u32..10,
        ) {
            let parabola = Parabola { r0: r[0], r1: r[1], r2: curvature as u128 };
            let window = Window::new(Upper::power_of_two(-(bits as i32))).unwrap();
            let half = window.half() + n + 4;
            let error = |reach: u64| ((curvature.unsigned_abs() * u128::from(reach * reach) / 2) >> 64) as u64;
            for ((truncation, sides), orientation) in
                LINES.iter().flat_map(|&line| ORIENTATIONS.map(|orientation| (line, orientation)))
            {
                let reading = Reading { truncation, sides, orientation };
                let (segment, width) = reading.segment(&parabola, n, n, half).unwrap();
                for x in 0..n {
                    let at = if orientation == Orientation::FromEnd { n - 1 - x } else { x };
                    let inside = window.holds((parabola.shifted(x).r0 >> 64) as u64);
                    prop_assert!(!inside || segment.distance(at).unwrap() < width, "{reading:?} {x}");
                }
                let most = match (truncation, sides) {
                    (Truncation::First, Sides::One) => error(n - 1),
                    (Truncation::First, Sides::Both) => 2 * error(n - 1),
                    (Truncation::Middle, Sides::One) => error(n / 2),
                    (Truncation::Middle, Sides::Both) => 2 * error(n / 2),
                    (Truncation::Chord, _) => error(n - 1) / 4,
                };
                let slack = 8;
                prop_assert!(width <= 2 * half + 1 + most + slack, "{reading:?}: {width} {half} {most}");
            }
        }
    }
}
