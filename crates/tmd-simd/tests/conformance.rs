//! The lane-packed backend through the conformance suite: every level of lanes this machine has.

use tmd_simd::{Level, Simd};
use tmd_testkit::conformance;

/// The level, or the best there is: a machine without AVX-512 tests AVX2 twice.
fn walk(name: &str, domain: Option<u64>) -> Simd {
    Simd::farey(Level::named(name).unwrap_or_else(|_| Level::best())).with_domain_size(domain)
}

conformance!(avx512, walk("avx512", None));
conformance!(avx512_domains_of_64, walk("avx512", Some(64)));
conformance!(avx512_one_domain, walk("avx512", Some(1 << 30)));
conformance!(avx2, walk("avx2", None));
conformance!(avx2_domains_of_1000, walk("avx2", Some(1000)));
conformance!(portable, walk("portable", None));
conformance!(portable_domains_of_256, walk("portable", Some(256)));
