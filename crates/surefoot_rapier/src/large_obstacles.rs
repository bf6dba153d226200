//! Distances to large obstacles, in 64-bit numbers.
//!
//! A 32-bit number tells places apart to a quarter of a metre at 2,500 km. So the distance to a triangle
//! whose corners are that far off is wrong by as much, however near its face is. In 64-bit numbers all
//! differences of corners are exact, and a distance is off by less than a micrometre.
//!
//! A core shape is a box, as thin as a line for a capsule: one way to measure serves both.

use parry3d::math::{Pose, Vector};
use parry3d::shape::{Capsule, Cylinder, Shape};

/// The longest edge that distances are computed for in 32-bit numbers [m]: they are off by less than the
/// margins of all bounds.
pub(crate) const MAX_EDGE: f32 = 128.0;

/// A box with sides along the axes, around the origin of its own space.
#[derive(Clone, Copy)]
pub(crate) struct CoreBox {
    /// Where it is in the world [m].
    pub center: Vector,
    /// Half its sides [m]; 0 along x and z for the axis of a capsule.
    pub half_extents: Vector,
}

/// A point or vector [m].
type Point = [f64; 3];

/// Returns whether a triangle has an edge longer than [`MAX_EDGE`].
#[inline]
pub(crate) fn is_large([a, b, c]: &[Vector; 3]) -> bool {
    let longest = (*b - *a).length_squared().max((*c - *b).length_squared());
    longest.max((*a - *c).length_squared()) > MAX_EDGE * MAX_EDGE
}

impl CoreBox {
    /// Returns the shortest vector from a triangle to the box; zero if they overlap.
    pub fn separation_from_triangle(&self, corners: &[Vector; 3]) -> Vector {
        let core = self.centered();
        let triangle = Triangle::new(corners.map(|corner| minus(wide(corner), wide(self.center))));
        narrow(core.separation_from_triangle(&triangle))
    }

    /// Returns the shortest vector from a large round solid to the box, zero if they overlap; `None` for any
    /// other solid, and for one that is not large.
    pub fn separation_from_round(&self, shape: &dyn Shape, pose: &Pose) -> Option<Vector> {
        let core = self.centered();
        let place = |local: Vector| {
            let turned = rotate(pose, wide(local));
            minus(plus(turned, wide(pose.translation)), wide(self.center))
        };
        if let Some(ball) = shape.as_ball() {
            let center = place(Vector::ZERO);
            let from_center = core.from_segment(center, center);
            return (ball.radius > MAX_EDGE).then(|| narrow(shortened(from_center, ball.radius)));
        }
        if let Some(Capsule { segment, radius }) = shape.as_capsule() {
            let from_axis = || core.from_segment(place(segment.a), place(segment.b));
            let size = radius.max(segment.length());
            return (size > MAX_EDGE).then(|| narrow(shortened(from_axis(), *radius)));
        }
        let Cylinder { half_height, radius } = *shape.as_cylinder()?;
        (half_height.max(radius) > MAX_EDGE).then(|| {
            let axis = rotate(pose, [0.0, 1.0, 0.0]);
            let axis = scaled(axis, 1.0 / length(axis));
            let [half_height, radius] = [half_height, radius].map(f64::from);
            let cylinder = RoundPillar { center: place(Vector::ZERO), axis, half_height, radius };
            narrow(cylinder.separation_from(&core))
        })
    }

    fn centered(&self) -> Centered {
        Centered { half: wide(self.half_extents) }
    }
}

/// A box around the origin, by half its sides.
struct Centered {
    half: Point,
}

impl Centered {
    /// Returns the vector from a point to the nearest point of the box.
    fn from_point(&self, point: Point) -> Point {
        [0, 1, 2].map(|i| point[i].clamp(-self.half[i], self.half[i]) - point[i])
    }

    /// Returns the shortest vector from a segment to the box.
    ///
    /// Half the slope of the squared distance grows along the segment, and is linear between the places
    /// where the segment crosses the planes of the box's sides: its zero is found in the piece around it.
    fn from_segment(&self, start: Point, end: Point) -> Point {
        let along = minus(end, start);
        let at = |t: f64| plus(start, scaled(along, t));
        let slope = |t: f64| -dot(self.from_point(at(t)), along);
        let [mut low, mut high] = [[0.0, slope(0.0)], [1.0, slope(1.0)]];
        if low[1] >= 0.0 || high[1] <= 0.0 {
            return self.from_point(if low[1] >= 0.0 { start } else { end });
        }
        for axis in 0..3 {
            for side in [-self.half[axis], self.half[axis]] {
                let t = (side - start[axis]) / along[axis];
                if t > low[0] && t < high[0] {
                    let turn = [t, slope(t)];
                    *(if turn[1] < 0.0 { &mut low } else { &mut high }) = turn;
                }
            }
        }
        self.from_point(at(low[0] + (high[0] - low[0]) * (low[1] / (low[1] - high[1]))))
    }

