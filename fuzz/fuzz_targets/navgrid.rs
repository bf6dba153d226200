//! `cargo fuzz run --features guided navgrid`
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| surefoot_fuzz::navgrid::run(data));
