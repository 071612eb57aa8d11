//! [`Results`]: a result correctly rounded in each of IEEE 754's modes, from what is listed of it.

use tmd_core::{Format, Number};
use tmd_driver::report::{Case, Exact};

use crate::{
    ReportError,
    number::{number, value},
};

/// A correctly rounded result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rounded {
    /// A number of the format; 0 is +0.
    Finite(Number),
    /// −0: what is left of a negative number that is too small.
    NegativeZero,
    /// +∞, or −∞ if it is negative: the number is beyond all numbers of the format.
    Infinite {
        /// the sign
        is_negative: bool,
    },
}

/// One result in the five modes. An exact zero is +0, whatever the zero of the argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Results {
    /// To nearest, ties to even.
    pub nearest_even: Rounded,
    /// To nearest, ties away from zero.
    pub nearest_away: Rounded,
    /// Toward +∞.
    pub up: Rounded,
    /// Toward −∞.
    pub down: Rounded,
    /// Toward 0.
    pub zero: Rounded,
}

impl Results {
    /// The results of a case in this format.
    ///
    /// # Errors
    /// [`ReportError::Number`] for what no certificate and no search says.
    pub fn of_case(case: &Case, format: Format) -> Result<Self, ReportError> {
        let [lower, upper] = [number(&case.bracket[0])?, number(&case.bracket[1])?];
        // of a midpoint the side counts; a number is itself the nearest one
        let is_upper = match case.kind.as_str() {
            "number" => number(&case.breakpoint)? == upper,
            _ => case.sign == '+',
        };
        let nearest = |_| if is_upper { upper } else { lower };
        Ok(Self::between(lower, upper, nearest, format))
    }

    /// The results of an exact case in this format.
    ///
    /// # Errors
    /// [`ReportError::Number`] for what no certificate and no search says.
    pub fn of_exact(exact: &Exact, format: Format) -> Result<Self, ReportError> {
        let value = value(&exact.value)?;
        let spacing = value.log2_floor().map_or(0, |exponent| format.ulp_exponent(exponent));
        if value.exponent() >= spacing {
            return Ok(Self::between(value, value, |_| value, format));
        }
        // an odd number of halves of the spacing; what is no midpoint is none of a document's
        let halves = value.significand();
        if value.exponent() != spacing - 1 || halves.unsigned_abs() >= 1 << 100 {
            return Err(ReportError::Number { text: exact.value.clone() });
        }
        let (below, above) = ((halves - 1) / 2, (halves + 1) / 2);
        // for odd halves both divisions are exact
        let nearest = |is_even: bool| {
            let takes_above = if is_even { above % 2 == 0 } else { halves > 0 };
            Number::new(if takes_above { above } else { below }, spacing)
        };
        Ok(Self::between(Number::new(below, spacing), Number::new(above, spacing), nearest, format))
    }

