//! `lattice3/lattice3.wgsl`: the walk in three dimensions, one run of windows and one or two
//! targets per invocation, in integers.
//!
//! As in the lanes' walk (`tmd-simd`) a run keeps what it began with, and the matrix T of all row
//! operations since: rows of the dual basis are T times the first ones, sheared, and phases T times
//! the first ones' phases. But here all are integers: rows in units of 2^-52, phases in turns of
//! 2^-64, and what they gain with up to 32 bits more. Sums, products and the shear by 8 windows' ν
//! are *exact* mod 2^64, and so rows are, as long as none leaves its range: row operations are done
//! on T, and on the rows' high words, which say how long they are (`LONGEST`, `ROOM`). Nothing
//! drifts. Only the shear's cubic part, `1.5·g·k²` times ν, is computed afresh in every window.
//!
//! A window is then looked at in 32-bit integers: rows in units of 2^-26, edges (the basis) and
//! points in units of 2^-24, four points of a line at a time. How near is near depends on the
//! window. There are no floats but in a quotient that is corrected afterwards, so a device and this
//! twin agree to the last bit. Bounds, and why nothing is lost: docs/proofs/lattice3.md, section 7.
//!
//! A run ends early, and says after how many windows, if a row grows too long, if there is no room
//! for a hit, or if the device ended a loop. The rest of it is for the CPU.

mod beginning;
#[cfg(test)]
mod tests;

pub use beginning::{Beginning, Lattice3Constants, Lattice3Hit};
use tmd_core::lattice3::Gains;
pub use tmd_shaders::constants::lattice3::ROW_BITS;
use tmd_shaders::constants::lattice3::{
    BOUND_BITS, CROSS_BITS, EDGE, FARTHEST, GRAM_BITS, LARGEST_TWO, LONGEST, LONGEST_NU, LONGEST_TAU,
    MOST_MORE, MOST_POINTS, NU_UNITS, POINT_BITS, QUOTIENT_BITS, REST_UNITS, ROOM, SHEAR_BITS, SHEARED_OFF,
    SHORT_BITS, SIXTEENTH, SLACK_UNITS, TAMEST, TAU_UNITS, TOLERANCE, TOLERANCE_BITS, WIDER, WIDER_BITS,
    WIDEST_NU, WIDEST_TAU,
};

// sums of three products of a reach and an edge have room in 32 bits
const _: () =
    assert!(3 * (TAU_UNITS as u64 * WIDEST_TAU as u64 + NU_UNITS as u64 * WIDEST_NU as u64) < 1 << 32);

// what is near is that of the lanes
const _: () = assert!(TOLERANCE as f32 == tmd_core::lattice3::TOLERANCE * (1 << POINT_BITS) as f32);

/// A row that the run began with, sheared, and all that goes with it.
#[derive(Clone, Copy, Debug)]
struct Source {
    x: u64,
    tau: u64,
    nu: u64,
    gains: Gains,
    phase0: u64,
    phase1: u64,
}

/// Products of the rows.
#[derive(Clone, Copy)]
struct Gram {
    aa: i32,
    bb: i32,
    cc: i32,
    ab: i32,
    bc: i32,
    ac: i32,
}

/// A row in units of 2^-26.
#[derive(Clone, Copy)]
struct Short {
    x: i32,
    tau: i32,
    nu: i32,
}

#[derive(Clone, Copy)]
struct Side {
    below: i32,
    above: i32,
    reach: u32,
}

#[derive(Clone, Copy)]
struct Edge {
    tau: i32,
    nu: i32,
    fits: bool,
}

struct Box {
    sides: [Side; 3],
    edges: [Edge; 3],
    /// what the value of a case's point is at most, in units of 2^-24, if it is bounded
    tolerance: Option<i32>,
}

/// A row of the dual basis: its entries' high words, what they are off at most, and the integers
/// that it is of the sources.
#[derive(Clone, Copy, Debug)]
struct Row {
    entries: [i32; 3],
    off: u32,
    t: [i32; 3],
}

const fn top(x: u64) -> i32 {
    (x >> 32) as i32
}

/// t·(p, q, r) mod 2^64
fn sum_of(t: &[i32; 3], sources: [u64; 3]) -> u64 {
    let [p, q, r] = [0, 1, 2].map(|j| sources[j].wrapping_mul(i64::from(t[j]) as u64));
    p.wrapping_add(q).wrapping_add(r)
}

impl Row {
    fn longest(&self) -> i32 {
        let [x, tau, nu] = self.entries.map(i32::wrapping_abs);
        x.max(tau).max(nu)
    }

