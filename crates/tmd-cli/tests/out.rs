//! What `--out` replaces, what it refuses, and where results go when their place fails after the
//! search.

mod program;

use std::{fs, path::Path};

use program::{place, tmd, words};

const SOLVE: &str = "solve exp --format binary16";
const SEARCH: &str = "search log --from 1 --to 1+2^-23 --extra-bits 18";

/// Everything that writes, and nothing that is there is lost without a word.
#[test]
fn files_that_are_there_stay() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let [certificate, run, precious] = ["exp.json", "run", "precious"].map(|name| place(folder, name));
    tmd(SOLVE, &["--out", &certificate]).done();
    tmd(SOLVE, &["--run", &run]).done();
    for command in [
        words(SEARCH, &[]),
        words(SOLVE, &[]),
        words("resume", &[&run]),
        words("export --output wc", &[&certificate]),
        words("report", &[&certificate]),
        words("table exp --format binary16", &[]),
    ] {
        let write =
            |options: &str| tmd("", &[&command[..], &["--out", &precious], &words(options, &[])].concat());
        fs::write(&precious, "years of work").unwrap();
        write("").refused("it exists; name another file, or add --overwrite to replace it");
        assert_eq!(fs::read_to_string(&precious).unwrap(), "years of work", "{command:?}");
        // nor is what an empty file holds anybody's work
        for (content, options) in [("years of work", "--overwrite"), ("", "")] {
            fs::write(&precious, content).unwrap();
            write(options).done();
            assert!(fs::metadata(&precious).unwrap().len() > 1000, "{command:?}");
        }
        // --overwrite of what?
        tmd("", &[&command[..], &["--overwrite"]].concat()).ends(2);
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
    let [certificate, run, fresh] = ["exp.json", "run", "fresh"].map(|name| place(folder, name));
    tmd(SOLVE, &["--out", &certificate]).done();
    tmd(SOLVE, &["--run", &run]).done();
    tmd("shard --count 2", &[&run]).done();
    let before = fs::read(&certificate).unwrap();
    // by its own name, by another one, by a link
    let mut names = vec![certificate.clone(), format!("{run}/../exp.json")];
    #[cfg(unix)]
    {
        let link = place(folder, "link.json");
        std::os::unix::fs::symlink(&certificate, &link).unwrap();
        names.push(link);
    }
    for name in &names {
        for overwrite in ["", "--overwrite"] {
            for (command, input, out) in [
                ("export --output json", &certificate, name),
                ("report", &certificate, name),
                ("export --output json", name, &certificate),
            ] {
                tmd(&format!("{command} {overwrite}"), &[input, "--out", out])
                    .refused("it is what this command reads, and would be lost");
            }
            assert!(fs::read(&certificate).unwrap() == before);
        }
    }
    for name in ["out.json", "shards/out.json", "ledger.sqlite"] {
        for command in [
            &["export", &run][..],
            &["resume", &run],
            &["export", &certificate, "--output", "csv"],
            &["table", "exp", "--format", "binary16"],
        ] {
            tmd("", &[command, &["--out", &place(Path::new(&run), name), "--overwrite"]].concat())
                .refused("is a run directory; name a file elsewhere");
        }
    }
    tmd("status", &[&run]).done();
    tmd(SOLVE, &["--run", &fresh, "--out", &format!("{fresh}/exp.json")]).refused("is a run directory");
    assert!(!Path::new(&fresh).exists());
    tmd("export", &[&certificate, "--out", &run, "--overwrite"]).refused("it is a directory");
}

#[test]
fn places_that_are_no_files() {
    let folder = tempfile::tempdir().unwrap();
    tmd(SOLVE, &["--out", &place(folder.path(), "no/where.json")]).refused("there is no directory");
    // the summary does not get into it
    let printed = tmd(SOLVE, &["--out", "-"]).done().says("exp(x) in binary16");
    assert_eq!(printed.json()["function"], "exp(x)");
    let [piped, plain] = [&["--out", "-"][..], &[]].map(|out| tmd(&format!("{SEARCH} --output wc"), out).out);
    assert!(piped == plain && !plain.is_empty());
}

#[cfg(unix)]
mod unix {
    use std::{path::PathBuf, process::Command};

    use super::*;
    use program::{Answer, TMD, shell};

