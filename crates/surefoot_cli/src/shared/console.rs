//! From arguments to an exit code, and the two streams in between.

use std::ffi::OsString;
use std::fmt::Display;
use std::io::{ErrorKind, Write};
use std::process::ExitCode;

use anyhow::Context;
use clap::Parser;
use serde::Serialize;

/// The exit code of a command that is done, and has nothing walkable to show.
pub const NOTHING_WALKABLE: u8 = 1;
/// The exit code of an error.
const ERROR: u8 = 2;

/// Runs a command on the program's arguments; an error is told in one line on stderr.
pub fn run<A: Parser>(command: impl FnOnce(A) -> anyhow::Result<ExitCode>) -> ExitCode {
    let arguments = match parse(std::env::args_os()) {
        Ok(arguments) => arguments,
        Err(code) => return code,
    };
    command(arguments).unwrap_or_else(|error| {
        note(format_args!("error: {}", one_line(&told(&error))));
        ExitCode::from(ERROR)
    })
}

fn parse<A: Parser>(arguments: impl Iterator<Item = OsString>) -> Result<A, ExitCode> {
    A::try_parse_from(arguments).map_err(|error| {
        if !error.use_stderr() {
            // A reader of the help that has gone away has read enough.
            error.print().ok();
            return ExitCode::SUCCESS;
        }
        let text = error.to_string();
        let said = text.split("\n\nUsage:").next().unwrap_or(&text);
        let said = said.split("\n\nFor more information").next().unwrap_or(said);
        note(format_args!("{}; --help tells more", one_line(said)));
        ExitCode::from(ERROR)
    })
}

/// Writes a line to stderr. Where nobody listens there is nobody to tell.
pub fn note(line: impl Display) {
    writeln!(std::io::stderr().lock(), "{line}").ok();
}

/// Writes text to stdout.
///
/// # Errors
/// Any but that the reader has gone away.
pub fn print(text: &str) -> anyhow::Result<()> {
    let mut out = std::io::stdout().lock();
    match writeln!(out, "{text}").and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(error).context("cannot write to standard output")
        }
        _ => Ok(()),
    }
}

/// Writes one JSON object to stdout.
///
/// # Errors
/// As [`print`].
pub fn print_json(value: &impl Serialize) -> anyhow::Result<()> {
    print(&serde_json::to_string_pretty(value)?)
}

/// An error and its causes; a cause that the one before it already tells is left out.
fn told(error: &anyhow::Error) -> String {
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

/// Lines become one; paragraphs are told apart by semicolons.
fn one_line(text: &str) -> String {
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    text.split("\n\n").map(words).collect::<Vec<_>>().join("; ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_is_told_once_and_in_one_line() {
        let cause = std::io::Error::other("disk\n  on fire");
        let error = anyhow::Error::from(cause).context("a.gltf: disk\n  on fire").context("outer");
        assert_eq!(one_line(&told(&error)), "outer: a.gltf: disk on fire");
    }
}
