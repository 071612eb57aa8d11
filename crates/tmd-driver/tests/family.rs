//! Functions solved as families of arguments, by the walk in three dimensions: small formats
//! against every argument, one by one.

use std::{collections::BTreeSet, env, ffi::OsString, fs, path::Path};

use tmd_core::{
    Backend, Breakpoints, Format, Interrupt, Number, Problem, Scalar, ScalarEngine, exist::Logms,
};
use tmd_driver::{
    Certificate, DriverError, Function, InverseUse, Search, Solve, SolvePlan, Uses, Workers,
    certificate::{
        BudgetRecord, Effort, Extent, LONG_SCHEMAS, Refusal, SCHEMA, UnitRecord, Verification, ViaRecord,
        verify::Findings,
    },
    confirm::{Verdict, confirm},
    interval::argument_ranges,
    rug::Rational,
};
use tmd_functions::{Expression, parse};
use tmd_simd::{CostTable, Level, Simd};
use tmd_testkit::one_in;

const FAMILIES: Uses = Uses { inverse: InverseUse::Never, families: InverseUse::WherePossible };

fn scalar() -> Scalar {
    Scalar { engine: ScalarEngine::Regular, logms: Logms::default(), domain_size: None }
}

/// Cases and exact cases, as texts, by brute force over the arguments with 2^start ≤ |x| < 2^end.
fn brute(function: &dyn Function, problem: &Problem, binades: std::ops::Range<i32>) -> [Vec<String>; 2] {
    let power = |e: i32| Rational::from(1) << e;
    let ranges = argument_ranges(&power(binades.start), &power(binades.end), problem.arguments()).unwrap();
    let (mut cases, mut exact) = (Vec::new(), Vec::new());
    for range in ranges {
        for k in 0..range.count() {
            let x = range.argument(k);
            for x in [x, Number::new(-x.significand(), x.exponent())] {
                match confirm(function, problem, x) {
                    Ok(Verdict::NotHard)
                    | Err(DriverError::ResultOverflow { .. } | DriverError::OutsideDomain { .. }) => {}
                    // next to 0 all is known by an inequality, and nothing is listed
                    Ok(Verdict::Case(case)) if case.breakpoint == Number::ZERO => {}
                    Ok(Verdict::Case(case)) => {
                        cases.push((x, format!("{x} {} {}", case.kind, case.breakpoint)));
                    }
                    Ok(Verdict::Exact(_)) => exact.push((x, x.to_string())),
                    other => panic!("{x}: {other:?}"),
                }
            }
        }
    }
    [&mut cases, &mut exact].map(|list| {
        list.sort();
        list.iter().map(|(_, text)| text.clone()).collect()
    })
}

/// Those of positive arguments.
fn positive(lists: [Vec<String>; 2]) -> [Vec<String>; 2] {
    lists.map(|list| list.into_iter().filter(|text| !text.starts_with('-')).collect())
}

fn found(certificate: &Certificate) -> [Vec<String>; 2] {
    let case = |case: &tmd_driver::report::Case| format!("{} {} {}", case.x, case.kind, case.breakpoint);
    let exact = certificate.exact_cases.iter().map(|case| case.x.clone());
    [certificate.cases.iter().map(case).collect(), exact.collect()]
}

struct FamilyProblem {
    function: Expression,
    problem: Problem,
    binades: std::ops::Range<i32>,
}

impl FamilyProblem {
    fn new(
        function: &str,
        precision: u32,
        breakpoints: Breakpoints,
        extra_bits: u32,
        binades: std::ops::Range<i32>,
    ) -> Self {
        let format = Format::new(precision, -150, 150).unwrap();
        let problem = Problem::new(format, format, breakpoints, extra_bits).unwrap();
        Self { function: parse(function).unwrap(), problem, binades }
    }

    fn solve<'a>(&'a self, backend: &'a dyn Backend) -> Solve<'a> {
        Solve {
            function: &self.function,
            problem: self.problem,
            binades: Some(self.binades.clone()),
            workers: Workers::cpu(backend, 2),
            limit: f64::INFINITY,
        }
    }

    fn certificate(&self, backend: &dyn Backend, unit: f64) -> (SolvePlan, Certificate) {
        let solve = self.solve(backend);
        let plan = solve.plan_in_units_with(unit, FAMILIES).unwrap();
        let certificate = solve.run(&plan, &(), &Interrupt::new()).unwrap();
        assert!(certificate.is_complete(), "{}", certificate.summary());
        (plan, certificate)
    }

    fn verify(&self, certificate: &Certificate, samples: usize) -> Findings {
        self.verify_by(None, certificate, samples)
    }

