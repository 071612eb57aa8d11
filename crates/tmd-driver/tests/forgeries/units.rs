//! Units: what was searched, how, and what was counted.

use tmd_driver::{
    Certificate,
    certificate::{BudgetRecord, PhaseRecord, ViaRecord},
};

use crate::{
    Forgery, Seen,
    forge::{forget, recount, unit_of},
    forgery,
};

type Line = fn(&mut BudgetRecord) -> &mut f64;
type Count = fn(&mut PhaseRecord) -> &mut u64;

pub(crate) fn forgeries(honest: &Certificate) -> Vec<Forgery> {
    assert!(honest.units.len() > 3);
    let mut all = bounds_and_counts();
    all.extend([
        forgery("a unit removed", |forged| drop(forged.units.remove(1))),
        forgery("a unit removed, and counted no more", |forged| {
            let unit = forged.units.remove(1);
            *forged.regions[unit.region].units.as_mut().unwrap() -= 1;
        }),
        forgery("no units", |forged| {
            forged.units.clear();
            for region in &mut forged.regions {
                region.units = Some(0);
            }
        }),
        forgery("a unit twice", |forged| {
            forged.units.insert(1, forged.units[0].clone());
            *forged.regions[0].units.as_mut().unwrap() += 1;
        }),
        forgery("a unit in place of its neighbor", |forged| forged.units[3] = forged.units[2].clone()),
        forgery("units in another order", |forged| forged.units.swap(1, 2)),
        forgery("a unit that ends before the next one begins", |forged| forged.units[2].arguments -= 1),
        forgery("a unit that goes on where the next one is", |forged| forged.units[2].arguments += 1),
        forgery("a unit without arguments", |forged| forged.units[2].arguments = 0),
        forgery("a unit of every other argument", |forged| {
            forged.units[2].spacing += 1;
            forged.units[2].arguments /= 2;
        }),
        forgery("a unit that begins elsewhere", |forged| {
            forged.units[2].first = forged.units[3].first.clone();
        }),
        forgery("a unit that begins in another spelling", |forged| {
            let unit = forged.units.iter_mut().find(|unit| unit.first == "0x1p+0").expect("a unit at 1");
            unit.first = "1".into();
        }),
        forgery("a unit of another region", |forged| forged.units[2].region += 1),
        forgery("a unit of no region", |forged| forged.units[2].region = 99),
        forgery("a piece more", |forged| forged.units[2].pieces += 1),
        forgery("no pieces", |forged| forged.units[2].pieces = 0),
        forgery("longer domains", |forged| forged.units[2].domain_sizes[1] *= 2),
        forgery("no domains", |forged| forged.units[2].domain_sizes = [0, 0]),
        forgery("a search of the inverse that was none", |forged| {
            let via = ViaRecord::Inverse { function: "log(x)".into(), extra_bits: 20 };
            forged.units[2].via = Some(via);
        }),
        forgery("more cases counted", |forged| recount(&mut forged.units[2], 1, 0, 0)),
        forgery("more exact cases counted", |forged| recount(&mut forged.units[2], 0, 1, 0)),
        forgery("more undecided arguments counted", |forged| recount(&mut forged.units[2], 0, 0, 1)),
        forgery("more cases than numbers can be added", |forged| forged.units[2].cases = u64::MAX),
        forgery("five thousand exact cases, and no list", |forged| recount(&mut forged.units[2], 0, 5001, 0)),
        forgery("as many exact cases as may be listed, and no list", |forged| {
            recount(&mut forged.units[2], 0, 10_000, 0);
        }),
        // more are not listed: that they are there is for a search to say
        forgery("more exact cases than may be listed", |forged| recount(&mut forged.units[2], 0, 10_001, 0))
            .seen(Seen::BySearching),
        forgery("more exact cases than arguments", |forged| {
            let more = forged.units[2].arguments as i64 + 1;
            recount(&mut forged.units[2], 0, more, 0);
        }),
        forgery("phases in another order", |forged| forged.units[2].phases.swap(0, 1)),
        forgery("a phase of another name", |forged| forged.units[2].phases[1].name = "certified".into()),
        forgery("a phase less", |forged| drop(forged.units[2].phases.pop())),
        forgery("a phase more", |forged| {
            let phase = forged.units[2].phases[4].clone();
            forged.units[2].phases.push(phase);
        }),
        // what agrees with itself and is not what was counted
        forgery("another domain that failed", |forged| {
            let [_, test, _, exhaust, _] = &mut forged.units[2].phases[..] else { panic!("five phases") };
            test.domains_out += 1;
            exhaust.domains_in += 1;
        })
        .seen(Seen::BySearching),
    ]);
    all
}

