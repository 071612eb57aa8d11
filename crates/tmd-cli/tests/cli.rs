//! The program as a user meets it: documents, files, exit codes, sentences.

mod program;

use std::{
    fs,
    io::{BufRead as _, BufReader, Read as _},
    path::Path,
};

use program::{Answer, has, signal, spawn, tmd};
use serde_json::{Value, json as object};
use tmd_testkit::by_turns;

const I0: &str = "search exp --from 1 --to 1+2^-13 --arg-precision 54 --rounding directed --extra-bits 33";

fn json(line: &str) -> Value {
    tmd(line, &["--output", "json"]).done().json()
}

#[test]
fn the_main_job_prints_the_243_cases() {
    let answer = tmd(I0, &[])
        .done()
        .prints("exp(x): 243 cases with distance < 2^-33 ulp (directed), 256 expected; 0 exact");
    let arguments: Vec<_> = answer.text().lines().filter_map(|line| line.strip_prefix("0x1.000")).collect();
    assert_eq!(arguments.len(), 243);
    assert!(arguments.is_sorted(), "cases are listed by argument");
}

/// Whoever reads the table for the first time finds its words explained below it, and in the help.
#[test]
fn words_are_explained_where_they_are_printed() {
    for line in ["search --help", I0, "solve exp --format binary16"] {
        tmd(line, &[])
            .done()
            .prints("near: the kind of breakpoint")
            .prints("identical bits: bits of f(x) after the rounding bit");
    }
    tmd("solve exp --format binary16", &[]).prints("rounding all (directed and to nearest)");
    tmd("plan log2 --format binary16 --table", &[]).prints("follows from what is known at other arguments: ");
}

#[test]
fn one_json_document() {
    let document = json(I0);
    let asked = object!({ "function": "exp(x)", "rounding": "directed", "extra_bits": 33 });
    has(&document, &asked);
    has(&document, &object!({ "arguments": 1u64 << 40, "partial": false, "exact_cases": [] }));
    has(&document["domain"], &object!({ "from": "1", "to": "8193/8192" }));
    has(&document["precisions"], &object!({ "arguments": 54, "results": 53 }));
    assert!(document["engine"].as_str().unwrap().starts_with("farey "));
    let cases = document["cases"].as_array().unwrap();
    assert_eq!(cases.len(), 243);
    for case in cases {
        assert_eq!(case["kind"], "number");
        assert!(case["sign"] == "+" || case["sign"] == "-");
        assert!(case["log2_dist"].as_f64().unwrap() < -33.0);
        assert!(case["identical_bits"].as_u64().unwrap() >= 32);
        assert!(case["lower"].is_string() && case["upper"].is_string());
    }
    let phases = document["phases"].as_array().unwrap();
    let names: Vec<_> = phases.iter().map(|phase| phase["name"].clone()).collect();
    assert_eq!(names, ["taylor", "generate", "test", "refine", "exhaust", "confirm"]);
    for phase in phases {
        assert!(phase["domains_in"].as_u64() >= phase["domains_out"].as_u64() || phase["name"] == "exhaust");
        assert!(phase["seconds"].is_number());
    }
    assert!(document["error_budget"].as_array().unwrap().iter().all(|line| line["ulps"].is_number()));
    assert!(document["elapsed_s"].as_f64().unwrap() > 0.0);
}

#[test]
fn engines_thresholds_and_threads_print_the_same_list() {
    let list = |more: &str| {
        let job = "search log --from 1 --to 1+2^-23 --extra-bits 18 --output wc --engine";
        tmd(&format!("{job} {more}"), &[]).done().out
    };
    let reference = list("exhaustive --threads 1");
    assert!(reference.split(|byte| *byte == b'\n').count() > 101);
    for more in by_turns([
        "auto",
        "farey --simd portable",
        "farey --domain-size 5000 --threads 2",
        "farey-scalar",
        "arcs",
        "arcs --simd portable --domain-size 3000 --threads 2",
        "regular-simd",
        "regular-whole-simd",
        "regular-simd --simd portable --domain-size 17",
        "lefevre-simd --threads 2",
        "lefevre-swap-simd --domain-size 1000",
        "exhaustive-simd",
        "regular-simd --logms 3",
        "lefevre-simd --domain-size 1024 --logms 64",
        "lefevre-swap-simd --simd portable --logms 1",
        "regular --threads 2",
        "regular --domain-size 777 --logms 64",
        "lefevre --threads 3 --logms 3",
        "lefevre --domain-size 4096",
    ]) {
        assert!(list(more) == reference, "{more:?}");
    }
}

