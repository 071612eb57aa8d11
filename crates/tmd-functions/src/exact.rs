//! Exact values: rational arithmetic of bounded size, and what theory says about f(rational).
//!
//! | theorem | used for a rational q |
//! |---|---|
//! | Hermite–Lindemann: eᵃ is transcendental for algebraic a ≠ 0 (Baker, *Transcendental Number Theory*, theorem 1.4) | exp, sin, cos, tan (q ≠ 0), log (q ≠ 1), π, e |
//! | bᵘᐟᵛ in lowest terms, v > 1, b no perfect power: the exponent of a prime of b would be divisible by v | exp2, exp10 are irrational unless q is an integer |
//! | 2ᵘ = qᵛ or 10ᵘ = qᵛ forces q to be an integer power (unique factorization) | log2, log10 are irrational otherwise, and then transcendental by Gelfond–Schneider (Baker, theorem 2.1) |
//! | u/v in lowest terms is an n-th power only if u and v are (unique factorization) | sqrt, cbrt |
//! | the transcendental and the irrational numbers are closed under + q, and under · q, q ÷ and nonzero powers (transcendental only) | expressions |
//!
//! Nothing is assumed of 0 · y, y − y or y/y for an irrational y.

use rug::ops::Pow;
use rug::{Integer, Rational};

/// Numerators and denominators are never made longer than this many bits (512 KiB).
pub(crate) const MAX_EXACT_BITS: u64 = 1 << 22;

/// exp2 and exp10 of an integer n have their exact value for |n| up to this.
pub const MAX_EXACT_EXPONENT: u32 = 100_000;

/// What theory says about a number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Value {
    /// It is this rational number.
    Rational(Rational),
    /// It is transcendental.
    Transcendental,
    /// It is irrational.
    Irrational,
    /// Nothing: not known, not defined, or rational and too long.
    Unknown,
}

impl Value {
    pub(crate) fn rational(value: Option<Rational>) -> Self {
        value.map_or(Self::Unknown, Self::Rational)
    }

    fn is_irrational(&self) -> bool {
        matches!(self, Self::Transcendental | Self::Irrational)
    }

    pub(crate) fn neg(self) -> Self {
        match self {
            Self::Rational(q) => Self::Rational(-q),
            other => other,
        }
    }

    pub(crate) fn add(self, other: Self) -> Self {
        match (self, other) {
            (Self::Rational(a), Self::Rational(b)) => Self::rational(add(&a, &b)),
            (Self::Rational(_), y) | (y, Self::Rational(_)) => y,
            _ => Self::Unknown,
        }
    }

    pub(crate) fn mul(self, other: Self) -> Self {
        match (self, other) {
            (Self::Rational(a), Self::Rational(b)) => Self::rational(mul(&a, &b)),
            (Self::Rational(q), y) | (y, Self::Rational(q)) if !q.is_zero() => y,
            _ => Self::Unknown,
        }
    }

    pub(crate) fn recip(self) -> Self {
        match self {
            Self::Rational(q) if q.is_zero() => Self::Unknown,
            Self::Rational(q) => Self::Rational(q.recip()),
            other => other, // an irrational number is not 0
        }
    }

    pub(crate) fn powi(self, n: i32) -> Self {
        match self {
            Self::Rational(q) => Self::rational(powi(&q, n)),
            y if y.is_irrational() && n == 0 => Self::Rational(Rational::from(1)),
            Self::Irrational if n != 1 && n != -1 => Self::Unknown,
            y => y,
        }
    }

    /// The cube root; defined, and irrational, for every irrational number.
    pub(crate) fn cbrt(self) -> Self {
        match self {
            Self::Rational(q) => cbrt(&q).map_or(Self::Irrational, Self::Rational),
            y => y,
        }
    }
}

/// a + b, if it surely is short enough.
pub(crate) fn add(a: &Rational, b: &Rational) -> Option<Rational> {
    let cross = (bits(a.numer()) + bits(b.denom())).max(bits(b.numer()) + bits(a.denom())) + 1;
    let denominator = bits(a.denom()) + bits(b.denom());
    (cross.max(denominator) <= MAX_EXACT_BITS).then(|| Rational::from(a + b))
}

/// a · b, if it surely is short enough.
pub(crate) fn mul(a: &Rational, b: &Rational) -> Option<Rational> {
    let numerator = bits(a.numer()) + bits(b.numer());
    let denominator = bits(a.denom()) + bits(b.denom());
    (numerator.max(denominator) <= MAX_EXACT_BITS).then(|| Rational::from(a * b))
}

/// aⁿ, if it is defined (0 has no negative power; a⁰ = 1) and surely short enough.
pub(crate) fn powi(a: &Rational, n: i32) -> Option<Rational> {
    if a.is_zero() && n < 0 {
        return None;
    }
    let is_unit = *a == 0 || *a == 1 || *a == -1;
    let length = bits(a.numer()).max(bits(a.denom())) * u64::from(n.unsigned_abs());
    (is_unit || length <= MAX_EXACT_BITS).then(|| Rational::from(a.pow(n)))
}

/// √a, if it is rational.
pub(crate) fn sqrt(a: &Rational) -> Option<Rational> {
    (*a >= 0 && a.numer().is_perfect_square() && a.denom().is_perfect_square())
        .then(|| Rational::from((Integer::from(a.numer().sqrt_ref()), Integer::from(a.denom().sqrt_ref()))))
}

