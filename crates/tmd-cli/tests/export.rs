//! `tmd export` and `tmd report`: files, and sentences for what is no certificate.

mod program;

use std::{
    fs,
    path::{Path, PathBuf},
};

use program::{refused, tmd};
use tmd_driver::certificate::SCHEMA;

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// exp over all of binary16, in a file.
fn certificate(folder: &Path) -> PathBuf {
    let path = folder.join("exp.json");
    let solved = tmd(&["solve", "exp", "--format", "binary16", "--out", path.to_str().unwrap()]);
    assert!(solved.status.success(), "{}", text(&solved.stderr));
    path
}

#[test]
fn every_format_of_a_certificate() {
    let folder = tempfile::tempdir().unwrap();
    let path = certificate(folder.path());
    let path = path.to_str().unwrap();
    let document: serde_json::Value = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
    let cases = document["cases"].as_array().unwrap();
    let first = cases[0]["x"].as_str().unwrap();
    // and exp(0) = 1
    let rows = cases.len() + 1;

    let export = |options: &[&str]| {
        let output = tmd(&[&["export", path, "--output"], options].concat());
        assert!(output.status.success(), "{}", text(&output.stderr));
        output.stdout
    };
    let wc = text(&export(&["wc"]));
    assert_eq!(wc.lines().filter(|line| !line.starts_with('#')).count(), rows);
    assert!(wc.starts_with("# exp(x) in binary16, rounding all") && wc.contains(&format!("\n{first} # ")));
    let csv = text(&export(&["csv"]));
    assert!(
        csv.starts_with("x,binade,kind,exact,stands_for,sign,log2_dist,") && csv.lines().count() == rows + 1
    );
    let json: serde_json::Value = serde_json::from_slice(&export(&["json"])).unwrap();
    assert_eq!((json["rows"].as_array().unwrap().len(), json["rows"][0]["x"].as_str()), (rows, Some(first)));
    let (short, long) = (export(&["hardest", "--per-binade", "2"]), export(&["hardest"]));
    assert!(text(&short).contains("## The 2 hardest of each binade") && short.len() < long.len());
    assert!(text(&export(&["hardest-csv"])).starts_with("sign_of_x,binade,rank,x,"));

    // into a pipe, and the same into a file
    let parquet = export(&["parquet"]);
    assert!(parquet.starts_with(b"PAR1") && parquet.ends_with(b"PAR1"));
    let file = folder.path().join("exp.parquet");
    assert!(export(&["parquet", "--out", file.to_str().unwrap()]).is_empty());
    assert_eq!(fs::read(&file).unwrap(), parquet);

    let page = folder.path().join("exp.html");
    let output = tmd(&["report", path, "--out", page.to_str().unwrap()]);
    assert!(output.status.success() && output.stdout.is_empty(), "{}", text(&output.stderr));
    let page = fs::read_to_string(page).unwrap();
    assert!(page.starts_with("<!DOCTYPE html>") && page.contains("<pre>tmd verify exp.json</pre>"));
}

