//! Cases, exact cases, undecided arguments, and the rules for what repeats.

use tmd_driver::{
    Certificate,
    certificate::{ClassRecord, Effort, LONG_SCHEMAS, Rule, RuleStep, SHORT_SCHEMA},
    report::{Case, Exact, Undecided},
};

use crate::{
    Forgery, Seen,
    forge::{forget, hardest, number, recount, remove_hardest, unit_at, unit_of},
    forgery,
};

/// A change of the hardest case.
fn of_hardest(name: &str, change: impl Fn(&mut Case) + 'static) -> Forgery {
    forgery(name, move |forged| {
        let index = hardest(forged);
        change(&mut forged.cases[index]);
    })
}

/// The same in a document of an earlier version, which has more of its cases.
fn of_hardest_in(schema: &'static str, name: &str, change: impl Fn(&mut Case) + 'static) -> Forgery {
    forgery(name, move |forged| {
        forged.schema = schema.into();
        let index = hardest(forged);
        change(&mut forged.cases[index]);
    })
}

fn of_hardest_in_short(name: &str, change: impl Fn(&mut Case) + 'static) -> Forgery {
    of_hardest_in(SHORT_SCHEMA, name, change)
}

fn of_hardest_in_full(name: &str, change: impl Fn(&mut Case) + 'static) -> Forgery {
    of_hardest_in(LONG_SCHEMAS[0], name, change)
}

/// Changes of a single case.
fn changed() -> Vec<Forgery> {
    vec![
        of_hardest_in_short("another sign", |case| case.sign = if case.sign == '+' { '-' } else { '+' }),
        of_hardest_in_short("a sign that is none", |case| case.sign = '0'),
        of_hardest_in_short("another kind of breakpoint", |case| {
            case.kind = if case.kind == "number" { "midpoint".into() } else { "number".into() };
        }),
        of_hardest_in_short("another distance", |case| case.log2_dist += 1e-3),
        of_hardest_in_short("a harmless distance", |case| case.log2_dist = -1.0),
        of_hardest_in_short("an identical bit less", |case| case.identical_bits -= 1),
        of_hardest_in_full("another breakpoint", |case| case.breakpoint = case.bracket[0].clone() + "0"),
        of_hardest_in_full("a bracket the wrong way round", |case| case.bracket.swap(0, 1)),
        of_hardest_in_full("a bracket too wide", |case| case.bracket[1] = "0x1p+9".into()),
        of_hardest("another argument", |case| case.x = "0x1.8p+0".into()),
        of_hardest("an argument in another spelling", |case| case.x = number(&case.x).to_string()),
        of_hardest("an argument that is no number of the format", |case| case.x = "0x1.00000001p+0".into()),
        of_hardest("an argument that is none", |case| case.x = "the hardest".into()),
    ]
}

/// Of a certificate all of whose regions are searched.
pub(crate) fn of_cases(honest: &Certificate) -> Vec<Forgery> {
    assert!(honest.exact_cases.is_empty() && honest.undecided.is_empty());
    let mut all = vec![
        forgery("the hardest case deleted", |forged| drop(remove_hardest(forged))),
        forgery("the hardest case deleted, and counted no more by its unit", |forged| {
            let case = remove_hardest(forged);
            unit_at(forged, &case.x).cases -= 1;
        }),
        forgery("the hardest case forgotten in every count", |forged| forget(forged, hardest(forged)))
            .seen(Seen::BySearching),
        forgery("a case of each unit forgotten in every count", |forged| {
            let cases: Vec<String> = forged.cases.iter().map(|case| case.x.clone()).collect();
            let mut seen = std::collections::BTreeSet::new();
            for x in cases {
                if seen.insert(unit_of(forged, &x)) {
                    let index = forged.cases.iter().position(|case| case.x == x).unwrap();
                    forget(forged, index);
                }
            }
        })
        .seen(Seen::BySearching),
        forgery("all cases forgotten in every count", |forged| {
            while !forged.cases.is_empty() {
                forget(forged, 0);
            }
        }),
        forgery("the hardest case undecided", |forged| {
            let case = remove_hardest(forged);
            recount(unit_at(forged, &case.x), -1, 0, 1);
            forged.undecided.push(Undecided { x: case.x, bits: 16384 });
        }),
        forgery("the hardest case undecided, and in no unit's count", |forged| {
            let case = remove_hardest(forged);
            recount(unit_at(forged, &case.x), -1, 0, 0);
            forged.undecided.push(Undecided { x: case.x, bits: 16384 });
        }),
        forgery("an easy argument undecided", |forged| {
            recount(unit_at(forged, "0x1.8p+0"), 0, 0, 1);
            forged.undecided.push(Undecided { x: "0x1.8p+0".into(), bits: 16384 });
        }),
        forgery("the hardest case exact", |forged| {
            let case = remove_hardest(forged);
            recount(unit_at(forged, &case.x), -1, 1, 0);
            forged.exact_cases.push(Exact { x: case.x, kind: case.kind, value: case.breakpoint });
        }),
        forgery("an easy argument among the cases", |forged| {
            let x = "0x1.8p+0";
            recount(unit_at(forged, x), 1, 0, 0);
            let at = forged.cases.iter().position(|case| number(&case.x) > number(x)).unwrap();
            let case = Case { x: x.into(), ..forged.cases[at].clone() };
            forged.cases.insert(at, case);
        }),
        forgery("a case twice", |forged| {
            let case = forged.cases[5].clone();
            recount(unit_at(forged, &case.x), 1, 0, 0);
            forged.cases.insert(5, case);
        }),
        forgery("a case in place of its neighbor", |forged| forged.cases[6] = forged.cases[5].clone()),
        forgery("cases in another order", |forged| forged.cases.swap(3, 4)),
        forgery("a rule where nothing repeats", |forged| {
            forged.rules.push(Rule {
                anchor: forged.cases[0].x.clone(),
                step: RuleStep::Factor { argument: 1, result: 1 },
                first: 1,
                last: 1,
                mirrored: None,
            });
        }),
    ];
    all.extend(changed());
    all
}

