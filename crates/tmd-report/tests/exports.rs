//! What is exported is what the certificate holds, read back by other programs' libraries.

mod common;

use bytes::Bytes;
use common::{interrupted, out_of_reach, solved};
use parquet::{
    basic::{LogicalType, Type},
    file::reader::{FileReader, SerializedFileReader},
    record::{Field, Row},
};
use serde_json::{Value, json};
use tmd_core::{BreakpointKind, Breakpoints, Format};
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
const COLUMNS: &str = "x binade kind exact stands_for sign log2_dist identical_bits breakpoint lower upper
    nearest_even zero up down function format rounding extra_bits state digest";

/// Of a certificate all cases, in the formats that have no tables.
fn wc(certificate: &Certificate) -> String {
    to_wc(certificate, Listing::Expanded).unwrap()
}

fn json(certificate: &Certificate, listing: Listing) -> Value {
    serde_json::from_str(&to_json(certificate, listing).unwrap()).unwrap()
}

/// ... and the three hardest of each binade, as Markdown.
fn markdown(certificate: &Certificate) -> String {
    to_hardest_markdown(certificate, Listing::Short, 3).unwrap()
}

/// The rows of a CSV file, below its head.
fn rows(csv: &str) -> Vec<csv::StringRecord> {
    csv::Reader::from_reader(csv.as_bytes()).records().map(Result::unwrap).collect()
}

/// A Parquet file, to be read.
fn parquet(certificate: &Certificate, listing: Listing) -> SerializedFileReader<Bytes> {
    SerializedFileReader::new(to_parquet(certificate, listing).unwrap().into()).unwrap()
}

/// All rows of a Parquet file, by the columns' names.
fn rows_of(file: &SerializedFileReader<Bytes>) -> Vec<Value> {
    let value = |field: &Field| match field {
        Field::Null => Value::Null,
        Field::Bool(flag) => (*flag).into(),
        Field::Int(integer) => (*integer).into(),
        Field::UInt(integer) => (*integer).into(),
        Field::ULong(integer) => (*integer).into(),
        Field::Double(double) => (*double).into(),
        Field::Str(text) => text.as_str().into(),
        other => panic!("{other:?}"),
    };
    let row = |row: Row| row.get_column_iter().map(|(name, field)| (name.clone(), value(field))).collect();
    file.get_row_iter(None).unwrap().map(|one| row(one.unwrap())).collect()
}

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

/// Rows in any format, as JSON, with all columns: they are what the certificate holds.
fn assert_rows(rows: &[Value], certificate: &Certificate) {
    let exact = exact(certificate);
    assert_eq!(rows.len(), certificate.cases.len() + exact.len() + certificate.undecided.len());
    let assert_row = |row: &Value, mut expected: Value| {
        let origin = json!({
            "function": certificate.function, "format": "binary16", "rounding": certificate.rounding,
            "extra_bits": 8, "state": state(certificate), "digest": certificate.digest, "stands_for": 1,
        });
        expected.as_object_mut().unwrap().extend(origin.as_object().unwrap().clone());
        assert_eq!(*row, expected);
    };
    let (of_cases, others) = rows.split_at(certificate.cases.len());
    let (of_exact, undecided) = others.split_at(exact.len());
    for (row, case) in of_cases.iter().zip(&certificate.cases) {
        let [nearest_even, zero, up, down] = results(case);
        let expected = json!({
            "nearest_even": nearest_even, "zero": zero, "up": up, "down": down,
            "x": case.x, "binade": binade(&case.x), "kind": case.kind, "sign": case.sign,
            "log2_dist": case.log2_dist, "identical_bits": case.identical_bits, "breakpoint": case.breakpoint,
            "lower": case.bracket[0], "upper": case.bracket[1], "exact": false,
        });
        assert_row(row, expected);
    }
    for (row, (x, kind, value)) in of_exact.iter().zip(&exact) {
        let [nearest_even, zero, up, down] = ["nearest_even", "zero", "up", "down"].map(|name| &row[name]);
        // between numbers only where it is the midpoint of two
        assert_eq!(up == down, kind == "number");
        assert!([down, up].contains(&nearest_even) && [down, up].contains(&zero));
        let expected = json!({
            "nearest_even": nearest_even, "zero": zero, "up": up, "down": down,
            "x": x, "binade": binade(x), "kind": kind, "sign": null, "log2_dist": null, "identical_bits": null,
            "breakpoint": hexadecimal(value), "lower": null, "upper": null, "exact": true,
        });
        assert_row(row, expected);
    }
    for row in undecided {
        let expected = json!({
            "nearest_even": null, "zero": null, "up": null, "down": null,
            "x": "0x1.8p+1", "binade": 1, "kind": "undecided", "sign": null, "log2_dist": null,
            "identical_bits": 700, "breakpoint": null, "lower": null, "upper": null, "exact": false,
        });
        assert_row(row, expected);
    }
}

