//! Tables against oracles that share nothing with them: MPFR's functions to 600 bits and a search
//! among all numbers of the format, and MPFR's own rounding to subnormal numbers.

mod patterns;

use std::cmp::Ordering;

use patterns::number;
use rayon::prelude::*;
use rug::{Float, float::Round};
use tmd_core::{Format, Interrupt};
use tmd_driver::table::{Rounding, Table, TableError};
use tmd_functions::parse;
use tmd_testkit::{by_turns, one_in};

const FORMATS: [Format; 2] = [Format::BINARY16, Format::BFLOAT16];

/// Bits of the oracle's values.
const PRECISION: u32 = 600;

/// All finite numbers from +0 upward; pattern i has the place i.
fn numbers(format: Format) -> Vec<f64> {
    (0..u16::MAX).map(|bits| number(format, bits)).take_while(|y| y.is_finite()).collect()
}

/// A value to [`PRECISION`] bits, and whether it is exact.
type Computed = (Float, bool);

fn rounded(f: impl FnOnce(&mut Float) -> Ordering) -> Computed {
    let mut y = Float::new(PRECISION);
    let error = f(&mut y);
    (y, error == Ordering::Equal)
}

/// The function by MPFR's own operations.
fn oracle(text: &str, x: &Float) -> Computed {
    let nearest = Round::Nearest;
    rounded(|y| {
        *y = Float::with_val(PRECISION, x);
        match text {
            "exp" => y.exp_round(nearest),
            "log" => y.ln_round(nearest),
            "sqrt" => y.sqrt_round(nearest),
            "cbrt" => y.cbrt_round(nearest),
            "1/x" => y.recip_round(nearest),
            "sin" => y.sin_round(nearest),
            "atan" => y.atan_round(nearest),
            "exp2" => y.exp2_round(nearest),
            "tanpi" => y.tan_pi_round(nearest),
            // 72 bits at most
            "x^3" | "x*x*x" => {
                *y = y.clone().square() * &*y;
                Ordering::Equal
            }
            "exp(2*x)+sin(3*x^2)-3*cos(x)" => {
                *y = (y.clone() * 2u32).exp() + (y.clone().square() * 3u32).sin() - y.clone().cos() * 3u32;
                // at 0 the three terms are 1, 0 and 3
                if x.is_zero() { Ordering::Equal } else { Ordering::Less }
            }
            "1/(1+exp(-x))" => {
                *y = (1u32 + (-y.clone()).exp()).recip();
                if x.is_zero() || x.is_infinite() { Ordering::Equal } else { Ordering::Less }
            }
            other => panic!("no oracle for {other}"),
        }
    })
}

/// The pattern of a value, by looking among all numbers of the format.
fn pattern(format: Format, numbers: &[f64], rounding: Rounding, (y, is_exact): &Computed, x: &Float) -> u16 {
    let infinity = numbers.len() as u16;
    if y.is_nan() {
        return infinity | 1 << (format.precision() - 2);
    }
    let sign = u16::from(y.is_sign_negative()) << 15;
    if *is_exact && y.is_zero() {
        return sign;
    }
    if *is_exact && y.is_infinite() {
        return sign | infinity;
    }
    let magnitude = y.clone().abs();
    let below = numbers.partition_point(|z| magnitude >= *z) - 1;
    let is_number = magnitude == numbers[below];
    // the place of the next number, were there one above the largest
    let next = numbers.get(below + 1).copied().unwrap_or_else(|| 2.0 * numbers[below] - numbers[below - 1]);
    let mut to_middle = magnitude.partial_cmp(&f64::midpoint(numbers[below], next)).unwrap();
    if !is_exact {
        // 600 bits that agree with a breakpoint would be an exact case that MPFR calls inexact, or
        // a sum of rounded terms: only the ends of the range and 1/(1 + tiny) may be so close
        let is_saturated = magnitude.is_zero() || magnitude.is_infinite() || x.clone().abs() > 300;
        assert!(is_saturated || !is_number && to_middle != Ordering::Equal, "{x}: {y}");
    }
    let is_above = match (is_number, is_exact) {
        (false, _) => true,
        (true, true) => false,
        // underflow, or 1/(1 + e^(−x)) rounded to 1 from below
        (true, false) if magnitude.is_zero() => true,
        (true, false) => {
            assert_eq!(magnitude, 1, "{x}");
            let previous = numbers[below - 1];
            assert!(previous < 1.0);
            return sign | (below as u16 - u16::from(matches!(rounding, Rounding::Down | Rounding::Zero)));
        }
    };
    if magnitude.is_infinite() {
        to_middle = Ordering::Greater;
    }
    let is_positive = sign == 0;
    let goes_up = is_above
        && match rounding {
            Rounding::Zero => false,
            Rounding::Up => is_positive,
            Rounding::Down => !is_positive,
            Rounding::NearestAway => to_middle != Ordering::Less,
            Rounding::NearestEven => {
                to_middle == Ordering::Greater || to_middle == Ordering::Equal && below % 2 == 1
            }
        };
    sign | (below as u16 + u16::from(goes_up))
}

