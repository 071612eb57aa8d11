//! The hierarchical method: one Taylor shift by N becomes several shifts by 1.
//!
//! Divide the arguments of `R` into domains of N: argument `x` of domain `i` is `x + i·N`. In the
//! binomial basis of `x`,
//!
//! ```text
//! R(x + i·N) = Σ_j r_j(i)·C(x, j),        r_j(i) = Δ^j[R](i·N),
//! ```
//!
//! and each *row* `r_j` is itself a polynomial in `i`, kept in the binomial basis of `i`: its value
//! at the next domain is one step of a difference table, additions only.
//!
//! Source: Lefèvre 2000; Fortin, Gouicem, Graillat 2016, section 5.1. Here the rows are computed
//! from the monomial coefficients by integer weights, exactly, instead of from values.
//!
//! Lemma P.6 and Definition P.7 of docs/proofs/piece.md.

use crate::{BinomialPolynomial, Fixed, Polynomial};

/// The rows `r_j(i)` of a polynomial cut into domains of N arguments.
#[derive(Clone, Debug)]
pub struct Hierarchy<const L: usize> {
    rows: Vec<BinomialPolynomial<L>>,
}

impl<const L: usize> Hierarchy<L> {
    /// The first `rows` rows of `r` for domains of `n` arguments; row `j` has degree `deg r − j`.
    pub fn new(r: &Polynomial<L>, n: u64, rows: usize) -> Self {
        // weight(m, i) = C(m + i, m)·n^i·c_{m+i}: the coefficient of x^m·i^i' in R(x + i'·n)
        let count = r.len();
        let mixed = |m: usize, k: usize| {
            let pascal = pascal(m + k, m);
            (0..k).fold(r.coefficients()[m + k].times(pascal), |c, _| c.times(n))
        };
        let rows = (0..rows.min(count))
            .map(|j| {
                // Σ_m (coefficient of C(x, j) in x^m)·mixed(m, k), for each power k of the domain's
                // number
                let powers = (0..count - j).map(|k| {
                    let column = (0..count - k).map(|m| mixed(m, k)).collect();
                    Polynomial::new(column).to_binomial().differences()[j]
                });
                Polynomial::new(powers.collect()).to_binomial()
            })
            .collect();
        Self { rows }
    }

    /// Row `j`, the polynomial `r_j(i)`; the zero polynomial when `j` exceeds the degree or the
    /// rows asked for.
    pub fn row(&self, j: usize) -> &BinomialPolynomial<L> {
        self.rows.get(j).unwrap_or(const { &BinomialPolynomial::ZERO })
    }

    /// Number of rows kept.
    pub fn rows(&self) -> usize {
        self.rows.len()
    }

    /// Domain `i` alone by the straightforward shift: the polynomial `Σ_j r_j(i)·C(x, j)` over the
    /// rows kept.
    pub fn domain(&self, i: u64) -> BinomialPolynomial<L> {
        BinomialPolynomial::new(self.rows.iter().map(|row| row.evaluate(i)).collect())
    }

    /// `R(x + i·N)` mod 1, up to the rows kept.
    pub fn evaluate(&self, i: u64, x: u64) -> Fixed<L> {
        self.domain(i).evaluate(x)
    }
}

/// `C(n, k)` for `n < 20`.
fn pascal(n: usize, k: usize) -> u64 {
    (0..k as u64).fold(1, |c, j| c * (n as u64 - j) / (j + 1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn rows_are_differences_at_multiples_of_n(
            c in proptest::collection::vec(any::<[u64; 3]>(), 1..7),
            n in prop_oneof![1u64..100, Just(1 << 15), Just(1 << 33)],
            i in 0u64..1000,
            x in 0u64..1000,
        ) {
            let r = Polynomial::new(c.into_iter().map(Fixed::<3>::from_limbs).collect());
            let h = Hierarchy::new(&r, n, r.len());
            prop_assert_eq!(h.evaluate(i, x), r.evaluate((x + i * n) as i64));
            // row j is the j-th forward difference at i·n, from the definition
            let values: Vec<_> = (0..r.len() as u64).map(|k| r.evaluate((i * n + k) as i64)).collect();
            let differences = BinomialPolynomial::interpolate(&values);
            for j in 0..r.len() {
                prop_assert_eq!(h.row(j).evaluate(i), differences.differences()[j]);
                prop_assert_eq!(h.row(j).differences().len(), r.len() - j);
            }
            prop_assert_eq!(h.row(99).evaluate(i), Fixed::ZERO);
        }

        #[test]
        fn fewer_rows_are_the_same_rows(c in proptest::collection::vec(any::<[u64; 2]>(), 5)) {
            let r = Polynomial::new(c.into_iter().map(Fixed::<2>::from_limbs).collect());
            let (all, three) = (Hierarchy::new(&r, 4096, 5), Hierarchy::new(&r, 4096, 3));
            prop_assert_eq!(three.rows(), 3);
            for j in 0..3 {
                prop_assert_eq!(all.row(j), three.row(j));
            }
        }
    }
}
