//! The parts of a [`Certificate`] as they are written: regions, units, budgets, counts.

use serde::{Deserialize, Serialize};
use tmd_core::{
    Breakpoints, CoreError, ErrorBudget, Format, Number, Phase, Problem, difftable::power_of_two,
};
use tmd_functions::symmetry::{Parity, Translation};

use crate::{
    Outcome,
    congruence::CongruenceVia,
    family::{FamilyVia, Shape},
    interval::floor_log2,
    regions::{Beside, Class, Gap, Line, Region},
    solve::{PlannedRegion, Treatment, Unit},
    via::Via,
};

/// A format by its numbers; the name is for readers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FormatRecord {
    /// The name.
    pub name: String,
    /// Significant bits.
    pub precision: u32,
    /// Exponent of the smallest normal number.
    pub min_exponent: i32,
    /// Exponent of the largest finite number.
    pub max_exponent: i32,
}

/// A region.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RegionRecord {
    /// The least argument, as C's `%a`.
    pub first: String,
    /// The greatest argument.
    pub last: String,
    /// Numbers of the format from the one to the other.
    pub arguments: u128,
    /// What is known of the results.
    pub class: ClassRecord,
    /// Units that search it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub units: Option<usize>,
    /// The region in whose units its arguments were searched, all at once as a family, but for
    /// those in its own units.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub with: Option<usize>,
}

/// What is known of the results of a region.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "is", rename_all = "kebab-case", deny_unknown_fields)]
pub enum ClassRecord {
    /// The cases, which were searched.
    Searched,
    /// The region at `−x` is searched, and `f(−x) = f(x)` (even) or `−f(x)` (odd).
    Mirrored {
        /// `even` or `odd`
        parity: String,
    },
    /// Everything follows from what is known of other regions, because the function repeats itself:
    /// cases from those that are searched, other roundings from their inequalities.
    Translated {
        /// how
        rule: String,
    },
    /// All results are strictly between two neighboring breakpoints.
    Between {
        /// the one below; none beyond the last breakpoint
        below: Option<String>,
        /// the one above
        above: Option<String>,
    },
    /// Each result is strictly between the line's value, mostly a number, and the next breakpoint.
    Beside {
        /// the line: a number, or `x` times a power of two or another rational number
        line: String,
        /// `above` or `below` the line
        side: String,
    },
    /// The result at a single argument is a breakpoint.
    Exact {
        /// the result
        value: String,
        /// `number` or `midpoint`
        kind: String,
    },
    /// The function has no real value.
    Undefined,
    /// Nothing is known: the function cannot be enclosed.
    Refused {
        /// why
        reason: String,
    },
    /// Nothing is known: a search would take too long, or that of regions from which it would
    /// follow.
    OutOfReach {
        /// core-seconds expected; 0 of what would follow
        core_seconds: f64,
    },
}

/// A unit of work.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct UnitRecord {
    /// Number of its region.
    pub region: usize,
    /// What is searched in place of the function: then all that follows but the last three counts
    /// is of that search.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub via: Option<ViaRecord>,
    /// The first argument of the function that is searched.
    pub first: String,
    /// log2 of the spacing of the arguments.
    pub spacing: i32,
    /// Their number.
    pub arguments: u64,
    /// Taylor pieces.
    pub pieces: u64,
    /// Arguments per domain, least and most.
    pub domain_sizes: [u64; 2],
    /// Of a family: numbers of the segments that the walk refused, in the order in which it was
    /// given them, and that were cut smaller for it. Not written until November 2026.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub refused: Vec<u64>,
    /// Line by line the largest error bound of all pieces.
    pub budget: BudgetRecord,
    /// What entered and left each phase.
    pub phases: Vec<PhaseRecord>,
    /// Hard-to-round cases.
    pub cases: u64,
    /// Exact cases.
    pub exact: u64,
    /// Arguments that could not be decided.
    pub undecided: u64,
}

impl UnitRecord {
    /// Whether it is of the region's own arguments, from the first on, and not of breakpoints or
    /// cells.
    pub fn is_of_arguments(&self) -> bool {
        self.via.as_ref().is_none_or(ViaRecord::is_of_arguments)
    }

    /// How many segments the walk of a family refused.
    pub(crate) fn refusals(&self) -> u64 {
        let is_family = matches!(self.via, Some(ViaRecord::Family { .. }));
        self.phases.get(2).filter(|_| is_family).map_or(0, |refine| refine.domains_in)
    }