fn table(text: &str, format: Format, rounding: Rounding) -> Table {
    Table::compute(&parse(text).unwrap(), format, rounding, &Interrupt::new()).unwrap()
}

/// The argument with this pattern.
fn argument(format: Format, bits: u16) -> Float {
    Float::with_val(53, number(format, bits))
}

/// Every entry, of one of the formats and one of the modes, by turns.
fn check(text: &str) {
    for format in one_in(2, FORMATS) {
        let numbers = numbers(format);
        let values: Vec<_> =
            (0..=u16::MAX).into_par_iter().map(|bits| oracle(text, &argument(format, bits))).collect();
        for rounding in one_in(5, Rounding::ALL) {
            let table = table(text, format, rounding);
            for bits in 0..=u16::MAX {
                let x = argument(format, bits);
                let expected = pattern(format, &numbers, rounding, &values[usize::from(bits)], &x);
                let found = table.entries()[usize::from(bits)];
                assert_eq!(
                    found, expected,
                    "{text} {format} {rounding} at {x} ({bits:#x}): {found:#x} {expected:#x}"
                );
            }
        }
    }
}

macro_rules! against_the_oracle {
    ($($name:ident $text:literal;)*) => {$(
        #[test]
        fn $name() {
            check($text);
        }
    )*};
}

against_the_oracle! {
    exponential "exp";
    logarithm "log";
    square_root "sqrt";
    cube_root "cbrt";
    reciprocal "1/x";
    cube "x^3";
    cube_by_products "x*x*x";
    sine "sin";
    arctangent "atan";
    powers_of_two "exp2";
    tangent_of_half_turns "tanpi";
    sum_of_three "exp(2*x)+sin(3*x^2)-3*cos(x)";
    logistic "1/(1+exp(-x))";
}