    /// What the largest entry is at most, in units of `2^-BOUND_BITS`.
    fn coarse(&self) -> u32 {
        ((self.longest() as u32 + self.off) >> (ROW_BITS - 32 - BOUND_BITS)) + 1
    }

    fn less_times(&self, short: &Self, q: i32) -> Self {
        let less = |a: i32, b: i32| a.wrapping_sub(b.wrapping_mul(q));
        Self {
            entries: [0, 1, 2].map(|c| less(self.entries[c], short.entries[c])),
            off: self.off + q.unsigned_abs() * short.off,
            t: [0, 1, 2].map(|j| less(self.t[j], short.t[j])),
        }
    }

    /// (x, τ, ν) in units of 2^-52, τ without the shear's cubic part.
    fn exact(&self, sources: &[Source; 3]) -> [u64; 3] {
        let column = |entry: fn(&Source) -> u64| sum_of(&self.t, sources.each_ref().map(entry));
        [column(|source| source.x), column(|source| source.tau), column(|source| source.nu)]
    }

    /// The same row in the next window, from its exact entries' high words.
    const fn sheared(&self, [x, tau, nu]: [i32; 3]) -> Self {
        Self { entries: [x, tau - (nu << SHEAR_BITS), nu], off: SHEARED_OFF, t: self.t }
    }
}

fn gram_of(rows: &[Row; 3]) -> Gram {
    let most = rows[0].longest().max(rows[1].longest()).max(rows[2].longest());
    let by = (32 - most.leading_zeros()).max(GRAM_BITS) - GRAM_BITS;
    let [p, q, r] = rows.map(|row| row.entries.map(|c| c >> by));
    let dot = |a: [i32; 3], b: [i32; 3]| {
        let products = [0, 1, 2].map(|c| a[c].wrapping_mul(b[c]));
        products[0].wrapping_add(products[1]).wrapping_add(products[2])
    };
    Gram { aa: dot(p, p), bb: dot(q, q), cc: dot(r, r), ab: dot(p, q), bc: dot(q, r), ac: dot(p, r) }
}

/// n/d rounded, 0 if d is not positive, and below `2^QUOTIENT_BITS`.
fn quotient(n: i32, d: i32) -> i32 {
    if d <= 0 {
        return 0;
    }
    let (size, by) = (n.unsigned_abs(), d as u32);
    let most = (1 << QUOTIENT_BITS) - 1;
    let mut q = most;
    if size >> QUOTIENT_BITS < by {
        q = (size as f32 / by as f32) as u32;
        // one too many or too few
        let mut rest = size.wrapping_sub(q.wrapping_mul(by)) as i32;
        if rest < 0 {
            q = q.wrapping_sub(1);
            rest = rest.wrapping_add(d);
        }
        if rest >= d {
            q += 1;
            rest -= d;
        }
        q += u32::from(2 * (rest as u32) > by);
        q = q.min(most);
    }
    if n < 0 { -(q as i32) } else { q as i32 }
}

/// Of two rows the longer one minus a multiple of the other, if it stays below 2^10. Any multiple
/// would do: no list depends on it.
fn pair(rows: &mut [Row; 3], a: usize, b: usize, mut g: Gram) -> Gram {
    let a_is_short = g.aa <= g.bb;
    let q = quotient(g.ab, g.aa.min(g.bb));
    let less = |x: i32, y: i32| x.wrapping_sub(q.wrapping_mul(y));
    let (long, short) = if a_is_short { (b, a) } else { (a, b) };
    let most = rows[long].coarse().wrapping_add(q.unsigned_abs().wrapping_mul(rows[short].coarse()));
    if q == 0 || most >= ROOM {
        return g;
    }
    rows[long] = rows[long].less_times(&rows[short], q);
    if a_is_short {
        let ab = less(g.ab, g.aa);
        g.bb = less(g.bb, g.ab.wrapping_add(ab));
        g.bc = less(g.bc, g.ac);
        g.ab = ab;
    } else {
        let ab = less(g.ab, g.bb);
        g.aa = less(g.aa, g.ab.wrapping_add(ab));
        g.ac = less(g.ac, g.bc);
        g.ab = ab;
    }
    g
}

const fn turned(g: Gram) -> Gram {
    Gram { aa: g.bb, bb: g.cc, cc: g.aa, ab: g.bc, bc: g.ac, ac: g.ab }
}