#[test]
fn parquet_read_back() {
    for certificate in certificates() {
        let reader = parquet(&certificate, Listing::Expanded);
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

        let unsigned = |bit_width| Some(LogicalType::integer(bit_width, false));
        for (name, stored, logical) in [
            ("binade", Type::INT32, None),
            ("identical_bits", Type::INT32, unsigned(32)),
            ("stands_for", Type::INT64, unsigned(64)),
            ("log2_dist", Type::DOUBLE, None),
            ("x_value", Type::DOUBLE, None),
            ("exact", Type::BOOLEAN, None),
            ("x", Type::BYTE_ARRAY, Some(LogicalType::String)),
        ] {
            let column = group.columns().iter().find(|column| column.column_path().string() == name).unwrap();
            let column = column.column_descr();
            assert_eq!(
                (column.physical_type(), column.logical_type_ref()),
                (stored, logical.as_ref()),
                "{name}"
            );
        }
        let mut rows = rows_of(&reader);
        for row in &mut rows {
            let x_value = row.as_object_mut().unwrap().remove("x_value").unwrap();
            assert_eq!(x_value, parse_number(row["x"].as_str().unwrap()).unwrap().to_f64());
        }
        assert_rows(&rows, &certificate);
    }
}

#[test]
fn csv_read_back() {
    for certificate in certificates() {
        let text = to_csv(&certificate, Listing::Expanded).unwrap();
        assert!(COLUMNS.split_whitespace().eq(text.lines().next().unwrap().split(',')));
        let value = |name: &str, field: &str| match name {
            _ if field.is_empty() => Value::Null,
            "log2_dist" => field.parse::<f64>().unwrap().into(),
            "binade" | "exact" | "stands_for" | "identical_bits" | "extra_bits" => field.parse().unwrap(),
            _ => field.into(),
        };
        let row = |row: &csv::StringRecord| {
            let fields = COLUMNS.split_whitespace().zip(row);
            fields.map(|(name, field)| (name.to_owned(), value(name, field))).collect()
        };
        assert_rows(&rows(&text).iter().map(row).collect::<Vec<Value>>(), &certificate);
    }
}

#[test]
fn json_read_back() {
    for certificate in certificates() {
        let mut document = json(&certificate, Listing::Expanded);
        assert_eq!(document["cases"], certificate.cases.len());
        assert_eq!(document["uncovered"].as_array().unwrap().len(), certificate.undecided.len());
        let Value::Array(mut rows) = document["rows"].take() else { panic!("{document}") };
        for row in &mut rows {
            // said once, of all rows
            for name in ["function", "format", "rounding", "extra_bits", "state", "digest"] {
                assert_eq!(row[name], Value::Null);
                row[name] = document[name].clone();
            }
        }
        assert_rows(&rows, &certificate);
    }
}

/// As CORE-MATH's scripts read them: what is before `#`, if anything.
fn arguments(wc: &str) -> Vec<&str> {
    wc.lines().map(|line| line.split('#').next().unwrap_or("").trim()).filter(|x| !x.is_empty()).collect()
}

