//! [`Frame`]: a dual basis as integers, and [`Course`]: a segment as it sees it. Where engines in
//! lanes begin, and look again.
//!
//! Proof in docs/proofs/lattice3.md, section 6.

use tmd_difftable::power_of_two;

use super::{COEFFICIENT_BITS, Fixed, Model, Segment, Span, Unwieldy, Wide};

/// Most spans.
pub const MAX_SPANS: usize = 8;

/// Bits that the integers of a frame may have.
const MAX_BITS: u32 = 112;

/// Most that an entry of a matrix of row operations may be, between two looks at the exact rows.
const LARGEST_ENTRY: f64 = (1u64 << 30) as f64;

/// A segment, in fixed point of N limbs: its polynomial in the number of half windows from the
/// middle.
#[derive(Clone, Debug)]
pub struct Course<const N: usize> {
    windows: u32,
    /// coefficients times powers of half a window
    polynomial: Vec<Fixed<N>>,
    /// the angle of the middle, and of half a window, over the period
    center: Fixed<N>,
    half: Fixed<N>,
    /// the rotation over the period
    alpha: Fixed<N>,
    gain: Fixed<N>,
    /// for every span what its middle index makes of the rotation and of the gain
    spans: Vec<[Fixed<N>; 2]>,
    /// greatest distance of an index from the middle of its span
    reach: i128,
}

/// A window of a course: the polynomial about its middle, in half windows.
#[derive(Clone, Debug)]
pub struct Spot<const N: usize> {
    /// its middle's angle over the period
    angle: Fixed<N>,
    /// value, and derivatives over 1, 2 and 6
    taylor: [Fixed<N>; 4],
}

/// Three dual vectors of the lattice, exactly, as the integers (i, j, k): the vector has `k` in v,
/// `j/β − F1·k` in y and `i − (α/β)·j − c·k` in x, whatever the window (Lemma L.11, mechanized in
/// proofs/Lanes.v, as are phases: Lemma L.12).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Frame {
    rows: [[i128; 3]; 3],
}

/// A frame's rows at a window, exactly and in doubles.
#[derive(Clone, Debug)]
pub struct View<const N: usize> {
    /// x of the rows, and y in half windows
    across: [Fixed<N>; 3],
    slopes: [Fixed<N>; 3],
    /// as in a [`Start`]
    dual: [[f64; 3]; 3],
}

/// A dual basis at the middle of a window, in the coordinates x/X, y/half and `±v/κ`, where κ > 0
/// is the parabola's height over half a window, halved, and the sign that of its curvature.
#[derive(Clone, Debug, PartialEq)]
pub struct Start {
    /// Rows of the dual basis, each number within a relative 2^-50.
    pub dual: [[f64; 3]; 3],
    /// For every span its point's coordinates in the basis, mod 1, rounded down to multiples of
    /// 2^-64, in that unit.
    pub phases: [[u64; 3]; MAX_SPANS],
    /// The determinant of the basis, with its sign, within a relative 2^-48.
    pub determinant: f64,
    /// κ, within a relative 2^-50.
    pub kappa: f64,
    /// What the third derivative adds to the value from this window to the k-th after it, over k³,
    /// in units of ±κ.
    pub cubic: f64,
}

/// The same dual basis in fixed point, and what its phases gain: where engines begin that walk in
/// integers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Digits {
    /// Rows of the dual basis, rounded to the nearest multiples of `2^-Digits::BITS`, in that unit.
    pub dual: [[i64; 3]; 3],
    /// What the rows' phases gain.
    pub gains: [Gains; 3],
}

/// Differences of a phase from window to window, up to the fourth derivative, mod 1. From one
/// window to the next the phase gains the first, this the second, rounded down to a multiple of
/// 2^-64, and the second the third (Lemma L.28).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Gains {
    /// In units of 2^-64.
    pub first: u64,
    /// A multiple of 2^-96, and half a unit of 2^-64 more than the difference, in units of 2^-128.
    pub second: u128,
    /// A multiple of 2^-96, in units of 2^-128.
    pub third: u128,
}

impl Digits {
    /// Bits after the point of the rows.
    pub const BITS: u32 = 52;
}

