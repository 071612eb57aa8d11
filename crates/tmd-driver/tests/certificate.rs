//! Certificates that were tampered with are refused, each for the right reason; even if their
//! digest was made to fit.

#[path = "forgeries/forge.rs"]
mod forge;
mod testing;

use forge::{forget, out_of_reach, unit_of};
use sha2::{Digest as _, Sha256};
use testing::{
    StopAfter, Tamper, estimates, findings, forged, problem, solve, solved, walk, walk_through_flat,
};
use tmd_core::{Backend, Breakpoints, CoreError, Format, Interrupt, Piece, PieceOutcome, PiecePlan, Problem};
use tmd_driver::{
    Certificate, DriverError, Solve, Workers,
    certificate::{
        BudgetRecord, ClassRecord, Effort, Extent, LONG_SCHEMAS, Refusal, SCHEMA, SHORT_SCHEMA, Verification,
        unlikely,
    },
    regions::regions,
    report::Case,
};
use tmd_functions::{Expression, Function, FunctionError, Interval, Series, parse, symmetry::Parity};
use tmd_simd::Simd;

/// A line of a budget.
type Line = fn(&mut BudgetRecord) -> &mut f64;

/// exp or sin on [1/8, 4), both signs, in binary32: some hundred cases in a few units.
const BINADES: Option<std::ops::Range<i32>> = Some(-3..2);

fn binary32() -> Problem {
    problem(Format::BINARY32, Breakpoints::All, 19)
}

fn certificate(function: &Expression) -> Certificate {
    solved(function, binary32(), BINADES)
}

fn refusals(function: &Expression, certificate: &Certificate, engine: Option<&Simd>) -> Vec<Refusal> {
    findings(function, certificate, engine.map(|engine| engine as _), (4, 0.2, 3)).refusals
}

