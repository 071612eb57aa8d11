//! `tmd export` and `tmd report`: files, and sentences for what is no certificate.

mod program;

use std::{
    fs,
    path::{Path, PathBuf},
};

use program::{refused, tmd};

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
    assert!(csv.starts_with("x,binade,kind,exact,sign,log2_dist,") && csv.lines().count() == rows + 1);
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
    let other = write("other.json", content.replace("tmd-certificate-1", "tmd-certificate-0").as_bytes());
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
            "is a certificate of the version tmd-certificate-0, and this program reads tmd-certificate-1",
        ),
        (vec!["report", &lacking], "unknown field `motor`"),
        (vec!["report", good, "--out", nowhere.to_str().unwrap()], "there is no directory"),
        (
            vec!["export", good, "--output", "csv", "--per-binade", "3"],
            "--per-binade is for tables of the hardest cases",
        ),
    ] {
        refused(&tmd(&arguments), sentence);
    }
}

/// A certificate with a case less is nothing to export; if it must be, every format says what it is.
#[test]
fn a_changed_certificate_is_not_exported_silently() {
    let folder = tempfile::tempdir().unwrap();
    let good = fs::read_to_string(certificate(folder.path())).unwrap();
    let line = good.lines().find(|line| line.starts_with("{\"x\":\"0x1")).unwrap();
    let changed = folder.path().join("changed.json");
    fs::write(&changed, good.replacen(&format!("{line}\n"), "", 1)).unwrap();
    let changed = changed.to_str().unwrap();
    let formats = ["certificate", "wc", "csv", "json", "parquet", "hardest", "hardest-csv"];
    let exports = formats.map(|format| vec!["export", changed, "--output", format]);
    for command in exports.iter().chain([&vec!["report", changed]]) {
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
    let formats = ["certificate", "wc", "csv", "json", "parquet", "hardest", "hardest-csv"];
    let exports = formats.map(|format| vec!["export", run, "--output", format]);
    for command in exports.iter().chain([&vec!["report", run]]) {
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