impl Gains {
    /// First, second and third difference, of which fractions count.
    fn new<const N: usize>([first, second, third]: [Fixed<N>; 3]) -> Self {
        // multiples of 2^-96
        let cut = |x: Fixed<N>| x.long_fraction() >> 32 << 32;
        Self { first: first.fraction(), second: cut(second).wrapping_add(1 << 63), third: cut(third) }
    }

    /// In the next window.
    #[must_use]
    pub const fn next(self) -> Self {
        Self {
            first: self.first.wrapping_add((self.second >> 64) as u64),
            second: self.second.wrapping_add(self.third),
            third: self.third,
        }
    }

    /// What phases are off after at most n windows, in units of 2^-64, if they begin within a unit
    /// (Lemma L.28).
    pub fn off(n: f64) -> f64 {
        debug_assert!(n < 65536.0, "runs are shorter");
        1.0 + n + n * n / 4.0
    }
}

/// First, second and third differences as integers, mod 2^64, that make a sequence stay near that
/// of these reals for n steps (Lemma L.16): the error that rounding the third makes is a cubic, and
/// all of it but a small cubic in [0, n] goes into the others; likewise the second's. Each real is
/// an integer mod 2^64 and a rest in [0, 1).
fn balanced(differences: [(u64, f64); 3], n: f64) -> [u64; 3] {
    let nearest = |(whole, rest): (u64, f64), more: f64| {
        let step = (rest + more).round();
        // the integer, what it is more than the real, and than the real and `more`
        (whole.wrapping_add(step as i64 as u64), step - rest, step - (rest + more))
    };
    let [first, second, third] = differences;
    let (third, e3, _) = nearest(third, 0.0);
    let (second, e2, r2) = nearest(second, e3 * (1.0 - n * (7.0 / 15.0)));
    let of_third = e3 * (n * n * (11.0 / 150.0) - 1.0 / 3.0);
    let (first, ..) = nearest(first, of_third + e2 / 2.0 - r2 * n * (5.0 / 12.0));
    [first, second, third]
}

impl<const N: usize> Spot<N> {
    /// κ and the cubic term, as in a [`Start`].
    pub fn shape(&self) -> (f64, f64) {
        let kappa = self.taylor[2].half().to_f64();
        (kappa.abs(), 8.0 * self.taylor[3].to_f64() / kappa)
    }
}

impl<const N: usize> Course<N> {
    /// A segment of a model.
    ///
    /// # Errors
    /// [`Unwieldy`] where N limbs are too few, or there are more than [`MAX_SPANS`] spans.
    pub fn new(model: &Model, spans: &[Span], segment: &Segment) -> Result<Self, Unwieldy> {
        let half = segment.half;
        if model.value_bits() > Fixed::<N>::BITS
            || spans.len() > MAX_SPANS
            || half <= Wide::ZERO
            || half.bits() >= model.angle_bits
        {
            return Err(Unwieldy);
        }
        let mut polynomial = Vec::with_capacity(segment.coefficients.len());
        // by how much the value may be off, and what another rounding adds; indices are below 2^32
        // half windows
        let mut lag = 0.0;
        for (power, &c) in segment.coefficients.iter().enumerate() {
            // bits after the point that products leave room for
            let room = (Wide::BITS - 8 + COEFFICIENT_BITS).checked_sub(c.bits() + half.bits());
            let bits = room.ok_or(Unwieldy)?.min(Fixed::<N>::BITS);
            let mut scaled = if bits >= COEFFICIENT_BITS {
                c << (bits - COEFFICIENT_BITS)
            } else {
                c >> (COEFFICIENT_BITS - bits)
            };
            for _ in 0..power {
                // half a window is below 1/2: errors are halved, and a unit is added
                scaled = (scaled * half) >> model.angle_bits;
            }
            if scaled.bits() > bits + 96 {
                return Err(Unwieldy);
            }
            lag += 2.0 * power_of_two(-(bits as i32)) * f64::from(segment.windows).powi(power as i32);
            polynomial.push(Fixed::of_wide(scaled, bits));
        }
        let is_exact = lag <= power_of_two(-100);
        if !is_exact {
            return Err(Unwieldy);
        }
        let period = model.log2_period;
        let alpha = Fixed::of_wide(model.alpha, period);
        let gain = Fixed::of_wide(segment.gain, model.value_bits());
        let middles = spans.iter().map(Span::middle);
        let reach = spans.iter().map(Span::reach).max().unwrap_or(0).max(1);
        Ok(Self {
            windows: segment.windows,
            polynomial,
            center: Fixed::of_wide(segment.center(), period),
            half: Fixed::of_wide(half, period),
            alpha,
            gain,
            spans: middles.map(|middle| [alpha.times(middle), gain.times(middle)]).collect(),
            reach,
        })
    }

