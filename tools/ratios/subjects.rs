//! [`Subject`]: what is measured, and the pieces of work that it does in a round.

use std::{hint::black_box, sync::Arc};

use rug::Rational;
use tmd_core::{
    ArgumentRange, Backend, Breakpoints, Format, Interrupt, Piece, Problem, Scalar, ScalarEngine,
    difftable::{DifferenceTable, Hierarchy},
    exist::Logms,
    partition::{OneLevel, Partition, ROWS},
    scalar::{self, generate::Generator, parabola::Parabola},
};
use tmd_driver::confirm::confirm;
use tmd_functions::{parse, taylor::taylor_piece};
use tmd_gpu::{AdapterKind, Gpu, Shape};
use tmd_simd::{Level, Simd, SimdEngine};

use crate::{
    ToolError,
    gpu::measure::{Engine, Setup, backend},
    reproduce::within,
};

/// Domains whose parabolas are generated in a round; a power of two.
const DOMAINS: u64 = 1 << 19;

/// Arguments confirmed in a round.
const CONFIRMED: u64 = 2000;

/// Taylor polynomials in a round.
const POLYNOMIALS: u64 = 128;

/// One thing to measure.
pub(super) struct Subject<'a> {
    pub(super) place: &'static str,
    pub(super) name: String,
    /// what is counted
    pub(super) unit: &'static str,
    /// so many in a round
    pub(super) units: u64,
    pub(super) is_software: bool,
    /// does them
    pub(super) work: Box<dyn Fn() -> Result<(), ToolError> + 'a>,
}

/// A part of exp, and how much of it is searched in a round: about 10 ms each.
pub(super) struct ExpPart {
    pub(super) name: &'static str,
    from: u32,
    /// of the arguments in bits
    precision: u32,
    log2: Log2,
    whole: Piece,
    /// candidates in all of it
    candidates: Vec<u64>,
}

/// How much of a place engines search, log2 of arguments.
#[derive(Clone, Copy)]
struct Log2 {
    /// the walk, in lanes or on a GPU
    walk: u32,
    /// the walk in portable lanes or scalar code, and other engines in lanes
    slower: u32,
    scalar: u32,
    /// on a software adapter
    software: u32,
}

impl ExpPart {
    /// I₀, and exp where it bends most.
    pub(super) fn all() -> Result<[Self; 2], ToolError> {
        let first = Log2 { walk: 40, slower: 36, scalar: 33, software: 33 };
        let last = Log2 { walk: 35, slower: 31, scalar: 28, software: 29 };
        Ok([Self::new("exp, I₀", 1, 54, first)?, Self::new("exp near 128", 128, 53, last)?])
    }

    fn new(name: &'static str, from: u32, precision: u32, log2: Log2) -> Result<Self, ToolError> {
        let whole = crate::piece("exp", &from.to_string(), 1 << log2.walk, precision);
        let candidates = Simd::farey(Level::best()).search(&whole, &Interrupt::new())?.candidates;
        Ok(Self { name, from, precision, log2, whole, candidates })
    }

    /// Arguments that the baseline searches.
    pub(super) fn baseline_arguments(&self) -> u64 {
        1 << self.log2.scalar
    }