/// ∛a, if it is rational.
pub(crate) fn cbrt(a: &Rational) -> Option<Rational> {
    let (numerator, denominator) =
        (Integer::from(a.numer().root_ref(3)), Integer::from(a.denom().root_ref(3)));
    let root = Rational::from((numerator, denominator));
    (Rational::from((&root).pow(3)) == *a).then_some(root)
}

/// n with a = 2ⁿ.
pub(crate) fn power_of_two(a: &Rational) -> Option<i64> {
    signed_exponent(a, |m| m.is_power_of_two().then(|| bits(m) - 1))
}

/// n with a = 10ⁿ.
pub(crate) fn power_of_ten(a: &Rational) -> Option<i64> {
    signed_exponent(a, |m| {
        let n = m.find_one(0)?;
        let odd = Integer::from(m >> n);
        // 5ⁿ has more than 2n bits: no power is computed in vain
        (bits(&odd) > 2 * u64::from(n) && odd == Integer::from(Integer::u_pow_u(5, n)))
            .then_some(u64::from(n))
    })
}

/// n with a = bⁿ, where `exponent` says it for positive integers; b is no perfect power.
fn signed_exponent(a: &Rational, exponent: impl Fn(&Integer) -> Option<u64>) -> Option<i64> {
    if *a <= 0 {
        None
    } else if *a.denom() == 1 {
        exponent(a.numer())?.try_into().ok()
    } else if *a.numer() == 1 {
        i64::try_from(exponent(a.denom())?).ok().map(|n| -n)
    } else {
        None
    }
}

/// bⁿ for the value of exp2 and exp10 at q: exact for an integer of moderate size, irrational for any other fraction.
pub(crate) fn power_of_base(base: u32, q: &Rational) -> Value {
    if *q.denom() != 1 {
        return Value::Irrational;
    }
    match q.numer().to_i32() {
        Some(n) if n.unsigned_abs() <= MAX_EXACT_EXPONENT => Value::rational(powi(&Rational::from(base), n)),
        _ => Value::Unknown,
    }
}

fn bits(m: &Integer) -> u64 {
    m.significant_bits().into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn q(numerator: i64, denominator: i64) -> Rational {
        Rational::from((numerator, denominator))
    }

    /// The irrational numbers known to the theory stay so, or become unknown; they never turn rational.
    #[test]
    fn closure() {
        let r = |n| Value::Rational(Rational::from(n));
        for y in [Value::Transcendental, Value::Irrational] {
            assert_eq!(y.clone().add(r(0)), y);
            assert_eq!(r(3).mul(y.clone()), y);
            assert_eq!(y.clone().neg().recip().cbrt(), y);
            assert_eq!(r(0).mul(y.clone()), Value::Unknown);
            assert_eq!(y.clone().add(y.clone()), Value::Unknown);
            assert_eq!(y.clone().mul(y.clone()), Value::Unknown);
            assert_eq!(y.clone().powi(0), r(1));
            assert_eq!(y.clone().powi(-1), y);
        }
        assert_eq!(Value::Transcendental.powi(2), Value::Transcendental);
        assert_eq!(Value::Irrational.powi(2), Value::Unknown); // (√2)² = 2
        assert_eq!(Value::Unknown.powi(0), Value::Unknown);
        assert_eq!(r(0).recip(), Value::Unknown);
    }

    #[test]
    fn long_results_are_refused() {
        let two = Rational::from(2);
        assert!(powi(&two, 1 << 20).is_some());
        assert_eq!(powi(&two, 1 << 21), powi(&two, 1 << 20).and_then(|a| mul(&a, &a)));
        assert_eq!(powi(&two, (1 << 21) + 1), None); // 2 bits each, by the estimate
        assert_eq!(powi(&two, -(1 << 21) - 1), None);
        assert_eq!(powi(&q(-1, 1), i32::MAX), Some(q(-1, 1)));
        assert_eq!(powi(&q(0, 1), 0), Some(q(1, 1)));
        assert_eq!(powi(&q(0, 1), -1), None);
        let long = Rational::from(Integer::from(1) << (1 << 21));
        assert_eq!(mul(&long, &long), None);
        assert_eq!(mul(&long.clone().recip(), &long.clone().recip()), None);
        assert_eq!(mul(&long, &long.clone().recip()), Some(q(1, 1)));
        let sum = |a: &Rational, b: &Rational| add(a, b).is_some();
        assert!(sum(&long, &long) && !sum(&long, &long.clone().recip()));
    }

    proptest! {
        /// Against the definition: the root exists iff some small fraction has that power.
        #[test]
        fn roots_by_search(u in -200i64..200, v in 1i64..60) {
            let a = q(u, v);
            let mut square = None;
            let mut cube = None;
            for d in 1..60 {
                for n in -200..200 {
                    let b = q(n, d);
                    if n >= 0 && Rational::from(&b * &b) == a { square = Some(b.clone()); }
                    if Rational::from((&b).pow(3)) == a { cube = Some(b); }
                }
            }
            prop_assert_eq!(sqrt(&a), square);
            prop_assert_eq!(cbrt(&a), cube);
        }

        #[test]
        fn exponents_by_search(n in -40i32..40, off in 0i64..3) {
            for (base, found) in [(2, power_of_two as fn(&Rational) -> Option<i64>), (10, power_of_ten)] {
                let power = Rational::from(base).pow(n) + off;
                let expected = (-45..45).find(|&m| Rational::from(base).pow(m) == power);
                prop_assert_eq!(found(&power), expected.map(i64::from));
                prop_assert_eq!(found(&-power), None);
            }
        }
    }
}
