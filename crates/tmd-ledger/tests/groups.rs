//! Runs over groups of binades, made apart: one certificate, as if one run had searched them all.

mod common;

use std::ops::Range;

use common::{Asked, StopAfter, leases, question};
use tmd_core::{Breakpoints, Format, Interrupt, Problem};
use tmd_driver::{
    Certificate, DriverError, InverseUse, Solve, Uses,
    certificate::{
        Verification,
        merge::{Merged, Part, merge},
    },
};
use tmd_functions::Function;
use tmd_ledger::Ledger;

const FAMILIES: Uses = Uses { inverse: InverseUse::Never, families: InverseUse::WherePossible };
const PLANAR: Uses = Uses { inverse: InverseUse::Never, families: InverseUse::Never };

/// Of the format of the families' tests.
fn asked(function: &str, extra_bits: u32) -> Asked {
    let format = Format::new(20, -150, 150).unwrap();
    let problem = Problem::new(format, format, Breakpoints::All, extra_bits).unwrap();
    Asked { problem, ..Asked::new(function, extra_bits) }
}

/// The certificate of a run in a directory of its own, in units of so many seconds; stopped early,
/// if it is not to be finished.
fn run(asked: &Asked, binades: Range<i32>, unit_s: f64, uses: Uses, is_finished: bool) -> Part {
    let name = format!("{binades:?}");
    let solve = Solve { binades: Some(binades), ..asked.solve() };
    let plan = solve.plan_in_units_with(unit_s, uses).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let ledger = Ledger::create(folder.path(), &question(&solve), &plan).unwrap();
    let interrupt = Interrupt::new();
    let stop = StopAfter(if is_finished { u128::MAX } else { plan.searched() / 3 }, &interrupt);
    let worked = ledger.work(&solve, &plan, leases(), &stop, &interrupt).unwrap();
    assert_eq!(worked.is_complete, is_finished);
    Part { name, certificate: ledger.certificate(&solve, &plan).unwrap() }
}

fn merged(asked: &Asked, parts: &[Part]) -> Merged {
    merge(&asked.function, parts).unwrap()
}

fn verified(asked: &Asked, certificate: &Certificate) {
    let function: &dyn Function = &asked.function;
    let tmd_driver::Besides { other, faster } = tmd_driver::engines_besides(&certificate.engine);
    let faster = faster.as_ref().map(|faster| faster as _);
    let (samples, sample_seconds, seed) = (3, 0.01, 1);
    let engine = Some(&asked.walk as &dyn tmd_core::Backend);
    let verification = Verification {
        certificate,
        function,
        engine,
        other: &other,
        faster,
        walk: None,
        samples,
        sample_seconds,
        seed,
    };
    let findings = verification.run(&Interrupt::new()).unwrap();
    assert!(findings.is_all(), "{findings:?}");
}

/// In whichever groups, and in whichever order they come, it is the certificate of one run; where
/// that one searches binades together that runs of groups do not, its lists.
#[test]
fn groups_are_one_run() {
    for (function, uses, [a, b, c, d]) in [
        ("sin", FAMILIES, [70, 74, 78, 82]),
        ("exp", FAMILIES, [3, 4, 5, 6]),
        ("exp", PLANAR, [-3, -1, 0, 2]),
    ] {
        let asked = asked(function, 12);
        let is_same = |one: &Certificate, other: &Certificate| {
            let is_together = function == "exp" && uses == FAMILIES;
            let lists = |c: &Certificate| (c.cases.clone(), c.exact_cases.clone(), c.is_complete());
            if is_together { lists(one) == lists(other) } else { one.to_json() == other.to_json() }
        };
        let group = |binades| run(&asked, binades, 5e-4, uses, true);
        let whole = group(a..d).certificate;
        assert!(whole.is_complete() && whole.cases.len() > 200 && whole.units.len() > 6, "{function}");
        let [first, second, third] = [a..b, b..c, c..d].map(group);
        for parts in
            [[first.clone(), second.clone(), third.clone()], [third.clone(), first.clone(), second.clone()]]
        {
            let Merged { certificate, compared, uncompared, disagreements } = merged(&asked, &parts);
            assert!(is_same(&certificate, &whole), "{function}");
            assert_eq!((compared, uncompared, disagreements), (0, 0, Vec::new()));
        }
        // once more, with what is there already
        let both = merged(&asked, &[first, second]).certificate;
        assert_eq!(both.binades, Some([a, c]));
        let parts = [Part { name: "both".into(), certificate: both }, third];
        assert!(is_same(&merged(&asked, &parts).certificate, &whole), "{function}");
        verified(&asked, &whole);
    }
}

