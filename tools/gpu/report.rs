//! [`Report`]: the tables as they become known, and where they go; [`Figures`]: all of them.

use std::{fs, time::Duration};

use super::arguments::Arguments;
use crate::ToolError;
use crate::figures::machine::{slug, today};
use crate::figures::table::{self, Table};

/// Time in all kernels at one threshold of the hybrid division.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LogmsPoint {
    /// The engine's name.
    pub engine: &'static str,
    /// LOGMS, in bits.
    pub logms: u32,
    /// The time.
    pub time: Duration,
}

/// What was measured.
#[derive(Clone, Debug, Default)]
pub struct Figures {
    /// The adapter's name.
    pub adapter: String,
    /// Whether the CPU plays the GPU: then the times say nothing about GPUs.
    pub is_software: bool,
    /// The points of the sweep over LOGMS, in the order in which they were taken.
    pub logms: Vec<LogmsPoint>,
    /// The tables, as they were shown.
    pub tables: Vec<Table>,
    /// Figures that are wrong or could not be taken, but for want of time; the tables say why.
    pub wrong: u32,
}

/// Tables, and how many figures are missing.
pub(crate) struct Report {
    shown: fn(&Table),
    pub(crate) figures: Figures,
}

impl Report {
    pub(crate) fn new(adapter: String, is_software: bool, shown: fn(&Table)) -> Self {
        Self { shown, figures: Figures { adapter, is_software, ..Figures::default() } }
    }

    /// Adds a row of names and figures, or of names and the reason why there are none.
    pub(crate) fn row(
        &mut self,
        table: &mut Table,
        names: Vec<String>,
        figures: Result<Vec<String>, ToolError>,
    ) {
        table.row([names, self.cells(figures)].concat());
    }

    /// The figures, or the reason why there are none.
    pub(crate) fn cells(&mut self, figures: Result<Vec<String>, ToolError>) -> Vec<String> {
        figures.unwrap_or_else(|error| {
            self.figures.wrong += u32::from(!matches!(error, ToolError::NotMeasured { .. }));
            // errors of drivers have several lines
            vec![error.to_string().lines().next().unwrap_or_default().to_owned()]
        })
    }

    /// Adds a table, and shows it.
    pub(crate) fn table(&mut self, table: Table) {
        (self.shown)(&table);
        self.figures.tables.push(table);
    }

    /// Writes what there is to where the arguments say.
    pub(crate) fn save(&self, arguments: &Arguments) -> Result<(), ToolError> {
        let Figures { adapter, tables, .. } = &self.figures;
        if let Some(file) = &arguments.out {
            fs::write(file, table::markdown(tables)).map_err(ToolError::write(file))?;
        }
        if let Some(folder) = &arguments.record {
            let folder = folder.join(slug(arguments.machine.as_deref().unwrap_or(adapter)));
            fs::create_dir_all(&folder).map_err(ToolError::write(&folder))?;
            // parts of the figures of one day do not overwrite each other
            let sections: Vec<String> = arguments
                .sections
                .iter()
                .filter_map(clap::ValueEnum::to_possible_value)
                .map(|section| format!("-{}", section.get_name()))
                .collect();
            let file = format!("{}-gpu{}.csv", today(), sections.concat());
            table::write_csv(&folder.join(file), tables)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gpu::arguments::Section;
    use clap::Parser as _;

    #[test]
    fn reasons_stand_where_figures_are_missing() {
        let mut report = Report::new("Big GPU (1)".into(), false, |_| {});
        let mut table = Table::new("T", "a | b | c");
        report.row(&mut table, vec!["x".into()], Ok(vec!["1".into(), "2".into()]));
        report.row(&mut table, vec!["y".into()], Err(ToolError::not_measured("out of time")));
        assert_eq!(report.figures.wrong, 0);
        report.row(&mut table, vec!["z".into()], Err(ToolError::failed("shader\nline 2")));
        assert_eq!(report.figures.wrong, 1);
        let text = table.markdown();
        assert!(text.ends_with("| x | 1 | 2 |\n| y | not measured: out of time | — |\n| z | shader | — |\n"));
    }

    #[test]
    fn files() {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("figures.md");
        let mut arguments = Arguments::parse_from(["gpu_figures"]);
        arguments.out = Some(out.clone());
        arguments.record = Some(folder.path().join("record"));
        let mut report = Report::new("Big GPU (1)".into(), true, |_| {});
        for title in ["First", "Second"] {
            report.table(Table::new(title, "a"));
            report.save(&arguments).unwrap();
        }
        let text = fs::read_to_string(out).unwrap();
        assert_eq!(text, "### First\n\n| a |\n|---|\n\n### Second\n\n| a |\n|---|\n");
        arguments.sections = vec![Section::Sizes, Section::Logms];
        report.save(&arguments).unwrap();
        for name in ["gpu", "gpu-sizes-logms"] {
            let record = folder.path().join(format!("record/big-gpu-1/{}-{name}.csv", today()));
            assert_eq!(fs::read_to_string(record).unwrap(), "table,number,row,column,value\n");
        }
    }
}
