//! Provides [`TileSet`]: the tiles of a source, and those that stand in for some of them.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::error::WorldError;
use super::info::{TilePlace, WorldInfo};
use super::origin::Origin;
use super::source::TileSource;
use crate::agent::Agent;
use crate::grid::{Cell, CellLayer, GridFrame, NavGrid, SpanId};

/// The tiles of a source, of which some have changed. Cheap to clone.
#[derive(Clone, Debug)]
pub(super) struct TileSet {
    pub source: Arc<TileSource>,
    pub origin: Origin,
    /// That of the source, as seen from the origin.
    unchanged: Arc<WorldInfo>,
    /// The same; the author's links follow the floors of tiles that changed.
    info: Arc<WorldInfo>,
    changed: Arc<BTreeMap<TilePlace, ChangedTile>>,
}

/// What stands in for a tile.
#[derive(Clone, Debug)]
struct ChangedTile {
    /// `None` where there is no longer any ground.
    tile: Option<NavGrid>,
    /// Another one for every tile that was ever put in.
    version: u64,
}

/// The next [`ChangedTile::version`].
static NEXT_VERSION: AtomicU64 = AtomicU64::new(1);

impl TileSet {
    /// The tiles of a source, as they are.
    pub fn new(source: TileSource) -> Self {
        let info = source.info().clone();
        TileSet {
            source: Arc::new(source),
            origin: Origin::default(),
            unchanged: info.clone(),
            info,
            changed: Arc::default(),
        }
    }

    /// The tiles of the same source, as they were before any changed, seen from a place.
    ///
    /// # Errors
    /// The place is nowhere.
    pub fn at_origin(&self, place: TilePlace) -> Result<Self, WorldError> {
        let origin = self.origin.at(place, self.source.info());
        let problem = format!("no tile of it can be at {place}");
        let origin = origin.ok_or(WorldError::Info { problem })?;
        let info = Arc::new(origin.info(self.source.info())?);
        let (source, unchanged) = (self.source.clone(), info.clone());
        Ok(TileSet { source, origin, unchanged, info, changed: Arc::default() })
    }

    pub fn info(&self) -> &Arc<WorldInfo> {
        &self.info
    }

    /// Puts tiles in place of others.
    ///
    /// # Errors
    /// A tile that a link of the author leads to cannot be read; nothing changes.
    pub fn replace(&mut self, tiles: Vec<(TilePlace, Option<NavGrid>)>) -> Result<(), WorldError> {
        let mut changed = self.changed.clone();
        let with_versions = tiles.into_iter().map(|(place, tile)| {
            (place, ChangedTile { tile, version: NEXT_VERSION.fetch_add(1, Ordering::Relaxed) })
        });
        Arc::make_mut(&mut changed).extend(with_versions);
        self.info = self.with_moved_links(&changed)?;
        self.changed = changed;
        Ok(())
    }

    /// Returns the info of the source with the author's links where their floors are now. A lane whose floor is
    /// gone is left out.
    fn with_moved_links(
        &self,
        changed: &BTreeMap<TilePlace, ChangedTile>,
    ) -> Result<Arc<WorldInfo>, WorldError> {
        let info = &self.unchanged;
        let ends = info.links.iter().flat_map(|link| link.lanes.iter().flatten().flatten());
        let places: BTreeSet<TilePlace> = ends.map(|end| info.place_of(end.cell)).collect();
        let mut before = BTreeMap::new();
        for place in places.into_iter().filter(|place| changed.contains_key(place)) {
            before.insert(place, self.load_unchanged(place)?);
        }
        if before.is_empty() {
            return Ok(info.clone());
        }
        let floor_now = |agent: &Agent, end: CellLayer| {
            let place = info.place_of(end.cell);
            let Some(before) = before.get(&place) else { return Some(end) };
            let before = before.as_ref()?;
            let height = before.span(before.span_of(end)?)?.floor;
            let now = changed.get(&place)?.tile.as_ref()?;
            nearest_floor(now, end.cell, height, agent.max_climb)
        };
        let links = info.links.iter().map(|link| link.moved(&info.agents, floor_now)).collect();
        Ok(Arc::new(WorldInfo { links, ..(**info).clone() }))
    }

    /// Returns the tiles that are not as in the source, and which version each of them is.
    pub fn versions(&self) -> impl Iterator<Item = (TilePlace, u64)> + '_ {
        self.changed.iter().map(|(&place, changed)| (place, changed.version))
    }

    /// Bytes that a tile takes in memory, as far as is known before it is loaded: `None` if there is no such
    /// tile.
    pub fn bytes_of(&self, place: TilePlace) -> Result<Option<u64>, WorldError> {
        match self.changed.get(&place) {
            Some(ChangedTile { tile, .. }) => {
                Ok(tile.as_ref().map(|tile| self.changed_bytes(place, tile)))
            }
            None => match self.origin.to_source(place) {
                Some(place) => self.source.bytes_of(place),
                None => Ok(None),
            },
        }
    }

    fn changed_bytes(&self, place: TilePlace, tile: &NavGrid) -> u64 {
        let info = self.info();
        info.bytes_of(tile.spans().len() as u64, &info.cells_of(place))
    }

    /// Calls back for each tile that has some of the cells, with the bytes that it takes.
    pub fn for_each_within(
        &self,
        cells: &GridFrame,
        call: &mut dyn FnMut(TilePlace, u64) -> Result<(), WorldError>,
    ) -> Result<(), WorldError> {
        for (&place, ChangedTile { tile, .. }) in &*self.changed {
            let lies_within = self.info().cells_of(place).overlap(cells).cells() > 0;
            if let Some(tile) = tile.as_ref().filter(|_| lies_within) {
                call(place, self.changed_bytes(place, tile))?;
            }
        }
        let cells = self.origin.cells_of_source(cells);
        self.source.for_each_within(&cells, &mut |place, bytes| {
            let place = self.origin.of_source(place);
            let place = place.filter(|place| !self.changed.contains_key(place));
            place.map_or(Ok(()), |place| call(place, bytes))
        })
    }

    /// Loads a tile; `None` if there is no such tile.
    pub fn load(&self, place: TilePlace) -> Result<Option<NavGrid>, WorldError> {
        match self.changed.get(&place) {
            Some(ChangedTile { tile, .. }) => Ok(tile.clone()),
            None => self.load_unchanged(place),
        }
    }

    /// Loads a tile as it is in the source.
    fn load_unchanged(&self, place: TilePlace) -> Result<Option<NavGrid>, WorldError> {
        let Some(of_source) = self.origin.to_source(place) else { return Ok(None) };
        match self.source.load(of_source)? {
            Some(tile) => self.origin.tile(tile),
            None => Ok(None),
        }
    }
}

/// Returns the address of the floor of a column that is nearest to a height, within a distance [m].
fn nearest_floor(tile: &NavGrid, cell: Cell, height: f32, distance: f32) -> Option<CellLayer> {
    let floors = tile.column_spans(cell).filter_map(|span| tile.span(SpanId(span)));
    let apart = floors.map(|span| (span.floor - height).abs());
    let nearest = (0..).zip(apart).min_by(|one, other| one.1.total_cmp(&other.1))?;
    (nearest.1 <= distance).then_some(CellLayer { cell, layer: nearest.0 })
}
