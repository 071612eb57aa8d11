//! The kernels, and what each is composed of.

/// Where 64-bit integers come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Integers {
    /// Pairs of 32-bit words: no demands on the adapter.
    Emulated,
    /// The adapter's own (wgpu's `SHADER_INT64`).
    Native,
}

impl Integers {
    /// Both variants.
    pub const ALL: [Self; 2] = [Self::Emulated, Self::Native];
}

/// The files of `phases/` of these names.
macro_rules! phases {
    ($($file:literal),+) => {
        [$(include_str!(concat!("phases/", $file, ".wgsl"))),+]
    };
}

/// The parameters and the lists of the kernels of a search's phases.
const LISTS: [&str; 3] =
    [include_str!("phases/parameters.wgsl"), list_constants!(), include_str!("phases/lists.wgsl")];

/// The runs of domains of the same kernels.
const RUNS: [&str; 3] =
    [table_constants!(), include_str!("phases/run.wgsl"), include_str!("phases/parabola.wgsl")];

/// The existence tests of the papers, as in `tmd-exist`. All have the pipeline constant `LOGMS` (0
/// to 64: how quotients are taken); Lefèvre's have `REDUCTIONS` (0: one by one, 1: divided, 2:
/// divided on both sides), the regular ones `TRIMMED` (whether the last quotient is trimmed; their
/// start is the corrected one).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ExistenceTest {
    /// Lefèvre's test with quotients.
    LefevreDivision,
    /// Lefèvre's test with swap.
    LefevreSwap,
    /// The regular test, looped.
    Regular,
    /// The regular test, unrolled by two.
    RegularUnrolled,
}

impl ExistenceTest {
    /// Every test.
    pub const ALL: [Self; 4] =
        [Self::LefevreDivision, Self::LefevreSwap, Self::Regular, Self::RegularUnrolled];

    /// The files.
    fn parts(self) -> [&'static str; 4] {
        let [common, own] = match self {
            Self::LefevreDivision => phases!["existence/reductions", "existence/lefevre_division"],
            Self::LefevreSwap => phases!["existence/reductions", "existence/lefevre_swap"],
            Self::Regular => phases!["existence/configuration", "existence/regular"],
            Self::RegularUnrolled => phases!["existence/configuration", "existence/regular_unrolled"],
        };
        let [division, counts] = phases!["existence/division", "existence/counts"];
        [division, counts, common, own]
    }
}

/// A compute shader: its entry point and its source. Sizes and options are pipeline constants
/// (`override`), named in the kernel's file; all have `WORKGROUP`, the invocations of a workgroup.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Kernel {
    /// One operation on 64-bit integers for every pair of a buffer, for tests.
    IntegerCheck,
    /// The difference tables of all runs of a piece.
    Generate,
    /// The Farey walk, one run of domains per invocation.
    Walk,
    /// The walk in three dimensions, one run of windows and two targets per invocation.
    Lattice3,
    /// An existence test of every segment of a buffer.
    Segments(ExistenceTest),
    /// Phase 1 of a search: an existence test of every domain, to a list or to flags.
    TestDomains(ExistenceTest),
    /// From the flags of phase 1 to a list, in three dispatches.
    PrefixSum,
    /// Phase 2: an existence test of the parts of failing domains.
    Refine(ExistenceTest),
    /// Phase 3: every argument of failing parts.
    Exhaust,
    /// The three phases in one kernel.
    OneKernel(ExistenceTest),
}

impl Kernel {
    /// Every kernel, with every existence test where it has one.
    pub fn all() -> Vec<Self> {
        let tested: [fn(ExistenceTest) -> Self; 4] =
            [Self::Segments, Self::TestDomains, Self::Refine, Self::OneKernel];
        let tested = tested.into_iter().flat_map(|kernel| ExistenceTest::ALL.map(kernel));
        let others =
            [Self::IntegerCheck, Self::Generate, Self::Walk, Self::Lattice3, Self::PrefixSum, Self::Exhaust];
        others.into_iter().chain(tested).collect()
    }

    /// The name: that of the kernel's file, and of its entry point unless it has several.
    pub const fn name(self) -> &'static str {
        match self {
            Self::PrefixSum => "prefix_sum",
            _ => self.entries()[0],
        }
    }

    /// The entry points.
    pub const fn entries(self) -> &'static [&'static str] {
        match self {
            Self::IntegerCheck => &["integer_check"],
            Self::Generate => &["generate"],
            Self::Walk => &["walk"],
            Self::Lattice3 => &["lattice3"],
            Self::Segments(_) => &["segments"],
            Self::TestDomains(_) => &["test_domains", "test_domains_flagged"],
            Self::PrefixSum => &["prefix_sum_blocks", "prefix_sum_totals", "prefix_sum_scatter"],
            Self::Refine(_) => &["refine"],
            Self::Exhaust => &["exhaust"],
            Self::OneKernel(_) => &["one_kernel"],
        }
    }

    /// The whole WGSL source.
    pub fn source(self, integers: Integers) -> String {
        let integers = match integers {
            Integers::Emulated => include_str!("integer/emulated.wgsl"),
            Integers::Native => include_str!("integer/native.wgsl"),
        };
        let shared = [integers, include_str!("integer/shared.wgsl"), include_str!("invocation.wgsl")];
        [&shared[..], &self.parts()].concat().concat()
    }

    /// What follows the integers.
    fn parts(self) -> Vec<&'static str> {
        match self {
            Self::IntegerCheck => vec![include_str!("integer_check.wgsl")],
            Self::Generate => {
                vec![include_str!("progress.wgsl"), table_constants!(), include_str!("generate.wgsl")]
            }
            Self::Walk => vec![
                include_str!("progress.wgsl"),
                table_constants!(),
                walk_constants!(),
                include_str!("walk/walk.wgsl"),
            ],
            Self::Lattice3 => vec![lattice3_constants!(), include_str!("lattice3/lattice3.wgsl")],
            Self::Segments(test) => [&test.parts()[..], &phases!["segments"]].concat(),
            Self::TestDomains(test) => {
                [&test.parts()[..], &LISTS, &RUNS, &phases!["window", "test_domains"]].concat()
            }
            Self::PrefixSum => [&LISTS[..], &phases!["prefix_sum"]].concat(),
            Self::Refine(test) => {
                [&test.parts()[..], &LISTS, &RUNS, &phases!["window", "sharing", "refine"]].concat()
            }
            Self::Exhaust => [&LISTS[..], &RUNS, &phases!["tabulation", "sharing", "exhaust"]].concat(),
            Self::OneKernel(test) => {
                [&test.parts()[..], &LISTS, &RUNS, &phases!["window", "tabulation", "one_kernel"]].concat()
            }
        }
    }
}
