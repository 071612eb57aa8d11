//! Certificates to write in other formats.
#![allow(dead_code, reason = "each test file has its own")]

use std::ops::Range;

use tmd_core::{Breakpoints, Format, Interrupt, Problem, Scalar, ScalarEngine, exist::Logms};
use tmd_driver::{Certificate, Solve, Workers};

/// A function solved over all of binary16.
pub(crate) fn solved(function: &str, breakpoints: Breakpoints) -> Certificate {
    ask(function, Format::BINARY16, breakpoints, 8, None, f64::INFINITY, &Interrupt::new())
}

/// A function solved over all of bfloat16, whose exponents are many.
pub(crate) fn of_bfloat16(function: &str) -> Certificate {
    ask(function, Format::BFLOAT16, Breakpoints::All, 5, None, f64::INFINITY, &Interrupt::new())
}

/// A function solved over some binades of a format.
pub(crate) fn binades(function: &str, format: Format, extra_bits: u32, binades: Range<i32>) -> Certificate {
    ask(function, format, Breakpoints::All, extra_bits, Some(binades), f64::INFINITY, &Interrupt::new())
}

/// What there is of a run over all of binary16 that was interrupted before it began.
pub(crate) fn interrupted(function: &str) -> Certificate {
    let interrupt = Interrupt::new();
    interrupt.request();
    ask(function, Format::BINARY16, Breakpoints::All, 8, None, f64::INFINITY, &interrupt)
}

/// ... whose regions would all take longer than they may.
pub(crate) fn out_of_reach(function: &str) -> Certificate {
    ask(function, Format::BINARY16, Breakpoints::All, 8, None, 1e-300, &Interrupt::new())
}

fn ask(
    function: &str,
    format: Format,
    breakpoints: Breakpoints,
    extra_bits: u32,
    binades: Option<Range<i32>>,
    limit: f64,
    interrupt: &Interrupt,
) -> Certificate {
    let function = tmd_functions::parse(function).unwrap();
    let walk = Scalar { engine: ScalarEngine::Farey, logms: Logms::default(), domain_size: None };
    let problem = Problem::new(format, format, breakpoints, extra_bits).unwrap();
    let workers = Workers::cpu(&walk, 1);
    let solve = Solve { function: &function, problem, binades, workers, limit };
    solve.run(&solve.plan().unwrap(), &(), interrupt).unwrap()
}
