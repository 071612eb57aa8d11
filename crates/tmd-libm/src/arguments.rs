//! Which arguments are tested: [`Arguments`].

use std::collections::HashSet;

use rug::{Integer, ops::Pow};
use tmd_core::Number;
use tmd_functions::special::Sign;

use crate::{Encoding, LibmError, Reference, reference::Kind};

/// Why an argument is tested.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    /// It is in a list of cases that are hard to round.
    Hard,
    /// A zero, an infinity, a NaN, a threshold, a number at which results may be exact, or the
    /// neighbor of one.
    Special,
    /// It was drawn.
    Random,
    /// All are tested.
    Exhaustive,
}

/// The arguments of a test, in the order in which they are tried.
#[derive(Clone, Debug)]
pub(crate) enum Arguments {
    /// These, each once.
    Listed(Vec<(u128, Origin)>),
    /// All numbers of a format, its zeros, infinities, and two quiet NaNs.
    All(Encoding),
}

/// Bits of the formats whose numbers can all be tested.
const MOST_BITS: u32 = 32;

impl Arguments {
    /// The hard cases given, then special values and exact cases, then random numbers.
    ///
    /// # Errors
    /// Those of [`Reference::outcome`].
    pub(crate) fn listed(
        reference: &Reference,
        hard: &[Number],
        random: u64,
        seed: u64,
    ) -> Result<Self, LibmError> {
        let encoding = reference.encoding();
        let mut listed = Vec::new();
        let mut seen = HashSet::new();
        let mut add = |bits: u128, origin: Origin| {
            if seen.insert(bits) {
                listed.push((bits, origin));
            }
        };
        hard.iter().filter_map(|x| encoding.encode(*x)).for_each(|bits| add(bits, Origin::Hard));
        let specials = special(reference)?;
        for bits in specials {
            add(bits, Origin::Special);
        }
        let mut random_bits = Random(seed);
        for i in 0..random {
            let bits = if i % 2 == 0 { random_bits.number(encoding) } else { random_bits.moderate(encoding) };
            add(bits, Origin::Random);
        }
        Ok(Self::Listed(listed))
    }

    /// All numbers of a format.
    ///
    /// # Errors
    /// [`LibmError::TooMany`] for formats of more than 32 bits.
    pub(crate) fn all(encoding: Encoding) -> Result<Self, LibmError> {
        if encoding.width() > MOST_BITS {
            return Err(LibmError::TooMany { format: encoding.format() });
        }
        Ok(Self::All(encoding))
    }

    /// How many they are.
    pub(crate) fn len(&self) -> u64 {
        match self {
            Self::Listed(listed) => listed.len() as u64,
            // of each sign: those below ∞, ∞, a NaN
            Self::All(encoding) => 2 * (encoding.infinite() as u64 + 2),
        }
    }

    /// The argument with a number below [`len`](Self::len).
    pub(crate) fn get(&self, index: u64) -> (u128, Origin) {
        match self {
            Self::Listed(listed) => listed[index as usize],
            Self::All(encoding) => {
                let half = self.len() / 2;
                let (sign, ordinal) = if index < half {
                    (Sign::Positive, u128::from(index))
                } else {
                    (Sign::Negative, u128::from(index - half))
                };
                let nan = encoding.ordinal(encoding.nan()).map_or(0, |(_, ordinal)| ordinal);
                let ordinal = if ordinal > encoding.infinite() { nan } else { ordinal };
                (encoding.pattern(sign, ordinal), Origin::Exhaustive)
            }
        }
    }
}

/// Special values, thresholds, and numbers at which results are often exact; both neighbors of
/// each.
fn special(reference: &Reference) -> Result<Vec<u128>, LibmError> {
    let encoding = reference.encoding();
    let infinite = encoding.infinite() as i128;
    // the line of the extended numbers: ordinals with their sign
    let mut line: Vec<i128> = thresholds(reference)?;
    let normal = encoding.least_normal() as i128;
    for ordinal in [0, 1, normal - 1, normal, infinite - 1, infinite] {
        line.extend([ordinal, -ordinal]);
    }
    for number in exact_candidates(encoding) {
        if let Some((sign, ordinal)) = encoding.encode(number).and_then(|bits| encoding.ordinal(bits)) {
            line.push(if sign == Sign::Negative { -(ordinal as i128) } else { ordinal as i128 });
        }
    }
    let nan = encoding.nan();
    let mut bits = vec![pattern(encoding, 0), encoding.pattern(Sign::Negative, 0), nan];
    bits.push(nan | 1 << (encoding.width() - 1));
    let neighbors = line.iter().flat_map(|at| [at - 1, *at, at + 1]);
    bits.extend(neighbors.filter(|at| at.abs() <= infinite).map(|at| pattern(encoding, at)));
    Ok(bits)
}

