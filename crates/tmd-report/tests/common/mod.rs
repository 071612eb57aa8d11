//! Certificates to write in other formats.

use tmd_core::{Breakpoints, Format, Interrupt, Problem, Scalar, ScalarEngine, exist::Logms};
use tmd_driver::{Certificate, Solve, Workforce};

/// A function solved over all of binary16.
pub(crate) fn solved(function: &str, breakpoints: Breakpoints) -> Certificate {
    certificate(function, breakpoints, f64::INFINITY, &Interrupt::new())
}

/// The same with a limit for the time of a region, and perhaps interrupted.
pub(crate) fn certificate(
    function: &str,
    breakpoints: Breakpoints,
    limit: f64,
    interrupt: &Interrupt,
) -> Certificate {
    let function = tmd_functions::parse(function).unwrap();
    let walk = Scalar { engine: ScalarEngine::Farey, logms: Logms::default(), domain_size: None };
    let problem = Problem::new(Format::BINARY16, Format::BINARY16, breakpoints, 8).unwrap();
    let workforce = Workforce::cpu(&walk, 1);
    let solve = Solve { function: &function, problem, binades: None, workforce, limit };
    solve.run(&solve.plan().unwrap(), &(), interrupt).unwrap()
}
