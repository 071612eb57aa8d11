//! `generate.wgsl`: the difference tables of all runs, from those of the packets' first runs.
//!
//! A *packet* is consecutive runs of domains. Its outer tables, 128 bits, come from the host by a
//! straightforward shift; from run to run they go on by additions, and their upper 64 bits are the
//! run's inner tables. (The papers' hybrid: TOMS 2016, section 5.3.)
//!
//! Lemma G.2 of docs/proofs/gpu.md.

use tmd_core::partition::{BETAS, SLOPES};
use tmd_shaders::constants::tables;

/// Entries of a run's tables: four betas, three slopes.
pub const ENTRIES: usize = tables::ENTRIES as usize;

// the host's tables are those of a partition
const _: () = assert!(tables::BETAS as usize == BETAS && tables::SLOPES as usize == SLOPES);

/// What the kernel is told.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GenerateConstants {
    /// Packets.
    pub packets: u32,
    /// Runs per packet.
    pub runs: u32,
    /// Degree of each entry's outer table.
    pub degrees: [u32; ENTRIES],
}

impl GenerateConstants {
    /// Number of words.
    pub const WORDS: usize = 2 + ENTRIES;

    /// The words of the kernel's `GenerateConstants`.
    pub fn to_words(&self) -> [u32; Self::WORDS] {
        let mut words = [0; Self::WORDS];
        (words[0], words[1]) = (self.packets, self.runs);
        words[2..].copy_from_slice(&self.degrees);
        words
    }

    /// One invocation for each packet and entry: they do not wait for each other.
    pub const fn invocations(&self) -> u32 {
        self.packets * ENTRIES as u32
    }

    /// Runs of all packets.
    pub const fn all_runs(&self) -> usize {
        self.packets as usize * self.runs as usize
    }

    /// Words of the outer tables: difference `d` of entry `e` has four limbs, the lowest first, and
    /// limb `l` of packet `i` is word `((d + Σ_{e' < e} (degree(e') + 1))·4 + l)·packets + i`.
    pub fn outer_words(&self) -> usize {
        self.degrees.iter().map(|&degree| degree as usize + 1).sum::<usize>() * 4 * self.packets as usize
    }

    /// Words of the runs' tables: limb `l` of entry `e` of run `i` is word `(2e + l)·all_runs + i`,
    /// and run `r` of packet `k` is run `r·packets + k`, so that neighboring invocations write
    /// neighboring words.
    pub const fn table_words(&self) -> usize {
        2 * ENTRIES * self.all_runs()
    }
}

/// One invocation: entry `invocation / packets` of all runs of packet `invocation mod packets`. The
/// outer tables move on, too.
pub fn generate(constants: &GenerateConstants, invocation: u32, outer: &mut [u32], tables: &mut [u32]) {
    let (packets, all) = (constants.packets as usize, constants.all_runs());
    let (entry, packet) = (invocation as usize / packets, invocation as usize % packets);
    let first: usize = constants.degrees[..entry].iter().map(|&degree| degree as usize + 1).sum();
    let word = |difference: usize, limb: usize| ((first + difference) * 4 + limb) * packets + packet;
    for r in 0..constants.runs as usize {
        let run = r * packets + packet;
        tables[2 * entry * all + run] = outer[word(0, 2)];
        tables[(2 * entry + 1) * all + run] = outer[word(0, 3)];
        for difference in 0..constants.degrees[entry] as usize {
            let mut carry = 0;
            for limb in 0..4 {
                let (x, y) = (outer[word(difference, limb)], outer[word(difference + 1, limb)]);
                let sum = u64::from(x) + u64::from(y) + carry;
                outer[word(difference, limb)] = sum as u32;
                carry = sum >> 32;
            }
        }
    }
}
