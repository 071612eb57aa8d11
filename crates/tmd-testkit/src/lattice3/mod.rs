//! Segments for the walk in three dimensions, with a point planted where a case may be, and what
//! its engines must answer.
//!
//! * [`Small`]: families small enough for [`PlantedSegment::brute`], brute force in exact integers;
//! * [`Ingredients`]: families like those of the sine of large binary64 arguments, whose oracle is
//!   the exact walk;
//! * [`suite`]: what every engine is put through, instantiated by
//!   [`conformance_lattice3!`](crate::conformance_lattice3).

mod brute;
mod small;
pub mod suite;

pub use brute::Expected;
pub use small::{Plant, Small};
use tmd_core::{
    difftable::Upper,
    lattice3::{COEFFICIENT_BITS, Counters, Engine, Model, Segment, Span, Unwieldy, Wide},
};

/// A candidate: the number of its span, its index, and its angle.
pub type Point = (usize, i128, Wide);

/// A segment, the spans it is searched for, and the point planted there.
#[derive(Clone, Debug)]
pub struct PlantedSegment {
    /// Where points are.
    pub model: Model,
    /// Whose points are looked for.
    pub spans: Vec<Span>,
    /// The windows.
    pub segment: Segment,
    /// An index whose point is next to an integer, …
    pub planted: i128,
    /// … and the number of its span.
    pub slot: usize,
}

impl PlantedSegment {
    /// What an engine finds, in increasing order, each once; and what it did.
    ///
    /// # Errors
    /// If the engine refuses the segment.
    pub fn candidates(&self, engine: &dyn Engine) -> Result<(Vec<Point>, Counters), Unwieldy> {
        let mut walk = engine.start(&self.model, &self.spans);
        let mut found = Vec::new();
        walk.search(&self.segment, &mut |one| found.push((one.span, one.index, one.angle)))?;
        found.sort_unstable();
        found.dedup();
        Ok((found, walk.counters()))
    }

    /// Whether the planted point is one of these.
    pub fn has_planted(&self, found: &[Point]) -> bool {
        found.iter().any(|&(span, index, _)| (span, index) == (self.slot, self.planted))
    }
}

/// What a [`PlantedSegment`] is made of.
#[derive(Clone, Copy, Debug)]
pub struct Ingredients {
    /// The rotation, as a fraction of 2^192.
    pub alpha: [u64; 3],
    /// First index, and how many. Odd spans have five more.
    pub indices: (i128, i128),
    /// Spans: 1 to 8, every other one mirrored.
    pub spans: usize,
    /// Which index of which span is on an integer, as a fraction of 2^64, and where in the segment
    /// its point is, as a fraction of 2^64.
    pub planted: (usize, u64, u64),
    /// Derivatives at the middle, first to fourth; the second is the largest that the windows'
    /// width is made for.
    pub derivatives: [i64; 4],
    /// Points of a window.
    pub volume: f64,
    /// Windows.
    pub windows: u32,
    /// What values grow by with the index, mod 1, as a fraction of 2^64.
    pub gain: u64,
    /// log2 of what is near an integer, in units of κ.
    pub accuracy: i32,
}

impl Ingredients {
    /// The segment, in angles of 175 bits.
    pub fn question(&self) -> PlantedSegment {
        let Self { indices: (first, count), derivatives, windows, .. } = *self;
        let angle_bits = 175;
        let mut limbs = [0u64; 10];
        limbs[..3].copy_from_slice(&self.alpha);
        let model = Model { angle_bits, alpha: Wide::from_limbs(limbs) >> 17, log2_period: angle_bits };
        let (slot, which, place) = self.planted;
        let slot = slot % self.spans;
        // the others are elsewhere, so that a window searched for one is none for another, and may
        // be longer
        let spans: Vec<Span> = (0..self.spans as i128)
            .map(|n| Span {
                first: first + n * count,
                last: first + (n + 1) * count - 1 + 5 * (n & 1),
                is_mirrored: n % 2 == 1,
            })
            .collect();
        let planted = first + slot as i128 * count + ((u128::from(which) * count as u128) >> 64) as i128;
        // V = 2·X·F2·half³
        let curvature = derivatives[1].unsigned_abs() as f64;
        let width = (self.volume / (count as f64 * curvature)).cbrt();
        let half = Wide::ceil_scaled(width, angle_bits).unwrap_or(Wide::ONE);
        let over = [1, 2, 6, 24];
        let scaled = |(&d, by): (&i64, i64)| Wide::from(i128::from(d / by)) << COEFFICIENT_BITS;
        let kappa = curvature * width * width / 4.0;
        let reach = width * f64::from(windows);
        let third = Upper::new(
            (derivatives[2].unsigned_abs() as f64 + reach * derivatives[3].unsigned_abs() as f64) / 6.0 + 1.0,
        );
        Recipe {
            model,
            spans,
            slot,
            planted,
            period: 0,
            half,
            windows,
            offset: (half * Wide::from(i128::from(windows)) * Wide::from(i128::from(place >> 1))) >> 62,
            coefficients: derivatives.iter().zip(over).map(scaled).collect(),
            gain: Wide::from(i128::from(self.gain)) << (model.value_bits() - 64),
            accuracy: Upper::new(kappa * 2f64.powi(self.accuracy)),
            third,
            deviation: Wide::ZERO,
        }
        .question()
    }
}

/// A segment but for where it begins, and for the constant.
struct Recipe {
    model: Model,
    spans: Vec<Span>,
    slot: usize,
    planted: i128,
    /// whole periods that are added to the planted point's angle
    period: i128,
    half: Wide,
    windows: u32,
    /// where the planted point is after the beginning
    offset: Wide,
    /// from the first power on
    coefficients: Vec<Wide>,
    gain: Wide,
    accuracy: Upper,
    third: Upper,
    /// the value of the planted point, in units of 2^-COEFFICIENT_BITS, but for some of them
    deviation: Wide,
}

impl Recipe {
    fn question(self) -> PlantedSegment {
        let Self { model, spans, slot, planted, half, windows, gain, accuracy, third, .. } = self;
        let own = Wide::from(if spans[slot].is_mirrored { -planted } else { planted });
        let angle =
            (own * model.alpha).centered(model.log2_period) + (Wide::from(self.period) << model.log2_period);
        let start = angle - self.offset;
        let t = angle - (start + half * Wide::from(i128::from(windows)));
        let mut coefficients = vec![Wide::ZERO];
        coefficients.extend(self.coefficients);
        let mut value = Wide::ZERO;
        for &c in coefficients.iter().rev() {
            value = ((value * t) >> model.angle_bits) + c;
        }
        let gained = (gain * own) >> (model.value_bits() - COEFFICIENT_BITS);
        coefficients[0] = self.deviation - value - gained;
        let segment = Segment { start, half, windows, coefficients, gain, accuracy, third };
        PlantedSegment { model, spans, segment, planted, slot }
    }
}
