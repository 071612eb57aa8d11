//! [`Problem`]: the question that a search answers, apart from the function.
//!
//! Definitions D.1 to D.3 of docs/proofs/definitions.md; Lemma D.4 for the least extra bits. That
//! an HR-case is near an integer in the units of its own ulp, no breakpoint of the binade below
//! being overlooked, is Theorem C.1 of `proofs/Composition.v`.

use tmd_difftable::power_of_two;

use crate::{Breakpoints, CoreError, Format};

/// Formats, breakpoints and ε: an argument `x` is an HR-case when `f(x)` lies within
/// `2^-extra_bits` ulps of a breakpoint without lying on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Problem {
    arguments: Format,
    results: Format,
    breakpoints: Breakpoints,
    extra_bits: u32,
}

impl Problem {
    /// Below 2 extra bits the breakpoints of two neighboring binades overlap: the nearest
    /// breakpoint below `2^e` is `ulp/4` away in the ulps of the numbers just above, so distances
    /// of 1/4 ulp would be ambiguous.
    pub const MIN_EXTRA_BITS: u32 = 2;
    /// ε in units of 2^-64, the resolution of the searches, must not vanish.
    pub const MAX_EXTRA_BITS: u32 = 60;

    /// A problem with arguments and results of these formats.
    ///
    /// # Errors
    /// [`CoreError::ExtraBits`] outside
    /// [`MIN_EXTRA_BITS`](Self::MIN_EXTRA_BITS)`..=`[`MAX_EXTRA_BITS`](Self::MAX_EXTRA_BITS).
    pub const fn new(
        arguments: Format,
        results: Format,
        breakpoints: Breakpoints,
        extra_bits: u32,
    ) -> Result<Self, CoreError> {
        if extra_bits < Self::MIN_EXTRA_BITS || extra_bits > Self::MAX_EXTRA_BITS {
            return Err(CoreError::ExtraBits { extra_bits });
        }
        Ok(Self { arguments, results, breakpoints, extra_bits })
    }

    /// The same problem with another ε.
    ///
    /// # Errors
    /// As for [`new`](Self::new).
    pub const fn with_extra_bits(self, extra_bits: u32) -> Result<Self, CoreError> {
        Self::new(self.arguments, self.results, self.breakpoints, extra_bits)
    }

    /// Format of the arguments.
    pub const fn arguments(&self) -> Format {
        self.arguments
    }

    /// Format of the results, whose ulps distances are measured in.
    pub const fn results(&self) -> Format {
        self.results
    }

    /// The breakpoints in question.
    pub const fn breakpoints(&self) -> Breakpoints {
        self.breakpoints
    }

    /// `m` with `ε = 2^-m` ulp.
    pub const fn extra_bits(&self) -> u32 {
        self.extra_bits
    }

    /// ε in units of the breakpoints' spacing (an ulp, or half an ulp for [`Breakpoints::All`]);
    /// exact.
    pub fn tolerance(&self) -> f64 {
        power_of_two(self.breakpoints.scale_bits() as i32 - self.extra_bits as i32)
    }
}
