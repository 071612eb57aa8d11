//! Three vectors, exactly, and all the lattice points of a box about a point: Theorem S.2 of
//! `proofs/Space.v`.

use super::{Unwieldy, Wide};

/// A vector (x, y, v), or a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Vector {
    /// Difference of indices: a count.
    pub x: Wide,
    /// Difference of angles, in units of `2^-angle_bits` of the [`Model`](super::Model).
    pub y: Wide,
    /// Difference of values, in units of `2^-value_bits`.
    pub v: Wide,
}

impl Vector {
    /// self − n·other
    #[must_use]
    pub fn minus(&self, n: Wide, other: &Self) -> Self {
        Self { x: self.x - n * other.x, y: self.y - n * other.y, v: self.v - n * other.v }
    }

    /// ⟨self, other⟩
    pub fn dot(&self, other: &Self) -> Wide {
        self.x * other.x + self.y * other.y + self.v * other.v
    }

    fn cross(&self, other: &Self) -> Self {
        Self {
            x: self.y * other.v - self.v * other.y,
            y: self.v * other.x - self.x * other.v,
            v: self.x * other.y - self.y * other.x,
        }
    }

    fn coordinates(&self) -> [Wide; 3] {
        [self.x, self.y, self.v]
    }
}

/// What a walk did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Windows searched, in lanes or exactly.
    pub windows: u64,
    /// Row operations of reductions.
    pub row_operations: u64,
    /// Windows, once for every span, where no coordinate's range was empty; of engines in lanes the
    /// windows searched exactly.
    pub occupied: u64,
    /// Integer triples looked at.
    pub tried: u64,
    /// Lattice points in boxes.
    pub points: u64,
    /// Those whose value is near an integer.
    pub candidates: u64,
}

impl Counters {
    /// Adds those of another walk.
    pub fn add(&mut self, other: &Self) {
        self.windows += other.windows;
        self.row_operations += other.row_operations;
        self.occupied += other.occupied;
        self.tried += other.tried;
        self.points += other.points;
        self.candidates += other.candidates;
    }
}

/// Most lines `(n_1, n_2)` of a box.
const MAX_LINES: i128 = 1 << 22;

/// A basis of a lattice whose determinant is `±2^log2_determinant`.
#[derive(Clone, Debug)]
pub struct Basis {
    /// The vectors.
    pub vectors: [Vector; 3],
    /// log2 |det|
    pub log2_determinant: u32,
}

/// The lengths that make a box: `|x| ≤ x`, `|y| ≤ y`, `|v| ≤ v`.
pub type Reach = Vector;

/// The vectors dual to a basis times |det|: `⟨rows[k], b_j⟩ = |det|·δ_jk`.
#[derive(Clone, Copy, Debug)]
pub struct Dual {
    /// The rows.
    pub rows: [Vector; 3],
}

impl Basis {
    /// Whether all that the search of a box multiplies has at most 639 bits.
    fn fits(&self, target: &Vector, reach: &Reach) -> bool {
        let most = |of: fn(&Vector) -> Wide| {
            let all = self.vectors.iter().chain([target, reach]);
            all.map(|vector| of(vector).bits()).max().unwrap_or(0)
        };
        // sums of six products x·y·v, and n·x, n·y, n·v with n no larger than such a sum
        most(|b| b.x) + most(|b| b.y) + most(|b| b.v) + 5 < Wide::BITS
    }

    /// The dual basis.
    ///
    /// # Errors
    /// [`Unwieldy`] if numbers do not fit, or the determinant is not what it should be.
    pub fn dual(&self) -> Result<Dual, Unwieldy> {
        let [a, b, c] = &self.vectors;
        if !self.fits(a, a) {
            return Err(Unwieldy);
        }
        let rows = [b.cross(c), c.cross(a), a.cross(b)];
        let determinant = a.dot(&rows[0]);
        // the invariant of theorem L.5; were it broken, no list could be relied on
        if determinant.abs() != Wide::power_of_two(self.log2_determinant) {
            return Err(Unwieldy);
        }
        let negated = |row: Vector| Vector { x: -row.x, y: -row.y, v: -row.v };
        Ok(Dual { rows: if determinant.is_negative() { rows.map(negated) } else { rows } })
    }

