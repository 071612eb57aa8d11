//! The README's library examples: the programs that the packaging check builds as an outside user
//! would.

/// The line above the example that has a crate as its only dependency.
pub(crate) fn marker(package: &str) -> String {
    format!("<!-- outside-user: {package} -->")
}

/// The text of the first ````
/// ```rust ```` block after the [`marker`]; it must be a whole program, to be pasted into a `main.rs
/// ` .
pub(crate) fn outside_user_program(readme: &str, package: &str) -> Result<String, String> {
    let marker = marker(package);
    let mut lines = readme.lines().skip_while(|line| line.trim() != marker).skip(1).peekable();
    if lines.peek().is_none() {
        return Err(format!("README.md has no line `{marker}` with the library example after it"));
    }
    let mut lines = lines.skip_while(|line| !is_rust_fence(line)).skip(1).peekable();
    if lines.peek().is_none() {
        return Err(format!("README.md has no ```rust block after `{marker}`"));
    }
    let mut program = String::new();
    for line in lines {
        if line.trim() == "```" {
            return if program.contains("fn main()") {
                Ok(program)
            } else {
                Err(format!(
                    "the example after `{marker}` in README.md is no whole program: it lacks `fn main()`"
                ))
            };
        }
        program += line;
        program.push('\n');
    }
    Err(format!("the ```rust block after `{marker}` in README.md is not closed"))
}

/// Whether a line opens a Rust block: ````
/// ```rust ````, perhaps with attributes such as `rust,no_run ` .
fn is_rust_fence(line: &str) -> bool {
    line.trim().strip_prefix("```rust").is_some_and(|rest| rest.is_empty() || rest.starts_with([',', ' ']))
}

#[cfg(test)]
mod tests {
    use super::*;

    const PROGRAM: &str = "fn main() {\n    println!(\"1\");\n}\n";
    const MARKER: &str = "<!-- outside-user: a -->";

    #[test]
    fn the_first_block_after_the_marker() {
        let other = "```rust\nfn main() { panic!() }\n```\n";
        let elsewhere = format!("<!-- outside-user: b -->\n{other}");
        let readme = format!(
            "{other}{elsewhere}{MARKER}\ntext\n```sh\ncargo add a\n```\n```rust\n{PROGRAM}```\n{other}{elsewhere}"
        );
        assert_eq!(outside_user_program(&readme, "a").as_deref(), Ok(PROGRAM));
        let attributes = format!("{MARKER}\n```rust,ignore\n{PROGRAM}```\n");
        assert_eq!(outside_user_program(&attributes, "a").as_deref(), Ok(PROGRAM));
    }

    #[test]
    fn what_is_missing_is_named() {
        let complaint = |readme: &str| outside_user_program(readme, "a").unwrap_err();
        assert!(complaint("# tmd\n").contains("no line `<!-- outside-user: a -->`"));
        assert!(complaint(&format!("{MARKER}\n```sh\n```\n")).contains("no ```rust block"));
        assert!(complaint(&format!("```rust\n{PROGRAM}```\n{MARKER}\nend\n")).contains("no ```rust block"));
        assert!(complaint(&format!("{MARKER}\n```rust\n{PROGRAM}")).contains("not closed"));
        assert!(complaint(&format!("{MARKER}\n```rust\nlet x = 1;\n```\n")).contains("lacks `fn main()`"));
    }
}
