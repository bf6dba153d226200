//! The stages of a grid, on text maps: digits are floors in steps of 10 cm, `#` is nothing.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use surefoot::grid::{AreaId, Dir, GridParts, MapError, Standing};
use surefoot::{Agent, AgentId, Cell, GridFrame, NavGrid, SpanId, Verdict};

const AGENT: AgentId = AgentId(0);
/// Height of one step of a digit [m].
const STEP: f32 = 0.1;

/// An agent that climbs two digits at cells of 1 m.
fn climber() -> Agent {
    Agent { max_climb: 0.2, ..Agent::new("climber") }
}

fn grid(map: &str) -> NavGrid {
    grid_of(map, 1.0, &[climber()])
}

fn grid_of(map: &str, cell_size: f32, agents: &[Agent]) -> NavGrid {
    let rows: Vec<Vec<f32>> =
        map.split('/').map(|row| row.split_whitespace().map(height).collect()).collect();
    let (size_x, size_z) = (rows[0].len() as u32, rows.len() as u32);
    let frame = GridFrame { cell_size, min: Cell::new(0, 0), size_x, size_z };
    NavGrid::from_heights(frame, &rows.concat(), agents).expect("a sound map")
}

fn height(digit: &str) -> f32 {
    digit.parse::<f32>().map_or(f32::NAN, |steps| steps * STEP)
}

/// One letter a cell, `.` where there is no floor.
fn show(grid: &NavGrid, letter: impl Fn(SpanId) -> String) -> String {
    let frame = grid.frame();
    let cell = |z: u32, x: u32| {
        let mut ids = grid.column_spans(Cell::new(x as i32, z as i32));
        ids.next().map_or(".".to_owned(), |id| letter(SpanId(id)))
    };
    let row = |z: u32| (0..frame.size_x).map(|x| cell(z, x)).collect::<Vec<_>>().join(" ");
    (0..frame.size_z).map(row).collect::<Vec<_>>().join(" / ")
}

fn connection_count(grid: &NavGrid, id: SpanId) -> String {
    let standing = grid.standing(AGENT, id).expect("a span");
    Dir::ALL.iter().filter(|&&dir| standing.has_connection(dir)).count().to_string()
}

fn check_steps(map: &str, expected: &str) {
    let grid = grid(map);
    assert_eq!(show(&grid, |id| connection_count(&grid, id)), expected, "{map}");
}

#[test]
fn level_ground_joins_all_neighbors() {
    check_steps("0 0 0 / 0 0 0 / 0 0 0", "3 5 3 / 5 8 5 / 3 5 3");
}

#[test]
fn no_corner_is_cut() {
    check_steps("0 0 / 0 #", "2 1 / 1 .");
    check_steps("0 # / # 0", "0 . / . 0");
    check_steps("0 0 0 / 0 # 0 / 0 0 0", "2 2 2 / 2 . 2 / 2 2 2");
}

#[test]
fn a_step_up_to_max_climb_is_taken() {
    check_steps("0 0 2 2", "1 2 2 1");
    check_steps("0 0 9 9", "1 2 2 1");
}

#[test]
fn a_wall_is_not_climbed() {
    let wall = "0 0 0 # 40 40 40";
    check_steps(wall, "1 2 1 . 1 2 1");
    check_steps("0 0 40 40", "1 1 1 1");
}

#[test]
fn a_slope_is_walked_up_to_the_limit() {
    // 45 degrees is 10 digits a cell of 1 m.
    check_steps("0 10 20 30", "1 2 2 1");
    let steep = grid("0 12 24 36");
    assert_eq!(show(&steep, |id| connection_count(&steep, id)), "0 0 0 0");
    assert_eq!(steep.verdict(AGENT, SpanId(1)), Some(Verdict::TooSteep));
}

