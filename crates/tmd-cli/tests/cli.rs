//! The program as a user meets it: documents, files, exit codes, sentences.

mod program;

use std::{
    fs,
    io::{BufRead as _, BufReader, Read as _},
    path::Path,
    process::{Command, Output, Stdio},
};

use program::{refused, tmd};

const I0: [&str; 12] = [
    "search",
    "exp",
    "--from",
    "1",
    "--to",
    "1+2^-13",
    "--arg-precision",
    "54",
    "--rounding",
    "directed",
    "--extra-bits",
    "33",
];

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

fn json(arguments: &[&str]) -> serde_json::Value {
    let output = tmd(&[arguments, &["--output", "json"]].concat());
    assert!(output.status.success(), "{}", stderr(&output));
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn the_main_job_prints_the_243_cases() {
    let output = tmd(&I0);
    assert!(output.status.success());
    let text = stdout(&output);
    assert_eq!(text.lines().filter(|line| line.starts_with("0x1.000")).count(), 243);
    assert!(
        text.contains("exp(x): 243 cases with distance < 2^-33 ulp (directed), 256 expected; 0 exact"),
        "{text}"
    );
    let arguments: Vec<_> = text.lines().filter_map(|line| line.strip_prefix("0x1.000")).collect();
    assert!(arguments.is_sorted(), "cases are listed by argument");
}

/// Whoever reads the table for the first time finds its words explained below it, and in the help.
#[test]
fn words_are_explained_where_they_are_printed() {
    let help = stdout(&tmd(&["search", "--help"]));
    let searched = stdout(&tmd(&I0));
    let solved = stdout(&tmd(&["solve", "exp", "--format", "binary16"]));
    for text in [&help, &searched, &solved] {
        for words in ["near: the kind of breakpoint", "identical bits: bits of f(x) after the rounding bit"] {
            assert!(text.contains(words), "{text}");
        }
    }
    assert!(solved.contains("rounding all (directed and to nearest)"), "{solved}");
    let planned = stdout(&tmd(&["plan", "log2", "--format", "binary16", "--table"]));
    assert!(planned.contains("follows from what is known at other arguments: "), "{planned}");
}

#[test]
fn one_json_document() {
    let document = json(&I0);
    assert_eq!(document["function"], "exp(x)");
    assert_eq!(document["domain"]["from"], "1");
    assert_eq!(document["domain"]["to"], "8193/8192");
    assert_eq!(document["precisions"]["arguments"], 54);
    assert_eq!(document["precisions"]["results"], 53);
    assert_eq!(document["rounding"], "directed");
    assert_eq!(document["extra_bits"], 33);
    assert!(document["engine"].as_str().unwrap().starts_with("farey "));
    assert_eq!(document["arguments"], 1u64 << 40);
    assert_eq!(document["partial"], false);
    let cases = document["cases"].as_array().unwrap();
    assert_eq!(cases.len(), 243);
    for case in cases {
        assert_eq!(case["kind"], "number");
        assert!(case["sign"] == "+" || case["sign"] == "-");
        assert!(case["log2_dist"].as_f64().unwrap() < -33.0);
        assert!(case["identical_bits"].as_u64().unwrap() >= 32);
        assert!(case["lower"].is_string() && case["upper"].is_string());
    }
    assert_eq!(document["exact_cases"].as_array().unwrap().len(), 0);
    let names: Vec<_> =
        document["phases"].as_array().unwrap().iter().map(|phase| phase["name"].clone()).collect();
    assert_eq!(names, ["taylor", "generate", "test", "refine", "exhaust", "confirm"]);
    for phase in document["phases"].as_array().unwrap() {
        assert!(phase["domains_in"].as_u64() >= phase["domains_out"].as_u64() || phase["name"] == "exhaust");
        assert!(phase["seconds"].is_number());
    }
    assert!(document["error_budget"].as_array().unwrap().iter().all(|line| line["ulps"].is_number()));
    assert!(document["elapsed_s"].as_f64().unwrap() > 0.0);
}

#[test]
fn engines_thresholds_and_threads_print_the_same_list() {
    let list = |more: &[&str]| {
        let job = ["search", "log", "--from", "1", "--to", "1+2^-23", "--extra-bits", "18", "--output", "wc"];
        let output = tmd(&[&job, more].concat());
        assert!(output.status.success(), "{}", stderr(&output));
        stdout(&output)
    };
    let reference = list(&["--engine", "exhaustive", "--threads", "1"]);
    assert!(reference.lines().count() > 100);
    for more in [
        &["--engine", "auto"][..],
        &["--engine", "farey", "--simd", "portable"],
        &["--engine", "farey", "--domain-size", "5000", "--threads", "2"],
        &["--engine", "farey-scalar"],
        &["--engine", "regular-simd"],
        &["--engine", "regular-whole-simd"],
        &["--engine", "regular-simd", "--simd", "portable", "--domain-size", "17"],
        &["--engine", "lefevre-simd", "--threads", "2"],
        &["--engine", "lefevre-swap-simd", "--domain-size", "1000"],
        &["--engine", "exhaustive-simd"],
        &["--engine", "regular-simd", "--logms", "3"],
        &["--engine", "lefevre-simd", "--domain-size", "1024", "--logms", "64"],
        &["--engine", "lefevre-swap-simd", "--simd", "portable", "--logms", "1"],
        &["--engine", "regular", "--threads", "2"],
        &["--engine", "regular", "--domain-size", "777", "--logms", "64"],
        &["--engine", "lefevre", "--threads", "3", "--logms", "3"],
        &["--engine", "lefevre", "--domain-size", "4096"],
    ] {
        assert_eq!(list(more), reference, "{more:?}");
    }
}

#[test]
fn other_forms_of_the_list() {
    let job =
        ["search", "sqrt", "--format", "binary32", "--from", "1", "--to", "1.0625", "--extra-bits", "14"];
    let document = json(&job);
    let (cases, exact) = (document["cases"].as_array().unwrap(), document["exact_cases"].as_array().unwrap());
    assert!(cases.len() > 10 && exact.len() > 10);

    let csv = stdout(&tmd(&[&job[..], &["--output", "csv"]].concat()));
    assert_eq!(csv.lines().next(), Some("x,kind,exact,sign,log2_dist,identical_bits,breakpoint,lower,upper"));
    assert_eq!(csv.lines().count(), 1 + cases.len() + exact.len());

    let wc = stdout(&tmd(&[&job[..], &["--output", "wc"]].concat()));
    let arguments: Vec<_> = wc.lines().filter(|line| !line.starts_with('#')).collect();
    assert_eq!(arguments.len(), cases.len() + exact.len());
    assert!(arguments.iter().all(|line| line.starts_with("0x1")));
    assert!(wc.contains("# exact"));

    let hardest = json(&[&job[..], &["--hardest", "3"]].concat());
    let kept = hardest["cases"].as_array().unwrap();
    let mut distances: Vec<f64> = cases.iter().map(|case| case["log2_dist"].as_f64().unwrap()).collect();
    distances.sort_by(f64::total_cmp);
    assert_eq!(kept.len(), 3);
    let hardest_first: Vec<f64> = kept.iter().map(|case| case["log2_dist"].as_f64().unwrap()).collect();
    assert_eq!(hardest_first, distances[..3]);
    assert_eq!(hardest["cases_found"], cases.len());

    // without --extra-bits they are chosen, and lowered until there are enough cases
    let job = ["search", "exp", "--format", "binary16", "--from", "1", "--to", "1.25", "--hardest", "40"];
    assert_eq!(json(&job)["cases"].as_array().unwrap().len(), 40);
}

#[test]
fn files_appear_complete_or_not_at_all() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("cases.csv");
    let job = |path: &Path| {
        tmd(&[
            "search",
            "exp",
            "--format",
            "binary32",
            "--from",
            "1",
            "--to",
            "2",
            "--output",
            "csv",
            "--out",
            path.to_str().unwrap(),
        ])
    };
    let output = job(&path);
    assert!(output.status.success() && output.stdout.is_empty());
    let written = fs::read_to_string(&path).unwrap();
    assert!(written.starts_with("x,kind,"));
    assert!(stderr(&output).contains("cases with distance"), "the summary goes to the standard error");
    refused(&job(&path), "it exists");
    assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 1, "nothing is left behind");

    for bad in [directory.path().join("missing/cases.csv"), directory.path().to_path_buf()] {
        refused(&job(&bad), "cannot write");
    }
    let replacing = ["--overwrite", "--out", path.to_str().unwrap()];
    refused(&tmd(&[&["search", "tan", "--from", "1", "--to", "2"][..], &replacing].concat()), "pole");
    assert_eq!(fs::read_to_string(&path).unwrap(), written, "a failed search leaves the old file");
}