    /// A window by its number.
    pub fn spot(&self, number: u32) -> Spot<N> {
        let steps = 2 * i64::from(number) + 1 - i64::from(self.windows);
        let mut taylor = [Fixed::ZERO; 4];
        for (n, c) in self.polynomial.iter().rev().enumerate() {
            // the k-th derivative begins with the k-th coefficient from the end
            for k in (1..4.min(n + 1)).rev() {
                taylor[k] = taylor[k].times_plus(steps, &taylor[k - 1]);
            }
            taylor[0] = taylor[0].times_plus(steps, c);
        }
        Spot { angle: self.half.times_plus(steps, &self.center), taylor }
    }
}

impl Frame {
    /// That of the generators.
    pub const TRIVIAL: Self = Self { rows: [[1, 0, 0], [0, 1, 0], [0, 0, 1]] };

    /// Its rows.
    pub const fn rows(&self) -> &[[i128; 3]; 3] {
        &self.rows
    }

    /// Times a matrix of row operations, whose entries must be integers: another dual basis
    /// (Theorem S.8 of proofs/Space.v, a row operation on a basis being one on its dual).
    ///
    /// # Errors
    /// [`Unwieldy`] if an entry is no integer, or numbers are too large; then it is as it was.
    pub fn apply(&mut self, t: &[[f64; 3]; 3]) -> Result<(), Unwieldy> {
        // false for NaN
        let is_small = t.iter().all(|t| has_room(t, &self.sizes()));
        if !is_small || t.iter().flatten().any(|&entry| integer(entry) as f64 != entry) {
            return Err(Unwieldy);
        }
        let mut rows = [[0i128; 3]; 3];
        for (row, t) in rows.iter_mut().zip(t) {
            let t = t.map(integer);
            for (c, sum) in row.iter_mut().enumerate() {
                *sum = t[0] * self.rows[0][c] + t[1] * self.rows[1][c] + t[2] * self.rows[2][c];
            }
        }
        if rows.iter().flatten().any(|n| n.unsigned_abs() >> MAX_BITS != 0) {
            return Err(Unwieldy);
        }
        self.rows = rows;
        Ok(())
    }

    /// Powers of two above the entries of each row.
    fn sizes(&self) -> [f64; 3] {
        self.rows.map(|row| {
            let bits = row.iter().fold(0, |all, n| all | n.unsigned_abs());
            power_of_two(128 - bits.leading_zeros() as i32)
        })
    }

    /// The sign of the determinant, which is ±1.
    fn sign(&self) -> Result<f64, Unwieldy> {
        let [a, b, c] = self.rows.map(|row| row.map(|n| n as i64));
        let minor = |p: usize, q: usize| b[p].wrapping_mul(c[q]).wrapping_sub(b[q].wrapping_mul(c[p]));
        let terms = [(0, minor(1, 2)), (1, minor(2, 0)), (2, minor(0, 1))];
        // mod 2^64; were it another number, no list could be relied on
        match terms.iter().fold(0i64, |sum, &(k, minor)| sum.wrapping_add(a[k].wrapping_mul(minor))) {
            1 => Ok(1.0),
            -1 => Ok(-1.0),
            _ => Err(Unwieldy),
        }
    }

    /// y of the rows at a window, in half windows, exactly.
    fn slopes<const N: usize>(&self, course: &Course<N>, spot: &Spot<N>) -> Result<[Fixed<N>; 3], Unwieldy> {
        // nothing may wrap at 2^128
        let largest = |c: usize| {
            let bits = self.rows.iter().fold(0, |all, row| all | row[c].unsigned_abs());
            power_of_two(128 - bits.leading_zeros() as i32)
        };
        let [i, j, k] = [largest(0), largest(1), largest(2)];
        let is_within = j * course.half.to_f64().abs() + k * spot.taylor[1].to_f64().abs()
            < power_of_two(120)
            && i + j + k * course.gain.to_f64().abs() < power_of_two(120);
        if !is_within {
            return Err(Unwieldy);
        }
        Ok(self.rows.map(|[_, j, k]| course.half.times(j).minus(&spot.taylor[1].times(k))))
    }

