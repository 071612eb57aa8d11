//! The program that measures GPUs, from its command line to its files, on whatever adapter there is.

use std::{fs, process::Command};

#[test]
#[ignore = "long: every table on the adapter there is, a minute or two on a software one"]
fn every_table() {
    if tmd_gpu::testing::gpu().is_none() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("figures.md");
    let status = Command::new(env!("CARGO_BIN_EXE_gpu_figures"))
        .args(["--quick", "--machine", "a machine", "--int-ops-per-second", "1e12", "--out"])
        .arg(&out)
        .arg("--record")
        .arg(folder.path())
        .status()
        .unwrap();
    let text = fs::read_to_string(&out).unwrap();
    assert!(status.success(), "{text}");
    for title in [
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
    ] {
        assert!(text.contains(&format!("### {title}\n")), "{title}");
    }
    assert!(!text.contains("out of time"), "{text}");
    let record: Vec<_> = fs::read_dir(folder.path().join("a-machine")).unwrap().collect();
    assert_eq!(record.len(), 1);
}

#[test]
fn wrong_questions() {
    let run = |arguments: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_gpu_figures")).args(arguments).output().unwrap();
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    let (code, text) = run(&["--adapter", "no such adapter"]);
    assert!(code == Some(1) && text.contains("gpu_figures: no "), "{code:?}: {text}");
    assert_eq!(run(&["--sections", "speed"]).0, Some(2));
}
