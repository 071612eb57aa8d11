//! One real search or more for every function that IEEE 754-2019 recommends, against brute force
//! over a small format.
//!
//! Domains reach the ends of a function's own and cross its zeros where f(x) is not x to within the
//! distance asked for, and have the exact cases in them: so singular ends, sign changes and theory
//! are met on the way.

mod brute_force;
#[path = "brute_force/rows.rs"]
mod rows;

use rows::{Row, check};
use rug::{Float, ops::Pow};
use tmd_core::Format;
use tmd_testkit::by_turns;

const BINARY16: [Row; 36] = [
    ("expm1", Float::exp_m1, -6.0, -0.01, 7),
    ("exp2m1", Float::exp2_m1, -6.0, 6.0, 7),
    ("exp10m1", Float::exp10_m1, -2.0, 4.0, 7),
    ("logp1", Float::ln_1p, -0.9999, -0.01, 7),
    ("log1p", Float::ln_1p, 0.0625, 30.0, 7),
    ("log2p1", Float::log2_1p, -0.9999, 16.0, 7),
    ("log10p1", Float::log10_1p, -0.5, 1000.0, 7),
    ("rSqrt", Float::recip_sqrt, 0.01, 17.0, 7),
    ("sinPi", Float::sin_pi, -2.25, 2.25, 7),
    ("cosPi", Float::cos_pi, 0.125, 2.75, 7),
    ("tanPi", Float::tan_pi, -0.4999, 0.4999, 7),
    ("tanpi", Float::tan_pi, 0.5001, 1.4999, 7),
    ("asin", Float::asin, -1.0, -0.125, 7),
    ("asin", Float::asin, 0.125, 1.0001, 7),
    ("acos", Float::acos, -1.0, 1.0001, 8),
    ("atan", Float::atan, -8.0, -0.125, 7),
    ("atan", Float::atan, 0.25, 40.0, 7),
    ("asinPi", Float::asin_pi, -1.0, 1.0001, 7),
    ("acosPi", Float::acos_pi, -1.0, 1.0001, 8),
    ("atanPi", Float::atan_pi, -3.0, 3.0, 7),
    ("sinh", Float::sinh, -9.0, -0.125, 7),
    ("cosh", Float::cosh, -5.0, -0.0625, 7),
    ("cosh", Float::cosh, 0.125, 9.0, 7),
    ("tanh", Float::tanh, 0.125, 3.5, 7),
    ("asinh", Float::asinh, -70.0, -0.125, 7),
    ("acosh", Float::acosh, 1.0, 80.0, 7),
    ("atanh", Float::atanh, 0.125, 0.9999, 7),
    ("erf", Float::erf, -2.5, 2.5, 7),
    ("erfc", Float::erfc, 0.01, 3.5, 7),
    ("erfc", Float::erfc, -1.5, -0.01, 7),
    ("rootn(x,3)", |x| x.root(3), -30.0, -0.25, 7),
    ("rootn(x,-3)", |x| x.root_i(-3), -9.0, -0.01, 7),
    ("rootn(x,4)", |x| x.root(4), 0.0, 40.0, 7),
    ("rootn(x,-2)", |x| x.root_i(-2), 0.25, 9.0, 7),
    ("pown(x,3)", |x| x.pow(3), -3.0, -0.5, 7),
    ("x^-3", |x| x.pow(-3), 0.5, 9.0, 7),
];

/// At 20 bits, on short domains away from what is special: the polynomials have more than a few
/// terms to be wrong in.
const PRECISION_20: [Row; 27] = [
    ("expm1", Float::exp_m1, 1.0, 1.015_625, 10),
    ("exp2m1", Float::exp2_m1, 0.5, 0.507_812_5, 10),
    ("exp10m1", Float::exp10_m1, -0.25, -0.246_093_75, 10),
    ("logp1", Float::ln_1p, 0.5, 0.507_812_5, 10),
    ("log2p1", Float::log2_1p, -0.75, -0.742_187_5, 10),
    ("log10p1", Float::log10_1p, 3.0, 3.031_25, 10),
    ("rsqrt", Float::recip_sqrt, 1.5, 1.515_625, 10),
    ("sinpi", Float::sin_pi, 30.25, 30.5, 10),
    ("cospi", Float::cos_pi, -3.25, -3.218_75, 10),
    ("tanpi", Float::tan_pi, 0.125, 0.126_953_125, 10),
    ("asin", Float::asin, 0.75, 0.757_812_5, 10),
    ("acos", Float::acos, -0.875, -0.867_187_5, 10),
    ("atan", Float::atan, 1.5, 1.515_625, 10),
    ("asinpi", Float::asin_pi, 0.375, 0.378_906_25, 10),
    ("acospi", Float::acos_pi, 0.9375, 0.945_312_5, 10),
    ("atanpi", Float::atan_pi, -2.5, -2.468_75, 10),
    ("sinh", Float::sinh, 2.0, 2.031_25, 10),
    ("cosh", Float::cosh, 2.0, 2.031_25, 10),
    ("tanh", Float::tanh, -0.75, -0.742_187_5, 10),
    ("asinh", Float::asinh, 1.25, 1.265_625, 10),
    ("acosh", Float::acosh, 1.25, 1.265_625, 10),
    ("atanh", Float::atanh, 0.5, 0.507_812_5, 10),
    ("erf", Float::erf, 0.5, 0.507_812_5, 10),
    ("erfc", Float::erfc, 5.0, 5.062_5, 10),
    ("rootn(x,5)", |x| x.root(5), 1.75, 1.765_625, 10),
    ("rootn(x,-7)", |x| x.root_i(-7), -1.25, -1.234_375, 10),
    ("pown(x,-5)", |x| x.pow(-5), 1.5, 1.515_625, 10),
];

#[test]
fn binary16_over_whole_domains() {
    check(by_turns(&BINARY16), Format::BINARY16);
}

#[test]
fn short_domains_at_20_bits() {
    check(by_turns(&PRECISION_20), Format::BINARY32.with_precision(20).unwrap());
}
