//! Certificates of searches of the inverse function: they hold, and are refused if they were
//! tampered with.

#[path = "forgeries/forge.rs"]
mod forge;
mod testing;

use forge::recount;
use testing::{Tamper, findings, forged, problem, solve, walk, walk_through_flat};
use tmd_core::{Breakpoints, Format, Interrupt};
use tmd_driver::{
    Certificate, InverseUse,
    certificate::{Refusal, UnitRecord, ViaRecord},
};
use tmd_functions::{Expression, parse, parse_number};
use tmd_simd::Simd;

/// log on [2^20, 2^24) in binary32: results around 16 = log(2^23.08), so that a region has two
/// ranges of breakpoints.
fn certificate(inverse_use: InverseUse) -> Certificate {
    let (function, walk) = (log(), walk());
    let solve = solve(&function, problem(Format::BINARY32, Breakpoints::All, 17), Some(20..24), &walk);
    let plan = solve.plan_with(inverse_use).unwrap();
    let is_inverse = inverse_use == InverseUse::WherePossible;
    assert_eq!(plan.to_table(&solve).contains("search exp(x) over 2^"), is_inverse);
    assert_eq!(plan.to_json(&solve).contains(r#""inverse": "exp(x)""#), is_inverse);
    solve.run(&plan, &(), &Interrupt::new()).unwrap()
}

fn log() -> Expression {
    parse("log").unwrap()
}

fn refusals(certificate: &Certificate, engine: Option<&Simd>) -> Vec<Refusal> {
    findings(&log(), certificate, engine.map(|engine| engine as _), (8, 1.0, 3)).refusals
}

/// What is said of a certificate after `tamper`, sealed again.
fn tampered(tamper: impl FnOnce(&mut Certificate)) -> Vec<Refusal> {
    refusals(&forged(&certificate(InverseUse::WherePossible), tamper), Some(&walk()))
}

/// The units of the last region are next to results below 16 and from 16 on.
fn is_two_parted(units: &[UnitRecord]) -> bool {
    let [.., below, above] = units else { return false };
    below.region == above.region && above.first == "0x1p+4" && below.spacing + 1 == above.spacing
}

#[test]
fn the_same_list_and_a_certificate_that_holds() {
    let [direct, inverse] = [InverseUse::Never, InverseUse::WherePossible].map(certificate);
    assert!(direct.cases.len() > 400, "{}", direct.cases.len());
    assert_eq!(inverse.cases, direct.cases);
    assert!(inverse.units.iter().all(|unit| unit.via.is_some()) && is_two_parted(&inverse.units));
    assert!(direct.units.iter().all(|unit| unit.via.is_none()));
    let count = |certificate: &Certificate| certificate.units.iter().map(|unit| unit.arguments).sum::<u64>();
    assert!(count(&inverse) * 3 < count(&direct));
    for engine in [Some(&walk()), None] {
        assert_eq!(refusals(&inverse, engine), []);
    }
    let again = Certificate::from_json(&inverse.to_json()).unwrap();
    assert_eq!(again, inverse, "read back bit by bit");
    // a program that knows nothing of inverse searches must not take the units for direct ones
    let text = direct.to_json();
    assert!(!text.contains("\"via\"") && inverse.to_json().contains(r#""via":{"is":"inverse""#));
}

/// Plans choose it where exp is flat and domains would be too large (at 2^-50 so flat that
/// arguments are listed), and only there; and what is chosen costs less. Where flat pieces are
/// passed over the function itself takes no time.
#[test]
fn chosen_where_it_pays() {
    let function = parse("exp").unwrap();
    let problem = problem(Format::BINARY64, Breakpoints::All, 45);
    let (through, passing) = (walk_through_flat(), walk());
    let all = [(-21..-20, true), (-35..-34, true), (-3..-2, false), (-50..-49, true)];
    let through = all.into_iter().map(|(binades, is_chosen)| (&through, binades, is_chosen));
    let passing = [(&passing, -17..-16, true), (&passing, -35..-34, false)];
    for (walk, binades, is_chosen) in through.chain(passing) {
        let solve = solve(&function, problem, Some(binades), walk);
        let [direct, plan] =
            [InverseUse::Never, InverseUse::WhereFaster].map(|choice| solve.plan_with(choice).unwrap());
        assert_eq!(plan.to_table(&solve), solve.plan().unwrap().to_table(&solve));
        assert_eq!(plan.units.iter().all(|unit| unit.via.is_some()), is_chosen, "{:?}", solve.binades);
        assert_eq!(plan.units.iter().any(|unit| unit.via.is_some()), is_chosen, "{:?}", solve.binades);
        let [direct, plan] = [direct, plan].map(|plan| plan.totals(&solve));
        assert_eq!((direct.arguments, direct.searched), (plan.arguments, plan.searched));
        assert_eq!(plan.core_seconds * 10.0 < direct.core_seconds, is_chosen, "{direct:?}, {plan:?}");
    }
}

#[test]
fn units_that_do_not_fit() {
    let ways: [Tamper; 8] = [
        // m' too large, or too small: not what follows
        |certificate| change_bits(&mut certificate.units[1], 1),
        |certificate| change_bits(&mut certificate.units[1], -1),
        // one breakpoint too few, at either end of a region
        |certificate| certificate.units.last_mut().unwrap().arguments -= 1,
        |certificate| {
            let unit = &mut certificate.units[0];
            let next =
                parse_number(&unit.first).unwrap() + parse_number(&format!("2^{}", unit.spacing)).unwrap();
            unit.first = tmd_driver::interval::argument(&next, Format::BINARY64).unwrap().to_string();
            unit.arguments -= 1;
        },
        // one of two ranges missing, and not counted
        |certificate| {
            let unit = certificate.units.pop().unwrap();
            *certificate.regions[unit.region].units.as_mut().unwrap() -= 1;
        },
        // said to be of log itself, or of another function
        |certificate| certificate.units[0].via = None,
        |certificate| {
            if let Some(ViaRecord::Inverse { function, .. }) = &mut certificate.units[0].via {
                *function = "exp2(x)".into();
            }
        },
        |certificate| certificate.units.swap(2, 3),
    ];
    for (index, way) in ways.into_iter().enumerate() {
        let found = tampered(way);
        assert!(found.iter().any(|r| matches!(r, Refusal::Tiling { .. })), "{index}: {found:?}");
    }
}

fn change_bits(unit: &mut UnitRecord, by: i32) {
    if let Some(ViaRecord::Inverse { extra_bits, .. }) = &mut unit.via {
        *extra_bits = extra_bits.checked_add_signed(by).unwrap();
    }
}

/// The budget is that of the search of exp, tolerance and all.
#[test]
fn a_budget_halved() {
    let found = tampered(|certificate| certificate.units[0].budget.tolerance *= 0.5);
    assert!(matches!(&found[..], [Refusal::Budget { line: "tolerance", index: 0, .. }]), "{found:?}");
    let found = tampered(|certificate| certificate.units[3].budget.quantization *= 0.5);
    assert!(matches!(&found[..], [Refusal::Budget { line: "quantization", index: 3, .. }]), "{found:?}");
}

#[test]
fn cases_removed_moved_and_forgotten() {
    let found = tampered(|certificate| drop(certificate.cases.remove(40)));
    assert!(matches!(&found[..], [Refusal::Count { what: "case", .. }]), "{found:?}");
    // counted by the unit on the other side of 16
    let found = tampered(|certificate| {
        let count = certificate.units.len();
        let [.., below, above] = &mut certificate.units[..] else { panic!("{count} units") };
        below.cases += 1;
        above.cases -= 1;
    });
    let is_count = |r: &Refusal| matches!(r, Refusal::Count { .. } | Refusal::Phases { .. });
    assert!(found.len() == 4 && found.iter().all(is_count), "{found:?}");
    // forgotten by the unit, too: only a search of log itself can tell
    let found = tampered(|certificate| {
        certificate.cases.remove(40);
        recount(&mut certificate.units[0], -1, 0, 0);
    });
    assert!(!found.is_empty() && found.iter().all(|r| matches!(r, Refusal::Sample { .. })), "{found:?}");
}
