//! The public functions of the run time, found in its sources.

use std::collections::BTreeSet;

use crate::architecture::source::{SourceFile, files_in};

/// Functions that only bakers call. They take arrays that nobody has checked yet; a grid is checked as
/// a whole when it is made from them.
const FOR_BAKERS: [&str; 3] = ["grid/baker.rs", "grid/crop.rs", "grid/standing.rs"];
/// Methods of unchecked parts, in files that have other functions as well.
const ON_UNCHECKED_PARTS: [&str; 1] = ["GridParts::nearest_walkable"];

/// The public functions, as `Type::function`, or as `function` if they belong to no type.
pub fn public_functions() -> BTreeSet<String> {
    let files: Vec<SourceFile> =
        files_in("src").into_iter().filter(|file| !file.path.starts_with("src/tests/")).collect();
    let names = exported_names(&files);
    let mut functions = BTreeSet::new();
    for file in files.iter().filter(|file| !FOR_BAKERS.iter().any(|own| file.path.ends_with(own))) {
        let is_open = names.open_files.contains(&file.path);
        for function in functions_of(&file.code) {
            let owner = function.split("::").next().unwrap_or_default();
            if is_open || names.exported.contains(owner) {
                functions.insert(function);
            }
        }
    }
    ON_UNCHECKED_PARTS.iter().for_each(|own| assert!(functions.remove(*own), "{own} is gone"));
    functions
}

/// What a program can name.
struct Names {
    /// Names in `pub use` lines, but not those for bakers.
    exported: BTreeSet<String>,
    /// Files of modules that are public themselves: all that is public in them can be named.
    open_files: BTreeSet<String>,
}

fn exported_names(files: &[SourceFile]) -> Names {
    let mut names = Names { exported: BTreeSet::new(), open_files: BTreeSet::new() };
    for file in files.iter().filter(|file| !file.path.ends_with("grid/baker.rs")) {
        for uses in file.code.split("pub use ").skip(1) {
            let uses = uses.split(';').next().unwrap_or_default();
            let words = uses.split(|letter: char| !letter.is_alphanumeric() && letter != '_');
            names.exported.extend(words.filter(|word| !word.is_empty()).map(str::to_owned));
        }
        let lines = file.code.lines();
        let modules = lines.filter_map(|line| line.strip_prefix("pub mod ")?.strip_suffix(';'));
        if file.path == "src/lib.rs" {
            names.open_files.extend(
                modules.flat_map(|module| {
                    [format!("src/{module}.rs"), format!("src/{module}/mod.rs")]
                }),
            );
        }
    }
    names
}

/// The public functions and the functions of public traits in the code of one file. The sources are
/// formatted: items stand at the margin, and methods one step in.
fn functions_of(code: &str) -> Vec<String> {
    let mut functions = Vec::new();
    let mut owner = Owner::default();
    for line in code.lines() {
        if let Some(header) = line.strip_prefix("impl") {
            owner = Owner { name: type_of(header), is_trait: false };
        } else if let Some(header) = line.strip_prefix("pub trait ") {
            owner = Owner { name: identifier(header), is_trait: true };
        } else if !line.is_empty() && !line.starts_with([' ', '}', ')', '#']) {
            owner = Owner::default();
        }
        let Some(name) = function_name(line, owner.is_trait) else { continue };
        match (owner.name.is_empty(), line.starts_with(' ')) {
            (true, false) => functions.push(name),
            (false, true) => functions.push(format!("{}::{name}", owner.name)),
            _ => {}
        }
    }
    functions
}

/// The block that a line stands in.
#[derive(Default)]
struct Owner {
    name: String,
    is_trait: bool,
}

/// The name of the function that a line begins, if it can be called from outside.
fn function_name(line: &str, is_in_trait: bool) -> Option<String> {
    let depth = line.len() - line.trim_start().len();
    let line = line.trim_start();
    let rest = match line.strip_prefix("pub ") {
        Some(rest) => rest,
        None if is_in_trait && depth == 4 => line,
        None => return None,
    };
    let rest = rest.strip_prefix("const ").unwrap_or(rest);
    rest.strip_prefix("fn ").map(identifier)
}

/// The type that the header of an `impl` is for.
fn type_of(header: &str) -> String {
    let header = match header.starts_with('<') {
        true => after_generics(header),
        false => header,
    };
    let header = header.split(" for ").last().unwrap_or(header);
    identifier(header.trim_start())
}

/// What follows a list of generic parameters.
fn after_generics(header: &str) -> &str {
    let mut depth = 0;
    for (at, letter) in header.char_indices() {
        depth += i32::from(letter == '<') - i32::from(letter == '>');
        if depth == 0 {
            return &header[at + 1..];
        }
    }
    ""
}

fn identifier(text: &str) -> String {
    text.chars().take_while(|letter| letter.is_alphanumeric() || *letter == '_').collect()
}

#[test]
fn public_functions_are_found_in_sources() {
    let code = "pub fn free() {}\nfn own() {}\nimpl<'a, M: Model<M>> Thing<'a, M> {\n    pub fn \
                act(&self) {\n    }\n    fn own(&self) {}\n    pub(crate) fn inner() {}\n}\n\
                pub trait Rule {\n    fn cost(&self) -> f32;\n}\nimpl Rule for Thing {\n    fn \
                cost(&self) -> f32 {}\n}\nimpl Cell {\n    pub const fn new() {}\n}\n";
    assert_eq!(functions_of(code), ["free", "Thing::act", "Rule::cost", "Cell::new"]);
}