    /// The integers next to the target's coordinates: subtracting so many of the vectors moves it
    /// next to the origin.
    ///
    /// # Errors
    /// [`Unwieldy`] if numbers do not fit.
    pub fn nearest(&self, dual: &Dual, target: &Vector) -> Result<[Wide; 3], Unwieldy> {
        if !self.fits(target, target) {
            return Err(Unwieldy);
        }
        Ok(dual.rows.map(|row| row.dot(target).rounded_shift(self.log2_determinant)))
    }

    /// Calls `found(z)` for every point `z = target − Σ n_k·b_k` with `|z| ≤ reach` in each
    /// coordinate, each once (theorem L.3; S.2 of proofs/Space.v).
    ///
    /// # Errors
    /// [`Unwieldy`] if numbers do not fit, or the basis is so long that too many lines would have
    /// to be looked at.
    pub fn points(
        &self,
        dual: &Dual,
        target: &Vector,
        reach: &Reach,
        counters: &mut Counters,
        mut found: impl FnMut(Vector),
    ) -> Result<(), Unwieldy> {
        if !self.fits(target, reach) {
            return Err(Unwieldy);
        }
        let mut ranges = [(0i128, 0i128); 3];
        for (range, row) in ranges.iter_mut().zip(&dual.rows) {
            let c = row.dot(target);
            let r = row.x.abs() * reach.x + row.y.abs() * reach.y + row.v.abs() * reach.v;
            let first = -((r - c) >> self.log2_determinant);
            let last = (c + r) >> self.log2_determinant;
            if first > last {
                return Ok(());
            }
            *range = (first.to_i128().ok_or(Unwieldy)?, last.to_i128().ok_or(Unwieldy)?);
        }
        counters.occupied += 1;
        // the longest range is the one to solve for
        let count = |k: usize| ranges[k].1 - ranges[k].0 + 1;
        let mut order = [0, 1, 2];
        order.sort_unstable_by_key(|&k| count(k));
        let [first, second, third] = order;
        if count(first).checked_mul(count(second)).is_none_or(|lines| lines > MAX_LINES) {
            return Err(Unwieldy);
        }
        let step = &self.vectors[third];
        for n in ranges[first].0..=ranges[first].1 {
            let plane = target.minus(Wide::from(n), &self.vectors[first]);
            for n in ranges[second].0..=ranges[second].1 {
                let line = plane.minus(Wide::from(n), &self.vectors[second]);
                let Some((low, high)) = on_line(&line, step, reach, ranges[third]) else { continue };
                for n in low..=high {
                    counters.tried += 1;
                    let z = line.minus(Wide::from(n), step);
                    if z.x.abs() <= reach.x && z.y.abs() <= reach.y && z.v.abs() <= reach.v {
                        counters.points += 1;
                        found(z);
                    }
                }
            }
        }
        Ok(())
    }

    /// Makes the vectors short, in the coordinates times `scales`, by row operations with integers:
    /// the lattice stays (lemma L.4; S.8 of proofs/Space.v).
    ///
    /// Operations are chosen in doubles and made with the exact vectors some at a time.
    pub fn reduce(&mut self, scales: [f64; 3], counters: &mut Counters) {
        // each pass shortens the vectors or is the last; the bound is for lengths that are no
        // numbers any more
        for _ in 0..256 {
            let lengths = self.vectors.each_ref().map(|b| {
                let [x, y, v] = b.coordinates().map(|c| c.to_f64(0));
                [x * scales[0], y * scales[1], v * scales[2]]
            });
            let mut short = Short { lengths, rows: [[1, 0, 0], [0, 1, 0], [0, 0, 1]], operations: 0 };
            short.reduce();
            if short.operations == 0 {
                break;
            }
            counters.row_operations += short.operations;
            let old = self.vectors;
            for (b, row) in self.vectors.iter_mut().zip(short.rows) {
                let zero = Vector { x: Wide::ZERO, y: Wide::ZERO, v: Wide::ZERO };
                *b = row
                    .iter()
                    .zip(&old)
                    .filter(|(n, _)| **n != 0)
                    .fold(zero, |sum, (n, b)| sum.minus(Wide::from(-n), b));
            }
        }
    }
}

