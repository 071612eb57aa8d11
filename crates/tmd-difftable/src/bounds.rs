//! Outward-rounded upper bounds, and what each operation of this crate loses.
//!
//! All errors are absolute, in the unit of the polynomial's values (1 = the spacing of the
//! breakpoints). Every function returns a bound that holds for certain: [`Upper`] rounds each
//! operation up.

use core::{
    iter::successors,
    ops::{Add, AddAssign, Mul},
};

/// `2^exponent`, exactly where there is such an `f64`; else 0 or infinity. (`f64::powi` promises no
/// precision at all: Miri shows what that may mean, and proofs here multiply by powers of two.)
pub const fn power_of_two(exponent: i32) -> f64 {
    match exponent {
        ..-1074 => 0.0,
        -1074..-1022 => f64::from_bits(1 << (exponent + 1074)),
        -1022..1024 => f64::from_bits(((exponent + 1023) as u64) << 52),
        1024.. => f64::INFINITY,
    }
}

/// An upper bound of a non-negative real number: an `f64` whose arithmetic rounds up.
///
/// If `x ≤ a` and `y ≤ b` then `x + y ≤ a + b` and `x·y ≤ a·b`: a floating-point operation is
/// correctly rounded to nearest, so the next `f64` above its result is an upper bound of the exact
/// one (Theorem B.9 of `proofs/Budget.v`).
#[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd)]
pub struct Upper(f64);

impl Upper {
    /// Zero, exactly.
    pub const ZERO: Self = Self(0.0);
    /// One, exactly.
    pub const ONE: Self = Self(1.0);

    /// The bound `value`; a negative or NaN `value` is no bound of a magnitude and becomes
    /// infinity.
    pub fn new(value: f64) -> Self {
        if value >= 0.0 { Self(value) } else { Self(f64::INFINITY) }
    }

    /// A bound of the integer `n`.
    pub fn of_integer(n: u64) -> Self {
        let nearest = n as f64;
        Self(if n < 1 << 53 { nearest } else { nearest.next_up() })
    }

    /// `2^exponent`; rounded up to the smallest positive `f64` when it is below.
    pub fn power_of_two(exponent: i32) -> Self {
        Self(power_of_two(exponent.max(-1074)))
    }

    /// The bound as an `f64`.
    pub const fn get(self) -> f64 {
        self.0
    }

    /// `self^n`, rounded up.
    #[must_use]
    pub fn power(self, n: usize) -> Self {
        self.powers().nth(n).unwrap_or(Self::ONE)
    }

    /// `self^0`, `self^1` and so on without end, each from the one before.
    fn powers(self) -> impl Iterator<Item = Self> {
        successors(Some(Self::ONE), move |&power| Some(power * self))
    }

    /// The larger of two bounds.
    #[must_use]
    pub fn max(self, other: Self) -> Self {
        Self(self.0.max(other.0))
    }

    /// `⌈self·2^64⌉`, at least the bound in units of `2^-64`; `None` when that does not fit 64
    /// bits.
    pub fn to_units_2_64(self) -> Option<u64> {
        let scaled = (self.0 * power_of_two(64)).ceil(); // a power of two: exact short of overflow
        (scaled < power_of_two(64)).then_some(scaled as u64)
    }
}

impl Add for Upper {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        if self.0 == 0.0 {
            return other;
        }
        if other.0 == 0.0 {
            return self;
        }
        Self((self.0 + other.0).next_up())
    }
}

