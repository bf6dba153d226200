//! The regions of a world: written into its file, read from there, and asked for by points.

use nalgebra::Point3;

use super::error::WorldError;
use super::format::WorldWriter;
use super::region_index::RegionIndex;
use super::section_reader::SectionReader;
use super::streaming::World;

/// The section of a world that has its regions.
const REGIONS: [u8; 4] = *b"REGN";
/// How errors name it.
const SECTION: &str = "section REGN";

impl WorldWriter {
    /// Writes the regions of the world, an index for each agent, so that [`World::regions`] has them.
    ///
    /// # Errors
    /// They are written already; the file cannot be written.
    pub fn regions(&mut self, agents: &[RegionIndex]) -> Result<(), WorldError> {
        let mut bytes = (agents.len() as u32).to_le_bytes().to_vec();
        agents.iter().for_each(|index| index.write(&mut bytes));
        self.section(REGIONS, &bytes)
    }
}

impl World {
    /// Reads the regions of the whole world for an agent; they stay in memory as long as the result does. `None`
    /// if the file does not have them. They are those of the file, whatever
    /// [`World::set_tiles`](super::World::set_tiles) has put in.
    ///
    /// # Errors
    /// The world has no agent of that name; or they cannot be read.
    pub fn regions(&self, agent: &str) -> Result<Option<RegionIndex>, WorldError> {
        let agent = self.info().agent_named(agent)?;
        let Some(bytes) = self.section(REGIONS)? else { return Ok(None) };
        let mut reader = SectionReader::new(SECTION, &bytes);
        let mut found = None;
        for at in 0..reader.u32()? {
            let index = RegionIndex::read(&mut reader)?;
            if at == u32::from(agent.0) {
                found = Some(index);
            }
        }
        reader.end()?;
        Ok(found.map(|index| self.tile_set.origin.regions(index)))
    }

    /// Returns the region of the ground at a point, or of the nearest ground within two radii on the same tile, as
    /// an index of [`RegionIndex::regions`]; `None` if the agent cannot stand there. Loads the tile.
    ///
    /// # Errors
    /// The world has no agent of that name; or the tile cannot be read.
    pub fn region_at(
        &self,
        index: &RegionIndex,
        agent: &str,
        point: impl Into<Point3<f32>>,
    ) -> Result<Option<usize>, WorldError> {
        let (agent, point) = (self.info().agent_named(agent)?, point.into());
        let place = self.info().place_at(point.x, point.z);
        let Some(tile) = self.tile(place)? else { return Ok(None) };
        let Ok(own) = tile.cropped_to(&self.info().cells_of(place)) else { return Ok(None) };
        let radius = 2.0 * self.info().agents[agent.index()].radius;
        let region = own.nearest_walkable(agent, point, radius).and_then(|(span, _)| {
            let span = tile.span_of(own.cell_layer(span)?)?;
            index.region_of(place, tile.region(agent, span)?)
        });
        Ok(region)
    }
}