#[test]
fn wrong_questions_get_one_sentence() {
    let search = |function, from, to, more: &[&str]| {
        tmd(&[&["search", function, "--from", from, "--to", to], more].concat())
    };
    refused(&search("sine", "1", "2", &[]), "did you mean `sin`");
    refused(&search("nosuch", "1", "2", &[]), "the functions are exp, ");
    refused(&search("exp(x", "1", "2", &[]), "exp(x");
    refused(&search("", "1", "2", &[]), "function");
    refused(&search("exp", "one", "2", &[]), "--from `one`");
    refused(&search("exp", "1", "pi", &[]), "--to `pi`");
    refused(&search("exp", "1", "1e999999999", &[]), "--to");
    refused(&search("exp", "2", "1", &[]), "empty or reversed");
    refused(&search("exp", "1", "1", &[]), "empty or reversed");
    refused(&search("exp", "1", "2^1025", &[]), "largest finite number");
    refused(&search("log", "-1", "1", &[]), "not defined");
    refused(&search("sqrt", "-1", "1", &[]), "not defined");
    refused(&search("tan", "1", "2", &[]), "pole");
    refused(&search("exp", "700", "720", &[]), "overflows binary64");
    refused(&search("exp", "1", "2", &["--extra-bits", "70"]), "extra bits");
    refused(&search("exp", "1", "2", &["--extra-bits", "10"]), "more extra bits");
    refused(&search("exp", "1", "2", &["--precision", "99"]), "precision 99");
    refused(&search("exp", "1", "2", &["--arg-precision", "1"]), "precision 1");
    refused(&search("exp", "1", "2", &["--format", "binary128"]), "unknown format");
    refused(&search("exp", "1", "2", &["--rounding", "up"]), "unknown rounding");
    refused(&search("exp", "1", "2", &["--logms", "65"]), "--logms");
    refused(&search("exp", "1", "2", &["--domain-size", "0", "--extra-bits", "50"]), "domain");
    refused(&search("exp", "0", "1", &["--precision", "53"]), "binades");
    // clap's own refusals have more lines, but the same code
    for wrong in [
        &["search", "exp"][..],
        &["find"],
        &["search", "exp", "--from", "1", "--to", "2", "--engine", "gpu"],
        &[],
    ] {
        assert_eq!(tmd(wrong).status.code(), Some(2), "{wrong:?}");
    }
}

