//! Agreement: every engine in every kind of lanes with every number of threads lists the same cases
//! of exp, where it bends little and where it bends much.
//!
//! `cargo xtask agree` is the way to run it. At the full 2^44 arguments per place the slow engines
//! take hours: with a record the command goes on where it was stopped. (The test suite does the
//! same on shorter intervals of many functions.)

pub mod families;

use std::{sync::Arc, time::Instant};

use crate::{
    ToolError,
    gpu::measure::{Engine, Setup, backend},
};
use serde::{Deserialize, Serialize};
use tmd_core::{Backend, Breakpoints, Format, Interrupt, Problem, Scalar, ScalarEngine, exist::Logms};
use tmd_driver::{CpuRole, InverseUse, Outcome, Search, Workers};
use tmd_functions::{parse, parse_number};
use tmd_gpu::{AdapterChoice, Gpu, Integers, Shape};
use tmd_simd::{Level, Simd, SimdEngine};

/// First arguments of the places, with the logarithm of the doubles' spacing there.
pub const PLACES: [(&str, i32); 4] = [("1", -52), ("2^-10", -62), ("16", -48), ("128", -45)];

/// Most and fewest arguments of a place, as powers of two: there must be enough for some cases, and
/// they must be in one binade.
pub const LOG2_ARGUMENTS: (u32, u32) = (24, 48);

/// One search, compared.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// first argument
    pub place: String,
    /// logarithm of the number of arguments
    pub log2_arguments: u32,
    /// the backend, lanes included
    pub engine: String,
    /// its threads
    pub threads: usize,
    /// cases listed
    pub cases: usize,
    /// whether they are the Farey walk's
    pub agrees: bool,
    /// wall-clock time
    pub seconds: f64,
    /// the code
    pub commit: String,
}

/// An engine that is compared.
#[derive(Clone)]
pub struct Contender {
    /// Its name, lanes included.
    pub name: String,
    backend: Arc<dyn Backend + Send + Sync>,
    is_device: bool,
}

/// Every engine in every kind of lanes of this machine, the fast ones first; the adapter's too if
/// asked for.
///
/// # Errors
/// If there is no adapter although it is asked for.
pub fn contenders(with_gpu: bool) -> Result<Vec<Contender>, ToolError> {
    let lanes = |engine: SimdEngine| {
        Level::available().into_iter().map(move |level| Contender::cpu(Simd::new(engine, level)))
    };
    let scalar = |engine| Contender::cpu(Scalar { engine, logms: Logms::default(), domain_size: None });
    let mut all = Vec::new();
    all.extend([SimdEngine::Farey, SimdEngine::Arcs].into_iter().flat_map(lanes));
    all.push(scalar(ScalarEngine::Farey));
    if with_gpu {
        all.extend(devices()?);
    }
    all.extend(
        [SimdEngine::Regular, SimdEngine::Lefevre, SimdEngine::LefevreSwap].into_iter().flat_map(lanes),
    );
    all.extend([ScalarEngine::Regular, ScalarEngine::Lefevre].map(scalar));
    all.extend(lanes(SimdEngine::Exhaustive));
    all.push(scalar(ScalarEngine::Exhaustive));
    Ok(all)
}

/// The engines of the best adapter: the walk, and the existence tests.
///
/// # Errors
/// If there is none.
pub fn devices() -> Result<Vec<Contender>, ToolError> {
    let gpu = Gpu::open(&AdapterChoice::Auto, Integers::Auto)?;
    let shape = Shape::of(gpu.summary());
    let device = |engine| {
        let backend = backend(&gpu, engine, &Setup::new(shape), Arc::new(Simd::farey(Level::best())))?;
        Ok(Contender { name: backend.name(), backend: backend.into(), is_device: true })
    };
    Engine::ALL.into_iter().map(device).collect()
}

impl Contender {
    /// An engine of the CPU.
    pub fn cpu(backend: impl Backend + Send + 'static) -> Self {
        Self { name: backend.name(), backend: Arc::new(backend), is_device: false }
    }

    /// So many threads of it, or streams to it; `fallback` takes what a device fails at.
    pub(crate) fn workers<'a>(&'a self, threads: usize, fallback: &'a dyn Backend) -> Workers<'a> {
        let backend = &*self.backend;
        if self.is_device {
            Workers::devices(vec![backend]).with_streams(threads).with_cpu(fallback, 0, CpuRole::Fallback)
        } else {
            Workers::cpu(backend, threads)
        }
    }

    /// The engine, if it is one of the CPU.
    pub(crate) fn cpu_backend(&self) -> Option<&dyn Backend> {
        let backend: &dyn Backend = &*self.backend;
        (!self.is_device).then_some(backend)
    }

    /// The outcome, unless a device failed and something else stood in.
    pub(crate) fn own(&self, found: Outcome) -> Result<Outcome, ToolError> {
        match found.backends.iter().find_map(|share| share.reason.as_ref()) {
            Some(reason) => Err(ToolError::failed(format!("{} failed: {reason}", self.name))),
            None => Ok(found),
        }
    }
}

/// An interval of exp, and what is asked of it.
pub struct ExpInterval {
    /// its name: mostly its first argument
    pub name: &'static str,
    from: &'static str,
    to: String,
    log2_arguments: u32,
    problem: Problem,
    /// how many cases it has, where that is known from elsewhere
    known: Option<usize>,
}

