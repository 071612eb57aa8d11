//! The order of the fractions, the longest window, blocks, and the error budget.

use tmd_core::{
    ErrorBudget, Piece, PiecePlan,
    difftable::{Upper, power_of_two},
    partition::{Unfit, curvature},
};

/// Aimed value of `|c|·Q³`: about as much time at roots, of which there are half as many as
/// arguments over Q, as at arcs, 0.6·|c|·Q² per argument.
const ASPECT: f64 = 2.6e-3;

/// Denominators are no more than this, so that products of two of them and a length are exact.
const MAX_ORDER: u64 = 1 << 24;

/// Smallest order: with less the walk takes no longer.
const MIN_ORDER: u64 = 1 << 5;

/// Curvatures below this make arcs as long as no piece is.
const LEAST_CURVATURE: f64 = power_of_two(-100);

/// Fewer coefficients than these are evaluated with a relative error of 2^-46 (Theorem A.4).
const MOST_COEFFICIENTS: usize = 60;

/// What a root and a window cost on one core, in seconds: for estimates only.
const ROOT: f64 = 0.26e-9;
const WINDOW: f64 = 65e-9;

/// How a piece is searched by arcs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Layout {
    /// of the Farey fractions, Q
    pub(super) order: u64,
    /// most arguments of a window, a power of two
    pub(super) window: u64,
    /// arguments of a block, whose polynomial has its coefficients in 128 bits, a power of two
    pub(super) block: u64,
    /// whether −R is searched in place of R
    pub(super) is_negated: bool,
    pub(super) budget: ErrorBudget,
    /// acc: within this of an integer a window's parabola makes a candidate
    pub(super) acceptance: Upper,
    /// seconds, estimated
    seconds: f64,
}

impl Layout {
    /// That of a piece, with windows of no more arguments than `window`.
    pub(super) fn new(piece: &Piece, window: Option<u64>) -> Result<Self, Unfit> {
        let (lowest, highest) = curvature(piece).ok_or(Unfit::CurvatureTooLarge)?;
        let is_negated = highest < 0.0;
        let (least, most) = if is_negated { (-highest, -lowest) } else { (lowest, highest) };
        if most < LEAST_CURVATURE {
            return Err(Unfit::CurvatureTooLarge); // which says too small, too
        }
        if least < LEAST_CURVATURE {
            return Err(Unfit::Inflection);
        }
        let mut order = MAX_ORDER;
        while most * (order as f64) * (order as f64) * (order as f64) > ASPECT {
            order -= order / 8;
            if order < MIN_ORDER {
                return Err(Unfit::CurvatureTooLarge);
            }
        }
        // the last block goes beyond the piece by less than this
        let most_half = (piece.arguments().next_power_of_two() / 2).clamp(1, MOST_BLOCK);
        let bounds = piece.derivatives(Upper::of_integer(2 * most_half));
        if bounds.len() >= MOST_COEFFICIENTS {
            return Err(Unfit::CurvatureTooLarge);
        }
        let tails = |reach: u64| Tails::new(&bounds, Upper::of_integer(reach));
        // what a window neglects is to be far below the share of arguments that a root is one of
        let neglected = power_of_two(-16) / order as f64;
        let mut longest = most_half;
        while longest > 1 && (tails(longest).value.get() > neglected || window.is_some_and(|w| longest > w)) {
            longest /= 2;
        }
        if longest < order.min(most_half) && window.is_none() {
            return Err(Unfit::CurvatureTooLarge);
        }
        let mut half = most_half;
        while half > longest && !tails(half).are_small() {
            half /= 2;
        }
        if !tails(half).are_small() {
            return Err(Unfit::CurvatureTooLarge);
        }
        let Neglected { value, slope, curvature } = tails(half).neglected(half, bounds[2]);
        // c is to keep its sign, and nearly its size
        if curvature.get() > least * power_of_two(-20) {
            return Err(Unfit::Inflection);
        }
        let reach = Upper::of_integer(longest);
        let budget = ErrorBudget {
            tables: value + slope * reach + curvature * reach * reach,
            dropped: tails(longest).value,
            ..ErrorBudget::of_piece(piece)
        };
        let acceptance = budget.exhaust_half_width();
        if acceptance.get() >= 0.25 {
            return Err(Unfit::CurvatureTooLarge);
        }
        let (count, q) = (piece.arguments() as f64, order as f64);
        let windows = 0.61 * most * q * q * count + count / longest as f64 + 1.0;
        let seconds = windows * WINDOW + 0.5 * count / q * ROOT;
        Ok(Self { order, window: longest, block: 2 * half, is_negated, budget, acceptance, seconds })
    }

    /// The plan of a search.
    pub(super) fn plan(&self) -> PiecePlan {
        PiecePlan {
            engine: String::new(),
            domain_size: self.window,
            run: 1,
            order: Some(self.order),
            seconds: self.seconds,
            budget: self.budget,
        }
    }
}

/// Most arguments from a block's center to its end, and of a window.
const MOST_BLOCK: u64 = 1 << 36;

/// That `w/960v` is short enough for Lemma A.12: `v·c·w²` is at most this.
const MOST_RISE: f64 = ASPECT / (MIN_ORDER * MIN_ORDER) as f64 * (MOST_BLOCK as f64 * MOST_BLOCK as f64);
const _: () = assert!(8.0 / 960.0 / (1u64 << 53) as f64 * MOST_RISE < 0.75 / 64.0);

/// Bounds of what a polynomial has beyond its parabola within `reach` of where it is centered:
/// `Σ B_k·r^k` from k = 3 on, and the same of its derivatives, the second one halved.
struct Tails {
    value: Upper,
    slope: Upper,
    curvature: Upper,
}

impl Tails {
    fn new(bounds: &[Upper], reach: Upper) -> Self {
        let terms = |factor: fn(u64) -> u64, less: usize| -> Upper {
            let of = |k: usize| Upper::of_integer(factor(k as u64)) * bounds[k] * reach.power(k - less);
            (3..bounds.len()).map(of).sum()
        };
        let [value, slope, curvature] = [terms(|_| 1, 0), terms(|k| k, 1), terms(|k| k * (k - 1) / 2, 2)];
        Self { value, slope, curvature }
    }

    /// Whether these are what [`Block`](super::local::Block) makes of them in floats: of its
    /// conversions to fixed point, and for their rounding.
    fn are_small(&self) -> bool {
        self.value.get() <= power_of_two(-8) && self.slope.get() <= power_of_two(-34)
    }

    /// Bounds of what b, σ and c neglect within `half` of a block's center (Theorem A.4), `most`
    /// being one of c.
    fn neglected(&self, half: u64, most: Upper) -> Neglected {
        let half = Upper::of_integer(half);
        // coefficients are cut to 128 bits; tails are rounded by a relative 2^-46, and what is made
        // fixed point of them is cut
        let unit = Upper::power_of_two(-128);
        let rounded = Upper::power_of_two(-46);
        Neglected {
            value: unit * (Upper::ONE + half + half * half) + Upper::power_of_two(-63) + rounded * self.value,
            slope: unit * (Upper::ONE + Upper::new(2.0) * half)
                + Upper::power_of_two(-95)
                + rounded * self.slope,
            curvature: Upper::power_of_two(-50) * most + rounded * self.curvature,
        }
    }
}

/// Bounds of what a window's b, σ and c are off by.
struct Neglected {
    value: Upper,
    slope: Upper,
    curvature: Upper,
}
