//! `cargo fuzz run --features guided live_bake`
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| surefoot_fuzz::live_bake::run(data));
