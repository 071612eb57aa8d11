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
//! integers are 1 apart, and the test is that of a fraction: some fifteen operations of singles.
//! Theorems A.2 and A.3 are in [`roots`], Lemma A.4 in [`local`]; derived in docs/proofs/arcs.md.
//!
//! **What soundness rests on.** Windows tile the piece, as each begins where the one before ended;
//! b, σ and c are those of the window, with errors that the budget has; `A·u ≡ 1` mod v is asked of
//! each window ([`Local::is_neighbor`]). Where an arc begins and ends, and that v and u are
//! neighbors of some order, only decides how long it takes.
//!
//! Source: our own. Farey arcs are the circle method's; that a smooth function's values next to a
//! fraction of small denominator are a few parabolas is the major arc of Vinogradov and van der
//! Corput.

mod about;
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
use layout::Layout;
use local::Block;
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

impl Kernel for Search<'_> {
    type Output = Result<PieceOutcome, CoreError>;

    #[inline(always)]
    fn run<L: Lanes>(mut self, _: L) -> Self::Output {
        let started = Instant::now();
        let Layout { order, window: longest, block: length, .. } = self.layout;
        let arguments = self.piece.arguments();
        let mut block = Block::new(self.piece, self.layout, 0);
        let mut at = 0;
        let mut local = block.local(0);
        let mut arc = Arc::at(local.slope64(), order);
        let mut vertex = Window::new(&local, arc.before, arc.own, [0, 0], self.layout.acceptance).vertex();
        // mediants would be where the slope is as near to the next fraction, by its denominator
        let mut reach = local.reach(arc.own, (arc.own + arc.after) as f64);
        while at < arguments {
            if at >= block.end() {
                block = Block::new(self.piece, self.layout, at / length);
            }
            let most = roots::most(arc.own, longest);
            let end = ((vertex + reach).max(0.0) as u64).clamp(at + 1, arguments);
            let last = end.min(block.end()).min(at + most) - 1;
            local = block.local((vertex.max(0.0) as u64).clamp(at, last));
            if !local.is_neighbor(arc.before, arc.own) {
                // positions of arcs are estimates: begin again with the neighbors of this slope
                local = block.local(at);
                arc = Arc::at(local.slope64(), order);
                if !local.is_neighbor(arc.before, arc.own) {
                    let reason = format!("{arc:?} is not next to the slope of argument {at}");
                    return Err(CoreError::Backend { backend: "arcs".into(), reason });
                }
            }
            let window = Window::new(&local, arc.before, arc.own, [at, last], self.layout.acceptance);
            self.search_window(window)?;
            at = last + 1;
            // where the arc is, by what is known now
            vertex = window.vertex();
            reach = local.reach(arc.own, (arc.own + arc.after) as f64);
            // (a step of v arguments sooner: two estimates of the end are not quite the same)
            if (at + arc.own) as f64 >= vertex + reach {
                vertex += local.reach(arc.own, arc.after as f64);
                arc = arc.next(order);
                reach = local.reach(arc.own, (arc.own + arc.after) as f64);
            }
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
    #[inline(always)]
    fn search_window(&mut self, window: Window) -> Result<(), CoreError> {
        if self.windows.is_multiple_of(GLANCE) {
            self.interrupt.check()?;
        }
        self.windows += 1;
        let found = window.search(&mut self.candidates);
        if found > 0 {
            self.flagged += 1;
            self.flagged_of += window.arguments();
            self.candidates.check()?;
        }
        Ok(())
    }
}
