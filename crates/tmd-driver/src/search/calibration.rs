//! [`Workers::calibration`]: how long searches take on this machine's processor, compared with what
//! the cost models expect.
//!
//! The models' nanoseconds are those of one kind of core. Another one is faster or slower at all of
//! them by about the same factor, which a short search shows. Plans are made without it, so that
//! the units of a run are the same on all machines; only the times that people read are taken times
//! it.

use std::time::{Duration, Instant};

use cpu_time::ProcessTime;
use rug::Rational;
use tmd_core::{ArgumentRange, Breakpoints, Format, Interrupt, Problem};
use tmd_functions::{Builtin, Expression, Family};

use crate::{
    DriverError, InverseUse, Plan, Search, SolvePlan, Workers,
    family::{FamilyVia, FamilyWorkers, Shape, is_of_device},
    plan::RangePlan,
    solve::{Treatment, Unit},
    via::Via,
};

/// How fast this machine is, and how busy.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Timing {
    /// seconds that searches take over those that plans expect
    pub calibration: f64,
    /// processor time over time by the clock of a search on one core: near 1 on a quiet machine,
    /// less if other programs had the processors
    pub share: f64,
}

impl Timing {
    /// A device's, and where nothing was timed.
    const UNIT: Self = Self { calibration: 1.0, share: 1.0 };

    /// Of a search on one core that plans expect to take so many seconds: the shortest of a few.
    fn of(expected: f64, search: impl Fn() -> Result<(), DriverError>) -> Result<Self, DriverError> {
        let (mut shortest, mut spent, mut passed) = (Duration::MAX, Duration::ZERO, Duration::ZERO);
        for _ in 0..TIMES {
            let (started, begun) = (Instant::now(), ProcessTime::try_now());
            search()?;
            let wall = started.elapsed();
            // other threads of this process may have worked, too: then the clock says less
            let cpu = begun.and_then(|begun| begun.try_elapsed()).map_or(wall, |cpu| cpu.min(wall));
            shortest = shortest.min(cpu);
            spent += cpu;
            passed += wall;
        }
        let share = spent.as_secs_f64() / passed.as_secs_f64().max(1e-9);
        Ok(Self { calibration: shortest.as_secs_f64() / expected, share })
    }

    /// Whether other programs took more than a fifth of a core.
    pub fn is_busy(&self) -> bool {
        self.share < 0.8
    }
}

/// Seconds, by the models, of a search that is timed; and how many are. The shortest counts: other
/// programs only lengthen them.
const SECONDS: f64 = 0.02;
const TIMES: u64 = 3;

/// Longest search that is timed, in arguments: half a binade.
const MOST: f64 = (1u64 << 51) as f64;

impl Workers<'_> {
    /// Seconds that searches take over those that plans expect: [`Timing::calibration`].
    ///
    /// # Errors
    /// [`DriverError::NoBackend`], and those of the engine.
    pub fn calibration(&self) -> Result<f64, DriverError> {
        self.timing().map(|timing| timing.calibration)
    }

    /// Times the CPU's engine in a few hundredths of a second, by the time that this process had a
    /// processor: what other programs do changes little. A calibration of 1 if there are devices,
    /// whose models were fitted to them when they were opened.
    ///
    /// # Errors
    /// [`DriverError::NoBackend`], and those of the engine.
    pub fn timing(&self) -> Result<Timing, DriverError> {
        let mut groups = self.searching();
        let group = groups.next().ok_or(DriverError::NoBackend)?;
        if group.role.is_device() {
            return Ok(Timing::UNIT);
        }
        let function = Expression::function(Builtin::Exp);
        let problem = Problem::new(Format::BINARY64, Format::BINARY64, Breakpoints::Directed, 45)?;
        // [1, 1 + n·2^-52): where domains are as large as where most of the time goes
        let search = |arguments: u64| Search {
            function: &function,
            from: Rational::from(1),
            to: Rational::from(1) + Rational::from((arguments, 1u64 << 52)),
            problem,
            workers: Workers::cpu(group.backend, 1),
        };
        let sample = 1u64 << 30;
        let rate = search(sample).plan_with(InverseUse::Never)?.core_seconds / sample as f64;
        let timed = search((SECONDS / rate).clamp(1.0, MOST) as u64);
        let expected = timed.plan_with(InverseUse::Never)?.core_seconds;
        Timing::of(expected, || timed.run_with(InverseUse::Never, &(), &Interrupt::new()).map(drop))
    }

    /// The same of searches of families of arguments, by some windows of the sine of large
    /// arguments; a calibration of 1 if nobody walks, or a device: a few windows do not tell how
    /// fast it is.
    ///
    /// # Errors
    /// [`DriverError::NoBackend`], and those of the engine.
    pub fn family_timing(&self) -> Result<Timing, DriverError> {
        let Some((families, _)) = self.families() else { return Ok(Timing::UNIT) };
        if is_of_device(&families.engine.name()) {
            return Ok(Timing::UNIT);
        }
        let Some(family) = Family::of(Builtin::Sin) else { return Ok(Timing::UNIT) };
        let function = Expression::function(Builtin::Sin);
        let problem = Problem::new(Format::BINARY64, Format::BINARY64, Breakpoints::All, 45)?;
        let arguments = vec![ArgumentRange::new(1 << 52, 948, 1 << 52)];
        // and their mirror images
        let (via, circle) = FamilyVia::new(family, arguments, Shape::of(&families, 2, 1));
        let engine = families.engine.as_ref();
        let search = via.search(&function, &problem, &circle, engine, 1)?;
        let whole: f64 = search.estimate(&via.arguments)?.iter().map(|e| e.seconds(&families)).sum();
        let count = ((SECONDS / whole * circle.count() as f64) as u64).max(1);
        let timed = circle.part(circle.count() / 3, count);
        let expected = whole * count as f64 / circle.count() as f64;
        Timing::of(expected, || {
            let workers = FamilyWorkers { engine, threads: 1, has_fallback: true };
            via.run(&function, &problem, &timed, workers, &|_| {}, &Interrupt::new()).map(drop)
        })
    }

    /// Of searches of arguments one after the other and, if there are `families`, of these; and the
    /// smaller share of a core that either got.
    fn timings(&self, families: bool) -> Result<(Timing, f64), DriverError> {
        let timing = self.timing()?;
        let families = if families { self.family_timing()? } else { Timing::UNIT };
        let share = timing.share.min(families.share);
        Ok((Timing { share, ..timing }, families.calibration))
    }
}

