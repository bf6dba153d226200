//! `surefoot paths`: many ways over one grid, asked for in a file.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Instant;

use anyhow::{Context, anyhow};
use surefoot::view::View;

use super::asker::Asker;
use super::options::Options;
use super::subject::Subject;
use super::told::{NO_WAY, Told};
use crate::shared::console::print;
use crate::shared::files;
use crate::shared::numbers::number;

/// Find many ways: one query a line, one answer a line
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    #[command(flatten)]
    subject: Subject,

    /// The queries: a file, or - for standard input. A line holds six numbers, x y z of the start
    /// and x y z of the goal; blank lines and what follows a # are skipped
    #[arg(long, value_name = "FILE|-", allow_hyphen_values = true)]
    queries: PathBuf,

    #[command(flatten)]
    options: Options,

    /// Print one JSON object a line
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  surefoot paths level.navgrid --agent human --queries queries.txt
  echo 1 0 1  9 2 6 | surefoot paths level.navgrid --agent human --queries - --json

Exit codes: 0 every way leads to its goal; 1 some do not; 2 an error.";

/// A query and the line it stands on, from 1.
type Asked = (usize, [[f32; 3]; 2]);

/// Answers the questions.
///
/// # Errors
/// A file that cannot be loaded or read, an agent that is not in it, a line that is no query.
pub fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    // All lines are read first, so that a bad one is told before anything is answered.
    let asked = read(&arguments.queries)?;
    let (grid, agent) = arguments.subject.load()?;
    let grid = Arc::new(grid);
    let terrain = View::new(&grid, agent).ok_or_else(|| anyhow!("no such agent"))?;
    let model = arguments.options.model();
    let mut asker = Asker::new(&arguments.options, (&grid, &terrain), true)?;
    let mut all_complete = true;
    for (line, ends) in asked {
        let query = arguments.options.query(ends);
        let start = Instant::now();
        let answer = asker.ask((&terrain, &model), &query);
        let told = Told::new(&grid, answer, start.elapsed());
        all_complete &= told.is_complete();
        print(&match arguments.json {
            true => serde_json::to_string(&told)?,
            false => format!("line {line}: {}", told.sentence()),
        })?;
    }
    Ok(ExitCode::from(if all_complete { 0 } else { NO_WAY }))
}

/// What to call the input that has no name.
const INPUT: &str = "standard input";

/// The queries of a file, or of standard input where it is called `-`.
fn read(file: &Path) -> anyhow::Result<Vec<Asked>> {
    if file != Path::new("-") {
        let text = files::read_text(file, "change --queries")?;
        return queries(&text).map_err(|error| anyhow!("{}: {error}", file.display()));
    }
    let mut bytes = Vec::new();
    let read = std::io::stdin().read_to_end(&mut bytes);
    let text = read.map_err(Into::into).and_then(|_| files::text(bytes));
    queries(&text.context(INPUT)?).map_err(|error| anyhow!("{INPUT}: {error}"))
}

/// The queries in a text.
///
/// # Errors
/// The number of the first line that is none, and what is wrong with it.
fn queries(text: &str) -> Result<Vec<Asked>, String> {
    let mut asked = Vec::new();
    for (at, line) in text.lines().enumerate() {
        let said = line.split('#').next().unwrap_or_default();
        if !said.trim().is_empty() {
            let ends = ends(said).map_err(|problem| format!("line {}: {problem}", at + 1))?;
            asked.push((at + 1, ends));
        }
    }
    Ok(asked)
}

fn ends(line: &str) -> Result<[[f32; 3]; 2], String> {
    let numbers = line.split_whitespace().map(number).collect::<Result<Vec<_>, _>>()?;
    match numbers[..] {
        [x, y, z, to_x, to_y, to_z] => Ok([[x, y, z], [to_x, to_y, to_z]]),
        _ => Err(format!("{} numbers where x y z x y z are 6", numbers.len())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_keep_their_numbers() {
        let text = "# start, goal\n\n1 2 3  4 5 6 # home\n\t-1 0 0 1 0 1e1\n";
        let expected = vec![
            (3, [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]),
            (4, [[-1.0, 0.0, 0.0], [1.0, 0.0, 10.0]]),
        ];
        assert_eq!(queries(text), Ok(expected));
    }

    #[test]
    fn bad_lines_are_named() {
        let check = |text, words: &str| assert_eq!(queries(text).unwrap_err(), words);
        check("1 2 3 4 5", "line 1: 5 numbers where x y z x y z are 6");
        check("\n1 2 3 4 5 six", "line 2: \"six\" is no number");
        check("1 2 3 4 5 inf", "line 1: \"inf\" is no number");
    }
}
