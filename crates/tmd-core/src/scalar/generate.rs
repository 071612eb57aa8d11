//! [`Generator`]: parabolas of consecutive domains, by the papers' hybrid.
//!
//! The rows of the hierarchical method are computed once per piece. A run starts with a
//! straightforward shift of the three rows, exact to the outer limbs, and goes on by tabulated
//! differences in the inner limbs: additions only. How many limbs, which degrees and how long a
//! run: [`OneLevel`], from the error budget.
//!
//! Definition P.8 of docs/proofs/piece.md.

use core::ops::Range;

use tmd_difftable::{DifferenceTable, Hierarchy};

use super::parabola::Parabola;
use crate::{
    PIECE_LIMBS, Piece,
    partition::{OneLevel, Partition, ROWS},
};

/// The rows of a piece, ready to give the parabolas of any run of domains.
pub struct Generator {
    rows: Rows,
    inner_limbs: usize,
    degrees: [usize; ROWS],
}

/// Rows in as many limbs as the partition asks for.
enum Rows {
    Three(Hierarchy<3>),
    Five(Hierarchy<5>),
    Eight(Hierarchy<PIECE_LIMBS>),
}

impl Generator {
    /// Computes the rows of `piece` for the domains of `partition`.
    pub fn new(piece: &Piece, partition: &Partition<OneLevel>) -> Self {
        let r = piece.from_first_argument();
        let Partition { domain, tables, .. } = partition;
        let rows = match tables.outer_limbs {
            3 => Rows::Three(Hierarchy::new(&r.truncate(), *domain, ROWS)),
            5 => Rows::Five(Hierarchy::new(&r.truncate(), *domain, ROWS)),
            _ => Rows::Eight(Hierarchy::new(&r, *domain, ROWS)),
        };
        Self { rows, inner_limbs: tables.inner_limbs, degrees: tables.degrees }
    }

    /// Replaces `out` by the parabolas of these domains. The budget holds for no more of them than
    /// the partition's runs have.
    pub fn run(&self, domains: Range<u64>, out: &mut Vec<Parabola>) {
        let first = domains.start;
        out.clear();
        out.resize((domains.end - first) as usize, Parabola { r0: 0, r1: 0, r2: 0 });
        match &self.rows {
            Rows::Three(rows) => self.run_in(rows, first, out),
            Rows::Five(rows) => self.run_in(rows, first, out),
            Rows::Eight(rows) => self.run_in(rows, first, out),
        }
    }

    fn run_in<const L: usize>(&self, rows: &Hierarchy<L>, first: u64, out: &mut [Parabola]) {
        match self.inner_limbs {
            1 => self.tabulate::<L, 1>(rows, first, out),
            2 => self.tabulate::<L, 2>(rows, first, out),
            _ => self.tabulate::<L, 3>(rows, first, out),
        }
    }

