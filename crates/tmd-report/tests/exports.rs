//! What is exported is what the certificate holds, read back by other programs' libraries.

mod common;

use arrow_array::{
    Array, BooleanArray, Float64Array, Int32Array, RecordBatch, StringArray, UInt32Array, cast::AsArray,
};
use bytes::Bytes;
use common::{certificate, solved};
use parquet::{
    arrow::arrow_reader::ParquetRecordBatchReaderBuilder,
    file::reader::{FileReader, SerializedFileReader},
};
use tmd_core::{BreakpointKind, Breakpoints, Interrupt};
use tmd_driver::{Certificate, report::Undecided};
use tmd_functions::parse_number;
use tmd_report::export::{
    hardness_to_round, to_csv, to_hardest_csv, to_hardest_markdown, to_json, to_parquet, to_wc,
};

/// exp2 has exact results at integers, exp only at 0, sin has mirrored regions.
fn certificates() -> Vec<Certificate> {
    let mut undecided = solved("exp", Breakpoints::All);
    undecided.undecided.push(Undecided { x: "0x1.8p+1".into(), bits: 700 });
    undecided.digest = undecided.computed_digest();
    vec![solved("exp2", Breakpoints::All), solved("sin", Breakpoints::Nearest), undecided]
}

/// Arguments whose results are breakpoints, with the results: listed, or regions of their own.
fn exact(certificate: &Certificate) -> Vec<(String, String, String)> {
    let mut exact: Vec<_> = certificate
        .exact_cases
        .iter()
        .map(|case| (case.x.clone(), case.kind.clone(), case.value.clone()))
        .collect();
    for region in &certificate.regions {
        if let tmd_driver::certificate::ClassRecord::Exact { value, kind } = &region.class {
            exact.push((region.first.clone(), kind.clone(), value.clone()));
        }
    }
    exact.sort_by_key(|(x, ..)| parse_number(x).unwrap());
    exact
}

/// The columns of every table, as docs/exports.md has them.
const COLUMNS: [&str; 16] = [
    "x",
    "binade",
    "kind",
    "exact",
    "sign",
    "log2_dist",
    "identical_bits",
    "breakpoint",
    "lower",
    "upper",
    "function",
    "format",
    "rounding",
    "extra_bits",
    "state",
    "digest",
];

/// A value of theory's, 1, as all other numbers are written.
fn hexadecimal(value: &str) -> String {
    if value == "1" { "0x1p+0".into() } else { value.into() }
}

/// `⌊log2|x|⌋`, by the logarithm of a double: numbers of binary16 are far from powers of two, or are some.
fn binade(x: &str) -> Option<i32> {
    let x = parse_number(x).unwrap().to_f64();
    (x != 0.0).then(|| x.abs().log2().floor() as i32)
}

#[test]
fn the_certificates_hold_what_is_to_be_tested() {
    let all = certificates();
    assert!(all.iter().all(|certificate| certificate.cases.len() > 100));
    assert!(exact(&all[0]).len() > 10, "exp2 of integers");
    assert!(all[1].cases.iter().any(|case| case.x.starts_with('-')));
    assert_eq!(exact(&all[2]).len(), 1, "exp(0) = 1");
}

#[test]
fn parquet_read_back_by_arrow() {
    for certificate in certificates() {
        let file = Bytes::from(to_parquet(&certificate).unwrap());
        let reader = SerializedFileReader::new(file.clone()).unwrap();
        let metadata = reader.metadata().file_metadata().key_value_metadata().unwrap();
        let of = |key: &str| {
            metadata.iter().find(|pair| pair.key == key).and_then(|pair| pair.value.clone()).unwrap()
        };
        assert_eq!(of("function"), certificate.function);
        assert_eq!(of("format"), "binary16");
        assert_eq!(of("rounding"), certificate.rounding);
        assert_eq!(of("extra_bits"), "8");
        assert_eq!((of("state").as_str(), of("uncovered").as_str()), ("complete", ""));
        assert_eq!(of("digest"), certificate.digest);
        let group = reader.metadata().row_group(0);
        assert!(group.columns().iter().all(|column| column.statistics().is_some()));

        let batches: Vec<RecordBatch> = ParquetRecordBatchReaderBuilder::try_new(file)
            .unwrap()
            .with_batch_size(1 << 20)
            .build()
            .unwrap()
            .map(Result::unwrap)
            .collect();
        assert_eq!(batches.len(), 1);
        compare(&batches[0], &certificate);
    }
}