    /// Whether both say the same, but for how many windows of a family lanes left to the exact
    /// walk: the better their bounds, the fewer, and no list depends on it.
    pub fn says_the_same_as(&self, other: &Self) -> bool {
        self == other || self.without_left() == other.without_left()
    }

    /// Whether both have as many cases, exact cases and undecided arguments.
    pub fn finds_as_many_as(&self, other: &Self) -> bool {
        let counts = |unit: &Self| (unit.cases, unit.exact, unit.undecided);
        counts(self) == counts(other)
    }

    /// All that it says but how many windows were left to the exact walk.
    fn without_left(&self) -> Self {
        let mut unit = self.clone();
        if let (Some(ViaRecord::Family { .. }), [_, test, _, exhaust, _]) = (&unit.via, &mut unit.phases[..])
        {
            (test.domains_out, exhaust.domains_in) = (0, 0);
        }
        unit
    }

    /// All that it says but what follows from how segments are cut.
    pub(crate) fn without_segments(&self) -> Self {
        Self {
            pieces: 0,
            domain_sizes: [0; 2],
            refused: Vec::new(),
            budget: BudgetRecord::default(),
            phases: Vec::new(),
            ..self.clone()
        }
    }
}

/// What is searched in place of the function.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "is", rename_all = "kebab-case", deny_unknown_fields)]
pub enum ViaRecord {
    /// The inverse: its arguments are the breakpoints next to the results of the region's
    /// arguments, and those of its results that are close to numbers lead to these.
    Inverse {
        /// the inverse function
        function: String,
        /// m': how close, 2^-m' ulp
        extra_bits: u32,
    },
    /// The region's arguments all at once, by the walk in three dimensions: `first`, `spacing` and
    /// `arguments` of the unit are cells of the circle, in which the turns of the arguments are.
    Family {
        /// who walks
        engine: String,
        /// lattice points of a window, on average: what its width follows from
        volume: f64,
        /// windows of a segment, at most
        windows: u32,
        /// binades of a logarithm's results that are searched in the units of the least of them, at
        /// most
        #[serde(default = "one", skip_serializing_if = "is_one")]
        binades: u32,
    },
    /// The region's arguments, whose cases follow from congruences: those X of which M² − X·2^K is
    /// a small integer D, for an integer M.
    Congruences {
        /// K
        modulus: u32,
        /// the largest |D|
        remainders: u64,
    },
}

impl ViaRecord {
    /// Whether a unit is of the region's own arguments, one after the other.
    pub const fn is_of_arguments(&self) -> bool {
        matches!(self, Self::Congruences { .. })
    }
}

const fn one() -> u32 {
    1
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "as serde has it")]
const fn is_one(binades: &u32) -> bool {
    *binades == 1
}

/// In a few words: units of the same words are searched alike.
impl std::fmt::Display for ViaRecord {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Inverse { function, extra_bits } => write!(f, "{function} to {extra_bits} bits"),
            Self::Family { engine, volume, windows, binades } => {
                write!(f, "family by {engine}, {volume} points a window, {windows} windows a segment")?;
                if *binades != 1 {
                    write!(f, ", {binades} binades of results")?;
                }
                Ok(())
            }
            Self::Congruences { modulus, remainders } => {
                write!(f, "congruences modulo 2^{modulus}, remainders up to {remainders}")
            }
        }
    }
}

/// The lines of an error budget, in ulps of the result; see docs/proofs/piece.md.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct BudgetRecord {
    pub tolerance: f64,
    pub taylor: f64,
    pub coefficients: f64,
    pub tables: f64,
    pub dropped: f64,
    pub linear: f64,
    pub refined: f64,
    pub quantization: f64,
}

/// What entered and left a phase.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PhaseRecord {
    /// The phase: `generate`, `test`, `refine`, `exhaust`, `confirm`.
    pub name: String,
    /// Domains, sub-domains or candidates that entered.
    pub domains_in: u64,
    /// Those that went on.
    pub domains_out: u64,
    /// Arguments in those that entered.
    pub arguments_in: u64,
}

impl From<Format> for FormatRecord {
    fn from(format: Format) -> Self {
        let (precision, name) = (format.precision(), format.to_string());
        Self { name, precision, min_exponent: format.min_exponent(), max_exponent: format.max_exponent() }
    }
}

