//! Validation of one agent's layer: standings, steps, regions and order.
//!
//! One pass over the standings follows each step towards greater x or z, sees that it comes back,
//! stays in its region and cuts no corner; counting the steps the other way then shows that none
//! of those is without its counterpart. A second pass joins what the steps connect.

use std::ops::Range;

use super::connections::{ColumnPosition, Connections};
use super::finish::two_way_ends;
use super::block_check::surplus;
use super::order_check::check_order;
use super::regions::{MOST_REGIONS, join};
use super::span::ConnectionCode;
use super::validate::fail;
use super::{AgentId, AgentLayer, Dir, GridError, GridParts, NodeId, SpanId, Standing};

/// The way towards greater x or z: half of the directions, each step is written from both ends.
pub(super) const FORWARD: Range<usize> = 0..4;
/// One agent's layer on its way through the checks.
pub(super) struct LayerCheck<'a> {
    pub(super) parts: &'a GridParts,
    pub(super) layer: &'a AgentLayer,
    steps: Connections<'a>,
    /// Spans seen in each region.
    pub(super) sizes: Vec<u32>,
    /// How many more steps lead towards greater x or z than back, see [`surplus`].
    pub(super) surplus: i64,
    /// Far steps seen.
    far: usize,
}

impl<'a> LayerCheck<'a> {
    pub(super) fn new(parts: &'a GridParts, agent: AgentId) -> Self {
        let layer = &parts.layers[agent.index()];
        let steps = Connections::new(&parts.frame, &parts.first, layer);
        let sizes = vec![0; layer.regions.len()];
        LayerCheck { parts, layer, steps, sizes, surplus: 0, far: 0 }
    }

    /// Checks everything about the layer. O(spans).
    pub(super) fn run(mut self, agent: AgentId) -> Result<(), GridError> {
        let (layer, spans) = (self.layer, self.parts.spans.len());
        if layer.standings.len() != spans {
            let problem = format!("{} standings for {spans} spans", layer.standings.len());
            return self.fail("standings", problem);
        }
        if layer.regions.len() > MOST_REGIONS {
            let problem = format!("{} of them, at most {MOST_REGIONS}", layer.regions.len());
            return self.fail("regions", problem);
        }
        self.check_far_connections()?;
        self.check_standings()?;
        if self.surplus != 0 {
            return self.one_sided_step();
        }
        if self.far != layer.far_connections.len() {
            let problem = format!("{} listed, {} in use", layer.far_connections.len(), self.far);
            return self.fail("far steps", problem);
        }
        self.check_regions(agent)?;
        layer.order.as_ref().map_or(Ok(()), |order| check_order(self.parts, agent, order))
    }

    fn fail<T>(&self, place: &str, problem: impl Into<String>) -> Result<T, GridError> {
        fail(format!("agent \"{}\", {place}", self.layer.agent.name), problem)
    }

    fn check_far_connections(&self) -> Result<(), GridError> {
        let far = &self.layer.far_connections;
        let order = |pair: &[super::FarConnection]| {
            (pair[0].from, pair[0].dir) < (pair[1].from, pair[1].dir)
        };
        if let Some(at) = far.windows(2).position(|pair| !order(pair)) {
            return self.fail("far steps", format!("number {} is out of order", at + 1));
        }
        let spans = self.layer.standings.len();
        if let Some(at) = far.iter().position(|f| f.from.index().max(f.to.index()) >= spans) {
            return self.fail("far steps", format!("number {at} names a span that does not exist"));
        }
        Ok(())
    }

    /// Checks some columns of the row that starts at a position, span by span.
    pub(super) fn check_columns(
        &mut self,
        row: usize,
        columns: Range<usize>,
    ) -> Result<(), GridError> {
        for x in columns {
            let index = row + x;
            for span in self.parts.first[index]..self.parts.first[index + 1] {
                let place = ColumnPosition { index, x, span };
                if let Err(problem) = self.check_standing(place) {
                    return self.fail(&format!("span {span}"), problem);
                }
            }
        }
        Ok(())
    }

