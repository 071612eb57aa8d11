//! Regions: what was asked for, and why nothing needs to be searched.

use tmd_driver::{Certificate, certificate::ClassRecord};

use crate::{
    Forgery, Seen,
    forge::{number, out_of_reach},
    forgery,
    testing::estimates,
};

/// Takes a region's units and cases away, and says why there are none.
fn instead_of_searching(certificate: &mut Certificate, index: usize, class: ClassRecord) {
    out_of_reach(certificate, index, 1.0);
    certificate.regions[index].class = class;
}

/// Of a certificate all of whose regions are searched.
pub(crate) fn of_searched(honest: &Certificate) -> Vec<Forgery> {
    assert!(honest.regions.iter().all(|region| region.class == ClassRecord::Searched));
    let estimates = estimates(honest);
    let by_time = |is_better: fn(f64, f64) -> bool| {
        (0..estimates.len()).reduce(|a, b| if is_better(estimates[b], estimates[a]) { b } else { a }).unwrap()
    };
    let (shortest, longest) = (by_time(|a, b| a < b), by_time(|a, b| a > b));
    let (shortest_s, longest_s) = (estimates[shortest], estimates[longest]);
    assert!(shortest_s < longest_s * 0.999);
    let all = estimates.clone();
    let [below, above] = ["0x1p+0", "0x1p+1"].map(|end| Some(end.to_owned()));
    let other_classes = [
        ("no value", ClassRecord::Undefined),
        ("between two breakpoints", ClassRecord::Between { below, above }),
        ("beside a line", ClassRecord::Beside { line: "1".into(), side: "above".into() }),
        ("refused", ClassRecord::Refused { reason: "exp cannot be enclosed".into() }),
        ("mirrored", ClassRecord::Mirrored { parity: "even".into() }),
        ("translated", ClassRecord::Translated { rule: "f(x + 1) = 2 f(x)".into() }),
    ];
    let of_other_classes = other_classes.map(|(what, class)| {
        let change = move |forged: &mut Certificate| instead_of_searching(forged, 1, class.clone());
        forgery(&format!("{what} where it was searched"), change)
    });
    let mut forgeries = vec![
        forgery("out of reach, by a guess", |forged| out_of_reach(forged, 1, 7.0)),
        forgery("out of reach, in no time", |forged| out_of_reach(forged, 1, 0.0)),
        forgery("out of reach, and shorter than what was searched", move |forged| {
            out_of_reach(forged, shortest, shortest_s);
        }),
        // a limit below the longest search is a question that may be asked: the answer covers less,
        // and says so
        forgery("out of reach, and longer than all others", move |forged| {
            out_of_reach(forged, longest, longest_s);
        })
        .seen(Seen::AsLess),
        forgery("all of it out of reach", move |forged| {
            for (index, seconds) in all.iter().enumerate() {
                out_of_reach(forged, index, *seconds);
            }
        })
        .seen(Seen::AsLess),
        forgery("out of reach, with its units and cases", |forged| {
            forged.regions[1].class = ClassRecord::OutOfReach { core_seconds: 7.0 };
        }),
        forgery("a border moved by a number", |forged| {
            let [first, second, ..] = &mut forged.regions[..] else { panic!("two regions") };
            second.first.clone_from(&first.last);
            (first.arguments, second.arguments) = (first.arguments - 1, second.arguments + 1);
        }),
        forgery("a region removed, with all that it holds", |forged| {
            out_of_reach(forged, 0, 1.0);
            forged.regions.remove(0);
            for unit in &mut forged.units {
                unit.region -= 1;
            }
        }),
        forgery("a region twice", |forged| forged.regions.insert(1, forged.regions[0].clone())),
        forgery("regions in another order", |forged| forged.regions.swap(0, 1)),
        forgery("two regions in one", |forged| {
            let second = forged.regions.remove(1);
            let first = &mut forged.regions[0];
            (first.last, first.arguments) = (second.last, first.arguments + second.arguments);
            first.units = Some(first.units.unwrap() + second.units.unwrap());
            for unit in &mut forged.units {
                unit.region = unit.region.saturating_sub(1);
            }
        }),
        forgery("more arguments than there are", |forged| forged.regions[0].arguments += 1),
        forgery("a region in another spelling", |forged| {
            let first = &mut forged.regions.last_mut().unwrap().first;
            *first = number(first).to_string();
        }),
        forgery("units of one region counted in another", |forged| {
            let units = forged.regions[1].units.as_mut().unwrap();
            *units += 1;
            *forged.regions[2].units.as_mut().unwrap() -= 1;
        }),
    ];
    forgeries.extend(of_other_classes);
    forgeries
}

/// Of a certificate with regions of which all is known.
pub(crate) fn of_known(honest: &Certificate) -> Vec<Forgery> {
    let index = |is_it: fn(&ClassRecord) -> bool| {
        honest.regions.iter().position(|region| is_it(&region.class)).expect("such a region")
    };
    let beside = index(|class| matches!(class, ClassRecord::Beside { .. }));
    let exact = index(|class| matches!(class, ClassRecord::Exact { .. }));
    let mirrored = index(|class| matches!(class, ClassRecord::Mirrored { .. }));
    let ClassRecord::Beside { line, side } = honest.regions[beside].class.clone() else { panic!("a line") };
    let ClassRecord::Exact { value, kind } = honest.regions[exact].class.clone() else { panic!("a value") };
    let other_side = if side == "above" { "below" } else { "above" };
    let of_class = |name, index: usize, class: ClassRecord| {
        forgery(name, move |forged| forged.regions[index].class = class.clone())
    };
    let of_line = |name, line: &str, side: &str| {
        of_class(name, beside, ClassRecord::Beside { line: line.into(), side: side.into() })
    };
    let between = ClassRecord::Between { below: Some("0x0p+0".into()), above: Some("0x1p-133".into()) };
    let of_midpoint = ClassRecord::Exact { value, kind: "midpoint".into() };
    vec![
        of_line("the other side of a line", &line, other_side),
        of_line("another line", "2^1*x", &side),
        of_line("a line in words", "whatever it is", &side),
        of_class("between breakpoints in place of beside a line", beside, between),
        of_class("an exact result of another value", exact, ClassRecord::Exact { value: "1".into(), kind }),
        of_class("an exact result of another kind", exact, of_midpoint),
        of_class("another parity", mirrored, ClassRecord::Mirrored { parity: "even".into() }),
        forgery("what is known, moved to what was searched", move |forged| {
            let [known, next] = &mut forged.regions[beside..beside + 2] else { panic!("two regions") };
            known.last.clone_from(&next.first);
            (known.arguments, next.arguments) = (known.arguments + 1, next.arguments - 1);
        }),
    ]
}
