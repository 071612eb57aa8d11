//! The functions beyond those of IEEE 754 against MPFR at every argument of a small format:
//! searches, whole domains, tables.

mod brute_force;
mod patterns;
#[path = "brute_force/rows.rs"]
mod rows;

use patterns::number;
use rayon::prelude::*;
use rows::{Row, check};
use rug::{
    Float,
    float::Round,
    ops::{AssignRound, Pow},
};
use tmd_core::{Format, Interrupt};
use tmd_driver::table::{Rounding, Table};
use tmd_functions::parse;
use tmd_testkit::{by_turns, one_in};

fn erfcx(x: Float) -> Float {
    let square = Float::with_val(800, x.square_ref()); // exact
    Float::with_val(x.prec(), square.exp()) * x.erfc()
}

/// W by Newton's method, from the side on which it converges without fail.
fn lambert(x: Float, start: Float) -> Float {
    let bits = x.prec() + 64;
    let (x, mut y) = (Float::with_val(bits, x), Float::with_val(bits, start));
    for _ in 0..60 {
        let exponential = y.clone().exp();
        let residue = y.clone() * &exponential - &x;
        y -= residue / ((y.clone() + 1u32) * exponential);
    }
    y
}

fn lambertw(x: Float) -> Float {
    let start = x.clone().abs().ln_1p();
    lambert(x, start)
}

fn lambertwm1(x: Float) -> Float {
    // f is convex down to −2 and concave below, where it is less steep; ln(−x) − ln(−ln(−x)) is
    // near
    let ln = (-x.clone()).ln();
    let start = ln.clone() - (-ln).ln() - 0.3f64;
    lambert(x, start)
}

const BINARY16: [Row; 31] = [
    ("abs(sin(x))", |x| x.sin().abs(), -3.5, -0.125, 7),
    ("abs(x^2-2)", |x| (x.square() - 2u32).abs(), 0.5, 3.0, 7),
    ("max(sin(x),cos(x))", |x| x.clone().sin().max(&x.cos()), -3.5, 3.5, 7),
    ("min(exp(x),3-x)", |x| x.clone().exp().min(&(3u32 - x)), -2.0, 2.5, 7),
    (
        "max(0,min(1,x*(1+x)/3))",
        |x| (x.clone() * (x + 1u32) / 3u32).min(&Float::with_val(9, 1)).max(&Float::with_val(9, 0)),
        0.25,
        1.25,
        7,
    ),
    ("hypot(x,3)", |x| x.hypot(&Float::with_val(9, 3)), -20.0, 20.0, 7),
    ("hypot(x,sin(x))", |x| x.clone().hypot(&x.sin()), 0.125, 9.0, 7),
    ("copysign(log(1+abs(x)),x)", |x| x.clone().abs().ln_1p().copysign(&x), -4.0, 4.0, 7),
    ("erfcx", erfcx, -3.0, -0.01, 7),
    ("erfcx", erfcx, 0.01, 60.0, 7),
    ("erfcx", erfcx, 4096.0, 20000.0, 7),
    ("gamma", Float::gamma, 0.125, 8.9, 7),
    ("gamma", Float::gamma, -4.99, -4.01, 4),
    ("gamma", Float::gamma, -0.999, -0.01, 7),
    ("lgamma", |x| x.ln_abs_gamma().0, 0.01, 900.0, 7),
    ("lgamma", |x| x.ln_abs_gamma().0, -2.999, -2.001, 5),
    ("lgamma", |x| x.ln_abs_gamma().0, -31.9, -31.1, 3),
    ("digamma", Float::digamma, 0.01, 900.0, 7),
    ("digamma", Float::digamma, -5.99, -5.01, 4),
    ("digamma", Float::digamma, -31.9, -31.1, 3),
    ("lambertw", lambertw, -0.3677, -0.0625, 7),
    ("lambertw", lambertw, 0.125, 65504.0, 7),
    ("lambertwm1", lambertwm1, -0.3677, -0.0001, 7),
    ("j0", Float::j0, 0.125, 30.0, 7),
    ("j0", Float::j0, -1000.0, -900.0, 4),
    ("j1", Float::j1, -30.0, -0.125, 7),
    ("j1", Float::j1, 50.0, 60.0, 5),
    ("y0", Float::y0, 0.01, 30.0, 7),
    ("y1", Float::y1, 0.01, 30.0, 7),
    ("y1", Float::y1, 300.0, 500.0, 4),
    ("x*gamma(x)^2", |x| x.clone() * x.gamma().pow(2u32), 0.5, 5.0, 7),
];

/// At 20 bits, on short domains: the polynomials have more than a few terms to be wrong in.
const PRECISION_20: [Row; 12] = [
    ("erfcx", erfcx, 2.0, 2.031_25, 10),
    ("gamma", Float::gamma, 2.5, 2.531_25, 10),
    ("gamma", Float::gamma, -1.507_812_5, -1.5, 10), // around the maximum
    ("lgamma", |x| x.ln_abs_gamma().0, 30.0, 30.25, 10),
    ("lgamma", |x| x.ln_abs_gamma().0, -70.75, -70.625, 8),
    ("digamma", Float::digamma, 3.0, 3.031_25, 10),
    ("lambertw", lambertw, 1.5, 1.515_625, 10),
    ("lambertwm1", lambertwm1, -0.25, -0.246_093_75, 10),
    ("j0", Float::j0, 3.5, 3.531_25, 10),
    ("j1", Float::j1, 10.0, 10.125, 10),
    ("y0", Float::y0, 3.5, 3.531_25, 10),
    ("y1", Float::y1, 0.5, 0.507_812_5, 10),
];

