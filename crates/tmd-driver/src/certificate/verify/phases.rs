//! The counts of a unit's phases: what must agree whatever the search found.

use tmd_core::lattice3::MAX_SPANS;

use crate::certificate::{PhaseRecord, UnitRecord};

const NAMES: [&str; 5] = ["generate", "test", "refine", "exhaust", "confirm"];

/// What is wrong with the phases' names, if anything is.
fn unnamed(unit: &UnitRecord) -> Option<String> {
    if unit.phases.len() != NAMES.len() {
        return Some(format!("it has {} phases", unit.phases.len()));
    }
    let (phase, name) = unit.phases.iter().zip(NAMES).find(|(phase, name)| phase.name != *name)?;
    Some(format!("a phase is called {}, which should be {name}", phase.name))
}

/// What is wrong with the phases' names, or else the first rule that does not hold: those of all
/// units, then `rules`.
fn broken(unit: &UnitRecord, rules: impl IntoIterator<Item = (bool, &'static str)>) -> Option<String> {
    let reason = unnamed(unit);
    let Some(confirm) = unit.phases.last().filter(|_| reason.is_none()) else { return reason };
    let found = u128::from(unit.cases) + u128::from(unit.exact) + u128::from(unit.undecided);
    let of_all = [
        (
            u128::from(confirm.domains_out) == found,
            "other numbers confirmed than cases, exact cases and undecided arguments",
        ),
        (
            confirm.domains_in == confirm.arguments_in && confirm.domains_out <= confirm.domains_in,
            "more confirmed than looked at",
        ),
    ];
    let broken = of_all.into_iter().chain(rules).find(|(holds, _)| !holds);
    broken.map(|(_, reason)| format!("its phases count {reason}"))
}

/// Why the counts of a unit cannot be those of a search, if they cannot.
///
/// `is_by_cpu` says whether an engine of the CPU counted: devices count rounded sizes of what they
/// were given.
pub(super) fn contradiction(unit: &UnitRecord, is_by_cpu: bool) -> Option<String> {
    let [generate, test, refine, exhaust, confirm] = &unit.phases[..] else { return unnamed(unit) };
    let wide =
        |phase: &PhaseRecord| [phase.domains_in, phase.domains_out, phase.arguments_in].map(u128::from);
    let [[_, made, made_of], [tested, failed, tested_of], [refined, left, refined_of]] =
        [generate, test, refine].map(wide);
    let [[tabulated, candidates, tabulated_of], [looked_at, ..]] = [exhaust, confirm].map(wide);
    let [arguments, largest, pieces] = [unit.arguments, unit.domain_sizes[1], unit.pieces].map(u128::from);
    // whole domains are counted, and half of one may be filled
    let held = |domains: u128| domains.saturating_mul(2 * largest);
    let singles = arguments.checked_sub(made_of);
    let of_the_cpu = [
        (singles.is_some(), "more arguments in domains than it has"),
        // lanes go on beyond the end of a piece
        (failed <= 8 * tested + 64 * pieces, "more domains failing than tested"),
        (tested_of <= made_of, "more arguments tested than made"),
        (generate.domains_in == generate.domains_out, "domains made that are not there"),
        (tested <= made, "more domains tested than made"),
        (left <= refined, "more sub-domains left than refined"),
        (refined_of <= held(refined), "more arguments refined than domains hold"),
        (tabulated_of <= held(tabulated), "more arguments tabulated than domains hold"),
        (tabulated <= made + failed + refined, "more domains tabulated than made"),
        (
            candidates <= looked_at && looked_at <= candidates + singles.unwrap_or_default(),
            "other numbers looked at than candidates and arguments by themselves",
        ),
        ((made == 0) == (made_of == 0) && made <= made_of, "domains without arguments"),
        (
            // all but the last domain of a run are whole; the sizes are those of the pieces
            made_of <= made.saturating_mul(largest),
            "more arguments in domains than these hold",
        ),
    ];
    broken(unit, of_the_cpu.into_iter().filter(|_| is_by_cpu))
}

/// The same of a unit whose arguments were listed.
pub(super) fn list_contradiction(unit: &UnitRecord) -> Option<String> {
    let [others @ .., _] = &unit.phases[..] else { return unnamed(unit) };
    let is_none = |phase: &PhaseRecord| [phase.domains_in, phase.domains_out, phase.arguments_in] == [0; 3];
    broken(unit, [(others.iter().all(is_none) && unit.pieces == 0, "what a list has none of")])
}

/// The same of a unit that is a part of a family's circle, whose counts are of segments and
/// windows. `names_all` says whether a document of its version names the segments that the walk
/// refused.
pub(super) fn family_contradiction(unit: &UnitRecord, names_all: bool) -> Option<String> {
    let [generate, test, refine, exhaust, confirm] = &unit.phases[..] else { return unnamed(unit) };
    let [least, most] = unit.domain_sizes;
    let [pieces, windows, most] = [unit.pieces, test.domains_in, most].map(u128::from);
    let looked_at = u128::from(exhaust.domains_out) + u128::from(exhaust.arguments_in);
    let rules = [
        // each once, though it may be found twice
        (
            u128::from(confirm.domains_in) <= looked_at,
            "more looked at than candidates and arguments by themselves",
        ),
        (
            generate.domains_in == unit.pieces && generate.domains_out == unit.pieces,
            "other segments than there are polynomials",
        ),
        (test.domains_out == exhaust.domains_in, "other windows looked at exactly than did not pass"),
        // a window is looked at for each span
        (
            u128::from(test.domains_out) <= MAX_SPANS as u128 * windows,
            "more windows looked at exactly than there are",
        ),
        (
            unit.refused.is_empty() && !names_all || unit.refused.len() as u64 == refine.domains_in,
            "other segments refused than it names",
        ),
        // those of a segment that was refused may be counted, too
        (u128::from(least) * pieces <= windows, "fewer windows than segments have"),
        (refine.domains_in > 0 || windows <= most * pieces, "more windows than segments have"),
        (
            [generate.arguments_in, test.arguments_in, refine.domains_out, refine.arguments_in] == [0; 4],
            "what a family has none of",
        ),
    ];
    broken(unit, rules)
}