/// An engine that finds nothing.
struct Blind(&'static str, Simd);

impl Backend for Blind {
    fn name(&self) -> String {
        self.0.to_owned()
    }
    fn plan(&self, piece: &Piece) -> Result<PiecePlan, CoreError> {
        self.1.plan(piece)
    }
    fn search(&self, piece: &Piece, _: &Interrupt) -> Result<PieceOutcome, CoreError> {
        let PiecePlan { budget, domain_size, .. } = self.1.plan(piece)?;
        Ok(PieceOutcome { budget, domain_size, ..PieceOutcome::default() })
    }
}

/// Where the walk leaves a part of a unit to the regular test, as around the inflection point π of
/// x + sin(x), the faster of the two engines, which may be that test, does not look again; nor
/// does it where nobody knows what the walk left.
#[test]
fn another_engine_looks_at_what_the_walk_leaves() {
    let function = parse("x+sin(x)").unwrap();
    let honest = certificate(&function);
    let (walk, other, faster) = (walk(), Blind("other", walk()), Blind("faster", walk()));
    let blind = |engine: Option<&Simd>| -> Vec<(String, String)> {
        let verification = Verification {
            certificate: &honest,
            function: &function,
            engine: engine.map(|engine| engine as _),
            other: &other,
            faster: Some(&faster),
            walk: None,
            samples: 0,
            sample_seconds: 1.0,
            seed: 1,
        };
        let findings = verification.run_to(Extent::Share(1.0), &Interrupt::new()).unwrap();
        let sample = |refusal: &Refusal| match refusal {
            Refusal::Sample { engine, first, .. } => Some((first.clone(), engine.clone())),
            _ => None,
        };
        let mut samples: Vec<_> = findings.refusals.iter().filter_map(sample).collect();
        assert_eq!(samples.len(), findings.refusals.len(), "{:?}", findings.refusals);
        samples.sort();
        samples
    };
    let by = |names: [&str; 5]| {
        let firsts = ["0x1p+0", "0x1p+1", "0x1p-1", "0x1p-2", "0x1p-3"];
        firsts.map(str::to_owned).into_iter().zip(names.map(str::to_owned)).collect::<Vec<_>>()
    };
    assert_eq!(blind(Some(&walk)), by(["faster", "other", "faster", "faster", "faster"]));
    assert_eq!(blind(None), by(["other"; 5]));
}

/// What is said of a certificate after `tamper`, sealed again.
fn tampered(function: &str, tamper: impl FnOnce(&mut Certificate)) -> Vec<Refusal> {
    let function = parse(function).unwrap();
    let honest = certificate(&function);
    let forged = forged(&honest, tamper);
    let broken_seal = Certificate { digest: honest.digest, ..forged.clone() };
    let broken_seal = refusals(&function, &broken_seal, Some(&walk()));
    assert!(matches!(broken_seal[0], Refusal::Digest { .. }), "{broken_seal:?}");
    refusals(&function, &forged, Some(&walk()))
}

/// Asserts that a refusal like this is among some.
macro_rules! has {
    ($found:expr, $pattern:pat $(if $condition:expr)?) => {
        let found = &$found;
        let is_it = |refusal: &Refusal| matches!(refusal, $pattern $(if $condition)?);
        assert!(found.iter().any(is_it), "{found:?}");
    };
}

/// Asserts that one refusal like this is all there are.
macro_rules! is {
    ($found:expr, $pattern:pat) => {
        let found = &$found;
        assert!(matches!(&found[..], [$pattern]), "{found:?}");
    };
}

#[test]
fn an_honest_certificate_holds() {
    for name in ["exp", "sin"] {
        let function = parse(name).unwrap();
        let certificate = certificate(&function);
        assert!(certificate.cases.len() > 100 && certificate.is_complete());
        for engine in [Some(&walk()), None] {
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
    has!(refused, Refusal::Count { .. });
    let refused = tampered("exp", |certificate| certificate.program = "tmd 0.0.9".into());
    is!(refused, Refusal::Field { what: "program", .. });
}

#[test]
fn a_case_removed() {
    // the units counted it
    let found = tampered("exp", |certificate| drop(certificate.cases.remove(40)));
    is!(found, Refusal::Count { what: "case", .. });
    // and if they are made to forget it, a search of that unit finds it: each sample here is a
    // whole unit
    let found = tampered("exp", |certificate| {
        certificate.units.iter_mut().for_each(|unit| unit.cases = 0);
        certificate.cases.clear();
    });
    has!(found, Refusal::Unlikely { .. });
    // of a case at x and one at −x, which a document of the version before has both
    let found = tampered("sin", |certificate| {
        certificate.schema = SHORT_SCHEMA.into();
        certificate.cases.remove(0);
    });
    is!(found, Refusal::Listed { what: "case", .. });
}

/// One forgotten case, of which the units know nothing: only a search can tell, and it does.
#[test]
fn a_case_forgotten() {
    let found = tampered("exp", |certificate| {
        for unit in 0..certificate.units.len() {
            // the middle one of each unit
            let cases = certificate.cases.iter().enumerate();
            let of_unit = cases.filter(|(_, case)| unit_of(certificate, &case.x) == Some(unit));
            let of_unit: Vec<usize> = of_unit.map(|(index, _)| index).collect();
            forget(certificate, of_unit[of_unit.len() / 2]);
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
        let mut cases = certificate.cases.iter();
        let at = cases.position(|case| case.x.starts_with("0x1.") && case.x.ends_with("p+0")).unwrap();
        certificate.cases.insert(at, case);
    });
    has!(found, Refusal::Count { what: "case", .. });
    has!(found, Refusal::Listed { what: "case", .. });
    let found = tampered("exp", |certificate| {
        certificate.schema = SHORT_SCHEMA.into();
        certificate.cases[9].identical_bits += 1;
    });
    is!(found, Refusal::Listed { what: "case", .. });
    let found = tampered("exp", |certificate| certificate.cases.swap(3, 4));
    has!(found, Refusal::Listed { reason, .. } if reason.contains("order"));
}

#[test]
fn a_unit_missing() {
    let found = tampered("exp", |certificate| drop(certificate.units.remove(1)));
    has!(found, Refusal::Incomplete { .. });
    has!(found, Refusal::Tiling { .. });
    // and not only counted
    let found = tampered("exp", |certificate| {
        let unit = certificate.units.remove(1);
        *certificate.regions[unit.region].units.as_mut().unwrap() -= 1;
    });
    let is_of_unit = |refusal: &Refusal| match refusal {
        Refusal::Field { what, .. } => *what == "effort",
        refusal => matches!(refusal, Refusal::Tiling { .. } | Refusal::Region { .. }),
    };
    assert!(!found.is_empty() && found.iter().all(is_of_unit), "{found:?}");
    // shorter, longer, shifted, twice
    let ways: [Tamper; 4] = [
        |certificate| certificate.units[2].arguments -= 1,
        |certificate| certificate.units[2].arguments += 1,
        |certificate| certificate.units[2].first = certificate.units[3].first.clone(),
        |certificate| certificate.units[3] = certificate.units[2].clone(),
    ];
    for way in ways {
        has!(tampered("exp", way), Refusal::Tiling { .. });
    }
}

/// Each line of each budget, halved.
#[test]
fn a_budget_halved() {
    let function = parse("exp").unwrap();
    let honest = certificate(&function);
    let engine = walk();
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
        let mut certificate = forged(&honest, |forged| *line(&mut forged.units[unit].budget) *= 0.5);
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
    is!(found, Refusal::Region { index: 0, .. });
    let found = tampered("exp", |certificate| certificate.regions[1].class = ClassRecord::Undefined);
    has!(found, Refusal::Region { index: 1, .. });
    let found = tampered("exp", |certificate| drop(certificate.regions.remove(0)));
    has!(found, Refusal::RegionCount { .. });
    // a region out of reach may be said to be so: the certificate then does not cover it, and says
    // that
    let function = parse("exp").unwrap();
    let count = regions(&function, Format::BINARY32, BINADES).unwrap().len();
    assert_eq!(count, certificate(&function).regions.len());
}

/// A search that was made is said to be out of reach: nothing is wrong with a certificate that
/// covers less, if it says so of all that follows.
#[test]
fn searched_turned_out_of_reach() {
    let leave_out = |certificate: &mut Certificate, index: usize, core_seconds: f64| {
        out_of_reach(certificate, index, core_seconds);
        certificate.digest = certificate.computed_digest();
    };
    let findings = |function: &Expression, certificate: &Certificate| {
        findings(function, certificate, Some(&walk()), (1, 0.01, 3))
    };
    let exp = parse("exp").unwrap();
    let mut certificate = certificate(&exp);
    assert!(findings(&exp, &certificate).is_all());
    leave_out(&mut certificate, 1, 7.0);
    let found = findings(&exp, &certificate);
    is!(found.refusals, Refusal::Reach { index: 1, .. });
    // as a plan says it, of the one that takes longest
    let seconds = estimates(&self::certificate(&exp));
    let longest = (0..seconds.len()).max_by(|a, b| seconds[*a].total_cmp(&seconds[*b])).unwrap();
    let mut certificate = self::certificate(&exp);
    leave_out(&mut certificate, longest, seconds[longest]);
    let found = findings(&exp, &certificate);
    assert!(found.holds() && !found.is_all(), "{:?}", found.refusals);
    assert!(found.uncovered.len() == 1 && found.coverage.starts_with("NOT COMPLETE for 1/8"), "{found:?}");

    // what follows from it would follow from nothing
    for name in ["sqrt", "sin", "sinpi"] {
        let function = parse(name).unwrap();
        let mut certificate = solved(&function, problem(Format::BFLOAT16, Breakpoints::All, 5), None);
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
    is!(found, Refusal::Function { .. });
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
        // serde takes arrays for structures
        &text.replacen(r#"{"is":"searched"}"#, r#"["searched"]"#, 1),
        &text.replacen(r#"{"is":"searched"}"#, r#"{"is":"searched","note":"certified"}"#, 1),
        // lines of a report would be the forger's
        &text.replace(r#""engine":""#, r#""engine":"farey X (native integers)\ncomplete""#),
        // what would be said of −x is not so
        &text.replacen(r#"{"is":"searched"}"#, r#"{"is":"mirrored","parity":"even"}"#, 1),
    ] {
        assert_ne!(wrong, text);
        assert!(matches!(Certificate::from_json(wrong), Err(DriverError::Unreadable { .. })), "{wrong:.60}");
    }
}

/// What a document does not have of its cases is what documents had before; one that has more or
/// less than its version has is none.
#[test]
fn what_follows_from_arguments_is_not_written() {
    for function in ["exp", "sin"] {
        let found = certificate(&parse(function).unwrap());
        assert!(found.schema == SCHEMA && !found.cases.is_empty());
        let text = found.to_json();
        assert!(!text.contains("midpoint") && Certificate::from_json(&text).unwrap() == found);
        // of sin's every other one
        let written = text.matches("\n\"0x1").count() + text.matches("\n\"-0x1").count();
        assert_eq!(found.cases.len(), if function == "sin" { 2 * written } else { written });
        let mut texts = vec![(SCHEMA, text)];
        for schema in [SHORT_SCHEMA, LONG_SCHEMAS[0]] {
            let mut before = Certificate { schema: schema.into(), ..found.clone() };
            before.digest = before.computed_digest();
            assert_ne!(before.digest, found.digest);
            let text = before.to_json();
            assert_eq!(text.contains("bracket"), schema == LONG_SCHEMAS[0]);
            let mut read = Certificate::from_json(&text).unwrap();
            assert_eq!(read, before);
            read.renew();
            assert_eq!(read, found);
            let fields: &[&str] = if schema == SHORT_SCHEMA {
                &["kind", "sign", "log2_dist", "identical_bits"]
            } else {
                &["kind", "breakpoint", "bracket"]
            };
            for field in fields {
                let mut torn: serde_json::Value = serde_json::from_str(&text).unwrap();
                torn["cases"][0].as_object_mut().unwrap().remove(*field);
                assert!(Certificate::from_json(&torn.to_string()).is_err());
            }
            texts.push((schema, text));
            // what was changed stays as it is, and its digest says so,
            let renewed = |change: &dyn Fn(&mut Certificate), is_sealed: bool| {
                let mut changed = before.clone();
                change(&mut changed);
                if is_sealed {
                    changed.digest = changed.computed_digest();
                }
                let mut renewed = changed.clone();
                renewed.renew();
                assert_eq!(renewed, changed);
            };
            renewed(&|certificate| drop(certificate.cases.remove(0)), false);
            // nor what says other things than follow
            renewed(&|certificate| certificate.cases.swap(3, 4), true);
            renewed(&|certificate| certificate.cases[0].log2_dist -= 1.0, true);
        }
        for (from, text) in &texts {
            for (to, _) in texts.iter().filter(|(to, _)| to != from) {
                let error = Certificate::from_json(&text.replace(from, to)).unwrap_err();
                assert!(error.to_string().contains(&format!(", which is not so in {to}")), "{error}");
            }
        }
        // an argument that is no number stays where there is more of a case, for whoever verifies
        let mut forged = Certificate { schema: SHORT_SCHEMA.into(), ..found.clone() };
        forged.cases[0].x = "the hardest".into();
        let read = Certificate::from_json(&forged.to_json()).unwrap();
        assert!(read.cases[0].breakpoint.is_empty());
        assert_eq!(read.cases[1..], found.cases[1..]);
        forged.schema = SCHEMA.into();
        assert!(Certificate::from_json(&forged.to_json()).is_err());
    }
}

/// The order is not made up, and what follows from −x is not listed twice.
#[test]
fn arguments_of_cases_are_in_order_and_none_follows() {
    let found = certificate(&parse("sin").unwrap());
    let read = |change: &dyn Fn(&mut Vec<serde_json::Value>)| {
        let mut document: serde_json::Value = serde_json::from_str(&found.to_json()).unwrap();
        change(document["cases"].as_array_mut().unwrap());
        Certificate::from_json(&document.to_string()).map_err(|error| error.to_string())
    };
    assert_eq!(read(&|_| {}).unwrap(), found);
    assert!(read(&|cases| cases.swap(3, 4)).unwrap_err().contains("is not after the one before it"));
    let twice = read(&|cases| cases.insert(3, cases[3].clone()));
    assert!(twice.unwrap_err().contains("is not after the one before it"));
    let image = read(&|cases| cases.insert(0, format!("-{}", cases[0].as_str().unwrap()).into()));
    assert!(image.unwrap_err().contains("follows from the one at the other sign"));
    let none = read(&|cases| cases.push("0x1.fffffep+1".into()));
    assert!(none.unwrap_err().contains("the case 0x1.fffffep+1 is none"));
    // an object without a kind is no argument
    let hollow = read(&|cases| {
        cases[3] = serde_json::json!({
            "x": cases[3], "kind": "", "sign": "-", "log2_dist": -99.0, "identical_bits": 98
        });
    });
    assert!(hollow.unwrap_err().contains("without the kind of its breakpoint"));
    // an image of nothing is not lost: it is written, and not read
    let mut alone = found.clone();
    alone.cases.pop();
    let error = Certificate::from_json(&alone.to_json()).unwrap_err().to_string();
    assert!(error.contains(&format!("the case {} follows from", alone.cases[0].x)), "{error}");
}

/// A function that only a library knows, by a name that says nothing.
struct Own(Expression);

impl Function for Own {
    fn name(&self) -> String {
        "my own".into()
    }
    fn series(&self, at: &Interval, order: usize, precision: u32) -> Result<Series, FunctionError> {
        self.0.series(at, order, precision)
    }
    fn parity(&self) -> Option<Parity> {
        self.0.parity()
    }
}

/// From its arguments nothing would follow: its certificates say what they are cases of, and what
/// follows is listed.
#[test]
fn certificates_of_functions_that_cannot_be_parsed() {
    let named = parse("sin").unwrap();
    let expected = certificate(&named);
    let own = solved(&Own(named), binary32(), BINADES);
    assert_eq!((own.schema.as_str(), expected.schema.as_str()), (SHORT_SCHEMA, SCHEMA));
    assert_eq!(own.cases, expected.cases);
    let read = Certificate::from_json(&own.to_json()).unwrap();
    assert_eq!(read.computed_digest(), own.digest);
    let said = |certificate: &Certificate| -> Vec<(String, String, char, f64, u32)> {
        let case =
            |case: &Case| (case.x.clone(), case.kind.clone(), case.sign, case.log2_dist, case.identical_bits);
        certificate.cases.iter().map(case).collect()
    };
    assert_eq!(said(&read), said(&own));
    let mut renewed = read.clone();
    renewed.renew();
    assert_eq!(renewed, read);
}

/// An interrupt leaves the units that were finished, and says that some are missing.
#[test]
fn interrupted() {
    let (function, walk, interrupt) = (parse("exp").unwrap(), walk(), Interrupt::new());
    let solve = Solve { workers: Workers::cpu(&walk, 1), ..solve(&function, binary32(), BINADES, &walk) };
    let plan = solve.plan().unwrap();
    let partial = solve.run(&plan, &StopAfter(1 << 24, &interrupt), &interrupt).unwrap();
    assert!(!partial.is_complete() && !partial.units.is_empty() && partial.units.len() < plan.units.len());
    let whole = certificate(&function);
    assert_eq!(partial.units[..], whole.units[..partial.units.len()], "what is finished is the same");
    let [of_part, of_all] = [&partial, &whole].map(|certificate| certificate.totals().expected_cases);
    let [cases, all] = [&partial, &whole].map(|certificate| certificate.cases.len() as f64);
    assert!(of_part < 0.99 * of_all, "only what was searched is counted: {of_part} of {of_all}");
    assert!((of_part - cases).abs() < 6.0 * of_part.sqrt() && (of_all - all).abs() < 6.0 * of_all.sqrt());
    has!(refusals(&function, &partial, Some(&walk)), Refusal::Incomplete { .. });
}

/// exp near 2^-35 is `1 + x + x²/2` but for less than ε: squares make five times as many cases as
/// chance would, and that is known.
#[test]
fn numbers_of_cases_that_arithmetic_makes() {
    let function = parse("exp").unwrap();
    for (binade, is_arithmetic) in [(-35, true), (-24, false)] {
        let problem = problem(Format::BINARY64, Breakpoints::All, 48);
        let certificate = solved(&function, problem, Some(binade..binade + 1));
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
    has!(refusals, Refusal::Tiling { .. });
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
    let function = parse("exp2").unwrap();
    let walk = walk_through_flat();
    let problem = problem(Format::X87_EXTENDED, Breakpoints::All, 56);
    let solve = solve(&function, problem, Some(-58..-57), &walk);
    let honest = solve.run(&solve.plan().unwrap(), &(), &Interrupt::new()).unwrap();
    assert!(honest.units.iter().all(|unit| unit.via.is_some() && unit.pieces == 0));
    // 2^64 arguments of both signs, 2^-54 of them
    assert!((800..1250).contains(&honest.cases.len()), "{}", honest.cases.len());
    let of = |tamper: Tamper| refusals(&function, &forged(&honest, tamper), Some(&walk));
    assert_eq!(of(|_| {}), []);
    let tampers: [Tamper; 6] = [
        |certificate| drop(certificate.cases.remove(17)),
        |certificate| drop(certificate.units.pop()),
        |certificate| certificate.units[0].arguments -= 1,
        |certificate| certificate.units[0].pieces += 1,
        |certificate| certificate.units[0].phases[0].domains_in += 1,
        |certificate| certificate.units[0].phases[4].domains_in += 1,
    ];
    let is_general =
        |refusal: &Refusal| matches!(refusal, Refusal::Digest { .. } | Refusal::Incomplete { .. });
    for (index, tamper) in tampers.into_iter().enumerate() {
        let found = of(tamper);
        assert!(!found.iter().all(is_general), "{index}: {found:?}");
    }
}
