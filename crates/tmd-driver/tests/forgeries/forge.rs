//! What forgers do more than once.
#![allow(dead_code, reason = "other tests forge less")]

use tmd_driver::rug::Rational;
use tmd_driver::{
    Certificate,
    certificate::{Effort, UnitRecord},
    report::Case,
};
use tmd_functions::parse_number;

pub(crate) fn number(text: &str) -> Rational {
    parse_number(text).unwrap()
}

/// The unit of the function itself that holds an argument.
pub(crate) fn unit_of(certificate: &Certificate, x: &str) -> Option<usize> {
    let x = number(x);
    certificate.units.iter().position(|unit| {
        let first = number(&unit.first);
        let spacing = number(&format!("2^{}", unit.spacing));
        let end = first.clone() + spacing * Rational::from(unit.arguments);
        first <= x && x < end
    })
}

pub(crate) fn unit_at<'a>(certificate: &'a mut Certificate, x: &str) -> &'a mut UnitRecord {
    let unit = unit_of(certificate, x).unwrap();
    &mut certificate.units[unit]
}

/// So many more cases, exact cases and undecided arguments in a unit, and counts of its phases that
/// agree.
pub(crate) fn recount(unit: &mut UnitRecord, cases: i64, exact: i64, undecided: i64) {
    let add = |count: &mut u64, more: i64| *count = count.checked_add_signed(more).unwrap();
    add(&mut unit.cases, cases);
    add(&mut unit.exact, exact);
    add(&mut unit.undecided, undecided);
    let sum = cases + exact + undecided;
    let [.., exhaust, confirm] = &mut unit.phases[..] else { panic!("five phases") };
    // arguments that were looked at one by one are no candidates of an engine's
    exhaust.domains_out = exhaust.domains_out.saturating_add_signed(sum);
    for count in [&mut confirm.domains_in, &mut confirm.domains_out, &mut confirm.arguments_in] {
        add(count, sum);
    }
}

/// Takes a case out as if it had never been found.
pub(crate) fn forget(certificate: &mut Certificate, index: usize) {
    let case = certificate.cases.remove(index);
    recount(unit_at(certificate, &case.x), -1, 0, 0);
}

/// The number of the hardest case; of one at x and one at −x that of the positive one, as the other
/// one follows.
pub(crate) fn hardest(certificate: &Certificate) -> usize {
    let cases = certificate.cases.iter().enumerate().rev();
    cases.min_by(|a, b| a.1.log2_dist.total_cmp(&b.1.log2_dist)).unwrap().0
}

/// Takes the hardest case out of the list, and of no count.
pub(crate) fn remove_hardest(certificate: &mut Certificate) -> Case {
    let index = hardest(certificate);
    certificate.cases.remove(index)
}

/// Takes a region out of the search, with its units and cases, for a search that would have taken
/// so long.
pub(crate) fn out_of_reach(certificate: &mut Certificate, index: usize, core_seconds: f64) {
    let region = &mut certificate.regions[index];
    region.class = tmd_driver::certificate::ClassRecord::OutOfReach { core_seconds };
    region.units = None;
    let (first, last) = (number(&region.first), number(&region.last));
    certificate.units.retain(|unit| unit.region != index);
    certificate.cases.retain(|case| !(first <= number(&case.x) && number(&case.x) <= last));
    certificate.effort = Effort::default();
}
