//! From arguments to an exit code, and the two streams in between.

use std::ffi::OsString;
use std::fmt::Display;
use std::io::{ErrorKind, Write};
use std::process::ExitCode;

use anyhow::Context;
use clap::Parser;
use serde::Serialize;

/// The exit code of a command that succeeded, but found nothing walkable.
pub const NOTHING_WALKABLE: u8 = 1;
/// The exit code of an error.
const ERROR: u8 = 2;

/// Runs a command with the arguments of the process. An error is printed as one line on stderr.
pub fn run<A: Parser>(command: impl FnOnce(A) -> anyhow::Result<ExitCode>) -> ExitCode {
    let arguments = match parse(std::env::args_os()) {
        Ok(arguments) => arguments,
        Err(code) => return code,
    };
    command(arguments).unwrap_or_else(|error| {
        note(format_args!("error: {}", one_line(&describe(&error))));
        ExitCode::from(ERROR)
    })
}

fn parse<A: Parser>(arguments: impl Iterator<Item = OsString>) -> Result<A, ExitCode> {
    A::try_parse_from(arguments).map_err(|error| {
        if !error.use_stderr() {
            // A broken pipe is no failure: `bake --help | head` has read enough.
            error.print().ok();
            return ExitCode::SUCCESS;
        }
        let text = error.to_string();
        let message = text.split("\n\nUsage:").next().unwrap_or(&text);
        let message = message.split("\n\nFor more information").next().unwrap_or(message);
        note(format_args!("{}; try --help", one_line(message)));
        ExitCode::from(ERROR)
    })
}

/// Prints a line to stderr. Does nothing if stderr is closed.
pub fn note(line: impl Display) {
    writeln!(std::io::stderr().lock(), "{line}").ok();
}

/// Prints text and a line end to stdout. A closed pipe is no error.
///
/// # Errors
/// What the system reports.
pub fn print(text: &str) -> anyhow::Result<()> {
    let mut out = std::io::stdout().lock();
    match writeln!(out, "{text}").and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(error).context("cannot write to standard output")
        }
        _ => Ok(()),
    }
}

/// Prints one JSON object to stdout.
///
/// # Errors
/// As [`print`].
pub fn print_json(value: &impl Serialize) -> anyhow::Result<()> {
    print(&serde_json::to_string_pretty(value)?)
}

/// An error and its causes, joined by colons. A cause that the text before it contains is left out.
fn describe(error: &anyhow::Error) -> String {
    let mut text = String::new();
    for cause in error.chain().map(ToString::to_string) {
        if text.is_empty() {
            text = cause;
        } else if !text.contains(&cause) {
            text = format!("{text}: {cause}");
        }
    }
    text
}

/// Joins lines by spaces and paragraphs by semicolons.
fn one_line(text: &str) -> String {
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    text.split("\n\n").map(words).collect::<Vec<_>>().join("; ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_is_one_line_without_repetition() {
        let cause = std::io::Error::other("disk\n  on fire");
        let error = anyhow::Error::from(cause).context("a.gltf: disk\n  on fire").context("outer");
        assert_eq!(one_line(&describe(&error)), "outer: a.gltf: disk on fire");
    }
}