    fn tabulate<const L: usize, const K: usize>(
        &self,
        rows: &Hierarchy<L>,
        first: u64,
        out: &mut [Parabola],
    ) {
        let table = |j: usize| DifferenceTable::<K>::starting_at(rows.row(j), first, self.degrees[j]);
        table(0).tabulate(out.len(), |i, value| out[i].r0 = value.high128());
        table(1).tabulate(out.len(), |i, value| out[i].r1 = value.high128());
        table(2).tabulate(out.len(), |i, value| out[i].r2 = value.high128());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scalar::partition;
    use tmd_difftable::{Fixed, Polynomial, Upper, power_of_two};

    /// A piece like exp near 1 with steps 2^-52: coefficient k is about 2^(52 − 52 k)/k!.
    fn piece(arguments: u64, tolerance_bits: i32) -> Piece {
        let mut coefficients = vec![];
        let mut magnitudes = vec![];
        let mut factorial = 1.0;
        for k in 0..8i32 {
            factorial *= f64::from(k.max(1));
            // 2.7/k! with 60 bits, scaled by 2^(52 − 52 k)
            let numerator = (2.7 / factorial * power_of_two(60)) as i64;
            coefficients.push(Fixed::from_ratio_pow2(numerator, (60 - 52 + 52 * k) as u32));
            magnitudes.push(Upper::new(2.8 / factorial * power_of_two(52 - 52 * k)));
        }
        let tolerance = Upper::power_of_two(-tolerance_bits);
        let (polynomial, zero) = (Polynomial::new(coefficients), Upper::ZERO);
        Piece::new(polynomial, magnitudes, arguments, arguments / 2, tolerance, zero, zero).unwrap()
    }

    /// The parabolas differ from the polynomial by less than the budget, at the start, in the
    /// middle and at the end of each domain of runs all over the piece.
    #[test]
    #[cfg_attr(miri, ignore = "an hour of Miri")]
    fn parabolas_are_within_the_budget() {
        for (arguments, tolerance_bits, n) in
            [(1 << 40, 33, 1 << 15), (1 << 34, 45, 1 << 16), (12_345_678, 20, 1000), (1 << 36, 58, 1 << 12)]
        {
            let piece = piece(arguments, tolerance_bits);
            let parts = partition(&piece, Some(n)).unwrap();
            let bound = (parts.budget.tables + parts.budget.dropped).get();
            let generator = Generator::new(&piece, &parts);
            let mut parabolas = vec![];
            let mut worst = 0f64;
            let domains = parts.domains(&piece);
            for first in [0, domains / 3, domains.saturating_sub(parts.run)] {
                generator.run(first..first + parts.run.min(domains), &mut parabolas);
                for (i, parabola) in parabolas.iter().enumerate() {
                    for x in [0, n / 2, n - 1] {
                        let k = (first + i as u64) * n + x;
                        let exact = piece.polynomial().evaluate(k as i64 - piece.center() as i64).high128();
                        let off =
                            exact.wrapping_sub(parabola.shifted(x).r0) as i128 as f64 * power_of_two(-128);
                        worst = worst.max(off.abs());
                    }
                }
            }
            assert!(worst <= bound, "{arguments} {n}: off by {worst:e}, budget {bound:e}");
            assert!(worst >= bound / 10.0, "{arguments} {n}: off by {worst:e} only, budget {bound:e}");
        }
    }

    /// Coefficients whose dropped bits are all ones, over so many arguments that the outer limbs
    /// decide: the bound is reached, so half of it would not do.
    #[test]
    fn dropped_outer_limbs_reach_their_bound() {
        let polynomial = Polynomial::new(vec![Fixed::from_ratio_pow2(-1, 512); 3]);
        let (magnitudes, arguments) = (vec![Upper::power_of_two(-512); 3], Piece::MAX_ARGUMENTS);
        let (tolerance, zero) = (Upper::power_of_two(-60), Upper::ZERO);
        // nothing is shifted: the coefficients are dropped from as they are
        let piece = Piece::new(polynomial, magnitudes, arguments, 0, tolerance, zero, zero).unwrap();
        let parts = partition(&piece, Some(16)).unwrap();
        assert_eq!((parts.tables.outer_limbs, parts.tables.inner_limbs), (3, 2));
        let bound = (parts.budget.tables + parts.budget.dropped).get();
        let mut last = vec![];
        let domains = parts.domains(&piece);
        Generator::new(&piece, &parts).run(domains - 1..domains, &mut last);
        let exact = piece.value(arguments - 1).high128();
        let off = exact.wrapping_sub(last[0].shifted(15).r0) as i128 as f64 * power_of_two(-128);
        assert!(off <= bound && off >= bound * 0.9, "off by {off:e}, budget {bound:e}");
    }

    /// Tables that lag make a falling parabola bend more than its polynomial: what is tabulated has
    /// its bound.
    #[test]
    fn second_differences_have_their_bound() {
        let coefficients = [(0, 0), (1, 3), (-1, 100), (-1, 130)];
        let magnitudes = [0.0, power_of_two(-3), power_of_two(-100), power_of_two(-130)];
        let polynomial = coefficients.map(|(m, shift)| Fixed::from_ratio_pow2(m, shift)).to_vec();
        let (polynomial, magnitudes) = (Polynomial::new(polynomial), magnitudes.map(Upper::new).to_vec());
        let (tolerance, zero) = (Upper::power_of_two(-10), Upper::ZERO);
        let piece = Piece::new(polynomial, magnitudes, 1 << 20, 1 << 19, tolerance, zero, zero).unwrap();
        let parts = partition(&piece, Some(1 << 10)).unwrap();
        let most = parts.tables.second_difference.get();
        // few bits, so that the lag is more than the curvature itself
        assert_eq!(parts.tables.inner_limbs, 1);
        let mut parabolas = vec![];
        Generator::new(&piece, &parts).run(0..parts.run, &mut parabolas);
        for parabola in parabolas {
            let curvature = (parabola.r2 as i128).unsigned_abs() as f64 * power_of_two(-128);
            assert!(curvature <= most, "{curvature:e} is above {most:e}");
        }
    }
}
