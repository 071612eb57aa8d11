//! The functions beyond those of IEEE 754 against MPFR at every argument of a small format: searches, whole domains, tables.

mod brute_force;

use brute_force::Job;
use rayon::prelude::*;
use rug::{Float, ops::Pow};
use tmd_core::{Backend, Format, Scalar, ScalarEngine, exist::Logms};
use tmd_simd::{Level, Simd};

type Row = (&'static str, fn(Float) -> Float, f64, f64, u32);

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
    // f is convex down to −2 and concave below, where it is less steep; ln(−x) − ln(−ln(−x)) is near
    let ln = (-x.clone()).ln();
    let start = ln.clone() - (-ln).ln() - 0.3f64;
    lambert(x, start)
}

const BINARY16: [Row; 31] = [
    ("abs(sin(x))", |x| x.sin().abs(), -3.5, -0.125, 7),
    ("abs(x^2-2)", |x| (x.square() - 2u32).abs(), 0.5, 3.0, 7),
    ("max(sin(x),cos(x))", |x| x.clone().sin().max(&x.cos()), -3.5, 3.5, 7),
    ("min(exp(x),3-x)", |x| x.clone().exp().min(&(3u32 - x)), -2.0, 2.5, 7),
    ("max(0,min(1,x*(1+x)/3))", |x| (x.clone() * (x + 1u32) / 3u32).min(&Float::with_val(9, 1)).max(&Float::with_val(9, 0)), 0.25, 1.25, 7),
    ("hypot(x,3)", |x| x.hypot(&Float::with_val(9, 3)), -20.0, 20.0, 7),
    ("hypot(x,sin(x))", |x| x.clone().hypot(&x.sin()), 0.125, 9.0, 7),
    ("copysign(log(1+abs(x)),x)", |x| x.clone().abs().ln_1p().copysign(&x), -4.0, 4.0, 7),
    ("erfcx", erfcx, -3.0, -0.01, 7),
    ("erfcx", erfcx, 0.01, 60.0, 7),
    ("erfcx", erfcx, 1024.0, 65504.0, 7),
    ("gamma", Float::gamma, 0.125, 8.9, 7),
    ("gamma", Float::gamma, -4.99, -4.01, 7),
    ("gamma", Float::gamma, -0.999, -0.01, 7),
    ("lgamma", |x| x.ln_abs_gamma().0, 0.01, 900.0, 7),
    ("lgamma", |x| x.ln_abs_gamma().0, -2.999, -2.001, 7),
    ("lgamma", |x| x.ln_abs_gamma().0, -100.9, -100.1, 3),
    ("digamma", Float::digamma, 0.01, 900.0, 7),
    ("digamma", Float::digamma, -5.99, -5.01, 7),
    ("digamma", Float::digamma, -90.9, -90.1, 3),
    ("lambertw", lambertw, -0.3677, -0.0625, 7),
    ("lambertw", lambertw, 0.125, 65504.0, 7),
    ("lambertwm1", lambertwm1, -0.3677, -0.0001, 7),
    ("j0", Float::j0, 0.125, 30.0, 7),
    ("j0", Float::j0, -1000.0, -900.0, 5),
    ("j1", Float::j1, -30.0, -0.125, 7),
    ("j1", Float::j1, 50.0, 60.0, 5),
    ("y0", Float::y0, 0.01, 30.0, 7),
    ("y1", Float::y1, 0.01, 30.0, 7),
    ("y1", Float::y1, 300.0, 320.0, 5),
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

fn backends() -> Vec<Box<dyn Backend>> {
    let scalar = Scalar { engine: ScalarEngine::Regular, logms: Logms::default(), domain_size: None };
    vec![Box::new(scalar), Box::new(Simd::farey(Level::best()))]
}

fn check(rows: &[Row], format: Format) {
    rows.par_iter().for_each(|&(text, function, from, to, bits)| {
        let function = |x: &Float| function(Float::with_val(200, x));
        Job { text, function: &function, from, to, format, bits }.check(&backends());
    });
}

#[test]
fn binary16_over_whole_domains() {
    check(&BINARY16, Format::BINARY16);
}

#[test]
fn short_domains_at_20_bits() {
    check(&PRECISION_20, Format::BINARY32.with_precision(20).unwrap());
}
