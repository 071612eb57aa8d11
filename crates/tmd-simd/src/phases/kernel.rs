//! The existence tests' kernels: a run of domains in every lane, and a batch of segments.
//!
//! A [`Test`] looks at [`VECTORS`] vectors of segments at once, whose steps are interleaved: one
//! vector's divisions fill the time that another waits for its own. All fractions are multiples of
//! 2^-52 in `f64` and all counts integers; a fused operation whose result is again such a multiple
//! below 2, or an integer below 2^53, is *exact*.

use crate::lanes::{Kernel, Lanes, Row};
use crate::tables::Tables;

/// Vectors that are tested together.
pub(super) const VECTORS: usize = 4;

/// `2^-52`, the unit of the fractions.
pub(super) const UNIT: f64 = f64::EPSILON;

/// Vectors of floats, of masks.
pub(super) type Floats<L> = [<L as Lanes>::F; VECTORS];
pub(super) type Masks<L> = [<L as Lanes>::M; VECTORS];

/// The bounds by which all segments of a phase are tested: is
/// `min((b − a·x) mod 1, 0 ≤ x < n) < beyond` possible?
#[derive(Clone, Copy, Debug)]
pub(super) struct TestBounds {
    /// N, from 1 to 2^24
    pub(super) arguments: f64,
    /// ε″: the first multiple of 2^-52 that is outside
    pub(super) beyond: f64,
}

/// An existence test in lanes.
///
/// Soundness: a lane's segment with `(b − a·x) mod 1 < beyond` for some `0 ≤ x < arguments` is
/// never among the empty ones, whatever the slope; a lane that cannot be decided is not empty.
pub(super) trait Test: Copy {
    /// Where the segments b − a·x, multiples of 2^-52 in `[0, 1)`, are certainly empty.
    fn empty<L: Lanes>(self, lanes: L, a: Floats<L>, b: Floats<L>, bounds: &TestBounds) -> Masks<L>;
}

/// A [`Test`] in the lanes of a machine, so that what looks at its results is compiled once.
pub(super) trait Tests<L> {
    /// Phase 1: a [`Run`].
    fn run(&self, lanes: L, bounds: &TestBounds, tables: &Tables, steps: u32, failing: &mut Vec<Failing>);

    /// Phase 2: a [`Batch`].
    fn batch(&self, lanes: L, bounds: &TestBounds, rows: &[(Row<u64>, Row<u64>)], failing: &mut Vec<Failing>);
}

impl<L: Lanes, T: Test> Tests<L> for T {
    fn run(&self, lanes: L, bounds: &TestBounds, tables: &Tables, steps: u32, failing: &mut Vec<Failing>) {
        lanes.run(Run { test: *self, bounds, tables, steps, failing });
    }

    fn batch(
        &self,
        lanes: L,
        bounds: &TestBounds,
        rows: &[(Row<u64>, Row<u64>)],
        failing: &mut Vec<Failing>,
    ) {
        lanes.run(Batch { test: *self, bounds, rows, failing });
    }
}

/// Where a vector of domains failed its test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Failing {
    /// number of the domain in its lane's run, or of the row in its batch
    pub(super) step: u32,
    pub(super) lane: u32,
}

/// Phase 1: `steps` domains in every lane. The tables are those of the segments: `beta` of b,
/// `slope` of a.
pub(super) struct Run<'a, T> {
    pub(super) test: T,
    pub(super) bounds: &'a TestBounds,
    pub(super) tables: &'a Tables,
    pub(super) steps: u32,
    pub(super) failing: &'a mut Vec<Failing>,
}

