//! [`taylor_piece`]: from a function to a fixed-point polynomial with proved error bounds.
//!
//! Over consecutive arguments `X_k = X_c + (k − c)·u`, `u = 2^e` their spacing, the search wants
//! `F(k) = 2^s·f(X_k)/ulp (+ 1/2)` mod 1, whose integers are the breakpoints
//! ([`Breakpoints`](tmd_core::Breakpoints)). With `x = k − c` and `|x| ≤ H`, Taylor's theorem gives
//!
//! ```text
//! F(x) = Σ_{k ≤ d} C_k(X_c)·u^k·2^s/ulp · x^k + ρ(x),    |ρ(x)| ≤ mag C_{d+1}([X_0, X_last])·(u·H)^(d+1)·2^s/ulp
//! ```
//!
//! where `C_k(I)` is the interval coefficient of order `k` of the series at the interval `I`: it
//! encloses `f^(k)(ξ)/k!` for *every* ξ in `I`, so the remainder is an enclosure of the derivative
//! over the whole piece, not an estimate (Theorem R.1 of `proofs/Taylor.v`, and Theorem R.3 for the
//! lines *taylor* and *coefficients*). The ulp must be the same for all results of the piece; an
//! enclosure of `f` over the piece proves that (Theorem C.2 of `proofs/Composition.v`). An HR-case
//! is near an integer on the polynomial, then: Theorem C.3.
//!
//! A piece's polynomial R has the coefficients that are *used*: middles of enclosures, rounded
//! down. `|F(x) − R(x)| ≤ taylor + coefficients` for `|x| ≤ H`, and that is all that is asked of F;
//! everything after it is said of R, and derived from its `magnitudes`. So these bound the
//! coefficients that are used, where those are above the magnitudes of the true ones, too.
//!
//! The polynomial that is used is Definition P.5 of docs/proofs/piece.md, its ulp Lemma P.2.

use rug::{Float, Integer, float::Round, integer::Order};
use thiserror::Error;
use tmd_core::{
    ArgumentRange, CoreError, Number, PIECE_LIMBS, Piece, Problem,
    difftable::{Fixed, Polynomial, Upper, power_of_two},
};

use crate::{Function, FunctionError, Interval};

/// Highest degree of a Taylor polynomial. Above, shorter pieces are cheaper.
pub const MAX_DEGREE: usize = 14;

/// Precision in bits at which derivatives over a whole piece are enclosed: only magnitudes are
/// wanted of them.
const ENCLOSURE_PRECISION: u32 = 128;

/// Remainder and coefficient errors are each brought below this share of ε (2^-7); the bounds
/// carried are the ones reached.
const SHARE_BITS: i32 = 7;

/// Highest precision at which the coefficients at the center are tried.
const MAX_PRECISION: u32 = 1 << 14;

