//! Levels of rooms and narrow passages, in which bodies block each other.

use surefoot_bake::Scene;
use surefoot_bake::scene::{Placement, SceneBuilder};

/// Side of a tile [m].
const TILE: f32 = 0.1;
/// Height of a wall above the highest floor [m].
const WALL: f32 = 2.5;

/// Side of a room [tiles].
const ROOM: usize = 100;

/// A rectangle of tiles: the low corner, and the high corner that is not part of it, as (x, z).
pub type Tiles = [[usize; 2]; 2];

/// A level of square tiles: each is a wall, or a floor at a height.
pub struct Passages {
    size: [usize; 2],
    /// By z, then by x; `None` is a wall [m].
    floors: Vec<Option<f32>>,
    /// The rooms whose bodies change places, pair by pair; none if everyone goes anywhere.
    pub rooms: Vec<Tiles>,
}

impl Passages {
    /// A level of walls.
    fn solid(size: [usize; 2]) -> Self {
        Passages { size, floors: vec![None; size[0] * size[1]], rooms: Vec::new() }
    }

    /// Makes a rectangle of tiles floor.
    fn carve(&mut self, tiles: Tiles) -> &mut Self {
        self.ramp(tiles, |_| 0.0)
    }

    /// Makes a rectangle of tiles floor, at a height that depends on x.
    fn ramp(&mut self, [low, high]: Tiles, height: impl Fn(usize) -> f32) -> &mut Self {
        for z in low[1]..high[1] {
            for x in low[0]..high[0] {
                self.floors[z * self.size[0] + x] = Some(height(x));
            }
        }
        self
    }

    /// A level of walls, and rooms in it.
    fn with_rooms(size: [usize; 2], rooms: Vec<[usize; 2]>) -> Self {
        let mut level = Self::solid(size);
        level.rooms = rooms.into_iter().map(|low| [low, low.map(|at| at + ROOM)]).collect();
        for room in level.rooms.clone() {
            level.carve(room);
        }
        level
    }

    /// Two rooms, and a passage of a width between them [tiles].
    pub fn straight(width: usize) -> Self {
        let mut level = Self::with_rooms([286, 108], vec![[4, 4], [182, 4]]);
        level.carve([[104, 50], [182, 50 + width]]);
        level
    }

    /// Two rooms, and a passage with a corner.
    pub fn corner(width: usize) -> Self {
        let mut level = Self::with_rooms([240, 240], vec![[4, 4], [136, 136]]);
        level.carve([[104, 50], [180 + width, 50 + width]]);
        level.carve([[180, 50], [180 + width, 136]]);
        level
    }

    /// Two rooms, and a passage that turns four times.
    pub fn zigzag(width: usize) -> Self {
        let mut level = Self::with_rooms([320, 116], vec![[4, 4], [216, 4]]);
        level.carve([[104, 24], [132 + width, 24 + width]]);
        level.carve([[132, 24], [132 + width, 80 + width]]);
        level.carve([[132, 80], [172 + width, 80 + width]]);
        level.carve([[172, 24], [172 + width, 80 + width]]);
        level.carve([[172, 24], [216, 24 + width]]);
        level
    }

    /// Two rooms at different heights, and stairs between them.
    pub fn stairs(width: usize) -> Self {
        let mut level = Self::straight(width);
        let height = |x: usize| 0.2 * ((x.clamp(120, 168) - 120) / 4) as f32;
        for room in level.rooms.clone() {
            level.ramp(room, height);
        }
        level.ramp([[104, 50], [182, 50 + width]], height);
        level
    }

    /// Three rooms round a junction, and some from each go to each of the others.
    pub fn tee(width: usize) -> Self {
        let [left, right, middle] = [[4, 4], [216, 4], [110, 136]];
        let rooms = vec![left, right, right, middle, middle, left];
        let mut level = Self::with_rooms([320, 240], rooms);
        level.carve([[104, 50], [216, 50 + width]]).carve([[156, 50], [156 + width, 136]]);
        level
    }

    /// Two rooms, and a passage with a niche halfway.
    pub fn niche(width: usize) -> Self {
        let mut level = Self::straight(width);
        level.carve([[138, 50], [148, 60 + width]]);
        level
    }