impl FormatRecord {
    /// The format.
    ///
    /// # Errors
    /// If there is no such format, or it has another name.
    pub fn format(&self) -> Result<Format, CoreError> {
        let format = Format::new(self.precision, self.min_exponent, self.max_exponent)?;
        if Self::from(format) == *self {
            Ok(format)
        } else {
            Err(CoreError::Precision { precision: self.precision })
        }
    }
}

impl From<&PlannedRegion> for RegionRecord {
    fn from(planned: &PlannedRegion) -> Self {
        let PlannedRegion { region, treatment } = planned;
        let record = Self::known(region);
        match treatment {
            Treatment::Searched { units, with, .. } => Self { units: Some(*units), with: *with, ..record },
            Treatment::OutOfReach { plan } => {
                Self { class: ClassRecord::OutOfReach { core_seconds: plan.core_seconds }, ..record }
            }
            Treatment::Stranded => Self { class: ClassRecord::OutOfReach { core_seconds: 0.0 }, ..record },
            _ => record,
        }
    }
}

impl RegionRecord {
    /// A region whose search is not out of reach.
    pub(super) fn known(region: &Region) -> Self {
        Self {
            first: region.first().to_string(),
            last: region.last().to_string(),
            arguments: region.arguments(),
            class: ClassRecord::from(&region.class),
            units: None,
            with: None,
        }
    }
}

impl From<&Class> for ClassRecord {
    fn from(class: &Class) -> Self {
        match class {
            Class::Search => Self::Searched,
            Class::Mirrored(parity) => Self::Mirrored { parity: parity_name(*parity).into() },
            Class::Translated(translation) => Self::Translated { rule: rule(*translation) },
            Class::Between(Gap { below, above }) => {
                let text = |end: &Option<Number>| end.map(|end| end.to_string());
                Self::Between { below: text(below), above: text(above) }
            }
            Class::Beside(Beside { line, is_above }) => Self::Beside {
                line: line.to_string(),
                side: if *is_above { "above".into() } else { "below".into() },
            },
            Class::Exact { value, kind } => Self::Exact { value: value.to_string(), kind: kind.to_string() },
            Class::Undefined => Self::Undefined,
            Class::Refused(reason) => Self::Refused { reason: reason.clone() },
        }
    }
}

impl ClassRecord {
    /// The parity of a function whose region is mirrored.
    pub(crate) fn parity(&self) -> Option<Parity> {
        let Self::Mirrored { parity } = self else { return None };
        [Parity::Even, Parity::Odd].into_iter().find(|known| parity_name(*known) == parity)
    }

    /// The translation of a function whose region is translated.
    pub(crate) fn translation(&self) -> Option<Translation> {
        let Self::Translated { rule: written } = self else { return None };
        // "2^3 x) = 2^-1 f(x)", and whatever else is written there
        let numbers: Vec<i64> = written
            .split(|c: char| !c.is_ascii_digit() && c != '-')
            .filter_map(|digits| digits.parse().ok())
            .collect();
        let unsigned = |n: i64| u32::try_from(n).ok();
        let power = match numbers[..] {
            [2, ratio, 2, factor] if !written.contains('~') => unsigned(ratio)
                .zip(i32::try_from(factor).ok())
                .map(|(log2_ratio, log2_factor)| Translation::Power { log2_ratio, log2_factor }),
            [2, 2, 2, from, 2, 2, anchor] => i32::try_from(from)
                .ok()
                .zip(i32::try_from(anchor).ok())
                .map(|(from, anchor)| Translation::Near { from, anchor }),
            [2, 1, 2, least] => i32::try_from(least).ok().map(|least| Translation::NearOffset { least }),
            [1, 2, least] => i32::try_from(least).ok().map(|least| Translation::NearScaling { least }),
            _ => None,
        };
        let known = [
            Translation::Scaling { period: 1, log2_factor: 1 },
            Translation::Sign { period: 1, negates: true },
            Translation::Sign { period: 1, negates: false },
            Translation::Offset { log2_ratio: 1, addend: 1 },
        ];
        known.into_iter().chain(power).find(|translation| rule(*translation) == *written)
    }
}

/// The name of a parity.
pub(super) fn parity_name(parity: Parity) -> &'static str {
    match parity {
        Parity::Even => "even",
        Parity::Odd => "odd",
    }
}

