//! Fuzz targets: each takes any bytes, makes an input of them, and holds surefoot to its promises.
//!
//! `cargo fuzz run --features guided TARGET` searches for inputs that reach new code;
//! `cargo run --bin fuzz_seeded TARGET` mutates the checked-in corpus by a seed, with nothing but
//! stable Rust. See `fuzz/README.md`.

#![forbid(unsafe_code)]

mod choices;
pub mod cli_arguments;
pub mod gltf_bytes;
pub mod gltf_structure;
mod grid_laws;
pub mod live_bake;
pub mod mutator;
pub mod navgrid;
pub mod operations;
mod scene_laws;
pub mod targets;
