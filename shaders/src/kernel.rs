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

/// Both sources of one kernel.
struct Composed {
    emulated: &'static str,
    native: &'static str,
}

/// A file, or the constants of that name.
macro_rules! part {
    (tables) => {
        table_constants!()
    };
    (walk) => {
        walk_constants!()
    };
    (lattice3) => {
        lattice3_constants!()
    };
    (lists) => {
        list_constants!()
    };
    ($file:literal) => {
        include_str!($file)
    };
}

/// The given parts behind either variant of the integers.
macro_rules! composed {
    ($($part:tt),+ $(,)?) => {
        Composed {
            emulated: concat!(
                include_str!("integer/emulated.wgsl"),
                include_str!("integer/shared.wgsl"),
                include_str!("invocation.wgsl"),
                $(part!($part)),+
            ),
            native: concat!(
                include_str!("integer/native.wgsl"),
                include_str!("integer/shared.wgsl"),
                include_str!("invocation.wgsl"),
                $(part!($part)),+
            ),
        }
    };
}

/// The files of an existence test, and further parts behind them.
macro_rules! tested {
    ($test:expr, $($part:tt),+ $(,)?) => {
        match $test {
            ExistenceTest::LefevreDivision => composed!(
                "phases/existence/division.wgsl",
                "phases/existence/counts.wgsl",
                "phases/existence/reductions.wgsl",
                "phases/existence/lefevre_division.wgsl",
                $($part),+
            ),
            ExistenceTest::LefevreSwap => composed!(
                "phases/existence/division.wgsl",
                "phases/existence/counts.wgsl",
                "phases/existence/reductions.wgsl",
                "phases/existence/lefevre_swap.wgsl",
                $($part),+
            ),
            ExistenceTest::Regular => composed!(
                "phases/existence/division.wgsl",
                "phases/existence/counts.wgsl",
                "phases/existence/configuration.wgsl",
                "phases/existence/regular.wgsl",
                $($part),+
            ),
            ExistenceTest::RegularUnrolled => composed!(
                "phases/existence/division.wgsl",
                "phases/existence/counts.wgsl",
                "phases/existence/configuration.wgsl",
                "phases/existence/regular_unrolled.wgsl",
                $($part),+
            ),
        }
    };
}

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
        let mut all = vec![
            Self::IntegerCheck,
            Self::Generate,
            Self::Walk,
            Self::Lattice3,
            Self::PrefixSum,
            Self::Exhaust,
        ];
        for test in ExistenceTest::ALL {
            all.extend([
                Self::Segments(test),
                Self::TestDomains(test),
                Self::Refine(test),
                Self::OneKernel(test),
            ]);
        }
        all
    }

    /// The name: that of the kernel's file, and of its entry point unless it has several.
    pub const fn name(self) -> &'static str {
        match self {
            Self::IntegerCheck => "integer_check",
            Self::Generate => "generate",
            Self::Walk => "walk",
            Self::Lattice3 => "lattice3",
            Self::Segments(_) => "segments",
            Self::TestDomains(_) => "test_domains",
            Self::PrefixSum => "prefix_sum",
            Self::Refine(_) => "refine",
            Self::Exhaust => "exhaust",
            Self::OneKernel(_) => "one_kernel",
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
    pub const fn source(self, integers: Integers) -> &'static str {
        let composed = self.composed();
        match integers {
            Integers::Emulated => composed.emulated,
            Integers::Native => composed.native,
        }
    }

    const fn composed(self) -> Composed {
        match self {
            Self::IntegerCheck => composed!("integer_check.wgsl"),
            Self::Generate => composed!("progress.wgsl", tables, "generate.wgsl"),
            Self::Walk => composed!("progress.wgsl", tables, walk, "walk/walk.wgsl"),
            Self::Lattice3 => composed!(lattice3, "lattice3/lattice3.wgsl"),
            Self::Segments(test) => tested!(test, "phases/segments.wgsl"),
            Self::TestDomains(test) => tested!(
                test,
                "phases/parameters.wgsl",
                lists,
                "phases/lists.wgsl",
                tables,
                "phases/run.wgsl",
                "phases/parabola.wgsl",
                "phases/window.wgsl",
                "phases/test_domains.wgsl",
            ),
            Self::PrefixSum => {
                composed!("phases/parameters.wgsl", lists, "phases/lists.wgsl", "phases/prefix_sum.wgsl")
            }
            Self::Refine(test) => tested!(
                test,
                "phases/parameters.wgsl",
                lists,
                "phases/lists.wgsl",
                tables,
                "phases/run.wgsl",
                "phases/parabola.wgsl",
                "phases/window.wgsl",
                "phases/sharing.wgsl",
                "phases/refine.wgsl",
            ),
            Self::Exhaust => composed!(
                "phases/parameters.wgsl",
                lists,
                "phases/lists.wgsl",
                tables,
                "phases/run.wgsl",
                "phases/parabola.wgsl",
                "phases/tabulation.wgsl",
                "phases/sharing.wgsl",
                "phases/exhaust.wgsl",
            ),
            Self::OneKernel(test) => tested!(
                test,
                "phases/parameters.wgsl",
                lists,
                "phases/lists.wgsl",
                tables,
                "phases/run.wgsl",
                "phases/parabola.wgsl",
                "phases/window.wgsl",
                "phases/tabulation.wgsl",
                "phases/one_kernel.wgsl",
            ),
        }
    }
}