    /// The baseline: the scalar regular search, N by the cost model.
    pub(super) fn baseline(&self) -> Result<Subject<'_>, ToolError> {
        self.search(Box::new(scalar(ScalarEngine::Regular)), self.log2.scalar, false)
    }

    /// The search of the first arguments, after it was checked.
    fn search<'a>(
        &'a self,
        backend: Box<dyn Backend + 'a>,
        log2: u32,
        is_software: bool,
    ) -> Result<Subject<'a>, ToolError> {
        let units = 1 << log2;
        let piece = self.whole.part(0, units)?;
        check(self.name, &*backend, &piece, &self.candidates)?;
        Ok(Subject {
            place: self.name,
            name: backend.name(),
            unit: "argument",
            units,
            is_software,
            work: Box::new(move || {
                black_box(backend.search(black_box(&piece), &Interrupt::new())?);
                Ok(())
            }),
        })
    }

    /// Every engine of the CPU, and every part of a search that is not an engine's.
    pub(super) fn subjects(&self) -> Result<Vec<Subject<'_>>, ToolError> {
        let mut subjects = Vec::new();
        for level in Level::available() {
            let log2 = if level.name() == "portable" { self.log2.slower } else { self.log2.walk };
            subjects.push(self.search(Box::new(Simd::farey(level)), log2, false)?);
        }
        subjects.push(self.search(Box::new(scalar(ScalarEngine::Farey)), self.log2.slower, false)?);
        for engine in [SimdEngine::Regular, SimdEngine::Lefevre] {
            for level in Level::available().into_iter().filter(|level| level.name() != "portable") {
                subjects.push(self.search(Box::new(Simd::new(engine, level)), self.log2.slower, false)?);
            }
        }
        // the baseline against itself tells what the machine adds
        for engine in [ScalarEngine::Regular, ScalarEngine::Lefevre] {
            subjects.push(self.search(Box::new(scalar(engine)), self.log2.scalar, false)?);
        }
        subjects.extend([self.generation()?, self.tables()?, self.taylor()?, self.confirmation()?]);
        Ok(subjects)
    }

    /// The walk and the regular search on a device; each may be missing, with a reason.
    pub(super) fn on_gpu(&self, gpu: &Gpu) -> Vec<Result<Subject<'_>, String>> {
        let is_software = gpu.summary().kind == AdapterKind::Software;
        let log2 = if is_software { self.log2.software } else { self.log2.walk };
        let shape = Shape::of(gpu.summary());
        let [walk, regular, ..] = Engine::ALL;
        [("walk", walk), ("regular", regular)]
            .map(|(name, engine)| {
                let fallback = Arc::new(Simd::farey(Level::best()));
                backend(gpu, engine, &Setup::new(shape), fallback)
                    .and_then(|backend| self.search(backend, log2, is_software))
                    .map(|subject| Subject { name: format!("GPU {name}"), ..subject })
                    .map_err(|reason| format!("{}, GPU {name}: {reason}", self.name))
            })
            .into()
    }

    /// Parabolas of domains, by the scalar search's generator.
    fn generation(&self) -> Result<Subject<'_>, ToolError> {
        let (piece, partition) = self.domains()?;
        let work = move || {
            let generator = Generator::new(&piece, &partition);
            let mut parabolas: Vec<Parabola> = Vec::new();
            for first in (0..DOMAINS).step_by(partition.run as usize) {
                generator.run(first..(first + partition.run).min(DOMAINS), &mut parabolas);
                black_box(&parabolas);
            }
            Ok(())
        };
        Ok(self.part("polynomial generation", "domain", DOMAINS, work))
    }

    /// One row of differences, as long as the budget allows without a new start, again and again.
    fn tables(&self) -> Result<Subject<'_>, ToolError> {
        let (piece, partition) = self.domains()?;
        let rows = Hierarchy::new(&piece.from_first_argument(), partition.domain, ROWS);
        let work = move || {
            let mut sum = 0_u64;
            for first in (0..DOMAINS).step_by(partition.run as usize) {
                let count = partition.run.min(DOMAINS - first) as usize;
                let mut table =
                    DifferenceTable::<2>::starting_at(rows.row(0), first, partition.tables.degrees[0]);
                table.tabulate(count, |_, value| sum ^= value.high64());
            }
            black_box(sum);
            Ok(())
        };
        Ok(self.part("difference table", "entry", DOMAINS, work))
    }

    /// Taylor coefficients by MPFR, rounded to fixed point with their bounds.
    fn taylor(&self) -> Result<Subject<'_>, ToolError> {
        let (function, problem, range) = self.question()?;
        let work = move || {
            for i in 0..POLYNOMIALS {
                let length = range.count() / POLYNOMIALS;
                black_box(taylor_piece(&function, &range.part(i * length, length), &problem)?);
            }
            Ok(())
        };
        Ok(self.part("Taylor coefficients", "polynomial", POLYNOMIALS, work))
    }

    /// MPFR's word on single arguments.
    fn confirmation(&self) -> Result<Subject<'_>, ToolError> {
        let (function, problem, range) = self.question()?;
        let work = move || {
            for i in 0..CONFIRMED {
                black_box(confirm(&function, &problem, range.argument(i * (range.count() / CONFIRMED)))?);
            }
            Ok(())
        };
        Ok(self.part("confirmation by MPFR", "argument", CONFIRMED, work))
    }

    fn part<'a>(
        &self,
        name: &str,
        unit: &'static str,
        units: u64,
        work: impl Fn() -> Result<(), ToolError> + 'a,
    ) -> Subject<'a> {
        Subject { place: self.name, name: name.into(), unit, units, is_software: false, work: Box::new(work) }
    }

    /// The place's first domains, of the scalar search's size.
    fn domains(&self) -> Result<(Piece, Partition<OneLevel>), ToolError> {
        let domain = scalar::partition(&self.whole.part(0, self.baseline_arguments())?, None)?.domain;
        let piece = self.whole.part(0, (DOMAINS * domain).min(self.whole.arguments()))?;
        let partition = scalar::partition(&piece, Some(domain))?;
        Ok((piece, partition))
    }

    /// The place as a search sees it before there is a polynomial.
    fn question(&self) -> Result<(impl tmd_functions::Function, Problem, ArgumentRange), ToolError> {
        let formats = Format::BINARY64.with_precision(self.precision)?;
        let problem = Problem::new(formats, Format::BINARY64, Breakpoints::Directed, 33)?;
        let ulp = formats.ulp_exponent(self.from.ilog2() as i32);
        let first = i128::from(self.from) << -ulp;
        debug_assert_eq!(Rational::from(first) >> ulp.unsigned_abs(), self.from);
        Ok((parse("exp")?, problem, ArgumentRange::new(first, ulp, self.whole.arguments())))
    }
}