#[test]
fn steps_lead_there_and_back() {
    let grid = grid("0 1 # / 2 1 0 / # 0 1");
    let mut count = 0;
    for id in (0..grid.spans().len() as u32).map(SpanId) {
        let cell = grid.cell_of(id).expect("a span");
        for dir in Dir::ALL {
            if let Some(to) = grid.neighbor(AGENT, id, dir) {
                let over = grid.cell_of(to).expect("a span");
                assert_eq!(over, cell.neighbor(dir));
                assert_eq!(grid.neighbor(AGENT, to, dir.opposite()), Some(id));
                count += 1;
            }
        }
    }
    assert_eq!(count, 24);
}

#[test]
fn neighbors_exist_only_within_the_grid() {
    let grid = grid("0 0 0");
    let east = Dir::ALL[0];
    assert_eq!(grid.neighbor(AGENT, SpanId(0), east), Some(SpanId(1)));
    assert_eq!(grid.neighbor(AGENT, SpanId(2), east), None);
    assert_eq!(grid.neighbor(AGENT, SpanId(9), east), None);
    assert_eq!(grid.neighbor(AgentId(7), SpanId(0), east), None);
}

#[test]
fn regions_are_numbered_by_size() {
    let grid = grid("0 # 0 0 / 0 # 0 0 / # # # # / 0 # # 0");
    let region = |id| grid.region(AGENT, id).map_or("-".to_owned(), |region| region.0.to_string());
    assert_eq!(show(&grid, region), "1 . 0 0 / 1 . 0 0 / . . . . / 2 . . 3");
    let sizes: Vec<u32> = grid.layers()[0].regions.iter().map(|region| region.spans).collect();
    assert_eq!(sizes, [4, 2, 1, 1]);
}

#[test]
fn a_spiral_is_one_region() {
    let spiral = "0 0 0 0 0 / # # # # 0 / 0 0 0 # 0 / 0 # # # 0 / 0 0 0 0 0";
    assert_eq!(grid(spiral).layers()[0].regions.len(), 1);
}

#[test]
fn clearance_ends_at_the_border_of_what_is_blocked() {
    // In quarters of a cell: half a cell to the border of the frame, then a cell more each.
    let grid = grid("0 0 0 0 0 / 0 0 0 0 0 / 0 0 0 0 0 / 0 0 0 0 0 / 0 0 0 0 0");
    let quarters = |id| format!("{}", grid.clearance(AGENT, id).expect("a span") * 4.0);
    let expected = "2 2 2 2 2 / 2 6 6 6 2 / 2 6 10 6 2 / 2 6 6 6 2 / 2 2 2 2 2";
    assert_eq!(show(&grid, quarters), expected);
}

#[test]
fn clearance_is_capped() {
    let flat = vec![0.0; 101 * 101];
    let frame = GridFrame { cell_size: 0.5, min: Cell::new(-7, 9), size_x: 101, size_z: 101 };
    let grid = NavGrid::from_heights(frame, &flat, &[climber()]).expect("a sound map");
    let middle = SpanId(50 * 101 + 50);
    assert_eq!(grid.clearance(AGENT, middle), Some(255.0 / 8.0 * 0.5));
}

#[test]
fn a_larger_agent_number_is_refused() {
    let grid = grid("0 0");
    assert_eq!(grid.agent_id("climber"), Ok(AGENT));
    let error = grid.agent_id("nobody").unwrap_err();
    assert_eq!(error.to_string(), "the grid has no agent \"nobody\"; it has \"climber\"");
    assert_eq!(grid.verdict(AgentId(1), SpanId(0)), None);
    assert_eq!(grid.span(SpanId(2)), None);
    assert_eq!(grid.cell_of(SpanId(2)), None);
}

