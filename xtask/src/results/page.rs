//! `results/index.html`: a page to look through the data set with: a table, plots of the hardness
//! of each binade, a search. It needs nothing but itself, and is read from the tables beside the
//! certificates.

use std::{
    fmt::Write as _,
    fs,
    path::{Path, PathBuf},
};

use super::{
    failure,
    files::ENDINGS,
    former,
    index::{cases, hardest},
    jobs::{self, Job, TARGETS},
    large::{self, Done, List},
    record::{cell, row_of},
    unfinished,
};
use crate::run::{Failure, root};

const PAGE: &str = include_str!("page.html");

/// That of the pages of single certificates.
const STYLE: &str = include_str!("../../../crates/tmd-report/src/html/style.css");

/// The file of the page, and its text.
pub(super) fn made() -> Result<(PathBuf, String), Failure> {
    Ok((root().join("results/index.html"), page(&root().join("results"))?))
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
    let entries = entries(results)?;
    // large arguments come after all else of their format
    let last = entries.iter().rposition(|entry| entry.format == "binary64");
    for (at, entry) in entries.iter().enumerate() {
        let path = results.join(format!("{}.md", entry.stem));
        let table = fs::read_to_string(&path).map_err(|error| failure(&path, &error))?;
        let links = entry.endings.iter().map(|ending| (format!("{}.{ending}", entry.stem), *ending));
        let links: Vec<_> = links.filter(|(file, _)| results.join(file).is_file()).collect();
        let hardest = ["directed", "to nearest"].map(|rounding| {
            let cells = hardest(&table, rounding);
            let mut cells = cells.split(" | ").map(|cell| cell.trim().trim_matches('`').to_owned());
            [cells.next().unwrap_or_default(), cells.next().unwrap_or_default()]
        });
        rows += &row(entry, Some(cases(&path)?), &hardest, &links, data.len());
        data.push(record(entry, binades(&table), &effort));
        if Some(at) == last {
            for done in large::done()? {
                rows += &row_of_large(&done, data.len());
                data.push(record_of_large(&done));
            }
        }
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
        .replacen("OPEN", &open(results)?, 1)
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
            endings: &ENDINGS,
        }));
        if target.format == "binary64" {
            let former = former::certificates(results);
            entries.extend(former.map(|(function, domain)| Entry {
                function: function.into(),
                format: target.format,
                domain: domain.into(),
                extra_bits: former::EXTRA_BITS,
                stem: function.into(),
                endings: &["json", "md", "csv"],
            }));
        }
    }
    Ok(entries)
}

/// A sentence on the jobs that are not done.
fn open(results: &Path) -> Result<String, Failure> {
    let all = jobs::jobs(&[], &[])?;
    let mut text = String::new();
    for target in TARGETS.into_iter().rev() {
        let is_open =
            |job: &&Job| job.target == target && !results.join(format!("{}.json.zst", job.stem())).is_file();
        let open: Vec<String> = all
            .iter()
            .filter(is_open)
            .map(|job| {
                let begun = unfinished::units_of(results, job).map(|units| format!("{units} searched"));
                let known: Vec<String> = job.binades.map(|_| job.domain()).into_iter().chain(begun).collect();
                let known = known.join(", ");
                if known.is_empty() { job.function.into() } else { format!("{} ({known})", job.function) }
            })
            .collect();
        if !open.is_empty() {
            // writing to a String does not fail
            let _ = writeln!(
                text,
                "<p class=\"hint\">Not done yet in {}: {}.</p>",
                target.format,
                escape(&open.join(", "))
            );
        }
    }
    Ok(text)
}

/// The row of a certificate, for readers without scripts, too: for each rounding the hardest
/// argument and its distance; links and their texts.
fn row(
    entry: &Entry,
    cases: Option<usize>,
    hardest: &[[String; 2]; 2],
    links: &[(String, &str)],
    index: usize,
) -> String {
    let (mut cells, mut files) = (String::new(), String::new());
    for ([x, distance], name) in hardest.iter().zip(["directed", "to nearest"]) {
        // writing to a String does not fail, here and below
        let _ = write!(
            cells,
            "<td data-name=\"{name}\"><span class=\"x\">{}</span></td><td class=\"right\" data-name=\"log2(distance)\">{}</td>",
            escape(x),
            escape(distance)
        );
    }
    for (file, text) in links {
        let _ = write!(files, "<a href=\"{file}\">{text}</a> ");
    }
    format!(
        "<tr class=\"row\" data-index=\"{index}\"><td><button class=\"name\" type=\"button\">{}</button> <span class=\"hint\">{}</span></td>\
         <td class=\"wrap\">{} <span class=\"hint epsilon\">within 2^-{} ulp</span></td><td class=\"right\" data-name=\"cases\">{}</td>{cells}<td class=\"files wrap\">{}</td></tr>\n",
        entry.function,
        entry.format,
        escape(&entry.domain),
        entry.extra_bits,
        cases.map_or_else(String::new, |cases| cases.to_string()),
        files.trim_end()
    )
}

/// The row of a function's large arguments: how many cases there are the lists do not say.
fn row_of_large(done: &Done, index: usize) -> String {
    let hardest = ["number", "midpoint"].map(|kind| match done.hardest(kind) {
        Some((distance, x, _)) => [x, format!("{distance:.4}")],
        None => ["none".into(), String::new()],
    });
    let entry = entry_of_large(done);
    let stem = &entry.stem;
    let links = [
        ("../docs/large-arguments.md".into(), "all binades"),
        (format!("{stem}.json.zst"), "json.zst"),
        (format!("{stem}.csv"), "csv"),
    ];
    row(&entry, None, &hardest, &links, index)
}

