//! Zeros, infinities and NaN.

use super::*;
use crate::special::{
    Arithmetic, Real, Sign,
    tests::{assert_double, double},
};

fn at(text: &str, x: f64) -> f64 {
    let middle = |y: Real| y.lo().to_f64_round(Round::Down).midpoint(y.hi().to_f64_round(Round::Up));
    double(text, x, Arithmetic::new(80, Sign::Positive).unwrap(), middle)
}

#[test]
fn functions_at_zeros_infinities_and_poles() {
    const INF: f64 = f64::INFINITY;
    const NAN: f64 = f64::NAN;
    let table: [(&str, [f64; 4]); 11] = [
        ("abs", [INF, 0.0, 0.0, INF]),
        ("erfcx", [INF, 1.0, 1.0, 0.0]),
        ("gamma", [NAN, -INF, INF, INF]),
        ("lgamma", [INF, INF, INF, INF]),
        ("digamma", [NAN, INF, -INF, INF]),
        ("lambertw", [NAN, -0.0, 0.0, INF]),
        ("lambertwm1", [NAN, -INF, -INF, NAN]),
        ("j0", [0.0, 1.0, 1.0, 0.0]),
        ("j1", [-0.0, -0.0, 0.0, 0.0]),
        ("y0", [NAN, -INF, -INF, 0.0]),
        ("y1", [NAN, -INF, -INF, 0.0]),
    ];
    let same = |text: &str, x: f64, value: f64| assert_double(text, x, at(text, x), value);
    for function in SpecialFunction::ALL {
        let (_, values) = table.iter().find(|(name, _)| *name == function.name()).unwrap();
        for (x, value) in [-INF, -0.0, 0.0, INF].into_iter().zip(values) {
            same(function.name(), x, *value);
        }
        same(function.name(), NAN, NAN);
    }
    for (text, x, value) in [
        ("gamma", -1.0, NAN),
        ("lgamma", -2.0, INF),
        ("digamma", -3.0, NAN),
        ("gamma", 5.0, 24.0),
        ("gamma", -1e30, NAN),
        ("lgamma", 1.0, 0.0),
        ("lambertw", -1.0, NAN),
        ("lambertwm1", 0.25, NAN),
        ("y0", -1.0, NAN),
        ("abs", -2.5, 2.5),
        ("min(x,0)", 0.0, 0.0),
        ("min(x,-0)", 0.0, -0.0),
        ("min(x,0)", -0.0, -0.0),
        ("max(x,0)", -0.0, 0.0),
        ("max(x,0)", NAN, NAN),
        ("max(x,1)", -INF, 1.0),
        ("min(x,1)", INF, 1.0),
        ("min(x,1)", -INF, -INF),
        ("max(x,-3)", -5.0, -3.0),
        ("min(x,-3)", -0.0, -3.0),
        ("max(x,-3)", -0.0, -0.0),
        ("hypot(x,3)", 4.0, 5.0),
        ("hypot(x,0)", -0.0, 0.0),
        ("hypot(x,3)", -INF, INF),
        ("hypot(log(-1),x)", INF, INF),
        ("hypot(x,3)", NAN, NAN),
        ("copysign(2,x)", -0.0, -2.0),
        ("copysign(2,x)", 0.0, 2.0),
        ("copysign(x,-1)", INF, -INF),
        ("copysign(2,x)", NAN, NAN),
    ] {
        same(text, x, value);
    }
    // far beyond MPFR's numbers, and as far below
    assert_eq!(at("erfcx", -1e300), INF);
    assert_eq!(at("gamma", 1e300), INF);
    assert!(at("gamma", -1e9 - 0.5).abs() < 1e-300);
    assert!((at("max(sin(x),x/2)", 1.0) - 1f64.sin()).abs() < 1e-15);
}
