//! Units that are cells of a circle, in the lines of a status that are of binades.

use std::collections::BTreeMap;

use rusqlite::Connection;
use tmd_driver::certificate::RegionRecord;

use super::{Row, binade};

/// What units that search families begin with, instead of an inverse function.
pub(super) const FAMILY: &str = "family ";

/// Units that are cells of a circle count in the binade of their region, each with its share of the
/// region's arguments.
pub(super) fn place(connection: &Connection, rows: &mut [Row]) {
    let mut cells: BTreeMap<i64, u128> = BTreeMap::new();
    for row in rows.iter() {
        if let Some(region) = row.family_region {
            *cells.entry(region).or_default() += row.arguments;
        }
    }
    if cells.is_empty() {
        return;
    }
    // what cannot be read is damage, which `check` names
    let mut regions: BTreeMap<i64, RegionRecord> = documents(connection)
        .unwrap_or_default()
        .into_iter()
        .filter_map(|(number, document)| Some((number, serde_json::from_str(&document).ok()?)))
        .collect();
    // those that are searched with another one count in its binade
    let with: Vec<(i64, u128, String)> = regions
        .values()
        .filter_map(|region| Some((region.with? as i64, region.arguments, binade(&region.first))))
        .collect();
    let mut others: BTreeMap<i64, Vec<String>> = BTreeMap::new();
    for (leader, arguments, binade) in with {
        if let Some(region) = regions.get_mut(&leader) {
            region.arguments = region.arguments.saturating_add(arguments);
            others.entry(leader).or_default().push(binade);
        }
    }
    for row in rows {
        let Some(number) = row.family_region else { continue };
        if let Some((region, cells)) = regions.get(&number).zip(cells.get(&number)) {
            row.with = others.get(&number).cloned().unwrap_or_default();
            row.place.clone_from(&region.first);
            // far from overflow: fewer than 2^90 arguments, and 2^33 cells
            row.arguments = region.arguments.min(1 << 90) * row.arguments.min(1 << 33) / (*cells).max(1);
        }
    }
}

fn documents(connection: &Connection) -> rusqlite::Result<Vec<(i64, String)>> {
    let mut statement = connection.prepare("SELECT number, document FROM region ORDER BY number")?;
    let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
    rows.collect()
}
