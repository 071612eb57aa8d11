//! [`Workforce::pace`]: how long searches take on this machine's processor, compared with what the cost models expect.
//!
//! The models' nanoseconds are those of one kind of core. Another one is faster or slower at all of them by about the same factor, which
//! a short search shows. Plans are made without it, so that the units of a run are the same on all machines; only the times that people
//! read are taken times it.

use std::time::{Duration, Instant};

use cpu_time::ProcessTime;
use rug::Rational;
use tmd_core::{Breakpoints, Format, Interrupt, Problem};
use tmd_functions::{Builtin, Expression};

use crate::{DriverError, Plan, Search, SolvePlan, Workforce, solve::Treatment};

/// How fast this machine is, and how busy.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Timing {
    /// seconds that searches take over those that plans expect
    pub pace: f64,
    /// processor time over time by the clock of a search on one core: near 1 on a quiet machine, less if other programs
    /// had the processors
    pub share: f64,
}

impl Timing {
    /// A device's, and where nothing was timed.
    const UNIT: Self = Self { pace: 1.0, share: 1.0 };

    /// Whether other programs took more than a fifth of a core.
    pub fn is_busy(&self) -> bool {
        self.share < 0.8
    }
}

/// Seconds, by the models, of a search that is timed; and how many are. The shortest counts: other programs only lengthen them.
const SECONDS: f64 = 0.02;
const TIMES: u64 = 3;

/// Longest search that is timed, in arguments: half a binade.
const MOST: f64 = (1u64 << 51) as f64;

impl Workforce<'_> {
    /// Seconds that searches take over those that plans expect: [`Timing::pace`].
    ///
    /// # Errors
    /// [`DriverError::NoBackend`], and those of the engine.
    pub fn pace(&self) -> Result<f64, DriverError> {
        self.timing().map(|timing| timing.pace)
    }

    /// Times the CPU's engine in a few hundredths of a second, by the time that this process had a processor: what other programs
    /// do changes little. A pace of 1 if there are devices, whose models were fitted to them when they were opened.
    ///
    /// # Errors
    /// [`DriverError::NoBackend`], and those of the engine.
    pub fn timing(&self) -> Result<Timing, DriverError> {
        let mut crews = self.searching();
        let crew = crews.next().ok_or(DriverError::NoBackend)?;
        if crew.role.is_device() {
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
            workforce: Workforce::cpu(crew.backend, 1),
        };
        let sample = 1u64 << 30;
        let rate = search(sample).plan()?.core_seconds / sample as f64;
        let timed = search((SECONDS / rate).clamp(1.0, MOST) as u64);
        let expected = timed.plan()?.core_seconds;
        let (mut shortest, mut spent, mut passed) = (Duration::MAX, Duration::ZERO, Duration::ZERO);
        for _ in 0..TIMES {
            let (started, begun) = (Instant::now(), ProcessTime::try_now());
            timed.run(&(), &Interrupt::new())?;
            let wall = started.elapsed();
            // other threads of this process may have worked, too: then the clock says less
            let cpu = begun.and_then(|begun| begun.try_elapsed()).map_or(wall, |cpu| cpu.min(wall));
            shortest = shortest.min(cpu);
            spent += cpu;
            passed += wall;
        }
        let share = spent.as_secs_f64() / passed.as_secs_f64().max(1e-9);
        Ok(Timing { pace: shortest.as_secs_f64() / expected, share })
    }
}

impl Plan {
    /// The same plan at another [`pace`](Workforce::pace).
    #[must_use]
    pub fn at_pace(mut self, pace: f64) -> Self {
        self.core_seconds *= pace;
        self.seconds *= pace;
        for range in &mut self.ranges {
            range.core_seconds *= pace;
            range.seconds *= pace;
        }
        self.pace *= pace;
        self
    }
}

impl SolvePlan {
    /// The same plan, regions and units, at another [`pace`](Workforce::pace). What is out of reach stays so, by the models.
    #[must_use]
    pub fn at_pace(mut self, pace: f64) -> Self {
        for planned in &mut self.regions {
            if let Treatment::Searched { plan, .. } = &mut planned.treatment {
                plan.core_seconds *= pace;
                plan.seconds *= pace;
            }
        }
        for unit in &mut self.units {
            unit.core_seconds *= pace;
        }
        self.pace *= pace;
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
        let pace = |backend| Workforce::cpu(backend, 1).pace().unwrap();
        assert!(pace(&modest) > 5.0 * pace(&honest));
    }

    #[test]
    fn slow_engines_are_timed_too() {
        let exhaustive =
            Scalar { engine: ScalarEngine::Exhaustive, logms: Logms::default(), domain_size: None };
        let pace = Workforce::cpu(&exhaustive, 1).pace().unwrap();
        assert!(pace > 0.0 && pace.is_finite());
    }

    #[test]
    fn times_are_scaled_and_nothing_else() {
        let walk = Simd::farey(Level::best());
        let function = tmd_functions::parse("exp").unwrap();
        let problem = Problem::new(Format::BINARY32, Format::BINARY32, Breakpoints::All, 21).unwrap();
        let workforce = Workforce::cpu(&walk, 2);
        let solve = Solve { function: &function, problem, binades: None, workforce, limit: f64::INFINITY };
        let plan = solve.plan().unwrap();
        let slow = plan.clone().at_pace(2.0);
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