/// Why a range has no Taylor piece. All but the last two call for a shorter range.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
#[allow(missing_docs)]
pub enum TaylorError {
    /// The results of the range lie in several binades, or might.
    #[error("the results do not share one ulp")]
    SeveralBinades,
    /// No degree up to [`MAX_DEGREE`] makes the remainder small enough.
    #[error("no Taylor polynomial of degree up to {MAX_DEGREE} is accurate enough")]
    Remainder,
    /// The coefficients lose all precision: the expression cancels catastrophically at the center.
    #[error("the coefficients at {at} cannot be enclosed tightly")]
    Cancellation { at: String },
    /// Results beyond the largest finite number of the format.
    #[error("the result overflows the format")]
    Overflow,
    /// The function has no value, or no derivatives, somewhere in the range.
    #[error(transparent)]
    Function(#[from] FunctionError),
    /// The range does not make a piece.
    #[error(transparent)]
    Core(#[from] CoreError),
}

/// An exact number as an MPFR float.
pub fn float_of(number: Number) -> Float {
    Float::with_val(128, number.significand()) << number.exponent()
}

/// `⌊log2|y|⌋` over a whole interval, or `None` if it differs within the interval or the interval
/// holds 0.
pub fn binade(y: &Interval) -> Option<i32> {
    if y.contains_zero() {
        return None;
    }
    // MPFR's exponent counts from the point before the significand: 2^(e−1) ≤ |y| < 2^e
    let exponents = (y.lo().get_exp()?, y.hi().get_exp()?);
    (exponents.0 == exponents.1).then_some(exponents.0 - 1)
}

/// The piece of `range`: a polynomial of the least sufficient degree with its bounds.
///
/// # Errors
/// See [`TaylorError`]; for most of them the two halves of the range may succeed.
pub fn taylor_piece(
    function: &dyn Function,
    range: &ArgumentRange,
    problem: &Problem,
) -> Result<Piece, TaylorError> {
    let count = range.count();
    if count == 0 || count > Piece::MAX_ARGUMENTS {
        return Err(CoreError::PieceLength { arguments: count }.into());
    }
    let center = count / 2;
    let whole = Interval::new(float_of(range.argument(0)), float_of(range.argument(count - 1)))?;
    let whole = whole.round_to(ENCLOSURE_PRECISION)?;
    let half_length = Upper::of_integer(center.max(count - 1 - center));
    let point = Interval::point(float_of(range.argument(center)))?;

    let ulp = ulp_exponent(function, &whole, &point, range, half_length, problem)?;
    let scale = problem.breakpoints().scale_bits() as i32 - ulp;

    // |C_k(whole)|·u^k·2^s/ulp bounds the k-th coefficient of F anywhere in the piece
    let enclosures = function.series(&whole, MAX_DEGREE + 1, ENCLOSURE_PRECISION)?;
    let mut magnitudes: Vec<Upper> = (0..)
        .zip(enclosures.coefficients())
        .map(|(k, c)| upper(&(c.mag() << (k * range.exponent() + scale))))
        .collect();
    let aim = problem.tolerance() * power_of_two(-SHARE_BITS);
    let remainder = |degree: usize| magnitudes[degree + 1] * half_length.power(degree + 1);
    let degree =
        (1..=MAX_DEGREE).find(|&degree| remainder(degree).get() <= aim).ok_or(TaylorError::Remainder)?;

    let taylor = remainder(degree);

    let mut precision = problem.extra_bits() + 192;
    loop {
        let series = function.series(&point.round_to(precision)?, degree, precision)?;
        let mut polynomial = Vec::with_capacity(degree + 1);
        let mut used = Vec::with_capacity(degree + 1);
        let mut error = Upper::ZERO;
        for (k, c) in series.coefficients().iter().enumerate() {
            let shift = k as i32 * range.exponent() + scale;
            let Coefficient { fixed, magnitude, off } = to_fixed(c, shift)?;
            polynomial.push(fixed);
            used.push(magnitude);
            error += off * half_length.power(k);
        }
        if error.get() <= aim {
            if problem.breakpoints().is_shifted() {
                polynomial[0] += Fixed::from_ratio_pow2(1, 1);
            }
            magnitudes.truncate(degree + 1);
            for (magnitude, used) in magnitudes.iter_mut().zip(used) {
                *magnitude = magnitude.max(used);
            }
            let tolerance = Upper::new(problem.tolerance());
            let polynomial = Polynomial::new(polynomial);
            return Ok(Piece::new(polynomial, magnitudes, count, center, tolerance, taylor, error)?);
        }
        precision *= 2;
        if precision > MAX_PRECISION {
            return Err(TaylorError::Cancellation { at: range.argument(center).to_string() });
        }
    }
}

/// The common `log2 ulp` of the results over a piece.
fn ulp_exponent(
    function: &dyn Function,
    whole: &Interval,
    point: &Interval,
    range: &ArgumentRange,
    half_length: Upper,
    problem: &Problem,
) -> Result<i32, TaylorError> {
    // two enclosures of f over the piece: the direct one, and the mean-value form about the center
    let slope = function.series(whole, 1, ENCLOSURE_PRECISION)?;
    let [direct, slope] = slope.coefficients() else { return Err(TaylorError::SeveralBinades) };
    let middle = function.enclose(&point.round_to(ENCLOSURE_PRECISION)?, ENCLOSURE_PRECISION)?;
    let reach = Float::with_val(64, half_length.get()) << range.exponent();
    let spread = Interval::new(-reach.clone(), reach)?.mul(slope)?;
    let values = middle.add(&spread)?;
    let values = values.intersection(direct).unwrap_or(values);

    let format = problem.results();
    let lowest = format.min_exponent();
    let exponent = match binade(&values) {
        Some(exponent) => exponent.max(lowest),
        // below the normal numbers all results, of either sign and 0 too, share one ulp
        None if values.mag().get_exp().is_none_or(|e| e <= lowest) => lowest,
        None => return Err(TaylorError::SeveralBinades),
    };
    if exponent > format.max_exponent() {
        return Err(TaylorError::Overflow);
    }
    Ok(format.ulp_exponent(exponent))
}

/// A coefficient as it is used: a multiple of 2^-512.
struct Coefficient {
    /// mod 1
    fixed: Fixed<PIECE_LIMBS>,
    /// bound of its magnitude, not mod 1
    magnitude: Upper,
    /// bound of its distance from any value in the enclosure it was taken from
    off: Upper,
}

/// The middle of `c·2^shift`, rounded down to [`PIECE_LIMBS`] limbs.
fn to_fixed(c: &Interval, shift: i32) -> Result<Coefficient, FunctionError> {
    let bits = Fixed::<PIECE_LIMBS>::BITS;
    let scaled = c.midpoint() << (shift + bits as i32);
    let radius = upper(&(c.radius()? << shift));
    // intervals are finite, and a finite float has an integer below it
    let integer = scaled.to_integer_round(Round::Down).map_or_else(Integer::new, |(integer, _)| integer);
    let (magnitude, _) = Float::with_val_round(ENCLOSURE_PRECISION, integer.clone().abs(), Round::Up);
    let magnitude = upper(&(magnitude >> bits));
    let residue = integer.keep_bits(bits);
    // keep_bits keeps the sign: a negative residue wraps to the same class mod 1
    let mut limbs = [0u64; PIECE_LIMBS];
    residue.clone().abs().write_digits(&mut limbs, Order::Lsf);
    let fixed = Fixed::from_limbs(limbs);
    let fixed = if residue < Integer::new() { -fixed } else { fixed };
    Ok(Coefficient { fixed, magnitude, off: radius + Upper::power_of_two(-(bits as i32)) })
}

/// A float as an upper bound.
fn upper(x: &Float) -> Upper {
    Upper::new(x.to_f64_round(Round::Up))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Series, parse};
    use tmd_core::{Breakpoints, Format};

    fn problem(breakpoints: Breakpoints) -> Problem {
        Problem::new(Format::BINARY64, Format::BINARY64, breakpoints, 40).unwrap()
    }

    /// F(k) from the definition at 600 bits, mod 1, as a 128-bit fraction.
    fn definition(
        function: &dyn Function,
        range: &ArgumentRange,
        k: u64,
        ulp: i32,
        breakpoints: Breakpoints,
    ) -> u128 {
        let x = Interval::point(float_of(range.argument(k))).unwrap().round_to(600).unwrap();
        let y = function.enclose(&x, 600).unwrap().midpoint();
        let mut scaled = y << (breakpoints.scale_bits() as i32 - ulp);
        if breakpoints.is_shifted() {
            scaled += 0.5;
        }
        let (integer, _) = (scaled << 128i32).to_integer_round(Round::Down).unwrap();
        let mut limbs = [0u64; 2];
        let negative = integer < 0;
        integer.abs().keep_bits(128).write_digits(&mut limbs, Order::Lsf);
        let fraction = u128::from(limbs[0]) | u128::from(limbs[1]) << 64;
        if negative { fraction.wrapping_neg() } else { fraction }
    }

    /// The polynomial is the function, within the bounds carried, all over the piece, for every
    /// breakpoint kind.
    #[test]
    fn the_polynomial_is_within_its_bounds() {
        // (function, first argument in units of the spacing, spacing, arguments, ulp of the
        // results)
        let cases: [(&str, i128, i32, u64, i32); 8] = [
            ("exp", 1 << 52, -52, 1 << 39, -51),
            ("exp", (1 << 52) + (1 << 51), -50, 1 << 38, -44),
            ("sin", 1 << 52, -53, 1 << 37, -54),
            ("log", (1 << 52) + (1 << 50), -52, 1 << 36, -55),
            ("exp2", -(3 << 51), -52, 1 << 36, -54),
            ("-cos(x)", 1 << 52, -52, 1 << 36, -53),
            ("exp(2*x)+sin(3*x^2)", 1 << 52, -52, 1 << 34, -50),
            ("1/x", (1 << 52) + 12345, -52, 1 << 36, -53),
        ];
        for (text, first, exponent, count, ulp) in cases {
            let function = parse(text).unwrap();
            let range = ArgumentRange::new(first, exponent, count);
            for breakpoints in [Breakpoints::Directed, Breakpoints::Nearest, Breakpoints::All] {
                let piece = taylor_piece(&function, &range, &problem(breakpoints))
                    .unwrap_or_else(|error| panic!("{text}: {error}"));
                let bound = (piece.taylor() + piece.coefficients()).get();
                assert!(bound < 2f64.powi(-40 - 5), "{text}: the bound {bound:e} is no use");
                let mut worst = 0f64;
                for k in (0..=64).map(|i| (count - 1) / 64 * i).chain([count - 1]) {
                    let exact = definition(&function, &range, k, ulp, breakpoints);
                    let value = piece.polynomial().evaluate(k as i64 - piece.center() as i64).high128();
                    let off = (exact.wrapping_sub(value) as i128 as f64).abs() * 2f64.powi(-128);
                    worst = worst.max(off);
                }
                assert!(worst <= bound, "{text}: off by {worst:e}, bound {bound:e}");
                assert!(worst >= bound / 10.0, "{text}: off by {worst:e} only, bound {bound:e}");
            }
        }
    }

    #[test]
    fn ranges_without_a_piece() {
        let all = problem(Breakpoints::All);
        let exp = parse("exp").unwrap();
        // exp crosses 2 near 0.693
        let crossing = ArgumentRange::new(0x16_2e42_fefa_39ef - (1 << 19), -53, 1 << 20);
        assert_eq!(taylor_piece(&exp, &crossing, &all).unwrap_err(), TaylorError::SeveralBinades);
        let too_long = ArgumentRange::new(1 << 52, -53, Piece::MAX_ARGUMENTS + 1);
        assert!(matches!(
            taylor_piece(&exp, &too_long, &all),
            Err(TaylorError::Core(CoreError::PieceLength { .. }))
        ));
        // sin has one sign and one binade on [1, 1.5], but no short polynomial
        let wide = Problem::new(Format::BINARY16, Format::BINARY64, Breakpoints::All, 60).unwrap();
        let sin = parse("sin(300*x)+2.5").unwrap();
        let error = taylor_piece(&sin, &ArgumentRange::new(1 << 10, -10, 512), &wide).unwrap_err();
        assert!(matches!(error, TaylorError::Remainder | TaylorError::SeveralBinades), "{error}");
        let log = parse("log").unwrap();
        let negative = ArgumentRange::new(-(1 << 52), -52, 1000);
        assert!(matches!(taylor_piece(&log, &negative, &all), Err(TaylorError::Function(_))));
        // exp(710) overflows binary64
        let huge = ArgumentRange::new(710 << 43, -43, 1000);
        assert_eq!(taylor_piece(&exp, &huge, &all).unwrap_err(), TaylorError::Overflow);
    }

    /// A function with one coefficient that is enclosed badly: the true one is the lower end,
    /// `2^width` below the upper.
    struct Blurred {
        function: &'static str,
        order: usize,
        width: i32,
        /// but not over intervals
        at_points_only: bool,
    }

    impl Function for Blurred {
        fn name(&self) -> String {
            "blurred".into()
        }
        fn series(&self, at: &Interval, order: usize, precision: u32) -> Result<Series, FunctionError> {
            let exact = parse(self.function).unwrap().series(at, order, precision)?;
            let mut coefficients = exact.into_coefficients();
            let is_blurred = !self.at_points_only || at.is_point();
            if let Some(c) = coefficients.get_mut(self.order).filter(|_| is_blurred) {
                let (lo, hi) = c.clone().into_endpoints();
                *c = Interval::new(lo, hi + (Float::with_val(64, 1) << self.width))?;
            }
            Series::new(coefficients)
        }
    }

    /// Coefficients that MPFR knows to hundreds of bits leave nothing to see of their bound. Here a
    /// parabola has no remainder, each coefficient in turn is off by its whole radius, and the
    /// bound is reached at the first argument.
    #[test]
    fn the_bound_of_the_coefficients_is_reached() {
        let directed = problem(Breakpoints::Directed);
        for (log2_half, order) in [19, 5].into_iter().flat_map(|half| [0, 1, 2].map(|order| (half, order))) {
            // of an even number of arguments the first is the farthest from the center, by one
            let range = ArgumentRange::new(5 << 50, -52, 2 << log2_half);
            // wide by 2^-47 in units of the ulp at the piece's ends: the radius is half of ε/128
            let width = -99 + (52 - log2_half) * order as i32;
            let blurred = Blurred { function: "x^2", order, width, at_points_only: false };
            let piece = taylor_piece(&blurred, &range, &directed).unwrap();
            assert_eq!((piece.polynomial().len(), piece.taylor()), (3, Upper::ZERO));
            let bound = piece.coefficients().get();
            let exact = definition(&parse("x^2").unwrap(), &range, 0, -52, Breakpoints::Directed);
            let off = (exact.wrapping_sub(piece.value(0).high128()) as i128 as f64).abs() * 2f64.powi(-128);
            assert!(off <= bound && off >= bound * 0.999, "order {order}: off by {off:e}, bound {bound:e}");
        }
    }

    /// The polynomial that is used is not the true one, and its magnitudes are those of what is
    /// used.
    #[test]
    fn magnitudes_are_those_of_the_coefficients_that_are_used() {
        let range = ArgumentRange::new(5 << 50, -52, 1 << 20);
        // at points the middle of the last coefficient is beyond its only value
        let lopsided = Blurred { function: "x+3*x^2", order: 2, width: -35, at_points_only: true };
        let piece = taylor_piece(&lopsided, &range, &problem(Breakpoints::Directed)).unwrap();
        // results between 4 and 8, with an ulp of 2^-50: the last coefficient is 3·2^-54, and
        // 2^-36·2^-54 more
        let unit = 2f64.powi(-54);
        let used = piece.polynomial().coefficients()[2].high128() as f64 * 2f64.powi(-128);
        assert!((used - (3.0 + 2f64.powi(-36)) * unit).abs() < 1e-14 * unit, "{used:e}");
        let magnitude = piece.magnitudes()[2].get();
        assert!(magnitude >= used && magnitude <= used * (1.0 + 1e-15), "{magnitude:e} against {used:e}");
    }

    /// One result in another binade, at either end of the range: its ulp is not that of the others.
    #[test]
    fn a_single_result_of_another_binade_is_seen() {
        let (sum, all) = (parse("x+0.5").unwrap(), problem(Breakpoints::All));
        let border = (1 << 52) + (1 << 51); // 1.5, with the result 2
        for (count, first_of_two) in [(1000, border - 1), (1001, border - 1), (2, border - 1)] {
            for first in [first_of_two, border + 1 - i128::from(count)] {
                let range = ArgumentRange::new(first, -52, count);
                assert_eq!(
                    taylor_piece(&sum, &range, &all).unwrap_err(),
                    TaylorError::SeveralBinades,
                    "{range:?}"
                );
            }
            for first in [border, border - i128::from(count)] {
                assert!(taylor_piece(&sum, &ArgumentRange::new(first, -52, count), &all).is_ok());
            }
        }
    }

    #[test]
    fn subnormal_results_share_one_ulp() {
        let all = problem(Breakpoints::All);
        // exp(−740) is subnormal, about 2^-1067.6: several binades, one ulp 2^-1074
        let range = ArgumentRange::new(-(740 << 43), -43, 1 << 42);
        let piece = taylor_piece(&parse("exp").unwrap(), &range.part(0, 1 << 20), &all).unwrap();
        assert_eq!(piece.arguments(), 1 << 20);
        // x − x crosses nothing: it is 0, below every normal number
        let zero = parse("x-x").unwrap();
        assert!(taylor_piece(&zero, &ArgumentRange::new(1 << 52, -52, 100), &all).is_ok());
    }

    #[test]
    fn fixed_point_of_signed_coefficients() {
        for (value, shift, expected) in
            [(0.75, 0, 3u64 << 62), (-0.25, 0, 3 << 62), (5.5, 0, 1 << 63), (-3.0, -2, 1 << 62)]
        {
            let c = Interval::from_f64(value, 60).unwrap();
            let Coefficient { fixed, magnitude, off } = to_fixed(&c, shift).unwrap();
            assert_eq!(magnitude.get(), (value * 2f64.powi(shift)).abs());
            assert_eq!(fixed.high64(), expected, "{value}·2^{shift}");
            assert!(off.get() < 2f64.powi(-500));
        }
        // the radius counts, and so does what is below the last bit
        let wide = Interval::new(Float::with_val(60, 1), Float::with_val(60, 1.5)).unwrap();
        let Coefficient { fixed, magnitude, off } = to_fixed(&wide, -4).unwrap();
        assert_eq!((fixed.high64(), magnitude.get()), (5 << 58, 5.0 / 64.0));
        assert!((2f64.powi(-6)..2f64.powi(-6) * 1.001).contains(&off.get()));
        for (value, last_limb) in [(1.5, 1), (-1.5, u64::MAX - 1)] {
            let Coefficient { fixed, magnitude, off } =
                to_fixed(&Interval::from_f64(value, 60).unwrap(), -512).unwrap();
            assert_eq!(fixed.limbs()[0], last_limb);
            // rounded down, which is away from 0 for one of them
            assert_eq!(magnitude.get(), (value.floor() * 2f64.powi(-512)).abs());
            assert!((2f64.powi(-513)..=2f64.powi(-512)).contains(&off.get()));
        }
    }
}
