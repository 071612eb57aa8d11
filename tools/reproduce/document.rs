//! [`Document`]: the sections as one Markdown file and its pictures, and all their tables as a
//! record.

use std::{
    fs,
    path::{Path, PathBuf},
    thread::available_parallelism,
};

use super::{Name, Scale, Section};
use crate::ToolError;
use crate::figures::{
    machine::{commit, cpu, slug, today},
    picture::write,
    table::{Table, write_csv},
};

/// What stands at the top of the file.
const INTRODUCTION: &str = "\
# The papers, reproduced

Written by `cargo xtask reproduce`. For each published table and figure: the papers' numbers, ours, how they were taken, and what
the difference comes from. More tables of ours are in the record. Counts are exact and the same on every machine; seconds are of
this one:
";

/// The papers by the names that the sections use.
const PAPERS: &str = "\
PDP 2012: Fortin, Gouicem, Graillat, *Towards solving the Table Maker's Dilemma on GPU*. TOMS 2016: the same authors,
*GPU-accelerated generation of correctly rounded elementary functions*. SIMD 2016: Avenel, Fortin, Gouicem, Zaidi, *Solving the Table
Maker's Dilemma on current SIMD architectures*.
";

/// A document that grows section by section.
#[derive(Clone, Debug)]
pub struct Document {
    file: PathBuf,
    record: PathBuf,
    head: String,
    sections: Vec<String>,
    tables: Vec<Table>,
}

impl Document {
    /// A document without sections, written to this file at once, with its record below this
    /// folder, as MACHINE/DATE-reproduction.csv: a place that cannot be written shows before hours
    /// of work.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn new(file: &Path, records: &Path, scale: Scale) -> Result<Self, ToolError> {
        let folder = records.join(slug(&cpu()));
        fs::create_dir_all(&folder).map_err(ToolError::write(&folder))?;
        let record = folder.join(format!("{}-reproduction.csv", today()));
        let scale = scale.pick("--quick", "--full");
        let mut facts = Table::new("Machine", "fact | value");
        for (name, value) in [
            ("date", today()),
            ("command", format!("`cargo xtask reproduce {scale}`")),
            ("CPU", cpu()),
            ("cores", available_parallelism().map_or(1, usize::from).to_string()),
            ("commit", commit()),
            ("record", format!("`{}`", record.display())),
        ] {
            facts.row(vec![name.into(), value]);
        }
        let head = format!("{INTRODUCTION}\n{}\n{PAPERS}", facts.lines());
        let (sections, tables) = (Vec::new(), Vec::new());
        let document = Self { file: file.into(), record, head, sections, tables };
        document.write()?;
        Ok(document)
    }

    /// Adds a section and writes what there is.
    ///
    /// # Errors
    /// If a file cannot be written.
    pub fn add(&mut self, name: Name, section: &Section) -> Result<(), ToolError> {
        let mut text = markdown(name, section, &self.pictures());
        if !section.pictures.is_empty() {
            let folder = self.file.with_extension("");
            fs::create_dir_all(&folder).map_err(ToolError::write(&folder))?;
            for picture in &section.pictures {
                write(&folder.join(picture.name), &picture.svg)?;
            }
        }
        // headings of tables have the third level, this one the second
        text.insert_str(0, &format!("## {}\n\n", section.title));
        self.sections.push(text);
        self.tables.extend(section.tables.iter().chain(&section.details).cloned());
        self.write()
    }

    fn write(&self) -> Result<(), ToolError> {
        write_csv(&self.record, &self.tables)?;
        let text = format!("{}\n{}", self.head, self.sections.join("\n"));
        fs::write(&self.file, text).map_err(ToolError::write(&self.file))
    }

    /// The folder of the pictures, from the document's place.
    fn pictures(&self) -> String {
        self.file.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned())
    }
}

/// A section without its heading.
fn markdown(name: Name, section: &Section, pictures: &str) -> String {
    let mut parts = vec![format!(
        "{}. {}\n\n`cargo xtask reproduce --sections {}`\n",
        section.source,
        section.measured,
        name.as_str()
    )];
    parts.extend(section.tables.iter().map(Table::markdown));
    parts.extend(
        section
            .pictures
            .iter()
            .map(|picture| format!("![{}]({pictures}/{}.png)\n", picture.alternative, picture.name)),
    );
    if !section.differences.is_empty() {
        let lines: Vec<String> = section.differences.iter().map(|text| format!("- {text}\n")).collect();
        parts.push(lines.concat());
    }
    parts.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        figures::picture::COLORS,
        reproduce::{
            Picture,
            plot::{Lines, Series},
        },
    };

    #[test]
    fn sections_and_pictures() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("page.md");
        let mut document = Document::new(&file, folder.path(), Scale::Quick).unwrap();
        let mut table = Table::new("Counts", "what | papers | ours");
        table.row(vec!["cases".into(), "243".into(), "243".into()]);
        let mut more = Table::new("More", "what | ours");
        more.row(vec!["domains".into(), "7".into()]);
        let lines = Lines { x: "lanes", y: "NMDM, in %", log2_x: true, from_zero: true };
        let series = [Series { label: "one".into(), points: vec![(4.0, 1.0), (8.0, 2.5)] }];
        let picture = Picture { name: "curve", alternative: "A curve", svg: lines.svg(&series).unwrap() };
        assert!(picture.svg.contains(&format!("#{:02X}{:02X}{:02X}", COLORS[0].0, COLORS[0].1, COLORS[0].2)));
        let section = Section {
            title: "Filtering",
            source: "TOMS 2016, table II",
            measured: "All of I₀.".into(),
            tables: vec![table],
            details: vec![more],
            pictures: vec![picture],
            differences: &["None."],
        };
        assert!(matches!(
            Document::new(folder.path(), folder.path(), Scale::Quick),
            Err(ToolError::File { .. })
        ));
        document.add(Name::Divergence, &section).unwrap();
        let text = fs::read_to_string(&file).unwrap();
        assert!(text.contains("`cargo xtask reproduce --quick`"), "{text}");
        let expected = "## Filtering\n\nTOMS 2016, table II. All of I₀.\n\n`cargo xtask reproduce --sections divergence`\n\n\
                        ### Counts\n\n| what | papers | ours |\n|---|---|---|\n| cases | 243 | 243 |\n\n\
                        ![A curve](page/curve.png)\n\n- None.\n";
        assert!(text.ends_with(expected), "{text}");
        let record = format!("{}/{}-reproduction.csv", slug(&cpu()), today());
        let record = fs::read_to_string(folder.path().join(record)).unwrap();
        assert!(
            record.contains("Counts,1,cases,ours,243\n") && record.ends_with("More,1,domains,ours,7\n"),
            "{record}"
        );
        assert!(folder.path().join("page/curve.svg").exists());
        if cfg!(feature = "png") {
            let png = fs::read(folder.path().join("page/curve.png")).unwrap();
            assert_eq!(&png[1..4], b"PNG");
        }
    }
}