#[test]
fn gpus() {
    let question = ["exp", "--from", "1", "--to", "1+2^-30", "--extra-bits", "20"];
    let ask = |command, more: &[&str]| tmd(&[&[command][..], &question, more].concat());
    for command in ["search", "plan"] {
        // options that say how a GPU searches, without one
        refused(&ask(command, &["--adapter", "0"]), "--adapter is for GPUs");
        refused(&ask(command, &["--gpu-int", "native"]), "--gpu-int is for GPUs");
        refused(&ask(command, &["--backend", "cpu", "--no-fallback"]), "--no-fallback is for GPUs");
        for engine in ["exhaustive", "farey-scalar", "regular-simd", "lefevre-swap-simd"] {
            let words = format!("--engine {engine} is for the CPU; with --backend hybrid use --engine farey");
            refused(&ask(command, &["--backend", "hybrid", "--engine", engine]), &words);
        }
        refused(&ask(command, &["--backend", "gpu", "--adapter", "1", "--adapter", "1"]), "given twice");
        refused(&ask(command, &["--backend", "gpu", "--logms", "65"]), "--logms");
        refused(&ask(command, &["--backend", "gpu", "--domain-size", "0"]), "domain");
        for wrong in [&["--adapter", ""][..], &["--gpu-int", "fast"], &["--backend", "fpga"]] {
            assert_eq!(ask(command, wrong).status.code(), Some(2), "{wrong:?}");
        }
    }
    let cpu = json(&[&["search"][..], &question].concat());
    assert_eq!(cpu["backends"][0]["share"], 1.0);
    assert_eq!(cpu["backends"][0]["arguments"], 1u64 << 22);
    assert!(cpu.get("kernels").is_none() && cpu.get("failures").is_none());
}

