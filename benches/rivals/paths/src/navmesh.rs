//! The rivals' ground: one navmesh without tiles, baked by rerecast.

use std::collections::BTreeSet;

use glam::{Vec2, Vec3, Vec3Swizzles};
use rerecast::{
    Aabb3d, AreaType, CompactHeightfield, Config, ConfigBuilder, Contour, ContourSet,
    DetailNavmesh, HeightfieldBuilder, PolygonNavmesh, SubMesh, TriMesh,
};

use crate::levels::{Body, SLOPE_LIMIT};
use crate::wire;

/// An edge of a polygon is at most so long [m].
const LONGEST_EDGE: f32 = 12.0;

/// Its corners.
pub type Triangle = [Vec3; 3];

/// Where a place on the plane lies by a triangle.
pub struct Location {
    /// How far inside, of the triangle's own size; below 0 outside.
    pub inside: f32,
    /// Of the triangle there [m].
    pub height: f32,
}

/// Of a triangle without area it is no numbers.
pub fn locate(triangle: &Triangle, at: Vec2) -> Location {
    let [a, b, c] = *triangle;
    let (u, v, to) = ((b - a).xz(), (c - a).xz(), at - a.xz());
    let area = u.perp_dot(v);
    let (s, t) = (to.perp_dot(v) / area, u.perp_dot(to) / area);
    let height = a.y + (b.y - a.y) * s + (c.y - a.y) * t;
    Location { inside: s.min(t).min(1.0 - s - t), height }
}

/// Polygons, and for each its triangles.
pub struct Navmesh {
    pub polygons: PolygonNavmesh,
    pub detail: DetailNavmesh,
}

impl Navmesh {
    /// The stages of the Recast demo.
    pub fn bake(triangles: &TriMesh, body: &Body) -> Navmesh {
        let config = config(triangles.compute_aabb().expect("a level with triangles"), body);
        let field = walkable_field(triangles, &config);
        let (field, contours) = without_holes(field, &config);
        let polygons = contours.into_polygon_mesh(config.max_vertices_per_polygon);
        let mut polygons = polygons.expect("outlines without holes");
        polygons.areas.fill(AreaType::DEFAULT_WALKABLE);
        let (distance, error) = (config.detail_sample_dist, config.detail_sample_max_error);
        let detail = DetailNavmesh::new(&polygons, &field, distance, error).expect("a sound mesh");
        Navmesh { polygons, detail }
    }

    /// The corners that polygons are made of.
    pub fn corners(&self) -> impl Iterator<Item = Vec3> {
        let PolygonNavmesh { vertices, aabb, cell_size, cell_height, .. } = &self.polygons;
        let scale = Vec3::new(*cell_size, *cell_height, *cell_size);
        vertices.iter().map(move |vertex| aabb.min + vertex.as_vec3() * scale)
    }

    /// The corners of each polygon, counter-clockwise seen from above.
    pub fn outlines(&self) -> impl Iterator<Item = &[u16]> {
        self.rows(&self.polygons.polygons).map(|row| {
            let end = row.iter().position(|&corner| corner == PolygonNavmesh::NO_INDEX);
            &row[..end.unwrap_or(row.len())]
        })
    }

    fn rows<'a>(&self, all: &'a [u16]) -> impl Iterator<Item = &'a [u16]> + use<'a> {
        all.chunks_exact(usize::from(self.polygons.max_vertices_per_polygon))
    }

    /// The triangles of each polygon.
    pub fn triangles(&self) -> impl Iterator<Item = Vec<Triangle>> {
        let DetailNavmesh { meshes, vertices, triangles, .. } = &self.detail;
        meshes.iter().map(move |part| {
            let vertices = &vertices[part.base_vertex_index as usize..];
            let triangles = &triangles[part.base_triangle_index as usize..];
            let triangles = triangles[..part.triangle_count as usize].iter();
            triangles.map(|corners| corners.map(|corner| vertices[usize::from(corner)])).collect()
        })
    }

    /// As landmass's program takes it.
    pub fn message(&self, body: &Body) -> wire::Mesh {
        let part = |part: &SubMesh| wire::Part {
            first_vertex: part.base_vertex_index,
            vertices: part.vertex_count,
            first_triangle: part.base_triangle_index,
            triangles: part.triangle_count,
        };
        let outline = |corners: &[u16]| corners.iter().map(|&corner| corner.into()).collect();
        wire::Mesh {
            radius: body.radius,
            corners: self.corners().map(Vec3::into).collect(),
            outlines: self.outlines().map(outline).collect(),
            parts: self.detail.meshes.iter().map(part).collect(),
            vertices: self.detail.vertices.iter().map(|&vertex| vertex.into()).collect(),
            triangles: self.detail.triangles.clone(),
        }
    }
}

