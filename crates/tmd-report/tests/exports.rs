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
use tmd_driver::{Certificate, Coverage, report::Undecided};
use tmd_functions::parse_number;
use tmd_report::export::{
    hardness_to_round, to_csv, to_hardest_csv, to_hardest_markdown, to_json, to_parquet, to_wc,
};
use tmd_report::list::{List, Listing};

/// What is said of the arguments of a certificate.
fn state(certificate: &Certificate) -> String {
    Coverage::of(certificate).unwrap().sentence()
}

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
const COLUMNS: [&str; 21] = [
    "x",
    "binade",
    "kind",
    "exact",
    "stands_for",
    "sign",
    "log2_dist",
    "identical_bits",
    "breakpoint",
    "lower",
    "upper",
    "nearest_even",
    "zero",
    "up",
    "down",
    "function",
    "format",
    "rounding",
    "extra_bits",
    "state",
    "digest",
];

/// A value of theory's, 1, as all other numbers are written.
fn hexadecimal(value: &str) -> String {
    match value {
        "1" => "0x1p+0".into(),
        "0" => "0x0p+0".into(),
        other => other.into(),
    }
}

/// The results of a case of binary16 in the modes of the columns, from its bracket.
fn results(case: &tmd_driver::report::Case) -> [String; 4] {
    let [lower, upper] = &case.bracket;
    let is_negative = lower.starts_with('-');
    let is_up = if case.kind == "midpoint" { case.sign == '+' } else { case.breakpoint == *upper };
    let nearest = if is_up { upper } else { lower };
    let zero = if is_negative { upper } else { lower };
    [nearest, zero, upper, lower].map(|end| match end.as_str() {
        "0x1p+16" => "inf".into(),
        "-0x1p+16" => "-inf".into(),
        "0x0p+0" if is_negative => "-0x0p+0".into(),
        _ => end.clone(),
    })
}

/// `⌊log2|x|⌋`, by the logarithm of a double: numbers of binary16 are far from powers of two, or
/// are some.
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
        let file = Bytes::from(to_parquet(&certificate, Listing::Expanded).unwrap());
        let reader = SerializedFileReader::new(file.clone()).unwrap();
        let metadata = reader.metadata().file_metadata().key_value_metadata().unwrap();
        let of = |key: &str| {
            metadata.iter().find(|pair| pair.key == key).and_then(|pair| pair.value.clone()).unwrap()
        };
        assert_eq!(of("function"), certificate.function);
        assert_eq!(of("format"), "binary16");
        assert_eq!(of("rounding"), certificate.rounding);
        assert_eq!(of("extra_bits"), "8");
        assert_eq!(of("state"), state(&certificate));
        assert_eq!(of("uncovered").is_empty(), certificate.undecided.is_empty());
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
        assert_eq!(
            origin,
            [&certificate.function, "binary16", rounding, &state(certificate), &certificate.digest]
        );
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
            let results = results(case);
            let written = ["nearest_even", "zero", "up", "down"].map(|name| text(name, i).unwrap());
            assert_eq!(written, results.each_ref().map(String::as_str));
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
        let text = to_csv(&certificate, Listing::Expanded).unwrap();
        let mut reader = csv::Reader::from_reader(text.as_bytes());
        let header: Vec<_> = reader.headers().unwrap().iter().map(str::to_owned).collect();
        assert_eq!(header, COLUMNS);
        let rows: Vec<_> = reader.records().map(Result::unwrap).collect();
        let exact = exact(&certificate);
        assert_eq!(rows.len(), certificate.cases.len() + exact.len() + certificate.undecided.len());
        for (row, case) in rows.iter().zip(&certificate.cases) {
            assert_eq!([&row[0], &row[2], &row[3]], [case.x.as_str(), &case.kind, "false"]);
            assert_eq!((row[1].parse().ok(), &row[4]), (binade(&case.x), "1"));
            assert_eq!(&row[5], case.sign.to_string().as_str());
            assert_eq!((row[6].parse(), row[7].parse()), (Ok(case.log2_dist), Ok(case.identical_bits)));
            assert_eq!([&row[8], &row[9], &row[10]], [&case.breakpoint, &case.bracket[0], &case.bracket[1]]);
            assert_eq!([&row[11], &row[12], &row[13], &row[14]], results(case).each_ref());
        }
        for row in &rows {
            let rounding = certificate.rounding.as_str();
            assert_eq!(
                [&row[15], &row[16], &row[17], &row[18]],
                [&certificate.function, "binary16", rounding, "8"]
            );
            assert_eq!([&row[19], &row[20]], [state(&certificate).as_str(), certificate.digest.as_str()]);
        }
        for (row, (x, kind, value)) in rows[certificate.cases.len()..].iter().zip(&exact) {
            assert_eq!(
                [&row[0], &row[2], &row[3], &row[6], &row[8]],
                [x, kind, "true", "", &hexadecimal(value)]
            );
            // between numbers only where it is the midpoint of two
            assert_eq!(row[13] == row[14], kind == "number");
        }
        assert_eq!(
            text.contains("0x1.8p+1,1,undecided,false,1,,,700,,,,,,,,exp(x),"),
            !certificate.undecided.is_empty()
        );
    }
}