/// `tmd` where Vulkan's loader finds no driver.
#[cfg(target_os = "linux")]
fn without_driver(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_tmd"))
        .args(arguments)
        // the loader finds what this names, and nothing else
        .env("VK_DRIVER_FILES", "/no/such/driver.json")
        .env("VK_ICD_FILENAMES", "/no/such/driver.json")
        .output()
        .unwrap()
}

/// Without a GPU: a sentence and code 1 where one was asked for, the CPU where not.
#[cfg(target_os = "linux")]
#[test]
fn without_a_gpu() {
    let question = ["exp", "--from", "1", "--to", "1+2^-30", "--extra-bits", "20"];
    for command in ["search", "plan"] {
        for backend in ["gpu", "hybrid"] {
            let output = without_driver(&[&[command][..], &question, &["--backend", backend]].concat());
            let text = stderr(&output);
            assert_eq!(output.status.code(), Some(1), "{text}");
            assert!(output.stdout.is_empty() && text.contains("no GPU adapter found"), "{text}");
            assert!(text.contains("leave --backend away"), "{text}");
        }
    }
    let auto =
        without_driver(&[&["search"][..], &question, &["--backend", "auto", "--output", "json"]].concat());
    let document: serde_json::Value = serde_json::from_str(&stdout(&auto)).unwrap();
    assert_eq!(document["cases"], json(&[&["search"][..], &question].concat())["cases"]);
}

/// Every engine of the GPU, alone and with the CPU, lists what the CPU lists.
#[test]
fn gpu_engines() {
    if json(&["adapters"])["adapters"].as_array().unwrap().is_empty() {
        println!("skipped: no GPU adapter");
        return;
    }
    let question = ["search", "exp", "--from", "1", "--to", "1+2^-22", "--extra-bits", "24"];
    let list = |more: &[&str]| json(&[&question[..], more].concat());
    let expected = list(&[])["cases"].clone();
    assert!(expected.as_array().unwrap().len() > 50);
    for options in [
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
    ] {
        let found = list(&[&["--backend"][..], &options.split(' ').collect::<Vec<_>>()].concat());
        assert_eq!(found["cases"], expected, "{options}");
        let backends = found["backends"].as_array().unwrap();
        let on_device = &backends[0];
        assert!(on_device["name"].as_str().unwrap().contains("integers"), "{options}: {backends:?}");
        // a short search may be over before the other half of a hybrid gets its turn
        let is_used = on_device["arguments"].as_f64().unwrap() > 0.0;
        assert!(is_used || options.starts_with("hybrid"), "{options}: {backends:?}");
        assert!(found.get("failures").is_none(), "{options}: {found}");
    }
    let plan = json(&["plan", "exp", "--from", "1", "--to", "4", "--backend", "gpu"]);
    assert!(plan["seconds"].as_f64().unwrap() > 0.0);
    let unknown = tmd(&[&question[..], &["--backend", "gpu", "--adapter", "99"]].concat());
    assert_eq!(unknown.status.code(), Some(2));
    assert!(
        stderr(&unknown).contains("no adapter answers to `99`; there are:\n  0: "),
        "{}",
        stderr(&unknown)
    );
    refused(
        &tmd(&[&question[..], &["--backend", "gpu", "--adapter", "0", "--adapter", "auto"]].concat()),
        "twice",
    );
    refused(
        &tmd(&[&question[..], &["--backend", "gpu", "--engine", "exhaustive"]].concat()),
        "is for the CPU",
    );
    refused(&tmd(&[&question[..], &["--engine", "lefevre-swap"]].concat()), "is for GPUs");
    refused(&tmd(&[&question[..], &["--gpu-kernels", "one"]].concat()), "--gpu-kernels is for GPUs");
}

