//! Certificates that were tampered with are refused, each for the right reason; even if their
//! digest was made to fit.

mod verified;

use sha2::{Digest as _, Sha256};
use tmd_core::{Breakpoints, Format, Interrupt, Problem};
use tmd_driver::{
    Certificate, DriverError, Observer, Progress, Solve, Workers,
    certificate::{BudgetRecord, ClassRecord, Effort, LONG_SCHEMAS, Refusal, SCHEMA, unlikely},
    regions::regions,
    solve::{PlannedRegion, Treatment},
};
use tmd_functions::{Expression, parse};
use tmd_simd::{Level, Simd};
use verified::findings;

type Tamper = fn(&mut Certificate);

/// A line of a budget.
type Line = fn(&mut BudgetRecord) -> &mut f64;

/// Requests an interrupt after so many arguments.
struct After<'a>(&'a Interrupt, u128);

impl Observer for After<'_> {
    fn progress(&self, progress: Progress) {
        if progress.searched >= self.1 {
            self.0.request();
        }
    }
}

/// exp or sin on [1/8, 4), both signs, in binary32: some hundred cases in a few units.
fn certificate(function: &Expression) -> Certificate {
    let walk = Simd::farey(Level::best());
    let problem = Problem::new(Format::BINARY32, Format::BINARY32, Breakpoints::All, 19).unwrap();
    let workers = Workers::cpu(&walk, 2);
    let solve = Solve { function, problem, binades: Some(-3..2), workers, limit: f64::INFINITY };
    solve.run(&solve.plan().unwrap(), &(), &Interrupt::new()).unwrap()
}

fn refusals(function: &Expression, certificate: &Certificate, engine: Option<&Simd>) -> Vec<Refusal> {
    findings(function, certificate, engine.map(|engine| engine as _), (4, 0.2, 3)).refusals
}

/// What is said of a certificate after `tamper`, sealed again.
fn tampered(function: &str, tamper: impl FnOnce(&mut Certificate)) -> Vec<Refusal> {
    let function = parse(function).unwrap();
    let mut certificate = certificate(&function);
    tamper(&mut certificate);
    let broken_seal = refusals(&function, &certificate, Some(&Simd::farey(Level::best())));
    assert!(matches!(broken_seal[0], Refusal::Digest { .. }), "{broken_seal:?}");
    certificate.digest = certificate.computed_digest();
    refusals(&function, &certificate, Some(&Simd::farey(Level::best())))
}

#[test]
fn an_honest_certificate_holds() {
    for name in ["exp", "sin"] {
        let function = parse(name).unwrap();
        let certificate = certificate(&function);
        assert!(certificate.cases.len() > 100 && certificate.is_complete());
        for engine in [Some(&Simd::farey(Level::best())), None] {
            assert_eq!(refusals(&function, &certificate, engine), []);
        }
        let again = Certificate::from_json(&certificate.to_json()).unwrap();
        assert_eq!(again, certificate, "read back bit by bit");
        assert_eq!(again.computed_digest(), certificate.digest);
        // of the document without the digest and without times
        let bare = Certificate { digest: String::new(), effort: Effort::default(), ..again };
        let text = serde_json::to_vec(&bare).unwrap();
        assert_eq!(format!("{:x}", Sha256::digest(text)), certificate.digest);
    }
}

/// A version that never wrote certificates is not believed, whatever is in them.
#[test]
fn another_version() {
    let altered = |certificate: &mut Certificate| certificate.units[2].pieces += 1;
    let refused = tampered("exp", altered);
    assert!(refused.iter().any(|refusal| matches!(refusal, Refusal::Count { .. })), "{refused:?}");
    let refused = tampered("exp", |certificate| certificate.program = "tmd 0.0.9".into());
    assert!(matches!(refused[..], [Refusal::Field { what: "program", .. }]), "{refused:?}");
}

