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
    assert!(csv.starts_with("x,kind,sign,log2_dist,") && csv.lines().count() == rows + 1);
    let json: serde_json::Value = serde_json::from_slice(&export(&["json"])).unwrap();
    assert_eq!((json.as_array().unwrap().len(), json[0]["x"].as_str()), (rows, Some(first)));
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
    let other = write("other.json", content.replace("tmd-certificate-2", "tmd-certificate-0").as_bytes());
    let torn = write("torn.json", &content.as_bytes()[..content.len() / 2]);
    let lacking = write("lacking.json", content.replace("\"engine\"", "\"motor\"").as_bytes());
    let good = good.to_str().unwrap();
    let nowhere = folder.path().join("no/where.html");
    for (arguments, sentence) in [
        (
            vec!["export", &text_file, "--output", "wc"],
            "is not a certificate; name a file that tmd solve --out wrote",
        ),
        (vec!["report", &text_file], "is not a certificate; name a file that tmd solve --out wrote"),
        (vec!["report", &torn], "is not a certificate; name a file that tmd solve --out wrote"),
        (vec!["verify", &text_file], "is not a certificate; name a file that tmd solve --out wrote"),
        (vec!["report", &binary], "cannot read"),
        (vec!["report", "missing.json"], "cannot read missing.json: No such file or directory"),
        (
            vec!["report", &other],
            "is a certificate of the version tmd-certificate-0, and this program reads tmd-certificate-2",
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