#[test]
fn other_forms_of_the_list() {
    let job = "search sqrt --format binary32 --from 1 --to 1.0625 --extra-bits 14";
    let document = json(job);
    let (cases, exact) = (document["cases"].as_array().unwrap(), document["exact_cases"].as_array().unwrap());
    assert!(cases.len() > 10 && exact.len() > 10);

    let csv = tmd(job, &["--output", "csv"]);
    let csv: Vec<&str> = csv.text().lines().collect();
    assert_eq!(csv[0], "x,kind,exact,sign,log2_dist,identical_bits,breakpoint,lower,upper");
    assert_eq!(csv.len(), 1 + cases.len() + exact.len());

    let wc = tmd(job, &["--output", "wc"]).prints("# exact");
    let arguments: Vec<_> = wc.text().lines().filter(|line| !line.starts_with('#')).collect();
    assert_eq!(arguments.len(), cases.len() + exact.len());
    assert!(arguments.iter().all(|line| line.starts_with("0x1")));

    let hardest = json(&format!("{job} --hardest 3"));
    let distances = |cases: &Value| -> Vec<f64> {
        cases.as_array().unwrap().iter().map(|case| case["log2_dist"].as_f64().unwrap()).collect()
    };
    let mut all = distances(&document["cases"]);
    all.sort_by(f64::total_cmp);
    assert_eq!(distances(&hardest["cases"]), all[..3]);
    assert_eq!(hardest["cases_found"], cases.len());

    // without --extra-bits they are chosen, and lowered until there are enough cases
    let job = "search exp --format binary16 --from 1 --to 1.25 --hardest 40";
    assert_eq!(json(job)["cases"].as_array().unwrap().len(), 40);
}

#[test]
fn files_appear_complete_or_not_at_all() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("cases.csv");
    let job = |path: &Path| {
        let out = path.to_str().unwrap();
        tmd("search exp --format binary32 --from 1 --to 2 --output csv --out", &[out])
    };
    // the summary goes to the standard error
    job(&path).done().prints_nothing().says("cases with distance");
    let written = fs::read_to_string(&path).unwrap();
    assert!(written.starts_with("x,kind,"));
    job(&path).refused("it exists");
    assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 1, "nothing is left behind");

    for bad in [directory.path().join("missing/cases.csv"), directory.path().to_path_buf()] {
        job(&bad).refused("cannot write");
    }
    tmd("search tan --from 1 --to 2 --overwrite --out", &[path.to_str().unwrap()]).refused("pole");
    assert_eq!(fs::read_to_string(&path).unwrap(), written, "a failed search leaves the old file");
}

#[test]
fn wrong_questions_get_one_sentence() {
    tmd("search --from 1 --to 2", &[""]).refused("function");
    for (question, words) in [
        ("sine --from 1 --to 2", "did you mean `sin`"),
        ("nosuch --from 1 --to 2", "the functions are exp, "),
        ("exp(x --from 1 --to 2", "exp(x"),
        ("exp --from one --to 2", "--from `one`"),
        ("exp --from 1 --to pi", "--to `pi`"),
        ("exp --from 1 --to 1e999999999", "--to"),
        ("exp --from 2 --to 1", "empty or reversed"),
        ("exp --from 1 --to 1", "empty or reversed"),
        ("exp --from 1 --to 2^1025", "largest finite number"),
        ("log --from -1 --to 1", "not defined"),
        ("sqrt --from -1 --to 1", "not defined"),
        ("tan --from 1 --to 2", "pole"),
        ("exp --from 700 --to 720", "overflows binary64"),
        ("exp --from 1 --to 2 --extra-bits 70", "extra bits"),
        ("exp --from 1 --to 2 --extra-bits 10", "more extra bits"),
        ("exp --from 1 --to 2 --precision 99", "precision 99"),
        ("exp --from 1 --to 2 --arg-precision 1", "precision 1"),
        ("exp --from 1 --to 2 --format binary128", "unknown format"),
        ("exp --from 1 --to 2 --rounding up", "unknown rounding"),
        ("exp --from 1 --to 2 --logms 65", "--logms"),
        ("exp --from 1 --to 2 --domain-size 0 --extra-bits 50", "domain"),
        ("exp --from 0 --to 1 --precision 53", "binades"),
    ] {
        tmd("search", &program::words(question, &[])).refused(words);
    }
    // clap's own refusals have more lines, but the same code
    for wrong in ["search exp", "find", "search exp --from 1 --to 2 --engine gpu", ""] {
        tmd(wrong, &[]).ends(2);
    }
}

