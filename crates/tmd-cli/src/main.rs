//! `tmd`: find and check the hardest-to-round cases of a function, and tabulate it over a small
//! format. The library of this package is all of it; the work is in `tmd-driver`.
#![forbid(unsafe_code)]

use std::process::ExitCode;

fn main() -> ExitCode {
    tmd_cli::main()
}