const fn turned_back(g: Gram) -> Gram {
    Gram { aa: g.cc, bb: g.aa, cc: g.bb, ab: g.ac, bc: g.ab, ac: g.bc }
}

const fn crossed(g: Gram) -> Gram {
    Gram { aa: g.aa, bb: g.cc, cc: g.bb, ab: g.ac, bc: g.bc, ac: g.ab }
}

/// To units of 2^-26, rounded.
const fn rounded(x: u64) -> i32 {
    const BY: u32 = ROW_BITS - SHORT_BITS;
    ((x.wrapping_add(1 << (BY - 1)) as i64) >> BY) as i32
}

fn shortened([x, tau, nu]: [u64; 3], curvature: i32) -> Short {
    let nu = rounded(nu);
    let more = i64::from(curvature) * i64::from(nu) + (1 << 31);
    Short { x: rounded(x), tau: rounded(tau).wrapping_sub((more >> 32) as i32), nu }
}

/// Which row is in which place, the longest one last, and whether that is an odd permutation.
fn order(rows: &[Short; 3]) -> ([usize; 3], bool) {
    let size = |i: usize| {
        let Short { x, tau, nu } = rows[i];
        x.unsigned_abs().wrapping_add(tau.unsigned_abs()).wrapping_add(nu.unsigned_abs())
    };
    let mut places = [0, 1, 2];
    let mut is_odd = false;
    for other in [0, 1] {
        if size(places[other]) > size(places[2]) {
            places.swap(other, 2);
            is_odd = !is_odd;
        }
    }
    (places, is_odd)
}

fn side_of(row: Short) -> Side {
    let [x, y, v] = [row.x, row.tau, row.nu].map(i32::unsigned_abs);
    let reach = x.wrapping_add(y).wrapping_add(v).wrapping_add(v >> TOLERANCE_BITS).wrapping_add(1);
    let part = y >> 3;
    let spared = (3 * part).min(v.min((v >> 1) + part));
    let rest = reach.min(FARTHEST).wrapping_sub(spared.min(FARTHEST / 2));
    let width = rest.wrapping_add(rest >> WIDER_BITS).wrapping_add(WIDER) as i32;
    let by = if row.nu < 0 { (spared as i32).wrapping_neg() } else { spared as i32 };
    Side { below: width.wrapping_sub(by), above: width.wrapping_add(by), reach }
}

fn narrowed(x: i64) -> (i32, bool) {
    (x as i32, i64::from(x as i32) == x)
}

/// (p·s − q·r)·det in units of 2^-24, if it is one of 32 bits.
fn component([p, s, q, r]: [i32; 4], mantissa: i32, shift: u32) -> (i32, bool) {
    let wide = (i64::from(p) * i64::from(s)).wrapping_sub(i64::from(q) * i64::from(r));
    let (cross, fits) = narrowed(wide >> (2 * SHORT_BITS - CROSS_BITS));
    let (size, is_small) = narrowed((i64::from(cross) * i64::from(mantissa)) >> shift);
    (size, fits && is_small)
}

fn edge_of(a: &Short, b: &Short, mantissa: i32, shift: u32) -> Edge {
    let (tau, one) = component([a.nu, b.x, a.x, b.nu], mantissa, shift);
    let (nu, other) = component([a.x, b.tau, a.tau, b.x], mantissa, shift);
    Edge { tau, nu, fits: one && other }
}

const fn slack_of(side: &Side) -> u32 {
    (side.reach.wrapping_add(SIXTEENTH) >> (SHORT_BITS - BOUND_BITS)) + 1
}

/// A reach and an edge multiplied, in τ and in ν, in units of 2^-20, if that is small.
fn weight(side: &Side, edge: &Edge) -> Option<[u32; 2]> {
    let reach = slack_of(side);
    let by = POINT_BITS - BOUND_BITS;
    let tau = (edge.tau.unsigned_abs() >> by) + 1;
    let nu = (edge.nu.unsigned_abs() >> by) + 1;
    let is_small = side.reach < FARTHEST && tau <= LONGEST_TAU && nu <= LONGEST_NU && edge.fits;
    let weight = [reach.wrapping_mul(tau), reach.wrapping_mul(nu)];
    (is_small && weight[0] <= WIDEST_TAU && weight[1] <= WIDEST_NU).then_some(weight)
}

