//! How long a search will take, and how it will go: without searching.
//!
//! Every range of arguments (a binade, or the part of one that the interval covers) is sampled at a
//! few places, more of them where its arguments do not all take the same time: there a Taylor piece
//! is made as the search would make it, and each backend says how it would search that piece
//! ([`Backend::plan`](tmd_core::Backend::plan)). What is printed of a range is the plan of the
//! first one: a device if there is one.

use core::fmt;

use serde::Serialize;
use tmd_core::{ArgumentRange, Number, Piece, PiecePlan, Problem, difftable::power_of_two};
use tmd_functions::{TaylorError, taylor::taylor_piece};

use super::{
    POINTWISE,
    samples::Samples,
    sieve::{MOST_SIEVED, SIEVING, Sieve},
    workers::Group,
};
use crate::{DriverError, InverseUse, Search, family::Whole};

/// A way that takes so many times longer is not named beside the one that is taken.
const NEAR: f64 = 10.0;

/// Seconds that confirming one argument with MPFR takes, roughly.
pub(crate) const CONFIRMATION: f64 = 8e-6;

/// The plan of a search.
#[derive(Clone, Debug, Serialize)]
pub struct Plan {
    /// Arguments in the interval.
    pub arguments: u128,
    /// Cases to be expected if the results were random.
    pub expected_cases: f64,
    /// Expected seconds of the first backend alone, over all ranges: on one core, or on the device.
    pub core_seconds: f64,
    /// Expected seconds of the whole workers.
    pub seconds: f64,
    /// The [`calibration`](crate::Workers::calibration) of these times; 1 if they are the cost
    /// model's own.
    pub calibration: f64,
    /// The same of searches all at once.
    #[serde(rename = "family_pace")]
    pub family_calibration: f64,
    /// Who searches, devices first.
    pub backends: Vec<PlannedBackend>,
    /// One entry per range.
    pub ranges: Vec<RangePlan>,
}

/// One backend of the workers.
#[derive(Clone, Debug, Serialize)]
pub struct PlannedBackend {
    /// Its name.
    pub name: String,
    /// Cores it works on; 1 for a device.
    pub cores: usize,
    /// Whether it is a device.
    pub is_device: bool,
}

/// The plan of one range of equally spaced arguments.
#[derive(Clone, Debug, Default, Serialize)]
pub struct RangePlan {
    /// First argument.
    pub from: String,
    /// Arguments in the range.
    pub arguments: u64,
    /// Backend and engine in the middle of the range; `confirmation` where every argument is
    /// confirmed with MPFR, `addition theorem` where those are that a table of sines cannot rule
    /// out.
    pub engine: String,
    /// Arguments of a Taylor piece there.
    pub piece: u64,
    /// Degree of its polynomial.
    pub degree: usize,
    /// Arguments per domain, N.
    pub domain_size: u64,
    /// Order of the Farey fractions, M.
    pub order: Option<u64>,
    /// Domains per run.
    pub run: u64,
    /// Half-width of the search's window, log2 ulp.
    pub log2_half_width: f64,
    /// Expected seconds of the first backend alone: on one core, or on the device.
    pub core_seconds: f64,
    /// Expected seconds of the whole workers.
    pub seconds: f64,
    /// Whether the arguments are searched all at once, by the walk in three dimensions; then
    /// `piece` is of a segment, `domain_size` of a window and `run` the windows of a segment.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub is_family: bool,
    /// How windows are cut, if they are.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub windows: Option<WindowPlan>,
    /// Another way that was thought of, and is slower.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rival: Option<Rival>,
    /// Consecutive parts of the range, and their shares of its time; none if they were not asked
    /// for.
    #[serde(skip)]
    pub(crate) shares: Vec<(u64, f64)>,
}

/// The windows of a walk in three dimensions, as its cost model has chosen them.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct WindowPlan {
    /// log2 of the width of a window, the mean of a walk: in turns of a periodic function and of
    /// exponentials, in significands from 1/2 to 1 of logarithms.
    pub log2_width: f64,
    /// Lattice points that a window holds on average.
    pub volume: f64,
    /// Points of how many spans are looked for in each.
    pub targets: usize,
    /// Most windows from one exact basis to the next; none if all are exact.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub run: Option<u32>,
    /// Nanoseconds of one core for each, by the cost model.
    pub nanoseconds: f64,
}