    /// The rows at a window.
    ///
    /// # Errors
    /// [`Unwieldy`] if numbers are too large.
    pub fn view<const N: usize>(&self, course: &Course<N>, spot: &Spot<N>) -> Result<View<N>, Unwieldy> {
        let slopes = self.slopes(course, spot)?;
        let across = self.rows.map(|[i, j, k]| {
            let x = Fixed::of_integer(i).minus(&course.alpha.times(j));
            if course.gain == Fixed::ZERO { x } else { x.minus(&course.gain.times(k)) }
        });
        // κ with its sign
        let kappa = spot.taylor[2].half().to_f64();
        let mut dual = [[0.0; 3]; 3];
        for (n, row) in dual.iter_mut().enumerate() {
            let nu = self.rows[n][2] as f64 * kappa;
            *row = [across[n].to_f64() * course.reach as f64, slopes[n].to_f64(), nu];
        }
        Ok(View { across, slopes, dual })
    }

    /// Makes the rows short at a window, by row operations with integers.
    ///
    /// # Errors
    /// [`Unwieldy`] if numbers are too large.
    pub fn seek<const N: usize>(&mut self, course: &Course<N>, spot: &Spot<N>) -> Result<View<N>, Unwieldy> {
        // each pass shortens the rows or is the last; the bound is for lengths that are no numbers
        // any more
        for _ in 0..64 {
            let view = self.view(course, spot)?;
            let Some(t) = shorten(view.dual, &self.sizes()) else { return Ok(view) };
            self.apply(&t)?;
        }
        self.view(course, spot)
    }

    /// The frame at a window in numbers.
    ///
    /// # Errors
    /// [`Unwieldy`] if numbers are too large, and where the function has no curvature.
    pub fn start<const N: usize>(
        &self,
        course: &Course<N>,
        spot: &Spot<N>,
        view: &View<N>,
    ) -> Result<Start, Unwieldy> {
        let [_, _, curvature, third] = &spot.taylor;
        let signed = curvature.half().to_f64();
        if signed == 0.0 {
            return Err(Unwieldy);
        }
        let mut phases = [[0; 3]; MAX_SPANS];
        for (span, phases) in phases.iter_mut().enumerate().take(course.spans.len()) {
            *phases = self.phases(course, spot, span);
        }
        let determinant = self.sign()? / (course.reach as f64 * course.half.to_f64() * signed);
        let cubic = 8.0 * third.to_f64() / signed;
        Ok(Start { dual: view.dual, phases, determinant, kappa: signed.abs(), cubic })
    }

    /// First, second and third differences of the rows' phases from window to window, exactly, up
    /// to the fourth derivative.
    fn differences<const N: usize>(&self, spot: &Spot<N>, view: &View<N>) -> [[Fixed<N>; 3]; 3] {
        let [_, _, curvature, third] = &spot.taylor;
        let times = |n: i64, x: &Fixed<N>| x.times_plus(n, &Fixed::ZERO);
        [0, 1, 2].map(|n| {
            let k = self.rows[n][2];
            // the phase in window m is a·m + b·m² + c·m³ more
            let a = times(-2, &view.slopes[n]);
            let (b, c) = (times(4, &curvature.times(k)), times(8, &third.times(k)));
            let six = times(6, &c);
            [a.plus(&b).plus(&c), times(2, &b).plus(&six), six]
        })
    }

    /// The same mod 1, as multiples of 2^-64, in that unit: those that together make the phases of
    /// so many windows near enough (Lemma L.16).
    pub fn balanced<const N: usize>(&self, spot: &Spot<N>, view: &View<N>, windows: u32) -> [[u64; 3]; 3] {
        let fractions = |all: [Fixed<N>; 3]| all.map(|x| x.fraction_and_rest());
        self.differences(spot, view).map(|all| balanced(fractions(all), f64::from(windows)))
    }

