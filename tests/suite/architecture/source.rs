//! The sources of the workspace, and what their paths lead to.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// A source file of a crate.
#[derive(Clone, Debug)]
pub struct SourceFile {
    /// Its path below the root of the repository, such as `src/grid/mod.rs`.
    pub path: String,
    /// The module it holds: `["grid"]`; empty for the root of the crate.
    pub module: Vec<String>,
    /// Its text.
    pub text: String,
    /// Its text without comments and without the tests at its end. Lines keep their numbers.
    pub code: String,
}

/// The files of one crate.
#[derive(Clone, Debug)]
pub struct Crate {
    pub name: String,
    pub files: Vec<SourceFile>,
    modules: BTreeMap<Vec<String>, usize>,
}

/// A path that some code names.
#[derive(Clone, Debug, PartialEq)]
pub struct Mention {
    /// Where: a byte of the code.
    pub at: usize,
    /// Its segments, braces resolved: `["crate", "grid", "Cell"]`.
    pub segments: Vec<String>,
    /// Whether it hands a name on: `pub use`, `pub(crate) use`.
    pub is_reexport: bool,
}

/// Where a path leads.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Destination<'a> {
    /// To something in a file.
    File(&'a SourceFile),
    /// Out of the crate, or to something local.
    Elsewhere,
    /// To a room that the crate does not have, or to everything in it.
    Unknown,
}

impl PartialEq for SourceFile {
    fn eq(&self, other: &Self) -> bool {
        self.path == other.path
    }
}

impl SourceFile {
    /// A file of a crate whose sources lie in a folder.
    pub fn new(folder: &str, path: &str, text: &str) -> Self {
        let inner = path.trim_start_matches(folder).trim_matches('/').trim_end_matches(".rs");
        let module = inner.split('/').filter(|part| !["mod", "lib"].contains(part));
        let (path, module) = (path.to_owned(), module.map(str::to_owned).collect());
        SourceFile { path, module, text: text.to_owned(), code: code_of(text) }
    }

    /// The room it belongs to: the first part of its module; empty for the root.
    pub fn room(&self) -> &str {
        self.module.first().map_or("", String::as_str)
    }

    /// The line of a byte of the code, from 1.
    pub fn line(&self, at: usize) -> usize {
        self.code[..at].matches('\n').count() + 1
    }
}

impl Crate {
    pub fn new(name: &str, files: Vec<SourceFile>) -> Self {
        let modules = files.iter().enumerate().map(|(at, file)| (file.module.clone(), at));
        Crate { name: name.to_owned(), modules: modules.collect(), files }
    }

    /// The file that a mention in another file leads to, through all that hands names on.
    pub fn destination(&self, file: &SourceFile, mention: &Mention) -> Destination<'_> {
        let Some(mut path) = self.absolute(file, &mention.segments) else {
            return Destination::Elsewhere;
        };
        for _ in 0..8 {
            let known = (0..=path.len()).rev().find(|&len| self.modules.contains_key(&path[..len]));
            let Some(known) = known else { return Destination::Unknown };
            let found = &self.files[self.modules[&path[..known]]];
            let Some(name) = path.get(known) else { return Destination::File(found) };
            if known == 0 && name == "*" {
                return Destination::Unknown;
            }
            match self.handed_on(found, name) {
                Some(next) if next != path => {
                    path = next.into_iter().chain(path[known + 1..].iter().cloned()).collect();
                }
                _ if known == 0 && !defines(found, name) => return Destination::Unknown,
                _ => return Destination::File(found),
            }
        }
        Destination::Unknown
    }

    /// Where a name comes from that a file hands on.
    fn handed_on(&self, file: &SourceFile, name: &str) -> Option<Vec<String>> {
        let mentions = mentions(&file.code);
        let mut reexports = mentions.iter().filter(|mention| mention.is_reexport);
        let found =
            reexports.find(|mention| mention.segments.last().is_some_and(|own| own == name))?;
        self.absolute(file, &found.segments)
    }

    /// A path from the root of the crate; `None` if it does not start in the crate.
    fn absolute(&self, file: &SourceFile, segments: &[String]) -> Option<Vec<String>> {
        let climbs = segments.iter().take_while(|segment| *segment == "super").count();
        let from = match segments[0].as_str() {
            "crate" => Vec::new(),
            "self" => file.module.clone(),
            "super" => file.module[..file.module.len().checked_sub(climbs)?].to_vec(),
            child => {
                let inner: Vec<String> =
                    file.module.iter().cloned().chain([child.to_owned()]).collect();
                self.modules.contains_key(&inner).then_some(())?;
                return Some(file.module.iter().chain(segments).cloned().collect());
            }
        };
        Some(from.into_iter().chain(segments[climbs.max(1)..].iter().cloned()).collect())
    }
}