#[test]
fn a_case_removed() {
    let count = |refusals: &[Refusal]| {
        refusals.iter().filter(|r| matches!(r, Refusal::Count { what: "case", .. })).count()
    };
    // the units counted it
    let found = tampered("exp", |certificate| drop(certificate.cases.remove(40)));
    assert_eq!((found.len(), count(&found)), (1, 1), "{found:?}");
    // and if they are made to forget it, a search of that unit finds it: each sample here is a
    // whole unit
    let forged = tampered("exp", |certificate| {
        let units = &mut certificate.units;
        for unit in units {
            unit.cases = 0;
        }
        certificate.cases.clear();
    });
    assert!(forged.iter().any(|r| matches!(r, Refusal::Unlikely { .. })), "{forged:?}");
    // of a case at x and one at −x
    let found = tampered("sin", |certificate| drop(certificate.cases.remove(0)));
    assert!(matches!(&found[..], [Refusal::Listed { what: "case", .. }]), "{found:?}");
}

/// One forgotten case, of which the units know nothing: only a search can tell, and it does.
#[test]
fn a_case_forgotten() {
    let found = tampered("exp", |certificate| {
        for unit in &mut certificate.units {
            let x = |text: &str| tmd_functions::parse_number(text).unwrap();
            let first = x(&unit.first);
            let spacing = tmd_functions::parse_number(&format!("2^{}", unit.spacing)).unwrap();
            let end = first.clone() + spacing * rug::Rational::from(unit.arguments);
            let inside = |case: &tmd_driver::report::Case| (first <= x(&case.x)) && (x(&case.x) < end);
            // the middle one of each unit
            let of_unit: Vec<usize> =
                (0..certificate.cases.len()).filter(|&i| inside(&certificate.cases[i])).collect();
            certificate.cases.remove(of_unit[of_unit.len() / 2]);
            unit.cases -= 1;
            let [.., exhaust, confirm] = &mut unit.phases[..] else { panic!("five phases") };
            exhaust.domains_out -= 1;
            for count in [&mut confirm.domains_in, &mut confirm.domains_out, &mut confirm.arguments_in] {
                *count -= 1;
            }
        }
    });
    let is_seen = |r: &Refusal| matches!(r, Refusal::Sample { .. } | Refusal::Unit { .. });
    assert!(!found.is_empty() && found.iter().all(is_seen), "{found:?}");
}

#[test]
fn a_case_added_or_changed() {
    let found = tampered("exp", |certificate| {
        let mut case = certificate.cases[9].clone();
        case.x = "0x1.000002p+0".into();
        let at = certificate
            .cases
            .iter()
            .position(|case| case.x.starts_with("0x1.") && case.x.ends_with("p+0"))
            .unwrap();
        certificate.cases.insert(at, case);
    });
    assert!(found.iter().any(|r| matches!(r, Refusal::Count { what: "case", .. })), "{found:?}");
    assert!(found.iter().any(|r| matches!(r, Refusal::Listed { what: "case", .. })), "{found:?}");
    let found = tampered("exp", |certificate| certificate.cases[9].identical_bits += 1);
    assert!(matches!(&found[..], [Refusal::Listed { what: "case", .. }]), "{found:?}");
    let found = tampered("exp", |certificate| certificate.cases.swap(3, 4));
    assert!(
        found.iter().any(|r| matches!(r, Refusal::Listed { reason, .. } if reason.contains("order"))),
        "{found:?}"
    );
}

