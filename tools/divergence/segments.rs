//! [`Domains`]: the segments of a piece's domains, from the project's own generation.

use crate::ToolError;
use tmd_core::{
    CoreError, Piece, Window,
    exist::Segment,
    partition::{OneLevel, Partition},
    scalar::{self, generate::Generator, parabola::Parabola},
};

/// The domains of a piece, ready to be generated.
pub struct Domains {
    generator: Generator,
    partition: Partition<OneLevel>,
    window: Window,
    from_end: bool,
    /// Number of whole domains.
    pub count: u64,
}

impl Domains {
    /// The domains of 2^bits arguments of a piece, their arguments numbered from the end or from
    /// the start.
    ///
    /// # Errors
    /// [`ToolError::CurvatureTooLarge`] if no line can stand for such a domain.
    pub fn new(piece: &Piece, bits: u32, from_end: bool) -> Result<Self, ToolError> {
        let size = 1u64.checked_shl(bits).unwrap_or(0);
        let partition = scalar::partition(piece, Some(size))?;
        let window = Window::new(partition.budget.test_half_width());
        let Some(window) = window.filter(|_| partition.tables.is_linear && partition.domain == size) else {
            return Err(ToolError::CurvatureTooLarge { bits });
        };
        let generator = Generator::new(piece, &partition);
        Ok(Self { generator, partition, window, from_end, count: piece.arguments() >> bits })
    }

    /// The width ε″ against which a search tests these segments, in units of 2^-64.
    pub fn width(&self) -> u64 {
        self.window.width()
    }

    /// Replaces `segments` by those of `count` domains from number `first` on; `parabolas` is room
    /// to work in.
    ///
    /// # Errors
    /// None for domains of 1 to 2^32 arguments, which [`new`](Self::new) has checked.
    pub fn segments(
        &self,
        first: u64,
        count: u64,
        parabolas: &mut Vec<Parabola>,
        segments: &mut Vec<Segment>,
    ) -> Result<(), ToolError> {
        segments.clear();
        let mut done = 0;
        while done < count {
            let run = self.partition.run.min(count - done);
            self.generator.run(first + done..first + done + run, parabolas);
            for parabola in parabolas.iter() {
                let size = |_| CoreError::DomainSize { size: self.partition.domain };
                let segment = parabola.segment(self.partition.domain, self.window).map_err(size)?;
                segments.push(if self.from_end { reversed(segment) } else { segment });
            }
            done += run;
        }
        Ok(())
    }
}

/// The segment of the same arguments, the last one first.
fn reversed(segment: Segment) -> Segment {
    let (a, b, n) = (segment.a(), segment.b(), segment.n());
    let last = b.wrapping_sub(a.wrapping_mul(n - 1));
    // n is that of a segment, so this one is valid too
    Segment::new(a.wrapping_neg(), last, n).unwrap_or(segment)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reversed_has_the_same_distances() {
        let segment = Segment::new(0x9e37_79b9_7f4a_7c15, 12_345, 100).unwrap();
        for x in 0..100 {
            assert_eq!(reversed(segment).distance(99 - x), segment.distance(x), "{x}");
        }
    }
}
