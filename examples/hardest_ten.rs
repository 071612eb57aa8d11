//! The ten hardest cases of a function of your own, over all numbers of a format, with a
//! certificate.
//!
//! ```text
//! cargo run -p tmd-examples --example hardest_ten
//! ```
#![forbid(unsafe_code)]

use std::error::Error;

use rug::Float;
use tmd_core::{Breakpoints, Format, Interrupt, Problem};
use tmd_driver::{Certificate, Solve, Workers};
use tmd_functions::{Bound, Function, FunctionError, Interval, Range, Series};
use tmd_simd::{Level, Simd};

/// The logistic function 1/(1 + e^−x).
struct Logistic;

impl Function for Logistic {
    fn name(&self) -> String {
        "1/(1 + exp(-x))".into()
    }

    fn series(&self, at: &Interval, order: usize, precision: u32) -> Result<Series, FunctionError> {
        let precision = precision.max(at.precision());
        let x = Series::variable(&at.round_to(precision)?, order)?;
        let one = Series::constant(Interval::from_f64(1.0, precision)?, order)?;
        one.add(&x.neg().exp()?)?.recip()
    }

    /// The enclosure, and what it cannot say: results stay between 0 and 1. From some x on they
    /// round like these, and there is nothing to search.
    fn range(&self, at: &Interval, precision: u32) -> Result<Range, FunctionError> {
        let number = |exponent: i32| Bound::Open(Float::with_val(precision, Float::i_exp(1, exponent)));
        let below = Bound::Open(Float::new(precision));
        match self.enclose(at, precision) {
            Ok(values) => Ok(Range { below, above: number(0) }.intersection(values.into())),
            // e^−x is beyond MPFR's numbers, and here above e^1000 > 2^1000
            Err(FunctionError::Overflow { .. }) if *at.hi() < -1000 => {
                Ok(Range { below, above: number(-1000) })
            }
            Err(error) => Err(error),
        }
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let certificate = certificate()?;
    let totals = certificate.totals();
    println!("{} over the {} numbers of binary32:", certificate.function, totals.arguments);
    println!("{} cases, {:.0} expected; the hardest ten:", certificate.cases.len(), totals.expected_cases);
    for case in certificate.hardest(10) {
        println!(
            "  {:<16} is 2^{:.3} ulp from the {} {}",
            case.x, case.log2_dist, case.kind, case.breakpoint
        );
    }
    Ok(())
}

fn certificate() -> Result<Certificate, Box<dyn Error>> {
    let walk = Simd::farey(Level::best());
    let solve = Solve {
        function: &Logistic,
        problem: Problem::new(Format::BINARY32, Format::BINARY32, Breakpoints::Nearest, 21)?,
        binades: None,
        workers: Workers::cpu(&walk, 0),
        limit: 3600.0,
    };
    let plan = solve.plan()?;
    Ok(solve.run(&plan, &(), &Interrupt::new())?)
}

#[cfg(test)]
mod tests {
    /// Nothing is left open: the results that MPFR cannot represent are between 0 and the least
    /// breakpoint.
    #[test]
    fn what_is_covered() {
        let certificate = super::certificate().unwrap();
        assert!(certificate.is_complete() && certificate.hardest(10).len() == 10);
        assert_eq!(certificate.totals().uncovered, 0);
    }
}