impl WindowPlan {
    /// Whether the windows of two plans differ in their widths at most.
    pub(crate) fn is_alike(&self, other: &Self) -> bool {
        *self == Self { log2_width: self.log2_width, ..*other }
    }

    /// A line for people, about windows of an engine, of which the widest are so much wider.
    pub(crate) fn describe(&self, engine: &str, log2_widest: f64) -> String {
        let Self { log2_width, volume, targets, run, nanoseconds } = self;
        let run = run
            .map_or_else(|| "in exact numbers".into(), |run| format!("an exact basis every {run} at most"));
        let targets = if *targets == 1 { "one target".into() } else { format!("{targets} targets") };
        let to =
            if log2_widest > log2_width + 0.05 { format!(" to 2^{log2_widest:.1}") } else { String::new() };
        format!(
            "all at once by {engine}: windows 2^{log2_width:.1}{to} wide, of {volume} lattice points for {targets}, {run}; \
             {nanoseconds:.1} ns each by the cost model\n"
        )
    }
}

/// A way of a search that a plan did not choose.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Rival {
    /// Who would search.
    pub engine: String,
    /// Core-seconds that it would take.
    pub core_seconds: f64,
    /// Whether it is the walk in three dimensions.
    pub is_family: bool,
}

impl Rival {
    /// What it would be, as the end of a sentence about what is done instead.
    pub(crate) fn describe(&self) -> String {
        let how = if self.is_family { "all at once " } else { "" };
        format!("{how}by {} in {}", self.engine, duration(self.core_seconds))
    }
}

/// A sample: the piece around an argument.
struct Sample {
    arguments: u64,
    degree: usize,
    /// the first backend's
    plan: PiecePlan,
    /// seconds of all backends together
    seconds: f64,
}

