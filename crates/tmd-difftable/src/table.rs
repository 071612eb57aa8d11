//! The tabulated-difference shift, and the papers' hybrid built from it.
//!
//! A [`DifferenceTable`] holds the forward differences of a polynomial at the current argument; one
//! step adds each difference to the one before, and the table is at the next argument: `degree`
//! additions, no multiplication (2016 paper, section 5.2, figure 8). It is sequential. The *hybrid*
//! of section 5.3 cuts a long row into packets: the start of each packet by the straightforward
//! shift ([`DifferenceTable::starting_at`], in parallel if you like), inside a packet by steps. The
//! start is exact to `L` limbs; only there are limbs dropped, so the error depends on the length of
//! a packet, not on its number ([`crate::bounds::tabulation`]).

use crate::{BinomialPolynomial, Fixed};

/// Most differences a table keeps: order 7 at most.
pub const MAX_DIFFERENCES: usize = 8;

/// Forward differences at the current argument, `K` limbs each.
#[derive(Clone, Debug)]
pub struct DifferenceTable<const K: usize> {
    differences: [Fixed<K>; MAX_DIFFERENCES],
    degree: usize,
}

impl<const K: usize> DifferenceTable<K> {
    /// The table of `row` at argument `start`, with differences up to order `degree` rounded down
    /// to `K` limbs.
    ///
    /// `degree` is cut to [`MAX_DIFFERENCES`]` − 1` and to the degree of the row. Later values are
    /// too small by less than [`tabulation`](crate::bounds::tabulation)`(degree, steps, K)` plus
    /// what the dropped orders contribute
    /// ([`dropped_differences`](crate::bounds::dropped_differences)).
    pub fn starting_at<const L: usize>(row: &BinomialPolynomial<L>, start: u64, degree: usize) -> Self {
        let wanted = degree.min(MAX_DIFFERENCES - 1) + 1;
        let shifted = row.shifted(start, wanted);
        let mut differences = [Fixed::ZERO; MAX_DIFFERENCES];
        for (entry, d) in differences.iter_mut().zip(shifted.differences()) {
            *entry = d.truncate::<K>();
        }
        Self { differences, degree: shifted.differences().len().saturating_sub(1) }
    }

    /// Value at the current argument.
    pub const fn value(&self) -> Fixed<K> {
        self.differences[0]
    }

    /// Moves to the next argument.
    pub fn step(&mut self) {
        for k in 0..self.degree {
            self.differences[k] += self.differences[k + 1];
        }
    }

    /// Calls `write(position, value)` for the current argument and the `count − 1` that follow, and
    /// moves `count` arguments on. The loop is compiled once per degree, so it is straight
    /// additions in registers.
    pub fn tabulate(&mut self, count: usize, write: impl FnMut(usize, Fixed<K>)) {
        match self.degree {
            0 => self.tabulate_degree::<0>(count, write),
            1 => self.tabulate_degree::<1>(count, write),
            2 => self.tabulate_degree::<2>(count, write),
            3 => self.tabulate_degree::<3>(count, write),
            4 => self.tabulate_degree::<4>(count, write),
            5 => self.tabulate_degree::<5>(count, write),
            6 => self.tabulate_degree::<6>(count, write),
            _ => self.tabulate_degree::<{ MAX_DIFFERENCES - 1 }>(count, write),
        }
    }

    #[inline]
    fn tabulate_degree<const D: usize>(&mut self, count: usize, mut write: impl FnMut(usize, Fixed<K>)) {
        let mut d = self.differences;
        for position in 0..count {
            write(position, d[0]);
            for k in 0..D {
                d[k] += d[k + 1];
            }
        }
        self.differences = d;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::power_of_two;
    use proptest::prelude::*;

    fn row() -> impl Strategy<Value = BinomialPolynomial<3>> {
        let limbs = any::<[u64; 3]>().prop_map(Fixed::from_limbs);
        proptest::collection::vec(limbs, 1..=MAX_DIFFERENCES).prop_map(BinomialPolynomial::new)
    }

    proptest! {
        /// Without dropped limbs the table is the polynomial; packets of any length join without a
        /// seam.
        #[test]
        fn packets_of_the_hybrid_are_exact(row in row(), packet in 1u64..40, start in 0u64..1 << 40) {
            for u in 0..3 {
                let first = start + u * packet;
                let mut table = DifferenceTable::<3>::starting_at(&row, first, MAX_DIFFERENCES - 1);
                let mut stepped = table.clone();
                let mut seen = vec![];
                table.tabulate(packet as usize, |i, value| seen.push((i as u64, value)));
                for i in 0..packet {
                    prop_assert_eq!(stepped.value(), row.evaluate(first + i));
                    prop_assert_eq!(seen[i as usize], (i, stepped.value()));
                    stepped.step();
                }
                prop_assert_eq!(table.value(), row.evaluate(first + packet));
            }
        }

        /// Dropped limbs make the value lag by less than the bound, never lead.
        #[test]
        fn dropped_limbs_lag_within_the_bound(row in row(), steps in 0u64..200, start in 0u64..1 << 30) {
            let degree = row.differences().len() - 1;
            let mut table = DifferenceTable::<2>::starting_at(&row, start, degree);
            for _ in 0..steps {
                table.step();
            }
            let exact = row.evaluate(start + steps);
            let lag = exact.high128().wrapping_sub(table.value().high128());
            let bound = crate::bounds::tabulation(degree, steps, 2).get() * power_of_two(128);
            prop_assert!((lag as f64) <= bound, "lag {lag} units, bound {bound}");
        }

        #[test]
        fn a_lower_degree_keeps_the_first_differences(row in row(), degree in 0usize..7, start in 0u64..1000) {
            let mut table = DifferenceTable::<3>::starting_at(&row, start, degree);
            let shifted = row.shifted(start, degree + 1);
            let mut expected = BinomialPolynomial::new(shifted.differences().to_vec());
            for _ in 0..10 {
                prop_assert_eq!(table.value(), expected.evaluate(0));
                table.step();
                expected = expected.shifted(1, degree + 1);
            }
        }
    }
}
