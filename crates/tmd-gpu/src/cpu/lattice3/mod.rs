//! `lattice3/lattice3.wgsl`: the walk in three dimensions, one run of windows and two targets per
//! invocation, in integers.
//!
//! The lanes' walk (`tmd-simd`) keeps the matrix T of all row operations of a run, and multiplies
//! the exact basis of its first window with it in doubles. Here the basis itself is carried along,
//! in fixed point: rows of the dual basis in units of 2^-52, phases and what they gain in turns of
//! 2^-64. Row operations, the shear by 8 windows' ν and the phases' differences are sums and
//! products of integers mod 2^64: *exact*, as long as no entry leaves its range, which is looked
//! after (`LONGEST`, `has_room`). So an entry is T times what the run began with, rounded once,
//! and nothing drifts; T itself is never formed. Only the shear's cubic part, `1.5·g·k²` times ν,
//! is computed afresh in every window.
//!
//! A window is then looked at in 32-bit integers: rows in units of 2^-26, edges (the basis) and
//! points in units of 2^-24. There are no floats but in a quotient that is corrected afterwards, so
//! a device and this twin agree to the last bit. Bounds, and why nothing is lost:
//! docs/proofs/lattice3.md, section 7.
//!
//! A run ends early, and says after how many windows, if a row grows too long, if there is no room
//! for a hit, or if the device ended a loop. The rest of it is for the CPU.

mod beginning;

pub use beginning::{Beginning, Lattice3Constants, Lattice3Hit};
pub use tmd_shaders::constants::lattice3::ROW_BITS;
use tmd_shaders::constants::lattice3::{
    BOUND_BITS, CROSS_BITS, FARTHEST, GRAM_BITS, LARGEST_TWO, LONGEST, LONGEST_NU, LONGEST_TAU, MOST_MORE,
    MOST_POINTS, POINT_BITS, QUOTIENT_BITS, ROOM, SHEAR_BITS, SHORT_BITS, SIXTEENTH, SPLIT_BITS, TAMEST,
    TOLERANCE, TOLERANCE_BITS, WIDER, WIDER_BITS, WIDEST_NU, WIDEST_TAU,
};

/// Products of reaches and edges, in units of 2^-20: in τ, in ν.
pub const WIDEST: (u32, u32) = (WIDEST_TAU, WIDEST_NU);

/// Most of the product of the three reaches and the determinant.
pub const LOOSEST: f64 = 32.0;

// what is near is that of the lanes
const _: () = assert!(TOLERANCE as f32 == tmd_core::lattice3::TOLERANCE * (1 << POINT_BITS) as f32);

/// A row with all that goes with it.
#[derive(Clone, Copy, Debug)]
struct Line {
    x: u64,
    tau: u64,
    nu: u64,
    first: u64,
    second: u64,
    third: u64,
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
    is_bounded: bool,
    is_tame: bool,
}

const fn top(x: u64) -> i32 {
    (x >> 32) as i32
}

fn longest_of(line: &Line) -> i32 {
    top(line.x).wrapping_abs().max(top(line.tau).wrapping_abs()).max(top(line.nu).wrapping_abs())
}

