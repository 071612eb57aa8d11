//! Agreement of the walk in three dimensions: on arcs of doubles with the Farey walk, on small
//! formats with MPFR at every argument.
//!
//! An *arc* is an interval of turns (or of significands): the arguments of a binade whose turns are
//! in it are some stretches of consecutive ones, which an engine in the plane searches one after
//! the other, and an engine in space all at once.

use std::time::Instant;

use rand::{Rng, SeedableRng, rngs::StdRng, seq::IndexedRandom};
use serde::{Deserialize, Serialize};
use tmd_core::{
    ArgumentRange, Breakpoints, Format, Interrupt, Number, Problem,
    lattice3::{Engine, Exact},
};
use tmd_driver::{
    FamilyOutcome, FamilySearch, InverseUse, Search, Workers, confirm::confirm, interval::argument_ranges,
    rug::Integer, rug::Rational,
};
use tmd_functions::{Expression, Family, Function, Repetition, parse, parse_number};
use tmd_simd::{Level, Simd, lattice3::Lattice3};

use crate::{ToolError, lists::Lists, soak};

/// Most and fewest arguments of an arc, as powers of two: as many cases are expected with fewer
/// extra bits, but with few extra bits the lanes leave all windows to the exact walk, and that one
/// takes minutes for more arguments.
pub const LOG2_ARGUMENTS: (u32, u32) = (24, 44);

/// An arc's arguments have so many fewer bits than are asked for more: some dozens of cases are
/// expected.
const FEWER_BITS: u32 = 4;

/// Extra bits where all arguments of an interval are searched.
const EXTRA_BITS: u32 = 44;

/// Bits of a turn in which it is decided whether it is in an arc.
const TURN_BITS: u32 = 128;

/// log2 of the arguments of a small format that MPFR looks at, at most.
const LOG2_LOOKED_AT: u32 = 13;

/// One search, compared.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// The arc, or the question of a small format.
    pub place: String,
    /// Logarithm of the number of arguments.
    pub log2_arguments: u32,
    /// Extra bits, if they are the same of all questions.
    pub extra_bits: Option<u32>,
    /// The engine, lanes included.
    pub engine: String,
    /// Its threads.
    pub threads: usize,
    /// Windows walked.
    pub windows: u64,
    /// Those of them that were searched exactly.
    pub exactly: u64,
    /// Cases listed.
    pub cases: usize,
    /// Whether they are those of the other search.
    pub agrees: bool,
    /// Wall-clock time.
    pub seconds: f64,
    /// The code.
    pub commit: String,
}

/// Every engine of the walk in three dimensions in all lanes of this machine, the fast ones first.
pub fn engines() -> Vec<Box<dyn Engine>> {
    let lanes = Level::available().into_iter().map(|level| Box::new(Lattice3::new(level)) as Box<dyn Engine>);
    lanes.chain([Box::new(Exact::default()) as Box<dyn Engine>]).collect()
}

/// Whose arguments: those of an interval in one binade, or of some exponents.
#[derive(Clone, Copy, Debug)]
enum Whose {
    Interval(&'static str, &'static str),
    Exponents(i32, i32),
}

/// A function over the arguments of an arc.
#[derive(Clone, Debug)]
pub struct Arc {
    /// Its name.
    pub name: &'static str,
    function: Expression,
    family: Family,
    problem: Problem,
    whose: Whose,
    /// All of which those in the arc are a part.
    whole: Vec<ArgumentRange>,
    /// The arc's; `None` for all turns.
    turns: Option<(Rational, Rational)>,
    /// The arguments with turns in the arc, but for some at its ends.
    arguments: Vec<ArgumentRange>,
    log2_arguments: u32,
}

/// The names of the arcs, their functions and whose arguments they have, and where they begin, in
/// 64ths of a turn or of the significands' interval.
const ARCS: [(&str, &str, Whose, u32); 7] = [
    ("exp on [4, 8)", "exp", Whose::Interval("4", "8"), 11),
    ("exp on [64, 65)", "exp", Whose::Interval("64", "65"), 30),
    ("sinh on [32, 64)", "sinh", Whose::Interval("32", "64"), 50),
    ("sin on [2^6, 2^7)", "sin", Whose::Interval("64", "128"), 9),
    ("tan on [2^6, 2^7)", "tan", Whose::Interval("64", "128"), 27),
    ("log on [2^99, 2^102)", "log", Whose::Exponents(99, 101), 23),
    ("logp1 on [2^99, 2^102)", "logp1", Whose::Exponents(99, 101), 44),
];

