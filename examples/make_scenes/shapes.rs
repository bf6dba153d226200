//! Shapes as triangle soup: boxes, wedges, stairs, cylinders, boulders.
//!
//! Triangles are counter-clockwise seen from outside. Every shape is closed and has no corner in
//! the middle of another triangle's edge; the writer welds equal corners.

use super::angle::{cos, sin};

/// A place [m], y up.
pub type P = [f64; 3];

/// Triangles with their corners spelled out.
#[derive(Clone, Default)]
pub struct Mesh {
    /// Corners, counter-clockwise seen from outside.
    pub triangles: Vec<[P; 3]>,
}

/// One station of an extruded profile: at `x` the solid reaches from `low` to `high` [m].
#[derive(Clone, Copy)]
pub struct Section {
    pub x: f64,
    pub low: f64,
    pub high: f64,
}

impl Mesh {
    /// Adds a triangle; slivers without area are dropped by the writer.
    pub fn tri(&mut self, a: P, b: P, c: P) {
        self.triangles.push([a, b, c]);
    }

    /// Adds four corners as two triangles.
    pub fn quad(&mut self, corners: [P; 4]) {
        let [a, b, c, d] = corners;
        self.tri(a, b, c);
        self.tri(a, c, d);
    }

    /// This mesh with another one beside it.
    pub fn with(mut self, other: Mesh) -> Mesh {
        self.triangles.extend(other.triangles);
        self
    }

    /// This mesh moved by an offset.
    pub fn moved(self, by: P) -> Mesh {
        self.mapped(|p| [p[0] + by[0], p[1] + by[1], p[2] + by[2]])
    }

    /// This mesh with every corner put elsewhere.
    pub fn mapped(mut self, place: impl Fn(P) -> P) -> Mesh {
        for corner in self.triangles.iter_mut().flatten() {
            *corner = place(*corner);
        }
        self
    }

    /// This mesh turned by quarter turns about y, from x toward -z.
    pub fn quarter_turned(self, quarters: u32) -> Mesh {
        (0..quarters).fold(self, |mesh, _| mesh.mapped(|p| [p[2], p[1], -p[0]]))
    }
}

/// A level rectangle seen from above, at height `y`.
pub fn plane(min: [f64; 2], max: [f64; 2], y: f64) -> Mesh {
    let mut mesh = Mesh::default();
    mesh.quad([[min[0], y, min[1]], [min[0], y, max[1]], [max[0], y, max[1]], [max[0], y, min[1]]]);
    mesh
}

/// A box between two corners.
pub fn cuboid(min: P, max: P) -> Mesh {
    let ends = [
        Section { x: min[0], low: min[1], high: max[1] },
        Section { x: max[0], low: min[1], high: max[1] },
    ];
    extrude(&ends, min[2], max[2])
}

/// A profile in the x-y plane, x strictly rising, drawn out from `z0` to `z1`.
pub fn extrude(sections: &[Section], z0: f64, z1: f64) -> Mesh {
    let mut mesh = Mesh::default();
    for pair in sections.windows(2) {
        let (a, b) = (pair[0], pair[1]);
        let top = |s: Section, z| [s.x, s.high, z];
        let low = |s: Section, z| [s.x, s.low, z];
        mesh.quad([top(a, z0), top(a, z1), top(b, z1), top(b, z0)]);
        mesh.quad([low(a, z0), low(b, z0), low(b, z1), low(a, z1)]);
        mesh.quad([low(a, z1), low(b, z1), top(b, z1), top(a, z1)]);
        mesh.quad([low(a, z0), top(a, z0), top(b, z0), low(b, z0)]);
    }
    if let (Some(a), Some(b)) = (sections.first(), sections.last()) {
        mesh.quad([[a.x, a.low, z0], [a.x, a.low, z1], [a.x, a.high, z1], [a.x, a.high, z0]]);
        mesh.quad([[b.x, b.low, z0], [b.x, b.high, z0], [b.x, b.high, z1], [b.x, b.low, z1]]);
    }
    mesh
}

/// A wedge that rises along +x from height 0 to `rise` over `run`, standing on `low`.
pub fn ramp(run: f64, rise: f64, low: f64, width: f64) -> Mesh {
    let ends = [Section { x: 0.0, low, high: 0.0 }, Section { x: run, low, high: rise }];
    extrude(&ends, 0.0, width)
}

/// A block of stairs.
pub struct Stairs {
    pub steps: u32,
    /// Height of one step [m].
    pub riser: f64,
    /// Depth of one step [m].
    pub tread: f64,
    pub width: f64,
    /// Height of the underside [m].
    pub low: f64,
}

impl Stairs {
    /// The closed block: the first riser stands at x = 0 and rises along +x, z from 0 to the width.
    pub fn block(&self) -> Mesh {
        let mut mesh = Mesh::default();
        for step in 0..self.steps {
            self.step(step, &mut mesh);
        }
        let (x, top) = (f64::from(self.steps) * self.tread, f64::from(self.steps) * self.riser);
        let (low, w) = (self.low, self.width);
        mesh.quad([[x, low, 0.0], [x, top, 0.0], [x, top, w], [x, low, w]]);
        mesh
    }

