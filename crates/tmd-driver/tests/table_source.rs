//! Tables as source text: a C compiler and rustc read them, and find the values of the binary
//! table.

use std::{
    fmt::Write,
    fs,
    path::{Path, PathBuf},
    process::{Command, Output},
};

use tmd_core::{Format, Interrupt};
use tmd_driver::table::{Language, Rounding, Table};
use tmd_functions::parse;

fn run(command: &mut Command) -> Output {
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    output
}

/// A folder of this test's own.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::create_dir_all(&folder).unwrap();
    folder
}

fn table(text: &str, format: Format, rounding: Rounding) -> Table {
    Table::compute(&parse(text).unwrap(), format, rounding, &Interrupt::new()).unwrap()
}

/// What rustc is called as, to read the source as a library.
fn rustc(source: &Path) -> Command {
    let mut command = Command::new("rustc");
    let options = ["--edition", "2024", "--crate-type", "lib", "--emit", "metadata", "--out-dir"];
    command.args(options).arg(source.parent().unwrap()).arg(source);
    command
}

/// The header passes a strict compiler, twice in one program, and its values are the binary
/// table's.
#[test]
fn c_header() {
    let folder = folder("c_header");
    let path = |name: &str| folder.join(name);
    let expression = "exp(2*x)+sin(3*x^2)-3*cos(x)";
    let table = table(expression, Format::BFLOAT16, Rounding::Up);
    let name = table.default_name(Language::C);
    assert_eq!(name, "exp_2_x_sin_3_x_2_3_cos_x_bfloat16_up");
    let header = table.to_c(&name).unwrap();
    for words in [expression, "bfloat16", "toward +infinity", concat!("tmd ", env!("CARGO_PKG_VERSION"))] {
        assert!(header.lines().take(6).any(|line| line.contains(words)), "{words}");
    }
    fs::write(path("table.h"), header).unwrap();
    let program = format!(
        r#"#include <stdio.h>
#include "table.h"
#include "table.h"
int main(void)
{{
    unsigned long i;
    for (i = 0; i < 65536; i++) {{
        uint16_t y = {name}_lookup((uint16_t)i);
        putchar(y & 255);
        putchar(y >> 8);
    }}
    return 0;
}}
"#
    );
    fs::write(path("main.c"), program).unwrap();
    let strict = ["-std=c99", "-Wall", "-Wextra", "-pedantic", "-Werror", "-o"];
    run(Command::new("cc").args(strict).args([path("main"), path("main.c")]));
    let output = run(&mut Command::new(path("main")));
    assert!(output.stdout == table.to_bytes(), "the header and the binary table differ");
    run(Command::new("cc").args(["-std=gnu17", "-fsyntax-only", "-Werror"]).arg(path("main.c")));
}

/// The Rust source compiles without a warning, under its own name and under one of the user's, and
/// holds the same values.
#[test]
fn rust_source() {
    let folder = folder("rust_source");
    let table = table("1/x", Format::BINARY16, Rounding::NearestEven);
    let own = table.to_rust(&table.default_name(Language::Rust)).unwrap();
    assert!(own.starts_with("/// `1/x` in binary16, rounded to nearest, ties to even.\n"));
    assert!(own.contains("pub static F_1_X_BINARY16: [u16; 65536] = [\n"));
    let named = table.to_rust("reciprocal").unwrap();
    assert!(named.contains("pub static reciprocal: [u16; 65536] = [\n"));
    for (file, source) in [("own.rs", &own), ("named.rs", &named)] {
        let file = folder.join(file);
        fs::write(&file, format!("#![deny(warnings, missing_docs)]\n//! A table.\n{source}")).unwrap();
        run(&mut rustc(&file));
    }
    let entries: Vec<u8> = (own.split_once("= [").unwrap().1.split([',', '\n']))
        .filter_map(|word| word.trim().strip_prefix("0x"))
        .flat_map(|digits| u16::from_str_radix(digits, 16).unwrap().to_le_bytes())
        .collect();
    assert!(entries == table.to_bytes(), "the source and the binary table differ");
}

/// Names that look dangerous and are accepted compile: C's keywords in Rust, Rust's in C.
#[test]
fn accepted_names_compile() {
    let folder = folder("names");
    let mut c = String::from("#include <stdint.h>\n");
    for name in ["fn", "let", "exp_table", "T", "x_", "match", "impl", "EXP", "e", "INFINITE"] {
        Language::C.check(name).unwrap();
        writeln!(c, "static const uint16_t {name}[2] = {{0}};").unwrap();
    }
    fs::write(folder.join("names.c"), c).unwrap();
    run(Command::new("cc").args(["-std=gnu17", "-fsyntax-only"]).arg(folder.join("names.c")));
    let mut rust = String::from("#![allow(non_upper_case_globals)]\n");
    for name in ["int", "uint16_t", "EXP_TABLE", "T", "x_", "union", "linux", "raw", "u16"] {
        Language::Rust.check(name).unwrap();
        writeln!(rust, "pub static {name}: [u16; 2] = [0; 2];").unwrap();
    }
    fs::write(folder.join("names.rs"), rust).unwrap();
    run(&mut rustc(&folder.join("names.rs")));
}
