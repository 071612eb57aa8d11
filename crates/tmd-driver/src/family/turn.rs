//! Turns, decided exactly: in which cell of the circle is an argument?
//!
//! Units of work are ranges of *cells*, the parts of the circle of length `2^-TURN_BITS`. A turn
//! x/L of a number x ≠ 0 is irrational, as L is, so it is at no border of a cell, and enough bits
//! tell in which one it is: each argument belongs to one unit, whatever windows there are.

use rug::{Integer, Rational};
use tmd_core::{ArgumentRange, Number};
use tmd_functions::{Family, FunctionError, Repetition};

use crate::interval::power_of_two;

/// A cell is 2^-32 of a turn, or of the significands in [0, 1).
const TURN_BITS: u32 = 32;

/// Bits beyond an index's that a turn is taken to first: one in 2^64 needs more.
const GUARD_BITS: u32 = 64;

/// The cells of a family: of the turns in [0, 1/2] where the function has a parity, or [0, 1), or
/// of the significands in [1/2, 1).
pub(crate) fn whole_circle(family: Family) -> ArgumentRange {
    let (half, spacing) = (1u64 << (TURN_BITS - 1), -(TURN_BITS as i32));
    match family.repetition() {
        Repetition::Doubling => ArgumentRange::new(half.into(), spacing, half),
        Repetition::Period if family.is_symmetric() => ArgumentRange::new(0, spacing, half),
        Repetition::Period => ArgumentRange::new(0, spacing, 2 * half),
    }
}

/// The turns of cells: where the first begins, and where the last ends.
pub(crate) fn turns_of(cells: &ArgumentRange) -> (Rational, Rational) {
    let turn = |cell: i128| Rational::from(cell) * power_of_two(cells.exponent());
    (turn(cells.first()), turn(cells.first() + i128::from(cells.count())))
}

/// `⌊t·2^bits⌋` of the turn t of x, in [0, 1/2] where the function has a parity, else in [0, 1); or
/// of its significand in [1/2, 1).
///
/// # Errors
/// [`FunctionError::Precision`] for exponents beyond those of all formats.
pub(crate) fn cell(family: Family, x: Number, bits: u32) -> Result<Integer, FunctionError> {
    let index = Integer::from(x.significand());
    if family.repetition() == Repetition::Doubling {
        let magnitude = Integer::from(index.abs_ref());
        let length = magnitude.significant_bits();
        return Ok((magnitude << bits) >> length);
    }
    if index == 0 {
        return Ok(index);
    }
    let reach = Integer::from(index.abs_ref());
    let mut precision = bits + reach.significant_bits() + GUARD_BITS;
    loop {
        let circle = Integer::from(1) << precision;
        // index·Θ is between these, in units of 2^-precision: Θ was rounded down
        let rounded = family.rotation(x.exponent(), precision)? * &index;
        let low = if index > 0 { rounded } else { rounded - &reach };
        let low = low.modulo(&circle);
        let high = Integer::from(&low + &reach);
        let ends = if !family.is_symmetric() {
            (high < circle).then_some((low, high))
        } else if high < Integer::from(&circle >> 1) {
            Some((low, high))
        } else if low > Integer::from(&circle >> 1) && high < circle {
            Some((Integer::from(&circle - &high), circle - low))
        } else {
            None
        };
        if let Some((low, high)) = ends {
            let [low, high] = [low, high].map(|end| end >> (precision - bits));
            if low == high {
                return Ok(low);
            }
        }
        precision = precision.saturating_mul(2);
    }
}

/// Whether the turn of x is in these cells.
pub(crate) fn is_in(family: Family, x: Number, cells: &ArgumentRange) -> Result<bool, FunctionError> {
    let bits = u32::try_from(-cells.exponent()).unwrap_or(0);
    let cell = cell(family, x, bits)?;
    Ok(cell >= cells.first() && cell < cells.first() + i128::from(cells.count()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use rug::Float;
    use tmd_functions::Builtin;

    /// Turns by division in 3000 bits, of arguments of both signs and all sizes.
    #[test]
    fn cells_are_those_of_a_division() {
        for builtin in [Builtin::Sin, Builtin::Cos, Builtin::Tan, Builtin::Exp, Builtin::Exp10] {
            let family = Family::of(builtin).unwrap();
            let period = family.period(3000).unwrap().midpoint();
            for exponent in [-70, -8, 0, 40, 971] {
                for significand in
                    [1i128, -1, 3, -7, 0x15_5ed5_1c4a_a9d7, -0x1f_ffff_ffff_ffff, (1 << 52) + 1]
                {
                    let x = Float::with_val(3000, significand) << exponent;
                    let quotient = Float::with_val(3000, x / &period);
                    let mut turn = Float::with_val(3000, &quotient - quotient.clone().floor());
                    if family.is_symmetric() && turn > 0.5 {
                        turn = 1 - turn;
                    }
                    for bits in [1, 32, 64, 200] {
                        let expected = Float::with_val(3000, &turn << bits).floor().to_integer().unwrap();
                        let found = cell(family, Number::new(significand, exponent), bits).unwrap();
                        assert_eq!(found, expected, "{builtin} at {significand}·2^{exponent}, {bits} bits");
                    }
                }
            }
        }
        let log = Family::of(Builtin::Ln).unwrap();
        assert_eq!(cell(log, Number::new(3, 500), 8).unwrap(), 0xc0);
        assert_eq!(cell(log, Number::new((1 << 53) - 1, -1074), 8).unwrap(), 0xff);
    }

    /// Every argument is in one of the parts of the circle, however it is cut.
    #[test]
    fn parts_of_the_circle_share_nothing() {
        for builtin in [Builtin::Sin, Builtin::Exp, Builtin::Ln] {
            let family = Family::of(builtin).unwrap();
            let whole = whole_circle(family);
            let third = whole.count() / 3;
            let parts = [whole.part(0, third), whole.part(third, 1), whole.part(third + 1, whole.count())];
            for k in 0..200 {
                let x = Number::new((1 << 23) + 7919 * k, 60);
                let found = parts.iter().filter(|part| is_in(family, x, part).unwrap()).count();
                assert_eq!(found, 1, "{builtin} at {x}");
            }
        }
    }
}
