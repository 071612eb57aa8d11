//! docs/certificate.schema.json describes certificates of every kind, and nothing else.

mod testing;

use std::{fs, ops::Range, path::Path};

use boon::{Compiler, SchemaIndex, Schemas};
use serde_json::{Value, json};
use testing::{problem, solved_with, walk};
use tmd_core::{Breakpoints, Format, Interrupt};
use tmd_driver::{
    Certificate, InverseUse, Solve, Uses,
    certificate::{LONG_SCHEMAS, SCHEMA, SHORT_SCHEMA},
};
use tmd_functions::parse;
use tmd_testkit::results::{certificates, some};

/// Bytes of certificates of `results/` that one run of the tests looks at.
const SHARE: usize = 20 << 20;

fn folder(name: &str) -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(name)
}

fn schema() -> Value {
    serde_json::from_str(&fs::read_to_string(folder("docs/certificate.schema.json")).unwrap()).unwrap()
}

/// The schema, compiled.
struct Validator {
    schemas: Schemas,
    index: SchemaIndex,
}

impl Validator {
    fn new() -> Self {
        let (mut schemas, mut compiler) = (Schemas::new(), Compiler::new());
        compiler.add_resource("schema.json", schema()).unwrap();
        let index = compiler.compile("schema.json", &mut schemas).unwrap();
        Self { schemas, index }
    }

    /// What is wrong with a document, if anything.
    fn complaint(&self, document: &Value) -> Option<String> {
        self.schemas.validate(document, self.index).err().map(|error| format!("{error:#}"))
    }
}

fn document(certificate: &Certificate) -> Value {
    serde_json::from_str(&certificate.to_json()).unwrap()
}

/// Of some binades of bfloat16, or of all.
fn bfloat16(function: &str, extra_bits: u32, binades: Option<Range<i32>>, uses: impl Into<Uses>) -> Value {
    let problem = problem(Format::BFLOAT16, Breakpoints::All, extra_bits);
    document(&solved_with(&parse(function).unwrap(), problem, binades, uses))
}

const FAMILIES: Uses = Uses { inverse: InverseUse::Never, families: InverseUse::WherePossible };

/// All kinds of regions, rules and units that small formats have.
fn of_every_kind() -> Vec<Value> {
    let functions = ["exp", "sin", "tanh", "log", "log2", "exp2", "sinpi", "rsqrt", "cbrt", "1/x"];
    let mut documents = functions.map(|function| bfloat16(function, 5, None, Uses::default())).to_vec();
    let (exp, log, walk) = (parse("exp").unwrap(), parse("log").unwrap(), walk());
    let problem = |format, extra_bits| problem(format, Breakpoints::All, extra_bits);
    let solve = testing::solve(&exp, problem(Format::BFLOAT16, 5), None, &walk);
    let limited = Solve { limit: 1e-13, ..solve };
    let limited = limited.run(&limited.plan().unwrap(), &(), &Interrupt::new()).unwrap();
    let inverse = problem(Format::BINARY32, 17);
    let inverse = solved_with(&log, inverse, Some(22..24), InverseUse::WherePossible);
    documents.extend([document(&limited), document(&inverse), of_family()]);
    // several binades together
    let together = bfloat16("log", 5, Some(20..30), FAMILIES);
    assert_eq!(together["regions"].as_array().unwrap().last().unwrap()["with"], json!(1));
    documents.push(together);
    documents
}

/// A binade that is searched all at once.
fn of_family() -> Value {
    bfloat16("cos", 5, Some(60..61), FAMILIES)
}

