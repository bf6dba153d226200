//! `cargo fuzz run --features guided gltf_bytes`
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| surefoot_fuzz::gltf_bytes::run(data));
