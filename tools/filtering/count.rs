//! [`count`]: how many domains and sub-domains enter the phases.

use rayon::prelude::*;
use tmd_core::{
    Piece, Window,
    exist::{AnyTest, ExistenceTest, NoProbe, Verdict},
    scalar::{self, generate::Generator, parabola::Parabola},
};

use super::Reading;
use crate::ToolError;

/// A way to filter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Filter {
    /// How a line stands for a domain.
    pub reading: Reading,
    /// The existence test.
    pub test: AnyTest,
    /// Sub-domains of phase 2 per domain.
    pub subdomains: u64,
    /// The truncation's error in phase 2 is that of one of so many sub-domains, at most
    /// [`subdomains`](Self::subdomains).
    pub error_of: u64,
    /// What the half-width of phase 2 has beyond ε and the truncation's error, in units of 2^-64.
    pub slack: u64,
}

impl Filter {
    /// Phase 2 with the papers' 8 sub-domains, each with its own error.
    pub const fn new(reading: Reading, test: AnyTest) -> Self {
        Self { reading, test, subdomains: 8, error_of: 8, slack: 0 }
    }
}

/// What came through.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Domains tested in phase 1.
    pub domains: u64,
    /// Domains that enter phase 2.
    pub refined: u64,
    /// Sub-domains that enter phase 3.
    pub exhausted: u64,
    /// Arguments that phase 3 finds, by their numbers in the piece; none if it is left out.
    pub cases: Vec<u64>,
}

impl Counts {
    /// Both together.
    #[must_use]
    pub fn merge(mut self, mut other: Self) -> Self {
        self.domains += other.domains;
        self.refined += other.refined;
        self.exhausted += other.exhausted;
        self.cases.append(&mut other.cases);
        self
    }
}

/// Which domains are looked at, and how far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extent {
    /// log2 of the arguments per domain.
    pub domain_bits: u32,
    /// Every how many-th block of 64 consecutive domains, from the first on; 1 is all of them.
    pub every: u64,
    /// Whether phase 3 looks for the cases.
    pub exhaust: bool,
}

/// Domains per block.
pub const BLOCK: u64 = 64;

/// Sends the domains of a piece through each of the filters.
///
/// # Errors
/// If the piece cannot be cut into such domains.
pub fn count(piece: &Piece, filters: &[Filter], extent: Extent) -> Result<Vec<Counts>, ToolError> {
    let size = 1u64 << extent.domain_bits;
    let partition = scalar::partition(piece, Some(size))?;
    let half = partition.budget.exhaust_half_width();
    let Some(window) = Window::new(half).filter(|_| partition.domain == size) else {
        return Err(ToolError::CurvatureTooLarge { bits: extent.domain_bits });
    };
    // a segment of 64 bits is off by less than an ulp of its value and one of its slope for each
    // argument
    let room = window.half() + size + 4;
    let exhaust = extent.exhaust.then_some(window);
    let generator = Generator::new(piece, &partition);
    let domains = piece.arguments() >> extent.domain_bits;
    let blocks = (domains / BLOCK).div_ceil(extent.every);
    let empty = || vec![Counts::default(); filters.len()];
    let merge = |x: Vec<Counts>, y: Vec<Counts>| x.into_iter().zip(y).map(|(x, y)| x.merge(y)).collect();
    Ok((0..blocks)
        .into_par_iter()
        .fold(
            || (empty(), Vec::new()),
            |(mut counts, mut parabolas), block| {
                let (mut first, end) = (block * extent.every * BLOCK, (block * extent.every + 1) * BLOCK);
                while first < end {
                    let run = partition.run.min(end - first);
                    generator.run(first..first + run, &mut parabolas);
                    for (filter, counts) in filters.iter().zip(&mut counts) {
                        for (number, parabola) in (first..).zip(&parabolas) {
                            filter.domain(parabola, size, room, exhaust, number * size, counts);
                        }
                    }
                    first += run;
                }
                (counts, parabolas)
            },
        )
        .map(|(counts, _)| counts)
        .reduce(empty, merge))
}

impl Filter {
    /// One domain through the phases.
    fn domain(
        &self,
        parabola: &Parabola,
        size: u64,
        half: u64,
        exhaust: Option<Window>,
        first: u64,
        counts: &mut Counts,
    ) {
        counts.domains += 1;
        if !self.may_hold(parabola, size, size, half) {
            return;
        }
        counts.refined += 1;
        let (part, spread) = (size / self.subdomains, size / self.error_of);
        for start in (0..size).step_by(part as usize) {
            let shifted = parabola.shifted(start);
            if !self.may_hold(&shifted, part, spread, half + self.slack) {
                continue;
            }
            counts.exhausted += 1;
            if let Some(window) = exhaust {
                shifted.tabulate(part, window, |x| counts.cases.push(first + start + x));
            }
        }
    }

    fn may_hold(&self, parabola: &Parabola, n: u64, spread: u64, half: u64) -> bool {
        self.reading
            .segment(parabola, n, spread, half)
            .is_none_or(|(segment, width)| self.test.test(segment, width, &mut NoProbe) == Verdict::MayHold)
    }
}