/// A translation as an equation.
fn rule(translation: Translation) -> String {
    match translation {
        Translation::Scaling { period, log2_factor } => {
            format!("f(x + {period}) = {} f(x)", 1u64 << log2_factor)
        }
        Translation::Sign { period, negates } => {
            format!("f(x + {period}) = {}f(x)", if negates { "-" } else { "" })
        }
        Translation::Offset { log2_ratio, addend } => {
            format!("f({} x) = f(x) + {addend}", 1u64 << log2_ratio)
        }
        Translation::Power { log2_ratio, log2_factor } => {
            format!("f(2^{log2_ratio} x) = 2^{log2_factor} f(x)")
        }
        Translation::Near { from, anchor } => {
            format!("f(2^n x) ~ 2^n f(x) for 2^{from} <= |2^n x| < 2^{anchor}")
        }
        Translation::NearOffset { least } => format!("f(2 x) ~ f(x) + 1 for 2^{least} <= x"),
        Translation::NearScaling { least } => format!("f(x + 1) ~ 2 f(x) for {least} <= x"),
        // a kind of translation that no region is made of
        other => format!("{other:?}"),
    }
}

impl std::fmt::Display for Line {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Constant(a) => write!(f, "{a}"),
            Self::Ratio(slope) => {
                let sign = if *slope < 0 { "-" } else { "" };
                let exponent = floor_log2(slope).filter(|e| *slope.as_abs() == power_of_two(*e));
                match exponent {
                    Some(0) => write!(f, "{sign}x"),
                    Some(exponent) => write!(f, "{sign}2^{exponent}*x"),
                    None => write!(f, "{slope}*x"),
                }
            }
        }
    }
}

impl From<&Via> for ViaRecord {
    fn from(via: &Via) -> Self {
        match via {
            Via::Inverse(via) => {
                Self::Inverse { function: via.function.to_string(), extra_bits: via.extra_bits }
            }
            Via::Family(FamilyVia { shape: Shape { engine, volume, windows, binades }, .. }) => {
                let (volume, windows, binades) = (*volume, *windows, *binades);
                Self::Family { engine: engine.clone(), volume, windows, binades }
            }
            Via::Congruences(CongruenceVia { modulus, remainders, .. }) => {
                Self::Congruences { modulus: *modulus, remainders: *remainders }
            }
        }
    }
}

impl UnitRecord {
    pub(crate) fn new(unit: &Unit, outcome: &Outcome, problem: &Problem) -> Self {
        let searched = unit.searched(problem.breakpoints());
        let phases = outcome.phases.named().into_iter().chain([("confirm", outcome.confirm)]);
        Self {
            region: unit.region,
            via: unit.via.as_ref().map(ViaRecord::from),
            first: unit.range.argument(0).to_string(),
            spacing: unit.range.exponent(),
            arguments: unit.range.count(),
            pieces: outcome.pieces,
            domain_sizes: Self::domain_sizes(outcome),
            refused: outcome.refused.clone(),
            budget: BudgetRecord::new(&outcome.budget, searched),
            phases: phases.map(|(name, phase)| PhaseRecord::new(name, phase)).collect(),
            cases: outcome.cases.len() as u64,
            exact: outcome.exact_count,
            undecided: outcome.undecided.len() as u64,
        }
    }
}

impl UnitRecord {
    /// Arguments per domain, least and most; zeros if there was none.
    pub(super) fn domain_sizes(outcome: &Outcome) -> [u64; 2] {
        match outcome.domain_sizes {
            (least, most) if least <= most => [least, most],
            _ => [0, 0],
        }
    }
}

impl BudgetRecord {
    /// A budget in units of the spacing of `breakpoints`.
    pub(crate) fn new(budget: &ErrorBudget, breakpoints: Breakpoints) -> Self {
        // a backend's unit is the breakpoints' spacing
        let unit = power_of_two(-(breakpoints.scale_bits() as i32));
        let [tolerance, taylor, coefficients, tables, dropped, linear, refined, quantization] =
            budget.lines().map(|(_, line)| line.get() * unit);
        Self { tolerance, taylor, coefficients, tables, dropped, linear, refined, quantization }
    }
}

impl PhaseRecord {
    fn new(name: &str, phase: Phase) -> Self {
        let Phase { domains_in, domains_out, arguments_in, .. } = phase;
        Self { name: name.into(), domains_in, domains_out, arguments_in }
    }
}
