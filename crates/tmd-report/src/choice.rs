//! [`Choice`]: which rows of a certificate are written, in what order, and the command that is
//! named in comments.

use std::{cmp::Ordering, collections::BTreeMap};

use tmd_core::{BreakpointKind, Breakpoints};
use tmd_driver::{Certificate, table::Rounding};

use crate::{
    ReportError,
    binades::Binade,
    list::Listing,
    rounded::{MODES, kind_of},
    rows::{Row, UNDECIDED},
};

/// What is to be written. From a [`Listing`] it is everything.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// How cases that repeat others are listed.
    pub listing: Listing,
    /// Only so many cases, the hardest first.
    pub hardest: Option<usize>,
    /// Only so many cases of each binade of the arguments, the hardest first.
    pub per_binade: Option<usize>,
    /// Only rows next to breakpoints of these modes; with none, all rows, and the results in
    /// [`MODES`].
    pub modes: Vec<Rounding>,
    /// The command that writes the same again, for a comment.
    pub command: Option<String>,
}

impl From<Listing> for Choice {
    fn from(listing: Listing) -> Self {
        Self { listing, hardest: None, per_binade: None, modes: Vec::new(), command: None }
    }
}

/// The rows that were chosen.
pub(crate) struct Chosen<'a> {
    pub(crate) rows: Vec<Row<'a>>,
    /// what is said of a choice that leaves rows out
    pub(crate) words: Option<String>,
}

impl Choice {
    /// The modes whose results are written.
    pub fn modes(&self) -> &[Rounding] {
        if self.modes.is_empty() { &MODES } else { &self.modes }
    }

    /// Chooses among the rows of a certificate.
    ///
    /// # Errors
    /// [`ReportError::Mode`] for a mode of whose breakpoints the certificate says nothing.
    pub(crate) fn of<'a>(
        &self,
        certificate: &Certificate,
        mut rows: Vec<Row<'a>>,
    ) -> Result<Chosen<'a>, ReportError> {
        let all = rows.len();
        let mut parts: Vec<String> = Vec::new();
        if !self.modes.is_empty() {
            check(certificate, &self.modes)?;
            let kinds = [BreakpointKind::Number, BreakpointKind::Midpoint];
            let kinds =
                kinds.into_iter().filter(|kind| self.modes.iter().any(|mode| kind_of(*mode) == *kind));
            let names: Vec<String> = kinds.map(|kind| kind.to_string()).collect();
            rows.retain(|row| row.kind == UNDECIDED || names.iter().any(|name| row.kind == name));
            parts.push(format!("those next to {}s", names.join("s and ")));
        }
        if self.hardest.is_some() || self.per_binade.is_some() {
            // what is exact has no hardness
            rows.retain(|row| row.log2_dist.is_some());
        }
        if let Some(most) = self.per_binade {
            let mut binades = BTreeMap::<Option<Binade>, Vec<Row>>::new();
            for row in rows {
                binades.entry(Binade::of(row.argument)).or_default().push(row);
            }
            rows = binades.into_values().flat_map(|rows| hardest(rows, most)).collect();
            parts.push(format!("the {most} hardest of each binade"));
        }
        if let Some(most) = self.hardest {
            rows = hardest(rows, most);
            parts.push(format!("the {most} hardest"));
        }
        let words = (!parts.is_empty())
            .then(|| format!("SELECTED {} of {all} rows: {}", rows.len(), parts.join(", ")));
        Ok(Chosen { rows, words })
    }
}

/// Refuses modes of whose breakpoints a certificate says nothing.
///
/// # Errors
/// [`ReportError::Mode`], also if the certificate names breakpoints that do not exist.
pub(crate) fn check(certificate: &Certificate, modes: &[Rounding]) -> Result<(), ReportError> {
    let breakpoints: Breakpoints = certificate.rounding.parse()?;
    match modes.iter().find(|mode| !breakpoints.includes(kind_of(**mode))) {
        Some(mode) => Err(ReportError::Mode { mode: *mode, rounding: certificate.rounding.clone() }),
        None => Ok(()),
    }
}

/// The `most` hardest rows, the hardest first; ties by argument.
fn hardest(mut rows: Vec<Row>, most: usize) -> Vec<Row> {
    let order = |a: &Row, b: &Row| match (a.log2_dist, b.log2_dist) {
        (Some(x), Some(y)) => x.total_cmp(&y).then(a.argument.cmp(&b.argument)),
        _ => Ordering::Equal,
    };
    rows.sort_by(order);
    rows.truncate(most);
    rows
}
