//! Saves are safe: the old file stays whole until the new one is there.

use std::fs;
use std::path::Path;

use surefoot::NavGrid;
use surefoot::grid::{FormatError, Replacement};

fn sample() -> NavGrid {
    let map = "type octile\nheight 2\nwidth 3\nmap\n.@.\n...\n";
    NavGrid::from_map(map, 1.0, &[]).expect("a sound map")
}

#[test]
fn a_save_replaces_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("level.navgrid");
    fs::write(&path, "old").unwrap();
    let grid = sample();
    grid.save(&path).expect("the folder can be written");
    assert_eq!(NavGrid::load(&path).expect("it loads"), grid);
    assert_eq!(files_in(folder.path()), ["level.navgrid"]);
}

#[test]
fn a_failed_save_leaves_no_trace() {
    let folder = tempfile::tempdir().unwrap();
    // A folder cannot be replaced by a file: the last step of the save fails.
    let path = folder.path().join("level.navgrid");
    fs::create_dir(&path).unwrap();
    let error = sample().save(&path).expect_err("it fails");
    assert!(matches!(&error, FormatError::Io { path: at, .. } if *at == path), "{error}");
    assert_eq!(files_in(folder.path()), ["level.navgrid"]);
    let nowhere = folder.path().join("missing").join("level.navgrid");
    assert!(sample().save(&nowhere).expect_err("it fails").to_string().contains("missing"));
}

fn files_in(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
}

#[cfg(unix)]
#[test]
fn a_read_only_folder_keeps_the_old_file() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("level.navgrid");
    fs::write(&path, "old").unwrap();
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o555)).unwrap();
    let free = fs::write(folder.path().join("probe"), "").is_ok();
    let result = sample().save(&path);
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).unwrap();
    if free {
        println!("skipped: this user may write read-only folders");
        return;
    }
    assert!(matches!(result, Err(FormatError::Io { .. })));
    assert_eq!(fs::read(&path).unwrap(), b"old");
    assert_eq!(files_in(folder.path()), ["level.navgrid"]);
}

/// Set for the run of this test's own binary whose files may not grow.
const LIMITED: &str = "SUREFOOT_TEST_LIMITED_SAVE";

/// The system refuses to let files grow, as on a full disk, in a process of its own.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_keeps_the_old_file() {
    if let Some(path) = std::env::var_os(LIMITED) {
        let error = sample().save(path).expect_err("files may not grow here");
        println!("{error}");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("level.navgrid");
    fs::write(&path, "old").unwrap();
    let program = std::env::current_exe().unwrap();
    // The signal for a file beyond the limit is ignored, so that the write itself fails.
    let script = "trap '' XFSZ; ulimit -f 0; exec \"$0\" --exact --nocapture \
                  grid::saving::a_full_disk_keeps_the_old_file";
    let run = std::process::Command::new("sh")
        .args(["-c", script])
        .arg(program)
        .env(LIMITED, &path)
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .output();
    let Ok(run) = run else {
        println!("skipped: no shell to limit the size of files");
        return;
    };
    let said = String::from_utf8_lossy(&run.stdout);
    assert!(run.status.success(), "{said}{}", String::from_utf8_lossy(&run.stderr));
    assert!(said.contains("level.navgrid: "), "{said}");
    assert_eq!(fs::read(&path).unwrap(), b"old");
    assert_eq!(files_in(folder.path()), ["level.navgrid"]);
}

#[cfg(unix)]
#[test]
fn a_save_keeps_the_mode() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("level.navgrid");
    for mode in [0o600, 0o640, 0o755] {
        fs::write(&path, "old").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
        sample().save(&path).expect("the folder can be written");
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, mode);
    }
}

#[cfg(unix)]
#[test]
fn a_save_follows_links() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::create_dir(at("elsewhere")).unwrap();
    fs::write(at("elsewhere/old"), "old").unwrap();
    // A file that is there, and one that is not, by way of another link.
    for (to, link) in [("elsewhere/old", "link"), ("elsewhere/new", "further"), ("further", "far")]
    {
        std::os::unix::fs::symlink(to, at(link)).unwrap();
    }
    for (link, file) in [("link", "elsewhere/old"), ("far", "elsewhere/new")] {
        sample().save(at(link)).expect("the folder can be written");
        assert!(at(link).is_symlink());
        assert_eq!(NavGrid::load(at(file)).expect("it loads"), sample());
    }
    assert!(at("further").is_symlink());
}

/// A program that is killed cannot clean up, but it holds no lock on its file any more.
#[test]
fn leftovers_of_killed_programs_are_removed_and_those_of_others_are_not() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    for name in [".surefoot-killed.tmp", ".surefoot-working.tmp", ".surefoot-notes"] {
        fs::write(at(name), "part").unwrap();
    }
    let working = fs::File::open(at(".surefoot-working.tmp")).unwrap();
    working.lock().unwrap();
    sample().save(at("level.navgrid")).expect("the folder can be written");
    let mut names = files_in(folder.path());
    names.sort();
    assert_eq!(names, [".surefoot-notes", ".surefoot-working.tmp", "level.navgrid"]);
}

#[test]
fn a_replacement_that_is_dropped_leaves_the_old_file() {
    use std::io::Write as _;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("level.navgrid");
    fs::write(&path, "old").unwrap();
    let mut replacement = Replacement::begin(&path).unwrap();
    replacement.write_all(b"half").unwrap();
    drop(replacement);
    assert_eq!(fs::read(&path).unwrap(), b"old");
    assert_eq!(files_in(folder.path()), ["level.navgrid"]);
}
