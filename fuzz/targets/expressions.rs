//! See `tmd_fuzz::expressions`.
#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| tmd_fuzz::expressions::fuzz(text));
