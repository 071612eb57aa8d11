//! [`Reference`]: correctly rounded results and their flags, by rigorous enclosures of the
//! function; nothing of it comes from the library that is tested.

use rug::Rational;
use tmd_core::Format;
use tmd_functions::{
    Expression,
    special::{Arithmetic, Datum, Real, Sign},
    taylor::float_of,
};

use crate::{
    Class, Encoding, Expected, Flags, LibmError, Mode,
    block::{self, Block, Quick},
    position::{self, Position},
};

/// Neighboring arguments for which a polynomial is worth while, and those for which there may be
/// one.
const LEAST_BLOCK: u128 = 64;
const MOST_BLOCK: u128 = 1 << 20;

/// Most bits of an enclosure. What is not decided then is counted, and compared with nothing.
const MAX_PRECISION: u32 = 1 << 14;

/// A function in a format.
#[derive(Clone, Debug)]
pub struct Reference {
    function: Expression,
    encoding: Encoding,
    /// whether the result at an argument is the same datum in all modes
    is_plain: bool,
}

/// What a function gives at an argument.
#[derive(Clone, Debug)]
pub struct Outcome {
    encoding: Encoding,
    /// in all modes but, if there is another one, down
    truth: Truth,
    down: Option<Truth>,
}

/// Not rounded.
#[derive(Clone, Debug)]
enum Truth {
    Nan { is_invalid: bool },
    Infinity { sign: Sign, is_pole: bool },
    Zero(Sign),
    Real { y: Enclosure, position: Position },
}

/// Of a real number other than 0.
#[derive(Clone, Debug)]
enum Enclosure {
    Wide(Box<Real>),
    Double(f64, f64),
}

/// The kind of a result, for the thresholds between kinds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Nan,
    Infinity,
    Zero,
    /// Rounded to 0 to nearest.
    Vanishing,
    /// Less than the least number, and rounded to it.
    Least,
    Subnormal,
    Normal,
    /// More than the largest number, and rounded to it.
    Largest,
    /// Rounded to ∞ to nearest.
    Beyond,
}

impl Reference {
    /// A function in a format.
    ///
    /// # Errors
    /// [`LibmError::Format`].
    pub fn new(function: &Expression, format: Format) -> Result<Self, LibmError> {
        // a sum of zeros, or x − x, has another sign where the rounding is down; a named function
        // of x has no sum
        let is_plain = match function {
            Expression::Call(_, a)
            | Expression::Special(_, a)
            | Expression::Rootn(a, _)
            | Expression::Powi(a, _) => {
                matches!(**a, Expression::X)
            }
            _ => false,
        };
        Ok(Self { function: function.clone(), encoding: Encoding::new(format)?, is_plain })
    }

    /// The encoding of arguments and results.
    pub fn encoding(&self) -> Encoding {
        self.encoding
    }

    /// What the function gives at the argument with this pattern; none if that cannot be told.
    ///
    /// # Errors
    /// Those of [`Arithmetic::new`], which do not happen with the precisions that are tried here.
    pub fn outcome(&self, bits: u128) -> Result<Option<Outcome>, LibmError> {
        let Some(truth) = self.truth(bits, Sign::Positive)? else { return Ok(None) };
        let down = if self.is_plain {
            None
        } else {
            let Some(down) = self.truth(bits, Sign::Negative)? else { return Ok(None) };
            Some(down)
        };
        Ok(Some(Outcome { encoding: self.encoding, truth, down }))
    }

