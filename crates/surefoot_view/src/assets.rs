//! The built page: `page/build.mjs` makes these files.

/// The frame of the page, with places for its parts.
pub const INDEX: &str = include_str!("../dist/index.html");
/// How it looks.
pub const STYLE: &str = include_str!("../dist/style.css");
/// Its program.
pub const PAGE: &str = include_str!("../dist/page.js");
/// The program of its worker.
pub const WORKER: &str = include_str!("../dist/worker.js");
/// The worker's solver.
pub const SOLVER: &[u8] = include_bytes!("../dist/solver.wasm");
/// The licenses of what the page is made of.
pub const LICENSES: &str = include_str!("../dist/LICENSES.txt");

/// Where the frame of the page takes its parts.
pub const STYLE_PLACE: &str = "<!--style-->";
/// Data of an exported page.
pub const DATA_PLACE: &str = "<!--data-->";
/// The program.
pub const SCRIPT_PLACE: &str = "<!--script-->";

/// The frame of the page as the server hands it out: its parts are files.
pub fn served_index() -> String {
    INDEX
        .replace(STYLE_PLACE, "<link rel=\"stylesheet\" href=\"style.css\">")
        .replace(DATA_PLACE, "")
        .replace(SCRIPT_PLACE, "<script src=\"page.js\"></script>")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_part_has_its_place() {
        for place in [STYLE_PLACE, DATA_PLACE, SCRIPT_PLACE] {
            assert_eq!(INDEX.matches(place).count(), 1, "{place}");
        }
        assert!(!served_index().contains("<!--"));
        assert!(SOLVER.starts_with(b"\0asm"), "the solver is a wasm module");
        assert!(LICENSES.contains("three.js authors"));
    }
}
