//! `tablemaker`, the Python package: the questions of tmd-driver and the lists of tmd-report as
//! Python's functions and objects.
//!
//! What a user sees is in `python/tablemaker` (types in `_native.pyi`, exceptions in `_errors.py`)
//! and docs/python.md.
//!
//! * [`ask`]: questions from Python's values; [`job`]: work beside Python, which is told of
//!   progress and may end it;
//! * [`search`], [`solve`], [`plan`], [`check`], [`verify`]: the functions and what they return;
//!   [`certificate`]: `load`, too;
//! * [`case`], [`cases`]: cases one by one and as sequences; [`number`]: numbers; [`results`]: in
//!   all modes;
//! * [`arrow`]: Arrow's stream of [`columns`];
//! * exceptions are those of [`errors`].
#![forbid(unsafe_code)]
// docstrings are Python's: names stand in them as Python's readers expect them
#![allow(clippy::doc_markdown)]
// what is documented here is read here: Python's users have docs/python.md
#![allow(rustdoc::private_intra_doc_links)]

mod arrow;
mod ask;
mod case;
mod cases;
mod certificate;
mod check;
mod columns;
mod errors;
mod job;
mod number;
mod plan;
mod results;
mod search;
mod solve;
mod verify;

use pyo3::prelude::*;

#[pymodule]
mod _native {
    #[pymodule_export]
    use crate::{
        case::{Case, ExactCase, Results, Undecided},
        cases::Cases,
        certificate::{Certificate, load},
        check::check,
        job::Progress,
        plan::{Plan, plan},
        search::{SearchResult, search},
        solve::solve,
        verify::{Verification, verify},
    };
}