#[test]
fn columns_and_cells_agree() {
    let grid = grid("# # 0 / 0 # # / # 0 #");
    for id in (0..3).map(SpanId) {
        let cell = grid.cell_of(id).expect("a span");
        assert!(grid.column_spans(cell).contains(&id.0));
        assert_eq!(grid.layer_of(id), Some(0));
        let address = grid.cell_layer(id).expect("a span");
        assert_eq!((address.cell, grid.span_of(address)), (cell, Some(id)));
        assert_eq!(grid.span_of(surefoot::grid::CellLayer { layer: 9, ..address }), None);
        assert_eq!(grid.column(cell).len(), 1);
        let point = grid.point(id).expect("a span");
        assert_eq!(grid.column_at(point), Some(cell));
    }
    assert!(grid.column(Cell::new(5, 5)).is_empty());
}

#[test]
fn heights_that_make_no_grid_are_refused() {
    let frame = GridFrame { cell_size: 1.0, min: Cell::new(0, 0), size_x: 2, size_z: 1 };
    let error = |frame, heights: &[f32], agents: &[Agent]| {
        NavGrid::from_heights(frame, heights, agents).expect_err("it is refused").to_string()
    };
    assert_eq!(error(frame, &[0.0], &[]), "heights: 1 of them for 2 cells");
    assert!(error(frame, &[0.0, f32::INFINITY], &[]).contains("number 1 is infinite"));
    let twins = [climber(), climber()];
    assert!(error(frame, &[0.0, 0.0], &twins).contains("another is named \"climber\" too"));
    let flat = Agent { height: 0.1, ..climber() };
    assert!(error(frame, &[0.0, 0.0], &[flat]).contains("height"));
    let broken = GridFrame { cell_size: f32::NAN, ..frame };
    assert!(error(broken, &[0.0, 0.0], &[]).contains("cell size"));
    let far = GridFrame { min: Cell::new(i32::MAX, 0), ..frame };
    assert!(error(far, &[0.0, 0.0], &[]).contains("beyond"));
}

#[test]
fn terrain_letters() {
    let map = "type octile\nheight 2\nwidth 5\nmap\n.GSW@\nTO...\n";
    let grid = NavGrid::from_map(map, 1.0, &[]).expect("a sound map");
    let letter = |id: SpanId| {
        let span = grid.span(id).expect("a span");
        let walkable = grid.is_walkable(AGENT, id);
        format!("{}{}", span.area().0, if walkable { "" } else { "!" })
    };
    assert_eq!(show(&grid, letter), "0 0 1 2! . / . . 0 0 0");
    assert_eq!(grid.verdict(AGENT, SpanId(3)), Some(Verdict::Forbidden));
    assert_eq!(grid.areas()[usize::from(AreaId(1).0)].name, "swamp");
}

#[test]
fn broken_maps_name_line_and_column() {
    let at = |text: &str| match NavGrid::from_map(text, 1.0, &[]) {
        Err(MapError::Text { line, column, problem }) => (line, column, problem),
        other => panic!("{text:?} gave {other:?}"),
    };
    let head = "type octile\nheight 2\nwidth 3\nmap\n";
    assert_eq!(at(&format!("{head}..x\n...\n")).0, 5);
    assert_eq!(at(&format!("{head}..x\n...\n")).1, 3);
    assert_eq!(at(&format!("{head}...\n..\n")).1, 3);
    assert_eq!(at(&format!("{head}...\n....\n")).1, 4);
    assert_eq!(at(&format!("{head}......\n")).0, 5);
    assert_eq!(at(&format!("{head}...\n")).0, 6);
    assert_eq!(at(&format!("{head}...\n...\n...\n")).0, 7);
    assert_eq!(at("type tile\n").0, 1);
    assert_eq!(at("").0, 1);
    assert_eq!(at("type octile\nmap\n").0, 2);
    assert_eq!(at("type octile\nheight -1\n").0, 2);
    let hostile = "type octile\nheight 4294967295\nwidth 4294967295\nmap\n.";
    assert!(at(hostile).2.contains("more than the text holds"));
}

fn maps() -> Option<PathBuf> {
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/data");
    let folder = env::var_os("SUREFOOT_DATA").map_or_else(beside, PathBuf::from).join("maps");
    if !folder.is_dir() {
        println!("skipped: no maps in {}", folder.display());
        return None;
    }
    Some(folder)
}