impl Search<'_> {
    /// The plan of this search.
    pub fn plan(&self) -> Result<Plan, DriverError> {
        self.plan_with(InverseUse::default())
    }

    /// The plan of [`run_with`](Self::run_with).
    pub fn plan_with(&self, families: InverseUse) -> Result<Plan, DriverError> {
        let (arguments, ranges) = self.ranges()?;
        let ways = self.ways(&ranges, families)?;
        self.validate(&ways.rest)?;
        let rest = self.known_and_rest(&ways.rest).1;
        let mut plan = self.plan_over(&rest)?;
        for direct in &ways.rivals {
            for range in plan.ranges.iter_mut().filter(|range| range.from == direct.from) {
                range.rival.clone_from(&direct.rival);
            }
        }
        let first = |range: &ArgumentRange| range.argument(0);
        let mut ranges: Vec<(Option<Number>, RangePlan)> =
            rest.iter().map(first).map(Some).zip(plan.ranges).collect();
        for Whole { via, plan: whole, .. } in ways.families {
            plan.core_seconds += whole.core_seconds;
            plan.seconds += whole.seconds;
            plan.arguments += u128::from(whole.arguments);
            ranges.push((via.arguments.first().map(first), whole));
        }
        ranges.sort_by_key(|(first, _)| *first);
        plan.ranges = ranges.into_iter().map(|(_, range)| range).collect();
        debug_assert!(plan.arguments <= arguments);
        let problem = &self.problem;
        plan.expected_cases =
            problem.breakpoints().expected_cases(plan.arguments as f64, problem.extra_bits());
        Ok(plan)
    }

    /// The plan of [`run_over`](Self::run_over) these ranges; whether the function is defined there
    /// is left to the search.
    pub fn plan_over(&self, ranges: &[ArgumentRange]) -> Result<Plan, DriverError> {
        let arguments: u128 = ranges.iter().map(|range| u128::from(range.count())).sum();
        let groups: Vec<Group> = self.workers.searching().collect();
        if groups.is_empty() {
            return Err(DriverError::NoBackend);
        }
        let plans =
            ranges.iter().map(|range| self.plan_range(&groups, range)).collect::<Result<Vec<_>, _>>()?;
        Ok(Plan {
            arguments,
            expected_cases: self
                .problem
                .breakpoints()
                .expected_cases(arguments as f64, self.problem.extra_bits()),
            core_seconds: plans.iter().map(|plan| plan.core_seconds).sum(),
            seconds: plans.iter().map(|plan| plan.seconds).sum(),
            calibration: 1.0,
            family_calibration: 1.0,
            backends: groups
                .iter()
                .map(|group| PlannedBackend {
                    name: group.backend.name(),
                    cores: cores(group) as usize,
                    is_device: group.role.is_device(),
                })
                .collect(),
            ranges: plans,
        })
    }

    fn plan_range(&self, groups: &[Group], range: &ArgumentRange) -> Result<RangePlan, DriverError> {
        let count = range.count();
        let scale = power_of_two(self.problem.breakpoints().scale_bits() as i32);
        let cases = self.problem.breakpoints().expected_cases(count as f64, self.problem.extra_bits());
        // confirmation is work for the threads that search, on devices too
        let threads: f64 = groups.iter().map(|group| group.threads as f64).sum();
        let is_sieved = Sieve::suits(self.function, &self.problem, range);
        let alone = if is_sieved { SIEVING } else { CONFIRMATION };
        // seconds of an argument, by what was found near it
        let each = |sample: &Option<Sample>, seconds: fn(&Sample) -> f64, threads: f64| match sample {
            Some(sample) => seconds(sample) / sample.arguments as f64,
            None => alone / threads,
        };
        let samples = Samples::of(count, |k| {
            let sample = self.sample(groups, range, k)?;
            let density = each(&sample, |sample| sample.plan.seconds, 1.0);
            Ok::<_, DriverError>((sample, density))
        })?;
        let total = |seconds: fn(&Sample) -> f64, threads: f64| {
            let own = samples.0.iter().map(|cell| each(&cell.found, seconds, threads) * cell.count as f64);
            own.sum::<f64>() + cases * CONFIRMATION / threads
        };
        let (core_seconds, seconds) =
            (total(|sample| sample.plan.seconds, 1.0), total(|sample| sample.seconds, threads));
        let shares = samples.shares();
        let middle = samples.middle().and_then(|cell| cell.found.as_ref());
        Ok(match middle {
            Some(Sample { arguments, degree, plan, .. }) => RangePlan {
                shares,
                from: range.argument(0).to_string(),
                arguments: count,
                engine: plan.engine.clone(),
                piece: *arguments,
                degree: *degree,
                domain_size: plan.domain_size,
                order: plan.order,
                run: plan.run,
                log2_half_width: (plan.budget.test_half_width().get() / scale).log2(),
                core_seconds,
                seconds,
                ..RangePlan::default()
            },
            None => RangePlan {
                shares,
                from: range.argument(0).to_string(),
                arguments: count,
                engine: if is_sieved { "addition theorem".into() } else { "confirmation".into() },
                piece: if is_sieved { MOST_SIEVED } else { POINTWISE }.min(count),
                domain_size: 1,
                run: 1,
                log2_half_width: (self.problem.tolerance() / scale).log2(),
                core_seconds,
                seconds,
                ..RangePlan::default()
            },
        })
    }

    /// The piece that the search would make around argument `k`, planned; `None` if it would
    /// confirm one by one.
    fn sample(&self, groups: &[Group], range: &ArgumentRange, k: u64) -> Result<Option<Sample>, DriverError> {
        let (mut range, mut k) = (*range, k);
        // arguments that are alone
        if Sieve::suits(self.function, &self.problem, &range) {
            return Ok(None);
        }
        while range.count() > POINTWISE {
            if range.count() <= Piece::MAX_ARGUMENTS {
                match taylor_piece(self.function, &range, &self.problem) {
                    Ok(piece) => return Sample::new(groups, &piece).map(Some),
                    Err(TaylorError::Core(error)) => return Err(error.into()),
                    Err(_) => {}
                }
            }
            let (left, right) = range.halves();
            if k < left.count() {
                range = left;
            } else {
                k -= left.count();
                range = right;
            }
        }
        Ok(None)
    }
}

impl RangePlan {
    /// Whether it takes so little more time than another plan that it is worth a word.
    pub(crate) fn is_near(&self, other: &Self) -> bool {
        self.core_seconds < NEAR * other.core_seconds
    }

    /// The plan, with a slower one named.
    pub(crate) fn instead_of(self, other: &Self) -> Self {
        let Self { engine, core_seconds, is_family, .. } = other.clone();
        Self { rival: Some(Rival { engine, core_seconds, is_family }), ..self }
    }

    /// Its times, and those of its rival, at these calibrations of searches and of families.
    pub(crate) fn at_calibrations(&mut self, search: f64, families: f64) {
        let calibration = |is_family: bool| if is_family { families } else { search };
        self.core_seconds *= calibration(self.is_family);
        self.seconds *= calibration(self.is_family);
        if let Some(rival) = &mut self.rival {
            rival.core_seconds *= calibration(rival.is_family);
        }
    }

