//! Which crate may depend on which.

use super::source::root;

/// Each crate, and the crates of the workspace that its library may use.
const CRATES: [(&str, &str, &[&str]); 12] = [
    ("surefoot", "Cargo.toml", &[]),
    ("surefoot_rapier", "crates/surefoot_rapier/Cargo.toml", &["surefoot"]),
    ("surefoot_bake", "crates/surefoot_bake/Cargo.toml", &["surefoot", "surefoot_rapier"]),
    (
        "surefoot_world",
        "crates/surefoot_world/Cargo.toml",
        &["surefoot", "surefoot_bake", "surefoot_rapier"],
    ),
    ("surefoot_draw", "crates/surefoot_draw/Cargo.toml", &["surefoot"]),
    ("surefoot_report", "crates/surefoot_report/Cargo.toml", &["surefoot"]),
    ("surefoot_view", "crates/surefoot_view/Cargo.toml", &["surefoot_bake"]),
    (
        "surefoot_view_solver",
        "crates/surefoot_view/solver/Cargo.toml",
        &["surefoot", "surefoot_report"],
    ),
    (
        "surefoot_cli",
        "crates/surefoot_cli/Cargo.toml",
        &[
            "surefoot",
            "surefoot_bake",
            "surefoot_draw",
            "surefoot_rapier",
            "surefoot_report",
            "surefoot_view",
            "surefoot_world",
        ],
    ),
    (
        "surefoot_python",
        "crates/surefoot_python/Cargo.toml",
        &["surefoot", "surefoot_bake", "surefoot_report", "surefoot_world"],
    ),
    // A workspace of its own.
    ("bevy_surefoot", "crates/bevy_surefoot/Cargo.toml", &["surefoot", "surefoot_bake"]),
    (
        "surefoot_fuzz",
        "fuzz/Cargo.toml",
        &["surefoot", "surefoot_bake", "surefoot_cli", "surefoot_testing"],
    ),
];

#[test]
fn crates_depend_on_those_below() {
    for (name, file, allowed) in CRATES {
        let manifest = std::fs::read_to_string(root().join(file)).expect("a manifest");
        assert!(manifest.contains(&format!("name = \"{name}\"")), "{file} is that of {name}");
        for used in dependencies(&manifest) {
            assert!(allowed.contains(&used.as_str()), "{file}: {name} may not depend on {used}");
        }
    }
}

#[test]
fn every_crate_has_a_row() {
    for entry in std::fs::read_dir(root().join("crates")).expect("the folder of crates") {
        let name = entry.expect("an entry").file_name();
        let is_known = CRATES.iter().any(|(known, ..)| name == *known);
        assert!(is_known, "{name:?} has no row in the table of crates");
    }
}

/// The crates of the workspace among the dependencies of a manifest, for every target.
fn dependencies(manifest: &str) -> Vec<String> {
    let mut section = "";
    let mut found = Vec::new();
    for line in manifest.lines().map(str::trim) {
        if line.starts_with('[') {
            section = line;
        }
        let is_library = section.ends_with("dependencies]")
            && !section.contains("dev-dependencies")
            && !section.starts_with("[workspace");
        let name = line.split(['.', '=', ' ']).next().unwrap_or_default();
        if is_library && name.starts_with("surefoot") {
            found.push(name.to_owned());
        }
    }
    found
}

#[test]
fn dependencies_of_every_form_are_found() {
    let manifest = "[package]\nname = \"surefoot_x\"\n[dependencies]\nserde = \"1\"\n\
        surefoot = { workspace = true }\nsurefoot_bake.workspace = true\n\
        [target.'cfg(unix)'.dependencies]\nsurefoot_draw = \"1\"\n\
        [dev-dependencies]\nsurefoot_cli = \"1\"\n\
        [workspace.dependencies]\nsurefoot_rapier = \"1\"\n";
    assert_eq!(dependencies(manifest), ["surefoot", "surefoot_bake", "surefoot_draw"]);
}