/// MPFR rounds to 11 or 8 bits at once, and then to a subnormal number, knowing what the first
/// rounding did.
#[test]
fn mpfr_subnormalizes_likewise() {
    let modes = [
        (Rounding::NearestEven, Round::Nearest),
        (Rounding::Up, Round::Up),
        (Rounding::Down, Round::Down),
        (Rounding::Zero, Round::Zero),
    ];
    for format in one_in(2, FORMATS) {
        let largest = number(format, (numbers(format).len() - 1) as u16);
        for (rounding, round) in modes {
            for text in one_in(3, ["exp", "sin", "x^3"]) {
                let table = table(text, format, rounding);
                let (mut subnormal, mut compared) = (0, 0);
                for bits in 0..=u16::MAX {
                    let x = argument(format, bits);
                    let p = format.precision();
                    let (mut y, error) = match text {
                        "exp" => Float::with_val_round(p, x.exp_ref(), round),
                        "sin" => Float::with_val_round(p, x.sin_ref(), round),
                        _ => Float::with_val_round(p, rug::ops::Pow::pow(&x, 3), round),
                    };
                    if y.is_nan() {
                        continue;
                    }
                    // MPFR's exponent of 2^e is e + 1
                    y.subnormalize_round(format.min_exponent() + 1, error, round);
                    let expected = y.to_f64();
                    if expected.abs() > largest {
                        continue; // overflow is the format's, not MPFR's
                    }
                    subnormal +=
                        usize::from(expected != 0.0 && expected.abs() < 2f64.powi(format.min_exponent()));
                    compared += 1;
                    let found = number(format, table.entries()[usize::from(bits)]);
                    assert_eq!(found, expected, "{text} {format} {rounding} at {x}");
                    assert_eq!(found.is_sign_negative(), expected.is_sign_negative(), "{text} at {x}");
                }
                assert!(compared > 20_000 && subnormal > 3, "{text} {format}: {compared} {subnormal}");
            }
        }
    }
}

/// The modes of one table order as they must, and a directed one differs from the nearest where
/// something is inexact.
#[test]
fn modes_are_ordered() {
    for format in one_in(2, FORMATS) {
        for text in by_turns(["exp(2*x)+sin(3*x^2)-3*cos(x)", "log1p", "cbrt", "1/x-x"]) {
            let values = Rounding::ALL.map(|rounding| {
                let entries = table(text, format, rounding).entries().to_vec();
                entries.into_iter().map(|bits| number(format, bits)).collect::<Vec<_>>()
            });
            let [even, away, up, down, zero] = values;
            let mut inexact = 0;
            for i in 0..even.len() {
                if even[i].is_nan() {
                    assert!(away[i].is_nan() && up[i].is_nan() && down[i].is_nan() && zero[i].is_nan());
                    continue;
                }
                assert!(down[i] <= even[i] && even[i] <= up[i] && down[i] <= away[i] && away[i] <= up[i]);
                assert_eq!(
                    zero[i],
                    if even[i] < 0.0 || up[i] <= 0.0 { up[i] } else { down[i] },
                    "{text} {i:#x}"
                );
                inexact += usize::from(down[i] < up[i]);
            }
            assert!(inexact > 20_000, "{text} {format}: {inexact}");
        }
    }
}

#[test]
fn symmetries() {
    for format in one_in(2, FORMATS) {
        for text in by_turns(["sin", "atan", "cbrt", "x^3", "1/x", "sinh(x)/2", "tanpi"]) {
            let even = table(text, format, Rounding::NearestEven);
            let (up, down) = (table(text, format, Rounding::Up), table(text, format, Rounding::Down));
            for bits in 0..1usize << 15 {
                let is_nan = number(format, even.entries()[bits]).is_nan();
                let flip = if is_nan { 0 } else { 1 << 15 };
                assert_eq!(even.entries()[bits | 1 << 15], even.entries()[bits] ^ flip, "{text} {bits:#x}");
                assert_eq!(up.entries()[bits | 1 << 15], down.entries()[bits] ^ flip, "{text} {bits:#x}");
            }
        }
        for text in ["cos", "cosh", "x^2", "exp(-x^2)"] {
            let table = table(text, format, Rounding::Up);
            assert_eq!(table.entries()[..1 << 15], table.entries()[1 << 15..], "{text}");
        }
        // a table of the identity is the identity, NaN made canonical
        let identity = table("x", format, Rounding::Down);
        for (bits, &entry) in identity.entries().iter().enumerate() {
            let x = number(format, bits as u16);
            assert!(entry == bits as u16 || x.is_nan() && number(format, entry).is_nan());
        }
    }
}

