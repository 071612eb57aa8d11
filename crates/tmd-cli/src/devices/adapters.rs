//! `tmd adapters`.

use std::{fmt::Write as _, process::ExitCode};

use serde_json::json;
use tmd_gpu::{AdapterKind, AdapterSummary, GpuError, adapters};

use crate::arguments::{AdaptersOptions, TextOutput};
use crate::output::{Destination, Failure};

const HEADER: &str =
    "index|adapter|kind|interface|64-bit integers|f64|subgroups|timestamps|largest buffer|driver";

pub(crate) fn run(options: &AdaptersOptions) -> Result<ExitCode, Failure> {
    let text = match options.output {
        TextOutput::Table => table(&adapters()),
        TextOutput::Json => document(&adapters()),
    };
    Destination::Standard.write(text)?;
    Ok(ExitCode::SUCCESS)
}

fn table(adapters: &[AdapterSummary]) -> String {
    if adapters.is_empty() {
        return format!("{}\n", GpuError::NoAdapter);
    }
    let header = HEADER.split('|').map(Into::into).collect();
    let rows: Vec<Vec<String>> = std::iter::once(header).chain(adapters.iter().map(row)).collect();
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..rows[0].len()).map(width).collect();
    let mut text = String::new();
    for row in &rows {
        let cells: Vec<String> =
            std::iter::zip(row, &widths).map(|(cell, width)| format!("{cell:<width$}")).collect();
        text += cells.join("  ").trim_end();
        text.push('\n');
    }
    for adapter in adapters {
        let AdapterSummary { index, .. } = adapter;
        // writing to a String does not fail
        let _ = writeln!(text, "\nFamilies (large arguments) on {index}: {}.", walk_of(adapter));
    }
    if adapters.iter().any(is_software) {
        text += "\nA software adapter is this machine's processor playing a GPU: chosen only if there is no other.\n";
    }
    text
}

fn row(adapter: &AdapterSummary) -> Vec<String> {
    let offered = |is: bool| if is { "yes" } else { "no" }.to_owned();
    let AdapterSummary { features, limits, .. } = adapter;
    vec![
        adapter.index.to_string(),
        adapter.name.clone(),
        adapter.kind.to_string(),
        adapter.api.clone(),
        offered(features.native_integers),
        offered(features.doubles),
        offered(features.subgroups),
        offered(features.timestamps),
        size(limits.storage_binding_bytes.min(limits.buffer_bytes)),
        adapter.driver.clone(),
    ]
}

/// In the largest unit that leaves no more than four digits, rounded down.
fn size(bytes: u64) -> String {
    match bytes >> 20 {
        mebibytes @ 0..10_000 => format!("{mebibytes} MiB"),
        mebibytes => format!("{} GiB", mebibytes >> 10),
    }
}

fn document(adapters: &[AdapterSummary]) -> String {
    let one = |adapter: &AdapterSummary| {
        let AdapterSummary { features, limits, .. } = adapter;
        json!({
            "index": adapter.index,
            "name": adapter.name,
            "kind": adapter.kind.to_string(),
            "software": is_software(adapter),
            "interface": adapter.api,
            "driver": adapter.driver,
            "native_integers": features.native_integers,
            "doubles": features.doubles,
            "families": if features.native_integers { "native integers" } else { "emulated integers" },
            "families_use_doubles": false,
            "subgroups": features.subgroups,
            "timestamps": features.timestamps,
            "storage_binding_bytes": limits.storage_binding_bytes,
            "buffer_bytes": limits.buffer_bytes,
            "workgroup_storage_bytes": limits.workgroup_storage_bytes,
            "invocations_per_workgroup": limits.invocations_per_workgroup,
            "workgroups_per_dimension": limits.workgroups_per_dimension,
        })
    };
    format!("{:#}\n", json!({ "adapters": adapters.iter().map(one).collect::<Vec<_>>() }))
}

/// How the walk in three dimensions would be done, and why: there is no variant in f64 (lemma G.12
/// of docs/proofs/gpu.md).
fn walk_of(adapter: &AdapterSummary) -> String {
    let integers = if adapter.features.native_integers {
        "native 64-bit integers, which it has"
    } else {
        "64-bit integers as pairs of words, as it has no others"
    };
    let doubles = if adapter.features.doubles {
        "its f64 is not used: nothing promises how a shader rounds it, nor that fma is fused"
    } else {
        "it has no f64, and none is needed"
    };
    format!("the walk in three dimensions in {integers}; {doubles}")
}

fn is_software(adapter: &AdapterSummary) -> bool {
    adapter.kind == AdapterKind::Software
}

#[cfg(test)]
mod tests {
    use super::*;
    use tmd_gpu::{AdapterFeatures, AdapterLimits};

    fn adapter(index: usize, native_integers: bool, doubles: bool) -> AdapterSummary {
        AdapterSummary {
            index,
            name: format!("GPU {index}"),
            api: "Vulkan".into(),
            kind: if index == 0 { AdapterKind::Software } else { AdapterKind::Discrete },
            driver: "driver 1.2".into(),
            features: AdapterFeatures { native_integers, doubles, subgroups: true, timestamps: false },
            limits: AdapterLimits {
                storage_binding_bytes: 1 << 31,
                buffer_bytes: 1 << 40,
                workgroup_storage_bytes: 1 << 15,
                invocations_per_workgroup: 1024,
                workgroups_per_dimension: 65535,
            },
        }
    }

    /// The lines about large arguments say which integers would be taken, and why no f64.
    #[test]
    fn each_adapter_says_how_families_are_searched() {
        let adapters = [adapter(0, true, true), adapter(1, false, true), adapter(2, true, false)];
        let table = table(&adapters);
        let lines: Vec<&str> = table.lines().filter(|line| line.starts_with("Families")).collect();
        let start =
            |index| format!("Families (large arguments) on {index}: the walk in three dimensions in ");
        let (native, pairs) = ("native 64-bit integers, which it has", "64-bit integers as pairs of words");
        let unused = "its f64 is not used: nothing promises how a shader rounds it, nor that fma is fused.";
        let expected =
            [(0, native, unused), (1, pairs, unused), (2, native, "it has no f64, and none is needed.")];
        assert_eq!(lines.len(), expected.len(), "{table}");
        for (line, (index, integers, doubles)) in lines.into_iter().zip(expected) {
            assert!(line.starts_with(&(start(index) + integers)) && line.ends_with(doubles), "{line}");
        }
        assert!(table.ends_with("chosen only if there is no other.\n"), "{table}");
        assert!(!super::table(&adapters[1..]).contains("software"), "the last line is of software only");
    }

    #[test]
    fn the_document_says_the_same() {
        let adapters = [adapter(0, true, true), adapter(1, false, false)];
        let document: serde_json::Value = serde_json::from_str(&document(&adapters)).unwrap();
        for (index, families, doubles) in [(0, "native integers", true), (1, "emulated integers", false)] {
            let one = &document["adapters"][index];
            assert_eq!((&one["families"], &one["doubles"]), (&families.into(), &doubles.into()), "{one}");
            assert_eq!(one["families_use_doubles"], false);
        }
    }
}