#[test]
fn what_cannot_be_exported_is_said_in_one_sentence() {
    let folder = tempfile::tempdir().unwrap();
    let good = certificate(folder.path());
    let write = |name: &str, content: &[u8]| {
        let path = folder.path().join(name);
        fs::write(&path, content).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let content = fs::read_to_string(&good).unwrap();
    let text_file = write("note.txt", b"hello");
    let binary = write("binary", &[0xff, 0xfe, 0]);
    let other = write("other.json", content.replace(SCHEMA, "tmd-certificate-0").as_bytes());
    let torn = write("torn.json", &content.as_bytes()[..content.len() / 2]);
    let lacking = write("lacking.json", content.replace("\"engine\"", "\"motor\"").as_bytes());
    let good = good.to_str().unwrap();
    let ends = format!("is truncated: it ends at byte {}, in the midst", content.len() / 2);
    let nowhere = folder.path().join("no/where.html");
    for (arguments, sentence) in [
        (
            vec!["export", &text_file, "--output", "wc"],
            "is not a certificate; name a file that tmd solve --out wrote",
        ),
        (vec!["report", &text_file], "is not a certificate; name a file that tmd solve --out wrote"),
        (vec!["report", &torn], &ends),
        (vec!["verify", &torn], &ends),
        (vec!["export", &torn, "--output", "csv"], &ends),
        (vec!["verify", &text_file], "is not a certificate; name a file that tmd solve --out wrote"),
        (vec!["report", &binary], "is not a certificate; name a file that tmd solve --out wrote"),
        (vec!["report", "missing.json"], "cannot read missing.json: No such file or directory"),
        (
            vec!["report", &other],
            "is a certificate of the version tmd-certificate-0, and this program reads tmd-certificate-",
        ),
        (vec!["report", &lacking], "unknown field `motor`"),
        (vec!["report", good, "--out", nowhere.to_str().unwrap()], "there is no directory"),
        (
            vec!["export", good, "--per-binade", "3"],
            "--per-binade, --hardest and --mode are for lists and tables of cases",
        ),
    ] {
        refused(&tmd(&arguments), sentence);
    }
}

/// A certificate with a case less is nothing to export; if it must be, every format says what it
/// is.
#[test]
fn a_changed_certificate_is_not_exported_silently() {
    let folder = tempfile::tempdir().unwrap();
    let good = fs::read_to_string(certificate(folder.path())).unwrap();
    let line = good.lines().find(|line| line.starts_with("{\"x\":\"0x1")).unwrap();
    let changed = folder.path().join("changed.json");
    fs::write(&changed, good.replacen(&format!("{line}\n"), "", 1)).unwrap();
    let changed = changed.to_str().unwrap();
    let formats =
        ["certificate", "wc", "corpus", "c", "rust", "csv", "json", "parquet", "hardest", "hardest-csv"];
    let exports = formats.map(|format| vec!["export", changed, "--output", format]);
    for command in exports.iter().chain([&vec!["report", changed], &vec!["needs", changed]]) {
        let refused = tmd(command);
        let said = text(&refused.stderr);
        assert_eq!(refused.status.code(), Some(1), "{command:?}: {said}");
        assert!(refused.stdout.is_empty() && said.lines().count() == 1, "{command:?}: {said}");
        assert!(said.contains("changed.json was changed after it was written: its digest is "), "{said}");
        let forced = tmd(&[&command[..], &["--force"]].concat());
        assert!(forced.status.success(), "{command:?}: {}", text(&forced.stderr));
        assert!(text(&forced.stderr).contains("nothing that it says can be relied on"));
        // the certificate itself says it by its digest
        let says = forced.stdout.windows(7).any(|bytes| bytes == b"CHANGED");
        assert!(says || command.contains(&"certificate"), "{command:?}");
    }
    let verified = tmd(&["verify", changed]);
    assert_eq!(verified.status.code(), Some(1));
    assert!(text(&verified.stdout).contains("WRONG: the document was changed"));
}

/// Of a run that is not finished every format says so, and ends alike.
#[test]
fn a_partial_run_ends_alike_in_every_format() {
    let folder = tempfile::tempdir().unwrap();
    let run = folder.path().join("run");
    let run = run.to_str().unwrap();
    let begun = tmd(&["solve", "exp", "--format", "binary16", "--run", run, "--begin-only"]);
    assert!(begun.status.success(), "{}", text(&begun.stderr));
    let formats =
        ["certificate", "wc", "corpus", "c", "rust", "csv", "json", "parquet", "hardest", "hardest-csv"];
    let exports = formats.map(|format| vec!["export", run, "--output", format]);
    for command in exports.iter().chain([&vec!["report", run], &vec!["needs", run]]) {
        let output = tmd(command);
        assert_eq!(output.status.code(), Some(1), "{command:?}: {}", text(&output.stderr));
        assert!(text(&output.stderr).contains("PARTIAL: 0 of "), "{command:?}");
        // tables of nothing have no line to say it
        let says = output.stdout.windows(7).any(|bytes| bytes == b"PARTIAL");
        assert!(
            says || ["certificate", "csv", "hardest-csv"].contains(command.last().unwrap()),
            "{command:?}"
        );
    }
}

/// Arguments that could not be decided are not covered: no format calls that complete, nor does the
/// exit code.
#[test]
fn undecided_arguments_are_left() {
    let folder = tempfile::tempdir().unwrap();
    let good = fs::read_to_string(certificate(folder.path())).unwrap();
    let mut undecided = tmd_driver::Certificate::from_json(&good).unwrap();
    undecided.undecided.push(tmd_driver::report::Undecided { x: "0x1.8p+1".into(), bits: 700 });
    undecided.digest = undecided.computed_digest();
    let path = folder.path().join("undecided.json");
    fs::write(&path, undecided.to_json()).unwrap();
    let path = path.to_str().unwrap();
    let formats = ["wc", "corpus", "c", "rust", "csv", "json", "parquet", "hardest", "hardest-csv"];
    let exports = formats.map(|format| vec!["export", path, "--output", format]);
    for command in exports.iter().chain([&vec!["report", path], &vec!["needs", path]]) {
        let output = tmd(command);
        assert_eq!(output.status.code(), Some(1), "{command:?}");
        let said = text(&output.stderr);
        assert!(
            said.contains("NOT COMPLETE for every number of binary16: 1 of ") && said.contains("1 undecided"),
            "{said}"
        );
        assert!(output.stdout.windows(12).any(|bytes| bytes == b"NOT COMPLETE"), "{command:?}");
    }
}

/// What repeats is listed, or counted: the cases of 1/x are those between 1 and 2, again and again.
#[test]
fn what_repeats_is_listed_or_counted() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("inverse.json");
    let path = path.to_str().unwrap();
    assert!(tmd(&["solve", "1/x", "--format", "bfloat16", "--out", path]).status.success());
    let lines = |options: &[&str]| {
        let output = tmd(&[&["export", path, "--output", "wc"], options].concat());
        assert!(output.status.success(), "{}", text(&output.stderr));
        let list = text(&output.stdout);
        (list.lines().filter(|line| !line.starts_with('#')).count(), list)
    };
    let ((long, list), (short, short_list), (expanded, _)) =
        (lines(&[]), lines(&["--no-expand"]), lines(&["--expand"]));
    assert!(long == expanded && long > 20 * short, "{long} and {short}");
    // of each negative number, too
    let cases: Vec<&str> = list
        .lines()
        .filter(|line| line.contains(" bits"))
        .filter_map(|line| line.split(' ').next())
        .collect();
    assert!(cases.iter().all(|x| x.starts_with('-') || cases.contains(&format!("-{x}").as_str())));
    assert!(short_list.contains(&format!(" lines stand for {} cases: ", cases.len())), "{short_list}");
    assert_eq!(tmd(&["export", path, "--output", "wc", "--expand", "--no-expand"]).status.code(), Some(2));
}
