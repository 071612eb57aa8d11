//! What the figures were measured on: the facts that stand above them.

use std::thread::available_parallelism;

use tmd_gpu::{AdapterSummary, Gpu, Shape};

use super::arguments::Arguments;
use crate::figures::{
    machine::{commit, cpu, today},
    table::{Table, count},
};

/// The title of the facts' table.
pub const FACTS: &str = "What was measured, and where";

/// The facts.
pub(crate) fn facts(arguments: &Arguments, gpu: &Gpu, shape: &Shape) -> Table {
    let AdapterSummary { name, api, kind, driver, features, .. } = gpu.summary();
    let mut table = Table::new(FACTS, "fact | value");
    let mut fact = |name: &str, value: String| table.row(vec![name.into(), value]);
    fact("date", today());
    fact("command", command(std::env::args().skip(1)));
    fact("adapter", format!("{name} ({kind})"));
    fact("driver", driver.clone());
    fact("api", api.clone());
    let native = if features.native_integers { "native and emulated" } else { "emulated only" };
    fact("64-bit integers", native.into());
    let clock =
        if features.timestamps { "timestamps of the device" } else { "none: the device has no timestamps" };
    fact("kernel times", clock.into());
    let chosen =
        format!("{} invocations in workgroups of {}", count(shape.invocations.into()), shape.workgroup);
    fact("sizes (tuned unless software)", chosen);
    fact("CPU", cpu());
    fact("cores", available_parallelism().map_or(1, usize::from).to_string());
    fact("commit", arguments.commit.clone().unwrap_or_else(commit));
    table
}

/// The command that brings these figures again, from what this program was told.
fn command(mut words: impl Iterator<Item = String>) -> String {
    let mut command = vec!["cargo xtask bench-gpu".to_owned()];
    while let Some(word) = words.next() {
        // where the figures go is no part of them, and a path of one machine
        match word.split_once('=').map_or(word.as_str(), |(option, _)| option) {
            "--out" | "--record" if word.contains('=') => {}
            "--out" | "--record" => drop(words.next()),
            _ => command.push(word),
        }
    }
    format!("`{}`", command.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands() {
        let of = |line: &str| command(line.split_whitespace().map(Into::into));
        assert_eq!(of(""), "`cargo xtask bench-gpu`");
        assert_eq!(
            of("--record a --quick --out=b.md --adapter 0 --out c.md"),
            "`cargo xtask bench-gpu --quick --adapter 0`"
        );
    }
}
