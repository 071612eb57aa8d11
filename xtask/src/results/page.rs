//! `results/index.html`: a page to look through the data set with: a table, plots of the hardness
//! of each binade, a search. It needs nothing but itself, and is read from the tables beside the
//! certificates.

use std::{fmt::Write as _, fs, path::Path};

use super::{
    failure, former,
    index::{cases, hardest},
    jobs::{self, Job, TARGETS},
};
use crate::run::{Failure, root};

const PAGE: &str = include_str!("page.html");

/// That of the pages of single certificates.
const STYLE: &str = include_str!("../../../crates/tmd-report/src/html/style.css");

/// Writes the page again.
pub(super) fn write() -> Result<(), Failure> {
    let path = root().join("results/index.html");
    fs::write(&path, page(&root().join("results"))?).map_err(|error| failure(&path, &error))
}

/// A certificate that the page shows.
struct Entry {
    function: String,
    format: &'static str,
    domain: String,
    extra_bits: u32,
    /// the names of its files in `results/`, without an ending
    stem: String,
    endings: &'static [&'static str],
}

/// The page of the certificates below a folder.
fn page(results: &Path) -> Result<String, Failure> {
    let (mut rows, mut data) = (String::new(), Vec::new());
    let effort = fs::read_to_string(results.join("effort.csv")).unwrap_or_default();
    for entry in entries(results)? {
        let path = results.join(format!("{}.md", entry.stem));
        let table = fs::read_to_string(&path).map_err(|error| failure(&path, &error))?;
        rows += &row(results, &entry, &table, cases(&path)?, data.len());
        data.push(record(&entry, &table, &effort));
    }
    let mut options = String::new();
    for target in TARGETS.into_iter().rev() {
        let _ = write!(options, "<option>{}</option>", target.format);
    }
    let style = STYLE.trim_end();
    Ok(PAGE
        .replacen("STYLE", style, 1)
        .replacen("OPTIONS", &format!("{options}<option value=\"\">all formats</option>"), 1)
        .replacen("ROWS", &rows, 1)
        .replacen("DATA\n", &format!("[{}]\n", data.join(",\n")), 1)
        .replacen("<option>binary64<", "<option selected>binary64<", 1))
}

/// All that is done, the formats that most people ask for first.
fn entries(results: &Path) -> Result<Vec<Entry>, Failure> {
    let all = jobs::jobs(&[], &[])?;
    let is_there = |stem: &str| results.join(format!("{stem}.json.zst")).is_file();
    let mut entries = Vec::new();
    for target in TARGETS.into_iter().rev() {
        let done = all.iter().filter(|job| job.target == target && is_there(&job.stem()));
        entries.extend(done.map(|job: &Job| Entry {
            function: job.function.into(),
            format: target.format,
            domain: job.domain(),
            extra_bits: target.extra_bits,
            stem: job.stem(),
            endings: &["json.zst", "wc", "wc.zst", "parquet", "md", "csv"],
        }));
        if target.format == "binary64" {
            let former = former::CERTIFICATES.iter().filter(|(function, _)| {
                !is_there(&format!("binary64/{function}"))
                    && results.join(format!("{function}.json")).is_file()
            });
            entries.extend(former.map(|(function, domain)| Entry {
                function: (*function).into(),
                format: target.format,
                domain: (*domain).into(),
                extra_bits: former::EXTRA_BITS,
                stem: (*function).into(),
                endings: &["json", "md", "csv"],
            }));
        }
    }
    Ok(entries)
}

