//! Farey arcs: a piece is cut where its slope is nearest to another fraction, and on each arc the
//! polynomial meets the integers in a sequence of roots that takes a square root each.
//!
//! Next to the slope `A/v` the arguments of one residue mod v are on one parabola, and those of the
//! next residue on the same one, moved by `1/v`. So instead of asking domain by domain whether a
//! lattice point is near (the walk), it is asked of each place where one of these parabolas meets
//! an integer whether an argument of its residue is near:
//!
//! **Theorem A.1 (residues).** Let `f(X + x) = b + (A/v + σ)·x + c·x²` mod 1, `A·u ≡ 1` mod v, and
//! `y(x) = v·(b + σ·x + c·x²)`. The value at the integer x is within ε of an integer iff y(x) is
//! within v·ε of an integer n with `x ≡ −u·n` mod v.
//!
//! So for each n that y takes in the window there are one or two roots of `y(x) = n`, real numbers,
//! and a case is an integer of the right residue next to one. In units of v, `s = x/v`, these
//! integers are 1 apart, and the test is that of a fraction: a square root and some ten operations
//! of 32 bits.
//! Theorems A.2 and A.3 are in [`roots`], Theorem A.4 in [`local`]; derived in docs/proofs/arcs.md.
//!
//! **What soundness rests on.** Windows tile the piece, as each begins where the one before ended;
//! b, σ and c are those of the window, with errors that the budget has; `A·u ≡ 1` mod v is asked of
//! each window ([`Given::is_neighbor`]). Where an arc begins and ends, and that v and u are
//! neighbors of some order, only decides how long it takes.
//!
//! Source: our own. Farey arcs are the circle method's; that a smooth function's values next to a
//! fraction of small denominator are a few parabolas is the major arc of Vinogradov and van der
//! Corput.

mod about;
mod given;
mod layout;
mod local;
mod off;
mod real;
mod roots;
#[cfg(test)]
mod tests;

use std::time::{Duration, Instant};

use tmd_core::{
    Candidates, CoreError, Interrupt, Phase, Phases, Piece, PieceOutcome, PiecePlan,
    contfrac::{FareyWalk, Rotation},
    partition::Unfit,
};

use crate::lanes::{Kernel, Lanes};
use about::About;
use given::{Given, ROW, Row};
use layout::Layout;
use local::{Block, Local};
use real::{nearest_integer, sweep, vectors};
use roots::Window;

/// Windows between looks at the interrupt.
const GLANCE: u64 = 1 << 8;

/// Searches a whole piece, or says why it is not for arcs.
pub(crate) fn search<L: Lanes>(
    lanes: L,
    piece: &Piece,
    window: Option<u64>,
    interrupt: &Interrupt,
) -> Result<Result<PieceOutcome, CoreError>, Unfit> {
    let layout = Layout::new(piece, window)?;
    let candidates = Candidates::new(piece).ok_or(Unfit::CurvatureTooLarge)?;
    let search = Search { piece, layout, candidates, flagged: 0, flagged_of: 0, windows: 0, interrupt };
    Ok(lanes.run(search))
}

/// How a piece would be searched.
pub(crate) fn plan(piece: &Piece, window: Option<u64>) -> Result<PiecePlan, Unfit> {
    Layout::new(piece, window).map(|layout| layout.plan())
}

/// A piece being searched.
struct Search<'a> {
    piece: &'a Piece,
    layout: Layout,
    candidates: Candidates<'a>,
    /// windows in which an argument was looked at exactly, and their arguments
    flagged: u64,
    flagged_of: u64,
    windows: u64,
    interrupt: &'a Interrupt,
}

/// The Farey fraction whose arc it is, by its denominator, with the denominators of its neighbors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Arc {
    /// u, of the fraction before: the inverse of the numerator mod v
    before: u64,
    /// v
    own: u64,
    after: u64,
}

