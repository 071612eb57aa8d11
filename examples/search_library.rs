//! The search as a library: the five hardest-to-round cases of a function over a binary32 binade.
//!
//! Searches all 2^23 numbers of [1, 2), for every rounding mode, and prints the cases that are
//! closest to a rounding breakpoint. To round such a result correctly, a library must compute it
//! with that many bits more than the format has.
//!
//! ```text
//! cargo run -p tmd-examples --example search_library [FUNCTION]
//! ```
//!
//! FUNCTION is `log` if not given, and otherwise anything that `tmd search` understands, such as
//! `"sin(x^2)"`.
#![forbid(unsafe_code)]

use std::{error::Error, process::ExitCode};

use rug::Rational;
use tmd_core::{Breakpoints, Format, HrCase, Interrupt, Problem, Scalar, ScalarEngine, exist::Logms};
use tmd_driver::{Search, Workers};

/// ε = 2^-20 ulp: 2^23 arguments and two breakpoints an ulp let us expect 32 cases.
const EXTRA_BITS: u32 = 20;

fn main() -> ExitCode {
    let function = std::env::args().nth(1).unwrap_or_else(|| "log".into());
    match hardest_first(&function) {
        Ok(cases) => {
            println!(
                "{function} on the binary32 numbers of [1, 2): {} cases within 2^-{EXTRA_BITS} ulp; the hardest:",
                cases.len()
            );
            for case in cases.iter().take(5) {
                println!(
                    "  {:<14} is 2^{:.3} ulp from the {} {}",
                    case.argument, case.log2_distance, case.kind, case.breakpoint
                );
            }
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("search_library: {error}");
            ExitCode::from(2)
        }
    }
}

/// All cases, the hardest first.
fn hardest_first(function: &str) -> Result<Vec<HrCase>, Box<dyn Error>> {
    let regular = Scalar { engine: ScalarEngine::Regular, logms: Logms::default(), domain_size: None };
    let search = Search {
        function: &tmd_functions::parse(function)?,
        from: Rational::from(1),
        to: Rational::from(2),
        problem: Problem::new(Format::BINARY32, Format::BINARY32, Breakpoints::All, EXTRA_BITS)?,
        workers: Workers::cpu(&regular, 0),
    };
    let mut cases = search.run(&(), &Interrupt::new())?.cases;
    cases.sort_by(|a, b| a.log2_distance.total_cmp(&b.log2_distance));
    Ok(cases)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// log2 of the distance of exp(x) from the nearest multiple of half an ulp, by binary64
    /// arithmetic: its error of an ulp or so is 2^-28 half ulps of binary32.
    fn distance_by_binary64(x: f64) -> f64 {
        let y = x.exp();
        let ulp = 2f64.powf(y.log2().floor() - 23.0);
        let halves = 2.0 * y / ulp;
        (halves - halves.round()).abs() / 2.0
    }

    #[test]
    fn as_found_by_trying_all_arguments() {
        let (epsilon, slack) = (2f64.powi(-20), 2f64.powi(-27));
        let cases = hardest_first("exp").unwrap();
        for case in &cases {
            let distance = distance_by_binary64(case.argument.to_f64());
            assert!((distance - case.log2_distance.exp2()).abs() < slack, "{case:?}: {distance}");
        }
        let all = (0..1 << 23).map(|k| 1.0 + f64::from(k) * 2f64.powi(-23));
        let (mut surely, mut perhaps) = (Vec::new(), 0);
        for x in all {
            let distance = distance_by_binary64(x);
            perhaps += usize::from(distance < epsilon + slack);
            if distance < epsilon - slack {
                surely.push(x);
            }
        }
        assert!(surely.len() > 10, "{}", surely.len());
        for x in surely {
            assert!(cases.iter().any(|case| case.argument.to_f64() == x), "exp({x}) is lost");
        }
        assert!(cases.len() <= perhaps);
    }

    #[test]
    fn hardest_first_it_is() {
        let cases = hardest_first("log").unwrap();
        assert!(cases.len() > 5);
        assert!(cases.windows(2).all(|pair| pair[0].log2_distance <= pair[1].log2_distance));
        assert!(cases[0].log2_distance < -22.0, "of 32 expected cases the hardest is far below ε");
    }

    #[test]
    fn a_function_that_is_none() {
        assert!(hardest_first("nonsense(x)").is_err());
        assert!(hardest_first("log(x - 3)").is_err(), "not defined on [1, 2)");
    }
}
