//! Finds floors: turns the surfaces on vertical lines into spans.
//!
//! Upper sides are floors, and the next surface above one is its ceiling. Floors closer than a
//! centimetre are merged; among coplanar surfaces the strictest mark counts. A floor inside a
//! closed solid is kept and marked, so that users can query why it is not walkable.

use std::ops::Range;

use nalgebra::{Point3, Vector3};

use super::small_map::SmallMap;
use crate::casts::{CollisionWorld, Columns, Hit};
use crate::scene::Surface;
use surefoot::grid::{Area, AreaId, Cell, GridFrame, NodeId, Span};

/// Hits closer than this are merged [m].
const MERGE_HEIGHT: f32 = 0.01;
/// Hits closer than this are coplanar [m].
const COPLANAR_TOLERANCE: f32 = 1e-3;

/// A floor: the span that it becomes, and what standing on it depends on.
#[derive(Clone, Copy, Debug)]
pub(in crate::stages) struct Floor {
    pub span: Span,
    /// The y of the unit normal, not rounded like the span's.
    pub up: f32,
    /// Rise per metre along x and along z.
    pub gradient: [f32; 2],
    /// Its surface is marked as an obstacle.
    pub obstacle: bool,
    /// Marked by the author, as an obstacle or by its area: no agent may stand on it.
    pub forbidden: bool,
    /// It lies inside a closed solid.
    pub inside: bool,
    /// What its ceiling is a part of.
    pub ceiling_node: NodeId,
}

impl Floor {
    /// Returns how far a body moves at most from the center of a cell to a corner, on the floor's slope
    /// [m].
    pub fn way_to_corner(&self, cell_size: f32) -> f32 {
        let [along_x, along_z] = self.gradient;
        let slope = along_x * along_x + along_z * along_z;
        cell_size * (0.5 * (1.0 + slope)).sqrt()
    }
}

/// The floors of a rectangle of cells, each column low to high.
pub(in crate::stages) struct Floors {
    /// For each cell the index of its first floor; one more entry closes the last.
    pub first: Vec<u32>,
    pub floors: Vec<Floor>,
}

impl Floors {
    /// Finds the floors in columns of hits.
    pub fn find(world: &CollisionWorld, columns: &Columns, cells: usize, areas: &[Area]) -> Self {
        let mut first = Vec::with_capacity(cells + 1);
        let mut floors = Vec::with_capacity(cells);
        let rules = SurfaceRules { world, areas };
        let mut entered = EnteredShells::default();
        first.push(0);
        for cell in 0..cells {
            let hits = columns.column(cell);
            let lowest = hits.iter().rposition(|hit| rules.is_floor(hit));
            match &hits[..lowest.map_or(0, |lowest| lowest + 1)] {
                [] => {}
                // Most columns have nothing above their only floor.
                [hit] => floors.push(rules.floor(hit)),
                hits => {
                    let start = floors.len();
                    rules.find_in_column(hits, &mut entered, |floor| floors.push(floor));
                    floors[start..].reverse();
                }
            }
            first.push(floors.len() as u32);
        }
        Floors { first, floors }
    }

    /// Returns for each floor the point above the center of its cell.
    pub fn feet(&self, frame: &GridFrame) -> Vec<Point3<f32>> {
        let mut feet = Vec::with_capacity(self.floors.len());
        let rows = 0..frame.size_z as i32;
        let cells = rows.flat_map(|z| (0..frame.size_x as i32).map(move |x| (x, z)));
        for (index, (x, z)) in cells.enumerate() {
            let [x, z] = frame.center(Cell::new(frame.min.x + x, frame.min.z + z));
            feet.extend(self.column(index).map(|i| Point3::new(x, self.floors[i].span.floor, z)));
        }
        feet
    }

    /// Returns the indices of the floors of each cell in a row.
    pub fn columns(&self, cells: Range<usize>) -> impl Iterator<Item = Range<usize>> {
        let first = &self.first[cells.start..=cells.end];
        first.windows(2).map(|ends| ends[0] as usize..ends[1] as usize)
    }

    /// Returns the indices of a cell's floors.
    pub fn column(&self, cell: usize) -> Range<usize> {
        self.first[cell] as usize..self.first[cell + 1] as usize
    }

    /// Returns the cell that a floor lies over. O(log cells).
    pub fn cell_of(&self, floor: usize) -> usize {
        self.first.partition_point(|&first| first as usize <= floor) - 1
    }

    /// Returns the indices of a cell's floors at most a distance above or below a height [m], and
    /// perhaps of a few more. O(log floors) for columns of many.
    #[inline]
    pub fn near(&self, cell: usize, height: f32, distance: f32) -> Range<usize> {
        floors_near(&self.floors, self.column(cell), height, distance)
    }
}

/// Columns of this many floors are searched from end to end.
const SHORT_COLUMN: usize = 16;