#[test]
fn binary16_over_whole_domains() {
    check(one_in(6, &BINARY16), Format::BINARY16);
}

#[test]
fn short_domains_at_20_bits() {
    check(one_in(6, &PRECISION_20), Format::BINARY32.with_precision(20).unwrap());
}

/// f(x) in binary16, by MPFR alone: its own function to 11 bits, or one that is written above to
/// 200 bits, and its rounding of subnormal numbers.
fn rounded(text: &str, x: &Float, round: Round) -> f64 {
    let mut y = Float::new(11);
    let long = Float::with_val(200, x);
    // the branches of W have no value beyond −1/e
    let is_below = *x < -Float::with_val(53, -1).exp();
    let error = match text {
        "abs" => y.assign_round(&x.clone().abs(), round),
        "gamma" => y.assign_round(x.gamma_ref(), round),
        "digamma" => y.assign_round(x.digamma_ref(), round),
        "lgamma" => y.assign_round(&long.ln_abs_gamma().0, round),
        "j0" => y.assign_round(x.j0_ref(), round),
        // MPFR says 0; J1 is odd
        "j1" if *x == f64::NEG_INFINITY => return -0.0,
        "j1" => y.assign_round(x.j1_ref(), round),
        // MPFR's Y of −0 is an infinity of the other sign than POSIX has; both have a pole there
        "y0" | "y1" | "lambertwm1" if x.is_zero() => return f64::NEG_INFINITY,
        "y0" => y.assign_round(x.y0_ref(), round),
        "y1" => y.assign_round(x.y1_ref(), round),
        "hypot(x,3)" => y.assign_round(x.hypot_ref(&Float::with_val(9, 3)), round),
        "max(x,0.25)" if x.is_nan() => return f64::NAN,
        "max(x,0.25)" => y.assign_round(x.max_ref(&Float::with_val(9, 0.25)), round),
        "erfcx" if x.is_zero() => return 1.0,
        "erfcx" if *x == f64::NEG_INFINITY => return f64::INFINITY,
        "erfcx" if *x < -1000 => y.assign_round(&(Float::with_val(9, 1) << 1000u32), round),
        // 1/(x·√π)·(1 − 1/(2·x²) + …): from 1000 on the rest is less than 2^-70
        "erfcx" if *x > 1000 && x.is_finite() => {
            let square = Float::with_val(200, x.square_ref());
            let four = square.clone().square() * 4u32;
            let sum = 1u32 - (square * 2u32).recip() + (four / 3u32).recip();
            let root = Float::with_val(200, rug::float::Constant::Pi).sqrt();
            y.assign_round(&(sum / root / long), round)
        }
        "erfcx" if x.is_infinite() => return 0.0,
        "erfcx" => y.assign_round(&erfcx(long), round),
        "lambertw" if x.is_zero() || *x == f64::INFINITY => return x.to_f64(),
        "lambertw" if is_below => return f64::NAN,
        "lambertw" => y.assign_round(&lambertw(long), round),
        "lambertwm1" if is_below || *x > 0 => return f64::NAN,
        "lambertwm1" => y.assign_round(&lambertwm1(long), round),
        other => panic!("no oracle for {other}"),
    };
    y.subnormalize_ieee_round(error, round); // 11 bits are those of binary16
    if !y.is_finite() || y.clone().abs() <= 65504.0 {
        return y.to_f64();
    }
    // beyond the largest number
    let (largest, infinity) = if y > 0 { (65504.0, f64::INFINITY) } else { (-65504.0, f64::NEG_INFINITY) };
    match round {
        Round::Up if y < 0 => largest,
        Round::Down if y > 0 => largest,
        _ => infinity,
    }
}

const ROUNDINGS: [(Rounding, Round); 3] =
    [(Rounding::NearestEven, Round::Nearest), (Rounding::Up, Round::Up), (Rounding::Down, Round::Down)];

/// All entries.
fn check_table(text: &str, roundings: &[(Rounding, Round)]) {
    for &(rounding, round) in roundings {
        let table =
            Table::compute(&parse(text).unwrap(), Format::BINARY16, rounding, &Interrupt::new()).unwrap();
        (0..=u16::MAX).into_par_iter().for_each(|bits| {
            let x = Float::with_val(11, number(Format::BINARY16, bits));
            let (found, expected) =
                (number(Format::BINARY16, table.entries()[usize::from(bits)]), rounded(text, &x, round));
            let is_same = found.to_bits() == expected.to_bits() || found.is_nan() && expected.is_nan();
            assert!(is_same, "{text} {rounding} at {x}: {found}, not {expected}");
        });
    }
}

#[test]
fn tables() {
    let functions =
        ["abs", "erfcx", "gamma", "lgamma", "digamma", "lambertw", "lambertwm1", "hypot(x,3)", "max(x,0.25)"];
    for text in by_turns(functions) {
        let roundings: Vec<(Rounding, Round)> = by_turns(ROUNDINGS).collect();
        check_table(text, &roundings);
    }
}

#[test]
fn tables_of_bessel_functions() {
    for text in one_in(2, ["j0", "j1", "y0", "y1"]) {
        check_table(text, &ROUNDINGS[..1]); // MPFR takes its time for large arguments
    }
}
