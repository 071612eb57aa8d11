//! Polynomials mod 1 over the integers, in the monomial and in the binomial basis, and the
//! straightforward shift.
//!
//! Every operation is exact in `Z/2^(64 L)`: an integer multiple of a fraction is known mod 1
//! whenever the fraction is. Conversion uses the Stirling numbers of the second kind,
//! `x^k = Σ_j S(k, j)·j!·C(x, j)`, whose coefficients are integers; the way back would need
//! divisions and is not offered.

use crate::Fixed;

/// `Σ_k c_k·x^k` mod 1 with fractions of `L` limbs; `x` is any integer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Polynomial<const L: usize> {
    coefficients: Vec<Fixed<L>>,
}

/// `Σ_j d_j·C(x, j)` mod 1 with fractions of `L` limbs; `d_j` is the `j`-th forward difference
/// at 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BinomialPolynomial<const L: usize> {
    differences: Vec<Fixed<L>>,
}

impl<const L: usize> Polynomial<L> {
    /// The polynomial with these coefficients, constant term first.
    pub fn new(coefficients: Vec<Fixed<L>>) -> Self {
        Self { coefficients }
    }

    /// The coefficients, constant term first.
    pub fn coefficients(&self) -> &[Fixed<L>] {
        &self.coefficients
    }

    /// Number of coefficients, one more than the degree (leading zeros count).
    pub fn len(&self) -> usize {
        self.coefficients.len()
    }

    /// Whether there is no coefficient at all: the zero polynomial.
    pub fn is_empty(&self) -> bool {
        self.coefficients.is_empty()
    }

    /// Value at the integer `x`, mod 1, by Horner's rule; exact.
    pub fn evaluate(&self, x: i64) -> Fixed<L> {
        self.coefficients.iter().rev().fold(Fixed::ZERO, |value, &c| value.times_signed(x) + c)
    }

    /// `x ↦ R(x + by)`, exact: repeated synthetic division, `d(d+1)/2` multiplications by `by`.
    #[must_use]
    pub fn shifted(&self, by: i64) -> Self {
        let mut c = self.coefficients.clone();
        for start in 0..c.len() {
            for k in (start..c.len() - 1).rev() {
                let carried = c[k + 1].times_signed(by);
                c[k] += carried;
            }
        }
        Self { coefficients: c }
    }

    /// The same polynomial with the `K` most significant limbs of each coefficient. At `x` the
    /// value falls by less than `Σ_k |x|^k·2^(-64 K)` (see
    /// [`crate::bounds::coefficient_rounding`]).
    #[must_use]
    pub fn truncate<const K: usize>(&self) -> Polynomial<K> {
        Polynomial { coefficients: self.coefficients.iter().map(Fixed::truncate::<K>).collect() }
    }

    /// The same polynomial in the binomial basis, exact.
    #[must_use]
    pub fn to_binomial(&self) -> BinomialPolynomial<L> {
        let stirling = stirling_factorials(self.len());
        let differences = (0..self.len())
            .map(|j| {
                (j..self.len()).fold(Fixed::ZERO, |sum, k| sum + self.coefficients[k].times(stirling[k][j]))
            })
            .collect();
        BinomialPolynomial { differences }
    }
}

impl<const L: usize> BinomialPolynomial<L> {
    /// The zero polynomial.
    pub const ZERO: Self = Self { differences: Vec::new() };

    /// The polynomial with these forward differences at 0.
    pub fn new(differences: Vec<Fixed<L>>) -> Self {
        Self { differences }
    }

    /// The polynomial of degree below `values.len()` through `(0, values[0]), (1, values[1]), …`:
    /// Newton interpolation with forward differences (2016 paper, figure 7).
    pub fn interpolate(values: &[Fixed<L>]) -> Self {
        let mut differences = values.to_vec();
        for order in 1..differences.len() {
            for k in (order..differences.len()).rev() {
                differences[k] = differences[k] - differences[k - 1];
            }
        }
        Self { differences }
    }

