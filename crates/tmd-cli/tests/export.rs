//! `tmd export` and `tmd report`: files, and sentences for what is no certificate.

mod program;

use std::{fs, path::Path};

use program::{Answer, place, tmd};
use tmd_driver::{Certificate, certificate::SCHEMA, report::Undecided};

/// exp over all of binary16, in a file.
fn certificate(folder: &Path) -> String {
    let path = place(folder, "exp.json");
    tmd("solve exp --format binary16 --out", &[&path]).done();
    path
}

#[test]
fn every_format_of_a_certificate() {
    let folder = tempfile::tempdir().unwrap();
    let path = certificate(folder.path());
    let document: serde_json::Value = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
    let cases = document["cases"].as_array().unwrap();
    let first = cases[0].as_str().unwrap();
    // and exp(0) = 1
    let rows = cases.len() + 1;

    let export = |options: &str| tmd(&format!("export --output {options}"), &[&path]).done();
    let wc = export("wc").prints(&format!("\n{first} # "));
    assert_eq!(wc.text().lines().filter(|line| !line.starts_with('#')).count(), rows);
    assert!(wc.text().starts_with("# exp(x) in binary16, rounding all"), "{wc}");
    let csv = export("csv");
    assert!(csv.text().starts_with("x,binade,kind,exact,stands_for,sign,log2_dist,"), "{csv}");
    assert_eq!(csv.text().lines().count(), rows + 1);
    let json = export("json").json();
    assert_eq!((json["rows"].as_array().unwrap().len(), json["rows"][0]["x"].as_str()), (rows, Some(first)));
    let short = export("hardest --per-binade 2").prints("## The 2 hardest of each binade");
    assert!(short.out.len() < export("hardest").out.len());
    assert!(export("hardest-csv").text().starts_with("sign_of_x,binade,rank,x,"));

    // into a pipe, and the same into a file
    let parquet = export("parquet").out;
    assert!(parquet.starts_with(b"PAR1") && parquet.ends_with(b"PAR1"));
    let [file, page] = ["exp.parquet", "exp.html"].map(|name| place(folder.path(), name));
    tmd("export --output parquet", &[&path, "--out", &file]).done().prints_nothing();
    assert_eq!(fs::read(&file).unwrap(), parquet);

    tmd("report", &[&path, "--out", &page]).done().prints_nothing();
    let page = fs::read_to_string(page).unwrap();
    assert!(page.starts_with("<!DOCTYPE html>") && page.contains("<pre>tmd verify exp.json</pre>"));
}

#[test]
fn what_cannot_be_exported_is_said_in_one_sentence() {
    let folder = tempfile::tempdir().unwrap();
    let good = certificate(folder.path());
    let write = |name: &str, content: &[u8]| {
        let path = place(folder.path(), name);
        fs::write(&path, content).unwrap();
        path
    };
    let content = fs::read_to_string(&good).unwrap();
    let text_file = write("note.txt", b"hello");
    let binary = write("binary", &[0xff, 0xfe, 0]);
    let other = write("other.json", content.replace(SCHEMA, "tmd-certificate-0").as_bytes());
    let torn = write("torn.json", &content.as_bytes()[..content.len() / 2]);
    let lacking = write("lacking.json", content.replace("\"engine\"", "\"motor\"").as_bytes());
    let ends = format!("is truncated: it ends at byte {}, in the midst", content.len() / 2);
    let none = "is not a certificate; name a file that tmd solve --out wrote";
    let version =
        "is a certificate of the version tmd-certificate-0, and this program reads tmd-certificate-";
    for (line, file, sentence) in [
        ("export --output wc", &*text_file, none),
        ("report", &text_file, none),
        ("report", &torn, &ends),
        ("verify", &torn, &ends),
        ("export --output csv", &torn, &ends),
        ("verify", &text_file, none),
        ("report", &binary, none),
        ("report", "missing.json", "cannot read missing.json: No such file or directory"),
        ("report", &other, version),
        ("report", &lacking, "unknown field `motor`"),
        (
            "export --per-binade 3",
            &good,
            "--per-binade, --hardest and --mode are for lists and tables of cases",
        ),
    ] {
        tmd(line, &[file]).refused(sentence);
    }
    let nowhere = place(folder.path(), "no/where.html");
    tmd("report", &[&good, "--out", &nowhere]).refused("there is no directory");
}

