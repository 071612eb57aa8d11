//! [`validate`]: is the function defined, without a pole and without overflow, on the whole
//! interval?
//!
//! A search would meet the bad place in the end, perhaps after hours; this finds it first. The
//! interval is enclosed whole, gaps between arguments included, and halved only where the enclosure
//! fails, down to two neighboring arguments. An enclosure that succeeds proves that there is
//! nothing to find.

use rug::float::Round;
use tmd_core::{ArgumentRange, Problem};
use tmd_functions::{Function, FunctionError, Interval, taylor::float_of};

use crate::{DriverError, confirm};

/// Precision of the enclosures in bits.
const PRECISION: u32 = 128;

/// Enclosures after which the rest is left to the search: an expression whose intervals
/// overestimate wildly must not keep it from starting.
const MOST_ENCLOSURES: u32 = 100_000;

/// Checks the function over ranges of arguments in increasing order, from the first argument to the
/// last.
pub fn validate(
    function: &dyn Function,
    problem: &Problem,
    ranges: &[ArgumentRange],
) -> Result<(), DriverError> {
    let mut check = Check { function, problem, enclosures: 0 };
    for (i, range) in ranges.iter().enumerate() {
        // up to the next range's first argument, so that the gap between them is covered
        check.span(range, ranges.get(i + 1))?;
    }
    Ok(())
}

struct Check<'a> {
    function: &'a dyn Function,
    problem: &'a Problem,
    enclosures: u32,
}

impl Check<'_> {
    fn span(&mut self, range: &ArgumentRange, next: Option<&ArgumentRange>) -> Result<(), DriverError> {
        if range.count() == 0 || self.enclosures > MOST_ENCLOSURES {
            return Ok(());
        }
        self.enclosures += 1;
        let first = range.argument(0);
        let last = next.map_or_else(|| range.argument(range.count() - 1), |next| next.argument(0));
        let whole = Interval::new(float_of(first), float_of(last))?.round_to(PRECISION)?;
        let reason = match self.function.enclose(&whole, PRECISION) {
            Ok(values) if !self.overflows(&values) => return Ok(()),
            Ok(_) => None,
            Err(reason) => Some(reason),
        };
        if range.count() > 1 {
            let (left, right) = range.halves();
            self.span(&left, Some(&right))?;
            return self.span(&right, next);
        }
        // one argument and the gap after it: the argument decides, then the gap
        confirm::confirm(self.function, self.problem, first)?;
        match reason {
            Some(FunctionError::Pole { .. }) => {
                Err(DriverError::Pole { function: self.function.name(), near: first.to_string() })
            }
            Some(reason @ FunctionError::OutsideDomain { .. }) => {
                Err(confirm::undefined(self.function, first, reason))
            }
            // an overflow in the gap is an overflow at the next argument, which is looked at in its
            // turn
            _ => Ok(()),
        }
    }

    fn overflows(&self, values: &Interval) -> bool {
        let largest = values.mag();
        let limit =
            rug::Float::with_val_round(2, 1, Round::Down).0 << (self.problem.results().max_exponent() + 1);
        largest >= limit
    }
}
