//! The roots of a window, and which of its arguments are next to one.
//!
//! With the names of Theorem A.1, `s = x/v`, `P = v·σ`, and n counted from an n0 by i: an argument
//! x is a candidate only if `|y(x) − n| ≤ v·acc` for an n with `x ≡ −u·n` mod v, that is if s is an
//! integer off `−u·n/v`. `y(x) = v·b + v·P·s + c·v³·s²`.
//!
//! **Theorem A.2 (about the vertex).** Let `S = |s − s0|`, s0 where y is least, y0 the least value,
//! `B = 1/(c·v³)`, `z = (n − y0)·B` and `τ = acc/(c·v²)`. Then `|y − n| ≤ v·acc` is
//! `|S² − z| ≤ τ`. For `z ≥ 0` and `r = √z` it implies `|S − r| ≤ τ/r` and `|S − r| ≤ √τ`, and
//! if d is the distance of `s0 ± r` from the nearest number that is an integer off `−u·n/v`, on the
//! side where s is, `d·r ≤ τ`.
//!
//! *Proof.* `|S − r|·(S + r) ≤ τ`, `S + r ≥ r` and `S + r ≥ |S − r|`; and `d ≤ |S − r|`. ∎
//!
//! **Theorem A.3 (off the vertex).** Let y be monotone where s is, `ζ = n − v·b`, `α = |v·P|`,
//! `β = c·v³` and `D = √(α² + 4βζ)`, and s counted so that y grows. Then y is n at
//! `s' = 2ζ/(α + D)`, and where y grows by m and more per unit of s, `|s − s'| ≤ 2·v·acc/m`.
//!
//! *Proof.* A root of `α·s + β·s² = ζ`, whose derivative is D there. The difference of y between s
//! and s' is their distance, times the mean of the derivatives at both, which is m/2 or more. ∎
//!
//! **Theorem A.8 (both sides).** With a and b in `[−½, ½]`, `||a| − |b||` is no more than the
//! distance of `a + b`, or of `a − b`, from any integer. So it stands for d, with `s0 + u·n/v` and
//! r mod 1, or off the vertex with `u·n/v` and s'.
//!
//! Tests are made in vectors: about the vertex of singles, or of doubles where singles would let
//! too many pass, and off it of doubles. With r0 at a vector's first root, and d off by e, about it
//! `d ≤ min(τ/r0, √τ) + e` (Theorem A.7). What passes is asked again in doubles, and then exactly.
//! Bounds of rounding: [`Real::UNIT`](super::real::Real::UNIT) is called ω, half a unit in the last
//! place of 1. J is the number of vectors of a chunk.
//!
//! **Lemma A.5 (rounding).** About the vertex d is off by less than
//!
//! `ω·(2.52·r + 2^e) + 2^-33·(16·J + 2)` in singles, `2^e` being above all `r + 1`, and
//! `ω·(2.52·r + 2·2^e) + 2^-33·(16·J + 3)` in doubles.
//!
//! Off the vertex, in doubles, if y grows least at s = 0 and `D² ≥ α²/2`, s' is off by less than
//! `ω·(7.5·|s'| + 2/α)`, and d by `2·ω·2^e + 2^-33·(16·J + 3)` more, 2^e being above `2·F + 1`, F
//! the window's length over v.
//!
//! **Lemma A.12 (first and last).** Numbers of a window's first and last root, computed with a
//! relative slack of 2^-40 and one of 1/64, leave out none that a candidate is next to.
//! (Both are derived in docs/proofs/arcs.md.)

use tmd_core::{
    Candidates, CoreError,
    difftable::{Upper, power_of_two},
};

use super::about::About;
use super::given::{Given, remainder};
use super::off::Off;
use super::real::{MOST_VECTORS, Turns, WIDTH, nearest};

/// Roots per chunk: then positions are computed anew.
pub(super) const CHUNK: i64 = MOST_VECTORS * WIDTH as i64;

/// Up to this many times v from the vertex singles are used.
pub(super) const FAR: f64 = 16384.0;

/// Where a window that begins at `first` may end at the latest, so that it is searched in singles
/// or far from the vertex.
#[inline(always)]
pub(super) fn turning_point(own: u64, vertex: f64, first: u64) -> f64 {
    let far = FAR * own as f64 * (1.0 - power_of_two(-20));
    let first = first as f64;
    if first < vertex - far {
        vertex - far
    } else if first < vertex + far {
        vertex + far
    } else {
        f64::INFINITY
    }
}

/// How a window is searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Form {
    /// by Theorem A.2
    AboutInSingles,
    AboutInDoubles,
    /// by Theorem A.3, in doubles
    Off,
}

/// A window: consecutive arguments of an arc, with a parabola.
#[derive(Clone, Copy, Debug)]
pub(super) struct Window {
    pub(super) given: Given,
    /// 1/v and 1/c
    pub(super) inverse: f64,
    pub(super) flatness: f64,
    /// s0, in arguments
    pub(super) vertex: f64,
    pub(super) acceptance: f64,
}

/// How far from a root in units of v a candidate may be, for [`Window::look`].
#[derive(Clone, Copy, Debug)]
pub(super) struct Root {
    pub(super) n: i64,
    pub(super) position: f64,
    pub(super) distance: f64,
}

