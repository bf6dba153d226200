//! What surefoot promises, asked from outside, room by room.
//!
//! One program, so that it is linked once and long tests run beside each other. Tests that count
//! what is allocated are programs of their own: nothing else may run in them.

mod architecture;
mod cancelling;
mod draw;
mod far;
mod links;
mod public_api;
mod world;

mod grid {
    mod lookup;
    mod saving;
    mod stages;
}

mod scene {
    mod builder;
    mod given_links;
    mod loading;
    mod marks;
    mod named_nodes;
    mod names;
    mod order;
    mod reproduce;
    mod volumes;
}

mod casts {
    mod agreement;
    mod lines;
    mod sweep;
}

mod bake {
    mod changed_files;
    mod determinism;
    mod faults;
    mod huge_triangles;
    mod live;
    mod live_tiles;
    mod packed_worlds;
    mod pieces;
    mod rooms;
    mod scenes;
    mod small_regions;
    mod truth;
    mod volumes;
    mod world_orders;
    mod worlds;
}

mod navigator {
    mod another_grid;
    mod fields;
    mod moving_ai;
    mod overlay;
    mod paths;
    mod prepared;
    mod walls;
    mod why;
    mod why_widths;
}

mod cch {
    mod orders;
}

mod follow {
    mod cast_sight;
    mod crowd;
    mod drive;
    mod link_traffic;
    mod links;
    mod moving_links;
    mod passages;
    mod rigid_steps;
    mod sight;
}