#[test]
fn wc_read_back() {
    for certificate in certificates() {
        let text = wc(&certificate);
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
    let (partial, out_of_reach) = (interrupted("exp"), out_of_reach("exp"));
    for text in [wc(&partial), markdown(&partial)] {
        assert!(text.contains("PARTIAL: 0 of ") && text.contains("NOT COVERED: "), "{text}");
        assert!(text.contains("not searched to the end"), "{text}");
    }
    for text in [wc(&out_of_reach), markdown(&out_of_reach)] {
        assert!(text.contains("NOT COVERED: ") && text.contains("a search would take too long, "), "{text}");
        let is_complete = text.contains("; complete");
        assert!(text.contains("; NOT COMPLETE for every number of binary16: ") && !is_complete, "{text}");
    }
    // what is mirrored from arguments that were not searched is not covered either
    let mirrored = wc(&interrupted("sin"));
    assert!(mirrored.contains("# NOT COVERED: -0x1."), "{mirrored}");
    let mut many = solved("exp2", Breakpoints::All);
    many.exact_cases.clear();
    assert!(wc(&many).contains("exact cases in what was searched, too many to list"));
}

/// Cases that repeat others are in every format: one by one, or as a number of those that a line
/// stands for.
#[test]
fn cases_behind_rules() {
    let certificate = common::of_bfloat16("1/x");
    let all = certificate.case_count();
    assert!(all > certificate.cases.len() as u128);
    assert!(Listing::of(&certificate) == Listing::Expanded);
    let expanded: Vec<String> =
        tmd_driver::certificate::expand(&certificate).unwrap().map(|one| one.case.x).collect();
    let exact = exact(&certificate).len();
    for (listing, lines) in [(Listing::Expanded, expanded.len()), (Listing::Short, certificate.cases.len())] {
        let wc = to_wc(&certificate, listing).unwrap();
        assert_eq!(arguments(&wc).len(), lines + exact);
        assert!(wc.contains(&format!("\n# {all} cases; ")), "{wc}");
        let note = format!("# {lines} lines stand for {all} cases: {} repeat them", all - lines as u128);
        assert_eq!(wc.contains(&note), listing == Listing::Short);
        let of_csv = rows(&to_csv(&certificate, listing).unwrap());
        let of_csv: Vec<(&str, u64)> = of_csv.iter().map(|row| (&row[0], row[4].parse().unwrap())).collect();
        assert_eq!(of_csv.iter().take(lines).map(|(_, n)| u128::from(*n)).sum::<u128>(), all);
        if listing == Listing::Expanded {
            assert!(of_csv.iter().take(lines).map(|(x, _)| x).eq(&expanded));
        }
        let json = json(&certificate, listing);
        let of_json = json["rows"].as_array().unwrap().iter();
        let of_json = of_json.map(|row| (row["x"].as_str().unwrap(), row["stands_for"].as_u64().unwrap()));
        assert!(of_json.eq(of_csv.iter().copied()));
        let of_parquet = rows_of(&parquet(&certificate, listing));
        let counts = of_parquet.iter().map(|row| row["stands_for"].as_u64().unwrap());
        assert!(counts.eq(of_csv.iter().map(|(_, n)| *n)));
        // and the tables of the hardest, all of whose lines are asked for
        let list = List::new(&certificate, listing).unwrap();
        assert_eq!((list.cases().len(), list.total()), (lines, all));
        let hardest = rows(&to_hardest_csv(&certificate, listing, usize::MAX).unwrap());
        assert_eq!(hardest.iter().map(|row| row[5].parse::<u128>().unwrap()).sum::<u128>(), all);
        let markdown = to_hardest_markdown(&certificate, listing, 3).unwrap();
        for words in [" repeat them by the certificate's rules", "| stands for |"] {
            assert_eq!(markdown.contains(words), listing == Listing::Short, "{words}");
        }
    }
}

/// A partial certificate of a function that repeats itself: nothing follows from what was not
/// searched.
#[test]
fn nothing_follows_from_nothing() {
    for function in ["exp2", "cbrt", "log2"] {
        let certificate = interrupted(function);
        let coverage = Coverage::of(&certificate).unwrap();
        let followed = certificate.totals().followed;
        assert!(followed > 0 && coverage.asked() - coverage.covered() > followed, "{function}");
        let json = json(&certificate, Listing::Expanded);
        let state = json["state"].as_str().unwrap();
        assert!(state.starts_with("PARTIAL: 0 of "), "{function}");
        assert!(state.contains("NOT COMPLETE for every number of binary16"));
        assert!(!json["uncovered"].as_array().unwrap().is_empty());
    }
}

/// What was asked is said: nobody takes the binades from -8 to 1 for all numbers.
#[test]
fn the_rest_is_mentioned() {
    let mut certificate = common::binades("exp", Format::BINARY16, 8, -8..1);
    let said = wc(&certificate);
    let state = "complete for 2^-8 <= |x| < 2; nothing is said of other arguments";
    assert!(said.contains(&format!(" cases; {state}\n")), "{said}");
    let page = tmd_report::html::page(&certificate, "exp.json").unwrap();
    let state = "complete for 2<sup>−8</sup> &lt;= |x| &lt; 2; nothing is said of other arguments";
    assert!(page.contains(state), "{page}");
    certificate.undecided.push(Undecided { x: "0x1.8p+0".into(), bits: 700 });
    certificate.digest = certificate.computed_digest();
    let said = wc(&certificate);
    assert!(
        said.contains("NOT COMPLETE for 2^-8 <= |x| < 2: 1 of ") && said.contains("(1 undecided)"),
        "{said}"
    );
}

/// A certificate without one of its cases says so in every format, and to whoever reads a single
/// line of it.
#[test]
fn what_was_changed_is_said() {
    let mut changed = solved("exp", Breakpoints::All);
    changed.cases.remove(7);
    let said =
        "CHANGED after it was written, nothing here can be relied on; complete for every number of binary16";
    for text in [wc(&changed), markdown(&changed), tmd_report::html::page(&changed, "exp.json").unwrap()] {
        assert!(text.contains(said), "{text}");
    }
    let csv = to_csv(&changed, Listing::Expanded).unwrap();
    for text in [csv, to_hardest_csv(&changed, Listing::Short, 3).unwrap()] {
        let state = text.lines().next().unwrap().split(',').position(|name| name == "state").unwrap();
        assert!(rows(&text).iter().all(|row| &row[state] == said));
    }
    assert_eq!(json(&changed, Listing::Expanded)["state"], said);
    let file = parquet(&changed, Listing::Expanded);
    let metadata = file.metadata().file_metadata().key_value_metadata().unwrap();
    assert!(metadata.iter().any(|pair| pair.key == "state" && pair.value.as_deref() == Some(said)));
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
        let row = |row: &csv::StringRecord| {
            assert_eq!((row[1].parse().ok(), &row[0] == "-"), (binade(&row[3]), row[3].starts_with('-')));
            (row[3].to_owned(), row[2].parse::<usize>().unwrap())
        };
        let mut found: Vec<_> = rows(&text).iter().map(row).collect();
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
            let bits = f64::from(one.bits);
            assert!(-bits < least && least < 1.0 - bits, "{least} {bits}");
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
