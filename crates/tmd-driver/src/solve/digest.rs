//! [`SolvePlan::digest`]: two plans are the same if their digests are.

use std::fmt::Write as _;

use sha2::{Digest, Sha256};

use super::SolvePlan;
use crate::certificate::RegionRecord;

impl SolvePlan {
    /// SHA-256 of the regions and of the units' arguments, in hexadecimal digits; the times that
    /// units are expected to take have no part in it.
    pub fn digest(&self) -> String {
        let mut digest = Sha256::new();
        for region in &self.regions {
            // strings and finite numbers only: serialization does not fail
            digest.update(serde_json::to_vec(&RegionRecord::from(region)).unwrap_or_default());
            digest.update(b"\n");
        }
        let mut line = String::new();
        for unit in &self.units {
            line.clear();
            let range = &unit.range;
            let via = unit.via.as_ref().map_or_else(|| "directly".to_owned(), ToString::to_string);
            // writing to a String does not fail
            let _ = writeln!(
                line,
                "{} {} {} {} {via}",
                unit.region,
                range.first(),
                range.exponent(),
                range.count()
            );
            digest.update(&line);
        }
        format!("{:x}", digest.finalize())
    }
}