/// The row of a certificate, for readers without scripts, too.
fn row(results: &Path, entry: &Entry, table: &str, cases: usize, index: usize) -> String {
    let mut cells = String::new();
    for (rounding, name) in [("directed", "directed"), ("to nearest", "to nearest")] {
        let hardest = hardest(table, rounding);
        let mut of = hardest.split(" | ").map(|cell| cell.trim().trim_matches('`'));
        let (x, distance) = (of.next().unwrap_or_default(), of.next().unwrap_or_default());
        // writing to a String does not fail, here and below
        let _ = write!(
            cells,
            "<td data-name=\"{name}\"><span class=\"x\">{}</span></td><td class=\"right\" data-name=\"log2(distance)\">{}</td>",
            escape(x),
            escape(distance)
        );
    }
    let mut links = String::new();
    for ending in
        entry.endings.iter().filter(|ending| results.join(format!("{}.{ending}", entry.stem)).is_file())
    {
        let _ = write!(links, "<a href=\"{}.{ending}\">{ending}</a> ", entry.stem);
    }
    format!(
        "<tr class=\"row\" data-index=\"{index}\"><td><button class=\"name\" type=\"button\">{}</button> <span class=\"hint\">{}</span></td>\
         <td class=\"wrap\">{}; within 2^-{} ulp</td><td class=\"right\" data-name=\"cases\">{cases}</td>{cells}<td class=\"files wrap\">{}</td></tr>\n",
        entry.function,
        entry.format,
        escape(&entry.domain),
        entry.extra_bits,
        links.trim_end()
    )
}

/// What the page's script knows of a certificate.
fn record(entry: &Entry, table: &str, effort: &str) -> String {
    let (mut plus, mut minus) = (Vec::new(), Vec::new());
    for line in table.lines().skip_while(|line| *line != "## Binade by binade").skip(1) {
        if line.starts_with("## ") {
            break;
        }
        if let Some((is_negative, text)) = binade(line) {
            if is_negative { &mut minus } else { &mut plus }.push(text);
        }
    }
    let key = format!("{},{},", entry.format, entry.function);
    let took = effort.lines().find(|row| row.starts_with(&key)).filter(|_| entry.stem.contains('/'));
    let cells: Vec<&str> = took.map_or_else(Vec::new, |row| row.split(',').collect());
    let effort = match cells[..] {
        [_, _, _, _, planned, took, _, verified, processor] if !took.is_empty() => {
            format!("{took} core-seconds on one {processor}, {planned} by the plan; verified in {verified}")
        }
        _ => String::new(),
    };
    format!(
        "{{\"function\":\"{}\",\"format\":\"{}\",\"certificate\":\"{}.{}\",\"effort\":\"{effort}\",\"plus\":\"{}\",\"minus\":\"{}\"}}",
        entry.function,
        entry.format,
        entry.stem,
        entry.endings[0],
        plus.join(";"),
        minus.join(";")
    )
}