    /// The same for many arguments. Where many are neighbors, of a format of 24 bits or less, that
    /// takes little longer than for a few.
    ///
    /// # Errors
    /// As for [`outcome`](Self::outcome).
    pub fn outcomes(&self, arguments: &[u128]) -> Result<Vec<Option<Outcome>>, LibmError> {
        let blocks = [Sign::Positive, Sign::Negative].map(|sign| self.block(arguments, sign));
        let quickly = |bits: u128| {
            let (sign, _) = self.encoding.ordinal(bits)?;
            let block = blocks[usize::from(sign == Sign::Negative)].as_ref()?;
            let x = block::double(self.encoding, bits).filter(|x| *x != 0.0)?;
            let Quick { lo, hi, position } = block.at(x)?;
            let truth = Truth::Real { y: Enclosure::Double(lo, hi), position };
            Some(Outcome { encoding: self.encoding, truth, down: None })
        };
        let outcome =
            |&bits: &u128| quickly(bits).map_or_else(|| self.outcome(bits), |found| Ok(Some(found)));
        arguments.iter().map(outcome).collect()
    }

    /// What is known of all arguments of a sign, if they are neighbors.
    fn block(&self, arguments: &[u128], sign: Sign) -> Option<Block> {
        if !self.is_plain {
            return None;
        }
        let ordinals = arguments.iter().filter_map(|bits| self.encoding.ordinal(*bits));
        let finite = ordinals.filter(|(of, n)| *of == sign && *n > 0 && *n < self.encoding.infinite());
        let (mut least, mut most, mut count) = (u128::MAX, 0, 0);
        for (_, ordinal) in finite {
            (least, most, count) = (least.min(ordinal), most.max(ordinal), count + 1);
        }
        if !(LEAST_BLOCK..=MOST_BLOCK).contains(&count) || most - least + 1 != count {
            return None;
        }
        let ends =
            [least, most].map(|ordinal| block::double(self.encoding, self.encoding.pattern(sign, ordinal)));
        Block::new(&self.function, self.encoding, ends[0]?, ends[1]?)
    }

    fn truth(&self, bits: u128, zero_sum: Sign) -> Result<Option<Truth>, LibmError> {
        let class = self.encoding.decode(bits);
        let is_finite = matches!(class, Class::Zero(_) | Class::Number(_));
        let mut precision = if self.encoding.format().precision() <= 24 { 64 } else { 128 };
        while precision <= MAX_PRECISION {
            let arithmetic = Arithmetic::new(precision, zero_sum)?;
            let x = match class {
                Class::Nan { is_quiet: true } => Datum::Nan,
                // operations on these are invalid
                Class::Nan { is_quiet: false } | Class::Invalid => {
                    return Ok(Some(Truth::Nan { is_invalid: true }));
                }
                Class::Infinity(sign) => Datum::Infinity(sign),
                Class::Zero(sign) => Datum::Zero(sign),
                Class::Number(x) => {
                    let significand = Rational::from(x.significand());
                    let shift = x.exponent().unsigned_abs();
                    let x = if x.exponent() < 0 { significand >> shift } else { significand << shift };
                    arithmetic.rational(&x)
                }
            };
            match self.function.evaluate(&x, arithmetic) {
                Ok(Datum::Nan) => {
                    return Ok(Some(Truth::Nan { is_invalid: !matches!(x, Datum::Nan) }));
                }
                Ok(Datum::Infinity(sign)) => {
                    return Ok(Some(Truth::Infinity { sign, is_pole: is_finite }));
                }
                Ok(Datum::Zero(sign)) => return Ok(Some(Truth::Zero(sign))),
                Ok(Datum::Real(y)) => {
                    if let Some(position) = Position::of(&y, self.encoding) {
                        return Ok(Some(Truth::Real { y: Enclosure::Wide(Box::new(y)), position }));
                    }
                }
                // more precision may help
                Err(_) => {}
            }
            precision *= 2;
        }
        Ok(None)
    }
}

impl Outcome {
    fn truth(&self, mode: Mode) -> &Truth {
        self.down.as_ref().filter(|_| mode == Mode::Down).unwrap_or(&self.truth)
    }