/// Of a certificate whose units found exact cases.
pub(crate) fn of_exact_cases(honest: &Certificate) -> Vec<Forgery> {
    let own = honest.exact_cases.iter().position(|case| unit_of(honest, &case.x).is_some()).unwrap();
    vec![
        forgery("an exact case deleted", move |forged| drop(forged.exact_cases.remove(own))),
        forgery("an exact case forgotten in every count", move |forged| {
            let case = forged.exact_cases.remove(own);
            recount(unit_at(forged, &case.x), 0, -1, 0);
        })
        .seen(Seen::BySearching),
        forgery("no list of exact cases", |forged| forged.exact_cases.clear()),
        forgery("an exact case of another value", move |forged| {
            forged.exact_cases[own].value = "0x1p+3".into();
        }),
        forgery("an exact case of another kind", move |forged| {
            let kind = &mut forged.exact_cases[own].kind;
            *kind = if kind == "midpoint" { "number".into() } else { "midpoint".into() };
        }),
        forgery("an exact case twice", move |forged| {
            forged.exact_cases.insert(own, forged.exact_cases[own].clone());
        }),
        forgery("exact cases that are none", move |forged| {
            forged.exact_cases[own].x = "0x1.84p+0".into();
        }),
        forgery("a theorem of the forger's", |forged| {
            forged.exact_rule = Some("exp2(x) is rational at some integers x".into());
        }),
    ]
}

/// Of a certificate with rules.
pub(crate) fn of_rules() -> Vec<Forgery> {
    vec![
        forgery("no rules", |forged| forged.rules.clear()),
        forgery("a rule removed", |forged| drop(forged.rules.remove(0))),
        forgery("a rule twice", |forged| forged.rules.insert(1, forged.rules[0].clone())),
        forgery("rules in another order", |forged| forged.rules.swap(0, 1)),
        forgery("a rule that ends later", |forged| forged.rules[0].last += 1),
        forgery("a rule that ends earlier", |forged| forged.rules[0].last -= 1),
        forgery("a rule that begins earlier", |forged| forged.rules[0].first -= 1),
        forgery("a rule that begins later", |forged| forged.rules[0].first += 1),
        forgery("a rule for no integer", |forged| forged.rules[0].last = forged.rules[0].first - 1),
        forgery("a rule for all integers", |forged| {
            (forged.rules[0].first, forged.rules[0].last) = (i64::MIN, i64::MAX);
        }),
        forgery("a rule that is mirrored", |forged| forged.rules[0].mirrored = Some("even".into())),
        forgery("a rule that is mirrored oddly", |forged| forged.rules[0].mirrored = Some("odd".into())),
        forgery("a rule that is mirrored somehow", |forged| {
            forged.rules[0].mirrored = Some("somehow".into());
        }),
        forgery("a rule about another case", |forged| {
            forged.rules[0].anchor = forged.rules[1].anchor.clone();
        }),
        forgery("a rule about a case that follows from its own", |forged| {
            let anchor = number(&forged.rules[0].anchor) * 4u32;
            let x = forged.cases.iter().find(|case| number(&case.x) == anchor);
            let text = x.map_or_else(|| "0x1p+2".into(), |case| case.x.clone());
            forged.rules[0].anchor = text;
        }),
        forgery("a rule about no case", |forged| forged.rules[0].anchor = "0x1p+0".into()),
        forgery("a rule with larger steps", |forged| {
            forged.rules[0].step = RuleStep::Factor { argument: 4, result: 2 };
        }),
        forgery("a rule whose results stay", |forged| {
            forged.rules[0].step = RuleStep::Factor { argument: 2, result: 0 };
        }),
        forgery("a rule of another kind", |forged| {
            forged.rules[0].step = RuleStep::Addend { result: 1, alternates: false };
        }),
        forgery("a translation of another kind", |forged| {
            for region in &mut forged.regions {
                if let ClassRecord::Translated { rule } = &mut region.class {
                    *rule = "f(2 x) = f(x) + 1".into();
                }
            }
        }),
    ]
}