#[test]
fn benchmark_maps() {
    let Some(folder) = maps() else { return };
    for name in ["arena2", "brc202d", "maze512-8-0", "random512-25-0"] {
        let path = folder.join(format!("{name}.map"));
        let text = fs::read_to_string(path).expect("the map is there");
        let grid = NavGrid::from_map(&text, 1.0, &[]).expect("a sound map");
        let rows = text.split_once("map\n").expect("a map").1;
        let passable = rows.chars().filter(|letter| ".GS".contains(*letter)).count();
        let layer = &grid.layers()[0];
        let walkable = layer.standings.iter().filter(|standing| standing.is_walkable()).count();
        assert_eq!(walkable, passable, "{name}");
        assert_eq!(layer.regions.len(), flood(rows), "{name}");
        println!("{name}: {walkable} walkable, {} regions", layer.regions.len());
    }
}

/// Number of pieces of passable letters, by flooding along the four straight directions.
fn flood(rows: &str) -> usize {
    let rows: Vec<&[u8]> = rows.lines().map(str::as_bytes).collect();
    let mut open: Vec<Vec<bool>> =
        rows.iter().map(|row| row.iter().map(|b| b".GS".contains(b)).collect()).collect();
    let mut pieces = 0;
    for z in 0..rows.len() {
        for x in 0..rows[z].len() {
            let mut queue = vec![(z, x)];
            pieces += usize::from(open[z][x]);
            while let Some((z, x)) = queue.pop() {
                if open.get(z).and_then(|row| row.get(x)) == Some(&true) {
                    open[z][x] = false;
                    let around = [(z + 1, x), (z.wrapping_sub(1), x)];
                    queue.extend(around.into_iter().chain([(z, x + 1), (z, x.wrapping_sub(1))]));
                }
            }
        }
    }
    pieces
}

#[test]
fn every_broken_promise_is_found() {
    let parts = || grid_of("0 0 0 / 0 0 # / 0 # 0", 1.0, &[climber()]).into_parts();
    let check = |expected: &str, spoil: &dyn Fn(&mut GridParts)| {
        let mut parts = parts();
        spoil(&mut parts);
        let error = NavGrid::new(parts).expect_err(expected).to_string();
        assert!(error.contains(expected), "{error:?} does not say {expected:?}");
    };
    check("cell size", &|p| p.frame.cell_size = 0.0);
    check("entries for", &|p| p.frame.size_x = 4);
    check("entries for", &|p| p.frame = GridFrame { size_x: 1 << 20, size_z: 1 << 20, ..p.frame });
    check("ends before it starts", &|p| p.first[2] = 9);
    check("starts at 1", &|p| p.first[0] = 1);
    check("they end at span", &|p| p.spans.truncate(6));
    check("is not a height", &|p| p.spans[0].floor = f32::NAN);
    check("is below its floor", &|p| p.spans[0].ceiling = -1.0);
    check("is below its floor", &|p| p.spans[0].ceiling = f32::NAN);
    check("is not > 0", &|p| p.areas[0].cost = 0.0);
    check("1 to 256", &|p| p.areas.clear());
    check("area 7 does not exist", &|p| p.spans[1] = p.spans[1].on(AreaId(7), p.spans[1].node()));
    check("standings for", &|p| p.layers[0].standings.truncate(1));
    check("height is 0", &|p| p.layers[0].agent.height = 0.0);
    check("claims 7 spans", &|p| p.layers[0].regions[0].spans = 7);
    check("does not exist", &|p| p.layers[0].regions.truncate(1));
    check("it claims", &|p| p.layers[0].regions.extend_from_within(1..));
    check("cuts a corner", &|p| p.layers[0].standings[0] = p.layers[0].standings[6]);
    check("does not come back", &|p| p.layers[0].standings[2] = Standing::WALKABLE);
}