#[test]
fn a_unit_missing() {
    let found = tampered("exp", |certificate| drop(certificate.units.remove(1)));
    assert!(found.iter().any(|r| matches!(r, Refusal::Incomplete { .. })), "{found:?}");
    assert!(found.iter().any(|r| matches!(r, Refusal::Tiling { .. })), "{found:?}");
    // and not only counted
    let found = tampered("exp", |certificate| {
        let unit = certificate.units.remove(1);
        *certificate.regions[unit.region].units.as_mut().unwrap() -= 1;
    });
    assert!(
        !found.is_empty()
            && found.iter().all(|r| {
                matches!(
                    r,
                    Refusal::Tiling { .. } | Refusal::Region { .. } | Refusal::Field { what: "effort", .. }
                )
            }),
        "{found:?}"
    );
    // shorter, longer, shifted, twice
    let ways: [Tamper; 4] = [
        |certificate| certificate.units[2].arguments -= 1,
        |certificate| certificate.units[2].arguments += 1,
        |certificate| certificate.units[2].first = certificate.units[3].first.clone(),
        |certificate| certificate.units[3] = certificate.units[2].clone(),
    ];
    for way in ways {
        let found = tampered("exp", way);
        assert!(found.iter().any(|r| matches!(r, Refusal::Tiling { .. })), "{found:?}");
    }
}

/// Each line of each budget, halved.
#[test]
fn a_budget_halved() {
    let function = parse("exp").unwrap();
    let honest = certificate(&function);
    let engine = Simd::farey(Level::best());
    let lines: [(&str, Line); 6] = [
        ("tolerance", |budget| &mut budget.tolerance),
        ("taylor", |budget| &mut budget.taylor),
        ("coefficients", |budget| &mut budget.coefficients),
        ("tables", |budget| &mut budget.tables),
        ("linear", |budget| &mut budget.linear),
        ("quantization", |budget| &mut budget.quantization),
    ];
    for (i, (name, line)) in lines.into_iter().enumerate() {
        let unit = honest.units.len() - 1 - i % honest.units.len();
        let mut certificate = honest.clone();
        *line(&mut certificate.units[unit].budget) *= 0.5;
        certificate.digest = certificate.computed_digest();
        if *line(&mut certificate.units[unit].budget) == 0.0 {
            continue;
        }
        for (engine, is_seen) in [(Some(&engine), true), (None, i < 3)] {
            let found = refusals(&function, &certificate, engine);
            let is_it = matches!(&found[..], [Refusal::Budget { line, index, .. }] if *line == name && *index == unit);
            assert!(if is_seen { is_it } else { found.is_empty() }, "{name}: {found:?}");
        }
    }
}

#[test]
fn regions_changed() {
    let found =
        tampered("exp", |certificate| certificate.regions[0].last = certificate.regions[0].first.clone());
    assert!(matches!(&found[..], [Refusal::Region { index: 0, .. }]), "{found:?}");
    let found = tampered("exp", |certificate| certificate.regions[1].class = ClassRecord::Undefined);
    assert!(found.iter().any(|r| matches!(r, Refusal::Region { index: 1, .. })), "{found:?}");
    let found = tampered("exp", |certificate| drop(certificate.regions.remove(0)));
    assert!(found.iter().any(|r| matches!(r, Refusal::RegionCount { .. })), "{found:?}");
    // a region out of reach may be said to be so: the certificate then does not cover it, and says
    // that
    let function = parse("exp").unwrap();
    let count = regions(&function, Format::BINARY32, Some(-3..2)).unwrap().len();
    assert_eq!(count, certificate(&function).regions.len());
}

/// The regions of [`certificate`], as a plan has them.
fn plan(function: &Expression) -> Vec<PlannedRegion> {
    let walk = Simd::farey(Level::best());
    let problem = Problem::new(Format::BINARY32, Format::BINARY32, Breakpoints::All, 19).unwrap();
    let workers = Workers::cpu(&walk, 1);
    let solve = Solve { function, problem, binades: Some(-3..2), workers, limit: f64::INFINITY };
    solve.plan().unwrap().regions
}

fn seconds(treatment: &Treatment) -> f64 {
    match treatment {
        Treatment::Searched { plan, .. } => plan.core_seconds,
        _ => 0.0,
    }
}