#[test]
fn expressions_may_begin_with_a_minus() {
    let search = tmd(&["search", "-exp(-x)", "--from", "1", "--to", "1+2^-40", "--extra-bits", "8"]);
    assert!(search.status.success(), "{}", stderr(&search));
    assert!(stdout(&search).contains("-exp(-x)"));
    let check = tmd(&["check", "1", "--function", "-exp(x)"]);
    assert!(check.status.success() && stdout(&check).contains("-exp(x)"), "{}", stderr(&check));
    assert!(stdout(&tmd(&["search", "--help"])).contains("--from"));
}

#[test]
fn plans() {
    let job = ["plan", "exp", "--from", "1", "--to", "8", "--rounding", "directed", "--extra-bits", "40"];
    let table = tmd(&job);
    assert!(table.status.success() && stdout(&table).contains("2^53.6 arguments"), "{}", stdout(&table));
    let json = tmd(&[&job[..], &["--output", "json"]].concat());
    let plan: serde_json::Value = serde_json::from_str(&stdout(&json)).unwrap();
    assert_eq!(plan["ranges"].as_array().unwrap().len(), 3);
    assert!(plan["core_seconds"].as_f64().unwrap() > 0.0);
    let wc = tmd(&[&job[..], &["--output", "wc"]].concat());
    assert_eq!(wc.status.code(), Some(2));
}

#[test]
fn adapters_by_index() {
    let document = json(&["adapters"]);
    let adapters = document["adapters"].as_array().unwrap();
    if adapters.is_empty() {
        assert_ne!(std::env::var("TMD_GPU").as_deref(), Ok("require"), "a driver is there, but no adapter");
        println!("skipped in part: no GPU adapter");
    }
    let table = stdout(&tmd(&["adapters"]));
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
    let wrong = tmd(&["adapters", "--output", "csv"]);
    assert_eq!(wrong.status.code(), Some(2));
}

#[cfg(target_os = "linux")]
#[test]
fn a_machine_without_adapters() {
    let without = |arguments: &[&str]| {
        let output = without_driver(arguments);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        stdout(&output)
    };
    let sentence = without(&["adapters"]);
    assert!(sentence.starts_with("no GPU adapter found: a driver for Vulkan"), "{sentence}");
    assert!(sentence.contains("mesa-vulkan-drivers") && sentence.lines().count() == 1, "{sentence}");
    let document: serde_json::Value =
        serde_json::from_str(&without(&["adapters", "--output", "json"])).unwrap();
    assert_eq!(document, serde_json::json!({ "adapters": [] }));
}

#[test]
fn one_argument_checked() {
    let output = tmd(&["check", "0x1.d6336a88077aap+0", "--function", "exp"]);
    assert!(output.status.success());
    let text = stdout(&output);
    assert!(
        text.contains("53 identical bits after the rounding bit")
            && text.contains("number 0x1.91a8dff540ff7p+2"),
        "{text}"
    );
    let text = stdout(&tmd(&["check", "0", "--function", "exp"]));
    assert!(text.contains("exactly the number 0x1p+0"), "{text}");
    let text = stdout(&tmd(&["check", "-0.75", "--function", "x^2", "--output", "json"]));
    assert!(text.contains("\"exact\""), "{text}");
    refused(&tmd(&["check", "0.1", "--function", "exp"]), "the nearest ones are");
    refused(&tmd(&["check", "1+2^-60", "--function", "exp"]), "not a number of binary64");
    refused(&tmd(&["check", "-1", "--function", "log"]), "not defined");
    refused(&tmd(&["check", "1000", "--function", "exp"]), "overflows");
    refused(&tmd(&["check", "0", "--function", "1/x"]), "pole");
    refused(&tmd(&["check", "1", "--function", "sin(x)^2+cos(x)^2"]), "exact case");
    let csv = tmd(&["check", "1", "--function", "exp", "--output", "csv"]);
    assert_eq!(csv.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&csv.stderr).contains("[possible values: table, json]"));
}

