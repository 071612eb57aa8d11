//! [`Report`]: the tables as they become known, and where they go.

use std::{fs, path::Path};

use super::{Figures, LogmsPoint, arguments::Arguments, machine::slug, measure::Missing};
use crate::figures::machine::today;
use crate::figures::table::{self, Table};

/// Tables, and how many figures are missing.
pub(crate) struct Report {
    adapter: String,
    shown: fn(&Table),
    tables: Vec<Table>,
    logms: Vec<LogmsPoint>,
    wrong: u32,
}

impl Report {
    pub(crate) fn new(adapter: String, shown: fn(&Table)) -> Self {
        Self { adapter, shown, tables: Vec::new(), logms: Vec::new(), wrong: 0 }
    }

    /// All of it.
    pub(crate) fn finish(self) -> Figures {
        let Self { adapter, tables, logms, wrong, .. } = self;
        Figures { adapter, logms, tables, wrong }
    }

    /// Adds a row of names and figures, or of names and the reason why there are none.
    pub(crate) fn row(
        &mut self,
        table: &mut Table,
        names: Vec<String>,
        figures: Result<Vec<String>, Missing>,
    ) {
        let figures = self.figures(figures);
        table.row([names, figures].concat());
    }

    /// The figures, or the reason why there are none.
    pub(crate) fn figures(&mut self, figures: Result<Vec<String>, Missing>) -> Vec<String> {
        figures.unwrap_or_else(|error| {
            let reason = error.to_string();
            self.wrong += u32::from(!reason.starts_with("not measured"));
            // errors of drivers have several lines
            vec![reason.lines().next().unwrap_or_default().to_owned()]
        })
    }

    /// Adds a point of the sweep over LOGMS.
    pub(crate) fn point(&mut self, point: LogmsPoint) {
        self.logms.push(point);
    }

    /// Adds a table, and shows it.
    pub(crate) fn table(&mut self, table: Table) {
        (self.shown)(&table);
        self.tables.push(table);
    }

    /// Writes what there is to where the arguments say.
    pub(crate) fn save(&self, arguments: &Arguments, adapter: &str) -> Result<(), Missing> {
        if let Some(file) = &arguments.out {
            let text: Vec<String> = self.tables.iter().map(Table::markdown).collect();
            fs::write(file, text.join("\n"))?;
        }
        if let Some(folder) = &arguments.record {
            let machine = slug(arguments.machine.as_deref().unwrap_or(adapter));
            // parts of the figures of one day do not overwrite each other
            let sections: Vec<String> = arguments
                .sections
                .iter()
                .filter_map(clap::ValueEnum::to_possible_value)
                .map(|section| format!("-{}", section.get_name()))
                .collect();
            self.record(&folder.join(machine), &format!("{}-gpu{}.csv", today(), sections.concat()))?;
        }
        Ok(())
    }

    fn record(&self, folder: &Path, file: &str) -> Result<(), Missing> {
        fs::create_dir_all(folder)?;
        fs::write(folder.join(file), table::csv(&self.tables)?)?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gpu::{arguments::Section, measure::missing};
    use clap::Parser as _;

    #[test]
    fn reasons_stand_where_figures_are_missing() {
        let mut report = Report::new("Big GPU (1)".into(), |_| {});
        let mut table = Table::new("T", &["a", "b", "c"]);
        report.row(&mut table, vec!["x".into()], Ok(vec!["1".into(), "2".into()]));
        report.row(&mut table, vec!["y".into()], Err(missing("not measured: out of time")));
        assert_eq!(report.wrong, 0);
        report.row(&mut table, vec!["z".into()], Err(missing("shader\nline 2")));
        assert_eq!(report.wrong, 1);
        let text = table.markdown();
        let point = LogmsPoint { engine: "regular", logms: 3, time: std::time::Duration::from_millis(1) };
        report.point(point);
        let figures = report.finish();
        assert_eq!((figures.logms, figures.wrong, &*figures.adapter), (vec![point], 1, "Big GPU (1)"));
        assert!(text.ends_with("| x | 1 | 2 |\n| y | not measured: out of time | — |\n| z | shader | — |\n"));
    }

    #[test]
    fn files() {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("figures.md");
        let mut arguments = Arguments::parse_from(["gpu_figures"]);
        arguments.out = Some(out.clone());
        arguments.record = Some(folder.path().join("record"));
        let mut report = Report::new("Big GPU (1)".into(), |_| {});
        for title in ["First", "Second"] {
            report.table(Table::new(title, &["a"]));
            report.save(&arguments, "Big GPU (1)").unwrap();
        }
        let text = fs::read_to_string(out).unwrap();
        assert_eq!(text, "### First\n\n| a |\n|---|\n\n### Second\n\n| a |\n|---|\n");
        arguments.sections = vec![Section::Sizes, Section::Logms];
        report.save(&arguments, "Big GPU (1)").unwrap();
        for name in ["gpu", "gpu-sizes-logms"] {
            let record = folder.path().join(format!("record/big-gpu-1/{}-{name}.csv", today()));
            assert_eq!(fs::read_to_string(record).unwrap(), "table,number,row,column,value\n");
        }
    }
}