impl Arc {
    /// The arcs with about so many doubles each.
    ///
    /// # Errors
    /// [`ToolError::Size`].
    pub fn all(log2_arguments: u32) -> Result<Vec<Self>, ToolError> {
        if !(LOG2_ARGUMENTS.0..=LOG2_ARGUMENTS.1).contains(&log2_arguments) {
            return Err(ToolError::Size { allowed: LOG2_ARGUMENTS, asked: log2_arguments });
        }
        ARCS.into_iter().map(|arc| Self::of(arc, Some(log2_arguments))).collect()
    }

    /// All arguments of some intervals: exp on [4, 8) and [64, 65), sin on [2^6, 2^7), and log next
    /// to 2^100.
    ///
    /// # Errors
    /// None that are known.
    pub fn whole() -> Result<Vec<Self>, ToolError> {
        [ARCS[0], ARCS[1], ARCS[3], ARCS[5]].into_iter().map(|arc| Self::of(arc, None)).collect()
    }

    /// An arc with so many arguments, or all of its interval.
    fn of(
        (name, function, whose, place): (&'static str, &str, Whose, u32),
        log2_arguments: Option<u32>,
    ) -> Result<Self, ToolError> {
        let double = Format::BINARY64;
        let function = parse(function)?;
        let family = function.family().ok_or_else(|| ToolError::no_family(&function))?;
        let whole = match whose {
            Whose::Interval(from, to) => argument_ranges(&parse_number(from)?, &parse_number(to)?, double)?,
            Whose::Exponents(first, last) => {
                (first..=last).map(|exponent| binade(double, exponent)).collect()
            }
        };
        let all: u64 = whole.iter().map(ArgumentRange::count).sum();
        let arc = |extra_bits: u32, turns, arguments, log2_arguments| {
            let problem = Problem::new(double, double, Breakpoints::All, extra_bits)?;
            Ok(Self {
                name,
                function: function.clone(),
                family,
                problem,
                whose,
                whole: whole.clone(),
                turns,
                arguments,
                log2_arguments,
            })
        };
        let Some(log2_arguments) = log2_arguments else {
            return arc(EXTRA_BITS, None, whole.clone(), all.ilog2());
        };
        // both halves of the circle of an even or odd function are one, and so are significands
        let is_folded = family.is_symmetric() || family.repetition() == Repetition::Doubling;
        let width = ((Rational::from(1) << log2_arguments) / Rational::from(all)) >> u32::from(is_folded);
        let from = Rational::from((place, 64)) >> u32::from(is_folded);
        let from = match family.repetition() {
            Repetition::Doubling => from + Rational::from((1, 2)),
            Repetition::Period => from,
        };
        let turns = (from.clone(), from + width);
        let arguments = match family.repetition() {
            Repetition::Period => stretches(family, &whole[0], &turns)?,
            Repetition::Doubling => whole.iter().map(|range| with_significands(range, &turns)).collect(),
        };
        arc(log2_arguments - FEWER_BITS, Some(turns), arguments, log2_arguments)
    }

    /// What the Farey walk lists, stretch by stretch.
    ///
    /// # Errors
    /// If the search fails.
    pub fn by_plane(&self, threads: usize) -> Result<Reference, ToolError> {
        let walk = Simd::farey(Level::best());
        let mut lists = Lists::default();
        for range in &self.arguments {
            let end = |k: i128| Rational::from(range.first() + k) * power_of_two(range.exponent());
            let search = Search {
                function: &self.function,
                from: end(0),
                to: end(range.count().into()),
                problem: self.problem,
                workers: Workers::cpu(&walk, threads),
            };
            let found = search.run_with(InverseUse::Never, &(), &Interrupt::new())?;
            lists.cases.extend(found.cases);
            lists.exact.extend(found.exact_cases);
            lists.undecided.extend(found.undecided);
        }
        lists.exact_count = lists.exact.len() as u64;
        lists.sort();
        Ok(Reference(lists))
    }

    /// Searches it by an engine and compares with what the reference lists.
    ///
    /// # Errors
    /// If the search fails.
    pub fn compare(
        &self,
        engine: &dyn Engine,
        threads: usize,
        reference: &Reference,
        commit: &str,
    ) -> Result<Row, ToolError> {
        let started = Instant::now();
        let search = FamilySearch {
            function: &self.function,
            family: self.family,
            problem: self.problem,
            engine,
            threads,
            turns: self.turns.clone(),
            binades: 4,
        };
        let outcome = match self.whose {
            Whose::Interval(..) => search.run(&self.whole, &Interrupt::new())?,
            Whose::Exponents(first, last) => search.run_exponents(first, last, &Interrupt::new())?,
        };
        // what a relative differs by may be more than ε at the least of its arguments
        let left = outcome.left.clone();
        let is_left = |x: Number| left.iter().any(|left| is_in(left, x));
        let is_here = |x: Number| self.arguments.iter().any(|range| is_in(range, x)) && !is_left(x);
        let counters = outcome.counters;
        let found = lists(outcome, is_here);
        let expected = reference.without(&is_left);
        Ok(Row {
            place: self.name.into(),
            log2_arguments: self.log2_arguments,
            extra_bits: Some(self.problem.extra_bits()),
            engine: engine.name(),
            threads,
            windows: counters.windows,
            exactly: exactly(engine, &counters),
            cases: found.cases.len(),
            agrees: found == expected && !found.cases.is_empty(),
            seconds: (started.elapsed().as_secs_f64() * 10.0).round() / 10.0,
            commit: commit.into(),
        })
    }

    /// Whether a row stands for this search.
    pub fn is_of(&self, row: &Row, engine: &dyn Engine, threads: usize) -> bool {
        (row.place.as_str(), row.log2_arguments, row.engine.as_str(), row.threads)
            == (self.name, self.log2_arguments, engine.name().as_str(), threads)
    }
}

/// What another search lists.
#[derive(Clone, Debug)]
pub struct Reference(Lists);

impl Reference {
    /// The same but for some arguments.
    fn without(&self, is_left: &dyn Fn(Number) -> bool) -> Lists {
        let mut lists = self.0.clone();
        lists.cases.retain(|case| !is_left(case.argument));
        lists.exact.retain(|case| !is_left(case.argument));
        lists.undecided.retain(|(x, _)| !is_left(*x));
        lists.exact_count = lists.exact.len() as u64;
        lists
    }

