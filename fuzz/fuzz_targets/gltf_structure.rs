//! `cargo fuzz run --features guided gltf_structure`
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| surefoot_fuzz::gltf_structure::run(data));
