//! From arguments to an exit code, and the two streams in between.

use std::borrow::Cow;
use std::ffi::OsString;
use std::fmt::Display;
use std::io::Write;
use std::process::ExitCode;

use anyhow::Context;
use clap::Parser;
use clap::error::ErrorKind;
use serde::Serialize;
use surefoot_world::JobError;

/// The exit code of a command that succeeded, but found nothing walkable.
pub const NOTHING_WALKABLE: u8 = 1;
/// The exit code if a path does not lead to its goal.
pub const NO_PATH: u8 = 1;
/// The exit code if a promise about a level does not hold.
pub const CHECK_FAILED: u8 = 1;
/// The exit code if two grids differ.
pub const DIFFERENT: u8 = 1;
/// The exit code of an error.
const ERROR: u8 = 2;
/// The exit code of an error that may go away by itself, as in sysexits.h: trying again is worth it.
const TEMPORARY: u8 = 75;

/// Runs a command with the arguments of the process. An error is one line on stderr.
pub fn run<A: Parser>(command: impl FnOnce(A) -> anyhow::Result<ExitCode>) -> ExitCode {
    let arguments = match parse(std::env::args_os()) {
        Ok(arguments) => arguments,
        Err(code) => return code,
    };
    command(arguments).unwrap_or_else(|error| {
        report(&one_line(&describe(&error)));
        let is_temporary = error.downcast_ref::<JobError>().is_some_and(JobError::is_temporary);
        ExitCode::from(if is_temporary { TEMPORARY } else { ERROR })
    })
}

fn parse<A: Parser>(arguments: impl Iterator<Item = OsString>) -> Result<A, ExitCode> {
    A::try_parse_from(arguments).map_err(|error| {
        if !error.use_stderr() {
            return print_help(&error);
        }
        if error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
            error.print().ok();
            return ExitCode::from(ERROR);
        }
        let text = error.to_string();
        let message = text.split("\n\nUsage:").next().unwrap_or(&text);
        let message = message.split("\n\nFor more information").next().unwrap_or(message);
        let message = one_line(message);
        report(&format!("{}; try --help", message.strip_prefix("error: ").unwrap_or(&message)));
        ExitCode::from(ERROR)
    })
}

/// Prints what was asked for instead of a command.
fn print_help(help: &clap::Error) -> ExitCode {
    let printed = help.print().and_then(|()| std::io::stdout().flush());
    match printed {
        // A broken pipe is no failure: `bake --help | head` has read enough.
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
            report(&format!("cannot write to standard output: {error}"));
            ExitCode::from(ERROR)
        }
        _ => ExitCode::SUCCESS,
    }
}

/// Prints a line to stderr. Does nothing if stderr is closed.
pub fn note(line: impl Display) {
    writeln!(std::io::stderr().lock(), "{}", printable(&line.to_string())).ok();
}

/// Whether anyone reads what a command prints.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reader {
    /// As far as is known.
    Listening,
    /// The pipe is closed: more output would reach nobody. This is no error.
    Gone,
}

/// Prints text and a line end to stdout.
///
/// # Errors
/// What the system reports.
pub fn print(text: &str) -> anyhow::Result<Reader> {
    let mut out = std::io::stdout().lock();
    match writeln!(out, "{}", printable(text)).and_then(|()| out.flush()) {
        Ok(()) => Ok(Reader::Listening),
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => Ok(Reader::Gone),
        Err(error) => Err(error).context("cannot write to standard output"),
    }
}

/// Text without what would steer a terminal: names come from files of anyone.
fn printable(text: &str) -> Cow<'_, str> {
    let steers = |letter: char| letter.is_control() && letter != '\n' && letter != '\t';
    match text.contains(steers) {
        true => text.replace(steers, "\u{FFFD}").into(),
        false => text.into(),
    }
}

/// The version of the JSON that the commands print: it grows when a key changes its meaning or goes
/// away. New keys do not change it.
const SCHEMA: u32 = 1;

/// A JSON object with its version as the first key.
#[derive(Serialize)]
struct Versioned<T> {
    schema: u32,
    #[serde(flatten)]
    value: T,
}

/// What is printed instead of a result with `--json`.
#[derive(Serialize)]
struct ErrorReport<'a> {
    error: &'a str,
}

/// Prints one JSON object to stdout, on lines of its own.
///
/// # Errors
/// As [`print`].
pub fn print_json(value: &impl Serialize) -> anyhow::Result<Reader> {
    print(&serde_json::to_string_pretty(&Versioned { schema: SCHEMA, value })?)
}

/// One JSON object on one line.
///
/// # Errors
/// A value that JSON does not have.
pub fn json_line(value: &impl Serialize) -> anyhow::Result<String> {
    Ok(serde_json::to_string(&Versioned { schema: SCHEMA, value })?)
}

/// Prints an error to stderr in one line: as JSON if the command was asked for JSON.
fn report(message: &str) {
    // Arguments that cannot be parsed are reported in the same form, so they are searched as they are.
    let is_json = std::env::args_os().any(|argument| argument == "--json");
    match is_json.then(|| json_line(&ErrorReport { error: message })) {
        Some(Ok(line)) => note(line),
        _ => note(format_args!("error: {message}")),
    }
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
    fn names_do_not_steer_the_terminal() {
        assert_eq!(printable("a\tb\nc"), "a\tb\nc");
        assert_eq!(printable("\u{1b}[31mred\u{9b}"), "\u{fffd}[31mred\u{fffd}");
    }

    #[test]
    fn an_error_is_one_line_without_repetition() {
        let cause = std::io::Error::other("disk\n  on fire");
        let error = anyhow::Error::from(cause).context("a.gltf: disk\n  on fire").context("outer");
        assert_eq!(one_line(&describe(&error)), "outer: a.gltf: disk on fire");
    }
}