fn pattern(encoding: Encoding, at: i128) -> u128 {
    let sign = if at < 0 { Sign::Negative } else { Sign::Positive };
    encoding.pattern(sign, at.unsigned_abs())
}

/// Most thresholds that are looked for: gamma has one at each integer.
const MOST_THRESHOLDS: usize = 256;

/// Where the kind of the results changes, by bisection between the ends of binades: the last number
/// on one side, the first on the other. All are found of a function that takes each kind in one
/// piece of each binade.
fn thresholds(reference: &Reference) -> Result<Vec<i128>, LibmError> {
    let encoding = reference.encoding();
    let (infinite, normal) = (encoding.infinite() as i128, encoding.least_normal() as i128);
    let subnormal = (0..).map(|i| 1i128 << i).take_while(|at| *at < normal);
    let binades = (1..).map(|i| i * normal).take_while(|at| *at < infinite);
    let mut samples: Vec<i128> = subnormal.chain(binades).chain([infinite - 1]).collect();
    let mirrored: Vec<i128> = samples.iter().rev().map(|at| -at).collect();
    samples = mirrored.into_iter().chain([0]).chain(samples).collect();
    let kind = |at: i128| -> Result<Option<Kind>, LibmError> {
        Ok(reference.outcome(pattern(encoding, at))?.map(|outcome| outcome.kind()))
    };
    let mut found = Vec::new();
    let mut last = (samples[0], kind(samples[0])?);
    for &at in &samples[1..] {
        let here = (at, kind(at)?);
        // one threshold after the other, until the kind is the one at the other end
        while here.1 != last.1 && found.len() < MOST_THRESHOLDS {
            let (mut a, mut b) = (last, here);
            while b.0 - a.0 > 1 {
                let middle = a.0 + (b.0 - a.0) / 2;
                let kind = kind(middle)?;
                if kind == a.1 {
                    a = (middle, kind);
                } else {
                    b = (middle, kind);
                }
            }
            found.extend([a.0, b.0]);
            last = b;
        }
        last = here;
    }
    Ok(found)
}

/// Numbers at which results of one function or another are exact: small integers and their halves,
/// powers of two and of ten and their neighbors among the integers, squares and cubes; for
/// exponentials all integers of the exponents' range.
fn exact_candidates(encoding: Encoding) -> Vec<Number> {
    let format = encoding.format();
    let p = format.precision();
    let least = format.min_exponent() - p as i32;
    let mut numbers = Vec::new();
    let mut both = |m: i128, e: i32| numbers.extend([Number::new(m, e), Number::new(-m, e)]);
    let range = (format.max_exponent() + p as i32 + 2).min(2200);
    for n in 1..=range {
        both(n.into(), 0);
    }
    for n in (1..=65).step_by(2) {
        both(n, -1);
        both(n, -2);
    }
    for e in least..=format.max_exponent() {
        both(1, e);
    }
    for e in 1..p {
        both((1 << e) - 1, 0);
        both((1 << e) + 1, 0);
        both((1 << e) - 1, -(e as i32));
    }
    let mut ten = 1i128;
    while ten < 1 << 90 {
        both(ten, 0);
        both(ten - 1, 0);
        ten *= 10;
    }
    let mut random = Random(1);
    for degree in [2u32, 3, 4, 5] {
        let bits = p / degree;
        for i in 0..200u64 {
            let root = if i < 100 { i + 1 } else { 1 | random.next() >> (64 - bits.clamp(1, 32)) };
            let power = Integer::from(root).pow(degree);
            if let Some(power) = power.to_i128().filter(|power| power.unsigned_abs() < 1 << 90) {
                let spread = random.next() % 64;
                both(power, 0);
                both(power, degree as i32 * (spread as i32 - 32));
            }
        }
    }
    numbers
}

