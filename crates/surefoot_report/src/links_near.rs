//! Provides [`LinkNear`]: the links that lead on from the ground at a position.

use nalgebra::Point3;
use serde::Serialize;
use surefoot::NavGrid;
use surefoot::grid::{AgentId, LinkId, LinkKind, SpanId};

/// A link that leads on from the ground at a position.
#[derive(Debug, Serialize)]
pub struct LinkNear<'a> {
    id: LinkId,
    name: &'a str,
    kind: LinkKind,
    generated: bool,
    /// Where its nearest lane begins and ends [m].
    from: [f32; 3],
    to: [f32; 3],
    /// How far from the position it begins, as the crow flies [m].
    distance: f32,
    /// The region where it leads.
    region: Option<u32>,
}

/// This many links are listed.
const MOST_LINKS: usize = 5;

impl<'a> LinkNear<'a> {
    /// The nearest links that an agent can take from the region of a span.
    pub fn all(grid: &'a NavGrid, agent: AgentId, span: SpanId, at: Point3<f32>) -> Vec<Self> {
        let region = grid.region(agent, span);
        let mut found = Vec::new();
        for link in grid.links() {
            let there = link.lanes_of(agent.index()).iter().map(|lane| lane.spans);
            let back = there.clone().map(|[from, to]| [to, from]);
            let back = back.filter(|_| link.is_reversible());
            let lanes = there.chain(back).filter(|[from, _]| grid.region(agent, *from) == region);
            let near = lanes.filter_map(|[from, to]| {
                let points = [grid.point(from)?, grid.point(to)?];
                Some(((points[0] - at).norm(), points, to))
            });
            let nearest = near.min_by(|a, b| a.0.total_cmp(&b.0));
            found.extend(nearest.map(|(distance, [from, to], end)| LinkNear {
                id: link.id,
                name: &link.name,
                kind: link.kind,
                generated: link.generated,
                from: from.into(),
                to: to.into(),
                distance,
                region: grid.region(agent, end).map(|region| region.0),
            }));
        }
        found.sort_by(|a, b| a.distance.total_cmp(&b.distance).then(a.id.cmp(&b.id)));
        found.truncate(MOST_LINKS);
        found
    }

    /// It in a line of words.
    pub fn line(&self) -> String {
        let place = |[x, y, z]: [f32; 3]| format!("{x:.2},{y:.2},{z:.2}");
        let name = match self.generated {
            true => self.kind.name().to_owned(),
            false => format!("\"{}\" ({})", self.name, self.kind.name()),
        };
        let region = self.region.map_or(String::new(), |region| format!(" in region {region}"));
        format!(
            "link: {name} from {} to {}{region}, {:.2} m away",
            place(self.from),
            place(self.to),
            self.distance
        )
    }
}
