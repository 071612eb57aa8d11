//! Certificates to write in other formats.

use tmd_core::{Breakpoints, Format, Interrupt, Problem, Scalar, ScalarEngine, exist::Logms};
use tmd_driver::{Certificate, Solve, Workers};

/// A function solved over all of binary16.
pub(crate) fn solved(function: &str, breakpoints: Breakpoints) -> Certificate {
    certificate(function, breakpoints, f64::INFINITY, &Interrupt::new())
}

/// A function solved over all of bfloat16, whose exponents are many.
#[allow(dead_code)] // each test file has its own
pub(crate) fn of_bfloat16(function: &str) -> Certificate {
    ask(function, Format::BFLOAT16, Breakpoints::All, None, f64::INFINITY, &Interrupt::new())
}

/// A function solved over some binades of binary16.
#[allow(dead_code)]
pub(crate) fn binades(function: &str, binades: std::ops::Range<i32>) -> Certificate {
    ask(function, Format::BINARY16, Breakpoints::All, Some(binades), f64::INFINITY, &Interrupt::new())
}

/// The same with a limit for the time of a region, and perhaps interrupted.
pub(crate) fn certificate(
    function: &str,
    breakpoints: Breakpoints,
    limit: f64,
    interrupt: &Interrupt,
) -> Certificate {
    ask(function, Format::BINARY16, breakpoints, None, limit, interrupt)
}

fn ask(
    function: &str,
    format: Format,
    breakpoints: Breakpoints,
    binades: Option<std::ops::Range<i32>>,
    limit: f64,
    interrupt: &Interrupt,
) -> Certificate {
    let function = tmd_functions::parse(function).unwrap();
    let walk = Scalar { engine: ScalarEngine::Farey, logms: Logms::default(), domain_size: None };
    let extra_bits = format.precision() - 3;
    let problem = Problem::new(format, format, breakpoints, extra_bits).unwrap();
    let workers = Workers::cpu(&walk, 1);
    let solve = Solve { function: &function, problem, binades, workers, limit };
    solve.run(&solve.plan().unwrap(), &(), interrupt).unwrap()
}