/// What all commands say that turn a certificate or a run into something else, by their formats
/// where there are some, or their names.
fn in_every_format(source: &str, options: &str) -> Vec<(&'static str, Answer)> {
    let formats = "certificate wc corpus c rust csv json parquet hardest hardest-csv".split(' ');
    let exports = formats.map(|format| (format, format!("export --output {format}")));
    let others = ["report", "needs"].map(|command| (command, command.into()));
    let answer = |line: &String| tmd(&format!("{line} {options}"), &[source]);
    exports.chain(others).map(|(name, line)| (name, answer(&line))).collect()
}

fn has_word(answer: &Answer, word: &str) -> bool {
    answer.out.windows(word.len()).any(|bytes| bytes == word.as_bytes())
}

/// A certificate with a case less is nothing to export; if it must be, every format says what it
/// is.
#[test]
fn a_changed_certificate_is_not_exported_silently() {
    let folder = tempfile::tempdir().unwrap();
    let good = fs::read_to_string(certificate(folder.path())).unwrap();
    let line = good.lines().find(|line| line.starts_with("\"0x1")).unwrap();
    let changed = place(folder.path(), "changed.json");
    fs::write(&changed, good.replacen(&format!("{line}\n"), "", 1)).unwrap();
    for (format, answer) in in_every_format(&changed, "") {
        let answer = answer.ends(1).prints_nothing();
        assert_eq!(answer.err.lines().count(), 1, "{format}: {answer}");
        answer.says("changed.json was changed after it was written: its digest is ");
    }
    for (format, answer) in in_every_format(&changed, "--force") {
        let answer = answer.done().says("nothing that it says can be relied on");
        // the certificate itself says it by its digest
        assert!(has_word(&answer, "CHANGED") || format == "certificate", "{format}");
    }
    tmd("verify", &[&changed]).ends(1).prints("WRONG: the document was changed");
}

/// Of a run that is not finished every format says so, and ends alike.
#[test]
fn a_partial_run_ends_alike_in_every_format() {
    let folder = tempfile::tempdir().unwrap();
    let run = place(folder.path(), "run");
    tmd("solve exp --format binary16 --begin-only --run", &[&run]).done();
    for (format, answer) in in_every_format(&run, "") {
        let answer = answer.ends(1).says("PARTIAL: 0 of ");
        // tables of nothing have no line to say it
        let says = has_word(&answer, "PARTIAL");
        assert!(says || ["certificate", "csv", "hardest-csv"].contains(&format), "{format}");
    }
}

/// Arguments that could not be decided are not covered: no format calls that complete, nor does the
/// exit code.
#[test]
fn undecided_arguments_are_left() {
    let folder = tempfile::tempdir().unwrap();
    let good = fs::read_to_string(certificate(folder.path())).unwrap();
    let mut undecided = Certificate::from_json(&good).unwrap();
    undecided.undecided.push(Undecided { x: "0x1.8p+1".into(), bits: 700 });
    undecided.digest = undecided.computed_digest();
    let path = place(folder.path(), "undecided.json");
    fs::write(&path, undecided.to_json()).unwrap();
    for (format, answer) in in_every_format(&path, "") {
        let answer =
            answer.ends(1).says("NOT COMPLETE for every number of binary16: 1 of ").says("1 undecided");
        // the certificate itself says it by its list
        assert!(has_word(&answer, "NOT COMPLETE") || format == "certificate", "{format}");
    }
}

/// What repeats is listed, or counted: the cases of 1/x are those between 1 and 2, again and again.
#[test]
fn what_repeats_is_listed_or_counted() {
    let folder = tempfile::tempdir().unwrap();
    let path = place(folder.path(), "inverse.json");
    tmd("solve 1/x --format bfloat16 --out", &[&path]).done();
    let export = |options: &str| tmd(&format!("export --output wc {options}"), &[&path]);
    let lines = |options: &str| {
        let list = export(options).done();
        (list.text().lines().filter(|line| !line.starts_with('#')).count(), list)
    };
    let ((long, list), (short, short_list), (expanded, _)) =
        (lines(""), lines("--no-expand"), lines("--expand"));
    assert!(long == expanded && long > 20 * short, "{long} and {short}");
    // of each negative number, too
    let cases = list.text().lines().filter(|line| line.contains(" bits"));
    let cases: Vec<&str> = cases.filter_map(|line| line.split(' ').next()).collect();
    assert!(cases.iter().all(|x| x.starts_with('-') || cases.contains(&format!("-{x}").as_str())));
    short_list.prints(&format!(" lines stand for {} cases: ", cases.len()));
    export("--expand --no-expand").ends(2);
}
