//! What a window is given, and rows of windows, whose numbers are side by side.

use tmd_core::difftable::{Upper, power_of_two};

use super::{
    Arc,
    about::{About, Roots, Start},
    local::Local,
    real::{Turns, WIDTH, nearest, nearest_integer},
    roots::Window,
};

/// Windows of a row.
pub(super) const ROW: usize = 8;

/// What all of a window follows from. All are doubles, as not all processors have vectors of
/// integers of 64 bits that become doubles; integers are below 2^53, and exact.
#[derive(Clone, Copy, Debug)]
pub(super) struct Given {
    /// u and v
    pub(super) before: f64,
    pub(super) own: f64,
    /// A
    numerator: f64,
    /// the argument that x is counted from, and the first and last x
    pub(super) origin: f64,
    pub(super) first: f64,
    pub(super) last: f64,
    /// P and c
    pub(super) length: f64,
    pub(super) curvature: f64,
    /// v·b, and its fraction
    pub(super) whole: f64,
    pub(super) part: f64,
}

impl Given {
    /// The arguments from `first` to `last` of a piece on the arc of a fraction.
    #[inline(always)]
    pub(super) fn new(local: &Local, arc: Arc, [first, last]: [u64; 2]) -> Self {
        let Arc { before, own, .. } = arc;
        let origin = local.argument as i64;
        let (whole, part) = local.multiple(own);
        Self {
            before: before as i64 as f64,
            own: own as i64 as f64,
            numerator: local.numerator(own) as i64 as f64,
            origin: origin as f64,
            first: (first as i64 - origin) as f64,
            last: (last as i64 - origin) as f64,
            length: local.length(own),
            curvature: local.curvature,
            whole: whole as i64 as f64,
            part,
        }
    }

    /// Whether u is the inverse mod v of A: exact.
    #[inline(always)]
    pub(super) fn is_neighbor(&self) -> bool {
        let one = remainder(self.numerator * self.before, self.own, 1.0 / self.own);
        one == 1.0 || self.own == 1.0
    }

    /// The argument behind it.
    #[inline(always)]
    pub(super) fn end(&self) -> u64 {
        (self.origin + self.last) as u64 + 1
    }

    /// How many arguments it has.
    #[inline(always)]
    pub(super) fn arguments(&self) -> u64 {
        (self.last - self.first) as u64 + 1
    }
}

/// `x` mod v, for integers x up to 2^51 and `inverse`, `1/v` rounded.
#[inline(always)]
pub(super) fn remainder(x: f64, v: f64, inverse: f64) -> f64 {
    debug_assert!(x.abs() < (1u64 << 51) as f64 && v > 0.0, "{x} mod {v}");
    // the quotient is off by 1 at the most: the product is exact
    let rest = x - nearest(x * inverse) * v;
    if rest < 0.0 { rest + v } else { rest }
}

/// Numbers of [`Given`].
const FIELDS: usize = 10;

impl Given {
    #[inline(always)]
    const fn numbers(self) -> [f64; FIELDS] {
        let Self { before, own, numerator, origin, first, last, length, curvature, whole, part } = self;
        [before, own, numerator, origin, first, last, length, curvature, whole, part]
    }

    #[inline(always)]
    const fn of(numbers: [f64; FIELDS]) -> Self {
        let [before, own, numerator, origin, first, last, length, curvature, whole, part] = numbers;
        Self { before, own, numerator, origin, first, last, length, curvature, whole, part }
    }
}

/// What the windows of a row are given.
pub(super) struct Row([[f64; ROW]; FIELDS]);

impl Row {
    /// Of the same windows.
    #[inline(always)]
    pub(super) fn new(given: Given) -> Self {
        Self(given.numbers().map(|number| [number; ROW]))
    }

    #[inline(always)]
    pub(super) fn set(&mut self, window: usize, given: Given) {
        for (row, number) in self.0.iter_mut().zip(given.numbers()) {
            row[window] = number;
        }
    }

    #[inline(always)]
    pub(super) fn get(&self, window: usize) -> Given {
        Given::of(core::array::from_fn(|field| self.0[field][window]))
    }

    /// What their chunks begin with: a loop without branches, calls or conversions, of which
    /// compilers make vectors.
    #[inline(always)]
    pub(super) fn chunks(&self, acceptance: Upper) -> Chunks {
        let mut chunks = Chunks([[0.0; ROW]; NUMBERS]);
        for lane in 0..ROW {
            let given = self.get(lane);
            let window = Window::new(given, acceptance);
            let about = About::new(&window);
            let last = about.last_of_one();
            let vectors = (last * (1.0 / WIDTH as f64)).floor() + 1.0;
            let start = Start::new::<f32>(&about, 0.0, last.max(0.0), vectors);
            // beyond that the window has no chunk
            let n = (given.whole + about.ceiling).min(power_of_two(50)).max(-power_of_two(50));
            let [base, one] = window.turn_of(about.center, n);
            let is_neighbor = if given.is_neighbor() { 1.0 } else { 0.0 };
            let Start { above, square, step, limits: [begin, rest] } = start;
            let numbers = [is_neighbor, last, base, one, above, square, step, begin, rest];
            for (row, number) in chunks.0.iter_mut().zip(numbers) {
                row[lane] = number;
            }
        }
        chunks
    }
}

/// Numbers of a window's chunk.
const NUMBERS: usize = 9;

/// What the chunks of the windows of a row begin with.
pub(super) struct Chunks([[f64; ROW]; NUMBERS]);

impl Chunks {
    /// Whether a window's u is the inverse mod v of A: exact.
    #[inline(always)]
    pub(super) fn is_neighbor(&self, window: usize) -> bool {
        self.0[0][window] > 0.0
    }

    /// The last root and the roots of a window, if it is about its vertex, and they are to be swept
    /// in singles, and few.
    #[inline(always)]
    pub(super) fn get(&self, window: usize) -> Option<(i64, Roots<f32>)> {
        let [_, last, base, one, above, square, step, begin, rest] = self.0.map(|row| row[window]);
        let is_one = last >= 0.0;
        is_one.then(|| {
            let start = Start { above, square, step, limits: [begin, rest] };
            (nearest_integer(last), Roots::at(Turns::new([base, one]), start))
        })
    }
}
