//! The figures of a GPU, from the command line to the files, on whatever adapter there is.

use std::fs;

use clap::Parser as _;

use super::{Figures, arguments::Arguments, run};

#[test]
#[ignore = "long: every table on the adapter there is, a minute or two on a software one"]
fn every_table() {
    let demand = std::env::var("TMD_GPU").unwrap_or_default();
    if demand == "skip" || tmd_gpu::adapters().is_empty() {
        assert_ne!(demand, "require", "there is no adapter");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("figures.md");
    let words = ["gpu_figures", "--quick", "--machine", "a machine", "--int-ops-per-second", "1e12"];
    let mut arguments = Arguments::parse_from(words);
    (arguments.out, arguments.record) = (Some(out.clone()), Some(folder.path().into()));
    let Figures { tables, wrong, .. } = run(arguments, |_| {}).unwrap();
    let text = fs::read_to_string(&out).unwrap();
    assert_eq!(wrong, 0, "{text}");
    let titles = [
        "What was measured, and where",
        "I₀ by engine, kernel by kernel",
        "I₀ by engine, whole searches",
        "The papers' phases beside ours, at their N",
        "Binades by the walk",
        "Emulated against native integers",
        "The walk against the chip's rate",
        "Workgroup sizes (the papers' block sizes)",
        "Domains per invocation",
        "Domain sizes of the walk",
        "LOGMS: when a quotient is divided rather than subtracted",
        "The walk in three dimensions",
    ];
    assert_eq!(tables.len(), titles.len());
    for title in titles {
        assert!(text.contains(&format!("### {title}\n")), "{title}");
    }
    assert!(!text.contains("out of time"), "{text}");
    let record: Vec<_> = fs::read_dir(folder.path().join("a-machine")).unwrap().collect();
    assert_eq!(record.len(), 1);
}

#[test]
fn wrong_questions() {
    let arguments = Arguments::parse_from(["gpu_figures", "--adapter", "no-such-adapter"]);
    let error = run(arguments, |_| {}).unwrap_err();
    assert!(error.to_string().starts_with("no "), "{error}");
    assert!(Arguments::try_parse_from(["gpu_figures", "--sections", "speed"]).is_err());
}
