//! Command lines: options with values that fit, values that do not, and plain noise.

use std::ffi::OsString;

use arbitrary::{Result, Unstructured};

use crate::choices::once_in;

/// A command, its arguments, and the files that it may read.
#[derive(Debug)]
pub(super) struct Line {
    pub command: &'static str,
    pub arguments: Vec<OsString>,
    pub config: String,
    pub queries: String,
    pub checks: String,
    /// Whether some argument is noise, which may mean anything.
    pub holds_raw: bool,
}

/// What an option takes.
#[derive(Clone, Copy, Debug)]
enum Takes {
    Nothing,
    Number,
    Count,
    Point,
    Bounds,
    Agent,
    Glob,
    Area,
    Output,
    Input,
    Name,
    Choice(&'static [&'static str]),
}

type Options = &'static [(&'static str, Takes)];

const BAKE: Options = &[
    ("--output", Takes::Output),
    ("-o", Takes::Output),
    ("--config", Takes::Input),
    ("--agent", Takes::Agent),
    ("--cell-size", Takes::Number),
    ("--bounds", Takes::Bounds),
    ("--two-sided", Takes::Glob),
    ("--ignore", Takes::Glob),
    ("--obstacle", Takes::Glob),
    ("--area", Takes::Area),
    ("--visual-meshes", Takes::Nothing),
    ("--routes", Takes::Nothing),
    ("--memory-limit", Takes::Number),
    ("--threads", Takes::Count),
    ("--png", Takes::Output),
    ("--json", Takes::Nothing),
    ("--quiet", Takes::Nothing),
];

/// Of `path` and `paths`.
const SEARCH: Options = &[
    ("--agent", Takes::Name),
    ("--ascend-cost", Takes::Number),
    ("--descend-cost", Takes::Number),
    ("--slope-limit", Takes::Number),
    ("--goal", Takes::Choice(&["fail", "ring", "line", "round"])),
    ("--directions", Takes::Choice(&["4", "8", "6"])),
    ("--heuristic", Takes::Choice(&["octile", "manhattan", "euclidean", "none", ""])),
    ("--weight", Takes::Number),
    ("--engine", Takes::Choice(&["auto", "astar", "index", "field"])),
    ("--budget", Takes::Count),
    ("--snap-radius", Takes::Number),
    ("--vertical-tolerance", Takes::Number),
    ("--json", Takes::Nothing),
];
const PATH: Options = &[
    ("--from", Takes::Point),
    ("--to", Takes::Point),
    ("--png", Takes::Output),
    ("--frames", Takes::Output),
];
const PATHS: Options = &[("--queries", Takes::Input), ("--quiet", Takes::Nothing)];
const INFO: Options = &[("--regions", Takes::Nothing), ("--json", Takes::Nothing)];
const WHY: Options = &[
    ("--agent", Takes::Name),
    ("--at", Takes::Point),
    ("--from", Takes::Point),
    ("--to", Takes::Point),
    ("--png", Takes::Output),
    ("--json", Takes::Nothing),
];

const RUN: Options = &[
    ("--agent", Takes::Name),
    ("--count", Takes::Count),
    ("--seconds", Takes::Number),
    ("--seed", Takes::Count),
    ("--speed", Takes::Number),
    ("--dt", Takes::Number),
    ("--threads", Takes::Count),
    ("--scene", Takes::Input),
    ("--png", Takes::Output),
    ("--csv", Takes::Output),
    ("--json", Takes::Nothing),
    ("--quiet", Takes::Nothing),
];

