//! The README's library example: the program that the packaging check builds as an outside user would.

/// The line above the example.
pub(crate) const MARKER: &str = "<!-- outside-user -->";

/// The text of the first ```` ```rust ```` block after [`MARKER`]; it must be a whole program, to be pasted into a `main.rs`.
pub(crate) fn outside_user_program(readme: &str) -> Result<String, String> {
    let mut lines = readme.lines().skip_while(|line| line.trim() != MARKER).skip(1).peekable();
    if lines.peek().is_none() {
        return Err(format!("README.md has no line `{MARKER}` with the library example after it"));
    }
    let mut lines = lines.skip_while(|line| !is_rust_fence(line)).skip(1).peekable();
    if lines.peek().is_none() {
        return Err(format!("README.md has no ```rust block after `{MARKER}`"));
    }
    let mut program = String::new();
    for line in lines {
        if line.trim() == "```" {
            return if program.contains("fn main()") {
                Ok(program)
            } else {
                Err(format!(
                    "the example after `{MARKER}` in README.md is no whole program: it lacks `fn main()`"
                ))
            };
        }
        program += line;
        program.push('\n');
    }
    Err(format!("the ```rust block after `{MARKER}` in README.md is not closed"))
}

/// Whether a line opens a Rust block: ```` ```rust ````, perhaps with attributes such as `rust,no_run`.
fn is_rust_fence(line: &str) -> bool {
    line.trim().strip_prefix("```rust").is_some_and(|rest| rest.is_empty() || rest.starts_with([',', ' ']))
}

#[cfg(test)]
mod tests {
    use super::*;

    const PROGRAM: &str = "fn main() {\n    println!(\"1\");\n}\n";

    #[test]
    fn the_first_block_after_the_marker() {
        let other = "```rust\nfn main() { panic!() }\n```\n";
        let readme =
            format!("{other}{MARKER}\ntext\n```sh\ncargo add tmd-core\n```\n```rust\n{PROGRAM}```\n{other}");
        assert_eq!(outside_user_program(&readme).as_deref(), Ok(PROGRAM));
        let attributes = format!("{MARKER}\n```rust,ignore\n{PROGRAM}```\n");
        assert_eq!(outside_user_program(&attributes).as_deref(), Ok(PROGRAM));
    }

    #[test]
    fn what_is_missing_is_named() {
        let complaint = |readme: &str| outside_user_program(readme).unwrap_err();
        assert!(complaint("# tmd\n").contains("no line `<!-- outside-user -->`"));
        assert!(complaint(&format!("{MARKER}\n```sh\n```\n")).contains("no ```rust block"));
        assert!(complaint(&format!("```rust\n{PROGRAM}```\n{MARKER}\nend\n")).contains("no ```rust block"));
        assert!(complaint(&format!("{MARKER}\n```rust\n{PROGRAM}")).contains("not closed"));
        assert!(complaint(&format!("{MARKER}\n```rust\nlet x = 1;\n```\n")).contains("lacks `fn main()`"));
    }
}
