//! Provides [`export`]: a page with everything inside, which opens from disk without a network.

use std::io::Write;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use flate2::Compression;
use flate2::write::ZlibEncoder;

use crate::assets::{
    DATA_PLACE, INDEX, LICENSES, PAGE, SCRIPT_PLACE, SOLVER, STYLE, STYLE_PLACE, WORKER,
};
use crate::config::PageConfig;

/// The largest page that is made: browsers open larger ones slowly, if at all, and nobody can send them
/// [bytes].
pub const LARGEST_EXPORT: usize = 128 << 20;

/// Why no page is made.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ExportError {
    /// The page would be too large.
    #[error("the page would have {bytes} bytes, more than {LARGEST_EXPORT}")]
    TooLarge {
        /// Its size.
        bytes: usize,
    },
    /// The files cannot be packed.
    #[error("cannot pack the files: {0}")]
    Pack(#[from] std::io::Error),
}

/// A page that shows a grid, given its file, and a scene, see [`scene_file`](crate::scene_file), if it is not
/// empty. The same input gives the same page.
///
/// # Errors
/// The page would be larger than [`LARGEST_EXPORT`].
pub fn export(config: &PageConfig, grid: &[u8], scene: &[u8]) -> Result<String, ExportError> {
    let json = serde_json::to_string(config).unwrap_or_default();
    let data = [
        element("surefoot-config", "application/json", &json.replace('<', "\\u003c")),
        element("surefoot-worker", "text/plain", &script(WORKER)),
        element("surefoot-solver", "text/plain", &packed(SOLVER)?),
        element("surefoot-grid", "text/plain", &packed(grid)?),
        match scene {
            [] => String::new(),
            scene => element("surefoot-scene", "text/plain", &packed(scene)?),
        },
    ];
    let page = INDEX
        .replace(STYLE_PLACE, &format!("<style>\n{STYLE}</style>"))
        .replace(DATA_PLACE, &data.concat())
        .replace(SCRIPT_PLACE, &format!("<!--\n{LICENSES}-->\n<script>{}</script>", script(PAGE)));
    check_size(page.len(), LARGEST_EXPORT)?;
    Ok(page)
}

fn check_size(bytes: usize, limit: usize) -> Result<(), ExportError> {
    if bytes > limit { Err(ExportError::TooLarge { bytes }) } else { Ok(()) }
}

fn element(id: &str, kind: &str, text: &str) -> String {
    format!("<script id=\"{id}\" type=\"{kind}\">{text}</script>\n")
}

/// A program within a page must not seem to end it.
fn script(text: &str) -> String {
    text.replace("</script", "<\\/script").replace("<!--", "<\\!--")
}

/// Deflated, in base64.
fn packed(bytes: &[u8]) -> Result<String, ExportError> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes)?;
    Ok(STANDARD.encode(encoder.finish()?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Note;

    #[test]
    fn a_page_has_everything_inside() {
        let page =
            export(&PageConfig::new("level.navgrid"), b"a grid", b"a scene").expect("a page");
        for id in ["config", "worker", "solver", "grid", "scene"] {
            assert_eq!(page.matches(&format!("id=\"surefoot-{id}\"")).count(), 1, "{id}");
        }
        // The frame's own elements and these five, each closed once.
        assert_eq!(page.matches("<script").count(), page.matches("</script>").count());
        assert!(!page.contains("src=\"page.js\"") && !page.contains("href=\"style.css\""));
        assert!(page.contains("three.js authors"));
        assert_eq!(page, export(&PageConfig::new("level.navgrid"), b"a grid", b"a scene").unwrap());
    }

    #[test]
    fn names_cannot_break_out_of_the_page() {
        let mut config = PageConfig::new("</script><script>alert(1)</script>");
        let note = "<!--<script>".to_owned();
        let points = Vec::new();
        config.notes =
            vec![Note { title: note.clone(), text: note, good: true, agent: None, points }];
        let page = export(&config, b"", b"").expect("a page");
        assert!(!page.contains("<script>alert(1)"));
        assert!(page.contains("\\u003c/script>"));
    }

    #[test]
    fn too_large_a_page_is_refused() {
        assert!(check_size(9, 9).is_ok());
        let error = check_size(10, 9).unwrap_err();
        assert!(error.to_string().contains("10 bytes"), "{error}");
    }
}