impl ExpInterval {
    /// The places with so many doubles each: about 2^11 cases.
    ///
    /// # Errors
    /// [`ToolError::Size`].
    pub fn all(log2_arguments: u32) -> Result<Vec<Self>, ToolError> {
        if !(LOG2_ARGUMENTS.0..=LOG2_ARGUMENTS.1).contains(&log2_arguments) {
            return Err(ToolError::Size { allowed: LOG2_ARGUMENTS, asked: log2_arguments });
        }
        let (double, directed) = (Format::BINARY64, Breakpoints::Directed);
        let problem = Problem::new(double, double, directed, log2_arguments - 10)?;
        let place = |(from, log2_spacing): (&'static str, i32)| {
            let to = format!("{from}+2^{}", log2_spacing + log2_arguments as i32);
            Self { name: from, from, to, log2_arguments, problem, known: None }
        };
        Ok(PLACES.map(place).into())
    }

    /// The papers' interval I₀, whose number of cases they give (Fortin, Gouicem and Graillat, PDP
    /// 2012), and three questions next to it whose numbers are those of `tests/reference.rs` in
    /// `tmd-driver`.
    ///
    /// # Errors
    /// [`ToolError::Core`], were the questions out of range.
    pub fn counted() -> Result<Vec<Self>, ToolError> {
        let double = Format::BINARY64;
        let (directed, all) = (Breakpoints::Directed, Breakpoints::All);
        let finer = Format::custom(54)?;
        [
            ("I0", finer, directed, 33, -13, 40, 243),
            ("I0, doubles", double, directed, 32, -13, 39, 241),
            ("I0, midpoints", double, all, 33, -13, 39, 236),
            ("I0, twice", double, directed, 33, -12, 40, 242),
        ]
        .into_iter()
        .map(|(name, arguments, breakpoints, extra_bits, log2_width, log2_arguments, known)| {
            let problem = Problem::new(arguments, double, breakpoints, extra_bits)?;
            let to = format!("1+2^{log2_width}");
            Ok(Self { name, from: "1", to, log2_arguments, problem, known: Some(known) })
        })
        .collect()
    }

    /// Searches it.
    ///
    /// # Errors
    /// If the search fails, or a device does.
    pub fn search(&self, contender: &Contender, threads: usize) -> Result<Outcome, ToolError> {
        let function = parse("exp")?;
        let walk = Simd::farey(Level::best());
        let workers = contender.workers(threads, &walk);
        let (from, to) = (parse_number(self.from)?, parse_number(&self.to)?);
        let search = Search { function: &function, from, to, problem: self.problem, workers };
        // one argument after the other: these engines are compared, not the walk that searches
        // families
        contender.own(search.run_with(InverseUse::Never, &(), &Interrupt::new())?)
    }

    /// Searches it and compares with what the reference listed.
    ///
    /// # Errors
    /// As for [`search`](Self::search).
    pub fn compare(
        &self,
        contender: &Contender,
        threads: usize,
        reference: &Outcome,
        commit: &str,
    ) -> Result<Row, ToolError> {
        let started = Instant::now();
        let found = self.search(contender, threads)?;
        let agrees = found.cases == reference.cases
            && found.exact_cases == reference.exact_cases
            && found.undecided == reference.undecided
            && found.searched == reference.arguments
            && self.known.is_none_or(|known| found.cases.len() == known);
        Ok(Row {
            place: self.name.into(),
            log2_arguments: self.log2_arguments,
            engine: contender.name.clone(),
            threads,
            cases: found.cases.len(),
            agrees,
            seconds: (started.elapsed().as_secs_f64() * 10.0).round() / 10.0,
            commit: commit.into(),
        })
    }
}

impl Row {
    /// Whether it stands for this search.
    pub fn is_of(&self, place: &ExpInterval, contender: &Contender, threads: usize) -> bool {
        (self.place.as_str(), self.log2_arguments, self.engine.as_str(), self.threads)
            == (place.name, place.log2_arguments, contender.name.as_str(), threads)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_engine_once() {
        let all = contenders(false).unwrap();
        let mut names: Vec<&str> = all.iter().map(|contender| contender.name.as_str()).collect();
        assert_eq!(names.len(), 6 * Level::available().len() + 4);
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), all.len());
    }

    /// A list with one case less is seen.
    #[test]
    fn agreement_and_disagreement() {
        assert!(matches!(ExpInterval::all(60), Err(ToolError::Size { asked: 60, .. })));
        let all = contenders(false).unwrap();
        let is = |name: &str| all.iter().find(|contender| contender.name == name).unwrap();
        for place in ExpInterval::all(26).unwrap() {
            let mut reference = place.search(&all[0], 1).unwrap();
            assert_eq!(reference.arguments, 1 << 26);
            assert!(reference.cases.len() > 1900, "{}: {}", place.name, reference.cases.len());
            let row = place.compare(is("scalar regular"), 2, &reference, "here").unwrap();
            assert!(row.agrees && row.cases == reference.cases.len(), "{row:?}");
            assert!(
                row.is_of(&place, is("scalar regular"), 2) && !row.is_of(&place, is("scalar regular"), 1)
            );
            reference.cases.pop();
            assert!(!place.compare(is("scalar regular"), 1, &reference, "here").unwrap().agrees);
        }
    }

    /// The known numbers, by the walk; another one is seen.
    #[test]
    fn known_numbers_of_cases() {
        let all = contenders(false).unwrap();
        for mut place in ExpInterval::counted().unwrap() {
            let reference = place.search(&all[0], 1).unwrap();
            assert_eq!(reference.arguments, 1 << place.log2_arguments);
            assert!(place.compare(&all[0], 2, &reference, "here").unwrap().agrees, "{}", place.name);
            place.known = place.known.map(|known| known + 1);
            assert!(!place.compare(&all[0], 2, &reference, "here").unwrap().agrees, "{}", place.name);
        }
    }
}
