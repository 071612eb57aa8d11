//! The floating-point environment of x86-64 in words: what is set before a call, and what a call
//! left behind.

use std::fmt;

use serde::Serialize;

use crate::{Flags, Mode};

/// All exceptions masked, nothing flushed to zero.
const MXCSR: u32 = 0x1f80;
/// All exceptions masked, 64 bits of precision.
const CONTROL: u16 = 0x037f;

/// The two control words for a mode.
pub(crate) fn control_words(mode: Mode) -> (u32, u16) {
    let rounding = match mode {
        Mode::Nearest => 0,
        Mode::Down => 1,
        Mode::Up => 2,
        Mode::Zero => 3,
    };
    (MXCSR | rounding << 13, CONTROL | (rounding as u16) << 10)
}

/// The exceptions in the status bits of MXCSR and x87: invalid, (denormal operand, which IEEE 754
/// has not), division, overflow, underflow, inexact.
pub(crate) fn flags(mxcsr: u32, status: u16) -> Flags {
    let bits = (mxcsr | u32::from(status)) & 0x3f;
    Flags::from_bits((bits & 1 | bits >> 1 & 0x1e) as u8)
}

/// What a call changed and did not change back.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Change(u8);

impl Change {
    const ROUNDING: u8 = 1;
    const TRAPS: u8 = 1 << 1;
    const FLUSHED: u8 = 1 << 2;
    const PRECISION: u8 = 1 << 3;

    /// The change between the control words that were set and those that are there afterwards. The
    /// new rounding is kept, too.
    pub(crate) fn between(before: (u32, u16), after: (u32, u16)) -> Self {
        let mxcsr = before.0 ^ after.0;
        let control = u32::from(before.1 ^ after.1);
        let has = |is: bool, bit: u8| if is { bit } else { 0 };
        let rounding =
            [(mxcsr >> 13 & 3, after.0 >> 13 & 3), (control >> 10 & 3, u32::from(after.1) >> 10 & 3)];
        let mut bits = has(mxcsr & 0x1f80 != 0 || control & 0x3f != 0, Self::TRAPS)
            | has(mxcsr & 0x8040 != 0, Self::FLUSHED)
            | has(control & 0x300 != 0, Self::PRECISION);
        if let Some((_, new)) = rounding.into_iter().find(|(change, _)| *change != 0) {
            bits |= Self::ROUNDING | (new as u8) << 4;
        }
        Self(bits)
    }

    pub(crate) fn from_bits(bits: u8) -> Self {
        Self(bits)
    }

    pub(crate) fn bits(self) -> u8 {
        self.0
    }

    pub(crate) fn is_none(self) -> bool {
        self.0 == 0
    }
}

/// `rounding left down, traps enabled`
impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let new = [Mode::Nearest, Mode::Down, Mode::Up, Mode::Zero][usize::from(self.0 >> 4 & 3)];
        let rounding = format!("rounding left {new}");
        let parts = [
            (Self::ROUNDING, rounding.as_str()),
            (Self::TRAPS, "traps left enabled"),
            (Self::FLUSHED, "subnormal numbers left flushed to zero"),
            (Self::PRECISION, "x87's precision left changed"),
        ];
        let parts: Vec<&str> =
            parts.iter().filter(|(bit, _)| self.0 & bit != 0).map(|(_, part)| *part).collect();
        f.write_str(&parts.join(", "))
    }
}

impl Serialize for Change {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_of_both_units() {
        assert_eq!(flags(MXCSR, 0), Flags::NONE);
        assert_eq!(flags(1, 0), Flags::INVALID);
        assert_eq!(flags(2, 2), Flags::NONE, "a denormal operand");
        assert_eq!(flags(4, 0), Flags::DIVIDE_BY_ZERO);
        assert_eq!(flags(0x20, 8), Flags::INEXACT | Flags::OVERFLOW);
        assert_eq!(flags(0, 0x10), Flags::UNDERFLOW);
    }

    #[test]
    fn changes_in_words() {
        let set = control_words(Mode::Up);
        let change = |mxcsr: u32, control: u16| Change::between(set, (mxcsr, control));
        assert!(change(set.0 | 0x3f, set.1).is_none(), "flags are no change");
        let nearest = control_words(Mode::Nearest);
        assert_eq!(change(nearest.0, set.1).to_string(), "rounding left nearest");
        assert_eq!(change(set.0, control_words(Mode::Zero).1).to_string(), "rounding left zero");
        assert_eq!(change(set.0 & !0x200, set.1).to_string(), "traps left enabled");
        assert_eq!(change(set.0 | 0x8000, set.1 & !0x300).0, Change::FLUSHED | Change::PRECISION);
        assert_eq!(change(set.0, set.1 & !4).to_string(), "traps left enabled");
    }
}