const DIFF: Options = &[
    ("--agent", Takes::Name),
    ("--most", Takes::Count),
    ("--paths", Takes::Choice(&["0", "1", "9", "-1", "nan"])),
    ("--png", Takes::Output),
    ("--html", Takes::Output),
    ("--scene", Takes::Input),
    ("--rectangles", Takes::Nothing),
    ("--json", Takes::Nothing),
];
const CHECK: Options = &[
    ("--scene", Takes::Input),
    ("--junit", Takes::Output),
    ("--report", Takes::Output),
    ("--init", Takes::Nothing),
    ("--output", Takes::Output),
    ("--json", Takes::Nothing),
];
/// Without `--export`, which stays as it is: a server would not end.
const VIEW: Options = &[
    ("--scene", Takes::Input),
    ("--config", Takes::Input),
    ("--bounds", Takes::Bounds),
    ("--open", Takes::Nothing),
];

/// A command, how its line begins, and its options.
struct Start {
    command: &'static str,
    words: &'static [&'static str],
    options: &'static [Options],
}

const fn start(
    command: &'static str,
    words: &'static [&'static str],
    options: &'static [Options],
) -> Start {
    Start { command, words, options }
}

const STARTS: [Start; 14] = [
    start("bake", &["level.gltf", "--cell-size", "0.5"], &[BAKE]),
    start("bake", &["level.gltf", "--config", "bake.toml"], &[BAKE]),
    start("bake", &["level.gltf", "--agent", "human", "--quiet"], &[BAKE]),
    start("surefoot", &["info", "level.navgrid"], &[INFO]),
    start("surefoot", &["why", "level.navgrid", "--agent", "human", "--at", "2,0,3"], &[WHY]),
    start(
        "surefoot",
        &["why", "level.navgrid", "--agent", "small", "--from", "2,0,3", "--to", "9,0,3"],
        &[WHY],
    ),
    start(
        "surefoot",
        &["path", "level.navgrid", "--agent", "human", "--from", "2,0,3", "--to", "9,0,3"],
        &[SEARCH, PATH],
    ),
    start(
        "surefoot",
        &["paths", "level.navgrid", "--agent", "human", "--queries", "queries.txt"],
        &[SEARCH, PATHS],
    ),
    start(
        "surefoot",
        &["run", "level.navgrid", "--agent", "human", "--count", "3", "--seconds", "2"],
        &[RUN],
    ),
    start("surefoot", &["diff", "level.navgrid", "other.navgrid"], &[DIFF]),
    start("surefoot", &["check", "level.navgrid", "checks.toml"], &[CHECK]),
    start("surefoot", &["view", "level.navgrid", "--export", "out.html"], &[VIEW]),
    start("surefoot", &["help"], &[SEARCH, RUN]),
    start("surefoot", &["completions"], &[INFO]),
];

const NUMBERS: [&str; 20] = [
    "0.5", "1", "2", "0.25", "1.5", "0", "-1", "-0", "1e-30", "1e30", "3.4e38", "nan", "inf",
    "-inf", "1e999", "", "0x10", "1,5", " 1", "١",
];
const COUNTS: [&str; 10] =
    ["1", "2", "3", "8", "0", "-1", "4294967296", "99999999999999999999", "1.5", "two"];
const NAMES: [&str; 6] = ["human", "small", "troll", "", "Human", "人"];
const GLOBS: [&str; 9] = ["*", "Wall*", "?", "[ab]", "[", "**", "{a,b}", "\\", ""];
const INPUTS: [&str; 11] = [
    "level.gltf",
    "level.navgrid",
    "bake.toml",
    "queries.txt",
    "gone",
    ".",
    "-",
    "/dev/null",
    "",
    "level.gltf/x",
    "--",
];
const OUTPUTS: [&str; 9] = [
    "out.navgrid",
    "pictures",
    "out.png",
    ".",
    "-",
    "/dev/full",
    "gone/out",
    "level.gltf",
    "level.navgrid",
];
const AGENTS: [&str; 10] = [
    "human",
    "human:radius=0.3",
    "a:radius=1e30",
    "b:height=1,max_climb=2",
    "c:shape=box",
    ":",
    "d:",
    "e:radius=",
    "f:slope_limit=89,ledge_margin=0",
    "g:radius=0.01,radius=0.02",
];
const AREAS: [&str; 9] = [
    "mud=*:3",
    "mud=*",
    "mud=",
    "=*",
    "mud",
    "mud=*:forbidden",
    "mud=*:-1",
    "walkable=*:2",
    "ignore=*",
];
const OTHERS: [&str; 12] = [
    "--help",
    "-h",
    "--version",
    "-V",
    "--",
    "-",
    "help",
    "man",
    "completions",
    "bash",
    "--frob",
    "-x",
];

