//! [`Refusal`]: why a certificate is not believed.

/// What is wrong with a certificate. Each names the place.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs)]
pub enum Refusal {
    #[error("the document was changed: its digest is {computed}, not {written}")]
    Digest { computed: String, written: String },
    #[error("it is of another function: {written}, not {given}")]
    Function { written: String, given: String },
    #[error("it is not complete: {finished} of {planned} units were finished{}", first_failure(failures))]
    Incomplete { finished: usize, planned: usize, failures: Vec<String> },
    #[error("the regions are {written}, but {derived} follow from the function")]
    RegionCount { written: usize, derived: usize },
    #[error("region {index}, from {first}: it says `{written}`, but `{derived}` follows from the function")]
    Region { index: usize, first: String, written: String, derived: String },
    #[error("region {index}, from {first}: {reason}")]
    Tiling { index: usize, first: String, reason: String },
    #[error(
        "unit {index}, from {first}: the bound of the line {line} is {written:e} ulp, but {derived:e} follows from the pieces"
    )]
    Budget { index: usize, first: String, line: &'static str, written: f64, derived: f64 },
    #[error("its {what} is `{written}`, which should be {derived}")]
    Field { what: &'static str, written: String, derived: String },
    #[error(
        "region {index}, from {first}: a search is said to take {written:.3} core-seconds and to be out of reach; it takes {derived:.3}, and one of {longest:.3} was made"
    )]
    Reach { index: usize, first: String, written: f64, derived: f64, longest: f64 },
    #[error("unit {index}, from {first}: {reason}")]
    Phases { index: usize, first: String, reason: String },
    #[error(
        "unit {index}, from {first}: it says `{written}`, and a search of it by the same engine `{derived}`"
    )]
    Unit { index: usize, first: String, written: String, derived: String },
    #[error("unit {index}, from {first}: it counts {written} {what}, but there are {derived}")]
    Count { index: usize, first: String, what: &'static str, written: u64, derived: u64 },
    #[error("{what} {x}: {reason}")]
    Listed { what: &'static str, x: String, reason: String },
    #[error("{count} arguments from {first}, searched again by {engine}: {reason}")]
    Sample { engine: String, first: String, count: u64, reason: String },
    #[error(
        "the arguments from {first} to {last} hold {found} cases where {expected:.1} are expected: chance does that with probability {probability:.1e}"
    )]
    Unlikely { first: String, last: String, found: u64, expected: f64, probability: f64 },
    #[error("it cannot be checked: {reason}")]
    Unreadable { reason: String },
}

fn first_failure(failures: &[String]) -> String {
    failures.first().map_or_else(String::new, |failure| format!("; at {failure}"))
}
