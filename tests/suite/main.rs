//! What surefoot promises, asked from outside, room by room.
//!
//! One program, so that it is linked once and long tests run beside each other. Tests that count
//! what is allocated are programs of their own: nothing else may run in them.

mod architecture;
#[cfg(feature = "cli")]
mod cli;
#[cfg(feature = "draw")]
mod draw;
#[path = "../support/mod.rs"]
mod support;

mod grid {
    mod lookup;
    mod saving;
    mod stages;
}

#[cfg(feature = "bake")]
mod scene {
    mod builder;
    mod loading;
    mod marks;
    mod order;
    mod reproduce;
}

#[cfg(feature = "bake")]
mod world {
    mod agreement;
    mod lines;
    mod sweep;
}

#[cfg(feature = "bake")]
mod bake {
    mod determinism;
    mod faults;
    mod pieces;
    mod scenes;
    mod truth;
}

mod solve {
    mod fields;
    mod moving_ai;
    mod overlay;
    #[cfg(feature = "bake")]
    mod paths;
}

mod routes {
    mod maps;
    mod orders;
}

#[cfg(feature = "bake")]
mod follow {
    mod cast_sight;
    mod crowd;
    mod drive;
    mod sight;
}
