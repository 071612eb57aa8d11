//! [`SpecialLefevre`]: Lefèvre's test with special instructions such as the papers' implementations
//! had.
//!
//! The papers print the test without them: "Lefèvre adds specific instructions to partly compute
//! these reductions with divisions to avoid computing large quotients with subtractions" (TOMS
//! 2016, section 4.1; PDP 2012, section II.C, "specific computations for special instances where
//! early partial quotients are large"). Table III of 2016 counts turns with and without.
//! `Reductions` of `tmd-exist` takes *every* run of points at once, which leaves fewer turns than
//! that; this one takes only long runs, of [`RUN`] turns or more, as the papers' hybrid division
//! (LOGMS = 3) prefers subtractions for small quotients. On the right of b the last turn of a run
//! is left to the loop, as `k ← ⌊(p − d)/q⌋` does, which keeps d < p. This was chosen by the
//! numbers alone (docs/divergence.md): the counts of table III, and nearly its NMDM.
//!
//! ```text
//! after d ← d − p:           s ← ⌊d/p⌋;         if s ≥ 8 then d ← d − s·p; q ← q − s·p; u ← u + s·v
//! after p ← p − q; v ← v + u: s ← ⌈(p − max(d, q))/q⌉; if s ≥ 8 then s ← s − 1; p ← p − s·q; v ← v + s·u
//! ```
//!
//! Either way s is at most what is needed to place N points. Both are lemmas of
//! `tmd_exist::reductions`, which allow any smaller number of turns too, so the verdicts are those
//! of Lefèvre's test on every segment.

use tmd_core::exist::{ExistenceTest, Probe, Segment, Verdict};

/// Turns from which on a run is taken at once: 2^LOGMS with the papers' LOGMS = 3.
pub const RUN: u64 = 8;

/// Lefèvre's test with special instructions for runs of 8 turns or more.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SpecialLefevre;

impl ExistenceTest for SpecialLefevre {
    fn test<P: Probe>(&self, segment: Segment, width: u64, probe: &mut P) -> Verdict {
        let (a, b, n) = (segment.a(), segment.b(), segment.n());
        if b < width {
            return Verdict::MayHold;
        }
        if n == 1 || a == 0 {
            return Verdict::Empty; // the only point is 0
        }
        let (mut p, mut q, mut d) = (a, a.wrapping_neg(), b);
        let (mut u, mut v) = (1, 1);
        loop {
            probe.iteration();
            let in_p = d < p;
            probe.branch(in_p);
            if in_p {
                let k = q / p;
                q -= k * p;
                if q == 0 {
                    return Verdict::Empty;
                }
                u += k * v;
                if u + v >= n {
                    return Verdict::Empty;
                }
                p -= q;
                v += u;
                let m = d.max(q);
                let run = if p > m { (p - m).div_ceil(q) } else { 0 };
                if run >= RUN {
                    let s = run.min(n.saturating_sub(u + v).div_ceil(u)).saturating_sub(1);
                    p -= s * q;
                    v += s * u;
                }
            } else {
                d -= p;
                if d < width {
                    return Verdict::MayHold;
                }
                let run = d / p;
                if run >= RUN {
                    let s = run.min(n.saturating_sub(u + v).div_ceil(v));
                    d -= s * p;
                    q -= s * p;
                    u += s * v;
                    if d < width {
                        return Verdict::MayHold;
                    }
                }
                let k = p / q;
                p -= k * q;
                if p == 0 {
                    return Verdict::Empty;
                }
                v += k * u;
                if u + v >= n {
                    return Verdict::Empty;
                }
                q -= p;
                u += v;
            }
        }
    }

    fn name(&self) -> &'static str {
        "lefevre-special-hybrid"
    }
}
