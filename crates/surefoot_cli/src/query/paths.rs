//! `surefoot paths`: many paths on one grid, for the queries of a file.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use anyhow::{Context, anyhow};

use super::engine::{QueryCount, QueryEngine};
use super::input::GridInput;
use super::options::SearchOptions;
use super::report::{NO_PATH, PathReport};
use crate::shared::console::print;
use crate::shared::files;
use crate::shared::numbers::number;

/// Find many paths: one query a line, one answer a line
#[derive(Debug, clap::Args)]
#[command(after_help = PATHS_NOTES)]
pub struct PathsArguments {
    #[command(flatten)]
    input: GridInput,

    /// Read the queries from this file, or from stdin if it is -
    ///
    /// A line holds six numbers: x y z of the start and x y z of the goal. Blank lines, and everything
    /// from a # on, are skipped.
    #[arg(long, value_name = "FILE", allow_hyphen_values = true)]
    queries: PathBuf,

    #[command(flatten)]
    options: SearchOptions,

    /// Print one JSON object a line
    #[arg(long)]
    json: bool,
}

const PATHS_NOTES: &str = "\
Examples:
  surefoot paths level.navgrid --agent human --queries queries.txt
  echo 1 0 1  9 2 6 | surefoot paths level.navgrid --agent human --queries - --json

Exit codes: 0 every path leads to its goal; 1 some do not; 2 an error.";

/// A query of the file.
#[derive(Clone, Copy, Debug, PartialEq)]
struct QueryLine {
    /// Number of the line, from 1.
    line: usize,
    /// Start and goal [m].
    ends: [[f32; 3]; 2],
}

/// Runs the command.
///
/// # Errors
/// A file cannot be read, the grid has no such agent, or a line is not a query.
pub fn run(arguments: &PathsArguments) -> anyhow::Result<ExitCode> {
    // All lines are parsed first, so that a bad one is reported before anything is printed.
    let queries = read(&arguments.queries)?;
    let (grid, agent) = arguments.input.load()?;
    let mut engine = QueryEngine::new(&grid, agent, &arguments.options, QueryCount::Many)?;
    let mut all_complete = true;
    for QueryLine { line, ends } in queries {
        let query = arguments.options.query(ends);
        let start = Instant::now();
        let (answer, engine_name) = engine.find(&query);
        let mut report = PathReport::new(&grid, answer, engine_name, start.elapsed());
        report.explain(&mut engine, &query);
        all_complete &= report.is_complete();
        print(&match arguments.json {
            true => serde_json::to_string(&report)?,
            false => format!("line {line}: {}", report.sentence()),
        })?;
    }
    Ok(ExitCode::from(if all_complete { 0 } else { NO_PATH }))
}

/// What errors call stdin.
const STDIN: &str = "standard input";

/// Reads the queries of a file, or of stdin if the file is `-`.
fn read(file: &Path) -> anyhow::Result<Vec<QueryLine>> {
    if file != Path::new("-") {
        let text = files::read_text(file, "check --queries")?;
        return parse(&text).map_err(|error| anyhow!("{}: {error}", file.display()));
    }
    let mut bytes = Vec::new();
    let read = std::io::stdin().read_to_end(&mut bytes);
    let text = read.map_err(Into::into).and_then(|_| files::text(bytes));
    parse(&text.context(STDIN)?).map_err(|error| anyhow!("{STDIN}: {error}"))
}

/// Parses the queries of a text.
///
/// # Errors
/// The number of the first line that is not a query, and what is wrong with it.
fn parse(text: &str) -> Result<Vec<QueryLine>, String> {
    let mut queries = Vec::new();
    for (line, content) in (1..).zip(text.lines()) {
        let content = content.split('#').next().unwrap_or_default();
        if !content.trim().is_empty() {
            let ends = ends(content).map_err(|problem| format!("line {line}: {problem}"))?;
            queries.push(QueryLine { line, ends });
        }
    }
    Ok(queries)
}

fn ends(line: &str) -> Result<[[f32; 3]; 2], String> {
    let numbers = line.split_whitespace().map(number).collect::<Result<Vec<_>, _>>()?;
    match numbers[..] {
        [x, y, z, to_x, to_y, to_z] => Ok([[x, y, z], [to_x, to_y, to_z]]),
        _ => Err(format!("expected 6 numbers, x y z x y z, but found {}", numbers.len())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_keep_their_numbers() {
        let text = "# start, goal\n\n1 2 3  4 5 6 # home\n\t-1 0 0 1 0 1e1\n";
        let expected = vec![
            QueryLine { line: 3, ends: [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]] },
            QueryLine { line: 4, ends: [[-1.0, 0.0, 0.0], [1.0, 0.0, 10.0]] },
        ];
        assert_eq!(parse(text), Ok(expected));
    }

    #[test]
    fn errors_name_the_line() {
        let check = |text, message: &str| assert_eq!(parse(text).unwrap_err(), message);
        check("1 2 3 4 5", "line 1: expected 6 numbers, x y z x y z, but found 5");
        check("\n1 2 3 4 5 six", "line 2: \"six\" is not a number");
        check("1 2 3 4 5 inf", "line 1: \"inf\" is not a number");
    }
}