fn config(aabb: Aabb3d, body: &Body) -> Config {
    let &Body { radius, height, max_climb, cell_size, cell_height } = body;
    // In radii of whole cells.
    let longest_edge = LONGEST_EDGE / cell_size / (radius / cell_size).ceil();
    let config = ConfigBuilder {
        cell_size_fraction: radius / cell_size,
        cell_height_fraction: radius / cell_height,
        agent_radius: radius,
        agent_height: height,
        // Whole cells must not be one less by rounding.
        walkable_climb: max_climb + 0.01 * cell_height,
        walkable_slope_angle: SLOPE_LIMIT.to_radians(),
        edge_max_len_factor: longest_edge.round() as u16,
        aabb,
        ..ConfigBuilder::default()
    };
    config.build()
}

fn walkable_field(triangles: &TriMesh, config: &Config) -> CompactHeightfield {
    let &Config { aabb, cell_size, cell_height, .. } = config;
    let (climb, height) = (config.walkable_climb, config.walkable_height);
    let mut triangles = triangles.clone();
    triangles.mark_walkable_triangles(config.walkable_slope_angle);
    let field = HeightfieldBuilder { aabb, cell_size, cell_height }.build();
    let mut field = field.expect("no more columns than fit");
    field.rasterize_triangles(&triangles, climb).expect("triangles within the bounds");
    field.filter_low_hanging_walkable_obstacles(climb);
    field.filter_ledge_spans(height, climb);
    field.filter_walkable_low_height_spans(height);
    let mut field = field.into_compact(height, climb).expect("no more layers than fit");
    field.erode_walkable_area(config.walkable_radius);
    field
}

/// Outlines of regions. rerecast gives up where a region has a hole, so regions end on lines
/// through every hole: another kind of ground begins there.
fn without_holes(
    mut field: CompactHeightfield,
    config: &Config,
) -> (CompactHeightfield, ContourSet) {
    loop {
        field.build_distance_field();
        field
            .build_regions(0, config.min_region_area, config.merge_region_area)
            .expect("no more regions than fit");
        let (error, edge) = (config.max_simplification_error, config.max_edge_len);
        let contours = field.build_contours(error, edge, config.contour_flags);
        // Each once: two lines on one another are none.
        let holes: BTreeSet<u16> = contours.contours.iter().filter_map(hole).collect();
        if holes.is_empty() {
            return (field, contours);
        }
        for x in holes {
            split(&mut field, x);
        }
    }
}

/// Where the center of a hole lies along x, in cells; none of an outline that goes round ground.
fn hole(contour: &Contour) -> Option<u16> {
    let corners = contour.vertices.iter().map(|(corner, _)| corner.xz().as_ivec2());
    let next = corners.clone().cycle().skip(1);
    let area: i32 = corners.zip(next).map(|(a, b)| a.perp_dot(b)).sum();
    let x = || contour.raw_vertices.iter().map(|(corner, _)| corner.x);
    (area > 0).then(|| x().min().unwrap_or(0).midpoint(x().max().unwrap_or(0)))
}

/// Makes what is walkable from such an x on of another kind than it was.
fn split(field: &mut CompactHeightfield, x: u16) {
    let width = usize::from(field.width);
    for (index, cell) in field.cells.iter().enumerate() {
        if index % width >= usize::from(x) {
            let kinds = &mut field.areas[cell.index_range()];
            for kind in kinds.iter_mut().filter(|kind| kind.is_walkable()) {
                kind.0 ^= 1;
            }
        }
    }
}