impl Arc {
    /// The one that is nearer to the slope, a fraction of 2^64, by its denominator.
    fn at(slope: u64, order: u64) -> Self {
        #[expect(clippy::expect_used, reason = "a modulus of 2^64 and an order from 16 to 2^24 are valid")]
        let walk = Rotation::new(u128::from(slope), 1 << 64)
            .and_then(|rotation| FareyWalk::new(rotation, order))
            .expect("a valid rotation and order");
        let (u, v) = (walk.u(), walk.v());
        if walk.p() <= walk.q() {
            Self { before: (order + v) / u * u - v, own: u, after: v }
        } else {
            Self { before: u, own: v, after: (order + u) / v * v - u }
        }
    }

    /// The next fraction of this order.
    #[inline(always)]
    fn next(self, order: u64) -> Self {
        let Self { own, after, .. } = self;
        Self { before: own, own: after, after: (order + own) / after * after - own }
    }
}

/// How far a search has come.
#[derive(Clone, Copy)]
struct Front {
    /// the first argument that is not searched
    at: u64,
    /// the fraction whose arc it is on
    arc: Arc,
    /// where the slope is that fraction, about
    vertex: f64,
    curvature: f64,
}

impl Front {
    /// At an argument.
    fn new(local: &Local, order: u64) -> Self {
        let (at, arc, curvature) = (local.argument, Arc::at(local.slope64(), order), local.curvature);
        let vertex = at as f64 - 0.5 * local.length(arc.own) / (arc.own as f64 * curvature);
        Self { at, arc, vertex, curvature }
    }

    /// Where the arc ends, about: where the slope is as near to the next fraction, by its
    /// denominator, which is at the mediant.
    #[inline(always)]
    fn arc_end(&self) -> f64 {
        let Self { arc: Arc { own, after, .. }, vertex, curvature, .. } = *self;
        vertex + reach(own, (own + after) as f64, curvature)
    }

    /// Goes on behind a window of this arc, to the next arc if it is at the end of this one.
    #[inline(always)]
    fn go_on(&mut self, window: &Window, order: u64) {
        self.at = window.given.end();
        self.vertex = window.vertex();
        self.curvature = window.given.curvature;
        // (a step of v arguments sooner: two estimates of the end are not quite the same)
        if (self.at + self.arc.own) as f64 >= self.arc_end() {
            self.vertex += reach(self.arc.own, self.arc.after as f64, self.curvature);
            self.arc = self.arc.next(order);
        }
    }
}

/// Over how many arguments the slope grows by `1/(v·w)`, about.
#[inline(always)]
fn reach(v: u64, w: f64, curvature: f64) -> f64 {
    0.5 / (curvature * v as f64 * w)
}

impl Kernel for Search<'_> {
    type Output = Result<PieceOutcome, CoreError>;

    #[inline(always)]
    fn run<L: Lanes>(mut self, _: L) -> Self::Output {
        let started = Instant::now();
        let Layout { order, window: longest, block: length, .. } = self.layout;
        let arguments = self.piece.arguments();
        let mut block = Block::new(self.piece, self.layout, 0);
        let mut front = Front::new(&block.local(0), order);
        while front.at < arguments {
            if front.at >= block.end() {
                block = Block::new(self.piece, self.layout, front.at / length);
            }
            let end = block.end().min(arguments);
            if self.search_row(&block, &mut front, end)? {
                continue;
            }
            let Front { at, arc, vertex, .. } = front;
            let last = front.arc_end().min(roots::turning_point(arc.own, vertex, at));
            let last = ((last.max(0.0) as u64).clamp(at + 1, end) - 1).min(at + longest - 1);
            let local = block.local((vertex.max(0.0) as u64).clamp(at, last));
            let mut given = Given::new(&local, arc, [at, last]);
            if !given.is_neighbor() {
                // positions of arcs are estimates: begin again with the neighbors of this slope
                let local = block.local(at);
                front.arc = Arc::at(local.slope64(), order);
                given = Given::new(&local, front.arc, [at, last]);
                if !given.is_neighbor() {
                    let reason = format!("{:?} is not next to the slope of argument {at}", front.arc);
                    return Err(CoreError::Backend { backend: "arcs".into(), reason });
                }
            }
            let window = Window::new(given, self.layout.acceptance);
            let found = window.search(&mut self.candidates)?;
            self.count(given.arguments(), found)?;
            front.go_on(&window, order);
        }
        let time = started.elapsed();
        let (flagged, flagged_of) = (self.flagged, self.flagged_of);
        let phase = |domains_in, domains_out, arguments_in, time| Phase {
            domains_in,
            domains_out,
            arguments_in,
            time,
        };
        let mut found = self.candidates.into_sorted();
        found.dedup(); // an argument may be next to two roots
        let phases = Phases {
            generate: phase(self.windows, self.windows, arguments, Duration::ZERO),
            test: phase(self.windows, flagged, arguments, time),
            refine: Phase::default(),
            exhaust: phase(flagged, found.len() as u64, flagged_of, Duration::ZERO),
        };
        Ok(PieceOutcome {
            candidates: found,
            phases,
            budget: self.layout.budget,
            domain_size: longest,
            kernels: Vec::new(),
        })
    }
}

