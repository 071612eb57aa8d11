//! What is searched: exp, as the papers do, and the lists that must come out.

use std::{sync::mpsc, thread, time::Instant};

use crate::ToolError;
use rug::Rational;
use tmd_core::{Backend, Breakpoints, Format, Interrupt, Problem};
use tmd_driver::{CpuRole, Outcome, Search, Workers};
use tmd_functions::{parse, parse_number};
use tmd_simd::{Level, Simd};

/// Arguments of I₀.
pub(crate) const ARGUMENTS: u64 = 1 << 40;

/// Cases of I₀, by both papers.
pub(crate) const CASES: usize = 243;

/// A part of a binade, from its first argument on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BinadePart {
    /// The first argument …
    pub(crate) from: u32,
    /// … with significands of so many bits …
    pub(crate) precision: u32,
    /// … and so many arguments, a power of two.
    pub(crate) log2_arguments: u32,
    /// Results within 2^-extra ulp.
    pub(crate) extra_bits: u32,
}

impl BinadePart {
    /// I₀, or so many arguments of it.
    pub(crate) const fn interval(log2_arguments: u32) -> Self {
        Self { from: 1, precision: 54, log2_arguments, extra_bits: 33 }
    }

    /// The end of the interval, as an expression.
    fn end(self) -> String {
        // an ulp is 2^(exponent + 1 − precision)
        let log2 = self.from.ilog2() as i32 + 1 - self.precision as i32 + self.log2_arguments as i32;
        format!("{}+2^{log2}", self.from)
    }

    /// Searches all of it, or until the deadline.
    pub(crate) fn search(self, workers: Workers<'_>, deadline: Instant) -> Result<Outcome, ToolError> {
        let function = parse("exp")?;
        let formats = Format::BINARY64.with_precision(self.precision)?;
        let search = Search {
            function: &function,
            from: Rational::from(self.from),
            to: parse_number(&self.end())?,
            problem: Problem::new(formats, Format::BINARY64, Breakpoints::Directed, self.extra_bits)?,
            workers,
        };
        let interrupt = Interrupt::new();
        let outcome = thread::scope(|scope| {
            let (done, is_done) = mpsc::channel::<()>();
            let interrupt = &interrupt;
            scope.spawn(move || {
                let left = deadline.saturating_duration_since(Instant::now());
                if is_done.recv_timeout(left) == Err(mpsc::RecvTimeoutError::Timeout) {
                    interrupt.request();
                }
            });
            let outcome = search.run(&(), interrupt);
            drop(done);
            outcome
        })?;
        match &outcome.failure {
            None => Ok(outcome),
            Some(failure) => Err(ToolError::failed(format!("failed: {failure}"))),
        }
    }

    /// Searches it by the CPU's walk.
    pub(crate) fn on_cpu(self, deadline: Instant) -> Result<Outcome, ToolError> {
        self.search(Workers::cpu(&Simd::farey(Level::best()), 0), deadline)
    }

    /// Searches it on a device with so many streams; the CPU makes polynomials, and fails with the
    /// device.
    pub(crate) fn on_gpu(
        self,
        device: &dyn Backend,
        streams: usize,
        deadline: Instant,
    ) -> Result<Outcome, ToolError> {
        let walk = Simd::farey(Level::best());
        let workers =
            Workers::devices(vec![device]).with_streams(streams).with_cpu(&walk, 0, CpuRole::Fallback);
        let outcome = self.search(workers, deadline)?;
        let failed = outcome.backends.iter().find_map(|share| share.reason.as_ref());
        failed.map_or(Ok(()), |reason| Err(ToolError::failed(format!("failed: {reason}"))))?;
        Ok(outcome)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals() {
        assert_eq!(BinadePart::interval(40).end(), "1+2^-13");
        assert_eq!(BinadePart { from: 1, precision: 54, log2_arguments: 53, extra_bits: 43 }.end(), "1+2^0");
        let high = BinadePart { from: 128, precision: 53, log2_arguments: 52, extra_bits: 43 };
        assert_eq!(high.end(), "128+2^7");
    }

    #[test]
    fn all_arguments_or_as_many_as_there_is_time_for() {
        let now = Instant::now();
        let question = BinadePart::interval(34);
        let all = question.on_cpu(now + std::time::Duration::from_secs(3600)).unwrap();
        assert_eq!((all.arguments, all.searched), (1 << 34, 1 << 34));
        let none = BinadePart::interval(53).on_cpu(now).unwrap_err();
        assert!(none.to_string().contains("more than 100000"), "{none}");
        let part = BinadePart { extra_bits: 43, ..BinadePart::interval(53) }.on_cpu(now).unwrap();
        assert!(part.searched < part.arguments);
    }
}
