//! The counts of a unit's phases: what must agree whatever the search found.

use crate::certificate::{PhaseRecord, UnitRecord};

const NAMES: [&str; 5] = ["generate", "test", "refine", "exhaust", "confirm"];

/// Why the counts of a unit cannot be those of a search, if they cannot.
///
/// `is_by_cpu` says whether an engine of the CPU counted: devices count rounded sizes of what they were given.
pub(super) fn contradiction(unit: &UnitRecord, is_by_cpu: bool) -> Option<String> {
    let [generate, test, refine, exhaust, confirm] = &unit.phases[..] else {
        return Some(format!("it has {} phases", unit.phases.len()));
    };
    if let Some((phase, name)) = unit.phases.iter().zip(NAMES).find(|(phase, name)| phase.name != *name) {
        return Some(format!("a phase is called {}, which should be {name}", phase.name));
    }
    let found = u128::from(unit.cases) + u128::from(unit.exact) + u128::from(unit.undecided);
    let wide =
        |phase: &PhaseRecord| [phase.domains_in, phase.domains_out, phase.arguments_in].map(u128::from);
    let [[_, made, made_of], [tested, failed, tested_of], [refined, left, refined_of]] =
        [generate, test, refine].map(wide);
    let [[tabulated, candidates, tabulated_of], [looked_at, confirmed, looked_at_of]] =
        [exhaust, confirm].map(wide);
    let [arguments, largest, pieces] = [unit.arguments, unit.domain_sizes[1], unit.pieces].map(u128::from);
    // whole domains are counted, and half of one may be filled
    let held = |domains: u128| domains.saturating_mul(2 * largest);
    let singles = arguments.checked_sub(made_of);
    let rules = [
        (confirmed == found, "other numbers confirmed than cases, exact cases and undecided arguments"),
        (looked_at == looked_at_of && confirmed <= looked_at, "more confirmed than looked at"),
    ];
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
    let all = rules.into_iter().chain(of_the_cpu.into_iter().filter(|_| is_by_cpu));
    all.into_iter().find(|(holds, _)| !holds).map(|(_, reason)| format!("its phases count {reason}"))
}