#[test]
fn gpus() {
    let question = "exp --from 1 --to 1+2^-30 --extra-bits 20";
    for command in ["search", "plan"] {
        let ask = |more: &str| tmd(&format!("{command} {question} {more}"), &[]);
        // options that say how a GPU searches, without one
        ask("--adapter 0").refused("--adapter is for GPUs");
        ask("--gpu-int native").refused("--gpu-int is for GPUs");
        ask("--backend cpu --no-fallback").refused("--no-fallback is for GPUs");
        for engine in ["exhaustive", "farey-scalar", "regular-simd", "lefevre-swap-simd"] {
            let words = format!("--engine {engine} is for the CPU; with --backend hybrid use --engine farey");
            ask(&format!("--backend hybrid --engine {engine}")).refused(&words);
        }
        ask("--backend gpu --adapter 1 --adapter 1").refused("given twice");
        ask("--backend gpu --logms 65").refused("--logms");
        ask("--backend gpu --domain-size 0").refused("domain");
        ask("--gpu-int fast").ends(2);
        ask("--backend fpga").ends(2);
        tmd(&format!("{command} {question} --adapter"), &[""]).ends(2);
    }
    let cpu = json(&format!("search {question}"));
    assert_eq!(cpu["backends"][0]["share"], 1.0);
    assert_eq!(cpu["backends"][0]["arguments"], 1u64 << 22);
    assert!(cpu.get("kernels").is_none() && cpu.get("failures").is_none());
}

/// `tmd` where Vulkan's loader finds no driver.
#[cfg(target_os = "linux")]
fn without_driver(line: &str) -> Answer {
    // the loader finds what this names, and nothing else
    let mut command = program::command(line, &[]);
    command.env("VK_DRIVER_FILES", "/no/such/driver.json").env("VK_ICD_FILENAMES", "/no/such/driver.json");
    Answer::of(&mut command)
}

/// Without a GPU: a sentence and code 1 where one was asked for, the CPU where not.
#[cfg(target_os = "linux")]
#[test]
fn without_a_gpu() {
    let question = "exp --from 1 --to 1+2^-30 --extra-bits 20";
    for command in ["search", "plan"] {
        for backend in ["gpu", "hybrid"] {
            without_driver(&format!("{command} {question} --backend {backend}"))
                .ends(1)
                .prints_nothing()
                .says("no GPU adapter found")
                .says("leave --backend away");
        }
    }
    let auto = without_driver(&format!("search {question} --backend auto --output json")).json();
    assert_eq!(auto["cases"], json(&format!("search {question}"))["cases"]);
}

/// Every engine of the GPU, by turns, alone and with the CPU, lists what the CPU lists.
#[test]
fn gpu_engines() {
    if json("adapters")["adapters"].as_array().unwrap().is_empty() {
        println!("skipped: no GPU adapter");
        return;
    }
    let question = "search exp --from 1 --to 1+2^-22 --extra-bits 24";
    let ask = |options: &str| tmd(&format!("{question} {options}"), &[]);
    let expected = json(question)["cases"].clone();
    assert!(expected.as_array().unwrap().len() > 50);
    for options in by_turns([
        "gpu",
        "hybrid",
        "gpu --gpu-int emulated",
        "gpu --adapter 0 --no-fallback",
        "gpu --engine regular",
        "hybrid --engine regular-looped",
        "gpu --engine lefevre --logms 3",
        "gpu --engine lefevre-swap --gpu-int emulated",
        "gpu --engine regular --gpu-kernels one",
        "gpu --engine regular --gpu-kernels prefix-sum",
        "gpu --engine regular --gpu-kernels atomics --domain-size 4096",
    ]) {
        let found = json(&format!("{question} --backend {options}"));
        assert_eq!(found["cases"], expected, "{options}");
        let backends = found["backends"].as_array().unwrap();
        let on_device = &backends[0];
        assert!(on_device["name"].as_str().unwrap().contains("integers"), "{options}: {backends:?}");
        // a short search may be over before the other half of a hybrid gets its turn
        let is_used = on_device["arguments"].as_f64().unwrap() > 0.0;
        assert!(is_used || options.starts_with("hybrid"), "{options}: {backends:?}");
        assert!(found.get("failures").is_none(), "{options}: {found}");
    }
    let plan = json("plan exp --from 1 --to 4 --backend gpu");
    assert!(plan["seconds"].as_f64().unwrap() > 0.0);
    ask("--backend gpu --adapter 99").ends(2).says("no adapter answers to `99`; there are:\n  0: ");
    ask("--backend gpu --adapter 0 --adapter auto").refused("twice");
    ask("--backend gpu --engine exhaustive").refused("is for the CPU");
    ask("--engine lefevre-swap").refused("is for GPUs");
    ask("--gpu-kernels one").refused("--gpu-kernels is for GPUs");
}