#[test]
fn json_read_back() {
    for certificate in certificates() {
        let document: serde_json::Value =
            serde_json::from_str(&to_json(&certificate, Listing::Expanded).unwrap()).unwrap();
        let rows = document["rows"].as_array().unwrap();
        for (field, value) in [
            ("function", certificate.function.as_str()),
            ("format", "binary16"),
            ("state", &state(&certificate)),
        ] {
            assert_eq!(document[field], value);
        }
        assert_eq!(
            (&document["rounding"], &document["digest"]),
            (&certificate.rounding.clone().into(), &certificate.digest.clone().into())
        );
        let cases = serde_json::json!(certificate.cases.len());
        assert_eq!((&document["extra_bits"], &document["cases"]), (&8.into(), &cases));
        let uncovered = document["uncovered"].as_array().unwrap();
        assert_eq!(uncovered.len(), certificate.undecided.len());
        let exact = exact(&certificate);
        assert_eq!(rows.len(), certificate.cases.len() + exact.len() + certificate.undecided.len());
        for (row, case) in rows.iter().zip(&certificate.cases) {
            let [nearest_even, zero, up, down] = results(case);
            let expected = serde_json::json!({
                "nearest_even": nearest_even, "zero": zero, "up": up, "down": down,
                "x": case.x, "binade": binade(&case.x), "kind": case.kind, "sign": case.sign,
                "log2_dist": case.log2_dist, "identical_bits": case.identical_bits, "breakpoint": case.breakpoint,
                "lower": case.bracket[0], "upper": case.bracket[1], "exact": false, "stands_for": 1,
            });
            assert_eq!(*row, expected);
        }
        for (row, (x, kind, value)) in rows[certificate.cases.len()..].iter().zip(&exact) {
            let [nearest_even, zero, up, down] =
                ["nearest_even", "zero", "up", "down"].map(|name| &row[name]);
            // between numbers only where it is the midpoint of two
            assert_eq!(up == down, kind == "number");
            assert!([down, up].contains(&nearest_even) && [down, up].contains(&zero));
            let expected = serde_json::json!({
                "nearest_even": nearest_even, "zero": zero, "up": up, "down": down,
                "x": x, "binade": binade(x), "kind": kind, "sign": null, "log2_dist": null, "identical_bits": null,
                "breakpoint": hexadecimal(value), "lower": null, "upper": null, "exact": true, "stands_for": 1,
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
        let text = to_wc(&certificate, Listing::Expanded).unwrap();
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
        assert!(text.contains(&format!("; {}\n", state(&certificate))) && text.contains(&certificate.digest));
        assert_eq!(text.contains("NOT COVERED"), !certificate.undecided.is_empty());
        assert_eq!(text.contains("\n# undecided: 0x1.8p+1\n"), !certificate.undecided.is_empty());
    }
}

#[test]
fn what_is_missing_is_said() {
    let interrupted = Interrupt::new();
    interrupted.request();
    let partial = certificate("exp", Breakpoints::All, f64::INFINITY, &interrupted);
    let out_of_reach = certificate("exp", Breakpoints::All, 1e-300, &Interrupt::new());
    for text in [
        to_wc(&partial, Listing::Expanded).unwrap(),
        to_hardest_markdown(&partial, Listing::Short, 3).unwrap(),
    ] {
        assert!(text.contains("PARTIAL: 0 of ") && text.contains("NOT COVERED: "), "{text}");
        assert!(text.contains("not searched to the end"), "{text}");
    }
    for text in [
        to_wc(&out_of_reach, Listing::Expanded).unwrap(),
        to_hardest_markdown(&out_of_reach, Listing::Short, 3).unwrap(),
    ] {
        assert!(text.contains("NOT COVERED: ") && text.contains("a search would take too long, "), "{text}");
        assert!(
            text.contains("; NOT COMPLETE for every number of binary16: ") && !text.contains("; complete"),
            "{text}"
        );
    }
    // what is mirrored from arguments that were not searched is not covered either
    let mirrored =
        to_wc(&certificate("sin", Breakpoints::All, f64::INFINITY, &interrupted), Listing::Expanded).unwrap();
    assert!(mirrored.contains("# NOT COVERED: -0x1."), "{mirrored}");
    let mut many = solved("exp2", Breakpoints::All);
    many.exact_cases.clear();
    assert!(
        to_wc(&many, Listing::Expanded)
            .unwrap()
            .contains("exact cases in what was searched, too many to list")
    );
}

/// Cases that repeat others are in every format: one by one, or as a number of those that a line
/// stands for.
#[test]
fn cases_behind_rules() {
    for function in ["1/x"] {
        let certificate = common::of_bfloat16(function);
        let all = certificate.case_count();
        assert!(all > certificate.cases.len() as u128, "{function}");
        assert!(Listing::of(&certificate) == Listing::Expanded);
        let expanded: Vec<String> =
            tmd_driver::certificate::expand(&certificate).unwrap().map(|one| one.case.x).collect();
        let exact = exact(&certificate).len();
        for (listing, lines) in
            [(Listing::Expanded, expanded.len()), (Listing::Short, certificate.cases.len())]
        {
            let rows = lines + exact;
            let wc = to_wc(&certificate, listing).unwrap();
            assert_eq!(arguments(&wc).len(), rows, "{function}");
            assert!(wc.contains(&format!("\n# {all} cases; ")), "{wc}");
            let note = format!("# {lines} lines stand for {all} cases: {} repeat them", all - lines as u128);
            assert_eq!(wc.contains(&note), listing == Listing::Short, "{function}");
            let csv = to_csv(&certificate, listing).unwrap();
            let of_csv: Vec<(String, u128)> = csv::Reader::from_reader(csv.as_bytes())
                .records()
                .map(|row| row.map(|row| (row[0].to_owned(), row[4].parse().unwrap())).unwrap())
                .collect();
            assert_eq!(of_csv.iter().take(lines).map(|(_, n)| n).sum::<u128>(), all, "{function}");
            if listing == Listing::Expanded {
                assert!(of_csv.iter().take(lines).map(|(x, _)| x).eq(&expanded), "{function}");
            }
            let json: serde_json::Value =
                serde_json::from_str(&to_json(&certificate, listing).unwrap()).unwrap();
            let of_json = json["rows"].as_array().unwrap().iter();
            assert!(
                of_json
                    .map(|row| (
                        row["x"].as_str().unwrap().to_owned(),
                        row["stands_for"].as_u64().unwrap().into()
                    ))
                    .eq(of_csv.clone())
            );
            let parquet = Bytes::from(to_parquet(&certificate, listing).unwrap());
            let batches = ParquetRecordBatchReaderBuilder::try_new(parquet)
                .unwrap()
                .with_batch_size(1 << 20)
                .build()
                .unwrap();
            let batch = batches.map(Result::unwrap).next().unwrap();
            let counts: &arrow_array::UInt64Array =
                batch.column_by_name("stands_for").unwrap().as_primitive();
            assert!(counts.iter().map(|n| u128::from(n.unwrap())).eq(of_csv.iter().map(|(_, n)| *n)));
            // and the tables of the hardest, all of whose lines are asked for
            let list = List::new(&certificate, listing).unwrap();
            assert_eq!((list.cases().len(), list.total()), (lines, all));
            let hardest = to_hardest_csv(&certificate, listing, usize::MAX).unwrap();
            let mut reader = csv::Reader::from_reader(hardest.as_bytes());
            let total: u128 = reader.records().map(|row| row.unwrap()[5].parse::<u128>().unwrap()).sum();
            assert_eq!(total, all, "{function}");
            let markdown = to_hardest_markdown(&certificate, listing, 3).unwrap();
            assert_eq!(
                markdown.contains(" repeat them by the certificate's rules"),
                listing == Listing::Short
            );
            assert_eq!(markdown.contains("| stands for |"), listing == Listing::Short);
        }
    }
}

/// A partial certificate of a function that repeats itself: nothing follows from what was not
/// searched.
#[test]
fn nothing_follows_from_nothing() {
    let interrupted = Interrupt::new();
    interrupted.request();
    for function in ["exp2", "cbrt", "log2"] {
        let certificate = certificate(function, Breakpoints::All, f64::INFINITY, &interrupted);
        let coverage = Coverage::of(&certificate).unwrap();
        let followed = certificate.totals().followed;
        assert!(followed > 0 && coverage.asked() - coverage.covered() > followed, "{function}");
        let json: serde_json::Value =
            serde_json::from_str(&to_json(&certificate, Listing::Expanded).unwrap()).unwrap();
        assert!(json["state"].as_str().unwrap().starts_with("PARTIAL: 0 of "), "{function}");
        assert!(json["state"].as_str().unwrap().contains("NOT COMPLETE for every number of binary16"));
        assert!(!json["uncovered"].as_array().unwrap().is_empty());
    }
}

/// What was asked is said: nobody takes the binades from -8 to 1 for all numbers.
#[test]
fn the_rest_is_mentioned() {
    let mut certificate = common::binades("exp", -8..1);
    let state = "complete for 2^-8 <= |x| < 2; nothing is said of other arguments";
    let (wc, page) = (
        to_wc(&certificate, Listing::Expanded).unwrap(),
        tmd_report::html::page(&certificate, "exp.json").unwrap(),
    );
    assert!(wc.contains(&format!(" cases; {state}\n")), "{wc}");
    assert!(
        page.contains("complete for 2<sup>−8</sup> &lt;= |x| &lt; 2; nothing is said of other arguments"),
        "{page}"
    );
    certificate.undecided.push(Undecided { x: "0x1.8p+0".into(), bits: 700 });
    certificate.digest = certificate.computed_digest();
    let wc = to_wc(&certificate, Listing::Expanded).unwrap();
    assert!(wc.contains("NOT COMPLETE for 2^-8 <= |x| < 2: 1 of ") && wc.contains("(1 undecided)"), "{wc}");
}

/// A certificate without one of its cases says so in every format, and to whoever reads a single
/// line of it.
#[test]
fn what_was_changed_is_said() {
    let mut changed = solved("exp", Breakpoints::All);
    changed.cases.remove(7);
    let said =
        "CHANGED after it was written, nothing here can be relied on; complete for every number of binary16";
    for text in [
        to_wc(&changed, Listing::Expanded).unwrap(),
        to_hardest_markdown(&changed, Listing::Short, 3).unwrap(),
    ] {
        assert!(text.contains(said), "{text}");
    }
    for text in
        [to_csv(&changed, Listing::Expanded).unwrap(), to_hardest_csv(&changed, Listing::Short, 3).unwrap()]
    {
        let mut reader = csv::Reader::from_reader(text.as_bytes());
        let state = reader.headers().unwrap().iter().position(|name| name == "state").unwrap();
        assert!(reader.records().all(|row| &row.unwrap()[state] == said));
    }
    let document: serde_json::Value =
        serde_json::from_str(&to_json(&changed, Listing::Expanded).unwrap()).unwrap();
    assert_eq!(document["state"], said);
    let file =
        SerializedFileReader::new(Bytes::from(to_parquet(&changed, Listing::Expanded).unwrap())).unwrap();
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
        let text = to_hardest_csv(&certificate, Listing::Short, per_binade).unwrap();
        let mut found: Vec<_> = csv::Reader::from_reader(text.as_bytes())
            .records()
            .map(Result::unwrap)
            .map(|row| {
                assert_eq!((row[1].parse().ok(), &row[0] == "-"), (binade(&row[3]), row[3].starts_with('-')));
                (row[3].to_owned(), row[2].parse::<usize>().unwrap())
            })
            .collect();
        let markdown = to_hardest_markdown(&certificate, Listing::Short, per_binade).unwrap();
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
    assert_eq!(to_wc(&certificate, Listing::Expanded).unwrap_err().to_string(), refusal);
    assert_eq!(to_parquet(&certificate, Listing::Expanded).unwrap_err().to_string(), refusal);
}