/// A search that was made is said to be out of reach: nothing is wrong with a certificate that
/// covers less, if it says so of all that follows.
#[test]
fn searched_turned_out_of_reach() {
    let leave_out = |certificate: &mut Certificate, index: usize, core_seconds: f64| {
        certificate.effort = Effort::default();
        certificate.regions[index].class = ClassRecord::OutOfReach { core_seconds };
        certificate.regions[index].units = None;
        certificate.units.retain(|unit| unit.region != index);
        let ends = [&certificate.regions[index].first, &certificate.regions[index].last];
        let [first, last] = ends.map(|end| tmd_functions::parse_number(end).unwrap());
        let is_inside = |x: &str| {
            let x = tmd_functions::parse_number(x).unwrap();
            first <= x && x <= last
        };
        certificate.cases.retain(|case| !is_inside(&case.x));
        certificate.digest = certificate.computed_digest();
    };
    let findings = |function: &Expression, certificate: &Certificate| {
        findings(function, certificate, Some(&Simd::farey(Level::best())), (1, 0.01, 3))
    };
    let exp = parse("exp").unwrap();
    let mut certificate = certificate(&exp);
    assert!(findings(&exp, &certificate).is_all());
    leave_out(&mut certificate, 1, 7.0);
    let found = findings(&exp, &certificate);
    assert!(matches!(found.refusals[..], [Refusal::Reach { index: 1, .. }]), "{found:?}");
    // as a plan says it, of the one that takes longest
    let seconds: Vec<f64> = plan(&exp).iter().map(|region| seconds(&region.treatment)).collect();
    let longest = (0..seconds.len()).max_by(|a, b| seconds[*a].total_cmp(&seconds[*b])).unwrap();
    let mut certificate = self::certificate(&exp);
    leave_out(&mut certificate, longest, seconds[longest]);
    let found = findings(&exp, &certificate);
    assert!(found.holds() && !found.is_all(), "{:?}", found.refusals);
    assert!(found.uncovered.len() == 1 && found.coverage.starts_with("NOT COMPLETE for 1/8"), "{found:?}");

    // what follows from it would follow from nothing
    for name in ["sqrt", "sin", "sinpi"] {
        let function = parse(name).unwrap();
        let walk = Simd::farey(Level::best());
        let problem = Problem::new(Format::BFLOAT16, Format::BFLOAT16, Breakpoints::All, 5).unwrap();
        let workers = Workers::cpu(&walk, 1);
        let solve = Solve { function: &function, problem, binades: None, workers, limit: f64::INFINITY };
        let mut certificate = solve.run(&solve.plan().unwrap(), &(), &Interrupt::new()).unwrap();
        assert!(findings(&function, &certificate).is_all());
        let index =
            certificate.regions.iter().rposition(|region| region.class == ClassRecord::Searched).unwrap();
        leave_out(&mut certificate, index, 7.0);
        let found = findings(&function, &certificate);
        let is_refused =
            |refusal: &Refusal| matches!(refusal, Refusal::Region { .. } | Refusal::RegionCount { .. });
        assert!(found.refusals.iter().any(is_refused) && !found.is_all(), "{name}: {found:?}");
    }
}

#[test]
fn another_function() {
    let found = tampered("exp", |certificate| certificate.function = "exp2(x)".into());
    assert!(matches!(&found[..], [Refusal::Function { .. }]), "{found:?}");
}

#[test]
fn documents_that_are_none() {
    let text = certificate(&parse("exp").unwrap()).to_json();
    for wrong in [
        "",
        "{}",
        "[1, 2]",
        &text[..text.len() / 2],
        &text.replace(SCHEMA, "tmd-certificate-9"),
        &text.replace("\"units\"", "\"unity\""),
    ] {
        assert!(matches!(Certificate::from_json(wrong), Err(DriverError::Unreadable { .. })));
    }
}