    /// How many cases.
    pub fn cases(&self) -> usize {
        self.0.cases.len()
    }
}

/// Of what a search found, that which is wanted.
fn lists(outcome: FamilyOutcome, is_here: impl Fn(Number) -> bool) -> Lists {
    let FamilyOutcome { mut cases, mut exact_cases, mut undecided, .. } = outcome;
    cases.retain(|case| is_here(case.argument));
    exact_cases.retain(|case| is_here(case.argument));
    undecided.retain(|(x, _)| is_here(*x));
    let mut lists = Lists { exact_count: exact_cases.len() as u64, cases, exact: exact_cases, undecided };
    lists.sort();
    lists
}

/// The windows that were searched exactly: by the exact walk all.
fn exactly(engine: &dyn Engine, counters: &tmd_core::lattice3::Counters) -> u64 {
    if engine.name() == Exact::default().name() { counters.windows } else { counters.occupied }
}

fn power_of_two(exponent: i32) -> Rational {
    Rational::from(1) << exponent
}

/// The positive numbers with this exponent.
fn binade(format: Format, exponent: i32) -> ArgumentRange {
    let half = 1u64 << (format.precision() - 1);
    ArgumentRange::new(half.into(), format.ulp_exponent(exponent), half)
}

fn is_in(range: &ArgumentRange, x: Number) -> bool {
    range.count() != 0 && range.argument(0) <= x && x <= range.argument(range.count() - 1)
}

/// A range's part between two numbers, without one argument at either end: these may be rounded.
fn between(range: &ArgumentRange, from: &Rational, to: &Rational) -> ArgumentRange {
    let index = |x: Rational| {
        let k = (x / power_of_two(range.exponent())).floor().into_numer_denom().0 - range.first();
        k.clamp(&-1, &Integer::from(range.count())).to_i128().unwrap_or_default()
    };
    let (first, end) = ((index(from.clone()) + 2).max(0), index(to.clone()) - 1);
    range.part(first as u64, (end - first).max(0) as u64)
}

/// The consecutive arguments of a range with turns in an arc, or with turns whose negatives are in
/// it.
fn stretches(
    family: Family,
    range: &ArgumentRange,
    (from, to): &(Rational, Rational),
) -> Result<Vec<ArgumentRange>, ToolError> {
    // an argument's turn is known to 2^-200
    let period = family.period(300).map_err(tmd_driver::DriverError::from)?.midpoint();
    let period = period.to_rational().unwrap_or_default();
    let end = |k: u64| {
        let x = range.argument(k);
        Rational::from(x.significand()) * power_of_two(x.exponent()) / &period
    };
    let turn = |x: Rational| x.floor().into_numer_denom().0.to_i64().unwrap_or_default();
    let mut all = Vec::new();
    for k in turn(end(0)) - 1..=turn(end(range.count() - 1)) + 1 {
        let mut add = |from: Rational, to: Rational| {
            let part = between(range, &((from + k) * &period), &((to + k) * &period));
            all.extend(Some(part).filter(|part| part.count() != 0));
        };
        add(from.clone(), to.clone());
        if family.is_symmetric() {
            add(-to.clone(), -from.clone());
        }
    }
    Ok(all)
}

/// The arguments of a binade with significands in an arc of [1/2, 1).
fn with_significands(range: &ArgumentRange, (from, to): &(Rational, Rational)) -> ArgumentRange {
    let last = range.argument(range.count() - 1);
    let unit = power_of_two(last.log2_floor().unwrap_or_default() + 1);
    between(range, &(from.clone() * &unit), &(to.clone() * &unit))
}

/// A question about some arguments of a small format.
#[derive(Clone, Debug)]
pub struct Small {
    function: Expression,
    problem: Problem,
    /// first and last exponent: of periods a few
    exponents: (i32, i32),
    /// of results that are searched together
    binades: u32,
    is_negative: bool,
    turns: (Rational, Rational),
    volume: f64,
    windows: u32,
    threads: usize,
}

impl Small {
    /// Question number `number` of a seed: precision 12 to 24, exponents up to 120.
    ///
    /// # Errors
    /// Were formats or functions not to be had.
    pub fn draw(seed: u64, number: u64) -> Result<Self, ToolError> {
        let rng = &mut StdRng::seed_from_u64(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ number);
        let is_logarithm = rng.random_bool(0.4);
        let function = parse(&soak::family(rng, is_logarithm))?;
        let family = function.family().ok_or_else(|| ToolError::no_family(&function))?;
        let precision = rng.random_range(12..=24);
        let format = Format::custom(precision)?;
        let breakpoints =
            [Breakpoints::Directed, Breakpoints::Nearest, Breakpoints::All][rng.random_range(0..3)];
        let problem =
            Problem::new(format, format, breakpoints, rng.random_range(precision / 2..=precision + 2))?;
        let first = match family {
            _ if is_logarithm => rng.random_range(-100..=100),
            // relatives are near their functions soon
            _ if family.is_relative() => rng.random_range(3..=8),
            _ if family.is_exponential() => rng.random_range(1..=11),
            _ => rng.random_range(3..=120),
        };
        let exponents = (first, first + rng.random_range(0..=if is_logarithm { 20 } else { 4 }));
        // midpoints of a binade are none of those below
        let binades = if breakpoints == Breakpoints::Nearest { 1 } else { rng.random_range(1..=4) };
        let arguments = f64::from(exponents.1 - exponents.0 + 1).log2() + f64::from(precision - 1);
        // as many as are looked at, or all
        let width = 2f64.powf(f64::from(LOG2_LOOKED_AT) - arguments).min(1.0);
        let (low, high) =
            if is_logarithm { (0.5, 1.0) } else { (0.0, if family.is_symmetric() { 0.5 } else { 1.0 }) };
        let width = width * (high - low);
        // the ends, where zeros and poles are, as often as all between them
        let from = match rng.random_range(0..4) {
            0 => low,
            1 => high - width,
            _ => low + rng.random::<f64>() * (high - low - width),
        };
        let turns = [from, from + width].map(|turn| Rational::from_f64(turn).unwrap_or_default());
        Ok(Self {
            function,
            problem,
            exponents,
            binades,
            is_negative: !is_logarithm && rng.random(),
            turns: turns.into(),
            volume: *[0.2, 0.5, 1.0, 1.0, 2.0].choose(rng).unwrap_or(&1.0),
            windows: 1 << rng.random_range(4..=14),
            threads: rng.random_range(1..=2),
        })
    }

