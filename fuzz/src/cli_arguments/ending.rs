//! How a command may end.

use std::process::ExitStatus;

use serde_json::Value;

use super::words::Line;

/// The exit code of an error.
const ERROR: i32 = 2;

/// How a command ended, and what it printed.
pub(super) struct Ending<'a> {
    pub line: &'a Line,
    pub status: ExitStatus,
    pub out: String,
    pub err: String,
}

impl Ending<'_> {
    /// Checks it against what the manual says.
    pub fn check(&self) {
        let code = self.status.code();
        assert!(matches!(code, Some(0..=ERROR)), "{}", self.describe());
        for word in ["panicked", "RUST_BACKTRACE", "overflowed its stack"] {
            assert!(!self.err.contains(word), "{}", self.describe());
        }
        match code {
            Some(ERROR) => self.check_error(),
            _ if self.line.has("--json") => self.check_json(),
            _ => {}
        }
    }

    fn describe(&self) -> String {
        format!("{:?} ends with {:?}: {}", self.line, self.status, self.err)
    }

    /// An error is the last line; the only one if nothing else was to be printed.
    fn check_error(&self) {
        let last = self.err.lines().last().unwrap_or_default();
        if self.line.has("--json") {
            let error: Option<Value> = serde_json::from_str(last).ok();
            let message = error.as_ref().and_then(|error| error.get("error")?.as_str());
            assert!(message.is_some() || self.is_help(), "{}", self.describe());
        } else {
            assert!(last.starts_with("error: ") || self.is_help(), "{}", self.describe());
        }
        let is_quiet = self.line.has("--quiet");
        let lines = self.err.lines().count();
        assert!(!is_quiet || lines == 1 || self.is_help(), "{}", self.describe());
    }

    /// Without a subcommand, `surefoot` prints its help.
    fn is_help(&self) -> bool {
        self.err.contains("\nUsage: surefoot")
    }

    fn check_json(&self) {
        // Help and the bytes of a grid are no JSON.
        let others = ["--help", "-h", "--version", "-V", "help", "-", "man", "completions"];
        if others.iter().any(|word| self.line.has(word)) || self.line.holds_raw {
            return;
        }
        let values = serde_json::Deserializer::from_str(&self.out).into_iter::<Value>();
        for value in values {
            let value = value.unwrap_or_else(|error| panic!("{error}: {}", self.describe()));
            assert!(value.get("schema").is_some(), "{value}: {}", self.describe());
        }
    }
}