/// Breakpoints and brackets that a document does not have are those that it had before; one that
/// has some of them is none.
#[test]
fn what_follows_from_arguments_is_not_written() {
    for function in ["exp", "sin"] {
        let found = certificate(&parse(function).unwrap());
        assert!(found.schema == SCHEMA && !found.cases.is_empty());
        let mut long = found.clone();
        long.schema = LONG_SCHEMAS[0].into();
        long.digest = long.computed_digest();
        assert_ne!(long.digest, found.digest);
        let (short_text, long_text) = (found.to_json(), long.to_json());
        assert!(!short_text.contains("bracket") && long_text.contains("bracket"));
        assert_eq!(Certificate::from_json(&short_text).unwrap(), found);
        let mut read = Certificate::from_json(&long_text).unwrap();
        assert_eq!(read, long);
        read.renew();
        assert_eq!(read, found);
        // what was changed stays as it is, and its digest says so
        long.cases.remove(0);
        let changed = long.clone();
        long.renew();
        assert_eq!(long, changed);
        // versions that have it all, and those that have nothing of it
        for (text, from, to) in
            [(&short_text, SCHEMA, LONG_SCHEMAS[0]), (&long_text, LONG_SCHEMAS[0], SCHEMA)]
        {
            assert!(Certificate::from_json(&text.replace(from, to)).is_err(), "{to}");
        }
        for field in ["breakpoint", "bracket"] {
            let mut torn: serde_json::Value = serde_json::from_str(&long_text).unwrap();
            torn["cases"][0].as_object_mut().unwrap().remove(field);
            assert!(Certificate::from_json(&torn.to_string()).is_err());
        }
        // an argument without a result, and one that is no number: they stay, for whoever verifies
        let mut forged = found.clone();
        forged.cases[0].x = "the hardest".into();
        let read = Certificate::from_json(&forged.to_json()).unwrap();
        assert!(read.cases[0].breakpoint.is_empty());
        assert_eq!(read.cases[1..], found.cases[1..]);
    }
}

/// An interrupt leaves the units that were finished, and says that some are missing.
#[test]
fn interrupted() {
    let function = parse("exp").unwrap();
    let walk = Simd::farey(Level::best());
    let problem = Problem::new(Format::BINARY32, Format::BINARY32, Breakpoints::All, 19).unwrap();
    let solve = Solve {
        function: &function,
        problem,
        binades: Some(-3..2),
        workers: Workers::cpu(&walk, 1),
        limit: 1e9,
    };
    let interrupt = Interrupt::new();
    let plan = solve.plan().unwrap();
    let partial = solve.run(&plan, &After(&interrupt, 1 << 24), &interrupt).unwrap();
    assert!(!partial.is_complete() && !partial.units.is_empty() && partial.units.len() < plan.units.len());
    let whole = certificate(&function);
    assert_eq!(partial.units[..], whole.units[..partial.units.len()], "what is finished is the same");
    let [of_part, of_all] = [&partial, &whole].map(|certificate| certificate.totals().expected_cases);
    let [cases, all] = [&partial, &whole].map(|certificate| certificate.cases.len() as f64);
    assert!(of_part < 0.99 * of_all, "only what was searched is counted: {of_part} of {of_all}");
    assert!((of_part - cases).abs() < 6.0 * of_part.sqrt() && (of_all - all).abs() < 6.0 * of_all.sqrt());
    assert!(
        refusals(&function, &partial, Some(&walk)).iter().any(|r| matches!(r, Refusal::Incomplete { .. }))
    );
}

/// exp near 2^-35 is `1 + x + x²/2` but for less than ε: squares make five times as many cases as
/// chance would, and that is known.
#[test]
fn numbers_of_cases_that_arithmetic_makes() {
    let walk = Simd::farey(Level::best());
    let function = parse("exp").unwrap();
    let problem = Problem::new(Format::BINARY64, Format::BINARY64, Breakpoints::All, 48).unwrap();
    let solve = |binades| Solve {
        function: &function,
        problem,
        binades: Some(binades),
        workers: Workers::cpu(&walk, 2),
        limit: f64::INFINITY,
    };
    for (binade, is_arithmetic) in [(-35, true), (-24, false)] {
        let solve = solve(binade..binade + 1);
        let certificate = solve.run(&solve.plan().unwrap(), &(), &Interrupt::new()).unwrap();
        let counts = certificate.counts(&function).unwrap();
        assert_eq!(counts.len(), 2, "of both signs");
        for count in &counts {
            assert_eq!(count.is_arithmetic, is_arithmetic, "{count:?}");
            assert_eq!(count.probability < 1e-20, is_arithmetic, "{count:?}");
        }
        assert!(unlikely(&counts).is_empty());
    }
}