    fn family(&self) -> Result<Family, ToolError> {
        self.function.family().ok_or_else(|| ToolError::no_family(&self.function))
    }

    /// All arguments of the exponents.
    fn whole(&self) -> Vec<ArgumentRange> {
        let positive = (self.exponents.0..=self.exponents.1).map(|e| binade(self.problem.arguments(), e));
        let negative = |range: ArgumentRange| {
            let last = range.first() + i128::from(range.count()) - 1;
            ArgumentRange::new(-last, range.exponent(), range.count())
        };
        // in increasing order
        if self.is_negative { positive.rev().map(negative).collect() } else { positive.collect() }
    }

    /// Whether an argument's turn, or its significand, is in the arc, and not at its ends, where
    /// it may be rounded.
    fn is_here(&self) -> Result<impl Fn(Number) -> bool + use<>, ToolError> {
        let family = self.family()?;
        let exponent = self.problem.arguments().ulp_exponent(self.exponents.0);
        let theta = match family.repetition() {
            Repetition::Period => {
                let theta = family.rotation(exponent, TURN_BITS).map_err(tmd_driver::DriverError::from)?;
                theta.to_u128().unwrap_or_default()
            }
            Repetition::Doubling => 0,
        };
        // a whole circle has no ends
        let units = |turn: &Rational| {
            (turn.clone() << TURN_BITS).floor().into_numer_denom().0.to_u128().unwrap_or(u128::MAX)
        };
        let (from, to) = (units(&self.turns.0), units(&self.turns.1));
        // indices have at most 28 bits, as multiples of the finest spacing
        let margin = 1u128 << 29;
        Ok(move |x: Number| {
            let turn = match family.repetition() {
                Repetition::Period => {
                    // numbers are odd integers times powers of two
                    let index = x.significand() << (x.exponent() - exponent);
                    let turn = theta.wrapping_mul(index as u128);
                    if family.is_symmetric() { turn.min(turn.wrapping_neg()) } else { turn }
                }
                Repetition::Doubling => {
                    let magnitude = x.significand().unsigned_abs();
                    magnitude << magnitude.leading_zeros()
                }
            };
            let is_after = from == 0 || turn >= from.saturating_add(margin);
            is_after && turn <= to.saturating_sub(margin)
        })
    }