    /// The forward differences at 0; the first is the value there.
    pub fn differences(&self) -> &[Fixed<L>] {
        &self.differences
    }

    /// The straightforward shift `x ↦ r(x + i)` by the binomial matrix (2016 paper, section 5.2),
    /// exact: `d_l ← Σ_m C(i, m − l)·d_m`. Only the first `rows` differences of the result are
    /// computed, so that a table that needs few of them does not pay for the rest.
    #[must_use]
    pub fn shifted(&self, i: u64, rows: usize) -> Self {
        let weights = binomials::<L>(i, self.differences.len());
        let differences = (0..rows.min(self.differences.len()))
            .map(|l| {
                let terms = self.differences[l..].iter().zip(&weights);
                terms.fold(Fixed::ZERO, |sum, (d, w)| sum + d.times_integer(w))
            })
            .collect();
        Self { differences }
    }

    /// The first `rows` forward differences at 0, `step`, 2·`step`, …, each as a polynomial in the
    /// number of the place: exact, as `C(k·step, m)` is a sum of integers times `C(k, j)`, j ≤ m.
    pub fn every(&self, step: u64, rows: usize) -> Vec<Self> {
        let places: Vec<Self> =
            (0..self.differences.len() as u64).map(|k| self.shifted(k * step, rows)).collect();
        let of_row = |row: usize| -> Vec<Fixed<L>> {
            // of a degree that is less by the row
            places[..places.len() - row].iter().map(|place| place.differences[row]).collect()
        };
        (0..rows.min(places.len())).map(|row| Self::interpolate(&of_row(row))).collect()
    }

    /// Goes on from x to x + 1, exact: `d_k ← d_k + d_(k+1)`.
    pub fn advance(&mut self) {
        for k in 1..self.differences.len() {
            self.differences[k - 1] = self.differences[k - 1] + self.differences[k];
        }
    }

    /// Value at the integer `x ≥ 0`, mod 1; exact.
    pub fn evaluate(&self, x: u64) -> Fixed<L> {
        self.shifted(x, 1).differences.first().copied().unwrap_or(Fixed::ZERO)
    }
}

/// `S(k, j)·j!` for `j ≤ k < count`. The largest at `count = 20` is below `2^63` (19! < 2^57, S·j!
/// at k = 19 sums to the ordered Bell number 9.2e17 < 2^60).
fn stirling_factorials(count: usize) -> Vec<Vec<u64>> {
    assert!(
        count <= MAX_COEFFICIENTS,
        "a polynomial of degree above {} is not supported",
        MAX_COEFFICIENTS - 1
    );
    let mut table = vec![vec![0; count]; count];
    for k in 0..count {
        for j in 0..=k {
            // T(k, j) = j·(T(k−1, j) + T(k−1, j−1)), T(0, 0) = 1
            table[k][j] = match (k, j) {
                (0, 0) => 1,
                (_, 0) => 0,
                _ => j as u64 * (table[k - 1][j] + table[k - 1][j - 1]),
            };
        }
    }
    table
}

/// Most coefficients a polynomial may have: `S(k, j)·j!` must fit 64 bits.
pub const MAX_COEFFICIENTS: usize = 20;

/// `C(i, 0), …, C(i, count − 1)` mod `2^(64 L)`, exact: the denominators are cancelled against the
/// factors of the numerators first, so that nothing is divided in the ring.
pub(crate) fn binomials<const L: usize>(i: u64, count: usize) -> Vec<[u64; L]> {
    (0..count)
        .map(|m| {
            let m = m as u64;
            if m > i {
                return [0; L];
            }
            let mut numerators: Vec<u64> = (0..m).map(|k| i - k).collect();
            for mut divisor in 2..=m {
                for factor in &mut numerators {
                    let common = gcd(*factor, divisor);
                    *factor /= common;
                    divisor /= common;
                }
                debug_assert_eq!(divisor, 1, "m! divides a product of m consecutive integers");
            }
            let mut one = [0; L];
            one[0] = 1;
            *numerators.iter().fold(Fixed::from_limbs(one), |product, &f| product.times(f)).limbs()
        })
        .collect()
}