/// Returns the part of a column whose floors lie at most a distance above or below a height [m];
/// all of a short column.
#[inline]
pub(super) fn floors_near(
    floors: &[Floor],
    column: Range<usize>,
    height: f32,
    distance: f32,
) -> Range<usize> {
    if column.len() <= SHORT_COLUMN {
        return column;
    }
    // Differences of heights are rounded where they are compared: the margin is far more.
    let distance = f64::from(distance + MERGE_HEIGHT);
    let [low, high] = [-distance, distance].map(|by| f64::from(height) + by);
    let all = &floors[column.clone()];
    let start = all.partition_point(|floor| f64::from(floor.span.floor) < low);
    let end = all.partition_point(|floor| f64::from(floor.span.floor) <= high);
    column.start + start..column.start + end
}

/// Which surfaces are floors, and what the author marked them as.
struct SurfaceRules<'a> {
    world: &'a CollisionWorld,
    /// Kinds of rules.
    areas: &'a [Area],
}

impl SurfaceRules<'_> {
    /// Returns whether a surface is the upper side of something, or counts as one.
    #[inline]
    fn is_floor(&self, hit: &Hit) -> bool {
        let is_two_sided = || self.world.surface(hit.solid, hit.triangle).two_sided;
        hit.faces_up() || (hit.normal[1] < 0.0 && is_two_sided())
    }

    /// Returns the floor that a surface is, without a ceiling.
    #[inline]
    fn floor(&self, hit: &Hit) -> Floor {
        let surface = self.world.surface(hit.solid, hit.triangle);
        let normal = Vector3::from(hit.normal) * hit.normal[1].signum();
        let up = normal.y.max(f32::MIN_POSITIVE);
        let span = Span::new(hit.y, f32::INFINITY, normal);
        Floor {
            span: span.on(surface.area, self.world.node(hit.solid)),
            up: normal.y,
            gradient: [-normal.x / up, -normal.z / up],
            obstacle: surface.obstacle,
            forbidden: surface.obstacle || self.area(&surface).forbidden,
            inside: false,
            ceiling_node: NodeId::NONE,
        }
    }

    /// Returns the strictest of the coplanar floors that some hits start with: forbidden before
    /// allowed, then the most expensive, then any named area. Ties go to the first.
    fn strictest<'h>(&self, hits: &'h [Hit]) -> &'h Hit {
        let coplanar = hits.iter().take_while(|hit| hits[0].y - hit.y < COPLANAR_TOLERANCE);
        let strictness = |hit: &Hit| {
            let surface = self.world.surface(hit.solid, hit.triangle);
            let area = self.area(&surface);
            (surface.obstacle || area.forbidden, area.cost, surface.area > AreaId::default())
        };
        let stricter = |one: &'h Hit, other: &'h Hit| {
            if strictness(other) > strictness(one) { other } else { one }
        };
        coplanar.filter(|hit| self.is_floor(hit)).reduce(stricter).unwrap_or(&hits[0])
    }

    fn area(&self, surface: &Surface) -> &Area {
        &self.areas[usize::from(surface.area.0)]
    }

    /// Calls back with the floors of one column, high to low. The last hit must be a floor.
    fn find_in_column(
        &self,
        hits: &[Hit],
        entered: &mut EnteredShells,
        mut call: impl FnMut(Floor),
    ) {
        entered.clear();
        let mut last_floor = f32::INFINITY;
        for (index, hit) in hits.iter().enumerate() {
            if last_floor - hit.y >= MERGE_HEIGHT && self.is_floor(hit) {
                last_floor = hit.y;
                let mut floor = self.floor(self.strictest(&hits[index..]));
                floor.span.floor = hit.y;
                if let Some(ceiling) = ceiling_over(hit.y, &hits[..index]) {
                    floor.span.ceiling = ceiling.y;
                    floor.ceiling_node = self.world.node(ceiling.solid);
                }
                floor.inside = entered.contain(hit.y);
                call(floor);
            }
            if let Some(shell) = self.world.shell(hit) {
                entered.cross(shell, hit);
            }
        }
    }
}

/// Returns the lowest surface above a floor, given the hits above it, high to low.
fn ceiling_over(floor: f32, above: &[Hit]) -> Option<&Hit> {
    above.iter().rev().find(|hit| hit.y - floor >= MERGE_HEIGHT)
}

/// The closed shells that a line going down is inside of. Each crossing is O(log shells).
#[derive(Default)]
struct EnteredShells {
    /// By solid and the number of the shell in it; those that the line has left are not kept.
    shells: SmallMap<[u32; 2], ShellDepth>,
    /// For each solid how deep the line is in it, unless that is 0; cavities count against it.
    depths: SmallMap<u32, i32>,
    /// How many solids the line is inside of.
    inside: usize,
    /// Height at which the line last left all of them [m].
    left: f32,
}

/// A closed shell that the line has crossed.
#[derive(Clone, Copy)]
struct ShellDepth {
    /// How often it was entered and not left; negative if its faces look inward.
    depth: i32,
    /// Its faces look inward and it is not inside another shell of its solid: a room, not a cavity.
    is_room: bool,
}

