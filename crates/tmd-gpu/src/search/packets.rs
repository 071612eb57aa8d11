//! [`Packets`]: how a piece's domains are spread over packets, runs and invocations, and the tables
//! they start from.
//!
//! The papers' hybrid (TOMS 2016, section 5.3): the host shifts the outer tables to the first run
//! of every packet, an invocation of `generate` steps them from run to run, an invocation of a
//! search steps the inner tables from domain to domain.

use crate::cpu::generate::GenerateConstants;
use tmd_core::{
    Piece,
    partition::{BETAS, Partition, PartitionRequest, RunRows, SLOPES, Unfit},
};

use super::Shape;

/// Generating the tables of a run takes about as long as a walk through so many domains. A choice
/// of speed.
const GENERATION: f64 = 2.0;

/// Runs of a packet, at least: what the host does for a packet is worth that many.
const RUNS_PER_PACKET: u64 = 32;

/// Most packets.
const MOST_PACKETS: u64 = 1024;

/// Partition and packets of one piece.
#[derive(Clone, Copy, Debug)]
pub(super) struct Packets {
    /// lanes are packets
    pub(super) partition: Partition,
    pub(super) generate: GenerateConstants,
}

impl Packets {
    /// Spreads a piece over invocations in runs of at most `longest` domains.
    ///
    /// # Errors
    /// [`Unfit::PieceTooLong`] if there are too many runs for the buffers, or too many for the
    /// tables' precision.
    pub(super) fn new(
        piece: &Piece,
        request: PartitionRequest,
        longest: u64,
        shape: &Shape,
    ) -> Result<Self, Unfit> {
        let domains = piece.arguments().div_ceil(request.domain);
        let packets_of = |run| domains.div_ceil(run).div_ceil(RUNS_PER_PACKET).clamp(1, MOST_PACKETS);
        let longest = (domains / u64::from(shape.invocations)).clamp(1, longest);
        let partition = Partition::cheapest(longest, GENERATION * shape.costs.domain, request, |run| {
            Partition::with_run(piece, packets_of(run), run, request)
        });
        let packets = packets_of(partition.run);
        // shorter parts need fewer invocations, and their tables neglect less
        let most = u64::from(shape.most_invocations);
        let is_crowded = packets * partition.runs > most && packets * partition.runs > 1;
        if is_crowded || partition.lags(request) {
            return Err(Unfit::PieceTooLong);
        }
        // both are at most `most_invocations`
        let (packets, runs, degrees) =
            (packets as u32, partition.runs as u32, partition.tables.degrees.map(|degree| degree as u32));
        let generate = GenerateConstants { packets, runs, degrees };
        Ok(Self { partition, generate })
    }

    /// Runs of all packets, one invocation each.
    pub(super) const fn runs(&self) -> u32 {
        self.generate.packets * self.generate.runs
    }

    /// The first argument of the domain at this step of an invocation's run; the last packets go on
    /// beyond the piece.
    pub(super) fn first_argument(&self, run: u32, step: u32, piece: &Piece) -> Option<u64> {
        let (packet, run) = (run % self.generate.packets, run / self.generate.packets);
        self.partition.first_argument(piece, packet as usize, run.into(), step)
    }

    /// The outer tables of all packets: straightforward shifts, exact but for the rounding down to
    /// 128 bits.
    pub(super) fn outer(&self, piece: &Piece) -> Vec<u32> {
        let Self { partition, generate } = self;
        let packets = generate.packets as usize;
        let rows = RunRows::new(piece, partition);
        let mut words = vec![0; generate.outer_words()];
        let mut first = 0;
        for entry in 0..BETAS + SLOPES {
            for (packet, differences) in rows.every(entry, partition.runs, packets as u64).enumerate() {
                for (d, difference) in differences.into_iter().enumerate() {
                    for limb in 0..4 {
                        words[((first + d) * 4 + limb) * packets + packet] =
                            (difference >> (32 * limb)) as u32;
                    }
                }
            }
            first += partition.tables.degrees[entry] + 1;
        }
        words
    }
}