impl Box {
    fn new(rows: &[Short; 3], mantissa: i32, beginning: &Beginning) -> Self {
        let [a, b, c] = rows;
        let sides = rows.map(side_of);
        let shift = beginning.shift + (CROSS_BITS - POINT_BITS);
        let edges = [(b, c), (c, a), (a, b)].map(|(a, b)| edge_of(a, b, mantissa, shift));
        let slacks = sides.each_ref().map(slack_of);
        let two = (slacks[0].wrapping_mul(slacks[1]) >> BOUND_BITS) + 1;
        let volume = (two.wrapping_mul(slacks[2]) >> BOUND_BITS) + 1;
        let weights = [0, 1, 2].map(|i| weight(&sides[i], &edges[i]));
        let tolerance = match weights {
            [Some(one), Some(other), Some(last)] if two < LARGEST_TWO => {
                let sum = |c: usize| one[c] + other[c] + last[c];
                let vectors = (TAU_UNITS * sum(0) + NU_UNITS * sum(1)) >> (2 * BOUND_BITS);
                let roundings = (SLACK_UNITS * slacks.iter().sum::<u32>()) >> BOUND_BITS;
                let scale = volume.wrapping_mul(beginning.factor()) >> beginning.factor_shift();
                let all = (beginning.model + vectors + roundings + scale + REST_UNITS) as i32;
                (all <= TOLERANCE).then_some(all)
            }
            _ => None,
        };
        Self { sides, edges, tolerance }
    }

    /// Whether the window needs another look for a target, whose phases these are.
    fn look(&self, phase: [i32; 3]) -> bool {
        let [mut more, mut z] = [[0; 3]; 2];
        for i in 0..3 {
            let Side { below, above, .. } = self.sides[i];
            let center = phase[i] >> (32 - SHORT_BITS);
            let first = (center - below + ((1 << SHORT_BITS) - 1)) >> SHORT_BITS;
            more[i] = ((center + above) >> SHORT_BITS) - first;
            z[i] = center - (first << SHORT_BITS);
        }
        if more.iter().any(|&more| more < 0) {
            return false;
        }
        let Some(tolerance) = self.tolerance.filter(|_| more.iter().all(|&more| more <= MOST_MORE)) else {
            return true;
        };
        let counts = more.map(|more| more + 1);
        if counts.iter().product::<i32>() as u32 > MOST_POINTS {
            return true;
        }
        let edges = &self.edges;
        let sum = |component: fn(&Edge) -> i32| {
            let sum = (0..3).map(|i| i64::from(z[i]) * i64::from(component(&edges[i]))).sum::<i64>();
            (sum >> SHORT_BITS) as i32
        };
        let (base_y, base_v) = (sum(|edge| edge.tau), sum(|edge| edge.nu) - (1 << POINT_BITS));
        for a in 0..counts[0] {
            for b in 0..counts[1] {
                for c in (0..counts[2]).step_by(4) {
                    let y = base_y - a * edges[0].tau - b * edges[1].tau - c * edges[2].tau;
                    let v = base_v - a * edges[0].nu - b * edges[1].nu - c * edges[2].nu;
                    let values = four([y, v], &edges[2]);
                    let points = (c..counts[2]).zip(values).zip(0..);
                    if points.into_iter().any(|((_, value), k)| {
                        let is_inside = (y - k * edges[2].tau).unsigned_abs() <= EDGE;
                        is_inside && value.unsigned_abs() <= tolerance.unsigned_abs()
                    }) {
                        return true;
                    }
                }
            }
        }
        false
    }
}

/// ν − 1 + 2τ² at (τ, ν − 1) and the next three points of its line, by differences, mod 2^8.
fn four([y, v]: [i32; 2], edge: &Edge) -> [i32; 4] {
    let shifted = |x: i32, y: i32, by: u32| ((i64::from(x) * i64::from(y)) >> by) as i32;
    // half of the other is not half of it mod 2^8
    let half_square = shifted(edge.tau, edge.tau, POINT_BITS - 1);
    let square = shifted(edge.tau, edge.tau, POINT_BITS - 2);
    let mut value = v.wrapping_add(shifted(y, y, POINT_BITS - 1));
    let mut step = half_square.wrapping_sub(edge.nu).wrapping_sub(shifted(y, edge.tau, POINT_BITS - 2));
    [0; 4].map(|_| {
        let this = value;
        (value, step) = (value.wrapping_add(step), step.wrapping_add(square));
        this
    })
}

fn next(source: &Source) -> Source {
    Source {
        tau: source.tau.wrapping_sub(source.nu << SHEAR_BITS),
        gains: source.gains.next(),
        phase0: source.phase0.wrapping_add(source.gains.first),
        phase1: source.phase1.wrapping_add(source.gains.first),
        ..*source
    }
}

