//! Questions for the walk in three dimensions: segments like those of the sine of large arguments,
//! with a point on an integer.

use tmd_core::{
    difftable::Upper,
    lattice3::{COEFFICIENT_BITS, Model, Segment, Span, Wide},
};

/// What a walk is asked.
#[derive(Clone, Debug)]
pub struct Question {
    /// Where points are.
    pub model: Model,
    /// Whose points are looked for.
    pub spans: Vec<Span>,
    /// The windows.
    pub segment: Segment,
    /// An index whose point is on an integer, …
    pub planted: i128,
    /// … and the number of its span.
    pub slot: usize,
}

/// What a [`Question`] is made of.
#[derive(Clone, Copy, Debug)]
pub struct Ingredients {
    /// The rotation, as a fraction of 2^192.
    pub alpha: [u64; 3],
    /// First index, and how many.
    pub indices: (i128, i128),
    /// Spans: 1 to 8, every other one mirrored.
    pub spans: usize,
    /// Which index of which span is on an integer, as a fraction of 2^64, and where in the segment
    /// its point is, as a fraction of 2^63.
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
    /// The question, in angles of 175 bits.
    pub fn question(&self) -> Question {
        let Self { indices: (first, count), derivatives, windows, .. } = *self;
        let angle_bits = 175;
        let mut limbs = [0u64; 10];
        limbs[..3].copy_from_slice(&self.alpha);
        let alpha = Wide::from_limbs(limbs) >> 17;
        let model = Model { angle_bits, alpha, log2_period: angle_bits };
        let (slot, which, place) = self.planted;
        let slot = slot % self.spans;
        let planted = first + slot as i128 * count + ((u128::from(which) * count as u128) >> 64) as i128;
        // the others are elsewhere, so that a window searched for one is none for another
        let spans: Vec<Span> = (0..self.spans as i128)
            .map(|n| Span {
                first: first + n * count,
                last: first + (n + 1) * count - 1,
                is_mirrored: n % 2 == 1,
            })
            .collect();
        let own = Wide::from(if spans[slot].is_mirrored { -planted } else { planted });
        let angle = (own * alpha).centered(angle_bits);
        // V = 2·X·F2·half³
        let bend = derivatives[1].unsigned_abs() as f64;
        let width = (self.volume / (count as f64 * bend)).cbrt();
        let half = Wide::ceil_scaled(width, angle_bits).unwrap_or(Wide::ONE);
        let offset = (half * Wide::from(i128::from(windows)) * Wide::from(i128::from(place >> 1))) >> 62;
        let start = angle - offset;
        let over = [1, 2, 6, 24];
        let mut coefficients = vec![Wide::ZERO];
        coefficients.extend(
            derivatives.iter().zip(over).map(|(&d, by)| Wide::from(i128::from(d / by)) << COEFFICIENT_BITS),
        );
        let t = angle - (start + half * Wide::from(i128::from(windows)));
        let mut value = Wide::ZERO;
        for &c in coefficients.iter().rev() {
            value = ((value * t) >> angle_bits) + c;
        }
        let gain = Wide::from(i128::from(self.gain)) << (model.value_bits() - 64);
        coefficients[0] = -value - ((gain * own) >> (model.value_bits() - COEFFICIENT_BITS));
        let kappa = bend * width * width / 4.0;
        let accuracy = Upper::new(kappa * 2f64.powi(self.accuracy));
        let reach = width * f64::from(windows);
        let third = Upper::new(
            (derivatives[2].unsigned_abs() as f64 + reach * derivatives[3].unsigned_abs() as f64) / 6.0 + 1.0,
        );
        let segment = Segment { start, half, windows, coefficients, gain, accuracy, third };
        Question { model, spans, segment, planted, slot }
    }
}
