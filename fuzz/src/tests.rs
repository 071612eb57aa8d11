//! Every target on its seeds and on some bytes of chance, as a test of the workspace: what the
//! targets call may change, and no fuzzer runs there.

use std::{fs, path::Path};

use super::{certificates, expressions, ledgers, numbers, pieces, segments};

/// What a target does with its input.
type Target = fn(&[u8]);

/// Inputs of each target.
const INPUTS: u64 = 100;

/// Longest input, in bytes.
const LONGEST: u64 = 200;

/// Bytes of chance, the same for the same number.
fn bytes(number: u64) -> Vec<u8> {
    let mut state = number.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut next = || {
        // xorshift64*, Vigna 2016
        state ^= state >> 12;
        state ^= state << 25;
        state ^= state >> 27;
        state.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 32
    };
    let length = next() % LONGEST;
    (0..length).map(|_| next() as u8).collect()
}

/// The seeds of a target; most have none.
fn seeds(target: &str) -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fuzz/seeds").join(target);
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    entries.map(|entry| fs::read(entry.unwrap().path()).unwrap()).collect()
}

#[test]
fn targets_run() {
    let targets: [(&str, Target); 6] = [
        ("numbers", |data| numbers::fuzz(&String::from_utf8_lossy(data))),
        ("expressions", |data| expressions::fuzz(&String::from_utf8_lossy(data))),
        ("certificates", certificates::fuzz),
        ("ledgers", ledgers::fuzz),
        ("segments", segments::fuzz),
        ("pieces", pieces::fuzz),
    ];
    for (target, fuzz) in targets {
        let seeds = seeds(target);
        assert_eq!(seeds.is_empty(), !["numbers", "expressions"].contains(&target), "{target}");
        let chance = (0..INPUTS).map(bytes);
        seeds.into_iter().chain(chance).for_each(|input| fuzz(&input));
    }
}