/// Units of each run stay as they are, and what two have searched is compared.
#[test]
fn groups_in_other_units_that_overlap() {
    let asked = asked("sin", 12);
    let [low, high] = [(70..72, 5e-4), (71..73, 2e-3)]
        .map(|(binades, unit_s)| run(&asked, binades, unit_s, FAMILIES, true));
    let planar = run(&asked, 72..74, 5e-4, PLANAR, true);
    let units = |part: &Part| part.certificate.units.len();
    let merged = merged(&asked, &[low.clone(), high.clone(), planar.clone()]);
    assert!(merged.disagreements.is_empty());
    assert_eq!((merged.compared, merged.uncompared), (2 << 19, 0));
    let certificate = merged.certificate;
    assert!(certificate.is_complete());
    assert_eq!(certificate.binades, Some([70, 74]));
    assert!(
        certificate.units.len() > units(&low)
            && certificate.units.len() < units(&low) + units(&high) + units(&planar)
    );
    verified(&asked, &certificate);
    assert_eq!(certificate.cases, run(&asked, 70..74, 5e-4, FAMILIES, true).certificate.cases);
}

/// What nobody has searched to the end is missing, and named.
#[test]
fn what_is_left_is_said() {
    let asked = asked("sin", 12);
    let low = run(&asked, 70..71, 5e-4, FAMILIES, true);
    let (begun, high) =
        (run(&asked, 71..72, 5e-4, FAMILIES, false), run(&asked, 73..74, 5e-4, FAMILIES, true));
    let certificate = merged(&asked, &[low.clone(), begun.clone(), high.clone()]).certificate;
    assert!(!certificate.is_finished() && !certificate.is_complete());
    let coverage = tmd_driver::Coverage::of(&certificate).unwrap();
    let left: Vec<String> = coverage
        .stretches()
        .iter()
        .filter(|stretch| !stretch.is_covered())
        .map(|stretch| stretch.first.clone())
        .collect();
    assert_eq!(left, ["-0x1.ffffep+72", "0x1p+71"]);
    assert_eq!(coverage.asked() - coverage.covered(), 4 << 19);
    // what was found there is not lost
    let is_there = |part: &Part| part.certificate.cases.iter().all(|case| certificate.cases.contains(case));
    assert!(is_there(&low) && is_there(&begun) && is_there(&high));
    // another run that finishes the binade takes its place
    let whole = run(&asked, 71..73, 5e-4, FAMILIES, true);
    assert!(merged(&asked, &[low, begun, high, whole]).certificate.is_complete());
}

/// Of two runs that say something else of a binade, neither counts.
#[test]
fn a_case_less_is_a_disagreement() {
    let asked = asked("sin", 12);
    // the binades 70 and 71 together, and those from 72 on
    let right = run(&asked, 70..75, 5e-4, FAMILIES, true);
    let mut wrong = run(&asked, 74..75, 5e-4, FAMILIES, true);
    wrong.name = "wrong".into();
    let at = wrong.certificate.cases.iter().position(|case| !case.x.starts_with('-')).unwrap();
    let lost = wrong.certificate.cases.remove(at);
    // changed, and its digest is not
    assert!(matches!(merge(&asked.function, &[wrong.clone()]), Err(DriverError::Unreadable { .. })));
    wrong.certificate.digest = wrong.certificate.computed_digest();
    for parts in [[right.clone(), wrong.clone()], [wrong, right]] {
        let Merged { certificate, disagreements, .. } = merged(&asked, &parts);
        let [one] = &disagreements[..] else { panic!("{disagreements:?}") };
        assert_eq!((&one.x, one.what), (&lost.x, "case"));
        assert!(one.parts.contains(&"wrong".to_owned()) && one.parts.contains(&"70..75".to_owned()));
        assert!(!certificate.is_complete());
        let is_of_the_first = |x: &str| x.ends_with("p+70") || x.ends_with("p+71");
        assert!(
            certificate.cases.iter().all(|case| is_of_the_first(&case.x)) && !certificate.cases.is_empty()
        );
    }
}

#[test]
fn other_questions_are_refused() {
    let asked_here = asked("sin", 12);
    let part = run(&asked_here, 70..71, 5e-4, FAMILIES, true);
    for (function, extra_bits, difference) in [
        ("cos", 12, "function is cos(x) there and sin(x) in the other"),
        ("sin", 13, "extra_bits is 13 there and 12 in the other"),
    ] {
        let other = run(&asked(function, extra_bits), 71..72, 5e-4, FAMILIES, true);
        let error = merge(&asked_here.function, &[part.clone(), other]).unwrap_err();
        assert!(error.to_string().contains(difference), "{error}");
    }
    assert_eq!(merge(&asked_here.function, &[]).unwrap_err(), DriverError::NothingToMerge);
    assert!(matches!(merge(&asked("cos", 12).function, &[part]), Err(DriverError::OtherQuestion { .. })));
}