/// Most that an entry of a matrix of row operations may be: beyond, doubles no longer know the
/// vectors that it makes. (The first operation of a pass may be any.)
const LARGEST_ENTRY: f64 = (1u64 << 28) as f64;
/// Most that any multiple may be.
const LARGEST_MULTIPLE: f64 = 1e36;

/// Three vectors in doubles, the row operations made with them as a unimodular matrix, and their
/// number.
struct Short {
    lengths: [[f64; 3]; 3],
    rows: [[i128; 3]; 3],
    operations: u64,
}

impl Short {
    fn dot(&self, j: usize, k: usize) -> f64 {
        let (a, b) = (self.lengths[j], self.lengths[k]);
        a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
    }

    /// Vector j minus multiples of the others, if that shortens it by a share.
    fn operate(&mut self, j: usize, others: [(usize, f64); 2]) -> bool {
        let sum =
            |c: usize| others.iter().fold(self.lengths[j][c], |sum, &(k, q)| sum - q * self.lengths[k][c]);
        let shorter = [0, 1, 2].map(sum);
        let square: f64 = shorter.iter().map(|c| c * c).sum();
        let most = self.rows.iter().flatten().map(|n| n.unsigned_abs()).max().unwrap_or(0) as f64;
        let growth = 1.0 + others.iter().map(|(_, q)| q.abs()).sum::<f64>();
        // both false for NaN
        let (is_shorter, is_small) = (
            square < 0.999 * self.dot(j, j),
            self.operations == 0 && growth < LARGEST_MULTIPLE || most * growth < LARGEST_ENTRY,
        );
        if !(is_shorter && is_small) {
            return false;
        }
        for (k, q) in others {
            for c in 0..3 {
                self.rows[j][c] -= q as i128 * self.rows[k][c];
            }
            self.operations += u64::from(q != 0.0);
        }
        self.lengths[j] = shorter;
        true
    }

    fn reduce(&mut self) {
        for _ in 0..256 {
            let mut is_done = true;
            for (j, k, other) in [(0, 1, 2), (1, 0, 2), (1, 2, 0), (2, 1, 0), (2, 0, 1), (0, 2, 1)] {
                let q = (self.dot(j, k) / self.dot(k, k)).round();
                is_done &= q == 0.0 || !self.operate(j, [(k, q), (other, 0.0)]);
            }
            if is_done {
                // Semaev: pairwise reduced, only the longest ± the others may still be shorter
                let square = |k: usize| self.dot(k, k);
                let longest = (0..3).max_by(|&a, &b| square(a).total_cmp(&square(b))).unwrap_or(0);
                let (a, b) = ((longest + 1) % 3, (longest + 2) % 3);
                let signs = [(1.0, 1.0), (1.0, -1.0), (-1.0, 1.0), (-1.0, -1.0)];
                is_done =
                    !signs.into_iter().any(|(of_a, of_b)| self.operate(longest, [(a, of_a), (b, of_b)]));
            }
            if is_done {
                break;
            }
        }
    }
}

/// Which n of a range may put `line − n·step` into the box; none surely not, `None` if there is
/// none.
///
/// A quotient of two conversions to doubles, each within a relative 2^-51, is within a relative
/// 2^-49; the sums of two such quotients are given 2^-44 of their magnitudes, and 2^-40.
fn on_line(line: &Vector, step: &Vector, reach: &Reach, range: (i128, i128)) -> Option<(i128, i128)> {
    let (mut low, mut high) = range;
    for ((at, by), within) in line.coordinates().into_iter().zip(step.coordinates()).zip(reach.coordinates())
    {
        if by == Wide::ZERO {
            if at.abs() > within {
                return None;
            }
            continue;
        }
        let (by, middle) = (by.to_f64(0), at.to_f64(0) / by.to_f64(0));
        let around = within.to_f64(0) / by.abs();
        let slack = (middle.abs() + around) * 2f64.powi(-44) + 2f64.powi(-40);
        let (from, to) = ((middle - around - slack).ceil(), (middle + around + slack).floor());
        if from.abs() < 1e36 {
            low = low.max(from as i128);
        }
        if to.abs() < 1e36 {
            high = high.min(to as i128);
        }
    }
    (low <= high).then_some((low, high))
}
