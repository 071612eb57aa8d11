//! What the papers print about the divergence on I₀, and which of our tests reproduces it.

/// A row of TOMS 2016, table III, with the mean NMDM of 32 lanes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Published {
    /// The name in the table, shortened.
    pub row: &'static str,
    /// Our test.
    pub name: &'static str,
    /// Fewest, mean and most turns of the main loop; the means are cut to whole numbers.
    pub turns: [u64; 3],
    /// Mean NMDM in percent.
    pub nmdm: f64,
}

/// TOMS 2016, table III and figure 6; SIMD 2016, figure 3.1.
pub const TABLE_III: [Published; 3] = [
    Published { row: "Lefèvre", name: "lefevre-division", turns: [5, 24, 328], nmdm: 25.6 },
    Published {
        row: "Lefèvre, with special",
        name: "lefevre-special-hybrid",
        turns: [5, 16, 31],
        nmdm: 25.7,
    },
    Published { row: "Regular", name: "regular", turns: [8, 12, 19], nmdm: 0.1 },
];

/// The published row that a test of ours stands for.
pub fn published(name: &str) -> Option<&'static Published> {
    TABLE_III.iter().find(|row| row.name == name)
}
