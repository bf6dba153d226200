//! `surefoot paths`: many paths on one grid, for the queries of a file.

use std::io::{IsTerminal, Read};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use anyhow::{Context, anyhow};
use surefoot::grid::AgentId;
use surefoot::{NavGrid, Observer};
use surefoot_report::{PathReport, Place};

use super::engine::{QueryCount, QueryEngine};
use super::input::GridInput;
use super::options::SearchOptions;
use crate::shared::console::{NO_PATH, Reader, json_line, print};
use crate::shared::files;
use crate::shared::numbers::number;
use crate::shared::progress::ProgressDisplay;

/// Find many paths: one query a line, one answer a line
#[derive(Debug, clap::Args)]
#[command(after_help = PATHS_NOTES)]
pub struct PathsArguments {
    #[command(flatten)]
    input: GridInput,

    /// Read the queries from this file, or from stdin if it is -
    ///
    /// A line holds six numbers: x y z of the start and x y z of the goal; or four, x z and x z, where
    /// there is one floor. Blank lines, and everything from a # on, are skipped.
    #[arg(long, value_name = "FILE", allow_hyphen_values = true)]
    queries: PathBuf,

    #[command(flatten)]
    options: SearchOptions,

    /// Print one JSON object a line
    #[arg(long)]
    json: bool,

    /// Print nothing on stderr but errors
    #[arg(long)]
    quiet: bool,
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
    /// Start and goal.
    ends: [Place; 2],
}

/// Runs the command.
///
/// # Errors
/// A file cannot be read, the grid has no such agent, or a line is not a query.
pub fn run(arguments: &PathsArguments) -> anyhow::Result<ExitCode> {
    // All lines are parsed first, so that a bad one is reported before anything is printed.
    let queries = read(&arguments.queries)?;
    let progress = arguments.progress();
    let (grid, agent) = arguments.input.load()?;
    let lines = resolve(&queries, &grid, agent).with_context(|| name(&arguments.queries))?;
    if arguments.options.engine.prepares_many(&grid, agent) {
        progress.begin("preparing routes");
    }
    let mut engine = QueryEngine::new(&grid, agent, &arguments.options, QueryCount::Many)?;
    let paths = if lines.len() == 1 { "path" } else { "paths" };
    progress.begin(&format!("finding {} {paths}", lines.len()));
    let mut all_complete = true;
    for (done, (QueryLine { line, .. }, ends)) in queries.iter().zip(&lines).enumerate() {
        let query = arguments.options.query(*ends);
        let start = Instant::now();
        let (answer, engine_name) = engine.find(&query);
        let mut report = PathReport::new(&grid, answer, engine_name, start.elapsed());
        engine.explain(&mut report, &query);
        all_complete &= report.is_complete();
        let printed = print(&match arguments.json {
            true => json_line(&report)?,
            false => format!("line {line}: {}", report.sentence()),
        })?;
        if printed == Reader::Gone {
            break;
        }
        progress.parts_done(done + 1, lines.len());
    }
    progress.end();
    Ok(ExitCode::from(if all_complete { 0 } else { NO_PATH }))
}

impl PathsArguments {
    /// Lines of answers on a terminal are progress enough, and a bar would get between them.
    fn progress(&self) -> ProgressDisplay {
        ProgressDisplay::new(self.quiet || std::io::stdout().is_terminal())
    }
}

/// The points that queries lead from and to [m].
///
/// # Errors
/// The number of the first line with a place that has not one floor.
fn resolve(
    queries: &[QueryLine],
    grid: &NavGrid,
    agent: AgentId,
) -> anyhow::Result<Vec<[[f32; 3]; 2]>> {
    let resolve = |query: &QueryLine| {
        let [from, to] = query.ends.map(|place| place.point_or_beside(grid, agent));
        anyhow::Ok([from?, to?])
    };
    let line = |query: &QueryLine| resolve(query).with_context(|| format!("line {}", query.line));
    queries.iter().map(line).collect()
}

/// What errors call stdin.
const STDIN: &str = "standard input";

/// What errors call a file of queries.
fn name(file: &Path) -> String {
    if file == Path::new("-") { STDIN.to_owned() } else { file.display().to_string() }
}

/// Reads the queries of a file, or of stdin if the file is `-`.
fn read(file: &Path) -> anyhow::Result<Vec<QueryLine>> {
    let text = if file == Path::new("-") {
        let mut bytes = Vec::new();
        let read = std::io::stdin().read_to_end(&mut bytes);
        read.map_err(Into::into).and_then(|_| files::text(bytes)).context(STDIN)?
    } else {
        files::read_text(file, "check --queries")?
    };
    parse(&text).map_err(|error| anyhow!("{}: {error}", name(file)))
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

fn ends(line: &str) -> Result<[Place; 2], String> {
    let numbers = line.split_whitespace().map(number).collect::<Result<Vec<_>, _>>()?;
    match numbers.len() {
        4 | 6 => {
            let (from, to) = numbers.split_at(numbers.len() / 2);
            Ok([Place::new(from)?, Place::new(to)?])
        }
        found => Err(format!("expected 6 numbers, x y z x y z, or 4, x z x z, but found {found}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_keep_their_numbers() {
        let text = "# start, goal\n\n1 2 3  4 5 6 # home\n\t-1 0 1 1e1\n";
        let place = |numbers: &[f32]| Place::new(numbers).unwrap();
        let expected = vec![
            QueryLine { line: 3, ends: [place(&[1.0, 2.0, 3.0]), place(&[4.0, 5.0, 6.0])] },
            QueryLine { line: 4, ends: [place(&[-1.0, 0.0]), place(&[1.0, 10.0])] },
        ];
        assert_eq!(parse(text), Ok(expected));
    }

    #[test]
    fn errors_name_the_line() {
        let check = |text, message: &str| assert_eq!(parse(text).unwrap_err(), message);
        check("1 2 3 4 5", "line 1: expected 6 numbers, x y z x y z, or 4, x z x z, but found 5");
        check("\n1 2 3 4 5 six", "line 2: \"six\" is not a number");
        check("1 2 3 4 5 inf", "line 1: \"inf\" is not a number");
    }
}