/// What lanes walked all at once a GPU walks again, with no lanes beside it; who is asked for and
/// is not there is named.
#[test]
fn a_gpu_verifies_families() {
    let certificate = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../results/large/sin/1023.json.zst");
    let certificate = certificate.to_str().unwrap();
    let verify = |options: &str| tmd(&format!("verify --samples 2 --seed 7 {options}"), &[certificate]);
    verify("--adapter 0").refused("give --backend gpu as well");
    verify("--backend hybrid").ends(2);
    if json("adapters")["adapters"].as_array().unwrap().is_empty() {
        verify("--backend gpu").ends(1).says("no GPU adapter found");
        return;
    }
    let options = "--sample-seconds 0.1 --backend gpu";
    let report = verify(options).ends(3).prints("in 2 samples searched again by lattice3 (");
    report.prints(" integers))").prints("complete for 2^1023 <= |x| < 2^1024");
    verify("--backend gpu --adapter 99").ends(2).says("no adapter answers to `99`");
}

#[test]
fn expressions_may_begin_with_a_minus() {
    tmd("search -exp(-x) --from 1 --to 1+2^-40 --extra-bits 8", &[]).done().prints("-exp(-x)");
    tmd("check 1 --function -exp(x)", &[]).done().prints("-exp(x)");
    tmd("search --help", &[]).prints("--from");
}

#[test]
fn plans() {
    let job = "plan exp --from 1 --to 8 --rounding directed --extra-bits 40";
    tmd(job, &[]).done().prints("2^53.6 arguments");
    let plan = json(job);
    assert_eq!(plan["ranges"].as_array().unwrap().len(), 3);
    assert!(plan["core_seconds"].as_f64().unwrap() > 0.0);
    tmd(job, &["--output", "wc"]).ends(2);
}

#[test]
fn adapters_by_index() {
    let document = json("adapters");
    let adapters = document["adapters"].as_array().unwrap();
    if adapters.is_empty() {
        assert_ne!(std::env::var("TMD_GPU").as_deref(), Ok("require"), "a driver is there, but no adapter");
        println!("skipped in part: no GPU adapter");
    }
    let answer = tmd("adapters", &[]);
    let table = answer.text();
    let rows: Vec<&str> = table.lines().skip(1).collect();
    for (index, adapter) in adapters.iter().enumerate() {
        assert_eq!(adapter["index"], index);
        assert_eq!(adapter["software"], adapter["kind"] == "software");
        assert!(adapter["storage_binding_bytes"].as_u64().unwrap() >= 1 << 20);
        assert!(rows[index].starts_with(&format!("{index} ")), "{table}");
        for part in ["name", "kind", "interface"] {
            assert!(rows[index].contains(adapter[part].as_str().unwrap()), "{table}");
        }
        let said = format!("Families (large arguments) on {index}: the walk in three dimensions in ");
        let line = rows.iter().find(|line| line.starts_with(&said)).unwrap();
        let is_native = adapter["families"] == "native integers";
        assert_eq!(line.contains("native 64-bit integers"), is_native, "{line}");
        assert_eq!(adapter["families_use_doubles"], false);
        assert_eq!(line.contains("its f64 is not used"), adapter["doubles"] == true, "{line}");
    }
    tmd("adapters --output csv", &[]).ends(2);
}

#[cfg(target_os = "linux")]
#[test]
fn a_machine_without_adapters() {
    let sentence = without_driver("adapters").done().prints("mesa-vulkan-drivers");
    let is_there = sentence.text().starts_with("no GPU adapter found: a driver for Vulkan");
    assert!(is_there && sentence.text().lines().count() == 1, "{sentence}");
    let document = without_driver("adapters --output json").done().json();
    assert_eq!(document, object!({ "adapters": [] }));
}