/// A row of the table of binades, whether of negative arguments, as the script reads it; nothing if
/// it has no cases, or is of no binade.
fn binade(line: &str) -> Option<(bool, String)> {
    let cells: Vec<&str> = line.strip_prefix("| ")?.split('|').map(str::trim).collect();
    let [name, count, directed, directed_log2, nearest, nearest_log2, ..] = cells[..] else { return None };
    let ends: Vec<&str> = name.split_whitespace().filter(|word| word.contains("2^")).collect();
    let is_negative = ends.first()?.starts_with('-');
    let end = if is_negative { ends.get(1)? } else { ends.first()? };
    let exponent: i32 = end.trim_start_matches('-').strip_prefix("2^")?.parse().ok()?;
    // 0x1.DIGITSpEXPONENT: the exponent is the binade's
    let digits = |cell: &str| {
        let digits = cell.trim_matches('`').trim_start_matches('-').split('p').next()?.strip_prefix("0x1")?;
        Some(digits.strip_prefix('.').unwrap_or("0").to_owned())
    };
    let (d, m) = (digits(directed).unwrap_or_default(), digits(nearest).unwrap_or_default());
    if d.is_empty() && m.is_empty() {
        return None;
    }
    Some((is_negative, format!("{exponent}:{count}:{d}:{directed_log2}:{m}:{nearest_log2}")))
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;

    #[test]
    fn rows_of_binades() {
        let row = "| -2^5 < x ≤ -2^4 | 95 | `-0x1.1841p+4` | -49.6787 | `-0x1p+4` | -49.8311 |";
        assert_eq!(binade(row), Some((true, "4:95:1841:-49.6787:0:-49.8311".into())));
        let row = "| 2^-35 ≤ x < 2^-34 | 1 | `0x1.8p-35` | -50.1 |  |  |";
        assert_eq!(binade(row), Some((false, "-35:1:8:-50.1::".into())));
        assert_eq!(binade("| 2^-35 ≤ x < 2^-34 | 0 |  |  |  |  |"), None);
        assert_eq!(binade("| binade | cases | a | b | c | d |"), None);
    }

    /// The page in the repository is that of the tables in the repository.
    #[test]
    fn the_page_is_up_to_date() {
        let directory = root().join("results");
        let written = fs::read_to_string(directory.join("index.html")).unwrap();
        assert!(written == page(&directory).unwrap(), "cargo xtask results --index writes it again");
    }

    /// What a browser makes of the page in windows of several widths: nothing is wider than it, all
    /// rows have names, the search finds functions and arguments, plots have a mark for each case.
    #[test]
    fn a_browser_shows_it() {
        let names = ["chromium", "chromium-browser", "google-chrome"];
        let Some(browser) =
            names.into_iter().find(|name| Command::new(name).arg("--version").output().is_ok())
        else {
            println!("skipped: no chromium on this machine");
            return;
        };
        let text = page(&root().join("results")).unwrap();
        let folder = std::env::temp_dir().join(format!("tmd-page-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let path = folder.join("index.html");
        let script = "<script>\
             const visible = () => rows.filter(row => row.offsetHeight > 0).length, say = [];\
             const type = text => { what.value = text; search(); return visible(); };\
             const wide = () => document.documentElement.scrollWidth > window.innerWidth;\
             format.value = ''; say.push(type('') === rows.length, wide(), type('asin') > 0 && type('asin') < rows.length);\
             const asin = data.findIndex(record => record.function === 'asin' && record.format === 'binary64');\
             const hardest = binades(data[asin]).filter(b => b.m !== null)[0].m;\
             say.push(type(hardest) > 0, found.textContent.includes('asin in binary64: ' + hardest), type('0x1.5555555555555p-3'), type('nothing'), type('asin'));\
             const asins = visible(); toggle(rows[asin]);\
             const marks = document.querySelectorAll('.plot svg circle').length;\
             say.push(asins > 1, marks === binades(data[asin]).filter(b => b.d !== null).length && marks > 20, wide(), \
             number('0x1p-1074') === 2 ** -1074, number('0x1.fffffffffffffp+1023') === Number.MAX_VALUE);\
             document.body.setAttribute('data-said', say.join(' '));</script></body>";
        fs::write(&path, text.replace("</body>", script)).unwrap();
        for width in [1280, 500] {
            let output = Command::new(browser)
                .args([
                    "--headless",
                    "--no-sandbox",
                    "--disable-gpu",
                    "--disable-dev-shm-usage",
                    "--hide-scrollbars",
                ])
                .arg(format!("--user-data-dir={}", folder.join("profile").display()))
                .arg(format!("--window-size={width},2000"))
                .arg("--dump-dom")
                .arg(format!("file://{}", path.display()))
                .output()
                .unwrap();
            let dump = String::from_utf8(output.stdout).unwrap();
            let said = dump.split("data-said=\"").nth(1).and_then(|rest| rest.split('"').next());
            let asins = text.matches("\"function\":\"asin").count();
            let expected = format!("true false true true true 0 0 {asins} true true false true true");
            assert_eq!(said, Some(expected.as_str()), "{width}");
        }
        fs::remove_dir_all(&folder).unwrap();
    }
}