    /// The correctly rounded result and its flags.
    pub fn expected(&self, mode: Mode) -> Expected {
        let Self { encoding, .. } = *self;
        let exact = |bits, raised| Expected { bits, raised, optional: Flags::NONE };
        match *self.truth(mode) {
            Truth::Nan { is_invalid } => {
                exact(encoding.nan(), if is_invalid { Flags::INVALID } else { Flags::NONE })
            }
            Truth::Infinity { sign, is_pole } => {
                let raised = if is_pole { Flags::DIVIDE_BY_ZERO } else { Flags::NONE };
                exact(encoding.pattern(sign, encoding.infinite()), raised)
            }
            Truth::Zero(sign) => exact(encoding.pattern(sign, 0), Flags::NONE),
            Truth::Real { position, .. } => position.rounded(mode, encoding),
        }
    }

    /// Whether a result is the correctly rounded one: the same pattern, or any quiet NaN where a
    /// NaN is expected.
    pub fn is_right(&self, mode: Mode, result: u128) -> bool {
        result == self.expected(mode).bits
            || matches!(self.truth(mode), Truth::Nan { .. })
                && self.encoding.decode(result) == Class::Nan { is_quiet: true }
    }

    /// Whether the exact result is a number of the format or the midpoint of two.
    pub fn is_exact(&self) -> bool {
        use position::Rest::{Half, Nothing};
        match self.truth {
            Truth::Real { position: Position::At { rest, .. }, .. } => matches!(rest, Nothing | Half),
            Truth::Zero(_) => true,
            _ => false,
        }
    }

    /// An enclosure of the error of a finite result, in ulps of the exact one; none if there is no
    /// exact result in the format's range, or the result is not finite.
    pub fn error(&self, mode: Mode, result: u128) -> Option<[f64; 2]> {
        let Truth::Real { y, position } = self.truth(mode) else { return None };
        let ulp = position.ulp_exponent(self.encoding)?;
        match y {
            Enclosure::Wide(y) => {
                let result = match self.encoding.decode(result) {
                    Class::Number(r) => float_of(r),
                    Class::Zero(_) => rug::Float::new(64),
                    _ => return None,
                };
                Some(position::error(&result, y, ulp))
            }
            Enclosure::Double(lo, hi) => {
                let result = block::double(self.encoding, result)?;
                Some(block::error(result, *lo, *hi, ulp))
            }
        }
    }

