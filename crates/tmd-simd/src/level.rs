//! [`Level`]: which lanes a program runs on, decided at run time.

use core::fmt;

use crate::lanes::{Lanes, portable::Portable};
#[cfg(target_arch = "x86_64")]
use crate::lanes::{avx2::Avx2, avx512::Avx512, pair::Pair};

/// The lanes in use: AVX-512 (8 lanes), AVX2 with FMA (4 lanes) or `wide` (4 lanes, on every
/// machine).
///
/// A level exists only where its instructions do.
#[derive(Clone, Copy, Debug)]
pub struct Level(Machine);

/// The token of a machine's lanes.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Machine {
    #[cfg(target_arch = "x86_64")]
    Avx512(Avx512),
    #[cfg(target_arch = "x86_64")]
    Avx2(Avx2),
    /// the lanes of AVX-512 by two vectors of AVX2 for each
    #[cfg(target_arch = "x86_64")]
    Avx2InPairs(Avx2<true>),
    Portable(Portable),
}

/// A level that is unknown, or that this machine does not have.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs)]
pub enum LevelError {
    /// Not a name of a level.
    #[error("unknown lanes `{name}` (known: auto, avx512, avx2, portable)")]
    Unknown { name: String },
    /// This machine lacks the instructions.
    #[error("this machine has no {name} (it has: {available})")]
    Missing { name: String, available: String },
}

impl Level {
    /// The names of all levels that there are, on this machine or another.
    pub const NAMES: [&'static str; 3] = ["avx512", "avx2", "portable"];

    /// All levels of this machine, the fastest first.
    pub fn available() -> Vec<Self> {
        let mut levels = Vec::new();
        #[cfg(target_arch = "x86_64")]
        {
            levels.extend(Avx512::detect().map(Machine::Avx512).map(Self));
            levels.extend(Avx2::detect().map(Machine::Avx2).map(Self));
        }
        levels.push(Self(Machine::Portable(Portable)));
        levels
    }

    /// The fastest level of this machine.
    pub fn best() -> Self {
        Self::available()[0]
    }

    /// The level of this name; `auto` is the best. On a machine with AVX2 alone `avx512` is its
    /// eight lanes by two vectors of AVX2: domains and budgets are those of AVX-512, and cases are
    /// the same; domains that are looked at for nothing may be others where lanes of a vector wait
    /// for one another, and where reciprocals are estimates.
    ///
    /// # Errors
    /// Names that are unknown, and levels that this machine does not have.
    pub fn named(name: &str) -> Result<Self, LevelError> {
        if name == "auto" {
            return Ok(Self::best());
        }
        if !Self::NAMES.contains(&name) {
            return Err(LevelError::Unknown { name: name.into() });
        }
        // those of AVX-512 first
        let levels = Self::with_pairs();
        let found = levels.iter().find(|level| level.name() == name).copied();
        found.ok_or_else(|| {
            let available: Vec<_> = Self::available().iter().map(|level| level.name()).collect();
            LevelError::Missing { name: name.into(), available: available.join(", ") }
        })
    }

    /// All levels of this machine, and AVX-512's lanes by AVX2 besides: what tests are to go
    /// through.
    #[doc(hidden)]
    pub fn with_pairs() -> Vec<Self> {
        #[cfg(target_arch = "x86_64")]
        let pairs = Avx2::detect().map(Machine::Avx2InPairs).map(Self);
        #[cfg(not(target_arch = "x86_64"))]
        let pairs = None;
        Self::available().into_iter().chain(pairs).collect()
    }

    pub(crate) const fn machine(self) -> Machine {
        self.0
    }

    /// Lanes of a vector.
    pub(crate) const fn width(self) -> u64 {
        match self.0 {
            #[cfg(target_arch = "x86_64")]
            Machine::Avx512(_) => Avx512::WIDTH as u64,
            #[cfg(target_arch = "x86_64")]
            Machine::Avx2(_) => <Avx2>::WIDTH as u64,
            #[cfg(target_arch = "x86_64")]
            Machine::Avx2InPairs(_) => <Pair<Avx2<true>>>::WIDTH as u64,
            Machine::Portable(_) => Portable::WIDTH as u64,
        }
    }

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self.0 {
            #[cfg(target_arch = "x86_64")]
            Machine::Avx512(_) | Machine::Avx2InPairs(_) => "avx512",
            #[cfg(target_arch = "x86_64")]
            Machine::Avx2(_) => "avx2",
            Machine::Portable(_) => "portable",
        }
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lead_back() {
        for level in Level::with_pairs() {
            assert_eq!(Level::named(level.name()).unwrap().name(), level.name());
        }
        assert_eq!(Level::named("auto").unwrap().name(), Level::best().name());
        assert!(matches!(Level::named("mmx"), Err(LevelError::Unknown { .. })));
    }
}
