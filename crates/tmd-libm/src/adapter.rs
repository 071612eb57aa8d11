//! Source text of an adapter: ten lines that make a function callable which is static, inline, or
//! not of the C ABI.

use tmd_core::Format;

use crate::{Encoding, LibmError};

pub use tmd_driver::table::Language;

/// The adapter of the function that is called `name`, with the commands that build it and test it.
/// The symbol is `tested_` and the name: another one than a libm has, which may be called by what
/// is adapted.
///
/// # Errors
/// [`LibmError::Format`] for formats that are no type of a C function.
pub fn text(language: Language, name: &str, function: &str, format: Format) -> Result<String, LibmError> {
    Encoding::new(format)?;
    let c_type = match format {
        Format::BINARY16 => "_Float16",
        Format::BFLOAT16 => "__bf16",
        Format::BINARY32 => "float",
        Format::BINARY64 => "double",
        _ => "long double",
    };
    let rust_type = match format {
        Format::BINARY32 => Some("f32"),
        Format::BINARY64 => Some("f64"),
        _ => None,
    };
    let option = if format == Format::BINARY64 { String::new() } else { format!(" --format {format}") };
    let test = |library: &str| {
        format!("tmd test-libm {library} --function \"{function}\" --symbol tested_{name}{option}")
    };
    Ok(match (language, rust_type) {
        (Language::C, _) => format!(
            "/* adapter.c: a function for tmd test-libm. Include what defines it, or declare it and add its .a or .o below.\n\
             \x20  cc -shared -fPIC -O2 -frounding-math -o adapter.so adapter.c -lm\n\
             \x20  {} */\n\
             #include <math.h>\n\
             \n\
             __attribute__((visibility(\"default\")))\n\
             {c_type} tested_{name}({c_type} x)\n\
             {{\n\
             \x20   return {name}(x);\n\
             }}\n",
            test("./adapter.so")
        ),
        (Language::Rust, Some(rust_type)) => format!(
            "// src/lib.rs: a function for tmd test-libm. In Cargo.toml: [lib] crate-type = [\"cdylib\"]\n\
             // cargo build --release\n\
             // {}\n\
             \n\
             use my_crate::{name};\n\
             \n\
             #[unsafe(no_mangle)]\n\
             pub extern \"C\" fn tested_{name}(x: {rust_type}) -> {rust_type} {{\n\
             \x20   {name}(x)\n\
             }}\n",
            test("target/release/libadapter.so")
        ),
        // no stable type of Rust has this ABI
        (Language::Rust, None) => return Err(LibmError::Format { format }),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ten_lines() {
        for language in [Language::C, Language::Rust] {
            let text = text(language, "my_exp", "exp", Format::BINARY64).unwrap();
            assert_eq!(text.lines().count(), 10, "{text}");
            assert!(text.contains("tmd test-libm") && text.contains("--symbol tested_my_exp"), "{text}");
        }
        assert!(
            text(Language::C, "f", "exp", Format::X87_EXTENDED)
                .unwrap()
                .contains("long double tested_f(long double x)")
        );
        assert!(text(Language::Rust, "f", "exp", Format::BINARY16).is_err());
        assert!(text(Language::Rust, "f", "exp", Format::BINARY32).unwrap().contains("--format binary32"));
    }
}
