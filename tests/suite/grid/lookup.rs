//! Lookups on a grid, against surfaces that formulas describe and against brute force.

use nalgebra::{Point3, Vector3};
use surefoot::grid::{Area, AreaId, GridParts, NodeId, Provenance, Verdict};
use surefoot::{Agent, AgentId, Cell, GridFrame, NavGrid, Span, SpanId};

use surefoot_testing::Random;

const AGENT: AgentId = AgentId(0);

/// What "within 2 cm" means [m].
const ACCURACY: f32 = 0.02;

/// Cells of 0.25 m that carry the floor of a formula, with its exact normals.
fn carry(surface: impl Fn(f32, f32) -> f32, side: u32) -> NavGrid {
    let corner = -(side as i32) / 2;
    let frame =
        GridFrame { cell_size: 0.25, min: Cell::new(corner, corner), size_x: side, size_z: side };
    let span = |index: usize| {
        let [x, z] = frame.center(frame.cell(index));
        let rise = |dx, dz| (surface(x + dx, z + dz) - surface(x - dx, z - dz)) / 2e-2;
        let normal = Vector3::new(-rise(1e-2, 0.0), 1.0, -rise(0.0, 1e-2)).normalize();
        Span::new(surface(x, z), f32::INFINITY, normal)
    };
    let spans = (0..frame.cells()).map(span).collect();
    let first = (0..=frame.cells() as u32).collect();
    NavGrid::new(parts(frame, first, spans)).expect("sound parts")
}

fn parts(frame: GridFrame, first: Vec<u32>, spans: Vec<Span>) -> GridParts {
    GridParts {
        frame,
        first,
        spans,
        layers: Vec::new(),
        links: Vec::new(),
        areas: vec![Area::walkable()],
        nodes: Vec::new(),
        provenance: Provenance::default(),
    }
}

/// Greatest difference between the ground looked up and the surface, sampled all over.
fn greatest_error(grid: &NavGrid, surface: impl Fn(f32, f32) -> f32) -> f32 {
    let ([x0, z0], [x1, z1]) = grid.frame().bounds();
    let (mut greatest, mut samples) = (0.0f32, 0);
    for (i, j) in (0..300).flat_map(|i| (0..300).map(move |j| (i, j))) {
        let x = x0 + (x1 - x0) * (i as f32 + 0.37) / 300.0;
        let z = z0 + (z1 - z0) * (j as f32 + 0.61) / 300.0;
        let floor = grid.span_at([x, surface(x, z), z], 0.3).expect("floor everywhere");
        let height = grid.ground_height(x, z, floor).expect("the point is over the span");
        greatest = greatest.max((height - surface(x, z)).abs());
        samples += 1;
    }
    assert_eq!(samples, 90_000);
    greatest
}

fn check_ground(surface: impl Fn(f32, f32) -> f32, most: f32) {
    let error = greatest_error(&carry(&surface, 40), &surface);
    assert!(error < most, "{error} m");
}

#[test]
fn ground_follows_smooth_surfaces() {
    check_ground(|x, z| (x * 1.3).sin() * 0.5 + (z * 0.9).cos() * 0.6, ACCURACY);
    check_ground(|x, z| (100.0 - x * x - z * z).sqrt(), ACCURACY);
}

#[test]
fn ground_is_exact_on_slopes() {
    let slope = 40f32.to_radians().tan();
    check_ground(|x, _| slope * x, 2e-3);
    check_ground(|x, z| 0.5 * x - 0.3 * z + 7.0, 2e-3);
    check_ground(|_, _| -3.25, 1e-6);
}

#[test]
fn ground_from_heights_alone_follows_hills() {
    let surface = |x: f32, z: f32| (x * 0.7).sin() * 0.8 + (z * 0.5).cos();
    let frame = GridFrame { cell_size: 0.25, min: Cell::new(-30, -30), size_x: 60, size_z: 60 };
    let center = |index: usize| frame.center(frame.cell(index));
    let heights: Vec<f32> = (0..frame.cells()).map(center).map(|[x, z]| surface(x, z)).collect();
    let grid = NavGrid::from_heights(frame, &heights, &[]).expect("sound heights");
    let error = greatest_error(&grid, surface);
    assert!(error < ACCURACY, "{error} m");
}

