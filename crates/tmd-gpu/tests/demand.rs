//! What `TMD_GPU` demands of the tests' device. Each test runs `worker` in a process of its own,
//! for its environment.

mod testing;

use std::process::{Command, Output};

#[test]
#[ignore = "for the other tests of this file"]
fn worker() {
    println!("a device: {}", testing::gpu().is_some());
}

fn worker_with(variables: &[(&str, &str)]) -> (Output, String) {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["worker", "--exact", "--ignored", "--nocapture"]).env_remove("TMD_GPU");
    let output = command.envs(variables.iter().copied()).output().unwrap();
    let text = [&output.stdout[..], &output.stderr].concat();
    (output, String::from_utf8_lossy(&text).into_owned())
}

#[test]
fn skip() {
    let (output, text) = worker_with(&[("TMD_GPU", "skip")]);
    assert!(output.status.success(), "{text}");
    assert!(text.contains("GPU test skipped: TMD_GPU=skip") && text.contains("a device: false"), "{text}");
}

#[test]
fn misspelled() {
    let (output, text) = worker_with(&[("TMD_GPU", "requires")]);
    assert!(!output.status.success(), "{text}");
    assert!(text.contains("TMD_GPU is require, auto or skip, not `requires`"), "{text}");
}

#[test]
fn auto_is_the_default() {
    let is_there = testing::gpu().is_some();
    if std::env::var("TMD_GPU").is_ok_and(|demand| demand == "skip") {
        return;
    }
    for variables in [&[][..], &[("TMD_GPU", "auto")]] {
        let (output, text) = worker_with(variables);
        assert!(output.status.success() && text.contains(&format!("a device: {is_there}")), "{text}");
    }
}

/// Vulkan's loader finds what these variables name, and nothing else.
#[cfg(target_os = "linux")]
#[test]
fn without_a_driver() {
    let none = [("VK_DRIVER_FILES", "/no/such/driver.json"), ("VK_ICD_FILENAMES", "/no/such/driver.json")];
    let (output, text) = worker_with(&none);
    assert!(output.status.success(), "{text}");
    assert!(
        text.contains("GPU test skipped: no GPU adapter found") && text.contains("a device: false"),
        "{text}"
    );
    let (output, text) = worker_with(&[&none[..], &[("TMD_GPU", "require")]].concat());
    assert!(!output.status.success(), "{text}");
    assert!(text.contains("TMD_GPU=require, but no GPU adapter found"), "{text}");
}