    /// The plan of a list of so many arguments, next to the breakpoints of a range.
    pub(crate) fn of_list(
        breakpoints: &ArgumentRange,
        listed: f64,
        problem: &Problem,
        threads: usize,
    ) -> Self {
        let core_seconds = (listed + breakpoints.count() as f64) * CONFIRMATION;
        Self::of_confirmations("confirmation", breakpoints, core_seconds, problem, threads)
    }

    /// The plan of congruences that lead to so many arguments of a range.
    pub(crate) fn of_congruences(
        range: &ArgumentRange,
        pairs: f64,
        problem: &Problem,
        threads: usize,
    ) -> Self {
        Self::of_confirmations("congruences", range, pairs * CONFIRMATION, problem, threads)
    }

    fn of_confirmations(
        engine: &str,
        range: &ArgumentRange,
        core_seconds: f64,
        problem: &Problem,
        threads: usize,
    ) -> Self {
        let scale = power_of_two(problem.breakpoints().scale_bits() as i32);
        Self {
            from: range.argument(0).to_string(),
            arguments: range.count(),
            engine: engine.into(),
            piece: 1,
            domain_size: 1,
            run: 1,
            log2_half_width: (problem.tolerance() / scale).log2(),
            core_seconds,
            seconds: core_seconds / threads.max(1) as f64,
            ..Self::default()
        }
    }

    /// The plan of all these ranges: that of the longest one, with the arguments and the times of
    /// all.
    pub(crate) fn of_all(plans: Vec<Self>) -> Option<Self> {
        let arguments = plans.iter().map(|plan| plan.arguments).sum();
        let sum = |seconds: fn(&Self) -> f64| plans.iter().map(seconds).sum::<f64>();
        let (core_seconds, seconds) = (sum(|plan| plan.core_seconds), sum(|plan| plan.seconds));
        let from = plans.first()?.from.clone();
        let longest = plans.into_iter().max_by_key(|plan| plan.arguments)?;
        Some(Self { from, arguments, core_seconds, seconds, ..longest })
    }
}

impl Sample {
    fn new(groups: &[Group], piece: &Piece) -> Result<Self, DriverError> {
        let plans = groups.iter().map(|group| group.backend.plan(piece)).collect::<Result<Vec<_>, _>>()?;
        // pieces per second of all together
        let rate: f64 = groups.iter().zip(&plans).map(|(group, plan)| cores(group) / plan.seconds).sum();
        let plan = plans.into_iter().next().ok_or(DriverError::NoBackend)?;
        Ok(Self {
            arguments: piece.arguments(),
            degree: piece.polynomial().len() - 1,
            plan,
            seconds: 1.0 / rate,
        })
    }
}

/// How many of what its plan speaks of a group has: cores, or one device.
fn cores(group: &Group) -> f64 {
    if group.role.is_device() { 1.0 } else { group.threads as f64 }
}

impl Plan {
    /// The plan as one JSON document.
    pub fn to_json(&self) -> String {
        // numbers and strings only: serialization cannot fail
        serde_json::to_string_pretty(self).map_or_else(|error| error.to_string(), |text| text + "\n")
    }

    /// What it comes to, in two lines.
    pub fn summary(&self) -> String {
        let one = match self.backends.first() {
            Some(backend) if backend.is_device => backend.name.as_str(),
            _ => "one core",
        };
        let all: Vec<String> = self.backends.iter().map(PlannedBackend::to_string).collect();
        format!(
            "2^{:.1} arguments, about {:.3} cases; expected {} on {one}, {} on {}\n",
            (self.arguments as f64).log2(),
            self.expected_cases,
            duration(self.core_seconds),
            duration(self.seconds),
            all.join(" and "),
        ) + &calibration_lines(self.calibration, self.family_calibration)
    }