    /// With an engine by which arguments of families are searched one by one, if there is one.
    fn verify_by(&self, faster: Option<&dyn Backend>, certificate: &Certificate, samples: usize) -> Findings {
        let (engine, other) = (Simd::farey(Level::best()), scalar());
        let verification = Verification {
            certificate,
            function: &self.function,
            engine: Some(&engine),
            other: &other,
            faster,
            walk: None,
            samples,
            sample_seconds: 0.05,
            seed: 7,
        };
        verification.run(&Interrupt::new()).unwrap()
    }
}

/// Names the first element that only one of two pairs of lists has.
fn same(found: &[Vec<String>; 2], expected: &[Vec<String>; 2], context: &str) {
    for (found, expected) in found.iter().zip(expected) {
        let extra = found.iter().find(|x| !expected.contains(x));
        let missing = expected.iter().find(|x| !found.contains(x));
        assert!(found == expected, "{context}: {extra:?} is none, {missing:?} is missing");
    }
}

/// Each question with each kind of breakpoints.
fn in_each_kind<T: Clone>(questions: impl IntoIterator<Item = T>) -> impl Iterator<Item = (T, Breakpoints)> {
    let kinds = [Breakpoints::Directed, Breakpoints::Nearest, Breakpoints::All];
    questions.into_iter().flat_map(move |question| kinds.map(|kind| (question.clone(), kind)))
}

fn is_family(unit: &UnitRecord) -> bool {
    matches!(unit.via, Some(ViaRecord::Family { .. }))
}

/// Every argument of small formats in all rounding modes, in units of any size, by both engines;
/// and the certificates hold.
#[test]
fn small_formats_are_brute_force() {
    let walk = Simd::farey(Level::best());
    let questions = [
        ("sin", 12, 40..44),
        ("cos", 13, 100..102),
        ("tan", 12, 7..11),
        ("-sin(x)", 12, 3..5),
        ("exp", 12, 2..7),
        ("exp10", 12, 3..6),
        ("sinh", 12, 2..7),
        ("-cosh(3*x/2)", 11, 3..6),
        ("expm1", 12, 2..7),
        ("exp10m1", 11, 2..6),
        ("sin(5*x/8)/4", 12, 20..23),
    ];
    let mut units = 0;
    let questions = questions.into_iter().enumerate();
    for ((number, (function, precision, binades)), breakpoints) in one_in(6, in_each_kind(questions)) {
        let question = FamilyProblem::new(function, precision, breakpoints, precision - 5, binades.clone());
        let expected = brute(&question.function, &question.problem, binades.clone());
        assert!(expected[0].len() > 40, "{function}: {}", expected[0].len());
        let (lanes, exact) = (&walk as &dyn Backend, &scalar() as &dyn Backend);
        for (backend, unit) in [(lanes, 1.0), (lanes, 1e-5), (exact, 1e-3)] {
            let (plan, certificate) = question.certificate(backend, unit);
            let (mut found, mut expected) = (found(&certificate), expected.clone());
            if function.contains("m1") {
                // of negative arguments, next to −1, all is known by an inequality
                (found, expected) = (positive(found), positive(expected));
            }
            same(&found, &expected, &format!("{function} {breakpoints} in units of {unit} s"));
            assert!(certificate.units.iter().any(is_family));
            units += plan.units.len();
            // half of them, each function with one kind or another
            if (number % 4 < 2) != (breakpoints == Breakpoints::Nearest) {
                for faster in [None, Some(exact)] {
                    let findings = question.verify_by(faster, &certificate, 4);
                    assert!(findings.refusals.is_empty(), "{function}: {:?}", findings.refusals);
                }
            }
        }
    }
    assert!(units > 150, "{units} units");
}

/// What is said of a certificate after `tamper`, sealed again; samples are of whole units.
fn tampered(
    question: &FamilyProblem,
    certificate: &Certificate,
    tamper: impl FnOnce(&mut Certificate),
) -> Vec<Refusal> {
    let mut certificate = certificate.clone();
    tamper(&mut certificate);
    certificate.digest = certificate.computed_digest();
    question.verify(&certificate, 100).refusals
}

/// A question and its certificate, for forgers.
fn certified() -> (FamilyProblem, Certificate) {
    let question = FamilyProblem::new("cos", 13, Breakpoints::All, 7, 60..61);
    let (_, certificate) = question.certificate(&Simd::farey(Level::best()), 2e-5);
    assert_eq!(certificate.schema, SCHEMA);
    assert!(certificate.units.len() > 4 && certificate.cases.len() > 60, "{}", certificate.summary());
    (question, certificate)
}

