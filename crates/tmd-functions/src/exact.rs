//! Exact values: rational arithmetic of bounded size, and what theory says about f(rational).
//!
//! | theorem | used for a rational q |
//! |---|---|
//! | Hermite–Lindemann: eᵃ is transcendental for algebraic a ≠ 0 (Baker, *Transcendental Number Theory*, theorem 1.4) | exp, expm1, sin, cos, tan, sinh, cosh, tanh (q ≠ 0), log (q ≠ 1), logp1 (q ≠ 0), π, e |
//! | the same: if a ≠ 0 with sin a = q were algebraic, e^(i·a) would be, as a root of z² − 2i·q·z − 1; likewise for the others | asin, atan, asinh, atanh (q ≠ 0), acos, acosh (q ≠ 1) |
//! | bᵘᐟᵛ in lowest terms, v > 1, b no perfect power: the exponent of a prime of b would be divisible by v | exp2, exp10, exp2m1, exp10m1 are irrational unless q is an integer |
//! | 2ᵘ = qᵛ or 10ᵘ = qᵛ forces q to be an integer power (unique factorization) | log2, log10, and log2p1, log10p1 with 1 + q, are irrational otherwise, and then transcendental by Gelfond–Schneider (Baker, theorem 2.1) |
//! | u/v in lowest terms is an n-th power only if u and v are (unique factorization) | sqrt, cbrt, rsqrt, rootn |
//! | Niven's theorem: for rational q the only rational values of sin πq and cos πq are 0, ±1/2, ±1, of tan πq 0 and ±1 (Niven, *Irrational Numbers*, corollary 3.12) | sinPi, cosPi, tanPi, and where asinPi, acosPi, atanPi are rational |
//! | Gelfond–Schneider: e^(iπr) = (−1)ʳ is transcendental for algebraic irrational r, but algebraic if sin πr, cos πr or tan πr is | asinPi, acosPi, atanPi are transcendental otherwise |
//! | the transcendental and the irrational numbers are closed under + q, and under · q, q ÷ and nonzero powers (transcendental only) | expressions |
//!
//! Nothing is assumed of 0 · y, y − y or y/y for an irrational y; but where an enclosure of an
//! expression at a rational number is a point, that is the value, whatever its parts are
//! ([`Expression::exact`](crate::Expression)).
//!
//! Nor of erf q and erfc q for q ≠ 0: by the theorem of Siegel and Shidlovskii the integral of
//! e^(−t²) from 0 to q, a value of a hypergeometric E-function times q, is transcendental; but erf
//! is that divided by √π/2, and no theorem known to us says that the integral is no rational
//! multiple of √π.

pub(crate) mod half_turns;

#[cfg(test)]
mod tests;

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

    pub(crate) fn is_irrational(&self) -> bool {
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

    /// The n-th root. With odd n it is defined for every irrational number, and irrational; with
    /// even n nothing is said, as the sign is not known.
    pub(crate) fn rootn(self, n: i32) -> Self {
        match self {
            Self::Rational(q) => rootn(&q, n),
            y if n % 2 != 0 => y,
            _ => Self::Unknown,
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

/// What theory says about a^(1/n).
pub(crate) fn rootn(a: &Rational, n: i32) -> Value {
    if n == 0 || a.is_zero() && n < 0 || *a < 0 && n % 2 == 0 {
        return Value::Unknown; // not defined
    }
    // the numerator has the sign, the denominator is positive: no even root of a negative number is
    // asked for
    let root = |m: &Integer| {
        let (root, remainder) = m.clone().root_rem(Integer::new(), n.unsigned_abs());
        remainder.is_zero().then_some(root)
    };
    let Some((numerator, denominator)) = root(a.numer()).zip(root(a.denom())) else {
        return Value::Irrational;
    };
    let root = Value::Rational(Rational::from((numerator, denominator)));
    if n < 0 { root.recip() } else { root }
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

/// bⁿ for the value of exp2 and exp10 at q: exact for an integer of moderate size, irrational for
/// any other fraction.
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