    /// What MPFR says of every argument that is not among these.
    fn brute_force(&self, left: &[ArgumentRange]) -> Result<(Lists, u64), ToolError> {
        let is_here = self.is_here()?;
        let (mut lists, mut looked_at) = (Lists::default(), 0);
        for range in self.whole() {
            for x in (0..range.count()).map(|k| range.argument(k)) {
                if is_here(x) && !left.iter().any(|left| is_in(left, x)) {
                    looked_at += 1;
                    lists.add(confirm(&self.function, &self.problem, x)?);
                }
            }
        }
        lists.sort();
        Ok((lists, looked_at))
    }

    fn search(&self, engine: &dyn Engine) -> Result<FamilyOutcome, ToolError> {
        let family = self.family()?;
        let search = FamilySearch {
            function: &self.function,
            family,
            problem: self.problem,
            engine,
            threads: self.threads,
            turns: Some(self.turns.clone()),
            binades: self.binades,
        };
        Ok(match family.repetition() {
            Repetition::Period => search.run(&self.whole(), &Interrupt::new())?,
            Repetition::Doubling => {
                search.run_exponents(self.exponents.0, self.exponents.1, &Interrupt::new())?
            }
        })
    }
}

/// What an engine said of small formats.
#[derive(Clone, Debug, Default)]
struct Total {
    engine: String,
    windows: u64,
    exactly: u64,
    seconds: f64,
    /// lists that are not MPFR's: in what they differ, and of what question
    wrong: Vec<String>,
}

/// What all engines said of small formats.
#[derive(Clone, Debug, Default)]
pub struct Totals {
    /// arguments that MPFR looked at
    looked_at: u64,
    /// cases and exact cases
    cases: usize,
    engines: Vec<Total>,
}

impl Totals {
    /// The name of so many questions of a seed.
    pub fn place(seed: u64, questions: u64) -> String {
        format!("{questions} formats, seed {seed}")
    }

    /// Of so many questions of a seed; says on standard error which lists differ.
    ///
    /// # Errors
    /// If a search fails.
    pub fn of(seed: u64, questions: u64) -> Result<Self, ToolError> {
        let mut totals = Self::default();
        for number in 0..questions {
            totals.ask(&Small::draw(seed, number)?)?;
        }
        for difference in totals.engines.iter().flat_map(|engine| &engine.wrong) {
            eprintln!("{difference}");
        }
        Ok(totals)
    }