impl<T: Test> Kernel for Run<'_, T> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, l: L) {
        let Run { test, bounds, tables, steps, failing } = self;
        // no closures here: they are functions of their own, compiled without the machine's
        // instructions
        let [beta0, beta1, beta2, beta3] = &tables.beta;
        let [slope0, slope1, slope2] = &tables.slope;
        let (mut b0, mut b1, mut b2, b3) =
            (l.load_u(beta0), l.load_u(beta1), l.load_u(beta2), l.load_u(beta3));
        let (mut a0, mut a1, a2) = (l.load_u(slope0), l.load_u(slope1), l.load_u(slope2));
        for step in (0..steps).step_by(VECTORS) {
            let (mut a, mut b) = ([l.splat(0.0); VECTORS], [l.splat(0.0); VECTORS]);
            for i in 0..VECTORS {
                (a[i], b[i]) = (l.fraction(a0), l.fraction(b0));
                b0 = l.add_u(b0, b1);
                b1 = l.add_u(b1, b2);
                b2 = l.add_u(b2, b3);
                a0 = l.add_u(a0, a1);
                a1 = l.add_u(a1, a2);
            }
            let empty = empty(l, test, a, b, bounds);
            for (step, empty) in (step..steps).zip(empty) {
                flush(failing, l.bits(l.not(empty)), step);
            }
        }
    }
}

/// Phase 2: segments one by one, packed into rows of as many as there are lanes.
pub(super) struct Batch<'a, T> {
    pub(super) test: T,
    pub(super) bounds: &'a TestBounds,
    /// rows of a and b, 64-bit fractions
    pub(super) rows: &'a [(Row<u64>, Row<u64>)],
    pub(super) failing: &'a mut Vec<Failing>,
}

impl<T: Test> Kernel for Batch<'_, T> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, l: L) {
        let Batch { test, bounds, rows, failing } = self;
        for (chunk, rows) in rows.chunks(VECTORS).enumerate() {
            // rows that are missing at the end are filled up with the last one
            let (mut a, mut b) = ([l.splat(0.0); VECTORS], [l.splat(0.0); VECTORS]);
            for i in 0..VECTORS {
                let (row_a, row_b) = &rows[i.min(rows.len() - 1)];
                (a[i], b[i]) = (l.fraction(l.load_u(row_a)), l.fraction(l.load_u(row_b)));
            }
            let empty = empty(l, test, a, b, bounds);
            for i in 0..rows.len() {
                flush(failing, l.bits(l.not(empty[i])), (chunk * VECTORS + i) as u32);
            }
        }
    }
}

/// Where segments are certainly empty: where the line, falling or rising, stays at `beyond` or
/// above without coming around, or else by the test.
///
/// The tests place as many points as the slope's first quotient says, so that of domains flatter
/// than 1/N hardly any would pass. If a point is below `beyond`, the falling line has
/// `b < a·(N − 1) + beyond`, and the rising one `b < beyond` or `b + (1 − a)·(N − 1) ≥ 1`. All
/// these are multiples of 2^-52, so `a·N + beyond` is at least `b + 2^-52`, and `b + (1 − a)·N` at
/// least `1 + 2^-52`, as a < 1: these are doubles, and the sums, rounded once, are no less.
#[inline(always)]
fn empty<L: Lanes, T: Test>(l: L, test: T, a: Floats<L>, b: Floats<L>, bounds: &TestBounds) -> Masks<L> {
    let (one, arguments, beyond) = (l.splat(1.0), l.splat(bounds.arguments), l.splat(bounds.beyond));
    let mut empty = [l.le(beyond, beyond); VECTORS];
    let mut all = empty[0];
    for i in 0..VECTORS {
        let falls = l.le(l.fma(a[i], arguments, beyond), b[i]);
        let rises = l.le(l.fma(l.sub(one, a[i]), arguments, b[i]), one);
        empty[i] = l.either(falls, l.both(rises, l.le(beyond, b[i])));
        all = l.both(all, empty[i]);
    }
    if l.bits(l.not(all)) == 0 {
        return empty;
    }
    let tested = test.empty(l, a, b, bounds);
    for i in 0..VECTORS {
        empty[i] = l.either(empty[i], tested[i]);
    }
    empty
}

/// Lists the lanes whose bits are set.
#[inline(always)]
fn flush(failing: &mut Vec<Failing>, mut flags: u32, step: u32) {
    while flags != 0 {
        failing.push(Failing { step, lane: flags.trailing_zeros() });
        flags &= flags - 1;
    }
}