    #[test]
    fn pipes_devices_and_links_to_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let pipe = place(folder.path(), "pipe");
        assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        for place in [pipe.as_str(), "/dev/null"] {
            tmd(SEARCH, &["--out", place, "--overwrite"]).refused("it is not an ordinary file");
        }
        let link = place(folder.path(), "link");
        std::os::unix::fs::symlink(folder.path().join("nothing"), &link).unwrap();
        tmd(SEARCH, &["--out", &link]).refused("it is a link to a file that is not there");
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    }

    /// Thousands of cases: more than there is space for.
    const LONG: &str = "search exp --from 1 --to 1+2^-13 --arg-precision 54 --extra-bits 27 --output wc";

    fn long() -> Vec<u8> {
        let list = tmd(LONG, &[]).done().out;
        assert!(list.len() > 1 << 19, "{}", list.len());
        list
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
        let limited = |blocks: u32| {
            let script = format!("trap '' 25; ulimit -f {blocks}; exec \"$TMD\" {LONG} --out list.wc");
            shell(&script, folder.path()).ends(1)
        };
        let full = limited(400).says("list.wc: File too large").says("went to the standard output instead");
        assert!(full.out == long());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0, "nothing half is left");
        // and if even the trial does not fit, nothing is searched
        let full = limited(8).prints_nothing();
        let is_told = full.err.starts_with("tmd: there is no space left to write list.wc: ");
        assert!(is_told && full.err.lines().count() == 1, "{full}");
    }

    /// The standard output is full.
    #[test]
    #[cfg(target_os = "linux")]
    fn a_full_standard_output() {
        let folder = tempfile::tempdir().unwrap();
        let full = |words: &str| shell(&format!("exec \"$TMD\" {words} /dev/full"), folder.path());
        let out = full(&format!("{LONG} >")).ends(1).says("cannot write to the standard output");
        let path = rescued(folder.path());
        assert!(fs::read(&path).unwrap() == long());
        out.says(path.to_str().unwrap());
        fs::remove_file(path).unwrap();
        // what was asked for is there, and the failure is told all the same
        full(&format!("{SOLVE} --out exp.json >")).ends(1);
        assert!(folder.path().join("exp.json").is_file());
        // nobody reads what is said: no reason to fail, or to panic
        full(&format!("{SOLVE} --out again.json 2>")).done();
        // also without an end of line
        full("export exp.json --output parquet >").ends(1);
    }

    /// A file system of our own, if we may have one, that is too small.
    fn on_a_small_disk(kilobytes: u32, script: &str, folder: &Path) -> Option<Answer> {
        fs::create_dir_all(folder.join("disk")).unwrap();
        let mount =
            format!("mount -t tmpfs -o size={kilobytes}k none disk 2> /dev/null || exit 99; {script}");
        let mut unshare = Command::new("unshare");
        unshare.args(["--map-root-user", "--mount", "sh", "-c", &mount]).env("TMD", TMD).current_dir(folder);
        let answer = unshare.stdin(std::process::Stdio::null()).output().ok().map(Answer::from);
        let answer = answer.filter(|answer| answer.code != Some(99) && !answer.err.starts_with("unshare"));
        if answer.is_none() {
            println!("skipped: no file system can be mounted here");
        }
        answer
    }

    #[test]
    fn a_full_disk_after_the_search() {
        let folder = tempfile::tempdir().unwrap();
        let out = on_a_small_disk(256, &format!("exec \"$TMD\" {LONG} --out disk/list.wc"), folder.path());
        let Some(out) = out else { return };
        let path = rescued(folder.path());
        out.ends(1)
            .says("disk/list.wc: No space left on device")
            .says(path.to_str().unwrap())
            .prints_nothing();
        assert!(fs::read(&path).unwrap() == long());
    }

    #[test]
    fn a_run_that_cannot_begin() {
        let folder = tempfile::tempdir().unwrap();
        let solve = "\"$TMD\" solve exp --format binary16 --run disk/run --begin-only";
        let script = format!("{solve}; echo $?; mount -o remount,size=8192k disk; exec {solve}");
        let Some(out) = on_a_small_disk(32, &script, folder.path()) else { return };
        assert_eq!(out.text(), "1\n", "{out}");
        let (first, second) = out.err.split_once("tmd: there is no space left to begin a run: ").unwrap();
        assert!(!first.contains("resume") && !second.lines().next().unwrap().contains("resume"), "{out}");
        // with space it begins after all
        assert!(second.contains("whatever happens, tmd resume disk/run goes on"), "{out}");
        out.done();
    }
}

/// A witness goes beside the list: it holds, it is not written over, and an interval that is too
/// large for one says so, after its list if that is not known before.
#[test]
fn witnesses() {
    let folder = tempfile::tempdir().unwrap();
    let [list, witness, too_large] =
        ["list.txt", "witness.json", "large.json"].map(|name| place(folder.path(), name));
    let small = "search exp --from 1 --to 1+2^-27 --extra-bits 18";
    let search = ["--out", &list, "--witness", &witness];
    tmd(small, &search).done();
    let made: tmd_driver::Witness = serde_json::from_str(&fs::read_to_string(&witness).unwrap()).unwrap();
    assert_eq!(made.function, "exp(x)");
    let listed = fs::read_to_string(&list).unwrap();
    assert!(!made.cases.is_empty() && listed.lines().count() > made.cases.len());
    fs::remove_file(&list).unwrap();
    tmd(small, &search).refused("it exists; name another file");
    assert!(!Path::new(&list).exists(), "nothing was searched");

    tmd(small, &["--out", &list, "--witness", &list]).refused("two documents cannot go to ");
    let folder_of = |name: &str| {
        format!("{}/../{}/{name}", folder.path().display(), folder.path().file_name().unwrap().display())
    };
    tmd(small, &["--out", &list, "--witness", &folder_of("list.txt")]).refused("two documents cannot go to ");
    tmd(small, &["--witness", "-"]).refused("two documents cannot go to the standard output");
    // too large for any search to find out
    tmd("search exp --from 1 --to 2 --extra-bits 40", &["--witness", &too_large])
        .refused("choose a shorter interval");

    let wide = "search exp --from 1 --to 1+2^-11 --extra-bits 40";
    tmd(wide, &["--out", &list, "--witness", &too_large]).ends(2).says("choose a shorter interval");
    assert!(fs::metadata(&list).unwrap().len() > 0 && !Path::new(&too_large).exists());
}