/// Units and counts that were tampered with are refused, whatever was made to fit.
#[test]
fn forged_units_are_found_out() {
    let (question, certificate) = certified();
    assert_eq!(tampered(&question, &certificate, |_| ()), []);
    let tamper = |tamper: &dyn Fn(&mut Certificate)| tampered(&question, &certificate, tamper);
    let is_tiling = |refusals: &[Refusal]| matches!(refusals, [Refusal::Tiling { .. }, ..]);

    // a unit less, shorter, twice, elsewhere, or of another kind
    assert!(!tamper(&|c| drop(c.units.remove(1))).is_empty());
    assert!(is_tiling(&tamper(&|c| c.units[1].arguments -= 1)));
    assert!(is_tiling(&tamper(&|c| c.units[1] = c.units[0].clone())));
    assert!(is_tiling(&tamper(&|c| c.units[1].spacing += 1)));
    assert!(is_tiling(&tamper(&|c| c.units[1].via = None)));
    assert!(is_tiling(&tamper(&|c| c.units.iter_mut().for_each(|unit| unit.via = None))));
    // windows of another width than were searched, and of none
    let volume = |unit: &mut UnitRecord, by: f64| {
        if let Some(ViaRecord::Family { volume, .. }) = &mut unit.via {
            *volume *= by;
        }
    };
    assert!(is_tiling(&tamper(&|c| volume(&mut c.units[1], 2.0))));
    let wider = tamper(&|c| c.units.iter_mut().for_each(|unit| volume(unit, 8.0)));
    assert!(
        wider.iter().any(|refusal| matches!(
            refusal,
            Refusal::Count { .. } | Refusal::Budget { .. } | Refusal::Phases { .. }
        )),
        "{wider:?}"
    );
    assert!(is_tiling(&tamper(&|c| c.units.iter_mut().for_each(|unit| volume(unit, 0.0)))));
    assert!(is_tiling(&tamper(&|c| c.units.iter_mut().for_each(|unit| volume(unit, -1.0)))));
    // binades of results together, of a function that has none
    assert!(is_tiling(&tamper(&|c| {
        for unit in &mut c.units {
            let Some(ViaRecord::Family { binades, .. }) = &mut unit.via else { continue };
            *binades = 2;
        }
    })));
    // a walk of other lanes than the engine's
    assert!(is_tiling(&tamper(&|c| {
        for unit in &mut c.units {
            let Some(ViaRecord::Family { engine, .. }) = &mut unit.via else { continue };
            *engine = "lattice3-scalar".into();
        }
    })));
    // counts that contradict each other or the lists
    let changes: [fn(&mut UnitRecord); 4] = [
        |unit| unit.phases[4].domains_out += 1,
        |unit| unit.phases[0].domains_in += 1,
        |unit| unit.phases[1].domains_in = 0,
        |unit| unit.phases[3].domains_in += 1,
    ];
    for change in changes {
        let changed = tamper(&|c| change(&mut c.units[3]));
        assert!(matches!(changed[..], [Refusal::Phases { index: 3, .. }]), "{changed:?}");
    }
    // segments that were refused
    let naming = |refused: &'static [u64], counted: u64| {
        tamper(&move |c| {
            c.units[3].refused = refused.to_vec();
            c.units[3].phases[2].domains_in = counted;
        })
    };
    for (refused, counted) in [(&[0][..], 0), (&[0], 2), (&[1 << 40], 1), (&[1, 0], 2), (&[1, 1], 2)] {
        let changed = naming(refused, counted);
        let is_named = |refusal: &Refusal| matches!(refusal, Refusal::Phases { index: 3, .. });
        assert!(changed.iter().any(is_named), "{refused:?}: {changed:?}");
    }
    let others = naming(&[0], 1);
    assert!(others.iter().any(|refusal| matches!(refusal, Refusal::Count { index: 3, .. })), "{others:?}");
    // segments and budgets
    let pieces = tamper(&|c| {
        let unit = &mut c.units[2];
        unit.pieces -= 1;
        (unit.phases[0].domains_in, unit.phases[0].domains_out) = (unit.pieces, unit.pieces);
    });
    assert!(pieces.iter().any(|refusal| matches!(refusal, Refusal::Count { index: 2, .. })), "{pieces:?}");
    let lines: [fn(&mut BudgetRecord) -> &mut f64; 3] =
        [|b| &mut b.tolerance, |b| &mut b.taylor, |b| &mut b.coefficients];
    for line in lines {
        let halved = tamper(&|c| *line(&mut c.units[0].budget) /= 2.0);
        assert!(matches!(halved[..], [Refusal::Budget { index: 0, .. }]), "{halved:?}");
    }
}

