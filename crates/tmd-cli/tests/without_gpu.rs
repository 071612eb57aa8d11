//! The program without its part for GPUs (`--no-default-features`): it searches on the CPU, and
//! says in one sentence what it lacks.
#![cfg(not(feature = "gpu"))]

mod program;

use program::tmd;

const QUESTION: &str = "exp --from 1 --to 1+2^-30 --extra-bits 20";

#[test]
fn the_cpu_searches() {
    let found = |options: &str| tmd(&format!("search {QUESTION} --output json {options}"), &[]).done().json();
    let cases = found("")["cases"].clone();
    assert!(!cases.as_array().unwrap().is_empty());
    // what chooses by itself chooses the CPU
    assert_eq!(found("--backend auto")["cases"], cases);
}

#[test]
fn gpus_are_refused_in_a_sentence() {
    let lacks = "tmd: this program was built without its part for GPUs; `cargo build --release --package tmd-cli` builds all of it";
    let refused = |line: &str| tmd(line, &[]).ends(1).prints_nothing().says(lacks);
    for command in ["search", "plan"] {
        for backend in ["gpu", "hybrid", "gpu --adapter 0", "gpu --engine regular --no-fallback"] {
            refused(&format!("{command} {QUESTION} --backend {backend}"));
        }
        // the question's faults are the same
        let ask = |options: &str| tmd(&format!("{command} {QUESTION} {options}"), &[]);
        ask("--adapter 0").refused("--adapter is for GPUs");
        ask("--backend gpu --engine exhaustive").refused("is for the CPU");
        ask("--backend gpu --adapter 1 --adapter 1").refused("given twice");
    }
    refused("adapters");
    refused("adapters --output json");
    let certificate = concat!(env!("CARGO_MANIFEST_DIR"), "/../../results/large/sin/1023.json.zst");
    refused(&format!("verify --backend gpu {certificate}"));
}