    pub(crate) fn kind(&self) -> Kind {
        match self.truth {
            Truth::Nan { .. } => Kind::Nan,
            Truth::Infinity { .. } => Kind::Infinity,
            Truth::Zero(_) => Kind::Zero,
            Truth::Real { position: Position::Beyond(_), .. } => Kind::Beyond,
            Truth::Real { position: Position::At { ordinal, rest, .. }, .. } => {
                let is_last = ordinal + 1 == self.encoding.infinite();
                match ordinal {
                    0 if rest > position::Rest::Half => Kind::Least,
                    0 => Kind::Vanishing,
                    _ if ordinal < self.encoding.least_normal() => Kind::Subnormal,
                    _ if is_last && rest >= position::Rest::Half => Kind::Beyond,
                    _ if is_last && rest != position::Rest::Nothing => Kind::Largest,
                    _ => Kind::Normal,
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str, x: f64) -> Outcome {
        let function = tmd_functions::parse(text).unwrap();
        let reference = Reference::new(&function, Format::BINARY64).unwrap();
        reference.outcome(x.to_bits().into()).unwrap().unwrap()
    }

    fn result(text: &str, x: f64, mode: Mode) -> (f64, Flags) {
        let expected = at(text, x).expected(mode);
        (f64::from_bits(expected.bits as u64), expected.raised)
    }

    /// What annex F of the C standard says.
    #[test]
    fn special_values_and_their_flags() {
        for mode in Mode::ALL {
            let (inf, none) = (f64::INFINITY, Flags::NONE);
            for (text, x, y, flags) in [
                ("exp", 0.0, 1.0, none),
                ("exp", -0.0, 1.0, none),
                ("exp", -inf, 0.0, none),
                ("exp", inf, inf, none),
                ("log", 0.0, -inf, Flags::DIVIDE_BY_ZERO),
                ("log", -0.0, -inf, Flags::DIVIDE_BY_ZERO),
                ("log", 1.0, 0.0, none),
                ("sin", -0.0, -0.0, none),
                ("exp2", -1074.0, f64::from_bits(1), none),
                ("exp2", 10.0, 1024.0, none),
                ("atanh", 1.0, inf, Flags::DIVIDE_BY_ZERO),
                ("cbrt", -27.0, -3.0, none),
                ("sqrt", -0.0, -0.0, none),
            ] {
                let (got, raised) = result(text, x, mode);
                let is_it = got.to_bits() == y.to_bits() && raised == flags;
                assert!(is_it, "{text} {x} {mode}: {got} {raised}");
            }
            for (text, x, flags) in [
                ("log", -1.0, Flags::INVALID),
                ("sin", inf, Flags::INVALID),
                ("sqrt", -inf, Flags::INVALID),
                ("asin", 1.5, Flags::INVALID),
                ("exp", f64::NAN, Flags::NONE),
            ] {
                let (got, raised) = result(text, x, mode);
                assert!(got.is_nan() && raised == flags, "{text} {x} {raised}");
                let outcome = at(text, x);
                assert!(outcome.is_right(mode, (-f64::NAN).to_bits().into()), "any quiet NaN will do");
                assert!(!outcome.is_right(mode, 0x7ff0_0000_0000_0001));
                assert!(!outcome.is_right(mode, 0));
            }
        }
    }

    #[test]
    fn overflow_and_underflow() {
        let (over, under) = (Flags::OVERFLOW | Flags::INEXACT, Flags::UNDERFLOW | Flags::INEXACT);
        assert_eq!(result("exp", 710.0, Mode::Nearest), (f64::INFINITY, over));
        assert_eq!(result("exp", 710.0, Mode::Zero), (f64::MAX, over));
        assert_eq!(result("exp", 1e300, Mode::Down), (f64::MAX, over));
        assert_eq!(result("exp", -1e300, Mode::Down), (0.0, under));
        assert_eq!(result("exp", -1e300, Mode::Up), (f64::from_bits(1), under));
        assert_eq!(result("exp", -745.0, Mode::Nearest), (f64::from_bits(1), under));
        assert_eq!(result("exp", -746.0, Mode::Nearest), (0.0, under));
        assert_eq!(result("sin", 1e-310, Mode::Up), (1e-310, under));
        assert_eq!(result("sin", 1e-310, Mode::Zero), (1e-310f64.next_down(), under));
    }

    /// x − x is −0 where the rounding is down.
    #[test]
    fn zeros_of_sums() {
        assert_eq!(result("x-x", 3.0, Mode::Nearest).0.to_bits(), 0.0f64.to_bits());
        assert_eq!(result("x-x", 3.0, Mode::Down).0.to_bits(), (-0.0f64).to_bits());
        assert_eq!(result("1/(x-x)", 3.0, Mode::Down), (f64::NEG_INFINITY, Flags::DIVIDE_BY_ZERO));
    }

    #[test]
    fn errors_in_ulps() {
        // e = 2.718281828459045235…: the double is 0.65 of the distance below the next one
        let outcome = at("exp", 1.0);
        let e = std::f64::consts::E;
        let [lo, hi] = outcome.error(Mode::Nearest, e.to_bits().into()).unwrap();
        assert!(lo > 0.3 && hi < 0.5 && hi - lo < 1e-15, "{lo} {hi}");
        let [far, _] = outcome.error(Mode::Nearest, (e + 2.0 * f64::EPSILON * 2.0).to_bits().into()).unwrap();
        assert!((far - 2.0).abs() < 0.5, "{far}");
        assert!(!outcome.is_exact() && at("exp2", 0.0).is_exact() && at("log", 1.0).is_exact());
        assert_eq!(outcome.error(Mode::Up, f64::INFINITY.to_bits().into()), None);
        assert_eq!(at("exp2", 3.0).error(Mode::Up, 9f64.to_bits().into()), Some([(1u64 << 49) as f64; 2]));
    }

    /// Many at once, as one by one: from 0 on, over the least normal number, at ∞, and where
    /// nothing is a neighbor.
    #[test]
    fn many_at_once() {
        for (text, format) in [
            ("exp", Format::BINARY32),
            ("sin", Format::BFLOAT16),
            ("log", Format::BINARY16),
            ("x+1", Format::BINARY32),
        ] {
            let function = tmd_functions::parse(text).unwrap();
            let reference = Reference::new(&function, format).unwrap();
            let encoding = reference.encoding();
            let line = |first: u128| (first..first + 100).map(|n| encoding.pattern(Sign::Negative, n));
            let starts =
                [0, encoding.least_normal() - 50, encoding.infinite() - 50, 3 * encoding.least_normal()];
            for start in starts {
                let positive = (start..start + 200).step_by(3);
                let positive = positive.map(|n| encoding.pattern(Sign::Positive, n));
                let arguments: Vec<u128> = line(start).chain(positive).collect();
                let many = reference.outcomes(&arguments).unwrap();
                for (bits, outcome) in arguments.iter().zip(many) {
                    let one = reference.outcome(*bits).unwrap();
                    let [many, one] =
                        [outcome, one].map(|of| of.map(|of| Mode::ALL.map(|mode| of.expected(mode))));
                    assert_eq!(many, one, "{text} {bits:x}");
                }
            }
        }
    }

    /// All results of binary16 are those of the tables, which round them by code of their own.
    #[test]
    fn as_the_tables_say() {
        use tmd_driver::table::{Rounding, Table};
        let modes = [Mode::Nearest, Mode::Zero, Mode::Up, Mode::Down];
        let roundings = [Rounding::NearestEven, Rounding::Zero, Rounding::Up, Rounding::Down];
        for text in ["log1p", "1/(x-1)"] {
            let function = tmd_functions::parse(text).unwrap();
            let reference = Reference::new(&function, Format::BINARY16).unwrap();
            let outcomes: Vec<Option<Outcome>> =
                (0..1 << 16).map(|bits| reference.outcome(bits).unwrap()).collect();
            for (mode, rounding) in modes.into_iter().zip(roundings) {
                let interrupt = tmd_core::Interrupt::new();
                let table = Table::compute(&function, Format::BINARY16, rounding, &interrupt).unwrap();
                for (entry, outcome) in table.entries().iter().zip(&outcomes) {
                    let expected = outcome.as_ref().unwrap().expected(mode);
                    assert_eq!(u128::from(*entry), expected.bits, "{text} {mode}");
                }
            }
        }
    }

    /// The thresholds of kinds, and the hardest case of exp in all modes.
    #[test]
    fn kinds_and_hard_cases() {
        // ln 2^1024 = 709.7827128933839968…, and the double next to it is below that
        assert_eq!(at("exp", 709.782_712_893_384).kind(), Kind::Normal);
        assert_eq!(at("exp", 709.782_712_893_384_f64.next_up()).kind(), Kind::Beyond);
        assert_eq!(at("exp", -745.0).kind(), Kind::Least);
        assert_eq!(at("exp", -709.0).kind(), Kind::Subnormal);
        assert_eq!(at("exp", -800.0).kind(), Kind::Vanishing);
        // 1.9E9CBBFD6080B × 2^-31: exp is 59 bits on the midpoint
        let x = f64::from_bits(0x3e0e_9e9c_bbfd_6080 | 0xb);
        let [lo, up] = [Mode::Down, Mode::Up].map(|mode| result("exp", x, mode).0);
        assert_eq!(up, lo.next_up());
        assert!([lo, up].contains(&result("exp", x, Mode::Nearest).0));
    }
}
