//! Who asked what, who answered, and when.

use serde_json::json;
use tmd_driver::{Certificate, certificate::BudgetRecord};

use crate::{Forgery, Seen, document, forge::forget, forgery};

/// All lines of all budgets, smaller.
fn shrink(certificate: &mut Certificate, is_of_engine_only: bool) {
    for unit in &mut certificate.units {
        let BudgetRecord { tolerance, taylor, coefficients, tables, dropped, linear, refined, quantization } =
            &mut unit.budget;
        for line in [tables, dropped, linear, refined, quantization] {
            *line /= 1024.0;
        }
        if !is_of_engine_only {
            for line in [tolerance, taylor, coefficients] {
                *line /= 1024.0;
            }
        }
    }
}

pub(crate) fn forgeries(honest: &Certificate) -> Vec<Forgery> {
    let version = honest.program.clone();
    assert_eq!(version, format!("tmd {}", env!("CARGO_PKG_VERSION")));
    let mut all = vec![
        document("another schema", |value| value["schema"] = json!("tmd-certificate-3")),
        forgery("a version that never wrote certificates, with smaller budgets", |forged| {
            forged.program = "tmd 0.0.9".into();
            shrink(forged, false);
        }),
        forgery("a version to come", |forged| {
            forged.program = "tmd 99.0.0".into();
            shrink(forged, false);
        }),
        forgery("a program of another name", |forged| forged.program = "tmd 0.1.0, certified".into()),
        forgery("an engine that is none, with smaller budgets", |forged| {
            forged.engine = "oracle avx512".into();
            shrink(forged, true);
        }),
        forgery("no engine", |forged| forged.engine = String::new()),
        forgery("an engine with a note", |forged| forged.engine.push_str(", certified")),
        forgery("another engine", |forged| forged.engine = "regular portable".into()),
        forgery("an engine with other domains", |forged| forged.engine.push_str(", domain size 64")),
        // a device's lines cannot be derived here, and it says so
        forgery("a device, with smaller budgets", |forged| {
            forged.engine = "farey Imaginary (native integers)".into();
            shrink(forged, true);
        })
        .seen(Seen::AsLess),
        forgery("a device, with smaller bounds of all kinds", |forged| {
            forged.engine = "farey Imaginary (native integers)".into();
            shrink(forged, false);
        }),
        forgery("another function", |forged| forged.function = "expm1(x)".into()),
        forgery("a function in another spelling", |forged| forged.function = "exp( x )".into()),
        forgery("a format of another name", |forged| forged.format.name = "binary64".into()),
        forgery("a format of another precision", |forged| forged.format.precision += 1),
        forgery("a format of another range", |forged| forged.format.max_exponent -= 1),
        forgery("directed rounding, and the same list", |forged| forged.rounding = "directed".into()),
        forgery("rounding to nearest, and the same list", |forged| forged.rounding = "nearest".into()),
        forgery("directed rounding, and only its cases", |forged| {
            forged.rounding = "directed".into();
            while let Some(index) = forged.cases.iter().position(|case| case.kind == "midpoint") {
                forget(forged, index);
            }
        }),
        forgery("rounding in words", |forged| forged.rounding = "every mode there is".into()),
        forgery("an extra bit", |forged| forged.extra_bits += 1),
        forgery("an extra bit, and only its cases", |forged| {
            forged.extra_bits += 1;
            let bound = -f64::from(forged.extra_bits);
            while let Some(index) = forged.cases.iter().position(|case| case.log2_dist >= bound) {
                forget(forged, index);
            }
        }),
        forgery("a bit less", |forged| forged.extra_bits -= 1),
        forgery("all numbers asked for", |forged| forged.binades = None),
        forgery("more binades asked for", |forged| forged.binades = Some([-2, 2])),
        forgery("fewer binades asked for", |forged| forged.binades = Some([0, 2])),
        forgery("no binades asked for", |forged| forged.binades = Some([2, 2])),
        forgery("a theorem of the forger's", |forged| {
            forged.exact_rule = Some("exp(x) is never rational".into());
        }),
        forgery("no theorem", |forged| forged.exact_rule = None),
        forgery("an excuse", |forged| forged.failures.push("unit 3 at 0x1p+0: no time".into())),
        document("a case in words", |value| value["cases"][0] = json!("the hardest")),
        document("more of a case than its argument", |value| {
            value["cases"][0] = json!({
                "x": value["cases"][0], "kind": "number", "sign": "+", "log2_dist": -99.0, "identical_bits": 98
            });
        }),
        document("a time that runs backwards", |value| value["effort"]["unit_s"][0] = json!(-1.0)),
        document("times of units that are not there", |value| {
            value["effort"]["unit_s"].as_array_mut().unwrap().push(json!(1.0));
        }),
    ];
    let notes: [(&str, &[&str]); 8] = [
        ("the document", &[]),
        ("a unit", &["units", "0"]),
        ("a budget", &["units", "0", "budget"]),
        ("a phase", &["units", "0", "phases", "0"]),
        ("a region", &["regions", "0"]),
        ("the class of a region that was searched", &["regions", "0", "class"]),
        ("the format", &["format"]),
        ("the times", &["effort"]),
    ];
    for (what, path) in notes {
        all.push(document(&format!("a note in {what}"), move |value| {
            let place = path.iter().fold(value, |value, key| match key.parse::<usize>() {
                Ok(index) => &mut value[index],
                Err(_) => &mut value[*key],
            });
            place["note"] = json!("certified");
        }));
    }
    all
}
