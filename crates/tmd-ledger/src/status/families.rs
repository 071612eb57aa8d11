//! Units that are cells of a circle, in the lines of a status that are of binades.

use std::collections::BTreeMap;

use rusqlite::{Connection, OptionalExtension};
use tmd_driver::certificate::RegionRecord;

use super::Row;

/// What units that search families begin with, instead of an inverse function.
pub(super) const FAMILY: &str = "family ";

/// Units that are cells of a circle count in the binade of their region, each with its share of the region's arguments.
pub(super) fn place(connection: &Connection, rows: &mut [Row]) {
    let mut cells: BTreeMap<i64, u128> = BTreeMap::new();
    for row in rows.iter() {
        if let Some(region) = row.family_region {
            *cells.entry(region).or_default() += row.arguments;
        }
    }
    let mut regions: BTreeMap<i64, RegionRecord> = BTreeMap::new();
    for region in cells.keys() {
        let query = "SELECT document FROM region WHERE number = ?1";
        let document: Option<String> =
            connection.query_row(query, [region], |row| row.get(0)).optional().unwrap_or_default();
        // what cannot be read is damage, which `check` names
        if let Some(Ok(record)) = document.map(|document| serde_json::from_str::<RegionRecord>(&document)) {
            regions.insert(*region, record);
        }
    }
    for row in rows {
        let region = row.family_region.and_then(|number| Some((regions.get(&number)?, cells.get(&number)?)));
        if let Some((region, cells)) = region {
            row.place.clone_from(&region.first);
            // far from overflow: fewer than 2^90 arguments, and 2^33 cells
            row.arguments = region.arguments.min(1 << 90) * row.arguments.min(1 << 33) / (*cells).max(1);
        }
    }
}
