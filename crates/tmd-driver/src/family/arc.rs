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
    /// The indices of arguments with `from ≤ i·alpha ≤ to` mod 1, or with mirror images there, and
    /// perhaps some next to these; one may come twice. Sixteen bytes each: there may be millions.
    pub(super) fn arcs(
        &self,
        from: &Integer,
        to: &Integer,
        and_mirrored: bool,
        interrupt: &Interrupt,
    ) -> Result<Vec<i128>, DriverError> {
        let mut indices = Vec::new();
        self.arc(from, to, &mut indices, interrupt)?;
        // a span that is its own mirror image has the arguments of both arcs
        if and_mirrored && self.spans.iter().any(|span| span.first != -span.last) {
            self.arc(&-to.clone(), &-from.clone(), &mut indices, interrupt)?;
        }
        Ok(indices)
    }

    fn arc(
        &self,
        from: &Integer,
        to: &Integer,
        indices: &mut Vec<i128>,
        interrupt: &Interrupt,
    ) -> Result<(), DriverError> {
        for span in self.spans.iter().filter(|span| !span.is_mirrored) {
            self.arc_of(span, from, to, indices, interrupt)?;
        }
        Ok(())
    }

    /// The argument of an index: with a quasi-period, angles say no more.
    pub(super) fn argument_of(&self, index: i128) -> Option<Number> {
        (self.argument)(index, Wide::ZERO)
    }

    /// The arguments of indices, each once.
    pub(super) fn each_once(&self, mut indices: Vec<i128>) -> impl Iterator<Item = Number> {
        // those of an index are that one's, or that of its mirror image
        indices.sort_unstable_by_key(|&index| (index.unsigned_abs(), index));
        let mut last = None;
        indices.into_iter().filter_map(move |index| {
            let argument = self.argument_of(index).filter(|&x| last != Some(x));
            last = argument.or(last);
            argument
        })
    }

    fn arc_of(
        &self,
        span: &Span,
        from: &Integer,
        to: &Integer,
        indices: &mut Vec<i128>,
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
        let above = (high - Integer::from(&alpha * &first)).modulo(&(Integer::from(1) << BITS));
        let count = (span.last - span.first) as u128 + 1;
        let [alpha, above, width] = [alpha, above, width].map(|x| x.to_u128().unwrap_or(MAX_ARC_MODULUS));
        // about so many, of a span that has no gaps: a vector that grows holds them twice
        let expected = count as f64 * (width as f64 / MAX_ARC_MODULUS as f64);
        indices.reserve_exact(((1.01 * expected) as usize).min(MAX_LISTED));
        let hits = arc_hits(alpha, above, MAX_ARC_MODULUS, count, width)
            .map_err(|error| self.search.refuse(&error.to_string()))?;
        for (number, (x, _)) in hits.enumerate() {
            if number % 4096 == 0 {
                interrupt.check()?;
            }
            if indices.len() >= MAX_LISTED {
                return Err(self.search.refuse("too many of them lie next to a zero or a pole"));
            }
            let index = span.first + x as i128;
            indices.extend(self.argument_of(index).map(|_| index));
        }
        Ok(())
    }
}
