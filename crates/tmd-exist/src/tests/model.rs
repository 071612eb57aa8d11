//! The bridge to the machine-checked proofs: `proofs/Existence.v`, transcribed, beside the tests as
//! they are.
//!
//! The functions of this file are those of the chapter line by line, in integers that do not
//! overflow. What they answer is proved (Theorems E.11 and E.12, Corollary E.27); that the code
//! answers the same is what is tested here.

use super::generators;
use crate::*;
use proptest::prelude::*;

/// The circle, D.
const D: i128 = 1 << 64;

/// A configuration: `Conf cu cv cp cq` of the chapter.
#[derive(Clone, Copy, Debug)]
struct Conf {
    u: i128,
    v: i128,
    p: i128,
    q: i128,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Gap {
    InP,
    InQ,
}
use Gap::{InP, InQ};

fn split_q(t: i128, s: Conf) -> Conf {
    Conf { u: s.u + t * s.v, q: s.q - t * s.p, ..s }
}

fn split_p(t: i128, s: Conf) -> Conf {
    Conf { v: s.v + t * s.u, p: s.p - t * s.q, ..s }
}

fn ceil(a: i128, b: i128) -> i128 {
    -(-a).div_euclid(b)
}

/// `lefevre`: 2016, Algorithm 1.
fn lefevre(n: i128, width: i128, mut s: Conf, mut d: i128) -> Verdict {
    loop {
        let s1;
        if d < s.p {
            s1 = split_q(s.q / s.p, s);
            if s1.q == 0 || n <= s1.u + s1.v {
                return Verdict::Empty;
            }
            s = split_p(1, s1);
        } else {
            d -= s.p;
            if d < width {
                return Verdict::MayHold;
            }
            s1 = split_p(s.p / s.q, s);
            if s1.p == 0 || n <= s1.u + s1.v {
                return Verdict::Empty;
            }
            s = split_q(1, s1);
        }
    }
}

/// `subtractive`: 2012, Algorithm 1, one subtraction after the other.
fn subtractive(n: i128, width: i128, mut s: Conf, mut d: i128) -> Verdict {
    let mut inside = None;
    loop {
        match inside {
            None if d < s.p => inside = Some(InP),
            None if d - s.p < width => return Verdict::MayHold,
            None => (inside, d) = (Some(InQ), d - s.p),
            Some(_) if n <= s.u + s.v || s.p == s.q => return Verdict::Empty,
            Some(InP) if s.p < s.q => s = split_q(1, s),
            Some(InP) => (inside, s) = (None, split_p(1, s)),
            Some(InQ) if s.p < s.q => (inside, s) = (None, split_q(1, s)),
            Some(InQ) => s = split_p(1, s),
        }
    }
}

fn after_q(t: i128, s: Conf, w: Gap, d: i128) -> (Gap, i128) {
    match w {
        InP => (InP, d),
        InQ if d < t * s.p => (InP, d % s.p),
        InQ => (InQ, d - t * s.p),
    }
}

fn after_p(t: i128, s: Conf, w: Gap, d: i128) -> (Gap, i128) {
    let r = s.p - t * s.q;
    match w {
        InQ => (InQ, d),
        InP if d < r => (InP, d),
        InP => (InQ, (d - r) % s.q),
    }
}

/// `regular`: 2016, Algorithm 2, from the corrected start; `rounds` is how much of the last
/// quotient is taken.
fn regular(n: i128, b: i128, a: i128, rounds: impl Fn(i128, i128) -> i128) -> i128 {
    let (mut s, mut w, mut d) = (Conf { u: 0, v: 1, p: a, q: D }, InQ, b);
    loop {
        let is_q = s.p < s.q;
        let (k, per_round) = if is_q { (s.q / s.p, s.v) } else { (s.p / s.q, s.u) };
        let s1 = if is_q { split_q(k, s) } else { split_p(k, s) };
        let after = |t| if is_q { after_q(t, s, w, d) } else { after_p(t, s, w, d) };
        if (if is_q { s1.q } else { s1.p }) == 0 || n <= s1.u + s1.v {
            return after(rounds(k, ceil(n - s.u - s.v, per_round))).1;
        }
        (w, d) = after(k);
        s = s1;
        assert_eq!(s.u * s.p + s.v * s.q, D, "Lemma E.1");
        assert!(0 <= d && d < if w == InP { s.p } else { s.q }, "Theorem E.2 needs b in its gap");
    }
}

fn answer(is_empty: bool) -> Verdict {
    if is_empty { Verdict::Empty } else { Verdict::MayHold }
}

fn of(test: &str, segment: Segment, width: u64) -> Verdict {
    test.parse::<AnyTest>().unwrap().test(segment, width, &mut NoProbe)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(if cfg!(miri) { 30 } else { 100_000 }))]

    #[test]
    fn lefevres_test_is_its_model((segment, width) in generators::segment_and_width()) {
        let [a, b, n, w] = [segment.a(), segment.b(), segment.n(), width].map(i128::from);
        // with the code's answers for one point, which the models' start of two points has no place
        // for
        let expected = |model: fn(i128, i128, Conf, i128) -> Verdict| if b < w {
            Verdict::MayHold
        } else if n == 1 || a == 0 {
            Verdict::Empty
        } else {
            model(n, w, Conf { u: 1, v: 1, p: a, q: D - a }, b)
        };
        for test in ["lefevre-division", "lefevre-swap", "lefevre-subtractive"] {
            prop_assert_eq!(of(test, segment, width), expected(lefevre), "{}", test);
        }
        // as many subtractions as a quotient has, so where N ends them soon
        if n <= 1 << 12 {
            for test in ["lefevre-subtractive", "lefevre-subtractive-special", "lefevre-subtractive-special-both"] {
                prop_assert_eq!(of(test, segment, width), expected(subtractive), "{}", test);
            }
        }
    }

    #[test]
    fn the_regular_test_is_its_model((segment, width) in generators::segment_and_width()) {
        let [a, b, n, w] = [segment.a(), segment.b(), segment.n(), width].map(i128::from);
        prop_assume!(a > 0);
        let trimmed = answer(w <= b && w <= regular(n, b, a, |k, needed| k.min(needed).max(0)));
        prop_assert_eq!(of("regular-trimmed", segment, width), trimmed);
        prop_assert_eq!(of("regular-unrolled-trimmed", segment, width), trimmed);
        // the papers' last step looks at one point more in gaps of length q: never less than the
        // model
        let whole = answer(w <= b && w <= regular(n, b, a, |k, _| k));
        if of("regular", segment, width) == Verdict::Empty {
            prop_assert_eq!(whole, Verdict::Empty);
        }
    }
}
