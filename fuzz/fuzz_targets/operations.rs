//! `cargo fuzz run --features guided operations`
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| surefoot_fuzz::operations::run(data));