    /// The results of what lies between two neighbors, or is both; `nearest` says which of them is
    /// nearer, ties to even or not.
    fn between(lower: Number, upper: Number, nearest: impl Fn(bool) -> Number, format: Format) -> Self {
        let is_negative = lower < Number::ZERO;
        let largest = |x: Number| x.log2_floor().is_some_and(|exponent| exponent > format.max_exponent());
        let rounded = |x: Number| match x {
            Number::ZERO if is_negative => Rounded::NegativeZero,
            x if largest(x) => Rounded::Infinite { is_negative },
            x => Rounded::Finite(x),
        };
        Self {
            nearest_even: rounded(nearest(true)),
            nearest_away: rounded(nearest(false)),
            up: rounded(upper),
            down: rounded(lower),
            zero: rounded(if is_negative { upper } else { lower }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Precision 3, numbers up to 7, spacing 1/4 at 0.
    fn tiny() -> (Format, Vec<Number>) {
        let format = Format::new(3, 0, 2).unwrap();
        // in quarters: 0, 1, 2, 3 (subnormal), 4, …, 7, 8, 10, …, 28
        let magnitudes = (0..8).chain((8..16).step_by(2)).chain((16..=28).step_by(4));
        let mut quarters: Vec<i128> = magnitudes.flat_map(|n| [n, -n]).collect();
        quarters.sort_unstable();
        quarters.dedup();
        (format, quarters.into_iter().map(|n| Number::new(n, -2)).collect())
    }

    /// The neighbors of `y`: those that are not in the format are the ones that would follow.
    fn neighbors(y: Number, numbers: &[Number]) -> [Number; 2] {
        let beyond = [Number::new(-8, 0), Number::new(8, 0)];
        let lower = numbers.iter().rev().find(|x| **x <= y).unwrap_or(&beyond[0]);
        let upper = numbers.iter().find(|x| **x >= y).unwrap_or(&beyond[1]);
        [*lower, *upper]
    }

    /// What IEEE 754 says, in units of 2^-10.
    fn rounded(x: Number, y: Number) -> Rounded {
        match x {
            Number::ZERO if y < Number::ZERO => Rounded::NegativeZero,
            x if x.to_f64().abs() == 8.0 => Rounded::Infinite { is_negative: y < Number::ZERO },
            x => Rounded::Finite(x),
        }
    }

    #[test]
    fn all_modes_of_all_results_of_a_tiny_format() {
        let (format, numbers) = tiny();
        let (mut cases, mut exact) = (0, 0);
        // up to 7.9, beyond the greatest midpoint, in steps of 1/1024
        for n in -8100i128..=8100 {
            let y = Number::new(n, -10);
            let [lower, upper] = neighbors(y, &numbers);
            let (below, above) = (y.to_f64() - lower.to_f64(), upper.to_f64() - y.to_f64());
            let is_tie = below == above && lower != upper;
            let even = |x: Number| {
                // the significand in units of the spacing of its own binade
                let exponent = format.ulp_exponent(x.log2_floor().unwrap_or(0));
                x == Number::ZERO || x.exponent() > exponent
            };
            let (low, up) = (rounded(lower, y), rounded(upper, y));
            let nearest = |tie: Rounded| match () {
                () if is_tie => tie,
                () if below < above => low,
                () => up,
            };
            let expected = Results {
                nearest_even: nearest(if even(lower) { low } else { up }),
                nearest_away: nearest(if n > 0 { up } else { low }),
                up,
                down: low,
                zero: if n < 0 { up } else { low },
            };
            let found = if lower == upper || is_tie {
                exact += 1;
                let kind = if is_tie { "midpoint" } else { "number" }.into();
                let (x, value) = (String::new(), y.to_string());
                Results::of_exact(&Exact { x, kind, value }, format)
            } else {
                cases += 1;
                let middle = Number::from_f64(f64::midpoint(lower.to_f64(), upper.to_f64())).unwrap();
                let to_middle = (y.to_f64() - middle.to_f64()).abs();
                let nearer = if below < above { lower } else { upper };
                let (kind, breakpoint) =
                    if to_middle < below.min(above) { ("midpoint", middle) } else { ("number", nearer) };
                let case = Case {
                    x: String::new(),
                    kind: kind.into(),
                    sign: if y > breakpoint { '+' } else { '-' },
                    log2_dist: 0.0,
                    identical_bits: 0,
                    breakpoint: breakpoint.to_string(),
                    bracket: [lower.to_string(), upper.to_string()],
                };
                Results::of_case(&case, format)
            };
            assert_eq!(found, Ok(expected), "{y}");
        }
        assert!(cases > 10_000 && exact > 60, "{cases} cases, {exact} exact ones");
    }

    #[test]
    fn what_no_document_says() {
        let exact = |value: &str| Exact { x: String::new(), kind: "midpoint".into(), value: value.into() };
        // more bits than a midpoint has
        assert!(Results::of_exact(&exact("0x1.1111111p+0"), Format::BINARY16).is_err());
        assert!(Results::of_exact(&exact("1/3"), Format::BINARY16).is_err());
    }
}