#[test]
fn one_argument_checked() {
    let check = |line: &str| tmd(&format!("check {line}"), &[]);
    check("0x1.d6336a88077aap+0 --function exp")
        .done()
        .prints("53 identical bits after the rounding bit")
        .prints("number 0x1.91a8dff540ff7p+2");
    check("0 --function exp").prints("exactly the number 0x1p+0");
    check("-0.75 --function x^2 --output json").prints("\"exact\"");
    check("0.1 --function exp").refused("the nearest ones are");
    check("1+2^-60 --function exp").refused("not a number of binary64");
    check("-1 --function log").refused("not defined");
    check("1000 --function exp").refused("overflows");
    check("0 --function 1/x").refused("pole");
    check("1 --function sin(x)^2+cos(x)^2").refused("exact case");
    check("1 --function exp --output csv").ends(2).says("[possible values: table, json]");
}

/// Ctrl-C in the middle of hours of work: what is known is printed, said to be partial, and the
/// code is 130.
#[test]
#[cfg(unix)]
fn interrupted() {
    let mut child = spawn("search exp --from 1 --to 2 --extra-bits 45 --output json --progress", &[]);
    // the first finished part is told, whenever that is
    let mut told = BufReader::new(child.stderr.take().unwrap());
    let mut line = String::new();
    while !line.contains(" arguments searched, ") {
        line.clear();
        assert!(told.read_line(&mut line).unwrap() > 0, "it ended before a part was finished");
    }
    signal(&child, "INT");
    let mut rest = String::new();
    told.read_to_string(&mut rest).unwrap();
    let document = Answer::of_child(child).ends(130).json();
    assert!(rest.contains("PARTIAL"), "{rest}");
    assert_eq!(document["partial"], true);
    let searched = document["searched"].as_u64().unwrap();
    assert!(searched > 0 && searched < 1 << 52);
}

/// A list with arguments of which nothing is known is no whole list: 1, as of other machines'
/// failures.
#[test]
fn undecided_arguments() {
    let search = "search log(exp(x)) --format binary16 --from 1 --to 1+2^-8 --extra-bits 5";
    tmd(search, &[]).ends(1).says("tmd: nothing is known of 4 arguments but that they are undecided");
}

/// Numbers and names as people type them.
#[test]
fn synonyms_and_hints() {
    for (format, name) in
        [("half", "binary16"), ("bf16", "bfloat16"), ("fp32", "binary32"), ("double", "binary64")]
    {
        let ask = |format: &str| tmd("check 1.5 --function exp --format", &[format]).done().out;
        assert_eq!(ask(format), ask(name), "{format}");
    }
    let search = |from: &str, to: &str| tmd("search atan --format half", &["--from", from, "--to", to]);
    let cases = |answer: Answer| answer.done().text().matches("0x").count();
    let all = cases(search("-inf", "inf"));
    assert!(all > 10 && all == cases(search("-2^16", "2^16")));
    search("inf", "0").refused("no number is beyond it");
    search("nan", "0").refused("no finite number");
    tmd("check inf --function exp", &[]).refused("no finite number");
    tmd("search exp --from 0 --to inf --precision 20", &[]).refused("no largest one");
    for (line, hint) in [
        ("solve exp --format half --binades 0..0", "did you mean 0..1?"),
        ("solve exp --format half --binades 3..1", "did you mean 1..3?"),
        ("solve exp --format half --binades 3", "is not A..B"),
        ("solve exp --format half --extra-bits -3", "from 2 to 60"),
        ("search exp --from 0 --to 1 --extra-bits -3", "from 2 to 60"),
        ("solve exp --format half --limit -1", "--limit must be a positive number"),
        ("solve x^(1/3)", "write cbrt(a)"),
    ] {
        tmd(line, &[]).ends(2).says(hint);
    }
    // the same but for the name and the times
    let listed = |line: &str| {
        let answer = tmd(line, &[]);
        answer.text().lines().filter(|line| line.contains("0x")).map(str::to_owned).collect::<Vec<_>>()
    };
    let cases = listed("solve 2^x --format half --binades 0..=0");
    assert!(cases.len() > 5 && cases == listed("solve exp2 --format binary16 --binades 0..1"), "{cases:?}");
}

/// What is known without a search is not in the list, and the summary says so; far out, hardness is
/// told.
#[test]
fn what_is_known_without_a_search() {
    tmd("search exp --from 0 --to 1 --format binary32 --hardest 3", &[])
        .done()
        .prints("not searched, as all roundings are known: ")
        .prints("0x1p+0 < f(x) < 0x1.000001p+0");
    let gelu = "x/2*(1+erf(x/sqrt(2)))";
    let check = |x: &str, format: &str| tmd("check", &[x, "--function", gelu, "--format", format]).done();
    check("0x1p+8", "binary16").prints("lies below the number 0x1p+8: distance 2^-47");
    check("0x1p+100", "binary32").prints("beyond all precision: distance more than 0, and less than 2^-");
}