fn gram_of(a: &Line, b: &Line, c: &Line) -> Gram {
    let most = longest_of(a).max(longest_of(b)).max(longest_of(c));
    let by = (32 - most.leading_zeros()).max(GRAM_BITS) - GRAM_BITS;
    let scaled = |line: &Line| [top(line.x) >> by, top(line.tau) >> by, top(line.nu) >> by];
    let [p, q, r] = [a, b, c].map(scaled);
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

fn has_room(long: &Line, short: &Line, q: i32) -> bool {
    let coarse = |line: &Line| (longest_of(line) >> (ROW_BITS - 32 - BOUND_BITS)) as u32 + 1;
    coarse(long) + q.unsigned_abs() * coarse(short) < ROOM
}

fn less_times(long: &Line, short: &Line, q: i32) -> Line {
    let n = i64::from(q) as u64;
    let less = |a: u64, b: u64| a.wrapping_sub(b.wrapping_mul(n));
    let line = Line {
        x: less(long.x, short.x),
        tau: less(long.tau, short.tau),
        nu: less(long.nu, short.nu),
        first: less(long.first, short.first),
        second: less(long.second, short.second),
        third: less(long.third, short.third),
        phase0: less(long.phase0, short.phase0),
        phase1: less(long.phase1, short.phase1),
    };
    debug_assert!(is_in_range(&line), "there was room (Lemma L.21)");
    line
}

/// Whether entries are at most 1024 in magnitude: nothing has wrapped around.
fn is_in_range(line: &Line) -> bool {
    (0..=1 << (ROW_BITS - 32 + BOUND_BITS)).contains(&longest_of(line))
}

/// The longer one of two rows minus a multiple of the other. Any multiple would do: no list depends
/// on it.
fn pair(a: &mut Line, b: &mut Line, mut g: Gram) -> Gram {
    let a_is_short = g.aa <= g.bb;
    let q = quotient(g.ab, g.aa.min(g.bb));
    let less = |x: i32, y: i32| x.wrapping_sub(q.wrapping_mul(y));
    if q == 0 {
        return g;
    }
    if a_is_short {
        if has_room(b, a, q) {
            *b = less_times(b, a, q);
            let ab = less(g.ab, g.aa);
            g.bb = less(g.bb, g.ab.wrapping_add(ab));
            g.bc = less(g.bc, g.ac);
            g.ab = ab;
        }
    } else if has_room(a, b, q) {
        *a = less_times(a, b, q);
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

fn shortened(line: &Line, curvature: i32) -> Short {
    let nu = rounded(line.nu);
    let more = i64::from(curvature) * i64::from(nu) + (1 << 31);
    Short { x: rounded(line.x), tau: rounded(line.tau).wrapping_sub((more >> 32) as i32), nu }
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

fn is_tame_edge(side: &Side, edge: &Edge) -> bool {
    let reach = slack_of(side);
    let by = POINT_BITS - BOUND_BITS;
    let tau = (edge.tau.unsigned_abs() >> by) + 1;
    let nu = (edge.nu.unsigned_abs() >> by) + 1;
    let is_small = side.reach < FARTHEST && tau <= LONGEST_TAU && nu <= LONGEST_NU && edge.fits;
    is_small && reach * tau <= WIDEST.0 && reach * nu <= WIDEST.1
}

impl Box {
    fn new(rows: &[Short; 3], mantissa: i32, shift: u32, loosest: u32) -> Self {
        let [a, b, c] = rows;
        let sides = rows.map(side_of);
        let edges = [(b, c), (c, a), (a, b)].map(|(a, b)| edge_of(a, b, mantissa, shift));
        let is_tame = sides.iter().zip(&edges).all(|(side, edge)| is_tame_edge(side, edge));
        let two = (slack_of(&sides[0]).wrapping_mul(slack_of(&sides[1])) >> BOUND_BITS) + 1;
        let volume = (two.wrapping_mul(slack_of(&sides[2])) >> BOUND_BITS) + 1;
        let is_bounded = sides.iter().all(|side| side.reach < FARTHEST);
        Self { sides, edges, is_bounded, is_tame: is_tame && two < LARGEST_TWO && volume <= loosest }
    }

    /// Whether the window needs another look for a target, whose phases these are.
    fn look(&self, phase: [i32; 3]) -> bool {
        if !self.is_bounded {
            return true;
        }
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
        if !self.is_tame || more.iter().any(|&more| more > MOST_MORE) {
            return true;
        }
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
                for c in 0..counts[2] {
                    let y = base_y - a * edges[0].tau - b * edges[1].tau - c * edges[2].tau;
                    let v = base_v - a * edges[0].nu - b * edges[1].nu - c * edges[2].nu;
                    if is_near(y, v) {
                        return true;
                    }
                }
            }
        }
        false
    }
}

/// |ν − 1 + 2τ²| ≤ 2^-11 and |τ| ≤ 1 + 2^-11; v is ν − 1.
fn is_near(y: i32, v: i32) -> bool {
    let size = y.unsigned_abs();
    let h = size.min((1 << POINT_BITS) - 1);
    let (high, low) = (h >> SPLIT_BITS, h & ((1 << SPLIT_BITS) - 1));
    let squared = (high * high) >> (POINT_BITS - 1 - 2 * SPLIT_BITS);
    let square = squared + ((high * low) >> (POINT_BITS - 2 - SPLIT_BITS));
    size <= (1 << POINT_BITS) + TOLERANCE as u32 && (v + square as i32).abs() <= TOLERANCE
}

fn next(line: &Line) -> Line {
    let next = Line {
        tau: line.tau.wrapping_sub(line.nu << SHEAR_BITS),
        first: line.first.wrapping_add(line.second),
        second: line.second.wrapping_add(line.third),
        phase0: line.phase0.wrapping_add(line.first),
        phase1: line.phase1.wrapping_add(line.first),
        ..*line
    };
    // 9·LONGEST is less
    debug_assert!(is_in_range(&next), "rows are shorter than LONGEST");
    next
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
    let line = |i: usize| {
        let [x, tau, nu] = beginning.rows[i].map(|x| x as u64);
        let [first, second, third] = beginning.differences[i];
        Line { x, tau, nu, first, second, third, phase0: one[i], phase1: other[i] }
    };
    let [mut a, mut b, mut c] = [line(0), line(1), line(2)];
    let (mut curvature, mut curvature_step) = (0u64, beginning.cubic as u64);
    for step in 0..beginning.windows {
        let mut g = gram_of(&a, &b, &c);
        for _ in 0..2 {
            g = pair(&mut a, &mut b, g);
            g = turned_back(pair(&mut b, &mut c, turned(g)));
            g = crossed(pair(&mut a, &mut c, crossed(g)));
        }
        let most = longest_of(&a).max(longest_of(&b)).max(longest_of(&c));
        if most >= LONGEST {
            return step;
        }
        see(Seen {
            step,
            rows: [&a, &b, &c].map(|line| [line.x, line.tau, line.nu].map(|x| x as i64)),
            phases: [a.phase0, b.phase0, c.phase0],
        });
        let mut flagged = [true; 2];
        if most < TAMEST {
            let rows = [&a, &b, &c].map(|line| shortened(line, top(curvature)));
            let looked = Box::new(
                &rows,
                beginning.mantissa,
                beginning.shift + (CROSS_BITS - POINT_BITS),
                beginning.loosest,
            );
            flagged = [
                looked.look([&a, &b, &c].map(|line| top(line.phase0))),
                looked.look([&a, &b, &c].map(|line| top(line.phase1))),
            ];
        }
        for (flagged, target) in flagged.into_iter().zip(targets) {
            let is_one = target < constants.targets;
            let lines = [&a, &b, &c];
            let hit = || Lattice3Hit {
                run,
                step,
                target,
                rows: lines.map(|line| [line.x, line.tau, line.nu].map(|x| x as i64)),
                phases: lines.map(|line| if target % 2 == 0 { line.phase0 } else { line.phase1 }),
            };
            if flagged && is_one && !put(hit()) {
                return step;
            }
        }
        (a, b, c) = (next(&a), next(&b), next(&c));
        curvature = curvature.wrapping_add(curvature_step);
        curvature_step = curvature_step.wrapping_add((beginning.cubic << 1) as u64);
    }
    beginning.windows
}