impl Line {
    pub fn make(input: &mut Unstructured) -> Result<Line> {
        let start = input.choose(&STARTS)?;
        let mut line = Line {
            command: start.command,
            arguments: start.words.iter().map(OsString::from).collect(),
            config: String::new(),
            queries: String::new(),
            checks: String::new(),
            holds_raw: false,
        };
        for _ in 0..input.int_in_range(0..=7)? {
            let options = *input.choose(start.options)?;
            line.add(input, options)?;
        }
        if once_in(input, 8)? && !line.arguments.is_empty() {
            let at = input.choose_index(line.arguments.len())?;
            line.arguments.remove(at);
        }
        line.config = config(input)?;
        line.queries = queries(input)?;
        line.checks = checks(input)?;
        Ok(line)
    }

    /// Whether an argument is there, as it is.
    pub fn has(&self, word: &str) -> bool {
        self.arguments.iter().any(|argument| argument == word)
    }

    /// Removes an option and its value: most may be given only once.
    fn forget(&mut self, option: &str) {
        let Some(at) = self.arguments.iter().position(|argument| argument == option) else {
            return;
        };
        let is_value = |argument: &OsString| !argument.to_string_lossy().starts_with("--");
        let has_value = self.arguments.get(at + 1).is_some_and(is_value);
        self.arguments.drain(at..=at + usize::from(has_value));
    }

    fn add(&mut self, input: &mut Unstructured, options: Options) -> Result<()> {
        match input.int_in_range(0..=39)? {
            0 => self.arguments.push((*input.choose(&OTHERS)?).into()),
            1 => {
                self.holds_raw = true;
                self.arguments.push(noise(input)?);
            }
            _ => {
                let &(option, takes) = input.choose(options)?;
                self.forget(option);
                match value(input, takes)? {
                    Some(value) if once_in(input, 6)? => {
                        let mut joined = OsString::from(option);
                        joined.push("=");
                        joined.push(value);
                        self.arguments.push(joined);
                    }
                    value => {
                        self.arguments.push(option.into());
                        self.arguments.extend(value);
                    }
                }
            }
        }
        Ok(())
    }
}

/// Text or bytes without a slash, so that nothing outside the folder can be named.
fn noise(input: &mut Unstructured) -> Result<OsString> {
    let length = input.int_in_range(0..=6)?;
    let bytes: Vec<u8> = input.bytes(length)?.to_vec();
    let bytes = bytes.into_iter().filter(|byte| !matches!(byte, 0 | b'/')).collect::<Vec<u8>>();
    #[cfg(unix)]
    return Ok(std::os::unix::ffi::OsStringExt::from_vec(bytes));
    #[cfg(not(unix))]
    return Ok(String::from_utf8_lossy(&bytes).into_owned().into());
}

fn value(input: &mut Unstructured, takes: Takes) -> Result<Option<OsString>> {
    let words: &[&str] = match takes {
        Takes::Nothing => return Ok(None),
        _ if once_in(input, 24)? => return noise(input).map(Some),
        Takes::Point => return numbers(input, 3).map(Some),
        Takes::Bounds => return numbers(input, 4).map(Some),
        Takes::Number => &NUMBERS,
        Takes::Count => &COUNTS,
        Takes::Agent => &AGENTS,
        Takes::Glob => &GLOBS,
        Takes::Area => &AREAS,
        Takes::Output => &OUTPUTS,
        Takes::Input => &INPUTS,
        Takes::Name => &NAMES,
        Takes::Choice(words) => words,
    };
    Ok(Some((*input.choose(words)?).into()))
}