/// More exact cases than arguments, too many to be listed.
#[test]
fn exact_cases_that_cannot_be() {
    let refusals = tampered("exp", |certificate| {
        let unit = &mut certificate.units[0];
        unit.exact = unit.arguments + 1;
        certificate.exact_cases.clear();
    });
    assert!(refusals.iter().any(|refusal| matches!(refusal, Refusal::Tiling { .. })), "{refusals:?}");
}

/// Counts that cannot be added up are no certificate's.
#[test]
fn counts_of_a_forger() {
    let certificate = certificate(&parse("exp").unwrap());
    let is_read = |forge: &dyn Fn(&mut Certificate)| {
        let mut forged = certificate.clone();
        forge(&mut forged);
        Certificate::from_json(&forged.to_json()).is_ok()
    };
    assert!(is_read(&|_| {}) && is_read(&|forged| forged.units[0].cases = 1 << 61));
    for forge in [
        &|forged: &mut Certificate| forged.units[0].cases = u64::MAX,
        &|forged| forged.units.iter_mut().for_each(|unit| unit.exact = 1 << 62),
        &|forged| forged.units[1].undecided = u64::MAX,
        &|forged| forged.regions[0].arguments = u128::MAX,
        &|forged| forged.regions[0].units = Some(usize::MAX),
    ] as [&dyn Fn(&mut Certificate); 5]
    {
        assert!(!is_read(forge));
    }
}

/// x87's flattest binades of exp2, whose arguments are listed next to breakpoints of 65 bits: as
/// many cases as are expected, each of which is needed, and no other units.
#[test]
fn lists_of_arguments() {
    let (function, format) = (parse("exp2").unwrap(), Format::X87_EXTENDED);
    let problem = Problem::new(format, format, Breakpoints::All, 56).unwrap();
    let walk = Simd::farey(Level::best());
    let workers = Workers::cpu(&walk, 2);
    let solve =
        Solve { function: &function, problem, binades: Some(-58..-57), workers, limit: f64::INFINITY };
    let honest = solve.run(&solve.plan().unwrap(), &(), &Interrupt::new()).unwrap();
    assert!(honest.units.iter().all(|unit| unit.via.is_some() && unit.pieces == 0));
    // 2^64 arguments of both signs, 2^-54 of them
    assert!((800..1250).contains(&honest.cases.len()), "{}", honest.cases.len());
    let of = |tamper: Tamper| {
        let mut certificate = honest.clone();
        tamper(&mut certificate);
        certificate.digest = certificate.computed_digest();
        refusals(&function, &certificate, Some(&Simd::farey(Level::best())))
    };
    assert_eq!(of(|_| {}), []);
    let is_unit = |refusals: &[Refusal]| {
        refusals.iter().any(|refusal| !matches!(refusal, Refusal::Digest { .. } | Refusal::Incomplete { .. }))
    };
    assert!(is_unit(&of(|certificate| {
        certificate.cases.remove(17);
    })));
    assert!(is_unit(&of(|certificate| {
        certificate.units.pop();
    })));
    assert!(is_unit(&of(|certificate| certificate.units[0].arguments -= 1)));
    assert!(is_unit(&of(|certificate| certificate.units[0].pieces += 1)));
    assert!(is_unit(&of(|certificate| certificate.units[0].phases[0].domains_in += 1)));
    assert!(is_unit(&of(|certificate| certificate.units[0].phases[4].domains_in += 1)));
}