/// Other bounds, and other counts of phases.
fn bounds_and_counts() -> Vec<Forgery> {
    let mut all = Vec::new();
    let lines: [(&str, Line); 8] = [
        ("tolerance", |budget| &mut budget.tolerance),
        ("taylor", |budget| &mut budget.taylor),
        ("coefficients", |budget| &mut budget.coefficients),
        ("tables", |budget| &mut budget.tables),
        ("dropped", |budget| &mut budget.dropped),
        ("linear", |budget| &mut budget.linear),
        ("refined", |budget| &mut budget.refined),
        ("quantization", |budget| &mut budget.quantization),
    ];
    for (name, line) in lines {
        all.push(forgery(&format!("another bound: {name}"), move |forged| {
            let line = line(&mut forged.units[2].budget);
            *line = if *line == 0.0 { 1e-9 } else { *line * 0.999 };
        }));
    }
    let counts: [(&str, usize, Count); 9] = [
        ("domains made", 0, |phase| &mut phase.domains_in),
        ("domains made that went on", 0, |phase| &mut phase.domains_out),
        ("arguments in domains", 0, |phase| &mut phase.arguments_in),
        ("domains tested", 1, |phase| &mut phase.domains_in),
        ("domains failing", 1, |phase| &mut phase.domains_out),
        ("sub-domains left", 2, |phase| &mut phase.domains_out),
        ("arguments tabulated", 3, |phase| &mut phase.arguments_in),
        ("candidates", 3, |phase| &mut phase.domains_out),
        ("arguments looked at", 4, |phase| &mut phase.domains_in),
    ];
    for (name, phase, count) in counts {
        all.push(forgery(&format!("any number of {name}"), move |forged| {
            *count(&mut forged.units[2].phases[phase]) = 1 << 60;
        }));
    }
    all
}

/// Of a certificate whose units searched the inverse function; `tests/inverse.rs` has more, with
/// the reasons for which they are refused.
pub(crate) fn by_inverse() -> Vec<Forgery> {
    vec![
        forgery("a breakpoint left out", |forged| forged.units[0].arguments -= 1),
        forgery("a case counted where its breakpoint is not", |forged| {
            recount(&mut forged.units[0], -1, 0, 0);
            recount(&mut forged.units[1], 1, 0, 0);
        }),
    ]
}

/// Of a square root whose cases follow from congruences.
pub(crate) fn by_congruences() -> Vec<Forgery> {
    fn via(forged: &mut Certificate) -> (&mut u32, &mut u64) {
        match &mut forged.units[0].via {
            Some(ViaRecord::Congruences { modulus, remainders }) => (modulus, remainders),
            other => panic!("{other:?}"),
        }
    }
    /// A case of a unit, with all that follows from it.
    fn forget_one(forged: &mut Certificate) {
        let index = forged.cases.iter().position(|case| unit_of(forged, &case.x).is_some()).expect("a case");
        let x = forged.cases[index].x.clone();
        forget(forged, index);
        forged.rules.retain(|rule| rule.anchor != x);
        let row = |x: &str| {
            let (part, exponent) = x.split_once('p').expect("an exponent");
            (part.to_owned(), exponent.parse::<i32>().expect("an exponent").rem_euclid(2))
        };
        forged.cases.retain(|case| row(&case.x) != row(&x));
    }
    vec![
        forgery("another modulus", |forged| *via(forged).0 += 1),
        forgery("fewer remainders", |forged| *via(forged).1 /= 2),
        forgery("no remainders", |forged| *via(forged).1 = 0),
        forgery("a unit shortened", |forged| forged.units[0].arguments -= 1),
        forgery("a case forgotten", forget_one),
        forgery("an exact case less", |forged| recount(&mut forged.units[0], 0, -1, 0)),
        forgery("pieces", |forged| forged.units[0].pieces = 1),
        forgery("domains", |forged| forged.units[0].domain_sizes = [3, 5]),
        forgery("a budget", |forged| forged.units[0].budget.taylor = 1e-9),
        forgery("a phase of a search", |forged| forged.units[0].phases[1].domains_in = 1),
        forgery("a search of which nothing is said", |forged| forged.units[0].via = None),
        forgery("a cube root", |forged| forged.function = "cbrt(x)".into()),
    ]
}