/// Splitmix64 (Steele, Lea and Flood, 2014): a seed gives the same numbers on every machine.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    /// An integer below `bound`, which is below 2^80.
    fn below(&mut self, bound: u128) -> u128 {
        let wide = u128::from(self.next()) << 64 | u128::from(self.next());
        wide % bound
    }

    fn sign(&mut self) -> Sign {
        if self.next() >> 63 == 0 { Sign::Positive } else { Sign::Negative }
    }

    /// Any finite number, all as likely.
    fn number(&mut self, encoding: Encoding) -> u128 {
        let ordinal = self.below(encoding.infinite());
        encoding.pattern(self.sign(), ordinal)
    }

    /// A number between 2^-p and 2^12, where most functions are neither constant nor out of range;
    /// all binades as likely.
    fn moderate(&mut self, encoding: Encoding) -> u128 {
        let format = encoding.format();
        let least = -(format.precision() as i32).min(-format.min_exponent());
        let most = format.max_exponent().min(11);
        let exponent = least + self.below((most - least + 1) as u128) as i32;
        let biased = (exponent - format.min_exponent() + 1) as u128;
        let fraction = self.below(encoding.least_normal());
        encoding.pattern(self.sign(), biased * encoding.least_normal() + fraction)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tmd_core::Format;

    fn arguments(text: &str, format: Format, random: u64) -> Vec<(u128, Origin)> {
        let reference = Reference::new(&tmd_functions::parse(text).unwrap(), format).unwrap();
        let Arguments::Listed(listed) = Arguments::listed(&reference, &[], random, 7).unwrap() else {
            unreachable!()
        };
        listed
    }

    fn has(listed: &[(u128, Origin)], x: f64) -> bool {
        listed.iter().any(|(bits, _)| *bits == u128::from(x.to_bits()))
    }

    /// Where exp overflows and vanishes, where it becomes subnormal, and what has a name.
    #[test]
    fn thresholds_of_exp() {
        let listed = arguments("exp", Format::BINARY64, 0);
        // from the C library's documentation of exp: the last argument without overflow
        let last = 709.782_712_893_384_f64;
        assert!(last.exp().is_finite() && last.next_up().exp().is_infinite());
        for x in [last, last.next_up(), last.next_up().next_up(), last.next_down()] {
            assert!(has(&listed, x), "{x}");
        }
        let subnormal = -708.396_418_532_264_1_f64;
        // ln 2^-1022, ln 2^-1074, ln 2^-1075
        for x in [subnormal, -744.440_071_921_381_2, -745.133_219_101_941_2] {
            assert!((-2..=2).any(|n| has(&listed, f64::from_bits((x.to_bits() as i64 + n) as u64))), "{x}");
        }
        for x in [0.0, -0.0, f64::INFINITY, -f64::INFINITY, f64::MAX, f64::MIN_POSITIVE, 5e-324, -5e-324, 1.0]
        {
            assert!(has(&listed, x), "{x}");
        }
        assert!(has(&listed, f64::MIN_POSITIVE.next_down()) && has(&listed, f64::MAX.next_down()));
        assert!(listed.iter().any(|(bits, _)| f64::from_bits(*bits as u64).is_nan()));
    }

    /// The ends of domains, and the exact cases of several functions.
    #[test]
    fn domains_and_exact_cases() {
        let listed = arguments("asin", Format::BINARY64, 0);
        assert!(has(&listed, 1.0) && has(&listed, 1f64.next_up()) && has(&listed, -1f64.next_up()));
        let exact = |text: &str, xs: &[f64]| {
            let listed = arguments(text, Format::BINARY64, 0);
            for x in xs {
                assert!(has(&listed, *x), "{text} {x}");
            }
        };
        exact("exp2", &[-1074.0, -1073.0, 1023.0, 0.0, 5.0]);
        exact("log2", &[2f64.powi(-1074), 2f64.powi(1023), 0.25]);
        exact("log10", &[1e22, 1e3]);
        exact("cbrt", &[27.0, -1_000_000.0]);
        exact("sqrt", &[49.0]);
        exact("sinpi", &[0.5, 1.5, 7.0]);
        exact("log2p1", &[-0.5, -0.75, 3.0, 1023.0]);
    }

    #[test]
    fn each_once_and_the_same_again() {
        let listed = arguments("log", Format::BINARY32, 1000);
        let bits: HashSet<u128> = listed.iter().map(|(bits, _)| *bits).collect();
        assert_eq!(bits.len(), listed.len());
        assert_eq!(arguments("log", Format::BINARY32, 1000), listed);
        let drawn = listed.iter().filter(|(_, origin)| *origin == Origin::Random).count();
        assert!((900..=1000).contains(&drawn));
    }

    #[test]
    fn all_of_a_small_format() {
        for format in [Format::BINARY16, Format::BFLOAT16] {
            let encoding = Encoding::new(format).unwrap();
            let all = Arguments::all(encoding).unwrap();
            let bits: HashSet<u128> = (0..all.len()).map(|i| all.get(i).0).collect();
            assert_eq!(bits.len() as u64, all.len());
            let finite = bits.iter().filter(|b| matches!(encoding.decode(**b), crate::Class::Number(_)));
            assert_eq!(finite.count() as u128, 2 * (encoding.infinite() - 1));
            assert!(bits.contains(&encoding.nan()));
        }
        assert!(Arguments::all(Encoding::new(Format::BINARY64).unwrap()).is_err());
    }
}
