//! All existence tests by name, for benchmarks, conformance tests and command lines.

use std::str::FromStr;

use crate::{
    division::Logms,
    error::ExistError,
    exact::Exact,
    existence_test::ExistenceTest,
    lefevre_division::LefevreDivision,
    lefevre_subtractive::LefevreSubtractive,
    lefevre_swap::LefevreSwap,
    options::{LastQuotient, Start},
    probe::Probe,
    reductions::Reductions,
    regular::Regular,
    regular_unrolled::RegularUnrolled,
    segment::Segment,
    verdict::Verdict,
};

/// Any of the tests of this crate.
///
/// ```
/// use tmd_exist::{AnyTest, ExistenceTest, NoProbe, Segment, Verdict};
///
/// let segment = Segment::new(1 << 62, 1 << 61, 100)?;
/// for test in AnyTest::all() {
///     // The points are 0, 1/4, 1/2 and 3/4, and b = 1/8.
///     assert_eq!(test.test(segment, 1 << 61, &mut NoProbe), Verdict::Empty, "{}", test.name());
///     assert_eq!(test.test(segment, (1 << 61) + 1, &mut NoProbe), Verdict::MayHold, "{}", test.name());
/// }
/// let test: AnyTest = "regular-unrolled-trimmed".parse()?;
/// assert_eq!(test.name(), "regular-unrolled-trimmed");
/// # Ok::<(), tmd_exist::ExistError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AnyTest {
    /// Lefèvre's test with subtractions only.
    LefevreSubtractive(LefevreSubtractive),
    /// Lefèvre's test with swap.
    LefevreSwap(LefevreSwap),
    /// Lefèvre's test with quotients.
    LefevreDivision(LefevreDivision),
    /// The regular test, looped.
    Regular(Regular),
    /// The regular test, unrolled by two.
    RegularUnrolled(RegularUnrolled),
    /// The exact test.
    Exact(Exact),
}

impl AnyTest {
    /// The number of tests in the catalogue.
    pub const COUNT: usize = 18;

    /// All tests with the default division strategy, the division instruction.
    pub const fn all() -> [Self; Self::COUNT] {
        Self::all_with(Logms::INSTRUCTION)
    }

    /// All tests with the division strategy `logms`, where they have one ([`LefevreSubtractive`]
    /// and [`Exact`] do not).
    pub const fn all_with(logms: Logms) -> [Self; Self::COUNT] {
        use LastQuotient::{Trimmed, Whole};
        use Reductions::{Divided, DividedBothSides, OneByOne};
        use Start::{Corrected, Printed};
        [
            Self::LefevreSubtractive(LefevreSubtractive::new(OneByOne)),
            Self::LefevreSubtractive(LefevreSubtractive::new(Divided)),
            Self::LefevreSubtractive(LefevreSubtractive::new(DividedBothSides)),
            Self::LefevreSwap(LefevreSwap::new(OneByOne, logms)),
            Self::LefevreSwap(LefevreSwap::new(Divided, logms)),
            Self::LefevreSwap(LefevreSwap::new(DividedBothSides, logms)),
            Self::LefevreDivision(LefevreDivision::new(OneByOne, logms)),
            Self::LefevreDivision(LefevreDivision::new(Divided, logms)),
            Self::LefevreDivision(LefevreDivision::new(DividedBothSides, logms)),
            Self::Regular(Regular::new(Corrected, Whole, logms)),
            Self::Regular(Regular::new(Corrected, Trimmed, logms)),
            Self::Regular(Regular::new(Printed, Whole, logms)),
            Self::Regular(Regular::new(Printed, Trimmed, logms)),
            Self::RegularUnrolled(RegularUnrolled::new(Corrected, Whole, logms)),
            Self::RegularUnrolled(RegularUnrolled::new(Corrected, Trimmed, logms)),
            Self::RegularUnrolled(RegularUnrolled::new(Printed, Whole, logms)),
            Self::RegularUnrolled(RegularUnrolled::new(Printed, Trimmed, logms)),
            Self::Exact(Exact),
        ]
    }

    /// The test called `name`, with the division strategy `logms`.
    ///
    /// # Errors
    ///
    /// [`ExistError::UnknownTest`] if no test has this name.
    pub fn from_name(name: &str, logms: Logms) -> Result<Self, ExistError> {
        Self::all_with(logms)
            .into_iter()
            .find(|test| test.name() == name)
            .ok_or_else(|| ExistError::UnknownTest(name.to_owned()))
    }
}

impl ExistenceTest for AnyTest {
    #[inline]
    fn test<P: Probe>(&self, segment: Segment, width: u64, probe: &mut P) -> Verdict {
        match self {
            Self::LefevreSubtractive(test) => test.test(segment, width, probe),
            Self::LefevreSwap(test) => test.test(segment, width, probe),
            Self::LefevreDivision(test) => test.test(segment, width, probe),
            Self::Regular(test) => test.test(segment, width, probe),
            Self::RegularUnrolled(test) => test.test(segment, width, probe),
            Self::Exact(test) => test.test(segment, width, probe),
        }
    }

    fn name(&self) -> &'static str {
        match self {
            Self::LefevreSubtractive(test) => test.name(),
            Self::LefevreSwap(test) => test.name(),
            Self::LefevreDivision(test) => test.name(),
            Self::Regular(test) => test.name(),
            Self::RegularUnrolled(test) => test.name(),
            Self::Exact(test) => test.name(),
        }
    }
}

impl FromStr for AnyTest {
    type Err = ExistError;

    /// The test of this name, with the division instruction.
    fn from_str(name: &str) -> Result<Self, ExistError> {
        Self::from_name(name, Logms::default())
    }
}