impl Window {
    #[inline(always)]
    pub(super) fn new(given: Given, acceptance: Upper) -> Self {
        let Given { own, first, last, length, curvature, .. } = given;
        let (inverse, flatness) = (1.0 / own, 1.0 / curvature);
        Self {
            given,
            inverse,
            flatness,
            vertex: -0.5 * length * inverse * flatness,
            // and what P is off by, as a float, and the end of a candidate's window of 64 bits
            acceptance: acceptance.get()
                + power_of_two(-62)
                + power_of_two(-50) * length.abs() * inverse * (last - first + 1.0),
        }
    }

    /// Where the slope is A/v, as a number of an argument, about.
    #[inline(always)]
    pub(super) fn vertex(&self) -> f64 {
        self.given.origin + self.vertex
    }

    /// Looks exactly at the arguments that may be candidates; how many these were.
    ///
    /// # Errors
    /// [`CoreError::Backend`] if n may be beyond 64 bits: such a window is not on its arc.
    #[inline(always)]
    pub(super) fn search(&self, candidates: &mut Candidates<'_>) -> Result<u64, CoreError> {
        let form = self.form();
        if form == Form::Off {
            return Ok(Off::new(self).search(self, candidates));
        }
        let about = About::new(self);
        if !about.has_numbers() {
            let reason = format!("{:?} is too far from the vertex of its parabola", self.given);
            return Err(CoreError::Backend { backend: "arcs".into(), reason });
        }
        Ok(if form == Form::AboutInSingles {
            about.search::<f32>(self, candidates)
        } else {
            about.search::<f64>(self, candidates)
        })
    }

    /// How it is searched.
    #[inline(always)]
    pub(super) fn form(&self) -> Form {
        let Self { given, inverse, vertex, acceptance, .. } = *self;
        let Given { own, first, last, length, curvature, .. } = given;
        let (low, high) = (first - vertex, last - vertex);
        let nearest = low.max(-high).max(0.0);
        let farthest = high.max(-low);
        if About::new(self).is_for_singles() {
            return Form::AboutInSingles;
        }
        // what y0 is off by makes few roots pass
        let off_by = acceptance + power_of_two(-50) * (1.0 + (0.5 * length * vertex).abs()) * inverse;
        if off_by <= power_of_two(-14) * nearest * curvature * own {
            return Form::AboutInDoubles;
        }
        // x = 0 is next to the vertex, which is as far away as half of the window is long, and y
        // grows there so fast that what a root may be outside of the window is not much: D² ≥ α²/2
        let end = if length > 0.0 { first } else { last };
        let is_off = end == 0.0
            && nearest >= 0.5 * farthest
            && length * length >= 8.0 * curvature * own * (1.0 / 32.0 + own * acceptance);
        if !is_off {
            return Form::AboutInDoubles;
        }
        Form::Off
    }

    /// `u·n` mod v.
    #[inline(always)]
    pub(super) fn residue(&self, n: i64) -> f64 {
        self.residue_of(self.least_residue(n))
    }

    /// The same of n from 0 to v − 1.
    #[inline(always)]
    fn residue_of(&self, n: f64) -> f64 {
        let Given { before, own, .. } = self.given;
        remainder(before * n, own, self.inverse)
    }

    /// n mod v.
    #[inline(always)]
    fn least_residue(&self, n: i64) -> f64 {
        let own = self.given.own as i64;
        (if (0..own).contains(&n) { n } else { n.rem_euclid(own) }) as f64
    }

    /// Looks at the arguments of the window that are so near to a root, in units of v; how many.
    #[inline(always)]
    pub(super) fn look(&self, root: Root, candidates: &mut Candidates<'_>) -> u64 {
        let Root { n, position, distance } = root;
        let residue = self.residue(n);
        // x = v·k − u·n of these k; casts saturate
        let of_window = |x: f64| (x + residue) * self.inverse;
        let shift = residue * self.inverse;
        let Given { own, origin, first, last, .. } = self.given;
        let low = (position + shift - distance).max(of_window(first) - 0.5).ceil() as i64;
        let high = (position + shift + distance).min(of_window(last) + 0.5).floor() as i64;
        let mut count = 0;
        for k in low..=high {
            let x = own as i64 * k - residue as i64;
            if (first as i64..=last as i64).contains(&x) {
                candidates.look_at((origin as i64 + x) as u64);
                count += 1;
            }
        }
        count
    }
}

impl Window {
    /// `center + u·n/v` mod 1 of n from 0 to v − 1, and from one n to the next.
    #[inline(always)]
    fn turn(&self, center: f64, n: f64) -> [f64; 2] {
        let base = center + self.residue_of(n) * self.inverse;
        [base - nearest(base), remainder(self.given.before, self.given.own, self.inverse) * self.inverse]
    }

    /// The same of any integer n up to 2^50.
    #[inline(always)]
    pub(super) fn turn_of(&self, center: f64, n: f64) -> [f64; 2] {
        self.turn(center, remainder(n, self.given.own, self.inverse))
    }

    /// The turns of `center + u·n/v` from number n on.
    #[inline(always)]
    pub(super) fn turns(&self, center: f64, n: i64) -> Turns {
        Turns::new(self.turn(center, self.least_residue(n)))
    }
}