    /// Returns the vertices, each once.
    fn vertices(&self) -> impl Iterator<Item = Point> {
        let half = self.half;
        let corners = (0..8u32).map(move |bits| {
            [0, 1, 2].map(|i| if bits >> i & 1 == 1 { half[i] } else { -half[i] })
        });
        let is_twin = move |bits: u32| (0..3).any(|i| half[i] == 0.0 && bits >> i & 1 == 1);
        (0..8u32).zip(corners).filter(move |&(bits, _)| !is_twin(bits)).map(|(_, corner)| corner)
    }

    /// Returns the vertex farthest along a direction.
    fn farthest(&self, direction: Point) -> Point {
        [0, 1, 2].map(|i| if direction[i] < 0.0 { -self.half[i] } else { self.half[i] })
    }

    /// The nearest point of the triangle is on an edge, or its face is nearest to a vertex of the box.
    fn separation_from_triangle(&self, triangle: &Triangle) -> Point {
        let face = triangle.normal.and_then(|normal| self.separation_from_face(triangle, normal));
        if let Some(face) = face {
            return face;
        }
        let [a, b, c] = triangle.corners;
        let edges = [(a, b), (b, c), (c, a)].map(|(from, to)| self.from_segment(from, to));
        shortest(edges)
    }

    /// Returns the shortest vector from the face of a triangle to the box, if no point of its plane is
    /// nearer; zero if the box reaches through the face.
    fn separation_from_face(&self, triangle: &Triangle, normal: Point) -> Option<Point> {
        let up = self.farthest(normal);
        let height_of = |point: Point| dot(minus(point, triangle.corners[0]), normal);
        let [top, bottom] = [height_of(up), height_of(scaled(up, -1.0))];
        if top >= 0.0 && bottom <= 0.0 {
            // If no edge touches the box, the face covers all of the plane in it, or nothing.
            let share = if top > bottom { bottom / (bottom - top) } else { 0.0 };
            let crossing = scaled(up, 2.0 * share - 1.0);
            return triangle.is_beside(crossing, normal).then_some([0.0; 3]);
        }
        let height = if bottom > 0.0 { bottom } else { top };
        let is_nearest = |vertex: Point| (height_of(vertex) - height).abs() <= ROUNDING;
        let mut nearest = self.vertices().filter(|&vertex| is_nearest(vertex));
        nearest.any(|vertex| triangle.is_beside(vertex, normal)).then(|| scaled(normal, height))
    }
}

/// How far two points may be apart that are the same but for rounding [m].
const ROUNDING: f64 = 1e-7;

/// A triangle, relative to a box.
struct Triangle {
    corners: [Point; 3],
    /// Of length 1; `None` for a triangle that is a line.
    normal: Option<Point>,
}

/// Height over longest side below which a triangle has no usable face: its edges are as near.
const MIN_ASPECT: f64 = 1e-9;

impl Triangle {
    fn new(corners: [Point; 3]) -> Self {
        let [a, b, c] = corners;
        let (ab, bc, ca) = (minus(b, a), minus(c, b), minus(a, c));
        let normal = cross(ab, bc);
        let (area, longest) = (length(normal), length(ab).max(length(bc)).max(length(ca)));
        let has_face = area > longest * longest * MIN_ASPECT;
        Triangle { corners, normal: has_face.then(|| scaled(normal, 1.0 / area)) }
    }

    /// Returns whether the face has a point straight above or below a point.
    fn is_beside(&self, point: Point, normal: Point) -> bool {
        let [a, b, c] = self.corners;
        [(a, b), (b, c), (c, a)]
            .iter()
            .all(|&(from, to)| dot(cross(minus(to, from), minus(point, from)), normal) >= 0.0)
    }
}

/// A solid cylinder, relative to a box.
struct RoundPillar {
    center: Point,
    /// Of length 1.
    axis: Point,
    half_height: f64,
    radius: f64,
}

/// Steps of a golden-section search: they narrow ten metres to a tenth of a micrometre.
const SECTIONS: u32 = 40;