fn compare(batch: &RecordBatch, certificate: &Certificate) {
    let strings = |name: &str| -> &StringArray { batch.column_by_name(name).unwrap().as_string() };
    let doubles = |name: &str| -> &Float64Array { batch.column_by_name(name).unwrap().as_primitive() };
    let text = |name: &str, i: usize| strings(name).is_valid(i).then(|| strings(name).value(i));
    let binades: &Int32Array = batch.column_by_name("binade").unwrap().as_primitive();
    let bits: &UInt32Array = batch.column_by_name("identical_bits").unwrap().as_primitive();
    let is_exact: &BooleanArray = batch.column_by_name("exact").unwrap().as_boolean();
    let exact = exact(certificate);
    let cases = certificate.cases.len();
    assert_eq!(batch.num_rows(), cases + exact.len() + certificate.undecided.len());
    for i in 0..batch.num_rows() {
        let x = strings("x").value(i);
        let origin = ["function", "format", "rounding", "state", "digest"].map(|name| text(name, i).unwrap());
        let rounding = certificate.rounding.as_str();
        assert_eq!(origin, [&certificate.function, "binary16", rounding, "complete", &certificate.digest]);
        assert_eq!(doubles("x_value").value(i), parse_number(x).unwrap().to_f64());
        assert_eq!(binades.is_valid(i).then(|| binades.value(i)), binade(x));
        assert_eq!(is_exact.value(i), (cases..cases + exact.len()).contains(&i));
        let distance = doubles("log2_dist");
        if i < cases {
            let case = &certificate.cases[i];
            assert_eq!((x, text("kind", i)), (case.x.as_str(), Some(case.kind.as_str())));
            assert_eq!(text("sign", i), Some(case.sign.to_string().as_str()));
            assert_eq!((distance.value(i), bits.value(i)), (case.log2_dist, case.identical_bits));
            assert_eq!(text("breakpoint", i), Some(case.breakpoint.as_str()));
            assert_eq!([text("lower", i).unwrap(), text("upper", i).unwrap()], case.bracket);
            continue;
        }
        assert!(distance.is_null(i));
        assert_eq!((text("sign", i), text("lower", i), text("upper", i)), (None, None, None));
        if let Some((argument, kind, value)) = exact.get(i - cases) {
            assert_eq!((x, text("kind", i)), (argument.as_str(), Some(kind.as_str())));
            assert_eq!(text("breakpoint", i), Some(hexadecimal(value).as_str()));
            assert!(bits.is_null(i));
        } else {
            assert_eq!((x, text("kind", i), text("breakpoint", i)), ("0x1.8p+1", Some("undecided"), None));
            assert_eq!(bits.value(i), 700);
        }
    }
}

#[test]
fn csv_read_back() {
    for certificate in certificates() {
        let text = to_csv(&certificate).unwrap();
        let mut reader = csv::Reader::from_reader(text.as_bytes());
        let header: Vec<_> = reader.headers().unwrap().iter().map(str::to_owned).collect();
        assert_eq!(header, COLUMNS);
        let rows: Vec<_> = reader.records().map(Result::unwrap).collect();
        let exact = exact(&certificate);
        assert_eq!(rows.len(), certificate.cases.len() + exact.len() + certificate.undecided.len());
        for (row, case) in rows.iter().zip(&certificate.cases) {
            assert_eq!([&row[0], &row[2], &row[3]], [case.x.as_str(), &case.kind, "false"]);
            assert_eq!((row[1].parse().ok(), &row[4]), (binade(&case.x), case.sign.to_string().as_str()));
            assert_eq!((row[5].parse(), row[6].parse()), (Ok(case.log2_dist), Ok(case.identical_bits)));
            assert_eq!([&row[7], &row[8], &row[9]], [&case.breakpoint, &case.bracket[0], &case.bracket[1]]);
        }
        for row in &rows {
            let rounding = certificate.rounding.as_str();
            assert_eq!(
                [&row[10], &row[11], &row[12], &row[13]],
                [&certificate.function, "binary16", rounding, "8"]
            );
            assert_eq!([&row[14], &row[15]], ["complete", certificate.digest.as_str()]);
        }
        for (row, (x, kind, value)) in rows[certificate.cases.len()..].iter().zip(&exact) {
            assert_eq!(
                [&row[0], &row[2], &row[3], &row[5], &row[7]],
                [x, kind, "true", "", &hexadecimal(value)]
            );
        }
        assert_eq!(
            text.contains("0x1.8p+1,1,undecided,false,,,700,,,,exp(x),"),
            !certificate.undecided.is_empty()
        );
    }
}

