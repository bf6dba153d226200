//! Applies volumes: the floors inside one are ground of its area, or plain walkable ground again.
//!
//! Volumes are sorted from the strongest down, so that the first that a floor is inside of counts.

use std::cmp::Ordering;

use nalgebra::Point3;

use super::find_floors::Floors;
use crate::scene::{Scene, Volume, VolumeEffect, VolumeShape};
use crate::stages::BakeError;
use surefoot::grid::{Area, AreaId, GridFrame};

/// A volume with what the bake asks of it again and again.
#[derive(Clone, Debug)]
pub(in crate::stages) struct PlannedVolume {
    shape: VolumeShape,
    /// Least and greatest x and z of the floors inside [m].
    bounds: [[f32; 2]; 2],
    /// What the ground inside is.
    area: AreaId,
}

/// Returns the volumes of a scene from the strongest down.
///
/// # Errors
/// Names a volume without a shape or with an area that the scene does not have.
pub(in crate::stages) fn plan_volumes(scene: &Scene) -> Result<Vec<PlannedVolume>, BakeError> {
    let area = |volume: &Volume| match volume.effect {
        VolumeEffect::Area(area) => area,
        VolumeEffect::Clear => AreaId::default(),
    };
    let mut sorted = Vec::with_capacity(scene.volumes.len());
    for volume in &scene.volumes {
        let fail = |problem| Err(BakeError::Volume { name: volume.name.clone(), problem });
        if let Err(problem) = volume.shape.check() {
            return fail(problem);
        }
        match scene.areas.get(area(volume).index()) {
            Some(area) => sorted.push((volume, area)),
            None => return fail(format!("the scene has no area {}", area(volume).0)),
        }
    }
    sorted.sort_by(|(one, area), (other, of_other)| {
        is_clear(other).cmp(&is_clear(one)).then_with(|| by_strictness(area, of_other))
    });
    let planned = |(volume, _): (&Volume, &Area)| {
        let (low, high) = volume.shape.bounds();
        let bounds = [[low.x, low.z], [high.x, high.z]];
        PlannedVolume { shape: volume.shape.clone(), bounds, area: area(volume) }
    };
    Ok(sorted.into_iter().map(planned).collect())
}

fn is_clear(volume: &Volume) -> bool {
    volume.effect == VolumeEffect::Clear
}

/// The stricter area first: forbidden before allowed, then the more expensive, then by name.
fn by_strictness(one: &Area, other: &Area) -> Ordering {
    let forbidden = other.forbidden.cmp(&one.forbidden);
    forbidden.then(other.cost.total_cmp(&one.cost)).then_with(|| one.name.cmp(&other.name))
}

/// Changes the areas of the floors of a tile that lie inside volumes, and with them whether it is
/// forbidden to stand there. Obstacles stay obstacles.
pub(super) fn apply_volumes(
    floors: &mut Floors,
    frame: &GridFrame,
    volumes: &[PlannedVolume],
    areas: &[Area],
) {
    let near: Vec<&PlannedVolume> =
        volumes.iter().filter(|volume| volume.may_touch(frame)).collect();
    if near.is_empty() {
        return;
    }
    for index in 0..frame.cells() {
        let center = frame.center(frame.cell(index));
        for floor in floors.column(index) {
            let floor = &mut floors.floors[floor];
            let at = Point3::new(center[0], floor.span.floor, center[1]);
            let Some(volume) = near.iter().find(|volume| volume.contains(at)) else { continue };
            floor.span = floor.span.on(volume.area, floor.span.node());
            floor.forbidden = floor.obstacle || areas[volume.area.index()].forbidden;
        }
    }
}

impl PlannedVolume {
    fn may_touch(&self, frame: &GridFrame) -> bool {
        let (least, greatest) = frame.bounds();
        let [low, high] = self.bounds;
        [0, 1].iter().all(|&axis| low[axis] <= greatest[axis] && least[axis] <= high[axis])
    }

    fn contains(&self, floor: Point3<f32>) -> bool {
        let [low, high] = self.bounds;
        let is_over =
            low[0] <= floor.x && floor.x <= high[0] && low[1] <= floor.z && floor.z <= high[1];
        is_over && self.shape.contains(floor)
    }
}
