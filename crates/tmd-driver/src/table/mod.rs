//! [`Table`]: a function in full, for every argument of a 16-bit format, correctly rounded; and its
//! text for programs.
//!
//! Ziv's strategy on rigorous enclosures: an entry is written only when both ends of an enclosure
//! round to it. What is exact, and a tie, is decided by theory. Zeros, infinities and NaN, as
//! arguments and inside an expression, follow IEEE 754: [`tmd_functions::special`] says how. An
//! argument at which neither enclosures nor theory decide is an error, never a guess.
//!
//! ```
//! use tmd_core::{Format, Interrupt};
//! use tmd_driver::table::{Rounding, Table};
//!
//! let square_root = tmd_functions::parse("sqrt")?;
//! let table = Table::compute(&square_root, Format::BINARY16, Rounding::NearestEven, &Interrupt::new())?;
//! assert_eq!(table.entries()[0x4400], 0x4000); // √4 = 2
//! assert_eq!(table.entries()[0x8000], 0x8000); // √(−0) = −0
//! assert_eq!(table.to_bytes().len(), 131_072);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod encoding;
mod error;
mod identifier;
pub mod pattern;
mod rounding;
mod source;

use std::sync::atomic::{AtomicU32, Ordering};

use rayon::prelude::*;
use rug::{Assign, Float, Rational, float::Special};
use tmd_core::{Format, Interrupt, Number};
use tmd_functions::{
    Expression, Function, Interval,
    range::Bound,
    special::{Arithmetic, Datum, Doubt, Real, Sign},
    taylor::float_of,
};

use crate::{confirm::MAX_PRECISION, interval::power_of_two};

pub use encoding::Encoding;
pub use error::TableError;
pub use identifier::Language;
pub use pattern::Class;
pub use rounding::Rounding;

/// Entries of a table: one for every pattern of 16 bits.
pub const ENTRIES: usize = 1 << 16;

/// The precision tried first, in bits: it decides all but a few of 65,536 arguments.
const FIRST_PRECISION: u32 = 64;

/// The precision of the bounds that are tried next.
const RANGE_PRECISION: u32 = 192;

/// The correctly rounded results of an expression for all arguments of a 16-bit format.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    function: Expression,
    encoding: Encoding,
    rounding: Rounding,
    entries: Vec<u16>,
}

impl Table {
    /// Computes all entries, on all threads of rayon's current pool.
    ///
    /// # Errors
    /// [`TableError::Format`] for a format that is not an IEEE 754 interchange format of 16 bits
    /// (or bfloat16), [`TableError::Undecided`] with the first argument that nothing decides,
    /// [`TableError::Interrupted`].
    pub fn compute(
        function: &Expression,
        format: Format,
        rounding: Rounding,
        interrupt: &Interrupt,
    ) -> Result<Self, TableError> {
        let encoding = Encoding::new(format)?;
        let job = Job { function, encoding, rounding };
        // what comes after an argument that failed is not needed: the error names the first one,
        // whoever finds it
        let first_failure = AtomicU32::new(u32::MAX);
        let entry = |bits: u16| {
            if u32::from(bits) > first_failure.load(Ordering::Relaxed) {
                return Ok(0); // never read
            }
            interrupt.check().map_err(|_| TableError::Interrupted)?;
            job.entry(bits).inspect_err(|_| {
                first_failure.fetch_min(bits.into(), Ordering::Relaxed);
            })
        };
        let entries: Vec<_> = (0..=u16::MAX).into_par_iter().map(entry).collect();
        let entries = entries.into_iter().collect::<Result<_, _>>()?;
        Ok(Self { function: function.clone(), encoding, rounding, entries })
    }

    /// The results as bit patterns; entry i belongs to the argument with the bit pattern i.
    pub fn entries(&self) -> &[u16] {
        &self.entries
    }

    /// The expression.
    pub fn function(&self) -> &Expression {
        &self.function
    }

    /// The format of arguments and results.
    pub fn format(&self) -> Format {
        self.encoding.format()
    }

    /// The rounding of the results.
    pub fn rounding(&self) -> Rounding {
        self.rounding
    }

    /// The entries as 131,072 bytes: entry i is the little-endian 16-bit word at byte 2i.
    pub fn to_bytes(&self) -> Vec<u8> {
        self.entries.iter().flat_map(|entry| entry.to_le_bytes()).collect()
    }
}

/// How one entry is made.
struct Job<'a> {
    function: &'a Expression,
    encoding: Encoding,
    rounding: Rounding,
}