/// A case that was forgotten, by its unit, too; and one that is counted elsewhere.
#[test]
fn forgotten_cases_are_found_out() {
    let (question, certificate) = certified();
    let tamper = |tamper: &dyn Fn(&mut Certificate)| tampered(&question, &certificate, tamper);
    let positive = certificate.cases.iter().position(|case| !case.x.starts_with('-')).unwrap();
    let x = &certificate.cases[positive].x;
    let mirror = certificate.cases.iter().position(|case| case.x == format!("-{x}")).unwrap();
    let forget = |certificate: &mut Certificate| {
        certificate.cases.remove(positive.max(mirror));
        certificate.cases.remove(positive.min(mirror));
    };
    let forgotten = tamper(&forget);
    let [Refusal::Count { index, .. }] = forgotten[..] else { panic!("{forgotten:?}") };
    let sampled = tamper(&|c| {
        forget(c);
        c.units[index].cases -= 1;
        c.units[index].phases[4].domains_out -= 1;
    });
    assert!(sampled.iter().any(|refusal| matches!(refusal, Refusal::Sample { .. })), "{sampled:?}");
    // whoever looks
    let mut unnoticed = certificate.clone();
    forget(&mut unnoticed);
    unnoticed.units[index].cases -= 1;
    unnoticed.units[index].phases[4].domains_out -= 1;
    unnoticed.digest = unnoticed.computed_digest();
    for (faster, name) in
        [(None, "lattice3-scalar".into()), (Some(&scalar() as &dyn Backend), scalar().name())]
    {
        let refusals = question.verify_by(faster, &unnoticed, 100).refusals;
        let is_by = |refusal: &Refusal| matches!(refusal, Refusal::Sample { engine, .. } if *engine == name);
        assert!(refusals.iter().any(is_by), "{name}: {refusals:?}");
    }
    let moved = tamper(&|c| {
        for (index, by) in [(index, u64::MAX), ((index + 1) % 4, 1)] {
            let unit = &mut c.units[index];
            for count in [&mut unit.cases, &mut unit.phases[4].domains_out] {
                *count = count.wrapping_add(by);
            }
        }
    });
    let counts = moved.iter().filter(|refusal| matches!(refusal, Refusal::Count { what: "case", .. }));
    assert_eq!(counts.count(), 2, "{moved:?}");
}

/// All of it, or a share, without samples: the unit's own walk finds other counts that agree with
/// each other, too.
#[test]
fn other_counts_are_found_by_another_search() {
    let (question, certificate) = certified();
    let run_by = |faster: Option<&dyn Backend>, certificate: &Certificate, extent| {
        let (engine, other) = (Simd::farey(Level::best()), scalar());
        let verification = Verification {
            certificate,
            function: &question.function,
            engine: Some(&engine),
            other: &other,
            faster,
            walk: None,
            samples: 0,
            sample_seconds: 0.0,
            seed: 7,
        };
        verification.run_to(extent, &Interrupt::new()).unwrap()
    };
    let run = |certificate: &Certificate, extent| run_by(None, certificate, extent);
    // the arguments one by one, in as many parts, where that takes less time
    let findings = run_by(Some(&scalar()), &certificate, Extent::All);
    assert!(findings.leaves_nothing(), "{findings:?}");
    let parts =
        format!("2^12.0 arguments in {} parts searched again by scalar regular", certificate.units.len());
    assert!(findings.checked.iter().any(|line| line.contains(&parts)), "{findings:?}");
    for (extent, is_recounted) in [(Extent::Share(0.3), false), (Extent::All, true)] {
        let findings = run(&certificate, extent);
        assert!(findings.refusals.is_empty() && findings.is_all(), "{findings:?}");
        assert!(findings.checked.iter().any(|line| line.contains("searched again by lattice3-scalar")));
        assert_eq!(findings.left.is_empty(), is_recounted, "{:?}", findings.left);
        let mut recounted = certificate.clone();
        recounted.units[1].phases[3].domains_out += 1;
        recounted.digest = recounted.computed_digest();
        let refusals = run(&recounted, extent).refusals;
        assert_eq!(matches!(refusals[..], [Refusal::Unit { index: 1, .. }]), is_recounted, "{refusals:?}");
    }
    // how many windows are left to the exact walk is the lanes', whose bounds get better
    let mut left = certificate.clone();
    left.units[1].phases[1].domains_out += 1;
    left.units[1].phases[3].domains_in += 1;
    left.digest = left.computed_digest();
    let findings = run(&left, Extent::All);
    assert!(findings.leaves_nothing(), "{findings:?}");
    assert!(findings.checked.iter().any(|line| line.contains("but in 1 for how many windows are left")));
    // where the walk refused a segment, as programs wrote it that did not say which, only another
    // search says what its segments are
    let mut refused = certificate.clone();
    refused.units[1].phases[2].domains_in = 1;
    refused.digest = refused.computed_digest();
    let found = question.verify(&refused, 0).refusals;
    assert!(
        matches!(found[..], [Refusal::Phases { index: 1, .. }]),
        "a document of today says which: {found:?}"
    );
    let before = refused.clone();
    refused.schema = LONG_SCHEMAS[1].into();
    refused.digest = refused.computed_digest();
    let mut kept = refused.clone();
    kept.renew();
    assert!(kept == refused && kept != before);
    refused.digest = refused.computed_digest();
    let findings = question.verify(&refused, 0);
    assert!(findings.holds() && !findings.is_all(), "{findings:?}");
    assert!(findings.unchecked.iter().any(|line| line.contains("of 1 units")), "{:?}", findings.unchecked);
    // and the walk of another version may refuse others: then all else is compared
    let findings = run(&refused, Extent::All);
    assert!(findings.refusals.is_empty() && !findings.leaves_nothing(), "{findings:?}");
    let is_named = |line: &String| line.contains("of 1 units, where the walk refuses other segments");
    assert!(findings.left.iter().any(is_named), "{:?}", findings.left);
    refused.units[1].undecided += 1;
    refused.digest = refused.computed_digest();
    assert!(!run(&refused, Extent::All).refusals.is_empty());
    // an earlier version is that of the units
    let text = certificate.to_json();
    assert_eq!(Certificate::from_json(&text).unwrap(), certificate);
    let mut earlier = certificate.clone();
    earlier.schema = LONG_SCHEMAS[1].into();
    let text = earlier.to_json();
    assert_eq!(Certificate::from_json(&text).unwrap(), earlier);
    assert!(Certificate::from_json(&text.replace(LONG_SCHEMAS[1], LONG_SCHEMAS[0])).is_err());
}