#[test]
fn treads_of_stairs_stay_sharp() {
    let stairs = |x: f32, _: f32| (x / 0.25).floor() * 0.17;
    let frame = GridFrame { cell_size: 0.25, min: Cell::new(0, 0), size_x: 20, size_z: 3 };
    let tread = |index: usize| {
        let [x, z] = frame.center(frame.cell(index));
        Span::new(stairs(x, z), f32::INFINITY, Vector3::y())
    };
    let spans = (0..frame.cells()).map(tread).collect();
    let grid = NavGrid::new(parts(frame, (0..=60).collect(), spans)).expect("sound parts");
    for x in (0..500).map(|i| i as f32 * 0.01 + 0.003) {
        let floor = grid.span_at([x, stairs(x, 0.3), 0.3], 0.1).expect("a tread");
        let height = grid.ground_height(x, 0.3, floor).expect("the point is over the tread");
        assert!((height - stairs(x, 0.3)).abs() < 1e-4, "{height} at {x}");
    }
}

#[test]
fn ground_is_continuous_across_cells() {
    let grid = carry(|x, z| (x * 1.7).sin() * 0.4 + z * 0.2, 20);
    for border in (-8..8).map(|i| i as f32 * 0.25) {
        for z in (0..20).map(|i| i as f32 * 0.1 - 1.0) {
            let height = |x: f32| {
                let cell = grid.column_at([x, 0.0, z]).expect("inside");
                let floor = SpanId(grid.column_spans(cell).start);
                grid.ground_height(x, z, floor).expect("the point is over the span")
            };
            assert!((height(border - 1e-4) - height(border + 1e-4)).abs() < 1e-3);
        }
    }
}

#[test]
fn ground_is_asked_over_the_right_cell() {
    let grid = carry(|_, _| 0.0, 4);
    assert_eq!(grid.ground_height(0.1, 0.1, SpanId(0)), None);
    assert_eq!(grid.ground_height(100.0, 0.1, SpanId(0)), None);
    assert_eq!(grid.ground_height(f32::NAN, 0.1, SpanId(0)), None);
}

/// One column: a floor at 0 under a ceiling at 2.8, a thick slab, a floor at 3 under a ceiling at
/// 6 that is as thin as paper, and a floor at 6.
fn storeys() -> NavGrid {
    let level = |floor, ceiling| Span::new(floor, ceiling, Vector3::y());
    let spans = vec![level(0.0, 2.8), level(3.0, 6.0), level(6.0, f32::INFINITY)];
    let frame = GridFrame { cell_size: 1.0, min: Cell::new(0, 0), size_x: 1, size_z: 1 };
    NavGrid::new(parts(frame, vec![0, 3], spans)).expect("sound parts")
}

#[test]
fn a_point_belongs_to_the_floor_it_stands_over() {
    let grid = storeys();
    let check = |y: f32, tolerance: f32, expected: Option<u32>| {
        assert_eq!(grid.span_at([0.5, y, 0.5], tolerance), expected.map(SpanId), "at {y}");
    };
    check(0.0, 0.5, Some(0));
    check(0.4, 0.5, Some(0));
    check(-0.4, 0.5, Some(0));
    check(-0.6, 0.5, None);
    // High under a ceiling: never the floor above, however near.
    check(2.7, 3.0, Some(0));
    check(2.7, 0.5, None);
    check(5.5, 3.0, Some(1));
    check(5.9, 1.0, None);
    // Within the slab the nearer floor counts.
    check(2.9, 0.5, Some(1));
    check(2.9, 5.0, Some(1));
    // Feet that sink into a floor without thickness.
    check(5.97, 0.5, Some(2));
    check(6.0, 0.5, Some(2));
    check(8.0, 3.0, Some(2));
    check(f32::NAN, 1.0, None);
    assert_eq!(grid.span_at([1.5, 0.0, 0.5], 1.0), None);
}

/// Scattered walkable cells at random heights.
fn islands(seed: u32) -> NavGrid {
    let frame = GridFrame { cell_size: 0.5, min: Cell::new(-9, 4), size_x: 23, size_z: 17 };
    let noise = |index: u32| (index + seed * 977).wrapping_mul(2_654_435_761) >> 16;
    let height = |index| if noise(index) % 9 > 0 { f32::NAN } else { (noise(index) % 50) as f32 };
    let heights: Vec<f32> = (0..frame.cells() as u32).map(height).collect();
    NavGrid::from_heights(frame, &heights, &[Agent::new("human")]).expect("sound heights")
}