impl Job<'_> {
    fn entry(&self, bits: u16) -> Result<u16, TableError> {
        match self.encoding.decode(bits) {
            Class::Nan { .. } | Class::Invalid => self.evaluated(bits, |_| Datum::Nan),
            Class::Infinity(sign) => self.evaluated(bits, |_| Datum::Infinity(sign)),
            Class::Zero(sign) => self.evaluated(bits, |_| Datum::Zero(sign)),
            Class::Number(x) => self.quickly(x).map_or_else(
                || {
                    let x = Rational::from(x.significand()) * power_of_two(x.exponent());
                    self.evaluated(bits, |arithmetic| arithmetic.rational(&x))
                },
                Ok,
            ),
        }
    }

    /// The entry, where an enclosure decides it: then every part of the expression is finite, and
    /// the result is not 0.
    fn quickly(&self, x: Number) -> Option<u16> {
        let point = Interval::point(float_of(x)).ok()?;
        let at = point.round_to(FIRST_PRECISION).ok()?;
        if let Ok(y) = self.function.enclose(&at, FIRST_PRECISION)
            && !y.contains_zero()
        {
            let [lo, hi] = [y.lo(), y.hi()].map(|end| self.encoding.round(end, self.rounding));
            if lo == hi {
                return Some(lo);
            }
        }
        // next to a breakpoint, perhaps nearer than any precision tells: but on one side of it
        let y = self.function.range(&point.round_to(RANGE_PRECISION).ok()?, RANGE_PRECISION).ok()?;
        let end = |bound: &Bound, sign: Sign| match bound {
            Bound::Unbounded => {
                let special = if sign == Sign::Positive { Special::Infinity } else { Special::NegInfinity };
                (Float::with_val(RANGE_PRECISION, special), true)
            }
            Bound::Open(b) => (b.clone(), true),
            Bound::Closed(b) => (b.clone(), false),
        };
        let [lo, hi] = [end(&y.below, Sign::Negative), end(&y.above, Sign::Positive)];
        let is_zero = |(end, is_open): &(Float, bool)| end.is_zero() && !is_open;
        let has_zero = lo.0 < 0 && hi.0 > 0 || is_zero(&lo) || is_zero(&hi);
        if has_zero { None } else { self.between((&lo.0, lo.1), (&hi.0, hi.1)) }
    }

    /// The entry, by the rules of IEEE 754 for every part of the expression.
    fn evaluated(&self, bits: u16, x: impl Fn(Arithmetic) -> Datum) -> Result<u16, TableError> {
        let zero_sum = if self.rounding == Rounding::Down { Sign::Negative } else { Sign::Positive };
        let mut doubt = None;
        let mut precision = FIRST_PRECISION;
        while precision <= MAX_PRECISION {
            let arithmetic = Arithmetic::new(precision, zero_sum)?;
            match self.function.evaluate(&x(arithmetic), arithmetic) {
                Ok(Datum::Nan) => return Ok(self.encoding.nan()),
                Ok(Datum::Infinity(sign)) => return Ok(self.encoding.infinity(sign)),
                Ok(Datum::Zero(sign)) => return Ok(self.encoding.zero(sign)),
                Ok(Datum::Real(y)) => {
                    if let Some(entry) = self.rounded(&y) {
                        return Ok(entry);
                    }
                    doubt = None;
                }
                Err(reason) => doubt = Some(reason),
            }
            precision *= 2;
        }
        Err(self.undecided(bits, doubt))
    }

    /// The rounded number, if its enclosure leaves no doubt.
    fn rounded(&self, y: &Real) -> Option<u16> {
        self.between((y.lo(), y.lo_is_open()), (y.hi(), y.hi_is_open()))
    }

    /// What all numbers other than 0 between two ends, which may be open, are rounded to, if that
    /// is one.
    fn between(&self, lo: (&Float, bool), hi: (&Float, bool)) -> Option<u16> {
        // Breakpoints are numbers of the enclosure's precision. With two bits more the neighbor of
        // an open end, on the inside, is none, and all that lies between the end and this neighbor
        // rounds as the neighbor does. An end that is 0 or infinite is open.
        let mut ends = [lo.0, hi.0].map(|end| Float::with_val(end.prec() + 2, end));
        if lo.1 {
            ends[0].next_up();
        }
        if hi.1 {
            ends[1].next_down();
        }
        // from the least number of MPFR's the step leads to 0: the end itself, of which the same
        // can be said, will do
        for (end, given) in ends.iter_mut().zip([lo.0, hi.0]) {
            if end.is_zero() {
                end.assign(given);
            }
        }
        let round = |end: &Float| self.encoding.round(end, self.rounding);
        (round(&ends[0]) == round(&ends[1])).then(|| round(&ends[0]))
    }

    fn undecided(&self, bits: u16, doubt: Option<Doubt>) -> TableError {
        TableError::Undecided {
            function: self.function.name(),
            argument: self.encoding.decode(bits).to_string(),
            pattern: bits,
            bits: MAX_PRECISION,
            doubt,
        }
    }
}