    /// A room, and a passage with a blind end: those inside change places with those in the room.
    pub fn dead_end(width: usize) -> Self {
        let mut level = Self::with_rooms([188, 108], vec![[4, 4]]);
        level.carve([[104, 50], [184, 50 + width]]);
        level.rooms.push([[120, 50], [184, 50 + width]]);
        level
    }

    /// A hall with blind passages on both sides, and everyone goes anywhere.
    pub fn comb(width: usize) -> Self {
        let mut level = Self::solid([200, 136]);
        level.carve([[4, 48], [196, 88]]);
        for tooth in 0..5 {
            let x = 12 + 38 * tooth;
            level.carve([[x, 4], [x + width, 48]]);
            level.carve([[x + 12, 88], [x + 12 + width, 132]]);
        }
        level
    }

    /// A maze of passages without loops, with some small rooms, and everyone goes anywhere.
    pub fn maze(width: usize, seed: u64) -> Self {
        let (cells, pitch) = (6, width + 20);
        let side = cells * pitch + 4;
        let mut level = Self::solid([side, side]);
        let mut random = super::Random(seed);
        let corner = |cell: [usize; 2]| cell.map(|at| 12 + at * pitch);
        let mut trail = vec![[0usize, 0]];
        let mut visited = vec![false; cells * cells];
        visited[0] = true;
        while let Some(&[x, z]) = trail.last() {
            let around = [[1, 0], [0, 1], [-1, 0], [0, -1]].map(|[dx, dz]: [isize; 2]| {
                Some([x.checked_add_signed(dx)?, z.checked_add_signed(dz)?])
            });
            let is_new = |&[x, z]: &[usize; 2]| x < cells && z < cells && !visited[z * cells + x];
            let next: Vec<[usize; 2]> = around.into_iter().flatten().filter(is_new).collect();
            if next.is_empty() {
                trail.pop();
                continue;
            }
            let to = next[random.below(next.len())];
            visited[to[1] * cells + to[0]] = true;
            let [one, other] = [corner([x, z]), corner(to)];
            let low = [0, 1].map(|axis| one[axis].min(other[axis]));
            let high = [0, 1].map(|axis| one[axis].max(other[axis]) + width);
            level.carve([low, high]);
            trail.push(to);
        }
        for _ in 0..cells {
            let [x, z] = corner([random.below(cells), random.below(cells)]);
            level.carve([[x - 8, z - 8], [x + width + 8, z + width + 8]]);
        }
        level
    }

    /// The scene: blocks, of equal tiles side by side in equal rows.
    pub fn scene(&self) -> Scene {
        let mut scene = SceneBuilder::new("passages");
        let top = self.floors.iter().flatten().fold(0.0, |top: f32, &floor| top.max(floor)) + WALL;
        let rows: Vec<&[Option<f32>]> = self.floors.chunks(self.size[0]).collect();
        let mut z = 0.0;
        for band in rows.chunk_by(|one, other| one == other) {
            let depth = band.len() as f32 * TILE;
            let mut x = 0.0;
            for run in band[0].chunk_by(|one, other| one == other) {
                let width = run.len() as f32 * TILE;
                let [low, high] = [-1.0, run[0].unwrap_or(top)];
                let half = [width / 2.0, (high - low) / 2.0, depth / 2.0];
                let at = [x + half[0], low + half[1], z + half[2]];
                let name = if run[0].is_some() { "Floor" } else { "Wall" };
                let place = Placement::at(at);
                let place = if run[0].is_some() { place } else { place.obstacle() };
                scene.cuboid(name, half, place);
                x += width;
            }
            z += depth;
        }
        scene.build().expect("a level")
    }

    /// Whether a point lies in a rectangle of tiles, seen from above [m].
    pub fn contains([low, high]: &Tiles, x: f32, z: f32) -> bool {
        let is_within = |at: f32, axis: usize| {
            (low[axis] as f32 * TILE..high[axis] as f32 * TILE).contains(&at)
        };
        is_within(x, 0) && is_within(z, 1)
    }
}
