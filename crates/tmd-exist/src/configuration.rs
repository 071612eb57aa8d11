//! The two-length configurations that the regular test walks through, one quotient at a time.
//!
//! **Theorem** (Slater 1967; 2016, section 3.2, equation 2 and Properties 1 and 2). Let `θ[i]` be
//! the remainders and `q[i]` the denominators of the continued fraction of {a}. With
//! `q[i] + q[i−1]` points {a·x} placed, x = 0, 1, 2, …, the circle is cut into `q[i]` intervals of
//! length `θ[i−1]` and `q[i−1]` of length `θ[i]`. The next `k = ⌊θ[i−1]/θ[i]⌋` rounds of `q[i]`
//! points each cut a piece of length `θ[i]` off every long interval, **from the left** if i is
//! even, **from the right** if i is odd. Stopping after any t ≤ k rounds leaves a configuration of
//! two lengths.
//!
//! | variable | what it is |
//! |---|---|
//! | p | length of the intervals that begin at the point x and end at x + v; split from the right |
//! | q | length of the intervals that begin at the point x and end at x − u; split from the left |
//! | u, v | number of intervals of length p, of length q; u + v points are placed |
//! | d | distance from {b} to the closest placed point at its left |
//! | k, t | a quotient of the continued fraction, and how much of it is taken |
//!
//! Lengths are in units of 2^-64, so the length 1 with which q starts does not fit a word: the
//! first quotient is taken from 1 − {a}, which does, and is one more.
//!
//! **Invariant** at every configuration, with `start` corrected: u·p + v·q = 2^64; and d < p if b
//! is in an interval of length p, d < q if it is in one of length q. With `start` printed the
//! counts are too small, u·p + v·q = a·2^64, the lengths and d are the same. Either way u·p + v·q ≤
//! 2^64 and p, q ≥ 1, so that u + v ≤ 2^64, and < 2^64 if one of the lengths is ≥ 2: the counts
//! never overflow a word while both lengths are positive.
//!
//! (Theorem E.2 and Lemma E.7 of `proofs/Existence.v`: d is the least distance, and what a split
//! makes of it. Theorem E.3: with a whole orbit placed d is the minimum over all x. Theorem E.9:
//! the start that is printed breaks the invariant.)
//!
//! **Termination.** A length that reaches 0 means that {a} is rational with all the points of its
//! orbit placed, 2^64/p of them for p = gcd(a, 2^64): d is then the minimum over all x, and the
//! step is the last one whatever N.

use std::ops::ControlFlow;

use crate::{
    division::Logms,
    options::{LastQuotient, Start},
    probe::Probe,
    segment::Segment,
};

/// The options of a regular test.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Rule {
    pub(crate) start: Start,
    pub(crate) last: LastQuotient,
    pub(crate) logms: Logms,
}

/// A two-length configuration with fewer than N points (by its counts), and the place of b in it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Configuration {
    p: u64,
    q: u64,
    u: u64,
    v: u64,
    d: u64,
    /// Whether b is in an interval of length q.
    b_in_q: bool,
    n: u64,
    rule: Rule,
    /// u·p + v·q, which no step changes.
    #[cfg(debug_assertions)]
    total: u128,
}

/// The configuration after a step or, at the end, the distance d from b to the closest of n ≥ N
/// points at its left.
pub(crate) type Step<T> = ControlFlow<u64, T>;

impl Configuration {
    /// The configuration after the first quotient: the interval of length 1 split from the left by
    /// {a}.
    #[inline]
    pub(crate) fn after_first_quotient<P: Probe>(segment: Segment, rule: Rule, probe: &mut P) -> Step<Self> {
        let (a, b, n) = (segment.a(), segment.b(), segment.n());
        if a == 0 {
            // The orbit is the single point 0.
            return Step::Break(b);
        }
        // 1 = (1 − {a}) + {a}: the same remainder, and a quotient k that is larger by 1.
        let (k_minus_1, r) = rule.logms.div_rem(a.wrapping_neg(), a, n, probe);
        let corrected = rule.start == Start::Corrected;
        // The whole quotient places k + 1 points, and the printed start counts (u, v) = (1, 0), one
        // point. With r > 0 we have a ≥ 3, so that k − 1 is far from overflow; with r = 0 the orbit
        // is complete.
        if r == 0 || (if corrected { k_minus_1 + 2 } else { 1 }) >= n {
            let (j, rest) = rule.logms.div_rem(b, a, n, probe);
            // The points are placed one by one (v = 1): exactly N of them if trimmed. The printed
            // count of new points per unit of the quotient is v = 0, so there is nothing to trim
            // by.
            let trimmed = rule.last == LastQuotient::Trimmed && corrected;
            return Step::Break(if trimmed { b - j.min(n - 1) * a } else { rest });
        }
        let k = k_minus_1 + 1;
        let b_in_q = b >= r.wrapping_neg(); // b ≥ 1 − r = k·a
        let d = if b >= a { rule.logms.div_rem(b, a, n, probe).1 } else { b };
        let (u, v) = if corrected { (k, 1) } else { (1, 0) };
        #[cfg(debug_assertions)]
        let total = if corrected { 1 << 64 } else { u128::from(a) };
        let configuration = Self {
            p: a,
            q: r,
            u,
            v,
            d,
            b_in_q,
            n,
            rule,
            #[cfg(debug_assertions)]
            total,
        };
        configuration.debug_assert_invariant();
        Step::Continue(configuration)
    }