    #[inline]
    fn check_standing(&mut self, place: ColumnPosition) -> Result<(), String> {
        let standing = self.layer.standings[place.span as usize];
        if !standing.is_walkable() {
            return self.check_blocked(place);
        }
        let region = standing.owner() as usize;
        let Some(size) = self.sizes.get_mut(region) else {
            return Err(format!("its region {region} does not exist"));
        };
        *size += 1;
        self.surplus += surplus(standing.connection_bits());
        if !self.pairs_up(place, standing) {
            for dir in &Dir::ALL[FORWARD] {
                if standing.has_connection(*dir) {
                    self.check_step(place, *dir)?;
                }
            }
        }
        self.count_far(place)
    }

    /// Whether all steps towards greater x or z are sound, decided from the nibbles alone: a step
    /// and its way back rise by opposite amounts, and so do the paths round a corner. False where
    /// anything is wrong or far; then [`Self::check_step`] decides.
    #[inline]
    fn pairs_up(&self, place: ColumnPosition, standing: Standing) -> bool {
        let [east, south_east, south, south_west, west, ..] = Dir::ALL;
        let follow = |dir| self.near(place, standing, dir);
        let (Some(to_east), Some(to_south), Some(to_west)) =
            (follow(east), follow(south), follow(west))
        else {
            return false;
        };
        let corner = |diagonal: Dir, ways: [(Dir, Standing); 2]| {
            let code = standing.connection_code(diagonal);
            let [(a, by_a), (b, by_b)] = ways;
            code == ConnectionCode::NONE
                || follow(diagonal).is_some()
                    && ConnectionCode::chain(standing.connection_code(a), by_a.connection_code(b))
                        == Some(code)
                    && ConnectionCode::chain(standing.connection_code(b), by_b.connection_code(a))
                        == Some(code)
        };
        corner(south_east, [(east, to_east), (south, to_south)])
            && corner(south_west, [(west, to_west), (south, to_south)])
    }

    /// The standing a near step leads to, if it exists, is of the same region and has the step
    /// back; the span's own where there is no step.
    #[inline]
    fn near(&self, place: ColumnPosition, standing: Standing, dir: Dir) -> Option<Standing> {
        let code = standing.connection_code(dir);
        if code == ConnectionCode::NONE {
            return Some(standing);
        }
        let to = self.steps.near_target(place, dir, code)?;
        let other = self.layer.standings[to as usize];
        let sound = other.is_walkable()
            && other.owner() == standing.owner()
            && other.connection_code(dir.opposite()) == code.reversed();
        sound.then_some(other)
    }

    /// A step towards greater x or z: it ends on walkable ground of the same region, comes back to
    /// the same span and cuts no corner.
    #[cold]
    fn check_step(&self, from: ColumnPosition, dir: Dir) -> Result<(), String> {
        let standings = &self.layer.standings;
        let wrong = |problem: &str| Err(format!("its step in direction {} {problem}", dir.index()));
        let Some(to) = self.steps.target(from, dir) else {
            return wrong("leads to no span");
        };
        let (own, other) = (&standings[from.span as usize], &standings[to.span as usize]);
        if !other.is_walkable() || own.owner() != other.owner() {
            return wrong("leads out of its region");
        }
        if self.steps.target(to, dir.opposite()) != Some(from) {
            return wrong("does not come back");
        }
        if dir.is_diagonal() && !self.keeps_corner(from, to, dir) {
            return wrong("cuts a corner");
        }
        Ok(())
    }

    /// Whether both ways round the corner lead to the same place as the diagonal.
    fn keeps_corner(&self, from: ColumnPosition, to: ColumnPosition, dir: Dir) -> bool {
        let (left, right) = (dir.turned(7), dir.turned(1));
        let by_way_of =
            |a, b| self.steps.target(from, a).and_then(|mid| self.steps.target(mid, b)) == Some(to);
        by_way_of(left, right) && by_way_of(right, left)
    }