/// What one invocation does: calls `put` for every hit, which says whether there was room, and
/// returns the number of windows that are done.
pub fn lattice3(
    constants: &Lattice3Constants,
    invocation: u32,
    tables: &[u32],
    put: impl FnMut(Lattice3Hit) -> bool,
) -> u32 {
    walk(constants, invocation, tables, put, |_| {})
}

/// A window as a run sees it, for tests of the bounds.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(not(test), expect(dead_code, reason = "tests look at it"))]
pub(crate) struct Seen {
    pub(crate) step: u32,
    /// rows of the dual basis, without the shear's cubic part, in units of 2^-52
    pub(crate) rows: [[i64; 3]; 3],
    /// the first target's
    pub(crate) phases: [u64; 3],
}

/// The same, with a look at every window.
pub(crate) fn walk(
    constants: &Lattice3Constants,
    invocation: u32,
    tables: &[u32],
    mut put: impl FnMut(Lattice3Hit) -> bool,
    mut see: impl FnMut(Seen),
) -> u32 {
    let (run, group) = (invocation % constants.runs, invocation / constants.runs);
    let beginning = Beginning::get(run, constants, tables);
    let last = constants.targets as usize - 1;
    let targets = [2 * group, 2 * group + 1];
    let [one, other] = targets.map(|target| beginning.phases[(target as usize).min(last)]);
    let source = |i: usize| {
        let [x, tau, nu] = beginning.rows[i].map(|x| x as u64);
        Source { x, tau, nu, gains: beginning.gains[i], phase0: one[i], phase1: other[i] }
    };
    let mut sources = [source(0), source(1), source(2)];
    let mut rows = [[1, 0, 0], [0, 1, 0], [0, 0, 1]].map(|t| {
        let row = Row { entries: [0; 3], off: SHEARED_OFF, t };
        Row { entries: row.exact(&sources).map(top), ..row }
    });
    let (mut curvature, mut curvature_step) = (0u64, beginning.cubic as u64);
    for step in 0..beginning.windows {
        let mut g = gram_of(&rows);
        for _ in 0..2 {
            g = pair(&mut rows, 0, 1, g);
            g = turned_back(pair(&mut rows, 1, 2, turned(g)));
            g = crossed(pair(&mut rows, 0, 2, crossed(g)));
        }
        // of 32 runs side by side the longest has fewer points for it
        pair(&mut rows, 0, 1, g);
        let exact = rows.map(|row| row.exact(&sources));
        let is_right = |entry: i32, exact: u64, off: u32| top(exact).abs_diff(entry) <= off;
        debug_assert!(
            rows.iter().zip(&exact).all(|(row, exact)| {
                row.entries.iter().zip(exact).all(|(&entry, &exact)| is_right(entry, exact, row.off))
            }),
            "nothing has wrapped around (Lemma L.21)"
        );
        let tops = exact.map(|row| row.map(top));
        let most = tops.iter().flatten().fold(0, |most, entry| entry.wrapping_abs().max(most));
        if most >= LONGEST {
            return step;
        }
        let phases =
            |phase: fn(&Source) -> u64| rows.map(|row| sum_of(&row.t, sources.each_ref().map(phase)));
        let phases = [phases(|source| source.phase0), phases(|source| source.phase1)];
        see(Seen { step, rows: exact.map(|row| row.map(|x| x as i64)), phases: phases[0] });
        let mut flagged = [true; 2];
        if most < TAMEST {
            let short = exact.map(|row| shortened(row, top(curvature)));
            let (places, is_odd) = order(&short);
            let mantissa = if is_odd { -beginning.mantissa } else { beginning.mantissa };
            let looked = Box::new(&places.map(|place| short[place]), mantissa, &beginning);
            flagged = phases.map(|phases| looked.look(places.map(|place| top(phases[place]))));
        }
        for ((flagged, target), phases) in flagged.into_iter().zip(targets).zip(phases) {
            let is_one = target < constants.targets;
            let rows = exact.map(|row| row.map(|x| x as i64));
            if flagged && is_one && !put(Lattice3Hit { run, step, target, rows, phases }) {
                return step;
            }
        }
        sources = sources.each_ref().map(next);
        rows = [0, 1, 2].map(|i| rows[i].sheared(tops[i]));
        curvature = curvature.wrapping_add(curvature_step);
        curvature_step = curvature_step.wrapping_add((beginning.cubic << 1) as u64);
    }
    beginning.windows
}