#[test]
fn certificates_of_every_kind_fit() {
    let (validator, schema) = (Validator::new(), schema());
    assert_eq!(
        schema["properties"]["schema"]["enum"],
        json!([LONG_SCHEMAS[0], LONG_SCHEMAS[1], SHORT_SCHEMA, SCHEMA]),
        "a version of its own for each of the document"
    );
    let mut text = String::new();
    for document in of_every_kind() {
        assert_eq!(validator.complaint(&document), None, "{}", document["function"]);
        text.push_str(&document.to_string());
    }
    let classes = "searched mirrored translated between beside exact undefined out-of-reach";
    for kind in classes.split(' ').chain(["inverse", "family", "factor"]) {
        assert!(text.contains(&format!(r#""is":"{kind}""#)), "none of the kind {kind}");
    }
    // steps that make rules only in formats too large for a test
    let mut document = bfloat16("sqrt", 4, None, Uses::default());
    for step in [
        json!({ "is": "addend", "result": 0, "alternates": true }),
        json!({ "is": "addend", "result": 1, "alternates": false }),
        json!({ "is": "offset", "argument": 1, "result": 1 }),
    ] {
        document["rules"][0]["step"] = step;
        assert_eq!(validator.complaint(&document), None);
    }
    for file in some(certificates(&folder("results")), SHARE) {
        let document = serde_json::from_str(&file.text).unwrap();
        assert_eq!(validator.complaint(&document), None, "{}", file.stem);
    }
}

/// A change of a document that fits.
type Change = fn(&mut Value);

#[test]
fn what_is_no_certificate_does_not_fit() {
    let validator = Validator::new();
    let honest = bfloat16("sqrt", 4, None, Uses::default());
    let mut certificate = Certificate::from_json(&honest.to_string()).unwrap();
    let [short, long] = [SHORT_SCHEMA, LONG_SCHEMAS[0]].map(|schema| {
        certificate.schema = schema.into();
        document(&certificate)
    });
    for document in [&honest, &short, &long] {
        assert_eq!(validator.complaint(document), None, "{}", document["schema"]);
    }
    let changes: [(&str, Change); 15] = [
        ("another version", |value| value["schema"] = json!("tmd-certificate-6")),
        ("a version with whole cases, and only arguments", |value| value["schema"] = json!(SHORT_SCHEMA)),
        ("a whole case where there are arguments", |value| {
            value["cases"][0] = json!({
                "x": value["cases"][0], "kind": "number", "sign": "+", "log2_dist": -7.5, "identical_bits": 6
            });
        }),
        ("a field less", |value| drop(value.as_object_mut().unwrap().remove("exact_rule"))),
        ("a field more", |value| value["note"] = json!("certified")),
        ("a field more of a class", |value| value["regions"][0]["class"]["note"] = json!("certified")),
        ("a program in words", |value| value["program"] = json!("tmd, certified")),
        ("a rounding in words", |value| value["rounding"] = json!("every mode")),
        ("a rule in words", |value| value["rules"][0] = json!("the case at 0x1p+0 repeats")),
        ("a step of another kind", |value| value["rules"][0]["step"]["is"] = json!("somehow")),
        ("a parity in words", |value| value["rules"][0]["mirrored"] = json!("yes")),
        ("a number in another spelling", |value| value["cases"][0] = json!("0x1.80p+0")),
        ("a negative bound", |value| value["units"][0]["budget"]["linear"] = json!(-1e-9)),
        ("phases in another order", |value| {
            value["units"][0]["phases"].as_array_mut().unwrap().swap(0, 1);
        }),
        ("a unit by unknown means", |value| value["units"][0]["via"] = json!({ "is": "intuition" })),
    ];
    let changes_of_short: [(&str, Change); 6] = [
        ("a version with breakpoints, and none of them", |value| value["schema"] = json!(LONG_SCHEMAS[0])),
        ("a breakpoint in a version without", |value| value["cases"][0]["breakpoint"] = json!("0x1p+0")),
        ("a field more of a case", |value| value["cases"][0]["note"] = json!("certified")),
        ("a number in another spelling", |value| value["cases"][0]["x"] = json!("0x1.80p+0")),
        ("a sign that is none", |value| value["cases"][0]["sign"] = json!("0")),
        ("a distance of more than an ulp", |value| value["cases"][0]["log2_dist"] = json!(3.5)),
    ];
    let changes_of_long: [(&str, Change); 2] = [
        ("a version without breakpoints, and with them", |value| value["schema"] = json!(SHORT_SCHEMA)),
        ("no bracket in a version with", |value| {
            value["cases"][0].as_object_mut().unwrap().remove("bracket");
        }),
    ];
    let family = of_family();
    let changes_of_family: [(&str, Change); 5] = [
        ("the version of those without families", |value| value["schema"] = json!(LONG_SCHEMAS[0])),
        ("a field more of a family", |value| value["units"][0]["via"]["note"] = json!("certified")),
        ("a walk in words", |value| value["units"][0]["via"]["engine"] = json!("lattice3, all of it")),
        ("windows without width", |value| value["units"][0]["via"]["volume"] = json!(0.0)),
        ("segments without windows", |value| value["units"][0]["via"]["windows"] = json!(0)),
    ];
    let all = changes.into_iter().map(|change| (&honest, change));
    let all = all.chain(changes_of_short.into_iter().map(|change| (&short, change)));
    let all = all.chain(changes_of_long.into_iter().map(|change| (&long, change)));
    for (document, (what, change)) in all.chain(changes_of_family.into_iter().map(|change| (&family, change)))
    {
        let mut document = document.clone();
        change(&mut document);
        assert!(validator.complaint(&document).is_some(), "{what}");
    }
}
