//! `surefoot completions` and `surefoot man`: shell completions and manual pages of both commands,
//! made from their command lines.

use std::process::ExitCode;

use anyhow::{Context, anyhow};
use clap::{Command, CommandFactory, ValueEnum};
use clap_complete::Shell;

use super::SurefootArguments;
use crate::bake::BakeArguments;
use crate::shared::console::print;

/// Print shell completions for `surefoot` or `bake`
#[derive(Debug, clap::Args)]
#[command(after_help = COMPLETIONS_NOTES)]
pub struct CompletionsArguments {
    /// The shell
    #[arg(value_name = "SHELL")]
    shell: Shell,

    /// The command to complete
    #[arg(value_name = "COMMAND", default_value = "surefoot")]
    program: Program,
}

const COMPLETIONS_NOTES: &str = "\
Examples:
  surefoot completions bash > ~/.local/share/bash-completion/completions/surefoot
  surefoot completions bash bake > ~/.local/share/bash-completion/completions/bake
  surefoot completions fish > ~/.config/fish/completions/surefoot.fish";

/// Print the manual page of a command
#[derive(Debug, clap::Args)]
#[command(after_help = MAN_NOTES)]
pub struct ManArguments {
    /// `surefoot`, `bake`, or a command of `surefoot`, such as `path`
    #[arg(value_name = "COMMAND", default_value = "surefoot")]
    page: String,
}

const MAN_NOTES: &str = "\
Examples:
  surefoot man path | man -l -
  surefoot man bake > ~/.local/share/man/man1/bake.1";

/// A command that is installed.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Program {
    Surefoot,
    Bake,
}

impl Program {
    fn command(self) -> Command {
        match self {
            Program::Surefoot => SurefootArguments::command(),
            Program::Bake => BakeArguments::command(),
        }
    }
}

/// Prints completions.
///
/// # Errors
/// As [`print`].
pub fn print_completions(arguments: &CompletionsArguments) -> anyhow::Result<ExitCode> {
    let mut command = arguments.program.command();
    let name = command.get_name().to_owned();
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut command, name, &mut script);
    print(String::from_utf8(script)?.trim_end())?;
    Ok(ExitCode::SUCCESS)
}

/// Prints a manual page.
///
/// # Errors
/// There is no such command, or as [`print`].
pub fn print_page(arguments: &ManArguments) -> anyhow::Result<ExitCode> {
    let command = find_command(&arguments.page)?;
    let mut page = Vec::new();
    clap_mangen::Man::new(command).render(&mut page).context("cannot make the manual page")?;
    print(String::from_utf8(page)?.trim_end())?;
    Ok(ExitCode::SUCCESS)
}

fn find_command(name: &str) -> anyhow::Result<Command> {
    if let Ok(program) = Program::from_str(name, false) {
        return Ok(program.command());
    }
    let mut surefoot = SurefootArguments::command();
    surefoot.build();
    let found = surefoot.find_subcommand(name).cloned();
    found.ok_or_else(|| anyhow!("there is no command \"{name}\"; `surefoot` lists those there are"))
}
