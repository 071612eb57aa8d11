//! [`quoted`]: names of files as they are printed.

use std::{
    fmt::Write as _,
    path::{Component, Path},
};

/// A path as a shell takes it: the path itself, or between quotes, where a shell would make
/// something else of it. Control characters and bytes that are no text come as `$'\x1b'`, which
/// bash, ksh and zsh read.
pub fn quoted(path: &Path) -> String {
    let is_option = matches!(path.components().next(), Some(Component::Normal(name)) if name.as_encoded_bytes().starts_with(b"-"));
    let bytes = path.as_os_str().as_encoded_bytes();
    let prefix = if is_option { "./" } else { "" };
    match path.to_str() {
        Some(text) if !text.is_empty() && text.chars().all(is_harmless) => format!("{prefix}{text}"),
        Some(text) if !text.chars().any(char::is_control) => {
            format!("'{prefix}{}'", text.replace('\'', r"'\''"))
        }
        _ => {
            let mut quoted = format!("$'{prefix}");
            for chunk in bytes.utf8_chunks() {
                for character in chunk.valid().chars() {
                    match character {
                        '\'' | '\\' => quoted.extend(['\\', character]),
                        character if character.is_control() => {
                            let mut utf8 = [0; 4];
                            escape(&mut quoted, character.encode_utf8(&mut utf8).as_bytes());
                        }
                        character => quoted.push(character),
                    }
                }
                escape(&mut quoted, chunk.invalid());
            }
            quoted + "'"
        }
    }
}

fn escape(quoted: &mut String, bytes: &[u8]) {
    for byte in bytes {
        // three octal digits: hexadecimal ones would go on with what follows
        let _ = write!(quoted, "\\{byte:03o}"); // writing to a String does not fail
    }
}

/// Whether no shell makes anything else of it, anywhere in a word.
fn is_harmless(character: char) -> bool {
    character.is_alphanumeric() || "/._-+:@%,=".contains(character)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_a_shell() {
        for (path, expected) in [
            ("run/of-exp_1.x", "run/of-exp_1.x"),
            ("/a/Läufe/2", "/a/Läufe/2"),
            ("my run", "'my run'"),
            ("it's $HOME;rm *", r"'it'\''s $HOME;rm *'"),
            ("~/run", "'~/run'"),
            ("", "''"),
            ("-run", "./-run"),
            ("-my run/x", "'./-my run/x'"),
            ("/x/-run", "/x/-run"),
            ("a\n\u{1b}[31m'b\\", r"$'a\012\033[31m\'b\\'"),
        ] {
            assert_eq!(quoted(Path::new(path)), expected, "{path:?}");
        }
    }

    /// What bash makes of it is the name again.
    #[cfg(unix)]
    #[test]
    fn a_shell_reads_the_same_name() {
        use std::{ffi::OsStr, os::unix::ffi::OsStrExt, process::Command};
        for name in [
            &b"plain"[..],
            b"my run",
            b"it's",
            b"$(x)`y`\"z\"",
            b"-n",
            b"\xff\x1b7\n~",
            b"\xc3\xa4 \\n",
            b"a!b",
        ] {
            let quoted = quoted(Path::new(OsStr::from_bytes(name)));
            assert!(!quoted.chars().any(char::is_control), "{quoted}");
            let Ok(said) = Command::new("bash").args(["-c", &format!("printf %s {quoted}")]).output() else {
                return;
            };
            let said = said.stdout.strip_prefix(b"./").unwrap_or(&said.stdout);
            assert_eq!(said, name, "{quoted}");
        }
    }
}
