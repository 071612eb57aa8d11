//! The status as JSON, and for people.

use std::fmt::Write as _;

use tmd_driver::plan::duration;

use super::{BinadeStatus, Status, WorkerStatus};
use crate::{Damage, Dispute, Question, plain};

impl Status {
    /// The status as JSON.
    pub fn to_json(&self) -> String {
        // strings and finite numbers only: serialization cannot fail
        serde_json::to_string_pretty(self).map_or_else(|error| error.to_string(), |text| text + "\n")
    }

    /// The status as JSON in one line.
    pub fn to_line(&self) -> String {
        serde_json::to_string(self).unwrap_or_else(|error| error.to_string())
    }

    /// The status for people: what is done, how long the rest takes, binade by binade, who works,
    /// what is wrong.
    pub fn to_text(&self) -> String {
        let Question { function, format, rounding, extra_bits, .. } = &self.question;
        let Self { units, finished, leased, open, cases, .. } = self;
        let engines = self.engines();
        let mut text =
            format!("{function} in {format}, rounding {rounding}, 2^-{extra_bits} ulp, by {engines}\n");
        let share = match self.arguments {
            0 => "nothing to search".to_owned(),
            arguments => {
                let arguments = arguments as f64;
                let percent = 100.0 * self.searched as f64 / arguments;
                format!("{percent:.1}% of 2^{:.1} arguments", arguments.log2())
            }
        };
        // writing to a String does not fail
        let _ = writeln!(
            text,
            "{finished} of {units} units finished, {leased} in work, {open} open; {share}, {cases} cases"
        );
        let left = match (self.is_complete, self.left_s) {
            (true, _) => {
                "all units are finished; tmd export writes the certificate, which says what is covered"
                    .to_owned()
            }
            (false, Some(seconds)) => format!("about {} left on {} threads", duration(seconds), self.threads),
            (false, None) => {
                format!(
                    "about {} left on one core; no worker is running: tmd resume",
                    duration(self.left_core_s)
                )
            }
        };
        let rate =
            self.rate.map(|rate| format!(", 2^{:.1} arguments/s", rate.max(1.0).log2())).unwrap_or_default();
        let (spent, planned) = (duration(self.spent_s), duration(self.planned_s));
        let _ = writeln!(text, "{left}{rate}; {spent} spent, {planned} planned for it");
        if !self.is_plan_whole {
            text += "DAMAGED: rows of the plan are missing or changed; tmd resume writes them again\n";
        }
        let unfinished: Vec<_> =
            self.binades.iter().filter(|binade| binade.finished < binade.units).collect();
        let of_shards = |count: &dyn std::fmt::Display| {
            if self.unmerged > 0 { format!("{count:>8} ") } else { String::new() }
        };
        if !unfinished.is_empty() {
            let shards = of_shards(&"shards");
            let _ = writeln!(
                text,
                "\n{:<20} {:>8} {shards}{:>8} {:>12}",
                "|x| from", "finished", "units", "core time left"
            );
        }
        for binade in unfinished {
            let (left, shards) = (duration(binade.left_core_s), of_shards(&binade.unmerged));
            let (title, BinadeStatus { finished, units, .. }) = (binade.title(), binade);
            let _ = writeln!(text, "{title:<20} {finished:>8} {shards}{units:>8} {left:>12}");
        }
        for WorkerStatus { name, threads, leased, finished, seen_s, .. } in &self.workers {
            let name = plain(name);
            let _ = writeln!(
                text,
                "worker {name}: {threads} threads, {leased} units in work, {finished} finished, seen {seen_s:.0} s ago"
            );
        }
        self.add_wrongs(&mut text);
        text
    }

    /// Which engines search.
    fn engines(&self) -> String {
        let engine = &self.question.engine;
        match self.of_families {
            0 => engine.clone(),
            all if all == self.units => "lattice3".to_owned(),
            some => format!("{engine}, {some} of {} units by lattice3", self.units),
        }
    }

    /// What does not count, and why.
    fn add_wrongs(&self, text: &mut String) {
        // writing to a String does not fail
        if self.unmerged > 0 {
            let percent = 100.0 * self.unmerged_arguments as f64 / self.arguments.max(1) as f64;
            let _ = writeln!(
                text,
                "shards have written results of {} more units, {percent:.1}% of the arguments; they count when tmd merge has taken them in",
                self.unmerged
            );
        }
        for Damage { unit, first, reason } in &self.damaged {
            let (first, reason) = (plain(first), plain(reason));
            let _ = writeln!(
                text,
                "DAMAGED: the result of unit {unit}, at {first}: {reason}; it will be searched again"
            );
        }
        for Dispute { unit, first, difference, sources, .. } in &self.disputed {
            let _ = writeln!(
                text,
                "DISPUTED: unit {unit}, at {}: {}; results of {}; it does not count until tmd resume has searched it again",
                plain(first),
                plain(difference),
                plain(&sources.join(", "))
            );
        }
        for Damage { unit, first, reason } in &self.failures {
            let _ = writeln!(text, "FAILED: unit {unit}, at {}: {}", plain(first), plain(reason));
        }
    }
}

impl BinadeStatus {
    /// Which arguments a line is of.
    fn title(&self) -> String {
        let from = plain(&self.from);
        match self.with.as_slice() {
            [] => from.into_owned(),
            [other] => format!("{from} and {}", plain(other)),
            others => format!("{from} and {} others", others.len()),
        }
    }
}