    fn step(&self, step: u32, mesh: &mut Mesh) {
        let (x0, x1) = (f64::from(step) * self.tread, f64::from(step + 1) * self.tread);
        let (y0, y1) = (f64::from(step) * self.riser, f64::from(step + 1) * self.riser);
        let (low, w) = (self.low, self.width);
        // The first riser reaches down to the underside; the others stand on the step before.
        let foot = if step == 0 { low } else { y0 };
        mesh.quad([[x0, y1, 0.0], [x0, y1, w], [x1, y1, w], [x1, y1, 0.0]]);
        mesh.quad([[x0, foot, 0.0], [x0, foot, w], [x0, y1, w], [x0, y1, 0.0]]);
        mesh.quad([[x0, low, 0.0], [x1, low, 0.0], [x1, low, w], [x0, low, w]]);
        // A fan from the far lower corner, with a corner where the step before ends.
        for (z, outside) in [(w, true), (0.0, false)] {
            let rim = [[x1, y1, z], [x0, y1, z], [x0, foot, z], [x0, low, z]];
            for pair in rim.windows(2) {
                let (a, b) = if outside { (pair[0], pair[1]) } else { (pair[1], pair[0]) };
                mesh.tri([x1, low, z], a, b);
            }
        }
    }
}

/// A closed round body that narrows from `radii[0]` at `y[0]` to `radii[1]` at `y[1]`.
pub fn frustum(radii: [f64; 2], y: [f64; 2], sides: u32) -> Mesh {
    let mut mesh = Mesh::default();
    let rim = |end: usize, i: u32| {
        let turns = f64::from(i % sides) / f64::from(sides);
        [radii[end] * cos(turns), y[end], -radii[end] * sin(turns)]
    };
    for i in 0..sides {
        mesh.quad([rim(0, i), rim(0, i + 1), rim(1, i + 1), rim(1, i)]);
        mesh.tri([0.0, y[1], 0.0], rim(1, i), rim(1, i + 1));
        mesh.tri([0.0, y[0], 0.0], rim(0, i + 1), rim(0, i));
    }
    mesh
}

/// A closed upright cylinder round the y axis.
pub fn cylinder(radius: f64, y: [f64; 2], sides: u32) -> Mesh {
    frustum([radius, radius], y, sides)
}

/// A closed upright pipe round the y axis, between two radii.
pub fn pipe(radii: [f64; 2], y: [f64; 2], sides: u32) -> Mesh {
    let mut mesh = Mesh::default();
    let rim = |r: f64, y: f64, i: u32| {
        let turns = f64::from(i % sides) / f64::from(sides);
        [r * cos(turns), y, -r * sin(turns)]
    };
    let [inner, outer] = radii;
    for (i, j) in (0..sides).map(|i| (i, i + 1)) {
        mesh.quad([
            rim(outer, y[0], i),
            rim(outer, y[0], j),
            rim(outer, y[1], j),
            rim(outer, y[1], i),
        ]);
        mesh.quad([
            rim(inner, y[0], j),
            rim(inner, y[0], i),
            rim(inner, y[1], i),
            rim(inner, y[1], j),
        ]);
        mesh.quad([
            rim(inner, y[1], i),
            rim(outer, y[1], i),
            rim(outer, y[1], j),
            rim(inner, y[1], j),
        ]);
        mesh.quad([
            rim(outer, y[0], i),
            rim(inner, y[0], i),
            rim(inner, y[0], j),
            rim(outer, y[0], j),
        ]);
    }
    mesh
}

/// A ball of 80 triangles whose corners are pushed in or out by `bumps` (1 = not at all).
pub fn boulder(radius: f64, bumps: impl Fn(P) -> f64) -> Mesh {
    let mut mesh = Mesh::default();
    for [a, b, c] in icosahedron() {
        let (ab, bc, ca) = (halfway(a, b), halfway(b, c), halfway(c, a));
        for t in [[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]] {
            mesh.triangles.push(t);
        }
    }
    mesh.mapped(|p| {
        let length = (p[0] * p[0] + p[1] * p[1] + p[2] * p[2]).sqrt();
        let unit = p.map(|v| v / length);
        unit.map(|v| v * radius * bumps(unit))
    })
}

fn halfway(a: P, b: P) -> P {
    [(a[0] + b[0]) / 2.0, (a[1] + b[1]) / 2.0, (a[2] + b[2]) / 2.0]
}

/// The twenty faces of an icosahedron, counter-clockwise from outside.
fn icosahedron() -> Vec<[P; 3]> {
    let g = (1.0 + 5f64.sqrt()) / 2.0;
    let corners: [P; 12] = [
        [-1.0, g, 0.0],
        [1.0, g, 0.0],
        [-1.0, -g, 0.0],
        [1.0, -g, 0.0],
        [0.0, -1.0, g],
        [0.0, 1.0, g],
        [0.0, -1.0, -g],
        [0.0, 1.0, -g],
        [g, 0.0, -1.0],
        [g, 0.0, 1.0],
        [-g, 0.0, -1.0],
        [-g, 0.0, 1.0],
    ];
    let faces: [[usize; 3]; 20] = [
        [0, 11, 5],
        [0, 5, 1],
        [0, 1, 7],
        [0, 7, 10],
        [0, 10, 11],
        [1, 5, 9],
        [5, 11, 4],
        [11, 10, 2],
        [10, 7, 6],
        [7, 1, 8],
        [3, 9, 4],
        [3, 4, 2],
        [3, 2, 6],
        [3, 6, 8],
        [3, 8, 9],
        [4, 9, 5],
        [2, 4, 11],
        [6, 2, 10],
        [8, 6, 7],
        [9, 8, 1],
    ];
    faces.iter().map(|face| face.map(|i| corners[i])).collect()
}