/// Whether a file declares an item or a module of a name.
fn defines(file: &SourceFile, name: &str) -> bool {
    let keywords =
        ["fn", "struct", "enum", "trait", "type", "const", "static", "mod", "macro_rules!"];
    keywords.iter().any(|keyword| {
        file.code.match_indices(&format!("{keyword} {name}")).any(|(at, found)| {
            !file.code[at + found.len()..].starts_with(|c: char| c.is_alphanumeric() || c == '_')
        })
    })
}

/// All paths that some code names: those of its `use` lines, and those that start at the crate or
/// climb.
pub fn mentions(code: &str) -> Vec<Mention> {
    let mut found = Vec::new();
    let mut rest = 0;
    while let Some(at) = code[rest..].find("use ").map(|at| at + rest) {
        let line = &code[code[..at].rfind('\n').map_or(0, |end| end + 1)..at];
        let before = line.trim();
        let is_use = before.is_empty() || before == "pub" || before.starts_with("pub(");
        let Some(end) = code[at..].find(';').map(|end| at + end).filter(|_| is_use) else {
            rest = at + 4;
            continue;
        };
        let tree = &code[at + 4..end];
        let is_reexport = !before.is_empty();
        found.extend(expand(tree).into_iter().map(|segments| Mention {
            at,
            segments,
            is_reexport,
        }));
        rest = end;
    }
    for start in ["crate::", "super::"] {
        for (at, _) in code.match_indices(start) {
            let before = &code[..at];
            let inside = before.ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == ':');
            let line = before[before.rfind('\n').map_or(0, |end| end + 1)..].trim_start();
            let in_use =
                line.starts_with("use ") || line.starts_with("pub") && line.contains("use ");
            if !inside && !in_use && !before.ends_with("in ") && !before.ends_with('{') {
                let segments = code[at..].split("::").map(leading_name);
                let segments: Vec<String> =
                    segments.take_while(|name| !name.is_empty()).take(6).collect();
                found.push(Mention { at, segments, is_reexport: false });
            }
        }
    }
    found
}

fn leading_name(text: &str) -> String {
    text.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect()
}

/// The paths of a tree such as `crate::{a, b::{C, D as E}}`. Names that are changed keep the old.
fn expand(tree: &str) -> Vec<Vec<String>> {
    let tree = tree.trim();
    // Prose in a string may look like an import; it is no tree.
    let braces = tree.find('{').zip(tree.rfind('}'));
    let Some((open, close)) = braces.filter(|(open, close)| open < close) else {
        let plain = tree.split(" as ").next().unwrap_or_default();
        let segments = plain.split("::").map(|segment| segment.trim().to_owned());
        return vec![segments.filter(|segment| segment != "self" || plain == "self").collect()];
    };
    let prefix: Vec<String> = tree[..open]
        .split("::")
        .map(|part| part.trim().to_owned())
        .filter(|part| !part.is_empty())
        .collect();
    let inner = &tree[open + 1..close];
    let branches = branches(inner).into_iter().flat_map(expand);
    branches.map(|branch| prefix.iter().cloned().chain(branch).collect()).collect()
}

/// A list parted at the commas that are in no braces.
fn branches(list: &str) -> Vec<&str> {
    let (mut level, mut start, mut branches) = (0, 0, Vec::new());
    for (at, c) in list.char_indices() {
        match c {
            '{' => level += 1,
            '}' => level -= 1,
            ',' if level == 0 => {
                branches.push(&list[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    branches.push(&list[start..]);
    branches.retain(|branch| !branch.trim().is_empty());
    branches
}

/// The text with its line comments blanked, up to the tests at its end. A `//` in a string ends the
/// line as well, which hides nothing that the rules are about.
fn code_of(text: &str) -> String {
    let text = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
    let code = |line: &str| line.split("//").next().unwrap_or_default().to_owned();
    text.lines().map(code).collect::<Vec<_>>().join("\n")
}

/// The crates of the workspace, the run time first.
pub fn workspace() -> Vec<Crate> {
    let mut crates = vec![load("surefoot", "src")];
    let folder = root().join("crates");
    let mut names: Vec<String> = std::fs::read_dir(folder)
        .expect("the folder of crates")
        .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
        .filter(|name| root().join("crates").join(name).join("Cargo.toml").is_file())
        .collect();
    names.sort();
    crates.extend(names.iter().map(|name| load(name, &format!("crates/{name}/src"))));
    crates
}

fn load(name: &str, folder: &str) -> Crate {
    Crate::new(name, files_in(folder))
}

/// All sources in a folder of the repository, in the order of their paths.
pub fn files_in(folder: &str) -> Vec<SourceFile> {
    let read = |path: PathBuf| {
        let text = std::fs::read_to_string(&path).expect("a source file");
        let path = path.strip_prefix(root()).expect("below the root").to_string_lossy();
        SourceFile::new(folder, &path.replace('\\', "/"), &text)
    };
    rust_files(&root().join(folder)).into_iter().map(read).collect()
}

/// The root of the repository.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the package lies in the repository")
}

fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).expect("a folder of sources") {
        let path = entry.expect("an entry").path();
        if path.is_dir() && !path.ends_with("target") {
            files.extend(rust_files(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    files.sort();
    files
}
