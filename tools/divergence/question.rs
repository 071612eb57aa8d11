//! [`MeasuredInterval`]: function, interval, formats and domain size of a measurement, and its
//! pieces.

use clap::Args;
use serde::{Serialize, Serializer};
use tmd_core::{ArgumentRange, Breakpoints, Format, Piece, Problem};
use tmd_driver::{interval::argument_ranges, validate::validate};
use tmd_functions::{Expression, parse, parse_number, taylor::taylor_piece};

use super::trace::LANES;
use crate::ToolError;

/// What is measured: the domains of an interval.
#[derive(Args, Clone, Debug, PartialEq, Eq, Serialize)]
pub struct MeasuredInterval {
    /// Function or expression in x
    #[arg(long, default_value = "exp")]
    pub function: String,
    /// First end of the interval, included
    #[arg(long, default_value = "1", allow_hyphen_values = true)]
    pub from: String,
    /// Second end, not included
    #[arg(long, default_value = "1+2^-13", allow_hyphen_values = true)]
    pub to: String,
    /// Precision of the arguments in bits; results have 53
    #[arg(long = "arg-precision", value_name = "ARG_PRECISION", default_value_t = 54)]
    pub argument_precision: u32,
    /// Breakpoints: directed (the numbers), nearest (their midpoints) or all (both)
    // their spacing is the unit of slopes
    #[arg(long = "rounding", value_name = "ROUNDING", default_value = "all")]
    #[serde(serialize_with = "as_text")]
    pub breakpoints: Breakpoints,
    /// A case is within 2^-EXTRA_BITS ulp of a breakpoint; matters with --ends-early only
    #[arg(long, default_value_t = 34)]
    pub extra_bits: u32,
    /// log2 of the arguments per domain
    #[arg(long, default_value_t = 15, value_parser = clap::value_parser!(u32).range(1..=32))]
    #[serde(skip)]
    pub domain_bits: u32,
    /// Number the arguments of a domain from its start, so that the a of b - a*x is minus the
    /// slope, not the slope
    // the same arguments either way, and the same answers, by other continued fractions
    #[arg(long = "from-start", action = clap::ArgAction::SetFalse)]
    pub from_end: bool,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "what serde calls")]
fn as_text<S: Serializer>(breakpoints: &Breakpoints, to: S) -> Result<S::Ok, S::Error> {
    to.collect_str(breakpoints)
}

impl MeasuredInterval {
    /// The papers' interval I₀: exp on [1, 1+2^-13), 2^40 arguments of 54 bits, 2^25 domains of
    /// 2^15 arguments. That the breakpoints are the numbers *and* the midpoints, and that a is the
    /// slope itself, is what reproduces their counts (docs/divergence.md).
    pub fn papers() -> Self {
        Self {
            function: "exp".into(),
            from: "1".into(),
            to: "1+2^-13".into(),
            argument_precision: 54,
            breakpoints: Breakpoints::All,
            extra_bits: 34,
            domain_bits: 15,
            from_end: true,
        }
    }

    /// Arguments per domain.
    pub const fn domain(&self) -> u64 {
        1 << self.domain_bits
    }

    /// The interval in whole blocks of 64 domains, as few pieces as there are polynomials for; what
    /// is left over at the end of a binade or of the interval belongs to no group and is left out.
    ///
    /// # Errors
    /// If the question is wrong, or the function has no Taylor polynomial over a block.
    pub fn pieces(&self) -> Result<Vec<Piece>, ToolError> {
        let function = parse(&self.function)?;
        let format = Format::BINARY64.with_precision(self.argument_precision)?;
        let problem = Problem::new(format, Format::BINARY64, self.breakpoints, self.extra_bits)?;
        let ranges = argument_ranges(&parse_number(&self.from)?, &parse_number(&self.to)?, format)?;
        validate(&function, &problem, &ranges)?;
        let mut pieces = Vec::new();
        for range in ranges {
            self.cut(&function, &problem, range, &mut pieces)?;
        }
        if pieces.is_empty() {
            return Err(ToolError::failed(format!(
                "fewer than {LANES} domains of {} arguments: nothing to measure",
                self.domain()
            )));
        }
        Ok(pieces)
    }

    fn cut(
        &self,
        function: &Expression,
        problem: &Problem,
        range: ArgumentRange,
        pieces: &mut Vec<Piece>,
    ) -> Result<(), ToolError> {
        let block = self.domain() * LANES as u64;
        let blocks = range.count() / block;
        if blocks == 0 {
            return Ok(());
        }
        let range = range.part(0, blocks * block);
        let halve = |pieces: &mut Vec<Piece>| {
            let half = blocks / 2 * block;
            self.cut(function, problem, range.part(0, half), pieces)?;
            self.cut(function, problem, range.part(half, range.count() - half), pieces)
        };
        if range.count() > Piece::MAX_ARGUMENTS {
            return halve(pieces);
        }
        match taylor_piece(function, &range, problem) {
            Ok(piece) => pieces.push(piece),
            Err(_) if blocks > 1 => halve(pieces)?,
            Err(reason) => {
                return Err(ToolError::failed(format!(
                    "no Taylor polynomial over the {} arguments from {} on: {reason}",
                    range.count(),
                    range.argument(0)
                )));
            }
        }
        Ok(())
    }
}