/// Intervals that are parts of binades: the same list all at once and one by one, and the faster
/// way by itself.
#[test]
fn intervals_are_searched_all_at_once() {
    let walk = Simd::farey(Level::best());
    let format = Format::new(22, -150, 150).unwrap();
    let problem = Problem::new(format, format, Breakpoints::All, 16).unwrap();
    let power = |e: i32| Rational::from(1) << e;
    for (function, from, to) in [
        ("tan", power(60), power(60) + power(57)),
        ("sin", -power(40) - power(36), -power(40)),
        ("exp", Rational::from(80), Rational::from(90)),
        // some results are not normal, and searched one by one
        ("exp", Rational::from(-106), Rational::from(-100)),
    ] {
        let function = parse(function).unwrap();
        let search = Search { function: &function, from, to, problem, workers: Workers::cpu(&walk, 2) };
        let run = |families| search.run_with(families, &(), &Interrupt::new()).unwrap();
        let (at_once, direct) = (run(InverseUse::WherePossible), run(InverseUse::Never));
        assert!(direct.cases.len() > 5, "{function}: {}", direct.cases.len());
        assert_eq!(at_once.cases, direct.cases, "{function}");
        assert!(!at_once.is_partial() && at_once.searched == direct.searched);
        let names: Vec<&str> = at_once.backends.iter().map(|backend| backend.name.as_str()).collect();
        assert!(names.iter().any(|name| name.starts_with("lattice3")), "{names:?}");
        let plan = search.plan_with(InverseUse::WherePossible).unwrap();
        assert!(plan.ranges.iter().any(|range| range.is_family), "{}", plan.to_table());
        assert_eq!(plan.arguments, at_once.searched);
    }
}

/// Where single arguments would take years, the plan says that they are searched all at once, and
/// what it spares.
#[test]
fn plans_of_binary64_cover_everything() {
    let walk = Simd::farey(Level::best());
    for name in ["sin", "cos", "tan"] {
        let function = parse(name).unwrap();
        let problem = Problem::new(Format::BINARY64, Format::BINARY64, Breakpoints::All, 45).unwrap();
        for (binades, is_family) in [(3..4, false), (600..601, true), (1023..1024, true)] {
            let workers = Workers::cpu(&walk, 2);
            let binades = Some(binades);
            let solve = Solve { function: &function, problem, binades, workers, limit: 1e6 };
            let plan = solve.plan().unwrap();
            let totals = plan.totals(&solve);
            assert_eq!(totals.uncovered, 0, "{name}");
            let all_at_once = plan.units.iter().filter(|unit| unit.via.is_some()).count();
            assert_eq!(all_at_once > 0, is_family, "{name}");
            if is_family {
                let table = plan.to_table(&solve);
                assert!(
                    table.contains("search all at once by lattice3") && table.contains("years"),
                    "{table}"
                );
                assert!(totals.core_seconds < 36_000.0, "{table}");
                // how windows are cut, in the summary, too
                let windows = "lattice points for 2 targets, an exact basis every 1024 at most";
                assert!(table.contains(windows) && plan.summary(&solve).contains(windows), "{table}");
                assert!(plan.searched() > 1 << 51 && all_at_once == plan.units.len());
            }
        }
    }
}