impl Plan {
    /// The same plan at the calibration of these workers, that of families included if there are
    /// any; and whether it was busy when it was timed.
    ///
    /// # Errors
    /// Those of [`Workers::timing`].
    pub fn at_calibration_of(self, workers: &Workers) -> Result<(Self, Timing), DriverError> {
        let is_rival = |range: &RangePlan| range.rival.as_ref().is_some_and(|rival| rival.is_family);
        let has_family = self.ranges.iter().any(|range| range.is_family || is_rival(range));
        let (timing, families) = workers.timings(has_family)?;
        Ok((self.at_calibrations(timing.calibration, families), timing))
    }

    fn at_calibrations(mut self, search: f64, families: f64) -> Self {
        for range in &mut self.ranges {
            range.at_calibrations(search, families);
        }
        self.core_seconds = self.ranges.iter().map(|range| range.core_seconds).sum();
        self.seconds = self.ranges.iter().map(|range| range.seconds).sum();
        self.calibration *= search;
        self.family_calibration *= families;
        self
    }
}

impl SolvePlan {
    /// The same plan, regions and units, at the calibration of these workers, that of families
    /// included if there are any; and whether it was busy when it was timed. What is out of reach
    /// stays so, by the models.
    ///
    /// # Errors
    /// Those of [`Workers::timing`].
    pub fn at_calibration_of(self, workers: &Workers) -> Result<(Self, Timing), DriverError> {
        let is_family = |unit: &Unit| matches!(unit.via, Some(Via::Family(_)));
        let (timing, families) = workers.timings(self.units.iter().any(is_family))?;
        Ok((self.at_calibrations(timing.calibration, families), timing))
    }

    fn at_calibrations(mut self, search: f64, families: f64) -> Self {
        for planned in &mut self.regions {
            if let Treatment::Searched { plan, .. } = &mut planned.treatment {
                plan.at_calibrations(search, families);
            }
        }
        for unit in &mut self.units {
            unit.core_seconds *= if matches!(unit.via, Some(Via::Family(_))) { families } else { search };
        }
        self.calibration *= search;
        self.family_calibration *= families;
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Solve;
    use tmd_core::{Backend, CoreError, Piece, PieceOutcome, PiecePlan, Scalar, ScalarEngine, exist::Logms};
    use tmd_simd::{Level, Simd};

    /// The walk, whose plan expects so many times its time.
    struct Boaster(Simd, f64);

    impl Backend for Boaster {
        fn name(&self) -> String {
            self.0.name()
        }

        fn plan(&self, piece: &Piece) -> Result<PiecePlan, CoreError> {
            let plan = self.0.plan(piece)?;
            Ok(PiecePlan { seconds: plan.seconds * self.1, ..plan })
        }

        fn search(&self, piece: &Piece, interrupt: &Interrupt) -> Result<PieceOutcome, CoreError> {
            self.0.search(piece, interrupt)
        }
    }

    /// A plan that expects a twentieth of the time is found out, whatever this machine is and does.
    #[test]
    fn wrong_models_are_made_good() {
        let [honest, modest] = [1.0, 0.05].map(|factor| Boaster(Simd::farey(Level::best()), factor));
        let calibration = |backend| Workers::cpu(backend, 1).calibration().unwrap();
        assert!(calibration(&modest) > 5.0 * calibration(&honest));
    }

    #[test]
    fn slow_engines_are_timed_too() {
        let exhaustive =
            Scalar { engine: ScalarEngine::Exhaustive, logms: Logms::default(), domain_size: None };
        let calibration = Workers::cpu(&exhaustive, 1).calibration().unwrap();
        assert!(calibration > 0.0 && calibration.is_finite());
    }

    #[test]
    fn times_are_scaled_and_nothing_else() {
        let walk = Simd::farey(Level::best());
        let function = tmd_functions::parse("exp").unwrap();
        let problem = Problem::new(Format::BINARY32, Format::BINARY32, Breakpoints::All, 21).unwrap();
        let workers = Workers::cpu(&walk, 2);
        let solve = Solve { function: &function, problem, binades: None, workers, limit: f64::INFINITY };
        let plan = solve.plan().unwrap();
        let slow = plan.clone().at_calibrations(2.0, 2.0);
        assert_eq!(slow.digest(), plan.digest());
        let [slow_seconds, seconds] = [&slow, &plan].map(|plan| plan.totals(&solve).core_seconds);
        assert!((slow_seconds / seconds - 2.0).abs() < 1e-9);
        let sum = |plan: &SolvePlan| plan.units.iter().map(|unit| unit.core_seconds).sum::<f64>();
        assert!((sum(&slow) / sum(&plan) - 2.0).abs() < 1e-9);
        assert!(
            slow.to_table(&solve).contains("2.00 times the model's")
                && !plan.to_table(&solve).contains("model's")
        );
    }
}