impl Search<'_> {
    /// After a window of so many arguments has been searched.
    #[inline(always)]
    fn count(&mut self, arguments: u64, found: u64) -> Result<(), CoreError> {
        if self.windows.is_multiple_of(GLANCE) {
            self.interrupt.check()?;
        }
        self.windows += 1;
        if found > 0 {
            self.flagged += 1;
            self.flagged_of += arguments;
            self.candidates.check()?;
        }
        Ok(())
    }

    /// Searches the rest of this arc and the next ones side by side, up to [`ROW`] of them, where
    /// each is one window; whether any.
    #[inline(always)]
    fn search_row(&mut self, block: &Block, front: &mut Front, end: u64) -> Result<bool, CoreError> {
        let Layout { order, window: longest, .. } = self.layout;
        // where they would be: numbers up to `Piece::MAX_ARGUMENTS`
        let end = end as f64;
        let mut count = 0;
        let mut ahead = *front;
        let mut plans = [(front.arc, [front.at, front.at], front.at); ROW];
        for plan in &mut plans {
            let Front { at, arc, vertex, .. } = ahead;
            let next = ahead.arc_end();
            if next.is_nan() || next > roots::turning_point(arc.own, vertex, at).min(end) {
                break;
            }
            let next = next.max(0.0);
            let argument = nearest_integer(vertex.max(0.0).min(next)) as u64;
            let next = nearest_integer(next) as u64;
            if next <= at || next - at > longest {
                break;
            }
            *plan = (arc, [at, next - 1], argument.clamp(at, next - 1));
            ahead.vertex += reach(arc.own, arc.after as f64, ahead.curvature);
            ahead.arc = arc.next(order);
            ahead.at = next;
            count += 1;
        }
        if count == 0 {
            return Ok(false);
        }
        // what they are: none waits for what another one is
        let given =
            |(arc, ends, argument): (Arc, [u64; 2], u64)| Given::new(&block.local(argument), arc, ends);
        let mut row = Row::new(given(plans[0]));
        for (window, &plan) in plans.iter().enumerate().take(count).skip(1) {
            row.set(window, given(plan));
        }
        let acceptance = self.layout.acceptance;
        let chunks = row.chunks(acceptance);
        let mut searched = None;
        for (number, &(arc, [first, last], _)) in plans.iter().enumerate().take(count) {
            if !chunks.is_neighbor(number) {
                break;
            }
            let window = || Window::new(row.get(number), acceptance);
            let found = match chunks.get(number) {
                Some((last, roots)) => {
                    let flags = sweep(roots, vectors(0, last));
                    if flags == 0 {
                        0
                    } else {
                        let window = window();
                        About::new(&window).look_at(&window, (0, last), flags, &mut self.candidates)
                    }
                }
                None => window().search(&mut self.candidates)?,
            };
            self.count(last - first + 1, found)?;
            front.arc = arc;
            searched = Some(number);
        }
        if let Some(number) = searched {
            front.go_on(&Window::new(row.get(number), acceptance), order);
        }
        Ok(searched.is_some())
    }
}