/// Where the inverse is searched, the plan says what the function itself would take.
#[test]
fn plans_say_why_the_inverse_is_searched() {
    let walk = Simd::farey(Level::best()).with_costs(CostTable::Second);
    let function = parse("cosh").unwrap();
    let problem = Problem::new(Format::BINARY64, Format::BINARY64, Breakpoints::All, 45).unwrap();
    let workers = Workers::cpu(&walk, 2);
    let solve = Solve { function: &function, problem, binades: Some(-27..-20), workers, limit: 1e6 };
    let table = solve.plan().unwrap().to_table(&solve);
    let is_said =
        |line: &str| line.contains("search acosh(x) over") && line.contains("; the function itself by");
    assert!(table.lines().any(is_said), "{table}");
}

/// A binade of less than two periods is searched argument by argument, however long that takes;
/// unless a family is wanted at any cost.
#[test]
fn a_binade_of_few_periods_is_no_family() {
    // tables of before, by which the neighborhood of a pole takes longer
    let walk = Simd::farey(Level::best()).with_costs(CostTable::Second);
    let problem = Problem::new(Format::BINARY64, Format::BINARY64, Breakpoints::All, 45).unwrap();
    let families = |name: &str, binade: i32, families: InverseUse| {
        let function = parse(name).unwrap();
        let workers = Workers::cpu(&walk, 2);
        let solve =
            Solve { function: &function, problem, binades: Some(binade..binade + 1), workers, limit: 1e6 };
        let plan = solve.plan_with(Uses { families, ..Uses::default() }).unwrap();
        plan.units.iter().filter(|unit| matches!(unit.via, Some(tmd_driver::Via::Family(_)))).count()
    };
    // 1.3 and 2.5 periods, 1.3 and 2.5 of 2·x
    for (name, binade) in one_in(2, [("tan", 2), ("tan(2*x)", 1)]) {
        assert_eq!(families(name, binade, InverseUse::WhereFaster), 0, "{name}");
        assert!(families(name, binade, InverseUse::WherePossible) > 0, "{name}");
        assert!(families(name, binade + 1, InverseUse::WhereFaster) > 0, "{name}");
    }
}

/// Towards a pole windows become narrower without end: units there are shorter, so that each takes
/// about as long as any other.
#[test]
fn units_next_to_a_pole_are_short() {
    let walk = Simd::farey(Level::best());
    let problem = Problem::new(Format::BINARY64, Format::BINARY64, Breakpoints::All, 44).unwrap();
    let units = |name: &str| {
        let function = parse(name).unwrap();
        let workers = Workers::cpu(&walk, 2);
        let solve =
            Solve { function: &function, problem, binades: Some(1023..1024), workers, limit: f64::INFINITY };
        let units = solve.plan_in_units_of(20.0).unwrap().units;
        // they tile the circle
        let mut next = 0;
        for unit in &units {
            assert_eq!(unit.range.first(), next, "{name}");
            next += i128::from(unit.range.count());
        }
        assert_eq!(next, 1 << 31, "{name}");
        units
    };
    let of_tan = units("tan");
    assert!(of_tan.len() > 10, "{}", of_tan.len());
    assert!(of_tan.iter().all(|unit| (10.0..20.1).contains(&unit.core_seconds)), "{of_tan:?}");
    let cells = |unit: &tmd_driver::solve::Unit| unit.range.count();
    assert!(cells(&of_tan[0]) > 1000 * cells(&of_tan[of_tan.len() - 1]));
    let of_sin = units("sin");
    assert!(of_sin[1..of_sin.len() - 1].iter().all(|unit| cells(unit) == cells(&of_sin[0])));
}

/// Relatives are planned as families where they are near one; and where 2^x − 1 has exact results,
/// at every integer, pieces are short, which no plan takes for the rule.
#[test]
fn plans_of_relatives() {
    let walk = Simd::farey(Level::best());
    for (name, binades, is_family) in [
        ("sinh", 8..9, true),
        ("cosh", 3..4, false),
        ("expm1", 8..9, true),
        ("logp1", 10..11, false),
        ("exp2m1", 5..8, false),
    ] {
        let function = parse(name).unwrap();
        let problem = Problem::new(Format::BINARY64, Format::BINARY64, Breakpoints::All, 45).unwrap();
        let workers = Workers::cpu(&walk, 2);
        let solve = Solve { function: &function, problem, binades: Some(binades), workers, limit: 1e5 };
        let plan = solve.plan().unwrap();
        let totals = plan.totals(&solve);
        assert_eq!(totals.uncovered, 0, "{name}: {}", plan.to_table(&solve));
        assert_eq!(plan.units.iter().any(|unit| unit.via.is_some()), is_family, "{name}");
        assert!(totals.core_seconds < 20_000.0, "{name}");
    }
}