/// A function's large arguments; its files are those of the hardest.
fn entry_of_large(done: &Done) -> Entry {
    let all = ["number", "midpoint"].into_iter().filter_map(|kind| done.hardest(kind));
    let hardest = all.min_by(|a, b| a.0.total_cmp(&b.0));
    let name = hardest.map_or(&done.lists[0].name, |(_, _, list)| &list.name);
    Entry {
        function: done.function.into(),
        format: "binary64",
        domain: done.domain(),
        extra_bits: large::extra_bits().parse().unwrap_or_default(),
        stem: format!("large/{}/{name}", done.function),
        endings: &["json.zst", "csv"],
    }
}

/// What the page's script knows of a certificate: its binades, of positive arguments and of
/// negative ones, as it reads them.
fn record(entry: &Entry, [plus, minus]: [Vec<String>; 2], effort: &str) -> String {
    let took = row_of(effort, entry.format, &entry.function).filter(|_| entry.stem.contains(entry.format));
    let cell = |name: &str| took.and_then(|row| cell(row, name)).filter(|cell| !cell.is_empty());
    let mut said = cell("core_s").map_or_else(String::new, |core| format!("{core} core-seconds"));
    if !said.is_empty() {
        for (name, before, after) in [
            ("processor", " on one ", ""),
            ("planned_core_s", ", ", " by the plan"),
            ("verify_core_s", "; verified in ", ""),
        ] {
            said += &cell(name).map_or_else(String::new, |cell| format!("{before}{cell}{after}"));
        }
    }
    format!(
        "{{\"function\":\"{}\",\"format\":\"{}\",\"certificate\":\"{}.{}\",\"effort\":\"{said}\",\"plus\":\"{}\",\"minus\":\"{}\"}}",
        entry.function,
        entry.format,
        entry.stem,
        entry.endings[0],
        plus.join(";"),
        minus.join(";")
    )
}

/// The same of a function's large arguments: of each binade the hardest of both signs. Its cases
/// are not counted.
fn record_of_large(done: &Done) -> String {
    let of_sign = |is_negative: bool| {
        let binade = |List { binade, text, .. }: &List| {
            let is_own = |(at, line): &(usize, &str)| *at == 0 || line.starts_with('-') == is_negative;
            let own: Vec<&str> = text.lines().enumerate().filter(is_own).map(|(_, line)| line).collect();
            let own = own.join("\n");
            let [directed, nearest] = ["number", "midpoint"].map(|kind| {
                let hardest = large::hardest_of(&own, kind);
                hardest.and_then(|(distance, x)| Some(format!("{}:{distance}", digits(&x)?)))
            });
            let none = || ":".to_owned();
            format!("{binade}:0:{}:{}", directed.unwrap_or_else(none), nearest.unwrap_or_else(none))
        };
        done.lists.iter().map(binade).collect()
    };
    record(&entry_of_large(done), [of_sign(false), of_sign(true)], "")
}

/// The binades of a table, of positive arguments and of negative ones.
fn binades(table: &str) -> [Vec<String>; 2] {
    let (mut plus, mut minus) = (Vec::new(), Vec::new());
    for line in table.lines().skip_while(|line| *line != "## Binade by binade").skip(1) {
        if line.starts_with("## ") {
            break;
        }
        if let Some((is_negative, text)) = binade(line) {
            if is_negative { &mut minus } else { &mut plus }.push(text);
        }
    }
    [plus, minus]
}

/// Of 0x1.DIGITSpEXPONENT the digits: the exponent is the binade's.
fn digits(cell: &str) -> Option<String> {
    let digits = cell.trim_matches('`').trim_start_matches('-').split('p').next()?.strip_prefix("0x1")?;
    Some(digits.strip_prefix('.').unwrap_or("0").to_owned())
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

    /// Large arguments: the hardest of both signs, in the words of the script; links that lead
    /// somewhere.
    #[test]
    fn large_arguments() {
        let list = "sign_of_x,binade,x,kind,log2_dist\n-,20,-0x1.8p+20,number,-60.25\n+,20,0x1p+20,midpoint,-50.5\n\
                    -,20,-0x1.4p+20,number,-55\n";
        let done =
            Done { function: "sin", lists: vec![List { binade: 20, name: "20".into(), text: list.into() }] };
        let record = record_of_large(&done);
        assert!(record.contains("\"plus\":\"20:0:::0:-50.5\",\"minus\":\"20:0:8:-60.25::\""), "{record}");
        assert!(record.contains("\"certificate\":\"large/sin/20.json.zst\",\"effort\":\"\""), "{record}");
        let row = row_of_large(&done, 7);
        assert!(
            row.contains("1 of 1011 binades from 2^13 on <span class=\"hint epsilon\">within 2^-44 ulp")
                && row.contains("-0x1.8p+20"),
            "{row}"
        );
        let text = page(&root().join("results")).unwrap();
        for part in text.split("<a href=\"").skip(1) {
            let link = part.split('"').next().unwrap();
            assert!(root().join("results").join(link).exists(), "{link}");
        }
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
             parent.document.body.setAttribute('data-said', say.join(' '));</script></body>";
        fs::write(&path, text.replace("</body>", script)).unwrap();
        // windows are 500 pixels wide or more; a phone is a frame in one
        let phone = folder.join("phone.html");
        let frame = "<body style='margin:0'><iframe src='index.html' width='390' height='1900' frameborder='0'></iframe></body>";
        fs::write(&phone, frame).unwrap();
        for (width, path) in
            [(1280, &path), (1200, &path), (1100, &path), (1030, &path), (500, &path), (390, &phone)]
        {
            let output = Command::new(browser)
                .args([
                    "--headless",
                    "--no-sandbox",
                    "--disable-gpu",
                    "--disable-dev-shm-usage",
                    "--hide-scrollbars",
                    "--allow-file-access-from-files",
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
