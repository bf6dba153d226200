//! Public types of the workspace have names of their own.

use std::collections::BTreeMap;

use super::sample;
use super::source::{Crate, workspace};

#[test]
fn no_two_public_types_share_a_name() {
    let repeated = repeated(&workspace());
    assert!(repeated.is_empty(), "{repeated:#?}");
}

/// The names of more than one public type, with the files they are declared in.
fn repeated(crates: &[Crate]) -> BTreeMap<String, Vec<String>> {
    let mut declared: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for file in crates.iter().flat_map(|own| &own.files).filter(|file| file.room() != "tests") {
        for line in file.code.lines() {
            let kinds = ["pub struct ", "pub enum ", "pub trait ", "pub type ", "pub union "];
            let Some(rest) = kinds.iter().find_map(|kind| line.strip_prefix(kind)) else {
                continue;
            };
            let name = rest.split(|c: char| !c.is_alphanumeric() && c != '_').next();
            declared
                .entry(name.unwrap_or_default().to_owned())
                .or_default()
                .push(file.path.clone());
        }
    }
    declared.retain(|_, files| files.len() > 1);
    declared
}

#[test]
fn names_that_are_used_twice_are_found() {
    let own = sample(&[
        ("src/a.rs", "pub struct Line(u32);\npub(crate) struct Own;\nstruct Other;\n"),
        ("src/b.rs", "pub enum Line<T> {}\npub struct Own;\n    pub struct Other;\n"),
    ]);
    let files = vec!["src/a.rs".to_owned(), "src/b.rs".to_owned()];
    assert_eq!(repeated(&[own]), BTreeMap::from([("Line".to_owned(), files)]));
}
