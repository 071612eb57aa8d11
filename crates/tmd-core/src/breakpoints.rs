//! [`Breakpoints`]: where rounding changes its result, for each group of rounding modes.
//!
//! Definition D.2 of docs/proofs/definitions.md.

use tmd_difftable::power_of_two;

use crate::CoreError;

/// Which real numbers are breakpoints of rounding to precision p. With `M = |y|/ulp(y)`, the scaled
/// significand:
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Breakpoints {
    /// The precision-p numbers, `M ∈ Z`: rounding toward zero, up or down.
    Directed,
    /// Their midpoints, `M ∈ Z + 1/2`: rounding to nearest.
    Nearest,
    /// Both, `2·M ∈ Z`: every IEEE 754 rounding mode.
    All,
}

/// What kind of breakpoint a case is close to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BreakpointKind {
    /// A number of the format: hard for directed rounding.
    Number,
    /// A midpoint of two numbers of the format: hard for rounding to nearest.
    Midpoint,
}

impl Breakpoints {
    /// Breakpoints per ulp, as a power of two: the search multiplies `f/ulp` by `2^scale_bits` …
    pub const fn scale_bits(self) -> u32 {
        match self {
            Self::Directed | Self::Nearest => 0,
            Self::All => 1,
        }
    }

    /// … and then adds 1/2 if this holds, so that the breakpoints become the integers.
    pub const fn is_shifted(self) -> bool {
        matches!(self, Self::Nearest)
    }

    /// Whether breakpoints of this kind are asked for.
    pub const fn includes(self, kind: BreakpointKind) -> bool {
        match kind {
            BreakpointKind::Number => !matches!(self, Self::Nearest),
            BreakpointKind::Midpoint => !matches!(self, Self::Directed),
        }
    }

    /// Expected number of cases among `arguments` arguments whose results are spread evenly: `2ε`
    /// per argument and per breakpoint in an ulp, `ε = 2^-extra_bits`.
    pub fn expected_cases(self, arguments: f64, extra_bits: u32) -> f64 {
        // documents that were not checked yet name any number of bits
        let extra_bits = i32::try_from(extra_bits).unwrap_or(i32::MAX);
        arguments * power_of_two((1 + self.scale_bits() as i32).saturating_sub(extra_bits))
    }
}

impl core::str::FromStr for Breakpoints {
    type Err = CoreError;
    fn from_str(name: &str) -> Result<Self, CoreError> {
        match name {
            "directed" => Ok(Self::Directed),
            "nearest" => Ok(Self::Nearest),
            "all" => Ok(Self::All),
            _ => Err(CoreError::UnknownBreakpoints { name: name.into() }),
        }
    }
}

impl core::fmt::Display for Breakpoints {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.pad(match self {
            Self::Directed => "directed",
            Self::Nearest => "nearest",
            Self::All => "all",
        })
    }
}

impl core::fmt::Display for BreakpointKind {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.pad(match self {
            Self::Number => "number",
            Self::Midpoint => "midpoint",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        for b in [Breakpoints::Directed, Breakpoints::Nearest, Breakpoints::All] {
            assert_eq!(b.to_string().parse(), Ok(b));
        }
        assert!("up".parse::<Breakpoints>().is_err());
    }

    #[test]
    fn expected_counts() {
        // the papers' I₀: 2^40 arguments, ε = 2^-33, one breakpoint an ulp
        assert_eq!(Breakpoints::Directed.expected_cases(power_of_two(40), 33).round() as u32, 256);
        assert_eq!(Breakpoints::All.expected_cases(power_of_two(39), 33).round() as u32, 256);
        for bits in [2000, i32::MAX as u32, 1 << 31, u32::MAX] {
            assert_eq!(
                Breakpoints::All.expected_cases(1e300, bits),
                0.0,
                "no overflow, whatever a document says"
            );
        }
    }
}
