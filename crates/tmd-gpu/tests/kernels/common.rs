//! Devices for both variants of the integers, and random words.

use tmd_core::exist::{
    AnyTest, LastQuotient, LefevreDivision, LefevreSwap, Logms, Reductions, Regular, RegularUnrolled, Start,
};
use tmd_gpu::{Buffer, Gpu, Pipeline};
use tmd_shaders::{ExistenceTest, Integers, Kernel};

use crate::testing;

/// The test on the CPU that a kernel's answers are, with its options.
pub(crate) fn twin(kind: ExistenceTest, reductions: Reductions, last: LastQuotient, logms: Logms) -> AnyTest {
    let start = Start::Corrected;
    match kind {
        ExistenceTest::LefevreDivision => AnyTest::LefevreDivision(LefevreDivision::new(reductions, logms)),
        ExistenceTest::LefevreSwap => AnyTest::LefevreSwap(LefevreSwap::new(reductions, logms)),
        ExistenceTest::Regular => AnyTest::Regular(Regular::new(start, last, logms)),
        ExistenceTest::RegularUnrolled => AnyTest::RegularUnrolled(RegularUnrolled::new(start, last, logms)),
    }
}

/// A device and the variant of the integers to be tested on it.
pub(crate) struct Device {
    pub(crate) gpu: Gpu,
    pub(crate) integers: Integers,
}

impl Device {
    /// One for each variant, as far as there are adapters (`testing::shared` says what is missing).
    pub(crate) fn both() -> Vec<Self> {
        let open = |(wanted, integers)| testing::shared(wanted).map(|gpu| Self { gpu, integers });
        let variants = [
            (tmd_gpu::Integers::Emulated, Integers::Emulated),
            (tmd_gpu::Integers::Native, Integers::Native),
        ];
        variants.into_iter().filter_map(open).collect()
    }

    /// The kernel for this device's integers.
    pub(crate) fn pipeline(&self, kernel: Kernel, constants: &[(&str, f64)]) -> Pipeline {
        self.entry(kernel, kernel.name(), constants)
    }

    /// Another entry point of a kernel.
    pub(crate) fn entry(&self, kernel: Kernel, entry: &str, constants: &[(&str, f64)]) -> Pipeline {
        self.gpu.pipeline(entry, &kernel.source(self.integers), entry, constants).unwrap()
    }

    /// A buffer that holds these words.
    pub(crate) fn upload(&self, words: &[u32]) -> Buffer {
        self.gpu.upload("test", words).unwrap()
    }

    /// What a list, the last of the buffers, holds after a kernel has run over them.
    pub(crate) fn run(&self, pipeline: &Pipeline, buffers: &[&Buffer], workgroups: u32) -> Vec<u32> {
        let list = buffers[buffers.len() - 1];
        testing::run_once(&self.gpu, pipeline, buffers, workgroups, (list, 0..list.len())).unwrap()
    }
}

/// What output buffers hold before a kernel writes them.
pub(crate) const POISON: u32 = 0xbad_f00d;

/// Reproducible random words (splitmix64).
pub(crate) struct RandomWords(u64);

impl RandomWords {
    pub(crate) const fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Below `bound`.
    pub(crate) fn below(&mut self, bound: u64) -> u64 {
        self.next() % bound
    }

    /// Of 0 to 64 bits, each length as often.
    pub(crate) fn of_any_length(&mut self) -> u64 {
        let length = self.below(65) as u32;
        self.next().checked_shr(64 - length).unwrap_or(0)
    }
}