impl AddAssign for Upper {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl Mul for Upper {
    type Output = Self;
    fn mul(self, other: Self) -> Self {
        if self.0 == 0.0 || other.0 == 0.0 {
            return Self::ZERO;
        }
        Self((self.0 * other.0).next_up())
    }
}

impl core::iter::Sum for Upper {
    fn sum<I: Iterator<Item = Self>>(terms: I) -> Self {
        terms.fold(Self::ZERO, Add::add)
    }
}

/// `C(n, k)` as a bound.
pub fn binomial(n: u64, k: usize) -> Upper {
    binomials(n).nth(k).unwrap_or(Upper::ONE)
}

/// `C(n, 0)`, `C(n, 1)` and so on without end as bounds, each from the one before.
fn binomials(n: u64) -> impl Iterator<Item = Upper> {
    // each quotient is rounded up after an upward product: (n−j)/(j+1) ≥ 0
    let quotient = move |j: u64| Upper((n.saturating_sub(j) as f64).next_up() / (j + 1) as f64).0.next_up();
    let next = move |&(j, product): &(u64, Upper)| Some((j + 1, product * Upper(quotient(j))));
    successors(Some((0, Upper::ONE)), next).map(|(_, product)| product)
}

/// Error at `|x| ≤ reach` when each of `count` monomial coefficients is off by at most `each`:
/// `Σ_k reach^k·each`.
pub fn coefficient_rounding(count: usize, reach: Upper, each: Upper) -> Upper {
    reach.powers().take(count).map(|power| power * each).sum()
}

/// Bounds `B_m ≥ |R^(m)(x)/m!|` for `|x| ≤ reach`, `m = 0, 1, …`, from bounds of the coefficients'
/// magnitudes `|c_k|` (real magnitudes, not mod 1): `B_m = Σ_k C(k, m)·|c_k|·reach^(k − m)`.
pub fn derivatives(coefficients: &[Upper], reach: Upper) -> Vec<Upper> {
    let powers: Vec<Upper> = reach.powers().take(coefficients.len()).collect();
    let mut sums = vec![Upper::ZERO; coefficients.len()];
    for (k, &c) in coefficients.iter().enumerate() {
        let powers = powers[..=k].iter().rev();
        for ((sum, binomial), &power) in sums.iter_mut().zip(binomials(k as u64)).zip(powers) {
            *sum += binomial * c * power;
        }
    }
    sums
}

/// What a table of degree `degree` lags behind after at most `steps` steps, when each of its
/// entries was rounded down to `limbs` limbs at the start: the value is too small by less than
/// `Σ_{l ≤ degree} C(steps, l)·2^(-64 limbs)`.
///
/// Proof: a step is exact, so after `i` steps the value is `Σ_l C(i, l)·d_l`, increasing in every
/// `d_l` (Theorem T.1 and Theorem T.2 of `proofs/Tables.v`; Theorem T.5 has any errors of entries).
pub fn tabulation(degree: usize, steps: u64, limbs: usize) -> Upper {
    let unit = Upper::power_of_two(-64 * limbs as i32);
    binomials(steps).take(degree + 1).map(|binomial| binomial * unit).sum()
}

/// What is lost when row `j` of a hierarchical table keeps differences up to order `degree` only,
/// over at most `steps` domains of `n` arguments: `Σ_{l > degree} C(steps, l)·n^l·(l+j)!·B_{l+j}`,
/// where ` derivatives[m] ≥
/// |R^(m)/m!|` over all arguments touched.
///
/// Proof: `Δ_n^l Δ^j R(x) = n^l·R^(l+j)(ξ)` for some ξ between x and `x + l·n + j` (mean value
/// theorem for differences), and the dropped terms are `C(i, l)` times that (Theorem R.4 and
/// Theorem R.5 of `proofs/Taylor.v`).
pub fn dropped_differences(derivatives: &[Upper], j: usize, degree: usize, steps: u64, n: u64) -> Upper {
    let factors = binomials(steps).zip(Upper::of_integer(n).powers());
    let derivatives = factorials().zip(derivatives).skip(j);
    let terms = factors.zip(derivatives).skip(degree + 1);
    terms.map(|((binomial, power), (factorial, &bound))| binomial * power * factorial * bound).sum()
}

/// What is lost when a domain's polynomial in the binomial basis keeps the terms up to
/// `C(x, degree)` only, over `0 ≤ x < n`: `Σ_{j > degree} C(n − 1, j)·j!·B_j`.
pub fn dropped_terms(derivatives: &[Upper], degree: usize, n: u64) -> Upper {
    let terms = binomials(n.saturating_sub(1)).zip(factorials()).zip(derivatives).skip(degree + 1);
    terms.map(|((binomial, factorial), &bound)| binomial * factorial * bound).sum()
}

/// `0!`, `1!` and so on without end as bounds.
fn factorials() -> impl Iterator<Item = Upper> {
    let next = |&(n, product): &(u64, Upper)| Some((n + 1, product * Upper::of_integer(n + 1)));
    successors(Some((0, Upper::ONE)), next).map(|(_, product)| product)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{DifferenceTable, Fixed, Hierarchy, Polynomial};
    use proptest::prelude::*;

    proptest! {
        /// Upper bounds against exact integer arithmetic of 53-bit significands.
        #[test]
        fn arithmetic_rounds_up(x in 1u64..1 << 53, y in 1u64..1 << 53) {
            let (a, b) = (Upper::of_integer(x), Upper::of_integer(y));
            prop_assert!((a + b).get() as u128 >= u128::from(x) + u128::from(y));
            prop_assert!((a * b).get() as u128 >= u128::from(x) * u128::from(y));
            prop_assert!((a * b).get() <= x as f64 * y as f64 * (1.0 + 1e-15));
        }

        #[test]
        fn integers_round_up(n in any::<u64>()) {
            prop_assert!(Upper::of_integer(n).get() as u128 >= u128::from(n));
        }

        #[test]
        fn binomials_round_up(n in 0u64..100, k in 0usize..8) {
            let exact = (0..k as u128).fold(1u128, |c, j| c * u128::from(n).saturating_sub(j) / (j + 1));
            let bound = binomial(n, k).get();
            prop_assert!(bound >= exact as f64 && bound <= exact as f64 * 1.000_001 + 1e-300);
        }
    }

    /// A polynomial with coefficients `±2^-(24 k + 3)` and its exact values to 512 bits.
    fn sample(signs: u32, degree: usize) -> (Polynomial<8>, Vec<Upper>) {
        let coefficients = (0..=degree).map(|k| {
            let sign = if signs >> k & 1 == 0 { 1 } else { -1 };
            Fixed::from_ratio_pow2(sign, 24 * k as u32 + 3)
        });
        let magnitudes = (0..=degree).map(|k| Upper::power_of_two(-(24 * k as i32 + 3)));
        (Polynomial::new(coefficients.collect()), magnitudes.collect())
    }

    /// `|x|` mod 1, centered, as an `f64`.
    fn centered(x: Fixed<8>) -> f64 {
        let top = x.high128() as i128;
        (top as f64).abs() * power_of_two(-128)
    }

    /// The bound of the dropped differences and terms holds, and is within a factor ten of what is
    /// observed.
    #[test]
    fn dropped_parts_are_below_their_bound_and_above_a_tenth() {
        let (n, steps) = (64u64, 100u64);
        let (mut worst_row, mut worst_domain) = (0f64, 0f64);
        let (_, magnitudes) = sample(0, 5);
        let bounds = derivatives(&magnitudes, Upper::of_integer(n * steps));
        let (row, keep) = (1, 2);
        for signs in 0..64 {
            let (r, _) = sample(signs, 5);
            let hierarchy = Hierarchy::new(&r, n, 6);
            let exact = hierarchy.row(row).evaluate(steps);
            let mut kept = hierarchy.row(row).differences().to_vec();
            kept.truncate(keep + 1);
            let kept = crate::BinomialPolynomial::new(kept).evaluate(steps);
            worst_row = worst_row.max(centered(exact - kept));

            let local = hierarchy.domain(0);
            let kept = crate::BinomialPolynomial::new(local.differences()[..=keep].to_vec());
            worst_domain = worst_domain.max(centered(local.evaluate(n - 1) - kept.evaluate(n - 1)));
        }
        let bound = dropped_differences(&bounds, row, keep, steps, n).get();
        assert!(worst_row <= bound && worst_row >= bound / 10.0, "{worst_row:e} against {bound:e}");
        let near = derivatives(&magnitudes, Upper::of_integer(n));
        let bound = dropped_terms(&near, keep, n).get();
        assert!(worst_domain <= bound && worst_domain >= bound / 10.0, "{worst_domain:e} against {bound:e}");
    }

    /// Bounds of derivatives are those of the polynomial with the magnitudes as coefficients at the
    /// end of the reach, in exact integers, and no more than rounding above.
    #[test]
    fn derivatives_are_those_of_the_magnitudes() {
        let (coefficients, reach) = ([3u64, 0, 7, 1, 250], 9u64);
        let choose = |k: u64, m: u64| (0..m).fold(1, |product, j| product * (k - j) / (j + 1));
        let found = derivatives(&coefficients.map(Upper::of_integer), Upper::of_integer(reach));
        for (m, found) in (0..).zip(&found) {
            let terms = (m..).zip(&coefficients[m as usize..]);
            let exact: u64 = terms.map(|(k, c)| choose(k, m) * c * reach.pow((k - m) as u32)).sum();
            let above = found.get() / exact as f64;
            assert!((1.0..1.0 + 1e-14).contains(&above), "B_{m}: {found:?} against {exact}");
        }
        assert_eq!(found.len(), coefficients.len());
    }

    /// The tabulation bound holds and is nearly reached (entries whose dropped bits are all ones).
    #[test]
    fn tabulation_is_below_its_bound_and_above_a_tenth() {
        let ones = Fixed::<8>::from_ratio_pow2(-1, 512); // every bit set: truncation loses almost a unit
        let row = crate::BinomialPolynomial::new(vec![ones; 4]);
        let steps = 200;
        let mut table = DifferenceTable::<1>::starting_at(&row, 0, 3);
        for _ in 0..steps {
            table.step();
        }
        let lost = row.evaluate(steps).high64().wrapping_sub(table.value().high64());
        let bound = tabulation(3, steps, 1).get() * power_of_two(64);
        assert!((lost as f64) < bound && lost as f64 > bound / 10.0, "{lost} against {bound}");
    }

    #[test]
    fn coefficient_rounding_is_below_its_bound_and_above_a_tenth() {
        let (reach, count) = (1000i64, 4);
        let exact = Polynomial::new(vec![Fixed::<8>::from_ratio_pow2(-1, 512); count]);
        let lost =
            exact.evaluate(reach).high64().wrapping_sub(exact.truncate::<1>().evaluate(reach).high64());
        let bound = coefficient_rounding(count, Upper::of_integer(1000), Upper::power_of_two(-64)).get();
        let bound = bound * power_of_two(64);
        assert!((lost as f64) < bound && lost as f64 > bound / 10.0, "{lost} against {bound}");
    }

    #[test]
    fn not_a_bound() {
        assert!(Upper::new(f64::NAN).get().is_infinite());
        assert!(Upper::new(-1.0).get().is_infinite());
        assert!(Upper::power_of_two(-5000).get() > 0.0);
        for exponent in -1080i32..1024 {
            // by halving, which is exact
            let halved = (exponent..0).fold(1.0, |x: f64, _| x / 2.0);
            let power = (0..exponent).fold(halved, |x: f64, _| x * 2.0);
            assert_eq!(Upper::power_of_two(exponent).get(), power.max(f64::from_bits(1)), "2^{exponent}");
        }
        assert!(Upper::power_of_two(1024).get().is_infinite());
        assert_eq!(Upper::power_of_two(-64).to_units_2_64(), Some(1));
        assert_eq!(Upper::power_of_two(-65).to_units_2_64(), Some(1));
        assert_eq!(Upper::ONE.to_units_2_64(), None);
        assert_eq!(Upper::new(f64::INFINITY).to_units_2_64(), None);
    }
}