fn gcd(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The value at `x` from the definition, in plain `u128` powers: 128 bits after the point.
    fn naive(coefficients: &[Fixed<2>], x: i64) -> u128 {
        let mut power = 1u128;
        let mut sum = 0u128;
        for c in coefficients {
            sum = sum.wrapping_add(c.high128().wrapping_mul(power));
            power = power.wrapping_mul(x as u128);
        }
        sum
    }

    fn polynomial() -> impl Strategy<Value = Polynomial<2>> {
        proptest::collection::vec(any::<[u64; 2]>().prop_map(Fixed::from_limbs), 1..8)
            .prop_map(Polynomial::new)
    }

    proptest! {
        #[test]
        fn every_form_has_the_same_values(r in polynomial(), by in any::<i32>(), x in 0u32..5000, i in 0u64..1 << 40) {
            let (by, x) = (i64::from(by), i64::from(x));
            prop_assert_eq!(r.evaluate(by).high128(), naive(r.coefficients(), by));
            prop_assert_eq!(r.shifted(by).evaluate(x), r.evaluate(x + by));
            let binomial = r.to_binomial();
            prop_assert_eq!(binomial.evaluate(x as u64), r.evaluate(x));
            prop_assert_eq!(binomial.evaluate(i), r.evaluate(i as i64));
            let moved = binomial.shifted(i, 99);
            prop_assert_eq!(moved.evaluate(x as u64), r.evaluate(x + i as i64));
            prop_assert_eq!(moved.differences().len(), r.len());
            let values: Vec<_> = (0..r.len() as i64).map(|k| r.evaluate(k)).collect();
            prop_assert_eq!(BinomialPolynomial::interpolate(&values), binomial);
        }

        #[test]
        fn places_one_after_the_other(r in polynomial(), step in 0u64..1 << 40, rows in 0usize..9) {
            let binomial = r.to_binomial();
            let mut every = binomial.every(step, rows);
            prop_assert_eq!(every.len(), rows.min(r.len()));
            // beyond as many places as it is made from
            for k in 0..20 {
                let shifted = binomial.shifted(k * step, rows);
                let here: Vec<_> = every.iter().map(|row| row.differences()[0]).collect();
                prop_assert_eq!(&here, shifted.differences());
                every.iter_mut().for_each(BinomialPolynomial::advance);
            }
        }

        #[test]
        fn binomials_are_pascals(i in 0u64..60) {
            let row = binomials::<1>(i, 20);
            let next = binomials::<1>(i + 1, 20);
            for m in 1..20 {
                prop_assert_eq!(next[m][0], row[m][0] + row[m - 1][0]);
            }
        }
    }

    #[test]
    fn cubes_as_in_figure_7() {
        let cubes: Vec<_> = (0..4).map(|x| Fixed::<1>::from_ratio_pow2(x * x * x, 64)).collect();
        let expected = [0, 1, 6, 6].map(|d| Fixed::from_ratio_pow2(d, 64));
        assert_eq!(BinomialPolynomial::interpolate(&cubes).differences(), expected);
    }

    #[test]
    fn a_wide_binomial_is_exact() {
        // C(2^40, 3) = 2^40 (2^40 − 1)(2^40 − 2)/6, above 64 bits
        let n = 1u128 << 40;
        let exact = n * (n - 1) / 2 * (n - 2) / 3;
        assert_eq!(binomials::<2>(1 << 40, 4)[3], [exact as u64, (exact >> 64) as u64]);
    }

    #[test]
    fn degree_zero_and_empty() {
        let r = Polynomial::<1>::new(vec![]);
        assert!(r.is_empty());
        assert_eq!(r.evaluate(7), Fixed::ZERO);
        assert_eq!(r.shifted(3), r);
        assert_eq!(r.to_binomial().evaluate(5), Fixed::ZERO);
        let c = Polynomial::new(vec![Fixed::<1>::from_ratio_pow2(1, 1)]);
        assert_eq!(c.shifted(9).to_binomial().evaluate(4), c.evaluate(0));
    }
}
