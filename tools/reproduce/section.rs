//! [`Section`]: published tables and figures beside ours, and how much of them is measured.

use crate::figures::table::Table;

/// How much is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    /// Samples: all sections together in less than five minutes on two cores.
    Quick,
    /// Everything that counts, and samples of what takes days.
    Full,
}

impl Scale {
    /// One of two values.
    pub fn pick<T>(self, quick: T, full: T) -> T {
        match self {
            Self::Quick => quick,
            Self::Full => full,
        }
    }
}

/// One or more published tables and figures, reproduced.
#[derive(Clone, Debug, Default)]
pub struct Section {
    /// What is shown.
    pub title: &'static str,
    /// Paper and number of what is reproduced, as `TOMS 2016, table III`.
    pub source: &'static str,
    /// What was measured: interval, sample, engines, options. Markdown.
    pub measured: String,
    /// The papers' numbers and ours: what the document shows.
    pub tables: Vec<Table>,
    /// More of ours: only in the record.
    pub details: Vec<Table>,
    /// Pictures of the same.
    pub pictures: Vec<Picture>,
    /// What the differences come from: one sentence for each table or figure. Markdown.
    pub differences: &'static [&'static str],
}

/// A picture, drawn.
#[derive(Clone, Debug)]
pub struct Picture {
    /// Its file's name, without folder and extension.
    pub name: &'static str,
    /// What it shows, for those who do not see it.
    pub alternative: &'static str,
    /// SVG text.
    pub svg: String,
}