    /// The plan as a table: what it comes to, then one line per range.
    pub fn to_table(&self) -> String {
        use core::fmt::Write as _;
        let has_device = self.backends.first().is_some_and(|backend| backend.is_device);
        let time = if has_device { "device time" } else { "core time" };
        let mut text = self.summary();
        let _ = writeln!(
            text,
            "\n{:<24} {:>9}  {:<16} {:>8} {:>9} {:>9} {:>5} {:>9} {:>12}",
            "from", "arguments", "engine", "piece", "N", "M", "run", "h", time
        );
        for range in &self.ranges {
            let order = range.order.map_or_else(|| "-".into(), |order| order.to_string());
            let _ = writeln!(
                text,
                "{:<24} {:>9}  {:<16} {:>8} {:>9} {:>9} {:>5} {:>9} {:>12}",
                range.from,
                format!("2^{:.1}", (range.arguments as f64).log2()),
                range.engine,
                format!("2^{:.1}", (range.piece as f64).log2()),
                range.domain_size,
                order,
                range.run,
                format!("2^{:.1}", range.log2_half_width),
                duration(range.core_seconds),
            );
            if let Some(rival) = &range.rival {
                let how = if range.is_family { "all at once; " } else { "one after the other; " };
                let _ = writeln!(text, "{:<24} {how}{}", "", rival.describe());
            }
            if let Some(windows) = &range.windows {
                let _ = write!(text, "{:<24} {}", "", windows.describe(&range.engine, windows.log2_width));
            }
        }
        text + "\npiece: arguments of a Taylor polynomial; N: arguments per domain, M: order of the Farey fractions, run: domains per \
                run; h: half-width of the search's window in ulps\n"
    }
}

impl fmt::Display for PlannedBackend {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self { is_device: true, name, .. } => f.write_str(name),
            Self { cores: 1, .. } => f.write_str("one core"),
            Self { cores, .. } => write!(f, "{cores} cores"),
        }
    }
}

/// What is said of times that are not the cost model's own, of families by themselves.
pub(crate) fn calibration_lines(search: f64, families: f64) -> String {
    let line = |calibration: f64, text: String| {
        if (calibration - 1.0).abs() < f64::EPSILON { String::new() } else { text }
    };
    line(search, format!("times of this machine, {search:.2} times the model's by a short search just now\n"))
        + &line(
            families,
            format!(
                "of searches all at once (the walk in three dimensions), {families:.2} times their model's\n"
            ),
        )
}

