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

const fn arguments(second: f64, third: f64) -> Published {
    Published { second, third }
}

/// I₀: TOMS 2016, table II: Lefèvre and regular.
pub const TABLE_II: [Published; 2] = [arguments(3.6e9, 8.9e6), arguments(1.8e10, 5.9e7)];

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

const fn binade(exponent: u32, lefevre: Published, regular: Published, regular_subdomains: u64) -> Binade {
    Binade { exponent, lefevre, regular, regular_subdomains }
}

/// TOMS 2016, table VI (a) and (b).
pub const TABLE_VI: [Binade; 2] = [
    binade(0, arguments(3.19e13, 7.65e10), arguments(1.62e14, 5.14e11), 8),
    binade(7, arguments(8.97e15, 9.55e14), arguments(9.01e15, 9.00e14), 32),
];