    /// Whether q is the longer length, the one to reduce next.
    #[inline]
    pub(crate) fn reduces_q(&self) -> bool {
        self.p < self.q
    }

    /// The quotient ⌊q/p⌋, for p < q: every interval of length q is split from the left into k
    /// pieces of length p and the rest (i even).
    #[inline]
    pub(crate) fn split_q<P: Probe>(&mut self, probe: &mut P) -> Step<()> {
        let Self { p, q, u, v, d, n, .. } = *self;
        debug_assert!(p < q);
        let (k, r) = self.rule.logms.div_rem(q, p, n, probe);
        // r = 0 first: u + k·v might then be 2^64.
        if r == 0 || u + k * v + v >= n {
            return Step::Break(self.last_split_q(probe));
        }
        self.u = u + k * v;
        self.q = r;
        // The new pieces begin at 0, p, …, (k−1)·p, the rest at k·p = q − r. If b was in an
        // interval of length p, then d < p ≤ k·p.
        self.b_in_q = d >= q - r;
        if d >= p {
            self.d = self.rule.logms.div_rem(d, p, n, probe).1;
        }
        self.debug_assert_invariant();
        Step::Continue(())
    }

    /// The quotient ⌊p/q⌋, for q < p: every interval of length p is split from the right into the
    /// rest and k pieces of length q (i odd).
    #[inline]
    pub(crate) fn split_p<P: Probe>(&mut self, probe: &mut P) -> Step<()> {
        let Self { p, q, u, v, d, n, .. } = *self;
        debug_assert!(q < p);
        let (k, r) = self.rule.logms.div_rem(p, q, n, probe);
        if r == 0 || v + k * u + u >= n {
            return Step::Break(self.last_split_p(k, r, probe));
        }
        self.v = v + k * u;
        self.p = r;
        // The new pieces begin at r, r + q, … from the left end. The papers reduce d also if b was
        // in an interval of length q and d ≥ r; it is then the next step that places the point in
        // question, and reduces d just so.
        if !self.b_in_q && d >= r {
            self.d = self.reduce(d - r, q, probe);
            self.b_in_q = true;
        }
        self.debug_assert_invariant();
        Step::Continue(())
    }

    /// d after the last quotient, for p < q. Each unit of the quotient places v points. (⌊d/p⌋ ≤ k,
    /// as d < q.)
    #[inline]
    fn last_split_q<P: Probe>(&self, probe: &mut P) -> u64 {
        let Self { p, u, v, d, n, .. } = *self;
        if d < p {
            return d;
        }
        let (j, rest) = self.rule.logms.div_rem(d, p, n, probe);
        match self.rule.last {
            LastQuotient::Whole => rest,
            LastQuotient::Trimmed => d - j.min((n - u - v).div_ceil(v)) * p,
        }
    }

    /// d after the last quotient, for q < p and r = p mod q. Each unit of the quotient places u
    /// points.
    #[inline]
    fn last_split_p<P: Probe>(&self, k: u64, r: u64, probe: &mut P) -> u64 {
        let Self { p, q, u, v, d, n, .. } = *self;
        match self.rule.last {
            // As printed, with one more point in each of the v intervals of length q.
            LastQuotient::Whole if d >= r => self.reduce(d - r, q, probe),
            LastQuotient::Trimmed if !self.b_in_q => {
                let t = k.min((n - u - v).div_ceil(u));
                let rest = p - t * q;
                if d >= rest { self.reduce(d - rest, q, probe) } else { d }
            }
            _ => d,
        }
    }

    #[inline]
    fn reduce<P: Probe>(&self, d: u64, length: u64, probe: &mut P) -> u64 {
        if d >= length { self.rule.logms.div_rem(d, length, self.n, probe).1 } else { d }
    }

    #[inline]
    fn debug_assert_invariant(&self) {
        #[cfg(debug_assertions)]
        {
            let sum = u128::from(self.u) * u128::from(self.p) + u128::from(self.v) * u128::from(self.q);
            debug_assert_eq!(sum, self.total, "u·p + v·q changed: {self:?}");
            let length = if self.b_in_q { self.q } else { self.p };
            debug_assert!(self.d < length, "b has left its interval: {self:?}");
            debug_assert!(self.u + self.v < self.n, "not the last configuration: {self:?}");
        }
    }
}
