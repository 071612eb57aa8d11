//! What the papers print about filtering.

/// Arguments that enter phases 2 and 3, as printed: two or three digits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Published {
    /// Arguments that enter phase 2.
    pub second: f64,
    /// Arguments that enter phase 3.
    pub third: f64,
}

/// I₀, Lefèvre: PDP 2012, table I: 109,048 domains of 2^15 arguments, 2,182 sub-domains of 2^12.
pub const LEFEVRE_DOMAINS: [u64; 2] = [109_048, 2_182];

/// Cases of I₀, by both papers.
pub const CASES: usize = 243;

/// I₀: TOMS 2016, table II: Lefèvre and regular.
pub const TABLE_II: [Published; 2] =
    [Published { second: 3.6e9, third: 8.9e6 }, Published { second: 1.8e10, third: 5.9e7 }];

/// A binade of TOMS 2016, table VI.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Binade {
    /// Its exponent: [2^exponent, 2^(exponent+1)), 2^53 arguments of 54 bits.
    pub exponent: u32,
    /// Lefèvre, 8 sub-domains.
    pub lefevre: Published,
    /// Regular …
    pub regular: Published,
    /// … with so many sub-domains.
    pub regular_subdomains: u64,
}

/// TOMS 2016, table VI (a) and (b).
pub const TABLE_VI: [Binade; 2] = [
    Binade {
        exponent: 0,
        lefevre: Published { second: 3.19e13, third: 7.65e10 },
        regular: Published { second: 1.62e14, third: 5.14e11 },
        regular_subdomains: 8,
    },
    Binade {
        exponent: 7,
        lefevre: Published { second: 8.97e15, third: 9.55e14 },
        regular: Published { second: 9.01e15, third: 9.00e14 },
        regular_subdomains: 32,
    },
];
