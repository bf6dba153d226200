//! rerecast's side: the Recast demo's stages and settings for one navmesh without tiles.

use rerecast::{
    Aabb3d, CompactHeightfield, Config, ConfigBuilder, DetailNavmesh, Heightfield,
    HeightfieldBuilder, TriMesh,
};

use crate::ours::{CELL_SIZE, MAX_CLIMB, RECAST, SLOPE_LIMIT};

/// Height of a voxel [m].
pub const CELL_HEIGHT: f32 = 0.2;

/// Bakes the whole navmesh, detail mesh and all.
pub fn bake(triangles: &TriMesh) -> DetailNavmesh {
    let bounds = triangles.compute_aabb().expect("a level with triangles");
    let config = config(bounds);
    let mut field = walkable_field(triangles, bounds, |_, _| {});
    field.build_distance_field();
    // A border belongs to tiles; there are none.
    field
        .build_regions(0, config.min_region_area, config.merge_region_area)
        .expect("no more regions than fit");
    let contours = field.build_contours(
        config.max_simplification_error,
        config.max_edge_len,
        config.contour_flags,
    );
    let polygons = contours
        .into_polygon_mesh(config.max_vertices_per_polygon)
        .expect("no more vertices than fit");
    let (distance, error) = (config.detail_sample_dist, config.detail_sample_max_error);
    DetailNavmesh::new(&polygons, &field, distance, error).expect("a sound mesh")
}

/// What a span has to pass before it is walkable, in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Filter {
    /// A triangle that is flat enough has a voxel there, or a low step beside it.
    Slope,
    /// No neighbor lies too far below.
    Ledge,
    /// The ceiling is high enough.
    LowCeiling,
    /// The border of the walkable area is further away than the radius less one cell.
    Erosion,
    /// It is so by the last cell, too.
    LastCellOfErosion,
}

/// A field of walkable floors on its way through the filters.
pub enum Field<'a> {
    Voxels(&'a Heightfield),
    /// Before erosion by so many cells.
    Spans(&'a CompactHeightfield, u16),
}

/// Bakes as far as the eroded field of walkable spans; `watch` sees the field after each filter of
/// voxels, and before erosion.
pub fn walkable_field(
    triangles: &TriMesh,
    aabb: Aabb3d,
    mut watch: impl FnMut(Filter, Field),
) -> CompactHeightfield {
    let config = config(aabb);
    let mut triangles = triangles.clone();
    triangles.mark_walkable_triangles(config.walkable_slope_angle);
    let (cell_size, cell_height) = (config.cell_size, config.cell_height);
    let mut field = HeightfieldBuilder { aabb, cell_size, cell_height }
        .build()
        .expect("no more columns than fit");
    let (climb, height) = (config.walkable_climb, config.walkable_height);
    field.rasterize_triangles(&triangles, climb).expect("triangles within the bounds");
    field.filter_low_hanging_walkable_obstacles(climb);
    watch(Filter::Slope, Field::Voxels(&field));
    field.filter_ledge_spans(height, climb);
    watch(Filter::Ledge, Field::Voxels(&field));
    field.filter_walkable_low_height_spans(height);
    watch(Filter::LowCeiling, Field::Voxels(&field));
    let mut field = field.into_compact(height, climb).expect("no more layers than fit");
    watch(Filter::Erosion, Field::Spans(&field, config.walkable_radius));
    field.erode_walkable_area(config.walkable_radius);
    field
}

/// The demo's settings; the rest are the builder's defaults, which are the demo's, too.
fn config(aabb: Aabb3d) -> Config {
    let [agent_radius, agent_height] = RECAST;
    let config = ConfigBuilder {
        cell_size_fraction: agent_radius / CELL_SIZE,
        cell_height_fraction: agent_radius / CELL_HEIGHT,
        agent_radius,
        agent_height,
        walkable_climb: MAX_CLIMB,
        walkable_slope_angle: SLOPE_LIMIT.to_radians(),
        // Edges of at most 12 m.
        edge_max_len_factor: 20,
        aabb,
        ..ConfigBuilder::default()
    };
    config.build()
}