    /// What phases are off after at most n windows by [`balanced`](Self::balanced) differences, in
    /// units of 2^-64, if they begin within a unit: Lemma L.16 with h = 0.501, where 1/2 and the
    /// doubles' roundings are in, which are below 2^-28 for n < 2^12 and below 2^-20 for n < 2^16.
    pub fn balanced_off(n: f64) -> f64 {
        debug_assert!(n < 65536.0, "runs are shorter");
        1.0 + 0.501 * (n + n * n * (25.0 / 288.0) + n * n * n / 150.0)
    }

    /// The frame at a window in fixed point, and how phases go on.
    ///
    /// # Errors
    /// [`Unwieldy`] if numbers are too large.
    pub fn digits<const N: usize>(
        &self,
        course: &Course<N>,
        spot: &Spot<N>,
        view: &View<N>,
    ) -> Result<Digits, Unwieldy> {
        let View { across, slopes, dual: doubles } = view;
        // false for NaN; the exact ones are below 2^10, which digits have room for, and longer rows
        // end a run where it begins
        let is_small = doubles.iter().flatten().all(|c| c.abs() < 512.0) && course.reach >> 96 == 0;
        if !is_small {
            return Err(Unwieldy);
        }
        let kappa = spot.taylor[2].half();
        let dual = [0, 1, 2].map(|n| {
            let k = self.rows[n][2];
            [across[n].times(course.reach), slopes[n], kappa.times(k)].map(|x| x.nearest(Digits::BITS))
        });
        Ok(Digits { dual, gains: self.differences(spot, view).map(Gains::new) })
    }

    /// The dual basis at a window, as in a [`Start`], and one span's phases.
    ///
    /// # Errors
    /// [`Unwieldy`] if numbers are too large.
    pub fn look<const N: usize>(
        &self,
        course: &Course<N>,
        spot: &Spot<N>,
        span: usize,
    ) -> Result<([[f64; 3]; 3], [u64; 3]), Unwieldy> {
        Ok((self.view(course, spot)?.dual, self.phases(course, spot, span)))
    }

    /// The coordinates of a span's point in the basis, mod 1.
    fn phases<const N: usize>(&self, course: &Course<N>, spot: &Spot<N>, span: usize) -> [u64; 3] {
        let [turned, gained] = &course.spans[span];
        let angle = turned.minus(&spot.angle);
        let height = spot.taylor[0].plus(&spot.taylor[2].half()).plus(gained);
        self.rows.map(|[_, j, k]| angle.times(j).plus(&height.times(k)).fraction())
    }
}

/// The integer that a double is, if it is one below 2^120.
fn integer(x: f64) -> i128 {
    // conversions of 128 bits are slow
    if x.abs() < power_of_two(62) { i128::from(x as i64) } else { x as i128 }
}

/// The integer next to a double; some integer for large ones.
fn rounded(x: f64) -> f64 {
    let magic = 1.5 * power_of_two(52);
    if x.abs() < power_of_two(51) { (x + magic) - magic } else { x }
}

/// Whether a row of T, times rows with entries below these sizes, has sums of three products that
/// are below 2^127, whatever is added first.
fn has_room(t: &[f64; 3], sizes: &[f64; 3]) -> bool {
    t.iter().zip(sizes).map(|(entry, size)| entry.abs() * size).sum::<f64>() < power_of_two(124)
}