#[test]
fn the_nearest_ground_is_the_nearest() {
    let mut found = 0;
    for seed in 0..40 {
        let grid = islands(seed);
        let at = |scale: u32, shift: f32| (seed * scale % 31) as f32 * 0.71 - shift;
        let point = Point3::new(at(7, 12.0), at(11, 3.0), at(13, 3.0));
        for radius in [0.0, 0.3, 2.0, 40.0, f32::INFINITY] {
            let nearest = grid.nearest_walkable(AGENT, point, radius);
            assert_eq!(nearest.map(|(id, _)| id), by_brute_force(&grid, point, radius));
            found += usize::from(nearest.is_some());
        }
    }
    assert!(found > 60, "{found}");
}

#[test]
fn the_nearest_point_belongs_to_its_span() {
    let mut random = Random(3);
    for seed in 0..200 {
        let grid = tilted(&mut random);
        let GridFrame { cell_size, min, .. } = *grid.frame();
        // As often as not the nearest point is on a border or in a corner.
        let mut along = |min: i32| {
            let border = f64::from(min + random.below(9) as i32) * f64::from(cell_size);
            [border as f32, (border as f32).next_down(), border as f32 + part(&mut random)]
                [random.below(3)]
        };
        for _ in 0..50 {
            let point = Point3::new(along(min.x), along(0), along(min.z));
            let (span, nearest) = grid.nearest_walkable(AGENT, point, f32::INFINITY).expect("some");
            assert_eq!(grid.column_at(nearest), grid.cell_of(span), "{seed}: {nearest}, {point}");
            assert_eq!(grid.span_at(nearest, 1.0), Some(span), "{seed}: {nearest}, {point}");
        }
    }
}

/// Scattered ground in cells of any size anywhere.
fn tilted(random: &mut Random) -> NavGrid {
    let mut along = || random.below(2000) as i32 - 1000;
    let min = Cell::new(along(), along());
    let frame = GridFrame { cell_size: 0.05 + part(random), min, size_x: 8, size_z: 8 };
    let mut height = || if random.below(3) == 0 { f32::NAN } else { 0.05 * part(random) };
    let mut heights: Vec<f32> = (0..frame.cells()).map(|_| height()).collect();
    heights[0] = 0.0;
    let pin = Agent { ledge_margin: Some(0.0), ..Agent::new("pin") };
    NavGrid::from_heights(frame, &heights, &[pin]).expect("sound heights")
}

/// `[0..1)`.
fn part(random: &mut Random) -> f32 {
    random.below(1 << 24) as f32 / (1 << 24) as f32
}

#[test]
fn the_nearest_from_very_far_away_is_the_nearest() {
    let frame = GridFrame { cell_size: 0.5, min: Cell::new(-9, 4), size_x: 23, size_z: 17 };
    let mut random = Random(5);
    let heights: Vec<f32> = (0..frame.cells()).map(|_| 0.1 * part(&mut random)).collect();
    let pin = Agent { ledge_margin: Some(0.0), ..Agent::new("pin") };
    let grid = NavGrid::from_heights(frame, &heights, &[pin]).expect("sound heights");
    for far in [1e9, 1e12, 1e20, 1e38] {
        for [x, y, z] in [[1.0, 0.37, 0.61], [-0.83, 0.01, 1.0], [0.71, -0.29, -3.0]] {
            let point = Point3::new(x * far, y * far, z * far);
            let (nearest, _) = grid.nearest_walkable(AGENT, point, f32::INFINITY).expect("some");
            assert_eq!(Some(nearest), in_direction(&grid, point), "{point}");
        }
    }
}

/// The walkable span farthest in the direction of a point that is very far away.
fn in_direction(grid: &NavGrid, point: Point3<f32>) -> Option<SpanId> {
    let towards = point.coords.cast::<f64>();
    let reach = |id: SpanId| {
        let [x, z] = grid.frame().center(grid.cell_of(id)?);
        let half = f64::from(grid.frame().cell_size) / 2.0;
        let (span, [out_x, out_z]) = (grid.span(id)?, [towards.x, towards.z].map(f64::signum));
        let [along_x, along_z] = span.gradient().map(f64::from);
        let rise = half * (out_x * along_x + out_z * along_z);
        let corner = Vector3::new(
            f64::from(x) + half * out_x,
            f64::from(span.floor) + rise,
            f64::from(z) + half * out_z,
        );
        Some(corner.dot(&towards.normalize()))
    };
    let ids = (0..grid.spans().len() as u32).map(SpanId).filter(|&id| grid.is_walkable(AGENT, id));
    ids.max_by(|&a, &b| reach(a).partial_cmp(&reach(b)).unwrap().then(b.cmp(&a)))
}

