//! The program, and how it refuses.

use std::process::{Command, Output, Stdio};

/// Runs `tmd` with these arguments, and waits for it.
pub(crate) fn tmd(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_tmd"))
        // Mesa's device selection complains of a missing XDG_RUNTIME_DIR
        .env("NODEVICE_SELECT", "1")
        .args(arguments)
        .stdin(Stdio::null())
        .output()
        .unwrap()
}

/// Exit code 2, nothing on the standard output, one sentence that has these words.
pub(crate) fn refused(output: &Output, words: &str) {
    let text = String::from_utf8(output.stderr.clone()).unwrap();
    assert_eq!(output.status.code(), Some(2), "{text}");
    assert!(output.stdout.is_empty());
    assert!(text.contains(words), "`{words}` is missing in: {text}");
    assert!(text.starts_with("tmd: ") && text.trim_end().lines().count() == 1, "{text}");
}
