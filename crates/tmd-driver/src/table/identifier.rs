//! Names of tables: which ones a language takes, and the one that follows from an expression.

use std::fmt;

use tmd_functions::{Expression, Function};

use super::{Rounding, Table, TableError};

/// A language that tables are written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// C99 and later, and C++.
    C,
    /// Rust.
    Rust,
}

impl fmt::Display for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::C => "C",
            Self::Rust => "Rust",
        })
    }
}

/// Longer names are refused: 63 characters are what every C compiler tells apart.
const MAX_LENGTH: usize = 63;

/// Characters of the expression in a derived name.
const DERIVED_LENGTH: usize = 36;

/// Keywords of C23 and C++23, alternative tokens, and macros that compilers for Unix define.
const C_WORDS: &str = "alignas alignof and and_eq asm auto bitand bitor bool break case catch char char16_t char32_t \
    char8_t class co_await co_return co_yield compl concept const const_cast consteval constexpr constinit continue decltype \
    default delete do double dynamic_cast else enum explicit export extern false float for friend goto if inline int linux \
    long main mutable namespace new noexcept not not_eq nullptr operator or or_eq private protected public register \
    reinterpret_cast requires restrict return short signed sizeof static static_assert static_cast struct switch template \
    this thread_local throw true try typedef typeid typename typeof typeof_unqual union unix unsigned using virtual void \
    volatile wchar_t while xor xor_eq";

/// Keywords of Rust's editions up to 2024, reserved ones included.
const RUST_WORDS: &str = "Self abstract as async await become box break const continue crate do dyn else enum extern false \
    final fn for gen if impl in let loop macro match mod move mut override priv pub ref return self static struct super \
    trait true try type typeof unsafe unsized use virtual where while yield";

impl Language {
    /// Checks a name for a table.
    ///
    /// # Errors
    /// [`TableError::Identifier`].
    pub fn check(self, name: &str) -> Result<(), TableError> {
        let refuse = |reason| Err(TableError::Identifier { name: name.into(), language: self, reason });
        let is_word = |words: &str| words.split_whitespace().any(|word| word == name);
        // an underscore in front belongs to the compiler in C, and is no name alone in Rust
        if !name.starts_with(|c: char| c.is_ascii_alphabetic())
            || !name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        {
            return refuse("take a letter, then letters, digits and underscores (ASCII)");
        }
        if name.len() > MAX_LENGTH {
            return refuse("take at most 63 characters");
        }
        match self {
            Self::C if is_word(C_WORDS) => refuse("it means something else there; take another one"),
            Self::C if belongs_to_stdint(name) => {
                refuse("names like it belong to <stdint.h>; take another one")
            }
            Self::Rust if is_word(RUST_WORDS) => refuse("it is a keyword; take another one"),
            _ => Ok(()),
        }
    }

    /// The name that follows from the words of an expression, as many characters of it, and from
    /// those of the rest; in Rust in capitals.
    pub fn name_of(self, expression: &str, length: usize, rest: &str) -> String {
        let words = |text: &str| {
            let words = text.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
            words.collect::<Vec<_>>().join("_")
        };
        let mut name = words(expression);
        // ASCII, by the split: every byte is a character
        name.truncate(length);
        let prefix = if name.starts_with(|c: char| c.is_ascii_alphabetic()) { "" } else { "f_" };
        let name = format!("{prefix}{}_{}", name.trim_end_matches('_'), words(rest));
        match self {
            Self::C => name,
            Self::Rust => name.to_ascii_uppercase(),
        }
    }
}

/// Whether <stdint.h> defines the name, or may one day.
fn belongs_to_stdint(name: &str) -> bool {
    let is_integer = ["int", "uint", "INT", "UINT"].iter().any(|prefix| name.starts_with(prefix));
    name.ends_with("_t")
        || ["_MAX", "_MIN", "_WIDTH"].iter().any(|suffix| name.ends_with(suffix))
        || is_integer && name.ends_with("_C")
}

impl Table {
    /// The name that follows from expression, format and rounding: `exp_binary16`,
    /// `f_1_x_bfloat16_up`; in Rust in capitals.
    pub fn default_name(&self, language: Language) -> String {
        let expression = match &self.function {
            Expression::Call(builtin, x) if **x == Expression::X => builtin.name().to_string(),
            Expression::Special(function, x) if **x == Expression::X => function.name().to_string(),
            other => other.name(),
        };
        let format = self.format().to_string();
        let rest = match self.rounding {
            Rounding::NearestEven => format,
            other => format!("{format}_{}", other.name()),
        };
        language.name_of(&expression, DERIVED_LENGTH, &rest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        for name in ["exp", "exp_binary16", "T", "x1_", "fn", "match"] {
            assert_eq!(Language::C.check(name), Ok(()), "{name}");
        }
        for name in ["exp", "EXP_BINARY16", "int", "uint16_t", "linux", "union"] {
            assert_eq!(Language::Rust.check(name), Ok(()), "{name}");
        }
        let long = "a".repeat(64);
        for name in ["", "_", "_exp", "1x", "a b", "a-b", "é", "a;", &long] {
            for language in [Language::C, Language::Rust] {
                assert!(matches!(language.check(name), Err(TableError::Identifier { .. })), "{name}");
            }
        }
        for name in ["int", "static", "typeof", "class", "linux", "xor", "uint16_t", "UINT16_MAX", "INT8_C"] {
            assert!(Language::C.check(name).is_err(), "{name}");
        }
        for name in ["fn", "self", "Self", "gen", "yield", "static", "async"] {
            assert!(Language::Rust.check(name).is_err(), "{name}");
        }
        assert_eq!(
            Language::Rust.check("fn").unwrap_err().to_string(),
            "`fn` cannot be the name of a table in Rust: it is a keyword; take another one"
        );
    }
}
