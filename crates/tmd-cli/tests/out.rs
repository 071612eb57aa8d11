//! What `--out` replaces, what it refuses, and where results go when their place fails after the
//! search.

mod program;

use std::{
    fs,
    path::{Path, PathBuf},
};

use program::{refused, tmd};

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

fn place(folder: &Path, name: &str) -> String {
    folder.join(name).to_str().unwrap().to_owned()
}

fn done(arguments: &[&str]) {
    let output = tmd(arguments);
    assert!(output.status.success(), "{arguments:?}: {}", text(&output.stderr));
}

const SOLVE: [&str; 4] = ["solve", "exp", "--format", "binary16"];
const SEARCH: [&str; 8] = ["search", "log", "--from", "1", "--to", "1+2^-23", "--extra-bits", "18"];

/// Everything that writes, and nothing that is there is lost without a word.
#[test]
fn files_that_are_there_stay() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let (certificate, run, precious) =
        (place(folder, "exp.json"), place(folder, "run"), place(folder, "precious"));
    done(&[&SOLVE[..], &["--out", &certificate]].concat());
    done(&[&SOLVE[..], &["--run", &run]].concat());
    let commands = [
        SEARCH.to_vec(),
        SOLVE.to_vec(),
        vec!["resume", &run],
        vec!["export", &certificate, "--output", "wc"],
        vec!["report", &certificate],
        vec!["table", "exp", "--format", "binary16"],
    ];
    for command in &commands {
        fs::write(&precious, "years of work").unwrap();
        let out = tmd(&[&command[..], &["--out", &precious]].concat());
        refused(&out, "it exists; name another file, or add --overwrite to replace it");
        assert_eq!(fs::read_to_string(&precious).unwrap(), "years of work", "{command:?}");
        // nor is what an empty file holds anybody's work
        for (content, options) in [("years of work", &["--overwrite"][..]), ("", &[])] {
            fs::write(&precious, content).unwrap();
            done(&[&command[..], &["--out", &precious], options].concat());
            assert!(fs::metadata(&precious).unwrap().len() > 1000, "{command:?}");
        }
        let nowhere = tmd(&[&command[..], &["--overwrite"]].concat());
        assert_eq!(nowhere.status.code(), Some(2), "{command:?}: --overwrite of what?");
    }
    let names = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> = names.collect();
    names.sort();
    assert_eq!(names, ["exp.json", "precious", "run"], "nothing is left behind");
}

#[test]
fn inputs_and_run_directories_are_no_places() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let (certificate, run) = (place(folder, "exp.json"), place(folder, "run"));
    done(&[&SOLVE[..], &["--out", &certificate]].concat());
    done(&[&SOLVE[..], &["--run", &run]].concat());
    done(&["shard", &run, "--count", "2"]);
    let before = fs::read(&certificate).unwrap();
    // by its own name, by another one, by a link
    let other = format!("{run}/../exp.json");
    let mut names = vec![certificate.clone(), other];
    #[cfg(unix)]
    {
        let link = place(folder, "link.json");
        std::os::unix::fs::symlink(&certificate, &link).unwrap();
        names.push(link);
    }
    for name in &names {
        for options in [&[][..], &["--overwrite"]] {
            for command in
                [&["export", certificate.as_str(), "--output", "json"][..], &["report", &certificate]]
            {
                let out = tmd(&[command, &["--out", name], options].concat());
                refused(&out, "it is what this command reads, and would be lost");
            }
            let out = tmd(&[&["export", name, "--output", "json", "--out", &certificate], options].concat());
            refused(&out, "it is what this command reads, and would be lost");
            assert!(fs::read(&certificate).unwrap() == before);
        }
    }
    let fresh = place(folder, "fresh");
    let [inside, deeper, ledger] =
        ["out.json", "shards/out.json", "ledger.sqlite"].map(|name| format!("{run}/{name}"));
    for name in [&inside, &deeper, &ledger] {
        for command in [
            &["export", &run][..],
            &["resume", &run],
            &["export", &certificate, "--output", "csv"],
            &["table", "exp", "--format", "binary16"],
        ] {
            refused(
                &tmd(&[command, &["--out", name, "--overwrite"]].concat()),
                "is a run directory; name a file elsewhere",
            );
        }
    }
    assert!(tmd(&["status", &run]).status.success());
    refused(
        &tmd(&[&SOLVE[..], &["--run", &fresh, "--out", &format!("{fresh}/exp.json")]].concat()),
        "is a run directory",
    );
    assert!(!Path::new(&fresh).exists());
    refused(&tmd(&["export", &certificate, "--out", &run, "--overwrite"]), "it is a directory");
}

