//! Three sizes, three paths: one bake for bodies that fit through different gaps of a wall.
//!
//! All have the same start and goal. The gaps are 2 m, 1 m and 0.55 m wide; the wider the gap, the
//! longer the path through it.
//!
//! `cargo run --example e03_narrow_gap` draws `target/narrow_gap.png`.

use std::error::Error;
use std::path::Path;

use surefoot::search::Outcome;
use surefoot::view::View;
use surefoot::{AgentId, Navigator};
use surefoot_bake::scene::{Placement, SceneBuilder};
use surefoot_bake::{BakeSettings, bake};
use surefoot_draw::{DrawnPath, PathPicture, path_picture};

/// Where the gaps are: from x to x [m].
const GAPS: [[f32; 2]; 3] = [[2.85, 3.4], [7.6, 8.6], [13.0, 15.0]];

fn main() -> Result<(), Box<dyn Error>> {
    let mut level = SceneBuilder::new("a wall with gaps");
    level.cuboid("Ground", [9.0, 0.5, 6.0], Placement::at([8.0, -0.5, 0.0]));
    let mut from = -1.0;
    for to in GAPS.map(|[to, _]| to).into_iter().chain([17.0]) {
        let center = Placement::at([(from + to) / 2.0, 1.0, 0.0]);
        level.cuboid("Wall", [(to - from) / 2.0, 1.5, 0.25], center);
        from = GAPS.iter().find(|gap| gap[0] == to).map_or(to, |gap| gap[1]);
    }
    let settings = BakeSettings { cell_size: Some(0.1), ..BakeSettings::default() };
    let grid = bake(&level.build()?, &settings, &())?.grid;

    // A bake that names no agents has three: small, human and large.
    let ends = [[1.0, 0.0, -4.0], [3.0, 0.0, 4.0]];
    let mut paths = Vec::new();
    for (id, [left, right]) in (0..).map(AgentId).zip(GAPS) {
        let mut nav = Navigator::new(grid.clone(), id)?;
        let path = nav.path(ends[0], ends[1])?.clone();
        let name = nav.view().agent().name.clone();
        println!("{name}: {:.1} m, for the gap of {:.2} m", path.length(), right - left);
        let in_wall = path.track().iter().filter(|at| at.point.z.abs() < 0.25);
        assert!(in_wall.clone().count() > 0);
        assert!(in_wall.clone().all(|at| (left..right).contains(&at.point.x)), "{name}");
        paths.push((name, path));
    }
    assert!(paths.windows(2).all(|pair| pair[0].1.length() < pair[1].1.length()));

    let named = paths.iter().map(|(name, path)| DrawnPath {
        name,
        path: Some(path),
        corridor: None,
        outcome: Outcome::Complete,
    });
    let picture = path_picture(&PathPicture {
        view: &View::new(&grid, AgentId(0))?,
        title: "Three sizes, three paths",
        ends: ends.map(Into::into),
        paths: &named.collect::<Vec<_>>(),
        expanded: &[],
    });
    std::fs::create_dir_all("target")?;
    picture.image.save(Path::new("target/narrow_gap.png"))?;
    Ok(())
}
