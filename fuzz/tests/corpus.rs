//! The checked-in inputs of every target, and some that are made from them.

use surefoot_fuzz::cli_arguments;
use surefoot_fuzz::mutator::Mutator;
use surefoot_fuzz::targets::Target;

/// Runs the corpus of a target, and more inputs. If one fails, the last number printed is its own:
/// `fuzz_seeded TARGET --from NUMBER --inputs 1` runs it again.
fn hold(name: &str, more: usize) {
    cli_arguments::set_program(env!("CARGO_BIN_EXE_fuzz_seeded").into());
    let target = Target::find(name).expect("a target");
    let corpus = target.corpus();
    assert!(!corpus.is_empty(), "{name} has no corpus");
    let count = corpus.len() + more;
    let mutator = Mutator::new(corpus, 0, target.longest);
    for number in 0..count {
        println!("{name} {number}");
        (target.run)(&mutator.input(number));
    }
}

#[test]
fn any_bytes_are_a_scene_or_an_error() {
    hold("gltf_bytes", 500);
}

#[test]
fn levels_that_are_nearly_right_keep_the_laws() {
    hold("gltf_structure", 300);
}

#[test]
fn files_with_right_checksums_keep_the_laws() {
    hold("navgrid", 500);
}

#[test]
fn operations_in_any_order_keep_the_laws() {
    hold("operations", 100);
}

#[test]
fn levels_that_change_have_the_bytes_of_a_whole_bake() {
    hold("live_bake", 60);
}

#[test]
fn commands_end_as_the_manual_says() {
    hold("cli_arguments", 60);
}