/// Regions that are searched together: both signs of exponentials, all exponents of logarithms; in
/// units of any size, against every argument.
#[test]
fn regions_that_are_searched_together() {
    let walk = Simd::farey(Level::best());
    let questions = [
        ("exp", 12, 2..7),
        ("exp10", 12, 3..6),
        ("log", 12, -40..40),
        ("log10", 11, -60..20),
        ("-log(x)", 10, 3..60),
        ("logp1", 10, 0..60),
        ("asinh", 10, -2..50),
        ("acosh(x/4)", 10, 3..40),
        ("log(8*x)", 10, -30..20),
    ];
    for ((function, precision, binades), breakpoints) in one_in(6, in_each_kind(questions)) {
        let question = FamilyProblem::new(function, precision, breakpoints, precision - 4, binades.clone());
        let expected = brute(&question.function, &question.problem, binades.clone());
        assert!(expected[0].len() > 40, "{function}: {}", expected[0].len());
        for (backend, unit) in
            [(&walk as &dyn Backend, 1.0), (&walk, 1e-4), (&scalar() as &dyn Backend, 1e-2)]
        {
            let (plan, certificate) = question.certificate(backend, unit);
            same(&found(&certificate), &expected, &format!("{function} {breakpoints} in units of {unit} s"));
            let joined = certificate.regions.iter().filter(|region| region.with.is_some()).count();
            assert!(joined > 2 && certificate.units.iter().any(is_family), "{function}: {joined}");
            // cases are counted where they are, and arguments once
            let counts = certificate.found_by_region().unwrap();
            let sides = if function == "asinh" { 2 } else { 1 };
            assert_eq!(
                sides * counts.iter().map(|(found, _)| found).sum::<u64>(),
                certificate.cases.len() as u64
            );
            for (region, (_, done)) in certificate.regions.iter().zip(&counts) {
                assert!(region.with.is_none() || *done + 4 >= region.arguments, "{region:?}: {done}");
            }
            // each unit's weight is rounded down
            assert!(plan.searched() + plan.units.len() as u128 >= certificate.totals().searched);
            let findings = question.verify(&certificate, 4);
            assert!(findings.refusals.is_empty(), "{function}: {:?}", findings.refusals);
            assert!(findings.holds() && findings.uncovered.is_empty(), "{findings:?}");
        }
    }
}

/// A case that all counts forget, of whichever region, is found where arguments are searched again
/// one by one, by the engine that looks at what others left.
#[test]
fn cases_of_every_region_are_looked_for() {
    let question = FamilyProblem::new("log", 12, Breakpoints::All, 8, 20..24);
    let (_, certificate) = question.certificate(&Simd::farey(Level::best()), 1e-3);
    let engine = Simd::farey(Level::best());
    let other = Scalar { engine: ScalarEngine::Lefevre, ..scalar() };
    let verified = |certificate: &mut Certificate| {
        certificate.digest = certificate.computed_digest();
        let verification = Verification {
            certificate,
            function: &question.function,
            engine: Some(&engine),
            other: &other,
            faster: Some(&scalar()),
            walk: None,
            samples: 0,
            sample_seconds: 0.0,
            seed: 7,
        };
        verification.run_to(Extent::Share(1.0), &Interrupt::new()).unwrap()
    };
    let honest = verified(&mut certificate.clone());
    assert!(
        honest.holds() && honest.checked.iter().any(|line| line.contains("by scalar lefevre")),
        "{honest:?}"
    );
    let mut regions = BTreeSet::new();
    for index in (0..certificate.cases.len()).step_by(3) {
        let mut forged = certificate.clone();
        let x = forged.cases.remove(index).x;
        let found = verified(&mut forged).refusals;
        let Some(Refusal::Count { index, .. }) = found.iter().find(|r| matches!(r, Refusal::Count { .. }))
        else {
            panic!("{x}: {found:?}")
        };
        forged.units[*index].cases -= 1;
        forged.units[*index].phases[4].domains_out -= 1;
        let refusals = verified(&mut forged).refusals;
        let is_it = |refusal: &Refusal| matches!(refusal, Refusal::Sample { engine, reason, .. } if engine == "scalar lefevre" && reason.starts_with(&x));
        assert!(refusals.iter().any(is_it), "{x}: {refusals:?}");
        regions.insert(x.rsplit('p').next().unwrap().to_owned());
    }
    assert_eq!(regions.len(), 4, "{regions:?}");
}