/// A change of a document of the version before, which lists what follows from −x.
fn of_all_cases(name: &str, change: impl Fn(&mut Certificate) + 'static) -> Forgery {
    forgery(name, move |forged| {
        forged.schema = SHORT_SCHEMA.into();
        change(forged);
    })
}

/// Of a certificate of an odd function.
pub(crate) fn of_images(honest: &Certificate) -> Vec<Forgery> {
    assert!(honest.cases[0].x.starts_with('-'));
    vec![
        of_all_cases("a case that follows deleted", |forged| drop(forged.cases.remove(0))),
        of_all_cases("a case and its mirror image deleted", |forged| {
            forged.cases.remove(0);
            forged.cases.pop();
        }),
        of_all_cases("a mirror image of the wrong sign", |forged| {
            let case = &mut forged.cases[0];
            case.sign = if case.sign == '+' { '-' } else { '+' };
        }),
        of_all_cases("a mirror image elsewhere", |forged| {
            let moved = number(&forged.cases[0].x) * 2u32;
            forged.cases[0].x = format!("{moved}");
        }),
        of_all_cases("a mirror image undecided", |forged| {
            let case = forged.cases.remove(0);
            forged.undecided.push(Undecided { x: case.x, bits: 16384 });
        }),
    ]
}

/// Of a certificate of the results, whose exact cases are too many to be listed.
pub(crate) fn of_results(honest: &Certificate) -> Vec<Forgery> {
    assert!(
        honest.exact_cases.is_empty() && honest.units.iter().map(|unit| unit.exact).sum::<u64>() > 10_000
    );
    assert!(honest.rules.len() > 100);
    let middle = honest.units.len() / 2;
    assert!(middle > 0);
    vec![
        forgery("the hardest case deleted", |forged| drop(remove_hardest(forged))),
        forgery("the hardest case undecided", |forged| {
            let case = remove_hardest(forged);
            forged.undecided.push(Undecided { x: case.x, bits: 16384 });
        }),
        forgery("the searched regions out of reach", |forged| {
            for region in &mut forged.regions {
                if region.class == ClassRecord::Searched {
                    region.class = ClassRecord::OutOfReach { core_seconds: 1e9 };
                    region.units = None;
                }
            }
            forged.units.clear();
            forged.cases.clear();
            forged.rules.clear();
            forged.effort = Effort::default();
        }),
        forgery("smaller budgets of a version that never was", |forged| {
            forged.program = "tmd 0.0.9".into();
            for unit in &mut forged.units {
                unit.budget.linear /= 1024.0;
            }
        }),
        forgery("smaller budgets", move |forged| forged.units[middle].budget.linear /= 1024.0),
        forgery("a rule that ends earlier", |forged| forged.rules[100].last -= 1),
        forgery("a unit left out", move |forged| drop(forged.units.remove(middle))),
        forgery("other phases", move |forged| forged.units[middle].phases[1].domains_out = 1 << 62),
        forgery("a tenth of the exact cases", |forged| {
            for unit in &mut forged.units {
                let fewer = unit.exact as i64 / 10 - unit.exact as i64;
                recount(unit, 0, fewer, 0);
            }
            forged.units[0].exact = 9_000;
        }),
    ]
}