    /// A row for each engine. Threads are those of the questions.
    pub fn rows(&self, place: &str, commit: &str) -> Vec<Row> {
        let row = |total: &Total| Row {
            place: place.into(),
            log2_arguments: self.looked_at.max(1).ilog2(),
            extra_bits: None,
            engine: total.engine.clone(),
            threads: 0,
            windows: total.windows,
            exactly: total.exactly,
            cases: self.cases,
            agrees: total.wrong.is_empty(),
            seconds: (total.seconds * 10.0).round() / 10.0,
            commit: commit.into(),
        };
        self.engines.iter().map(row).collect()
    }

    /// Asks all engines a question.
    ///
    /// # Errors
    /// If a search fails.
    pub fn ask(&mut self, question: &Small) -> Result<(), ToolError> {
        let shaped = |level| Lattice3 {
            volume: Some(question.volume),
            windows: question.windows,
            ..Lattice3::new(level)
        };
        let mut engines: Vec<Box<dyn Engine>> =
            Level::available().into_iter().map(|level| Box::new(shaped(level)) as Box<dyn Engine>).collect();
        engines.push(Box::new(Exact { volume: question.volume, windows: question.windows }));
        self.engines.resize_with(engines.len(), Total::default);
        let is_here = question.is_here()?;
        let mut known: Option<(Vec<ArgumentRange>, Lists)> = None;
        for (engine, total) in engines.iter().zip(&mut self.engines) {
            let started = Instant::now();
            let outcome = question.search(engine.as_ref())?;
            total.seconds += started.elapsed().as_secs_f64();
            total.engine = engine.name();
            total.windows += outcome.counters.windows;
            total.exactly += exactly(engine.as_ref(), &outcome.counters);
            let left = outcome.left.clone();
            let (others, expected) = if let Some(known) = &known {
                known
            } else {
                let (lists, looked_at) = question.brute_force(&left)?;
                self.looked_at += looked_at;
                self.cases += lists.cases.len() + lists.exact.len();
                known.insert((left.clone(), lists))
            };
            let found = lists(outcome, |x| is_here(x) && !left.iter().any(|left| is_in(left, x)));
            let difference = if left == *others {
                found.difference(expected)
            } else {
                Some("other arguments are no family".into())
            };
            total.wrong.extend(difference.map(|how| format!("{}, MPFR: {how}: {question:?}", engine.name())));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arcs_of_doubles() {
        assert!(matches!(Arc::all(60), Err(ToolError::Size { asked: 60, .. })));
        let arcs = Arc::all(28).unwrap();
        for arc in &arcs {
            let arguments: u64 = arc.arguments.iter().map(ArgumentRange::count).sum();
            let wanted = 2f64.powi(28);
            assert!((arguments as f64 / wanted - 1.0).abs() < 0.5, "{}: {arguments}", arc.name);
            let mut reference = arc.by_plane(1).unwrap();
            assert!(reference.cases() > 20, "{}: {}", arc.name, reference.cases());
            for engine in engines() {
                let row = arc.compare(engine.as_ref(), 2, &reference, "here").unwrap();
                assert!(row.agrees && row.cases == reference.cases(), "{row:?}");
                assert!(arc.is_of(&row, engine.as_ref(), 2) && !arc.is_of(&row, engine.as_ref(), 1));
            }
            // a list with one case less is seen
            reference.0.cases.pop();
            let row = arc.compare(&Exact::default(), 1, &reference, "here").unwrap();
            assert!(!row.agrees, "{row:?}");
        }
    }

    #[test]
    fn small_formats_are_brute_force() {
        let totals = Totals::of(1, if tmd_testkit::is_long() { 40 } else { 25 }).unwrap();
        assert!(totals.cases > 100 && totals.looked_at > 100_000, "{totals:?}");
        let rows = totals.rows("here", "now");
        assert_eq!(rows.len(), engines().len());
        for (row, total) in rows.iter().zip(&totals.engines) {
            assert!(row.agrees && row.cases == totals.cases, "{total:?}");
        }
    }

    /// A list that lacks a case is seen, and so is one with a case more.
    #[test]
    fn differences_are_seen() {
        let question = (0..).map(|number| Small::draw(3, number).unwrap());
        let (lists, _) =
            question.map(|small| small.brute_force(&[]).unwrap()).find(|(l, _)| l.cases.len() > 3).unwrap();
        let mut other = lists.clone();
        other.cases.pop();
        assert!(lists.difference(&other).is_some() && other.difference(&lists).is_some());
        assert_eq!(lists.difference(&lists.clone()), None);
    }
}
