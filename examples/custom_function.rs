//! A function of your own: implement [`Function`] and search it like a built-in one.
//!
//! The function is Bernoulli's x/(e^x − 1), which Planck's law and finite-volume schemes are made
//! of. All it takes is its Taylor coefficients, as a formula in series ([`Series`] has the
//! elementary functions); MPFR intervals make them rigorous. A theorem about rational values, if
//! you have one, tells exact cases from hard ones.
//!
//! ```text
//! cargo run -p tmd-examples --example custom_function
//! ```
#![forbid(unsafe_code)]

use std::error::Error;

use rug::Rational;
use tmd_core::{Breakpoints, Format, HrCase, Interrupt, Problem, Scalar, ScalarEngine, exist::Logms};
use tmd_driver::{Search, Workers};
use tmd_functions::{Function, FunctionError, Interval, Series};

/// The function x/(e^x − 1).
struct Bernoulli;

impl Function for Bernoulli {
    fn name(&self) -> String {
        "x/(exp(x) - 1)".into()
    }

    fn series(&self, at: &Interval, order: usize, precision: u32) -> Result<Series, FunctionError> {
        let precision = precision.max(at.precision());
        let x = Series::variable(&at.round_to(precision)?, order)?;
        let one = Series::constant(Interval::from_f64(1.0, precision)?, order)?;
        x.div(&x.exp()?.sub(&one)?)
    }

    /// Lindemann: e^x is irrational for every rational x ≠ 0, and with it x/(e^x − 1).
    fn proves_irrational(&self, x: &Rational) -> bool {
        !x.is_zero()
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let cases = cases()?;
    println!("{} on the binary32 numbers of [1, 2), rounded to nearest:", Bernoulli.name());
    for case in &cases {
        println!(
            "  {:<14} is 2^{:.3} ulp from the midpoint {}",
            case.argument, case.log2_distance, case.breakpoint
        );
    }
    Ok(())
}

/// The cases within 2^-19 ulp of a midpoint, of which 32 are expected.
fn cases() -> Result<Vec<HrCase>, Box<dyn Error>> {
    let regular = Scalar { engine: ScalarEngine::Regular, logms: Logms::default(), domain_size: None };
    let search = Search {
        function: &Bernoulli,
        from: Rational::from(1),
        to: Rational::from(2),
        problem: Problem::new(Format::BINARY32, Format::BINARY32, Breakpoints::Nearest, 19)?,
        workers: Workers::cpu(&regular, 0),
    };
    Ok(search.run(&(), &Interrupt::new())?.cases)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_found_by_trying_all_arguments() {
        // results lie in (0.31, 0.59), across 1/2; in binary64 they are good to a few 2^-29 ulps of
        // binary32
        let slack = 2f64.powi(-26);
        let distance = |x: f64| {
            let y = x / x.exp_m1();
            let ulp = if y < 0.5 { 2f64.powi(-25) } else { 2f64.powi(-24) };
            ((y / ulp).fract() - 0.5).abs()
        };
        let cases = cases().unwrap();
        for case in &cases {
            let close = (distance(case.argument.to_f64()) - case.log2_distance.exp2()).abs();
            assert!(close < slack, "{case:?}: off by {close}");
        }
        let all = (0..1 << 23).map(|k| 1.0 + f64::from(k) * 2f64.powi(-23));
        let surely: Vec<f64> = all.filter(|&x| distance(x) < 2f64.powi(-19) - slack).collect();
        assert!(surely.len() > 10, "{}", surely.len());
        for x in surely {
            assert!(cases.iter().any(|case| case.argument.to_f64() == x), "x = {x} is lost");
        }
    }

    #[test]
    fn the_series_is_that_of_the_bernoulli_numbers_seen_from_afar() {
        // value and slope at 1: 1/(e − 1) and (e − 1 − e)/(e − 1)² = −1/(e − 1)²
        let one = Interval::from_f64(1.0, 100).unwrap();
        let series = Bernoulli.series(&one, 1, 100).unwrap();
        let d = Interval::e(100).unwrap().sub(&one).unwrap();
        assert!(series.coefficients()[0].intersects(&d.powi(-1).unwrap()));
        assert!(series.coefficients()[1].intersects(&d.powi(-2).unwrap().neg()));
        assert!(series.coefficients()[1].width().unwrap() < 1e-25);
    }
}