#[test]
fn json_read_back() {
    for certificate in certificates() {
        let document: serde_json::Value = serde_json::from_str(&to_json(&certificate).unwrap()).unwrap();
        let rows = document["rows"].as_array().unwrap();
        for (field, value) in
            [("function", certificate.function.as_str()), ("format", "binary16"), ("state", "complete")]
        {
            assert_eq!(document[field], value);
        }
        assert_eq!(
            (&document["rounding"], &document["digest"]),
            (&certificate.rounding.clone().into(), &certificate.digest.clone().into())
        );
        assert_eq!((&document["extra_bits"], &document["uncovered"]), (&8.into(), &serde_json::json!([])));
        let exact = exact(&certificate);
        assert_eq!(rows.len(), certificate.cases.len() + exact.len() + certificate.undecided.len());
        for (row, case) in rows.iter().zip(&certificate.cases) {
            let expected = serde_json::json!({
                "x": case.x, "binade": binade(&case.x), "kind": case.kind, "sign": case.sign,
                "log2_dist": case.log2_dist, "identical_bits": case.identical_bits, "breakpoint": case.breakpoint,
                "lower": case.bracket[0], "upper": case.bracket[1], "exact": false,
            });
            assert_eq!(*row, expected);
        }
        for (row, (x, kind, value)) in rows[certificate.cases.len()..].iter().zip(&exact) {
            let expected = serde_json::json!({
                "x": x, "binade": binade(x), "kind": kind, "sign": null, "log2_dist": null, "identical_bits": null,
                "breakpoint": hexadecimal(value), "lower": null, "upper": null, "exact": true,
            });
            assert_eq!(*row, expected);
        }
    }
}

/// As CORE-MATH's scripts read them: what is before `#`, if anything.
fn arguments(wc: &str) -> Vec<&str> {
    wc.lines().map(|line| line.split('#').next().unwrap_or("").trim()).filter(|x| !x.is_empty()).collect()
}

#[test]
fn wc_read_back() {
    for certificate in certificates() {
        let text = to_wc(&certificate).unwrap();
        let exact = exact(&certificate);
        let listed = certificate.cases.iter().map(|case| &case.x).chain(exact.iter().map(|(x, ..)| x));
        assert!(listed.eq(arguments(&text)));
        let head = format!(
            "# {} in binary16, rounding {}, distance < 2^-8 ulp\n# {} cases",
            certificate.function,
            if certificate.rounding == "all" { "all (directed and to nearest)" } else { "to nearest" },
            certificate.cases.len()
        );
        assert!(text.starts_with(&head), "{text}");
        assert!(
            text.contains("; complete\n")
                && text.contains(&certificate.digest)
                && !text.contains("NOT COVERED")
        );
        assert_eq!(text.contains("\n# undecided: 0x1.8p+1\n"), !certificate.undecided.is_empty());
    }
}

#[test]
fn what_is_missing_is_said() {
    let interrupted = Interrupt::new();
    interrupted.request();
    let partial = certificate("exp", Breakpoints::All, f64::INFINITY, &interrupted);
    let out_of_reach = certificate("exp", Breakpoints::All, 1e-300, &Interrupt::new());
    for text in [to_wc(&partial).unwrap(), to_hardest_markdown(&partial, 3).unwrap()] {
        assert!(text.contains("PARTIAL: 0 of ") && text.contains("NOT COVERED: "), "{text}");
        assert!(text.contains("not searched to the end"), "{text}");
    }
    for text in [to_wc(&out_of_reach).unwrap(), to_hardest_markdown(&out_of_reach, 3).unwrap()] {
        assert!(text.contains("NOT COVERED: ") && text.contains("a search would take too long, "), "{text}");
        assert!(text.contains("; complete but for what is NOT COVERED"), "{text}");
    }
    // what is mirrored from arguments that were not searched is not covered either
    let mirrored = to_wc(&certificate("sin", Breakpoints::All, f64::INFINITY, &interrupted)).unwrap();
    assert!(mirrored.contains("# NOT COVERED: -0x1."), "{mirrored}");
    let mut many = solved("exp2", Breakpoints::All);
    many.exact_cases.clear();
    assert!(to_wc(&many).unwrap().contains("exact cases in what was searched, too many to list"));
}

