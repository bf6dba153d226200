//! The code of the README, of the crates' READMEs and of the manual, compiled as doc tests.
//!
//! A page with Rust code needs a line here.

#[doc = include_str!("../../README.md")]
mod readme {}

#[doc = include_str!("../../crates/surefoot_bake/README.md")]
mod readme_bake {}
#[doc = include_str!("../../crates/surefoot_draw/README.md")]
mod readme_draw {}
#[doc = include_str!("../../crates/surefoot_rapier/README.md")]
mod readme_rapier {}
#[doc = include_str!("../../crates/surefoot_report/README.md")]
mod readme_report {}
#[doc = include_str!("../../crates/surefoot_view/README.md")]
mod readme_view {}

#[doc = include_str!("../../docs/src/changing.md")]
mod changing {}
#[doc = include_str!("../../docs/src/costs.md")]
mod costs {}
#[doc = include_str!("../../docs/src/crowds.md")]
mod crowds {}
#[doc = include_str!("../../docs/src/drawing.md")]
mod drawing {}
#[doc = include_str!("../../docs/src/file.md")]
mod file {}
#[doc = include_str!("../../docs/src/follow.md")]
mod follow {}
#[doc = include_str!("../../docs/src/getting-started.md")]
mod getting_started {}
#[doc = include_str!("../../docs/src/links.md")]
mod links {}
#[doc = include_str!("../../docs/src/overlays.md")]
mod overlays {}
#[doc = include_str!("../../docs/src/paths.md")]
mod paths {}
#[doc = include_str!("../../docs/src/rapier.md")]
mod rapier {}
#[doc = include_str!("../../docs/src/routes.md")]
mod routes {}
#[doc = include_str!("../../docs/src/worlds.md")]
mod worlds {}

#[cfg(test)]
mod tests {
    use std::path::Path;

    /// The pages of a folder of the repository, with those in folders below.
    fn pages(root: &Path, folder: &str) -> Vec<String> {
        let entries = std::fs::read_dir(root.join(folder)).expect("a folder");
        let names = entries.map(|entry| entry.expect("an entry").file_name());
        let paths = names.map(|name| format!("{folder}/{}", name.to_str().expect("a plain name")));
        paths
            .flat_map(
                |path| if root.join(&path).is_dir() { pages(root, &path) } else { vec![path] },
            )
            .filter(|path| path.ends_with(".md"))
            .collect()
    }

    #[test]
    fn every_page_with_rust_code_is_compiled() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let own = include_str!("docs.rs");
        // A workspace of its own compiles its own page.
        let plugin = include_str!("../../crates/bevy_surefoot/src/lib.rs");
        let all = [vec!["README.md".to_owned()], pages(&root, "docs/src"), pages(&root, "crates")];
        for page in all.concat() {
            let text = std::fs::read_to_string(root.join(&page)).expect("a page");
            let is_compiled = own.contains(&format!("include_str!(\"../../{page}\")"))
                || page == "crates/bevy_surefoot/README.md" && plugin.contains("\"../README.md\"");
            assert_eq!(text.contains("```rust"), is_compiled, "{page}");
        }
    }
}