fn by_brute_force(grid: &NavGrid, point: Point3<f32>, radius: f32) -> Option<SpanId> {
    let distance = |id: SpanId| {
        let (center, span) = (grid.point(id)?, grid.span(id)?);
        let half = grid.frame().cell_size / 2.0;
        let x = point.x.clamp(center.x - half, center.x + half);
        let z = point.z.clamp(center.z - half, center.z + half);
        let [along_x, along_z] = span.gradient();
        let y = center.y + along_x * (x - center.x) + along_z * (z - center.z);
        let near = (x - point.x).hypot(z - point.z) <= radius && grid.is_walkable(AGENT, id);
        near.then(|| (Point3::new(x, y, z) - point).norm())
    };
    let ids = (0..grid.spans().len() as u32).map(SpanId);
    let near = ids.filter_map(|id| Some((distance(id)?, id)));
    near.min_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1))).map(|(_, id)| id)
}

#[test]
fn nothing_is_near_where_there_is_nothing() {
    let grid = islands(1);
    let nowhere = [f32::NAN, 0.0, 0.0];
    assert_eq!(grid.nearest_walkable(AGENT, nowhere, 10.0), None);
    assert_eq!(grid.nearest_walkable(AgentId(5), [0.0; 3], 10.0), None);
    assert_eq!(grid.nearest_walkable(AGENT, [0.0; 3], f32::NAN), None);
    assert_eq!(grid.nearest_walkable(AGENT, [1e9, 0.0, -1e9], 10.0), None);
    assert!(grid.nearest_walkable(AGENT, [1e9, 0.0, -1e9], f32::INFINITY).is_some());
}

/// A flat map with holes: one cell in `holes` is missing.
fn sieve(side: u32, holes: u32, seed: u32) -> NavGrid {
    let frame = GridFrame { cell_size: 1.0, min: Cell::new(0, 0), size_x: side, size_z: side };
    let noise = |index: u32| (index ^ seed << 20).wrapping_mul(2_654_435_761).rotate_left(13);
    let scatter = |index: u32| noise(noise(index)) % holes == 0;
    let height = |index| if scatter(index) { f32::NAN } else { 0.0 };
    let heights: Vec<f32> = (0..side * side).map(height).collect();
    NavGrid::from_heights(frame, &heights, &[Agent::new("human")]).expect("sound heights")
}

/// Offsets passed from neighbor to neighbor miss the nearest by at most this much [cells].
const PROPAGATION_ERROR: f32 = 0.125;

#[test]
fn clearance_agrees_with_brute_force() {
    let mut greatest = 0.0f32;
    for (seed, holes) in (0..30).map(|seed| (seed, [3, 20, 60, 200, 600][seed as usize % 5])) {
        let grid = sieve(48, holes, seed);
        for id in (0..grid.spans().len() as u32).map(SpanId) {
            let clearance = grid.clearance(AGENT, id).expect("a span");
            let exact = clearance_by_brute_force(&grid, id);
            assert!(clearance >= exact, "{clearance} for {exact} at {id:?}, seed {seed}");
            greatest = greatest.max(clearance - exact);
        }
    }
    println!("greatest error: {greatest} cells");
    assert!(greatest <= PROPAGATION_ERROR, "{greatest}");
}

/// Distance to the nearest missing cell's square, rounded down to an eighth.
fn clearance_by_brute_force(grid: &NavGrid, id: SpanId) -> f32 {
    let own = grid.cell_of(id).expect("a span");
    let side = grid.frame().size_x as i32;
    let mut nearest = f32::INFINITY;
    for (x, z) in (-1..=side).flat_map(|z| (-1..=side).map(move |x| (x, z))) {
        if grid.column(Cell::new(x, z)).is_empty() {
            let outside = |cells: i32| (cells.abs() as f32 - 0.5).max(0.0);
            nearest = nearest.min(outside(x - own.x).hypot(outside(z - own.z)));
        }
    }
    (nearest * 8.0).floor() / 8.0
}

#[test]
fn verdicts_say_why() {
    let frame = GridFrame { cell_size: 1.0, min: Cell::new(0, 0), size_x: 3, size_z: 1 };
    let grid = NavGrid::from_heights(frame, &[0.0, 1.3, 2.6], &[Agent::new("human")])
        .expect("sound heights");
    assert_eq!(grid.verdict(AGENT, SpanId(1)), Some(Verdict::TooSteep));
    assert_eq!(grid.clearance(AGENT, SpanId(1)), Some(0.0));
    assert_eq!(grid.region(AGENT, SpanId(1)), None);
    let span = grid.span(SpanId(0)).expect("a span");
    assert_eq!((span.area(), span.node()), (AreaId(0), NodeId::NONE));
}