impl EnteredShells {
    fn clear(&mut self) {
        self.shells.clear();
        self.depths.clear();
        self.inside = 0;
        self.left = f32::INFINITY;
    }

    /// Returns whether a height is inside a solid, or so close below one that nothing fits between.
    fn contain(&self, y: f32) -> bool {
        self.inside > 0 || self.left - y < MERGE_HEIGHT
    }

    fn cross(&mut self, shell: u32, hit: &Hit) {
        let was_inside = self.inside > 0;
        let change = if hit.faces_up() { 1 } else { -1 };
        let in_the_open = self.depths.of(hit.solid).is_none_or(|depth| depth <= 0);
        let key = [hit.solid, shell];
        let known = self.shells.of(key);
        let ShellDepth { depth, is_room } =
            known.unwrap_or(ShellDepth { depth: 0, is_room: change < 0 && in_the_open });
        let depth = depth + change;
        self.shells.set(key, (depth != 0).then_some(ShellDepth { depth, is_room }));
        if !is_room {
            self.change_depth(hit.solid, change);
        }
        if was_inside && self.inside == 0 {
            self.left = hit.y;
        }
    }

    fn change_depth(&mut self, solid: u32, change: i32) {
        let before = self.depths.of(solid).unwrap_or(0);
        let after = before + change;
        self.depths.set(solid, (after != 0).then_some(after));
        self.inside += usize::from(after > 0);
        self.inside -= usize::from(before > 0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn random(seed: &mut u64, limit: u32) -> u32 {
        *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (*seed >> 33) as u32 % limit
    }

    #[test]
    fn few_floors_of_a_high_column_are_near() {
        let floor = |y: f32| Floor {
            span: Span::new(y, y + 2.0, Vector3::y()),
            up: 1.0,
            gradient: [0.0; 2],
            obstacle: false,
            forbidden: false,
            inside: false,
            ceiling_node: NodeId::NONE,
        };
        let floors: Vec<Floor> = (0..20_000).map(|storey| floor(3.0 * storey as f32)).collect();
        let floors = Floors { first: vec![0, 20_000], floors };
        for at in [0, 7, 10_000, 19_999] {
            let height = floors.floors[at].span.floor;
            let near = floors.near(0, height, 3.0);
            assert!(near.contains(&at) && near.len() <= 3, "{near:?} near {at}");
            assert!(near.contains(&(at + 1)) || at == 19_999);
            assert!(near.contains(&at.wrapping_sub(1)) || at == 0);
        }
    }

    /// The definition: how often each shell was entered, and which are rooms.
    #[derive(Default)]
    struct Crossings(Vec<([u32; 2], ShellDepth)>);

    impl Crossings {
        fn depth_in(&self, solid: u32) -> i32 {
            let counts = self.0.iter().filter(|(key, shell)| key[0] == solid && !shell.is_room);
            counts.map(|(_, shell)| shell.depth).sum()
        }

        fn is_inside(&self) -> bool {
            self.0.iter().any(|(key, shell)| shell.depth > 0 && self.depth_in(key[0]) > 0)
        }

        fn cross(&mut self, key: [u32; 2], change: i32) {
            let in_the_open = self.depth_in(key[0]) <= 0;
            if !self.0.iter().any(|known| known.0 == key) {
                self.0.push((key, ShellDepth { depth: 0, is_room: false }));
            }
            let Some((_, shell)) = self.0.iter_mut().find(|known| known.0 == key) else { return };
            if shell.depth == 0 {
                shell.is_room = change < 0 && in_the_open;
            }
            shell.depth += change;
        }
    }

    #[test]
    fn a_line_is_inside_of_solids_by_definition() {
        let mut seed = 3;
        let mut counts = [0; 2];
        for _ in 0..300 {
            let (mut entered, mut defined) = (EnteredShells::default(), Crossings::default());
            entered.clear();
            for _ in 0..20 {
                let [solid, shell, up] = [3, 2, 2].map(|limit| random(&mut seed, limit));
                let normal = [0.0, if up == 1 { 1.0 } else { -1.0 }, 0.0];
                let hit = Hit { y: 0.0, normal, solid, triangle: 0 };
                entered.cross(shell, &hit);
                defined.cross([solid, shell], if up == 1 { 1 } else { -1 });
                assert_eq!(entered.inside > 0, defined.is_inside());
                counts[usize::from(entered.inside > 0)] += 1;
            }
        }
        assert!(counts.iter().all(|&count| count > 1000), "{counts:?}");
    }

    #[test]
    fn shells_that_were_left_are_not_kept() {
        let mut entered = EnteredShells::default();
        entered.clear();
        for solid in 0..20_000 {
            for up in [1.0, -1.0] {
                entered.cross(0, &Hit { y: 0.0, normal: [0.0, up, 0.0], solid, triangle: 0 });
            }
            assert!(entered.shells.is_empty() && entered.depths.is_empty());
        }
    }
}