    /// Counts the far nibbles, and holds each against the list.
    #[inline]
    fn count_far(&mut self, place: ColumnPosition) -> Result<(), String> {
        let standing = self.layer.standings[place.span as usize];
        if !standing.has_far_connection() {
            return Ok(());
        }
        let layer = i64::from(place.span - self.parts.first[place.index]);
        for dir in
            Dir::ALL.into_iter().filter(|&dir| standing.connection_code(dir) == ConnectionCode::FAR)
        {
            let Some(to) = self.steps.target(place, dir) else {
                return Err(format!("its far step in direction {} leads nowhere", dir.index()));
            };
            let rise = i64::from(to.span - self.parts.first[to.index]) - layer;
            if ConnectionCode::new(rise) != ConnectionCode::FAR {
                return Err(format!("its step in direction {} is not far", dir.index()));
            }
            self.far += 1;
        }
        Ok(())
    }

    fn check_blocked(&self, place: ColumnPosition) -> Result<(), String> {
        let standing = self.layer.standings[place.span as usize];
        let nodes = self.parts.nodes.len() as u32;
        let owner_sound = match standing.code() {
            3 => standing.owner() < nodes || standing.owner() == NodeId::NONE.0,
            1..=6 => standing.owner() == 0,
            code => return Err(format!("its verdict {code} is unknown")),
        };
        if !owner_sound {
            return Err(format!("its obstacle {} does not exist", standing.owner()));
        }
        if standing.has_connections() || standing.clearance_code() != 0 {
            return Err("nobody stands there, but it has steps or clearance".to_owned());
        }
        Ok(())
    }

    /// Finds the step that does not come back, once the counts have told that there is one.
    #[cold]
    fn one_sided_step(&self) -> Result<(), GridError> {
        for index in 0..self.parts.frame.cells() {
            let x = index % self.parts.frame.size_x as usize;
            for span in self.parts.first[index]..self.parts.first[index + 1] {
                let from = ColumnPosition { index, x, span };
                for dir in Dir::ALL {
                    let has_connection = self.layer.standings[span as usize].has_connection(dir);
                    let to = self.steps.target(from, dir);
                    let back = to.and_then(|to| self.steps.target(to, dir.opposite()));
                    if has_connection && back != Some(from) {
                        let problem = format!("its step in direction {}", dir.index());
                        let place = format!("span {span}");
                        return self.fail(&place, problem + " does not come back");
                    }
                }
            }
        }
        self.fail("steps", "they do not pair up")
    }

    fn check_regions(&self, agent: AgentId) -> Result<(), GridError> {
        let regions = &self.layer.regions;
        for (at, (region, &size)) in regions.iter().zip(&self.sizes).enumerate() {
            let place = format!("region {at}");
            if region.spans != size || size == 0 {
                let problem = format!("it claims {} spans and has {size}", region.spans);
                return self.fail(&place, problem);
            }
            if at > 0 && regions[at - 1].spans < region.spans {
                return self.fail(&place, "it is larger than the one before it");
            }
        }
        let two_way = two_way_ends(&self.parts.links, agent);
        let region = |span: SpanId| self.layer.standings[span.index()].region();
        if let Some([from, to]) = two_way.iter().find(|[a, b]| region(*a) != region(*b)) {
            let problem = format!("spans {} and {} are linked but not in one", from.0, to.0);
            return self.fail("regions", problem);
        }
        let (_, runs) = join(&self.parts.frame, &self.parts.first, &two_way, self.layer);
        let pieces = runs.pieces();
        // Steps and links stay within regions: with as many pieces as regions, each is in one piece.
        if pieces != regions.len() {
            let problem = format!("{} for {pieces} pieces of ground", regions.len());
            return self.fail("regions", problem);
        }
        Ok(())
    }
}
