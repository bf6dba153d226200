//! Distances in 64-bit numbers.
//!
//! A 32-bit number tells places apart to a quarter of a metre at 2,500 km. So the distance to a triangle
//! whose corners are that far off is wrong by as much, however near its face is. In 64-bit numbers all
//! differences of corners are exact, and a distance is off by less than a micrometre.
//!
//! Round solids, and triangles for boxes, are measured here whatever their size: parry's iterations leave
//! 7 mm beside a capsule of ordinary size, and metres beside one of 100 m.
//!
//! A core shape is a box, as thin as a line for a capsule: one way to measure serves both.

use parry3d::math::{Pose, Vector};
use parry3d::shape::{Capsule, Cylinder, Shape};

/// The longest edge that distances are computed for in 32-bit numbers [m]: they are off by less than the
/// margins of all bounds.
pub(crate) const MAX_EDGE: f32 = 128.0;

/// A box with sides along the axes, around the origin of its own space.
#[derive(Clone, Copy, Debug)]
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

    /// Returns the shortest vector from a round solid to the box, zero if they overlap; `None` for any other
    /// solid.
    pub fn separation_from_round(&self, shape: &dyn Shape, pose: &Pose) -> Option<Vector> {
        let core = self.centered();
        let place = |local: Vector| {
            let turned = rotate(pose, wide(local));
            minus(plus(turned, wide(pose.translation)), wide(self.center))
        };
        if let Some(ball) = shape.as_ball() {
            let center = place(Vector::ZERO);
            let from_center = core.way_from_segment(center, center);
            return Some(narrow(shortened(from_center, ball.radius)));
        }
        if let Some(Capsule { segment, radius }) = shape.as_capsule() {
            let from_axis = core.way_from_segment(place(segment.a), place(segment.b));
            return Some(narrow(shortened(from_axis, *radius)));
        }
        let Cylinder { half_height, radius } = *shape.as_cylinder()?;
        let axis = rotate(pose, [0.0, 1.0, 0.0]);
        let axis = scaled(axis, 1.0 / length(axis));
        let [half_height, radius] = [half_height, radius].map(f64::from);
        let cylinder = RoundPillar { center: place(Vector::ZERO), axis, half_height, radius };
        Some(narrow(cylinder.separation_from(&core)))
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
    fn way_from_point(&self, point: Point) -> Point {
        [0, 1, 2].map(|i| point[i].clamp(-self.half[i], self.half[i]) - point[i])
    }

    /// Returns the shortest vector from a segment to the box.
    ///
    /// Half the slope of the squared distance grows along the segment, and is linear between the places
    /// where the segment crosses the planes of the box's sides: its zero is found in the piece around it.
    fn way_from_segment(&self, start: Point, end: Point) -> Point {
        let along = minus(end, start);
        let at = |t: f64| plus(start, scaled(along, t));
        let slope = |t: f64| -dot(self.way_from_point(at(t)), along);
        let [mut low, mut high] = [[0.0, slope(0.0)], [1.0, slope(1.0)]];
        if low[1] >= 0.0 || high[1] <= 0.0 {
            return self.way_from_point(if low[1] >= 0.0 { start } else { end });
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
        self.way_from_point(at(low[0] + (high[0] - low[0]) * (low[1] / (low[1] - high[1]))))
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
        let edges = [(a, b), (b, c), (c, a)].map(|(from, to)| self.way_from_segment(from, to));
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

/// Most rounds of false position; ten are usual.
const MAX_ROUNDS: u32 = 60;
/// The shortest interval that is narrowed further, as a fraction of an edge.
const MIN_INTERVAL: f64 = 1e-9;

impl RoundPillar {
    /// Returns the shortest vector to the box; zero if they overlap.
    ///
    /// The nearest point of the box is on one of its edges, or a side of it is nearest to the point of the
    /// cylinder that is farthest in the side's direction.
    fn separation_from(&self, core: &Centered) -> Point {
        let [top, bottom] = [self.half_height, -self.half_height]
            .map(|height| plus(self.center, scaled(self.axis, height)));
        if length(core.way_from_segment(top, bottom)) <= ROUNDING {
            return [0.0; 3];
        }
        let mut nearest = [f64::INFINITY; 3];
        for axis in 0..3 {
            for side in [-1.0, 1.0] {
                let mut outward = [0.0; 3];
                outward[axis] = side;
                let facing = self.farthest(scaled(outward, -1.0));
                nearest = shortest([nearest, core.way_from_point(facing), nearest]);
            }
        }
        for vertex in core.vertices() {
            for axis in 0..3 {
                let mut end = vertex;
                end[axis] = -vertex[axis];
                if vertex[axis] <= 0.0 {
                    nearest = shortest([nearest, self.way_to_edge(vertex, end), nearest]);
                }
            }
        }
        nearest
    }

    /// Returns the shortest vector to a segment.
    ///
    /// Half the slope of the squared distance grows along it; its zero is found by false position, where
    /// an end that stays counts half (the Illinois rule).
    fn way_to_edge(&self, start: Point, end: Point) -> Point {
        let along = minus(end, start);
        let at = |t: f64| self.way_to_point(plus(start, scaled(along, t)));
        let slope = |t: f64| dot(at(t), along);
        let [mut low, mut high] = [[0.0, slope(0.0)], [1.0, slope(1.0)]];
        if low[1] >= 0.0 || high[1] <= 0.0 {
            return at(if low[1] >= 0.0 { 0.0 } else { 1.0 });
        }
        let mut last_below = None;
        for _ in 0..MAX_ROUNDS {
            let t = (low[0] * high[1] - high[0] * low[1]) / (high[1] - low[1]);
            let between = [t, slope(t)];
            if between[1] == 0.0 || high[0] - low[0] < MIN_INTERVAL {
                return at(t);
            }
            let below = between[1] < 0.0;
            let (near, far) = if below { (&mut low, &mut high) } else { (&mut high, &mut low) };
            *near = between;
            if last_below == Some(below) {
                far[1] *= 0.5;
            }
            last_below = Some(below);
        }
        at(0.5 * (low[0] + high[0]))
    }

    /// Returns the shortest vector from the cylinder to a point; zero inside.
    fn way_to_point(&self, point: Point) -> Point {
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

#[cfg(test)]
mod tests {
    use parry3d::query::distance;
    use parry3d::shape::{Ball, Cuboid, Segment, SharedShape};

    use super::super::segment_triangle::{LANES, VerticalSegment, separations};
    use super::*;

    /// Numbers that are the same in every run.
    struct Numbers(u32);

    impl Numbers {
        /// `[-most..most)`
        fn next(&mut self, most: f32) -> f32 {
            self.0 = self.0.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            ((self.0 >> 8) as f32 / (1 << 23) as f32 - 1.0) * most
        }

        fn vector(&mut self, most: f32) -> Vector {
            Vector::new(self.next(most), self.next(most), self.next(most))
        }
    }

    /// The axis of a capsule, and a box.
    fn cores(center: Vector) -> [CoreBox; 2] {
        [Vector::new(0.0, 0.6, 0.0), Vector::new(0.4, 0.5, 0.4)]
            .map(|half_extents| CoreBox { center, half_extents })
    }

    /// parry's distance from a triangle to a box.
    fn by_parry(core: &CoreBox, triangle: &dyn Shape) -> f32 {
        let (up, at) = (Vector::new(0.0, core.half_extents.y, 0.0), core.center);
        let (axis, block) = (Segment::new(at - up, at + up), Cuboid::new(core.half_extents));
        let found = if core.half_extents.x == 0.0 {
            distance(&Pose::IDENTITY, &axis, &Pose::IDENTITY, triangle)
        } else {
            distance(&Pose::from_translation(at), &block, &Pose::IDENTITY, triangle)
        };
        found.expect("a supported pair of shapes").distance
    }

    #[test]
    fn small_triangles_are_as_far_as_in_32_bits() {
        let (mut numbers, mut overlaps) = (Numbers(3), 0);
        for _ in 0..20_000 {
            let center = numbers.vector(20.0);
            let corners = [0; 3].map(|_| center + numbers.vector(2.5));
            let triangle = parry3d::shape::Triangle::new(corners[0], corners[1], corners[2]);
            for core in cores(center) {
                let found = core.separation_from_triangle(&corners).length();
                let expected = by_parry(&core, &triangle);
                assert!((found - expected).abs() < 2e-3 * expected + 1e-4, "{found} {expected}");
                overlaps += u32::from(expected == 0.0);
            }
        }
        assert!(overlaps > 1000, "{overlaps}");
    }

    #[test]
    fn up_to_the_longest_edge_32_bits_are_enough() {
        let (mut numbers, mut near, mut most) = (Numbers(5), 0, 0.0f32);
        for round in 0..300_000 {
            let at = numbers.vector(100.0);
            let corners = [0; 3].map(|_| {
                let thin = if round % 3 == 0 { 0.02 } else { 1.0 };
                at + numbers.vector(MAX_EDGE / 3.5) * Vector::new(thin, 1.0, 1.0)
            });
            assert!(!is_large(&corners));
            let [core, _] = cores(at);
            let [low, high] = [at.y - core.half_extents.y, at.y + core.half_extents.y];
            let axis = VerticalSegment { x: at.x, z: at.z, low, high };
            let found = separations(&axis, [&corners; LANES]).vectors.lane(0).length();
            let expected = core.separation_from_triangle(&corners).length();
            if expected < 2.0 {
                near += 1;
                most = most.max((found - expected).abs());
            }
        }
        assert!(near > 5000 && most < 2e-5, "{near} near ones, {most} m");
    }

    /// The least distance of a shape from points of a box that are 10 cm apart.
    fn least_at_samples(core: &CoreBox, shape: &dyn Shape, pose: &Pose) -> f32 {
        let distance = |index: u32| {
            let at = [index % 11, index / 11 % 11, index / 121].map(|i| 0.2 * i as f32 - 1.0);
            let point = core.center + Vector::from_array(at) * core.half_extents;
            shape.distance_to_point(pose, point, true)
        };
        (0..1331).map(distance).fold(f32::INFINITY, f32::min)
    }

    /// parry is no reference: its distance from a capsule of 280 m may be off by metres.
    #[test]
    fn round_solids_are_parted_by_slabs_as_wide_as_they_are_far() {
        let (mut numbers, mut near, mut touching) = (Numbers(7), 0, 0);
        let shapes: [SharedShape; 7] = [
            SharedShape::new(Ball::new(130.0)),
            SharedShape::new(Capsule::new_y(140.0, 0.3)),
            SharedShape::new(Cylinder::new(0.5, 150.0)),
            SharedShape::new(Cylinder::new(160.0, 0.4)),
            SharedShape::new(Ball::new(0.6)),
            SharedShape::new(Capsule::new_y(0.8, 0.3)),
            SharedShape::new(Cylinder::new(0.4, 0.5)),
        ];
        for round in 0..14_000 {
            let pose = Pose::new(numbers.vector(20.0), numbers.vector(3.0));
            let shape = &*shapes[round % shapes.len()];
            // Near the solid's side, or its rim.
            let direction = numbers.vector(1.0).normalize();
            let far =
                shape.as_support_map().expect("a convex shape").support_point(&pose, direction);
            let center = if round / 7 % 2 == 0 { far } else { far.lerp(pose.translation, 0.3) };
            for core in cores(center + numbers.vector(1.5)) {
                let found = core.separation_from_round(shape, &pose).expect("a round solid");
                let width = found.length();
                if width < 1e-3 {
                    assert!(
                        least_at_samples(&core, shape, &pose) < 0.1,
                        "{:?}",
                        shape.shape_type()
                    );
                    touching += 1;
                    continue;
                }
                // A slab as wide as the distance parts the two: they are no nearer.
                let across = found / width;
                let support = shape.as_support_map().expect("a convex shape");
                let edge = support.support_point(&pose, across) - core.center;
                let gap = -across.abs().dot(core.half_extents) - edge.dot(across);
                assert!((gap - width).abs() < 2e-4, "{:?}: {gap} {width}", shape.shape_type());
                near += u32::from(width < 1.0);
            }
        }
        assert!(near > 1000 && touching > 100, "{near} {touching}");
    }
}