/// Row operations that make three vectors shorter, as a matrix T of integers for which a frame with
/// rows of these sizes has room; `None` if there are none.
fn shorten(mut rows: [[f64; 3]; 3], sizes: &[f64; 3]) -> Option<[[f64; 3]; 3]> {
    let mut t = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0f64]];
    let dot = |a: &[f64; 3], b: &[f64; 3]| a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    let less = |a: &[f64; 3], q: f64, b: &[f64; 3]| [a[0] - q * b[0], a[1] - q * b[1], a[2] - q * b[2]];
    // of the rows their squares, and of T's the largest entries
    let mut squares = rows.map(|row| dot(&row, &row));
    let mut largest = [1.0f64; 3];
    let mut is_first = true;
    'cycles: for _ in 0..64 {
        let mut is_done = true;
        for (a, b) in [(0, 1), (1, 2), (0, 2)] {
            // the longer one, less a multiple of the other
            let (long, short) = if squares[a] <= squares[b] { (b, a) } else { (a, b) };
            let q = rounded(dot(&rows[a], &rows[b]) / squares[short]);
            if q == 0.0 || q.is_nan() {
                continue;
            }
            let most = largest[long].max(largest[short]);
            let row = less(&t[long], q, &t[short]);
            // each false for NaN; the first one may be any, and is exact
            let is_small = most * (1.0 + q.abs()) < LARGEST_ENTRY || is_first && q.abs() < power_of_two(100);
            if !(is_small && has_room(&row, sizes)) {
                // another pair may have room
                if is_first {
                    continue;
                }
                break 'cycles;
            }
            let shorter = less(&rows[long], q, &rows[short]);
            let square = dot(&shorter, &shorter);
            if square >= 0.999 * squares[long] {
                continue;
            }
            (rows[long], squares[long], t[long]) = (shorter, square, row);
            largest[long] = row[0].abs().max(row[1].abs()).max(row[2].abs());
            (is_done, is_first) = (false, false);
            if most * (1.0 + q.abs()) >= LARGEST_ENTRY {
                break 'cycles;
            }
        }
        if is_done {
            break;
        }
    }
    (!is_first).then_some(t)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Balanced differences are off by as much as Lemma L.16 says after some number of windows, and
    /// never by more; with half of it they would be.
    #[test]
    fn balanced_differences_are_within_their_bound() {
        let mut state = 1u64;
        let mut random = || {
            state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
            (state >> 11) as f64 * power_of_two(-53)
        };
        for n in [1u32, 2, 3, 64, 1000, 4096] {
            let mut most = 0.0f64;
            for round in 0..60 {
                let mut rests = [0; 3].map(|_| random());
                if round % 2 == 0 {
                    // what is rounded most
                    rests[2] = 0.5 - power_of_two(-40) * f64::from(round % 4);
                }
                let whole = u64::MAX - 7;
                let integers = balanced(rests.map(|rest| (whole, rest)), f64::from(n));
                // in units of 2^-53, exactly
                let off = [0, 1, 2].map(|m| {
                    let step = integers[m].wrapping_sub(whole) as i64;
                    (i128::from(step) << 53) - (rests[m] * power_of_two(53)) as i128
                });
                for k in 0..=i128::from(n) {
                    let sum = off[0] * k + off[1] * (k * (k - 1) / 2) + off[2] * (k * (k - 1) * (k - 2) / 6);
                    most = most.max(sum as f64 * power_of_two(-53)).max(-sum as f64 * power_of_two(-53));
                }
            }
            // a unit is the beginning's
            let bound = Frame::balanced_off(f64::from(n)) - 1.0;
            assert!(most <= bound, "{most} of {bound} in {n} windows");
            assert!(n < 64 || most > 0.6 * bound, "{most} of {bound} in {n} windows");
        }
    }
    /// Phases are off by as much as Lemma L.28 says after some number of windows, and never by
    /// more; with half of it they would be.
    #[test]
    fn gains_are_within_their_bound() {
        let mut state = 1u64;
        let mut random = || {
            state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
            state
        };
        let mut most = 0.0f64;
        for round in 0..100 {
            let n = [1u32, 2, 3, 64, 1000, 8192][round % 6];
            // in units of 2^-256; sums mod 1 are those of the last limbs
            let [first, mut second, mut third] =
                [0; 3].map(|_| Wide::from_limbs([0; 10].map(|_| random())).centered(256));
            if round % 4 < 2 {
                // what is rounded most: always up by half a unit
                second = (second >> 192 << 192) + Wide::power_of_two(191);
                third = third >> 192 << 192;
            }
            let [a, b, c] = [first, second, third].map(|x| Fixed::<6>::of_wide(x, 256));
            let mut gains = Gains::new([a, b, c]);
            let (mut phase, mut exact) = (0u64, [Fixed::ZERO, a, b]);
            for k in 0..=n {
                let off = Wide::from(i128::from(phase)) - Wide::from(i128::from(exact[0].fraction()));
                let off = off.centered(64).to_f64(0).abs();
                let bound = Gains::off(f64::from(k));
                assert!(off <= bound, "{off} of {bound} after {k} windows");
                if k > 1000 {
                    most = most.max(off / bound);
                }
                (phase, gains) = (phase.wrapping_add(gains.first), gains.next());
                exact = [exact[0].plus(&exact[1]), exact[1].plus(&exact[2]), exact[2].plus(&c)];
            }
        }
        assert!(most > 0.9, "{most}");
    }
}
