//! `verify`: is a certificate true?

use std::sync::Arc;

use pyo3::{
    exceptions::{PyOSError, PyTypeError},
    prelude::*,
};
use tmd_driver::{
    Besides,
    certificate::{Verification as Check, Writer, verify::Findings, writer},
    engines_besides,
};

use crate::{
    certificate::{Certificate, load},
    errors::{self, Fault, outcome},
    job::{self, Ending},
};

/// What was checked of a certificate, and what is wrong with it.
#[pyclass(frozen, module = "tablemaker")]
pub(crate) struct Verification {
    /// A sentence for each kind of check that was carried out.
    #[pyo3(get)]
    checked: Vec<String>,
    /// What was not checked: by anybody but the program that wrote the certificate, or by a machine
    /// without its engine.
    #[pyo3(get)]
    unchecked: Vec<String>,
    /// What was left out on purpose, and how to check it: of most units only samples are searched
    /// again.
    #[pyo3(get)]
    left: Vec<String>,
    /// What was asked for and is not covered.
    #[pyo3(get)]
    uncovered: Vec<String>,
    /// What is wrong; none if the certificate holds.
    #[pyo3(get)]
    wrong: Vec<String>,
    /// What is covered of what was asked: a sentence.
    #[pyo3(get)]
    coverage: String,
    /// Whether nothing is wrong with what the certificate says. It may not say all that was asked.
    #[pyo3(get)]
    holds: bool,
    /// Whether it holds, covers all that was asked, and was checked as far as was asked, but for
    /// what `left` says. `tmd verify` ends with 0 only if nothing is left.
    #[pyo3(get)]
    complete: bool,
}

impl From<Findings> for Verification {
    fn from(findings: Findings) -> Self {
        let (holds, complete) = (findings.holds(), findings.is_all());
        Self {
            holds,
            complete,
            unchecked: findings.unchecked,
            left: findings.left,
            checked: findings.checked,
            uncovered: findings.uncovered,
            wrong: findings.refusals.iter().map(ToString::to_string).collect(),
            coverage: findings.coverage,
        }
    }
}

/// Checks a certificate, or the one in a file: regions, error budgets and cases are derived again,
/// and samples are searched again by another engine.
///
/// samples: units of which samples are searched again; sample_seconds: core-seconds for one of
/// them; seed: what their choice starts from, a number from the system if it is not given.
///
/// >>> verification = tablemaker.verify(tablemaker.solve("exp", format="bfloat16"))
/// >>> verification.holds, verification.complete, verification.wrong
/// (True, True, [])
#[pyfunction]
#[pyo3(signature = (certificate, *, samples=16, sample_seconds=1.0, seed=None))]
pub(crate) fn verify(
    py: Python<'_>,
    certificate: &Bound<'_, PyAny>,
    samples: usize,
    sample_seconds: f64,
    seed: Option<u64>,
) -> PyResult<Verification> {
    // whoever forges a certificate must not know where nobody will look
    let seed = seed.map_or_else(
        || {
            getrandom::u64()
                .map_err(|error| PyOSError::new_err(format!("no random numbers: {error}; give a seed")))
        },
        Ok,
    )?;
    let certificate: Py<Certificate> = if let Ok(certificate) = certificate.cast::<Certificate>() {
        certificate.clone().unbind()
    } else {
        let path = certificate
            .extract()
            .map_err(|_| PyTypeError::new_err("verify takes a Certificate, or the path of one"))?;
        // one that was changed is checked, too: that is what is found wrong with it
        Py::new(py, load(py, path, true)?)?
    };
    let document = Arc::new(certificate.get().inner.clone());
    let ended = job::run(py, None, Ending::Abandon, move |_, interrupt| {
        let function = errors::function(&document.function)?;
        let writer = writer(&document.engine);
        let Besides { other, faster } = engines_besides(&document.engine);
        let check = Check {
            certificate: &document,
            function: &function,
            engine: writer.as_ref().and_then(Writer::engine),
            other: &other,
            faster: faster.as_ref().map(|faster| faster as _),
            walk: None,
            samples,
            sample_seconds,
            seed,
        };
        Ok::<Verification, Fault>(check.run(interrupt)?.into())
    })?;
    outcome(py, ended)
}

#[pymethods]
impl Verification {
    fn __bool__(&self) -> bool {
        self.complete
    }

    fn __repr__(&self) -> String {
        let Self { holds, complete, wrong, .. } = self;
        match (holds, complete) {
            (true, true) => format!("<Verification: holds, {}>", self.coverage),
            (true, false) => {
                "<Verification: holds in what was checked and is covered, which is NOT all>".into()
            }
            _ => format!("<Verification: does NOT hold, {} things are wrong>", wrong.len()),
        }
    }
}