/// Ctrl-C in the middle of hours of work: what is known is printed, said to be partial, and the
/// code is 130.
#[test]
#[cfg(unix)]
fn interrupted() {
    let job = ["search", "exp", "--from", "1", "--to", "2", "--extra-bits", "45", "--output", "json"];
    let mut child = Command::new(env!("CARGO_BIN_EXE_tmd"))
        .args(job)
        .arg("--progress")
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // the first finished part is told, whenever that is
    let mut told = BufReader::new(child.stderr.take().unwrap());
    let mut line = String::new();
    while !line.contains(" arguments searched, ") {
        line.clear();
        assert!(told.read_line(&mut line).unwrap() > 0, "it ended before a part was finished");
    }
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let mut rest = String::new();
    told.read_to_string(&mut rest).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    assert!(rest.contains("PARTIAL"), "{rest}");
    let document: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(document["partial"], true);
    let searched = document["searched"].as_u64().unwrap();
    assert!(searched > 0 && searched < 1 << 52);
}

/// Numbers and names as people type them.
#[test]
fn synonyms_and_hints() {
    let words = |line: &str| tmd(&line.split(' ').collect::<Vec<_>>());
    let said = |line: &str| String::from_utf8(words(line).stderr).unwrap();
    for (format, name) in
        [("half", "binary16"), ("bf16", "bfloat16"), ("fp32", "binary32"), ("double", "binary64")]
    {
        let ask = |format: &str| words(&format!("check 1.5 --function exp --format {format}"));
        assert!(ask(format).status.success());
        assert_eq!(ask(format).stdout, ask(name).stdout, "{format}");
    }
    let search =
        |from: &str, to: &str| tmd(&["search", "atan", "--format", "half", "--from", from, "--to", to]);
    let (all, large) = (search("-inf", "inf"), search("-2^16", "2^16"));
    assert!(all.status.success());
    let cases = |output: &std::process::Output| {
        String::from_utf8(output.stdout.clone()).unwrap().matches("0x").count()
    };
    assert!(cases(&all) > 10 && cases(&all) == cases(&large));
    refused(&search("inf", "0"), "no number is beyond it");
    refused(&search("nan", "0"), "no finite number");
    refused(&tmd(&["check", "inf", "--function", "exp"]), "no finite number");
    refused(&tmd(&["search", "exp", "--from", "0", "--to", "inf", "--precision", "20"]), "no largest one");
    for (line, hint) in [
        ("solve exp --format half --binades 0..0", "did you mean 0..1?"),
        ("solve exp --format half --binades 3..1", "did you mean 1..3?"),
        ("solve exp --format half --binades 3", "is not A..B"),
        ("solve exp --format half --extra-bits -3", "from 2 to 60"),
        ("search exp --from 0 --to 1 --extra-bits -3", "from 2 to 60"),
        ("solve exp --format half --limit -1", "--limit must be a positive number"),
        ("solve x^(1/3)", "write cbrt(a)"),
    ] {
        assert_eq!(words(line).status.code(), Some(2), "{line}");
        assert!(said(line).contains(hint), "{line}: {}", said(line));
    }
    // the same but for the name and the times
    let listed = |line: &str| {
        let text = String::from_utf8(words(line).stdout).unwrap();
        text.lines().filter(|line| line.contains("0x")).map(str::to_owned).collect::<Vec<_>>()
    };
    let cases = listed("solve 2^x --format half --binades 0..=0");
    assert!(cases.len() > 5 && cases == listed("solve exp2 --format binary16 --binades 0..1"), "{cases:?}");
}

/// What is known without a search is not in the list, and the summary says so; far out, hardness is
/// told.
#[test]
fn what_is_known_without_a_search() {
    let search =
        tmd(&["search", "exp", "--from", "0", "--to", "1", "--format", "binary32", "--hardest", "3"]);
    assert!(search.status.success());
    let text = String::from_utf8(search.stdout).unwrap();
    assert!(
        text.contains("not searched, as all roundings are known: ")
            && text.contains("0x1p+0 < f(x) < 0x1.000001p+0"),
        "{text}"
    );
    let gelu = "x/2*(1+erf(x/sqrt(2)))";
    let check = |x: &str, format: &str| {
        let output = tmd(&["check", x, "--function", gelu, "--format", format]);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    };
    let text = check("0x1p+8", "binary16");
    assert!(text.contains("lies below the number 0x1p+8: distance 2^-47"), "{text}");
    let text = check("0x1p+100", "binary32");
    assert!(text.contains("beyond all precision: distance more than 0, and less than 2^-"), "{text}");
}