/// Seconds as people say them.
pub fn duration(seconds: f64) -> String {
    match seconds {
        s if s < 0.001 => format!("{:.1} µs", s * 1e6),
        s if s < 1.0 => format!("{:.1} ms", s * 1e3),
        s if s < 120.0 => format!("{s:.1} s"),
        s if s < 7200.0 => format!("{:.1} min", s / 60.0),
        s if s < 172_800.0 => format!("{:.1} h", s / 3600.0),
        s if s < 63_072_000.0 => format!("{:.1} days", s / 86_400.0),
        s => format!("{:.3e} years", s / 31_556_952.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{CpuRole, Workers};
    use rug::Rational;
    use tmd_core::{Backend, Breakpoints, CoreError, Format, Interrupt, PieceOutcome, Problem};
    use tmd_simd::{Level, Simd};

    /// Of exp from 1 on.
    fn plan(to: i32, extra_bits: u32, inverse: InverseUse, workers: Workers) -> Plan {
        let double = Format::BINARY64;
        let problem = Problem::new(double, double, Breakpoints::Directed, extra_bits).unwrap();
        let (function, from) = (&tmd_functions::parse("exp").unwrap(), Rational::from(1));
        let search = Search { function, from, to: Rational::from(to), problem, workers };
        search.plan_with(inverse).unwrap()
    }

    /// One entry per binade, domains that shrink as the function bends more, time that grows with
    /// it.
    #[test]
    fn binades_of_exp() {
        let plan = plan(512, 50, InverseUse::Never, Workers::cpu(&Simd::farey(Level::best()), 2));
        assert_eq!(plan.ranges.len(), 9);
        assert!(plan.ranges.windows(2).all(|w| w[0].domain_size > w[1].domain_size), "{plan:?}");
        assert!(plan.ranges.windows(2).all(|w| w[0].core_seconds < w[1].core_seconds), "{plan:?}");
        assert!(plan.ranges.iter().all(|range| range.engine.starts_with("farey") && range.order.is_some()));
        let ratio = plan.core_seconds / plan.seconds;
        assert!((ratio - 2.0).abs() < 1e-9, "two cores take half the time: {ratio}");
        let table = plan.to_table();
        assert_eq!(table.lines().count(), 2 + 1 + 9 + 2, "{table}");
        assert!(table.contains("on one core, "), "{table}");
        assert!(table.starts_with("2^"), "the answer comes first: {table}");
        assert!(plan.summary().ends_with("on 2 cores\n") && table.starts_with(&plan.summary()), "{table}");
        let document: serde_json::Value = serde_json::from_str(&plan.to_json()).unwrap();
        assert!(document["ranges"][0]["order"].is_u64());
    }

    /// A device with this share of the walk's time.
    struct Device(Simd, f64);

    impl Backend for Device {
        fn name(&self) -> String {
            "gpu".into()
        }
        fn plan(&self, piece: &Piece) -> Result<PiecePlan, CoreError> {
            let plan = self.0.plan(piece)?;
            Ok(PiecePlan { engine: "farey on a gpu".into(), seconds: plan.seconds * self.1, ..plan })
        }
        fn search(&self, piece: &Piece, interrupt: &Interrupt) -> Result<PieceOutcome, CoreError> {
            self.0.search(piece, interrupt)
        }
    }

    /// Devices come first; all together take the time that their speeds add up to; those who stand
    /// in add nothing.
    #[test]
    fn devices_and_cores() {
        let walk = Simd::farey(Level::best());
        let gpu = Device(walk, 0.125);
        let plan = |workers| plan(2, 60, InverseUse::default(), workers);
        let devices = || Workers::devices(vec![&gpu, &gpu]);
        let core = plan(Workers::cpu(&walk, 1)).seconds;
        let hybrid = plan(devices().with_cpu(&walk, 4, CpuRole::Both));
        assert_eq!(hybrid.ranges[0].engine, "farey on a gpu");
        // 8 + 8 + 4 cores' worth; confirmation of the few cases aside
        assert!((core / hybrid.seconds - 20.0).abs() < 1e-3, "{core} s, {hybrid:?}");
        assert!((core / hybrid.core_seconds - 8.0).abs() < 1e-3, "{core} s, {hybrid:?}");
        let table = hybrid.to_table();
        assert!(table.contains("device time") && table.contains(" on gpu, "), "{table}");
        assert!(hybrid.summary().ends_with(" on gpu and gpu and 4 cores\n"), "{table}");
        let gpus = plan(devices().with_cpu(&walk, 4, CpuRole::Fallback));
        assert!((core / gpus.seconds - 16.0).abs() < 1e-3, "{core} s, {gpus:?}");
        assert_eq!(gpus.backends.len(), 2);
    }

    /// An argument next to a pole takes longer than others: [16, 32) has five, [0.75, 0.875) none.
    #[test]
    fn a_binade_with_poles_takes_what_its_parts_take() {
        let double = Format::BINARY64;
        let problem = Problem::new(double, double, Breakpoints::All, 45).unwrap();
        let function = &tmd_functions::parse("tan").unwrap();
        let walk = Simd::farey(Level::best());
        let workers = Workers::cpu(&walk, 1);
        let plan = |from: Rational, to: Rational, parts: u64| {
            let search = Search { function, from, to, problem, workers: workers.clone() };
            let range = search.ranges().unwrap().1[0];
            let size = range.count() / parts;
            let parts: Vec<ArgumentRange> = (0..parts).map(|i| range.part(i * size, size)).collect();
            search.plan_over(&parts).unwrap()
        };
        let binade = |parts| plan(16.into(), 32.into(), parts);
        let (whole, parts) = (binade(1), binade(if tmd_testkit::is_long() { 32 } else { 8 }).core_seconds);
        let ratio = whole.core_seconds / parts;
        assert!((2.0 / 3.0..1.5).contains(&ratio), "{} s, its parts {parts} s", whole.core_seconds);
        let shares = &whole.ranges[0].shares;
        assert!(shares.len() > 50, "{shares:?}");
        assert_eq!(shares.iter().map(|(count, _)| count).sum::<u64>(), 1 << 52);
        let flat = plan(Rational::from((3, 4)), Rational::from((7, 8)), 1);
        assert_eq!(flat.ranges[0].shares, [(1 << 50, 1.0)]);
    }

    #[test]
    fn durations() {
        let said: Vec<_> = [2e-5, 0.25, 30.0, 600.0, 1e4, 1e6, 1e9].map(duration).to_vec();
        assert_eq!(
            said,
            ["20.0 µs", "250.0 ms", "30.0 s", "10.0 min", "2.8 h", "11.6 days", "3.169e1 years"]
        );
    }
}