/// A certificate without one of its cases says so in every format, and to whoever reads a single line of it.
#[test]
fn what_was_changed_is_said() {
    let mut changed = solved("exp", Breakpoints::All);
    changed.cases.remove(7);
    let said = "CHANGED after it was written, nothing here can be relied on; complete";
    for text in [to_wc(&changed).unwrap(), to_hardest_markdown(&changed, 3).unwrap()] {
        assert!(text.contains(said), "{text}");
    }
    for text in [to_csv(&changed).unwrap(), to_hardest_csv(&changed, 3).unwrap()] {
        let mut reader = csv::Reader::from_reader(text.as_bytes());
        let state = reader.headers().unwrap().iter().position(|name| name == "state").unwrap();
        assert!(reader.records().all(|row| &row.unwrap()[state] == said));
    }
    let document: serde_json::Value = serde_json::from_str(&to_json(&changed).unwrap()).unwrap();
    assert_eq!(document["state"], said);
    let file = SerializedFileReader::new(Bytes::from(to_parquet(&changed).unwrap())).unwrap();
    let metadata = file.metadata().file_metadata().key_value_metadata().unwrap();
    assert!(metadata.iter().any(|pair| pair.key == "state" && pair.value.as_deref() == Some(said)));
    assert!(tmd_report::html::page(&changed, "exp.json").unwrap().contains(said));
}

#[test]
fn hardness_and_the_hardest_of_each_binade() {
    for certificate in certificates() {
        let per_binade = 3;
        let mut expected = Vec::new();
        let mut cases: Vec<_> = certificate.cases.iter().collect();
        cases.sort_by(|a, b| a.log2_dist.total_cmp(&b.log2_dist));
        let mut taken = std::collections::HashMap::<_, usize>::new();
        for case in cases {
            let count = taken.entry((case.x.starts_with('-'), binade(&case.x))).or_default();
            *count += 1;
            if *count <= per_binade {
                expected.push((case.x.clone(), *count));
            }
        }
        let text = to_hardest_csv(&certificate, per_binade).unwrap();
        let mut found: Vec<_> = csv::Reader::from_reader(text.as_bytes())
            .records()
            .map(Result::unwrap)
            .map(|row| {
                assert_eq!((row[1].parse().ok(), &row[0] == "-"), (binade(&row[3]), row[3].starts_with('-')));
                (row[3].to_owned(), row[2].parse::<usize>().unwrap())
            })
            .collect();
        let markdown = to_hardest_markdown(&certificate, per_binade).unwrap();
        let lists = &markdown[markdown.find("## The 3 hardest of each binade").unwrap()..];
        assert_eq!(lists.matches("\n| `").count(), found.len());
        assert!(found.iter().all(|(x, _)| lists.contains(&format!("\n| `{x}` |"))));
        found.sort();
        expected.sort();
        assert_eq!(found, expected);

        let hardness = hardness_to_round(&certificate).unwrap();
        assert_eq!(hardness.len(), if certificate.rounding == "all" { 2 } else { 1 });
        for one in hardness {
            let kind = if one.kind == BreakpointKind::Number { "number" } else { "midpoint" };
            let cases = certificate.cases.iter().filter(|case| case.kind == kind);
            let least = cases.map(|case| case.log2_dist).min_by(f64::total_cmp).unwrap();
            assert_eq!(one.hardest.unwrap().log2_dist, least);
            assert!(
                -f64::from(one.bits) < least && least < 1.0 - f64::from(one.bits),
                "{least} {}",
                one.bits
            );
            assert!(markdown.contains(&format!("| 2^-{} ulp |", one.bits)));
        }
    }
}

#[test]
fn arguments_that_are_no_numbers_are_refused() {
    let mut certificate = solved("exp", Breakpoints::All);
    certificate.cases[3].x = "1.5".into();
    let refusal = "the certificate lists `1.5`, which is not a number such as 0x1.8p+3; tmd verify says what is wrong with it";
    assert_eq!(to_wc(&certificate).unwrap_err().to_string(), refusal);
    assert_eq!(to_parquet(&certificate).unwrap_err().to_string(), refusal);
}