impl RoundPillar {
    /// Returns the shortest vector to the box; zero if they overlap.
    ///
    /// The nearest point of the box is on one of its edges, or a side of it is nearest to the point of the
    /// cylinder that is farthest in the side's direction.
    fn separation_from(&self, core: &Centered) -> Point {
        let [top, bottom] = [self.half_height, -self.half_height]
            .map(|height| plus(self.center, scaled(self.axis, height)));
        if length(core.from_segment(top, bottom)) <= ROUNDING {
            return [0.0; 3];
        }
        let mut nearest = [f64::INFINITY; 3];
        for axis in 0..3 {
            for side in [-1.0, 1.0] {
                let mut outward = [0.0; 3];
                outward[axis] = side;
                let facing = self.farthest(scaled(outward, -1.0));
                nearest = shortest([nearest, core.from_point(facing), nearest]);
            }
        }
        for vertex in core.vertices() {
            for axis in 0..3 {
                let mut end = vertex;
                end[axis] = -vertex[axis];
                if vertex[axis] <= 0.0 {
                    nearest = shortest([nearest, self.from_edge(vertex, end), nearest]);
                }
            }
        }
        nearest
    }

    /// Returns the shortest vector to a segment: the distance is convex along it.
    fn from_edge(&self, start: Point, end: Point) -> Point {
        let at = |t: f64| self.from_point(plus(start, scaled(minus(end, start), t)));
        let golden = 0.5 * (5f64.sqrt() - 1.0);
        let [mut low, mut high] = [0.0, 1.0];
        if start != end {
            for _ in 0..SECTIONS {
                let [left, right] = [high - golden * (high - low), low + golden * (high - low)];
                if length(at(left)) <= length(at(right)) { high = right } else { low = left }
            }
        }
        shortest([at(0.5 * (low + high)), at(0.0), at(1.0)])
    }

    /// Returns the shortest vector from the cylinder to a point; zero inside.
    fn from_point(&self, point: Point) -> Point {
        let from_center = minus(point, self.center);
        let height = dot(from_center, self.axis);
        let outward = minus(from_center, scaled(self.axis, height));
        let beyond_side = shortened_by(outward, self.radius);
        let beyond_cap = height - height.clamp(-self.half_height, self.half_height);
        plus(beyond_side, scaled(self.axis, beyond_cap))
    }

    /// Returns its point farthest in a direction.
    fn farthest(&self, direction: Point) -> Point {
        let along = dot(direction, self.axis);
        let outward = minus(direction, scaled(self.axis, along));
        let width = length(outward);
        let rim = if width > 0.0 { scaled(outward, self.radius / width) } else { [0.0; 3] };
        plus(plus(self.center, scaled(self.axis, self.half_height.copysign(along))), rim)
    }
}

/// Returns a vector without its first `by` metres; zero if it is shorter.
fn shortened(vector: Point, by: f32) -> Point {
    shortened_by(vector, f64::from(by))
}

fn shortened_by(vector: Point, by: f64) -> Point {
    let length = length(vector);
    if length > by { scaled(vector, 1.0 - by / length) } else { [0.0; 3] }
}

fn shortest([a, b, c]: [Point; 3]) -> Point {
    let shorter = |a: Point, b: Point| if dot(b, b) < dot(a, a) { b } else { a };
    shorter(shorter(a, b), c)
}

/// Turns a vector by a pose: by its quaternion in 64-bit numbers.
fn rotate(pose: &Pose, vector: Point) -> Point {
    let [x, y, z, w] = pose.rotation.to_array().map(f64::from);
    let axis = [x, y, z];
    let across = scaled(cross(axis, vector), 2.0);
    let turned = plus(plus(vector, scaled(across, w)), cross(axis, across));
    // A quaternion in 32-bit numbers is not quite of length 1.
    let square = dot(axis, axis) + w * w;
    plus(vector, scaled(minus(turned, vector), 1.0 / square))
}

fn wide(vector: Vector) -> Point {
    vector.to_array().map(f64::from)
}

fn narrow(point: Point) -> Vector {
    Vector::from_array(point.map(|value| value as f32))
}

fn plus(a: Point, b: Point) -> Point {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

fn minus(a: Point, b: Point) -> Point {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

fn scaled(a: Point, by: f64) -> Point {
    a.map(|value| value * by)
}

fn dot(a: Point, b: Point) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn cross(a: Point, b: Point) -> Point {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

fn length(a: Point) -> f64 {
    dot(a, a).sqrt()
}
