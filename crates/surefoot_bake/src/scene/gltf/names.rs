//! Roles that node names give: suffixes as Godot and Blender users write them, prefixes as Unreal
//! users do.
//!
//! Based on: Godot's import hints (`-col`, `-colonly`, `-convcol`, `-convcolonly`, `-navmesh`,
//! `-noimp`, `-occonly`, also with `_` or `$`, and `-rigid`, `-vehicle`, `-wheel`, also with `$`;
//! in any case, with trailing numbers as Blender appends them) and Unreal's static mesh pipeline
//! (`UBX_`, `UCP_`, `USP_`, `UCX_`).

/// What a name makes of a node's mesh.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// Drawn and solid, as any mesh.
    Plain,
    /// Drawn, and named to be solid.
    Solid,
    /// Drawn, and its convex hull is solid.
    HullOfVisual,
    /// Solid only; stands for the node of its base name.
    SolidOnly,
    /// Its convex hull is solid; stands for the node of its base name.
    HullOnly,
    /// A navigation mesh, not ground of its own.
    NavMesh,
    /// Not to be imported, with all below it.
    NotImported,
    /// A body that moves, with all below it.
    Moving,
    /// Hides what is behind it, and is not solid.
    Occluder,
}

const SUFFIXES: [(&str, Role); 10] = [
    ("convcolonly", Role::HullOnly),
    ("colonly", Role::SolidOnly),
    ("convcol", Role::HullOfVisual),
    ("col", Role::Solid),
    ("navmesh", Role::NavMesh),
    ("noimp", Role::NotImported),
    ("rigid", Role::Moving),
    ("vehicle", Role::Moving),
    ("wheel", Role::Moving),
    ("occonly", Role::Occluder),
];

const PREFIXES: [&str; 4] = ["ubx_", "ucp_", "usp_", "ucx_"];
/// Of each of them, and of no suffix whose node stands for another [bytes].
const PREFIX_LENGTH: usize = 4;

impl Role {
    /// The role of a name, and the name of what it stands for.
    pub fn of(name: &str) -> (Role, &str) {
        let lower = name.to_ascii_lowercase();
        if PREFIXES.iter().any(|prefix| lower.starts_with(prefix)) {
            return (Role::HullOnly, &name[PREFIX_LENGTH..]);
        }
        let counted = |c: char| c.is_ascii_digit() || c == '.' || c.is_whitespace();
        let bare = lower.trim_end_matches(counted);
        let has_dollar = bare.contains('$');
        for (word, role) in SUFFIXES {
            let at = bare.len().wrapping_sub(word.len() + 1);
            let before = bare.as_bytes().get(at).filter(|_| bare.ends_with(word));
            // Things that stand are called Steering_Wheel, too.
            let joined = role != Role::Moving && before == Some(&b'_');
            if joined || matches!(before, Some(b'-' | b'$')) {
                return (role, &name[..at]);
            }
            if has_dollar && let Some(at) = bare.find(&format!("${word}")) {
                return (role, &name[..at]);
            }
        }
        (Role::Plain, name)
    }

    /// Why a node with this role is skipped with all its children, unless it is marked.
    pub fn left_out(self) -> Option<&'static str> {
        match self {
            Role::NotImported => Some("named -noimp, or below such a node"),
            Role::Moving => Some("named a body that moves, or below such a node"),
            _ => None,
        }
    }
}

/// The names of what a node can stand for, the likeliest first: `X` for `X-colonly`; `X.001` and
/// `X` for `X-colonly.001`; `X_00` and `X` for `UCX_X_00`.
pub(super) fn stands_for(name: &str) -> Vec<String> {
    let (role, base) = Role::of(name);
    if !matches!(role, Role::SolidOnly | Role::HullOnly) {
        return Vec::new();
    }
    let copy = copy_number(name);
    let mut stems = vec![base];
    if name.len() == base.len() + PREFIX_LENGTH {
        let stem = base.strip_suffix(copy).unwrap_or(base);
        // Unreal numbers the hulls of one mesh: UCX_X_00, UCX_X_01...
        stems = [stem].into_iter().chain(unnumbered(stem)).collect();
    }
    stems.retain(|stem| !stem.is_empty());
    let copies = stems.iter().map(|stem| format!("{stem}{copy}")).filter(|_| !copy.is_empty());
    copies.chain(stems.iter().map(|&stem| stem.to_owned())).collect()
}

/// What Blender appends to the name of a copy, `.001`; empty where a name has none.
fn copy_number(name: &str) -> &str {
    let digits = name.len() - name.trim_end_matches(|c: char| c.is_ascii_digit()).len();
    let at = name.len().saturating_sub(digits + 1);
    if digits >= 3 && name.as_bytes().get(at) == Some(&b'.') { &name[at..] } else { "" }
}

/// A name without its number: `X` for `X_00`.
fn unnumbered(base: &str) -> Option<&str> {
    base.trim_end_matches(|c: char| c.is_ascii_digit()).strip_suffix('_')
}