#[test]
fn places_that_are_no_files() {
    let folder = tempfile::tempdir().unwrap();
    let nowhere = place(folder.path(), "no/where.json");
    refused(&tmd(&[&SOLVE[..], &["--out", &nowhere]].concat()), "there is no directory");
    let printed = tmd(&[&SOLVE[..], &["--out", "-"]].concat());
    assert!(printed.status.success());
    let certificate: serde_json::Value = serde_json::from_slice(&printed.stdout).unwrap();
    assert_eq!(certificate["function"], "exp(x)");
    assert!(text(&printed.stderr).contains("exp(x) in binary16"), "the summary does not get into it");
    let (piped, plain) = (
        tmd(&[&SEARCH[..], &["--output", "wc", "--out", "-"]].concat()),
        tmd(&[&SEARCH[..], &["--output", "wc"]].concat()),
    );
    assert!(piped.stdout == plain.stdout && !plain.stdout.is_empty());
}

#[cfg(unix)]
mod unix {
    use std::process::{Command, Output, Stdio};

    use super::*;

    fn shell(script: &str, directory: &Path) -> Output {
        Command::new("sh")
            .args(["-c", script])
            .env("TMD", env!("CARGO_BIN_EXE_tmd"))
            .env("TMPDIR", directory)
            .current_dir(directory)
            .stdin(Stdio::null())
            .output()
            .unwrap()
    }

    #[test]
    fn pipes_devices_and_links_to_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let pipe = place(folder.path(), "pipe");
        assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        for place in [pipe.as_str(), "/dev/null"] {
            let out = tmd(&[&SEARCH[..], &["--out", place, "--overwrite"]].concat());
            refused(&out, "it is not an ordinary file");
        }
        let link = place(folder.path(), "link");
        std::os::unix::fs::symlink(folder.path().join("nothing"), &link).unwrap();
        refused(&tmd(&[&SEARCH[..], &["--out", &link]].concat()), "it is a link to a file that is not there");
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    }

    /// Thousands of cases: more than there is space for.
    const LONG: &str = "search exp --from 1 --to 1+2^-13 --arg-precision 54 --extra-bits 27 --output wc";

    fn long() -> Vec<u8> {
        let list = tmd(&LONG.split(' ').collect::<Vec<_>>());
        assert!(list.status.success() && list.stdout.len() > 1 << 19, "{}", list.stdout.len());
        list.stdout
    }

    fn rescued(folder: &Path) -> PathBuf {
        let names = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        let rescued: Vec<PathBuf> =
            names.filter(|path| path.to_str().unwrap().contains("tmd-rescue-")).collect();
        assert_eq!(rescued.len(), 1, "{rescued:?}");
        rescued[0].clone()
    }

    /// Files may not grow beyond 200 or 400 KiB, by the shell; signal 25 is XFSZ on Linux. No file
    /// takes the list: it is printed.
    #[test]
    #[cfg(target_os = "linux")]
    fn no_file_may_grow() {
        let folder = tempfile::tempdir().unwrap();
        let out =
            shell(&format!("trap '' 25; ulimit -f 400; exec \"$TMD\" {LONG} --out list.wc"), folder.path());
        let said = text(&out.stderr);
        assert_eq!(out.status.code(), Some(1), "{said}");
        assert!(
            said.contains("list.wc: File too large") && said.contains("went to the standard output instead"),
            "{said}"
        );
        assert!(out.stdout == long());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0, "nothing half is left");
        // and if even the trial does not fit, nothing is searched
        let out =
            shell(&format!("trap '' 25; ulimit -f 8; exec \"$TMD\" {LONG} --out list.wc"), folder.path());
        let said = text(&out.stderr);
        assert_eq!(out.status.code(), Some(1), "{said}");
        assert!(
            said.starts_with("tmd: there is no space left to write list.wc: ") && said.lines().count() == 1,
            "{said}"
        );
        assert!(out.stdout.is_empty());
    }

    /// The standard output is full.
    #[test]
    #[cfg(target_os = "linux")]
    fn a_full_standard_output() {
        let folder = tempfile::tempdir().unwrap();
        let out = shell(&format!("exec \"$TMD\" {LONG} > /dev/full"), folder.path());
        let said = text(&out.stderr);
        assert_eq!(out.status.code(), Some(1), "{said}");
        let path = rescued(folder.path());
        assert!(
            said.contains("cannot write to the standard output") && said.contains(path.to_str().unwrap()),
            "{said}"
        );
        assert!(fs::read(&path).unwrap() == long());
        fs::remove_file(path).unwrap();
        // what was asked for is there, and the failure is told all the same
        let out =
            shell("exec \"$TMD\" solve exp --format binary16 --out exp.json > /dev/full", folder.path());
        assert_eq!(out.status.code(), Some(1), "{}", text(&out.stderr));
        assert!(folder.path().join("exp.json").is_file());
        // nobody reads what is said: no reason to fail, or to panic
        let out =
            shell("exec \"$TMD\" solve exp --format binary16 --out again.json 2> /dev/full", folder.path());
        assert_eq!(out.status.code(), Some(0));
        let out = shell("exec \"$TMD\" export exp.json --output parquet > /dev/full", folder.path());
        assert_eq!(out.status.code(), Some(1), "also without an end of line");
    }

    /// A file system of our own, if we may have one, that is too small.
    fn on_a_small_disk(kilobytes: u32, script: &str, folder: &Path) -> Option<Output> {
        let disk = folder.join("disk");
        fs::create_dir_all(&disk).unwrap();
        let mount =
            format!("mount -t tmpfs -o size={kilobytes}k none disk 2> /dev/null || exit 99; {script}");
        let out = Command::new("unshare")
            .args(["--map-root-user", "--mount", "sh", "-c", &mount])
            .env("TMD", env!("CARGO_BIN_EXE_tmd"))
            .current_dir(folder)
            .stdin(Stdio::null())
            .output();
        let out =
            out.ok().filter(|out| out.status.code() != Some(99) && !text(&out.stderr).starts_with("unshare"));
        if out.is_none() {
            println!("skipped: no file system can be mounted here");
        }
        out
    }

    #[test]
    fn a_full_disk_after_the_search() {
        let folder = tempfile::tempdir().unwrap();
        let out = on_a_small_disk(256, &format!("exec \"$TMD\" {LONG} --out disk/list.wc"), folder.path());
        let Some(out) = out else { return };
        let (said, path) = (text(&out.stderr), rescued(folder.path()));
        assert_eq!(out.status.code(), Some(1), "{said}");
        assert!(
            said.contains("disk/list.wc: No space left on device") && said.contains(path.to_str().unwrap()),
            "{said}"
        );
        assert!(out.stdout.is_empty() && fs::read(&path).unwrap() == long());
    }

    #[test]
    fn a_run_that_cannot_begin() {
        let folder = tempfile::tempdir().unwrap();
        let solve = "\"$TMD\" solve exp --format binary16 --run disk/run --begin-only";
        let script = format!("{solve}; echo $?; mount -o remount,size=8192k disk; exec {solve}");
        let Some(out) = on_a_small_disk(32, &script, folder.path()) else { return };
        let said = text(&out.stderr);
        assert_eq!(text(&out.stdout), "1\n", "{said}");
        let (first, second) = said.split_once("tmd: there is no space left to begin a run: ").unwrap();
        assert!(!first.contains("resume") && !second.lines().next().unwrap().contains("resume"), "{said}");
        // with space it begins after all
        assert!(
            out.status.success() && second.contains("whatever happens, tmd resume disk/run goes on"),
            "{said}"
        );
    }
}

