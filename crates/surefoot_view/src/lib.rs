//! Shows nav grids in a browser: by a small server on loopback, or as one HTML file.
//!
//! ```text
//! grid's file, scene ─► Viewed ─► ViewServer ─► browser
//!                          └────► export     ─► level.html
//! ```
//!
//! The page itself, in `page/`, and its solver, in `solver/`, are built into `dist/`, which is part of
//! this crate: neither Node.js nor a wasm target is needed to build it.
//!
//! ```no_run
//! use surefoot_view::{PageConfig, ViewServer, Viewed};
//!
//! fn main() -> Result<(), Box<dyn std::error::Error>> {
//!     let viewed = Viewed::new(PageConfig::new("level.navgrid"));
//!     viewed.set_grid(std::fs::read("level.navgrid")?);
//!     let server = ViewServer::bind(8123, viewed)?;
//!     println!("http://127.0.0.1:{}/", server.port());
//!     server.serve();
//!     Ok(())
//! }
//! ```

#![forbid(unsafe_code)]

mod assets;
mod config;
mod export;
mod scene_file;
mod server;
mod viewed;

pub use config::{Note, PageConfig};
pub use export::{ExportError, LARGEST_EXPORT, export};
pub use scene_file::scene_file;
pub use server::{ServeError, ViewServer};
pub use viewed::Viewed;
