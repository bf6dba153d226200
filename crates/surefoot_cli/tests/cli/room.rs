//! Provides [`Room`]: a fresh folder with the level in it, where commands are started.

use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
#[cfg(unix)]
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;

use super::level;

pub struct Room {
    folder: TempDir,
}

/// What a command did.
pub struct Done {
    pub code: i32,
    pub out: String,
    pub err: String,
    /// Since it was started, or interrupted.
    pub took: Duration,
}

impl Room {
    pub fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        level::write(folder.path());
        Room { folder }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn read(&self, name: &str) -> Vec<u8> {
        std::fs::read(self.path(name)).unwrap()
    }

    pub fn write(&self, name: &str, text: impl AsRef<[u8]>) {
        std::fs::write(self.path(name), text).unwrap();
    }

    /// Makes a pipe in the folder. The thread returns what was written to it.
    #[cfg(unix)]
    pub fn pipe(&self, name: &str) -> JoinHandle<Vec<u8>> {
        let path = self.path(name);
        assert!(Command::new("mkfifo").arg(&path).status().unwrap().success());
        std::thread::spawn(|| std::fs::read(path).unwrap())
    }

    /// Makes a link in the folder to a file that need not exist.
    #[cfg(unix)]
    pub fn link(&self, to: &str, name: &str) {
        std::os::unix::fs::symlink(to, self.path(name)).unwrap();
    }

    /// Names of everything in the folder, sorted.
    pub fn names(&self) -> Vec<String> {
        names(self.folder.path())
    }

    pub fn command(&self, program: &str, arguments: &str) -> Command {
        let program = match program {
            "bake" => env!("CARGO_BIN_EXE_bake"),
            "surefoot" => env!("CARGO_BIN_EXE_surefoot"),
            other => panic!("no command {other}"),
        };
        let mut command = Command::new(program);
        command.args(arguments.split_whitespace()).current_dir(self.folder.path());
        command
    }

    pub fn run(&self, program: &str, arguments: &str) -> Done {
        let start = Instant::now();
        Done::new(self.command(program, arguments).output().unwrap(), start)
    }

    /// Interrupts a command after it printed a line on stderr that begins with `at_work`. `err` holds
    /// what it printed after that.
    #[cfg(unix)]
    pub fn interrupt(&self, program: &str, arguments: &str, at_work: &str) -> Done {
        let mut command = self.command(program, arguments);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut stderr = BufReader::new(child.stderr.take().unwrap());
        let mut line = String::new();
        while !line.starts_with(at_work) {
            line.clear();
            assert!(stderr.read_line(&mut line).unwrap() > 0, "it ended too early");
        }
        let kill = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
        assert!(kill.success());
        let start = Instant::now();
        let mut rest = String::new();
        stderr.read_to_string(&mut rest).unwrap();
        Done { err: rest, ..Done::new(child.wait_with_output().unwrap(), start) }
    }

    /// Bakes the level, quietly, and returns the JSON report.
    #[track_caller]
    pub fn bake(&self, arguments: &str) -> Value {
        let done = self.run("bake", &format!("level.gltf --quiet --json {arguments}"));
        assert!(done.code < 2, "{arguments}: {}", done.err);
        serde_json::from_str(&done.out).unwrap()
    }
}

impl Done {
    fn new(output: Output, start: Instant) -> Self {
        let text = |bytes| String::from_utf8(bytes).unwrap();
        Done {
            code: output.status.code().unwrap_or(-1),
            out: text(output.stdout),
            err: text(output.stderr),
            took: start.elapsed(),
        }
    }

    /// Asserts that the command ended with an error of one line that contains all of the words.
    #[track_caller]
    pub fn failed(&self, words: &[&str]) {
        assert_eq!((self.code, self.err.lines().count()), (2, 1), "{}", self.err);
        assert!(self.err.starts_with("error: "), "{}", self.err);
        assert!(self.out.is_empty());
        for word in words {
            assert!(self.err.contains(word), "no {word:?} in {}", self.err);
        }
    }
}

impl Done {
    /// Asserts that the command ended with an error, as one line of JSON that contains all of the words.
    #[track_caller]
    pub fn failed_as_json(&self, words: &[&str]) {
        assert_eq!((self.code, self.err.lines().count()), (2, 1), "{}", self.err);
        assert!(self.out.is_empty());
        let report: Value = serde_json::from_str(&self.err).unwrap();
        has_keys(&report, "schema error");
        let error = report["error"].as_str().unwrap();
        assert!(!error.starts_with("error"), "{error}");
        for word in words {
            assert!(error.contains(word), "no {word:?} in {error}");
        }
    }
}

pub fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// The keys of an object.
#[track_caller]
pub fn keys(value: &Value) -> Vec<&str> {
    value.as_object().unwrap().keys().map(String::as_str).collect()
}

/// Asserts that an object has exactly these keys, in any order.
#[track_caller]
pub fn has_keys(value: &Value, expected: &str) {
    let sorted = |mut names: Vec<&str>| {
        names.sort();
        names.join(" ")
    };
    assert_eq!(sorted(keys(value)), sorted(expected.split_whitespace().collect()));
}

/// Walkable spans of an agent.
pub fn walkable(report: &Value, agent: usize) -> u64 {
    report["agents"][agent]["walkable_spans"].as_u64().unwrap()
}