/// A witness goes beside the list: it holds, it is not written over, and an interval that is too
/// large for one says so after its list.
#[test]
fn witnesses() {
    let folder = tempfile::tempdir().unwrap();
    let (list, witness) = (place(folder.path(), "list.txt"), place(folder.path(), "witness.json"));
    let small = ["search", "exp", "--from", "1", "--to", "1+2^-27", "--extra-bits", "18"];
    let search = [&small[..], &["--out", &list, "--witness", &witness]].concat();
    done(&search);
    let made: tmd_driver::Witness = serde_json::from_str(&fs::read_to_string(&witness).unwrap()).unwrap();
    assert_eq!(made.function, "exp(x)");
    let listed = fs::read_to_string(&list).unwrap();
    assert!(!made.cases.is_empty() && listed.lines().count() > made.cases.len());
    fs::remove_file(&list).unwrap();
    refused(&tmd(&search), "it exists; name another file");
    assert!(!Path::new(&list).exists(), "nothing was searched");

    let too_large = place(folder.path(), "large.json");
    let wide = ["search", "exp", "--from", "1", "--to", "1+2^-11", "--extra-bits", "40"];
    let out = tmd(&[&wide[..], &["--out", &list, "--witness", &too_large]].concat());
    assert_eq!(out.status.code(), Some(2));
    assert!(text(&out.stderr).contains("choose a shorter interval"));
    assert!(fs::metadata(&list).unwrap().len() > 0 && !Path::new(&too_large).exists());
}
