//! Arguments by their angles: all indices of a span whose point lies in an arc of the circle.

use rug::Integer;
use tmd_core::{
    Interrupt, Number,
    contfrac::{MAX_ARC_MODULUS, arc_hits},
    lattice3::{Span, Wide},
};

use super::sweep::Sweep;
use crate::DriverError;

/// Bits of the circle that [`arc_hits`] takes.
const BITS: u32 = 126;

/// Most arguments of an arc. More would take hours; a family that has them is no family.
const MAX_LISTED: usize = 1 << 26;

impl Sweep<'_> {
    /// The arguments with `from ≤ i·alpha ≤ to` mod 1, and perhaps some next to these.
    pub(super) fn arc(
        &self,
        from: &Integer,
        to: &Integer,
        arguments: &mut Vec<Number>,
        interrupt: &Interrupt,
    ) -> Result<(), DriverError> {
        for span in self.spans.iter().filter(|span| !span.is_mirrored) {
            self.arc_of(span, from, to, arguments, interrupt)?;
        }
        Ok(())
    }

    fn arc_of(
        &self,
        span: &Span,
        from: &Integer,
        to: &Integer,
        arguments: &mut Vec<Number>,
        interrupt: &Interrupt,
    ) -> Result<(), DriverError> {
        const { assert!(MAX_ARC_MODULUS == 1 << BITS) };
        let angle_bits = self.model.angle_bits;
        // x·2^(126 − angle_bits), rounded down
        let scaled = |x: &Integer| {
            if angle_bits > BITS {
                Integer::from(x >> (angle_bits - BITS))
            } else {
                Integer::from(x << (BITS - angle_bits))
            }
        };
        // the rotation is rounded down by a unit at most, so angles are by |i| < 2^index_bits; and
        // ends are rounded
        let margin = (Integer::from(1) << self.index_bits) + 2u32;
        let alpha = scaled(&self.alpha);
        let first = Integer::from(span.first);
        let (low, high) = (scaled(from) - &margin, scaled(to) + &margin);
        let width = Integer::from(&high - &low) + 1u32;
        // (high − alpha·(first + x)) mod 2^126 < width
        let above = (high - Integer::from(&alpha * &first)).keep_bits_residue();
        let count = (span.last - span.first) as u128 + 1;
        let [alpha, above, width] = [alpha, above, width].map(|x| x.to_u128().unwrap_or(MAX_ARC_MODULUS));
        let hits = arc_hits(alpha, above, MAX_ARC_MODULUS, count, width)
            .map_err(|error| self.search.refuse(&error.to_string()))?;
        for (number, (x, _)) in hits.enumerate() {
            if number % 4096 == 0 {
                interrupt.check()?;
            }
            if arguments.len() >= MAX_LISTED {
                return Err(self.search.refuse("too many of them lie next to a zero or a pole"));
            }
            let index = span.first + x as i128;
            arguments.extend((self.argument)(index, Wide::ZERO));
        }
        Ok(())
    }
}

/// Residues mod 2^126.
trait Residue {
    fn keep_bits_residue(self) -> Self;
}

impl Residue for Integer {
    fn keep_bits_residue(self) -> Self {
        let rest = self.keep_bits(BITS);
        if rest < 0 { rest + (Self::from(1) << BITS) } else { rest }
    }
}
