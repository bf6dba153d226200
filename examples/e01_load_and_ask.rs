//! The first page of code: load a grid, make a navigator, ask for a path.
//!
//! The grid comes from a text map here; a game loads the one that `bake` wrote. Refusals say why
//! there is no path, and what is nearest.
//!
//! `cargo run --example e01_load_and_ask` draws `target/load_and_ask.png`.

use std::error::Error;

use surefoot::search::{Outcome, PathError};
use surefoot::{Agent, NavGrid, Navigator};
use surefoot_draw::{DrawnPath, PathPicture, path_picture};

/// In the format of the Moving AI benchmarks: `.` is floor, `@` is nothing.
const MAP: &str = "type octile\nheight 7\nwidth 12\nmap\n\
    ............\n\
    ............\n\
    ..@@@@@@@@..\n\
    ..@......@..\n\
    ..@@@@@@@@..\n\
    ............\n\
    ............\n";

fn main() -> Result<(), Box<dyn Error>> {
    std::fs::create_dir_all("target")?;
    NavGrid::from_map(MAP, 1.0, &[Agent::new("human")])?.save("target/level.navgrid")?;

    let grid = NavGrid::load("target/level.navgrid")?;
    let mut nav = Navigator::new(grid, "human")?;
    let path = nav.path([5.5, 0.0, 0.5], [5.5, 0.0, 6.5])?.clone();
    for waypoint in path.waypoints() {
        println!("{:.2} after {:.2} m", waypoint.point, waypoint.distance);
    }
    assert!(path.length() > 10.0, "it leads around the walls");

    // No agent of that name, a goal off the grid, and one behind walls.
    let unknown = Navigator::new(nav.grid().clone(), "horse").err().ok_or("there is no horse")?;
    assert_eq!(unknown.to_string(), "the grid has no agent \"horse\"; it has \"human\"");
    let off = nav.path([0.5, 0.0, 0.5], [20.5, 0.0, 0.5]);
    println!("{}", off.err().ok_or("there is nothing")?);
    let inside = nav.path([0.5, 0.0, 0.5], [5.5, 0.0, 3.5]);
    assert_eq!(inside.err(), Some(PathError::DifferentRegion));

    let picture = path_picture(&PathPicture {
        view: nav.view(),
        title: "Around the walls",
        ends: [[5.5, 0.0, 0.5], [5.5, 0.0, 6.5]].map(Into::into),
        paths: &[DrawnPath {
            name: "path",
            path: Some(&path),
            corridor: None,
            outcome: Outcome::Complete,
        }],
        expanded: &[],
    });
    picture.image.save("target/load_and_ask.png".as_ref())?;
    Ok(())
}