/// Nobody makes a region up that was searched with another one, nor leaves one out.
#[test]
fn forgers_of_what_is_searched_together_are_found_out() {
    let walk = Simd::farey(Level::best());
    for (function, binades) in [("exp", 4..6), ("log", 20..30)] {
        let question = FamilyProblem::new(function, 12, Breakpoints::All, 8, binades);
        let (_, certificate) = question.certificate(&walk, 1e-3);
        assert_eq!(tampered(&question, &certificate, |_| ()), []);
        let with: Vec<usize> =
            (0..certificate.regions.len()).filter(|&n| certificate.regions[n].with.is_some()).collect();
        let (first, leader) = (with[0], certificate.regions[with[0]].with.unwrap());
        let tamper = |tamper: &dyn Fn(&mut Certificate)| tampered(&question, &certificate, tamper);
        let is_tiling = |refusals: &[Refusal]| refusals.iter().any(|r| matches!(r, Refusal::Tiling { .. }));
        // a region that says that it was searched alone, with itself, with one that was not, with
        // none that is there
        assert!(is_tiling(&tamper(&|c| c.regions[first].with = None)));
        assert!(!tamper(&|c| c.regions[first].with = Some(first)).is_empty());
        assert!(!tamper(&|c| c.regions[first].with = Some(999)).is_empty());
        let other = (0..certificate.regions.len()).find(|n| *n != leader && !with.contains(n));
        if let Some(other) = other {
            assert!(!tamper(&|c| c.regions[first].with = Some(other)).is_empty());
            assert!(!tamper(&|c| c.regions[other].with = Some(leader)).is_empty());
        }
        // a chain of them
        if let [one, two, ..] = with[..] {
            assert!(is_tiling(&tamper(&|c| c.regions[two].with = Some(one))));
        }
        // cases that were forgotten in a region that has no units
        let record = &certificate.regions[first];
        let forgotten = tamper(&|c| {
            let region = record.first.starts_with('-');
            let position = c.cases.iter().position(|case| {
                case.x.starts_with('-') == region && { c.found_by_region().unwrap()[first].0 > 0 }
            });
            c.cases.remove(position.unwrap());
        });
        assert!(matches!(forgotten[..], [Refusal::Count { .. }, ..]), "{forgotten:?}");
    }
}

/// The certificates that `tools/test_verify_certificate.py` reads, and forges, are those that are
/// made today: of every function that has a family. With `TMD_WRITE=1` it writes them.
#[test]
fn certificates_of_the_second_program() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tools/certificates");
    let questions = [
        ("sin", 12, 8, 40..41, 2e-3),
        ("cos", 12, 8, -1..2, 1e-3),
        ("tan", 12, 8, 7..8, 2e-3),
        ("exp", 12, 8, 2..8, 1e-3),
        ("exp10", 11, 8, 4..7, 1e-3),
        ("log", 11, 9, -16..16, 2e-3),
        ("log10", 10, 8, -10..10, 2e-3),
        ("sinh", 12, 11, 3..8, 5e-4),
        ("cosh", 12, 8, 3..8, 2e-3),
        ("expm1", 12, 8, 3..8, 2e-3),
        ("exp10m1", 11, 7, 2..7, 1e-3),
        ("logp1", 10, 8, 4..30, 5e-4),
        ("log10p1", 10, 8, 4..30, 5e-4),
        ("asinh", 10, 8, 4..20, 2e-4),
        ("acosh", 10, 8, 2..24, 5e-4),
    ];
    let mut names = BTreeSet::new();
    for (function, precision, extra_bits, binades, unit) in questions {
        let question = FamilyProblem::new(function, precision, Breakpoints::All, extra_bits, binades);
        let (_, mut certificate) = question.certificate(&scalar(), unit);
        certificate.effort = Effort::default();
        let of_family = certificate.units.iter().filter(|unit| is_family(unit)).count();
        assert!(of_family > 1 && certificate.cases.len() > 20, "{}", certificate.summary());
        let (name, text) = (OsString::from(format!("{function}.json")), certificate.to_json());
        let path = folder.join(&name);
        if env::var_os("TMD_WRITE").is_some() {
            fs::write(&path, &text).unwrap();
        }
        let written = fs::read_to_string(&path).unwrap_or_default();
        assert!(written == text, "{}: TMD_WRITE=1 writes what it should be", path.display());
        names.insert(name);
    }
    let there = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name());
    assert_eq!(there.collect::<BTreeSet<_>>(), names);
}