/// Poles inside an expression, and NaN, at zeros and infinities.
#[test]
fn special_arguments() {
    let at = |text: &str, rounding, bits: usize| table(text, Format::BINARY16, rounding).entries()[bits];
    let even = Rounding::NearestEven;
    assert_eq!(at("exp(-1/x^2)", even, 0x0000), 0x0000);
    assert_eq!(at("exp(-1/x^2)", Rounding::Up, 0x8000), 0x0000, "an exact zero, not an underflow");
    assert_eq!(at("exp(-1/x^2)", Rounding::Up, 0x0001), 0x0001, "an underflow");
    assert_eq!(at("exp(-1/x^2)", even, 0x7c00), 0x3c00);
    assert_eq!(at("x-x", even, 0x3c00), 0x0000);
    assert_eq!(at("x-x", Rounding::Down, 0x3c00), 0x8000);
    assert_eq!(at("x-x", even, 0x7c00), 0x7e00);
    assert_eq!(at("rsqrt", even, 0x8000), 0xfc00);
    assert_eq!(at("sqrt", even, 0xbc00), 0x7e00);
    assert_eq!(at("x+1", even, 0xffff), 0x7e00);
    assert_eq!(at("x^0", even, 0x7fff), 0x3c00);
}

#[test]
fn what_is_not_decided_is_an_error() {
    let compute =
        |text: &str, format| Table::compute(&parse(text).unwrap(), format, Rounding::Up, &Interrupt::new());
    // 1 at every number, but neither enclosures nor the theory here say so; at +0 it is 1 by theory
    match compute("sin(x)^2+cos(x)^2", Format::BINARY16) {
        Err(TableError::Undecided { pattern: 1, argument, doubt: None, bits: 16384, .. }) => {
            assert_eq!(argument, "0x1p-24");
        }
        other => panic!("{:?}", other.map(|_| ())),
    }
    match compute("1/(exp(x)-exp(x))", Format::BFLOAT16) {
        Err(TableError::Undecided { pattern: 1, doubt: Some(doubt), .. }) => {
            assert_eq!(doubt.operation(), "a sum");
        }
        other => panic!("{:?}", other.map(|_| ())),
    }
    let format = Format::BINARY32;
    assert_eq!(compute("exp", format).unwrap_err(), TableError::Format { format });
    let interrupt = Interrupt::new();
    interrupt.request();
    let stopped = Table::compute(&parse("exp").unwrap(), Format::BINARY16, Rounding::Up, &interrupt);
    assert_eq!(stopped.unwrap_err(), TableError::Interrupted);
}

/// The same bytes from one thread and from many.
#[test]
fn threads_do_not_matter() {
    let compute = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| table("tan(x)", Format::BINARY16, Rounding::NearestEven).to_bytes())
    };
    let bytes = compute(1);
    assert_eq!(bytes, compute(5));
    assert_eq!(bytes.len(), 2 << 16);
    assert_eq!(bytes[2 * 0x3c00..][..2], [0x3b, 0x3e]); // tan 1 = 0x1.8ebp+0 = 0x3e3b
}

#[test]
fn names_from_expressions() {
    use tmd_driver::table::Language;
    let name =
        |text: &str, rounding, language| table(text, Format::BINARY16, rounding).default_name(language);
    assert_eq!(name("exp", Rounding::NearestEven, Language::C), "exp_binary16");
    assert_eq!(name("exp", Rounding::NearestAway, Language::Rust), "EXP_BINARY16_NEAREST_AWAY");
    assert_eq!(name("1/x", Rounding::Up, Language::C), "f_1_x_binary16_up");
    let long = "exp(x)+exp(x/2)+exp(x/3)+exp(x/4)+exp(x/5)+exp(x/6)";
    for text in [long, "exp(2*x)+sin(3*x^2)-3*cos(x)", "-x", "3"] {
        for language in [Language::C, Language::Rust] {
            language.check(&name(text, Rounding::NearestAway, language)).unwrap();
        }
    }
}