/// Numbers with commas between: of a place in the level, or now and then any.
fn numbers(input: &mut Unstructured, count: usize) -> Result<OsString> {
    let count = if once_in(input, 12)? { input.int_in_range(0..=5)? } else { count };
    let mut words = Vec::new();
    for _ in 0..count {
        words.push(if once_in(input, 12)? {
            (*input.choose(&NUMBERS)?).to_owned()
        } else {
            coordinate(input)?
        });
    }
    Ok(words.join(",").into())
}

/// A coordinate, mostly of a place in the level.
fn coordinate(input: &mut Unstructured) -> Result<String> {
    Ok((f32::from(input.arbitrary::<u8>()?) / 16.0 - 1.0).to_string())
}

/// A configuration file.
fn config(input: &mut Unstructured) -> Result<String> {
    const KEYS: [&str; 14] = [
        "cell_size",
        "bounds",
        "agents",
        "two_sided",
        "ignore",
        "obstacle",
        "areas",
        "visual_meshes",
        "routes",
        "memory_limit",
        "threads",
        "png",
        "output",
        "cellsize",
    ];
    const VALUES: [&str; 16] = [
        "1",
        "0.5",
        "-1",
        "nan",
        "[0, 0, 4, 4]",
        "[]",
        "['*']",
        "['[']",
        "true",
        "'x'",
        "''",
        "[{ name = 'a' }]",
        "[{ name = 'a', radius = 0.2 }]",
        "[{ name = 'm', nodes = '*', cost = 2 }]",
        "[{ name = 'm', nodes = '*', cost = 'forbidden' }]",
        "[",
    ];
    let mut text = String::new();
    for _ in 0..input.int_in_range(0..=3)? {
        text += &format!("{} = {}\n", input.choose(&KEYS)?, input.choose(&VALUES)?);
    }
    Ok(text)
}

/// A file of queries.
fn queries(input: &mut Unstructured) -> Result<String> {
    let mut text = String::new();
    for _ in 0..input.int_in_range(0..=4)? {
        for _ in 0..*input.choose(&[6, 4, 6, 4, 5, 0])? {
            text += &if once_in(input, 16)? {
                (*input.choose(&NUMBERS)?).to_owned()
            } else {
                coordinate(input)?
            };
            text.push(' ');
        }
        text += if once_in(input, 8)? { "# and so on\n" } else { "\n" };
    }
    Ok(text)
}

/// A file of checks.
fn checks(input: &mut Unstructured) -> Result<String> {
    const LINES: [&str; 34] = [
        "agents = ['human']",
        "agents = ['troll']",
        "agents = []",
        "scene = 'level.gltf'",
        "scene = 'gone.gltf'",
        "[places]",
        "here = [2, 0, 3]",
        "there = [9, 3]",
        "nowhere = [99, 0, 99]",
        "odd = [nan, 1e300, inf]",
        "node = 'Wall'",
        "many = '*'",
        "near = { at = 'here', within = 2 }",
        "circle = 'circle'",
        "[[path]]",
        "[[reach]]",
        "[[walkable]]",
        "[[area]]",
        "[grid]",
        "from = 'here'",
        "to = 'there'",
        "at = 'near'",
        "at = [2, 0, 3]",
        "from = ['here', 'nowhere', 'many']",
        "to = '*'",
        "exists = false",
        "links = false",
        "max_length = 8",
        "max_climb = -1",
        "min_clearance = 0.5",
        "verdict = 'obstacle'",
        "area = 'walkable'",
        "min_m2 = 1e30",
        "hash = 'x'",
    ];
    let mut text = String::new();
    for _ in 0..input.int_in_range(0..=12)? {
        text += input.choose(&LINES)?;
        text.push('\n');
    }
    Ok(text)
}