fn scalar(engine: ScalarEngine) -> Scalar {
    Scalar { engine, logms: Logms::default(), domain_size: None }
}

/// Whether a backend finds what the walk found. Candidates beyond those that the exact value
/// confirms are no difference.
pub(super) fn check(
    place: &str,
    backend: &dyn Backend,
    piece: &Piece,
    candidates: &[u64],
) -> Result<(), ToolError> {
    let found = within(piece, backend.search(piece, &Interrupt::new())?.candidates);
    let inside = candidates.partition_point(|&k| k < piece.arguments());
    ToolError::unless_same(place, (&backend.name(), &found), ("the walk", &candidates[..inside]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Forgetful;

    #[test]
    fn wrong_lists_are_not_timed() {
        let [place, _] = ExpPart::all().unwrap();
        assert_eq!(place.candidates.len(), 243);
        assert!(place.search(Box::new(Simd::farey(Level::best())), 36, false).is_ok());
        let error = place.search(Box::new(Forgetful), 36, false).map(drop).unwrap_err();
        let expected = place.candidates.iter().filter(|k| **k < 1 << 36).count();
        assert!(expected > 3);
        match error {
            ToolError::Disagreement { engine, found, expected: told, .. } => {
                assert_eq!((engine.as_str(), found, told), ("forgetful", expected - 1, expected));
            }
            other => panic!("{other}"),
        }
    }

    /// The parts of a search are of the place: parabolas and polynomials have the values of the
    /// whole piece.
    #[test]
    fn parts_are_of_the_place() {
        for place in ExpPart::all().unwrap() {
            let (piece, partition) = place.domains().unwrap();
            assert!(partition.domains(&piece) >= DOMAINS, "{}", place.name);
            let (function, problem, range) = place.question().unwrap();
            let made = taylor_piece(&function, &range, &problem).unwrap();
            for k in [0, 12_345, place.whole.arguments() - 1] {
                let difference = made.value(k) - place.whole.value(k);
                let units = (difference.high64() as i64).unsigned_abs();
                assert!(units < 1 << 32, "{}: {k}", place.name);
            }
            let names: Vec<String> =
                place.subjects().unwrap().into_iter().map(|subject| subject.name).collect();
            let mut unique = names.clone();
            unique.sort();
            unique.dedup();
            assert_eq!(unique.len(), names.len(), "{names:?}");
        }
    }
}
