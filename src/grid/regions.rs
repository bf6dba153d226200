//! Regions: which spans reach each other for one agent.
//!
//! Connected components over steps and two-way links, numbered from the largest down. Because a
//! diagonal step needs both its straight neighbors, the steps to +x and +z alone decide them.
//! Based on: Hoshen and Kopelman, "Percolation and cluster distribution", 1976 (one scan over a
//! raster with union-find).

use super::steps::{Place, Steps};
use super::{AgentLayer, Dir, GridError, GridFrame, Region, RegionId, SpanId};

/// The most regions one agent may have: a [`Standing`](super::Standing) keeps 20 bits.
pub(crate) const MOST_REGIONS: usize = (1 << 20) - 1;

/// Finds the regions of a layer whose steps stand, and writes them into it. `two_way` holds the
/// ends of the two-way links this agent can take. O(spans).
///
/// # Errors
/// More regions than can be numbered.
pub(crate) fn find_regions(
    frame: &GridFrame,
    first: &[u32],
    two_way: &[[SpanId; 2]],
    layer: &mut AgentLayer,
) -> Result<(), GridError> {
    let mut sets = join(frame, first, two_way, layer);
    let mut sizes = vec![0u32; sets.parent.len()];
    for (span, standing) in layer.standings.iter().enumerate() {
        if standing.is_walkable() {
            sizes[sets.root(span as u32) as usize] += 1;
        }
    }
    let mut roots: Vec<u32> = (0..sizes.len() as u32).filter(|&i| sizes[i as usize] > 0).collect();
    if roots.len() > MOST_REGIONS {
        let place = format!("agent \"{}\", regions", layer.agent.name);
        let problem = format!(
            "{} separate pieces of walkable ground, at most {MOST_REGIONS} can be told apart; \
             use larger cells or smaller bounds",
            roots.len()
        );
        return Err(GridError { place, problem });
    }
    roots.sort_unstable_by_key(|&root| (u32::MAX - sizes[root as usize], root));
    layer.regions = roots.iter().map(|&i| Region { spans: sizes[i as usize] }).collect();
    let mut numbers = sizes;
    for (number, &root) in roots.iter().enumerate() {
        numbers[root as usize] = number as u32;
    }
    for (span, standing) in layer.standings.iter_mut().enumerate() {
        if standing.is_walkable() {
            standing.set_region(RegionId(numbers[sets.root(span as u32) as usize]));
        }
    }
    Ok(())
}

/// Joins all spans that steps and two-way links connect.
pub(crate) fn join(
    frame: &GridFrame,
    first: &[u32],
    two_way: &[[SpanId; 2]],
    layer: &AgentLayer,
) -> Sets {
    let steps = Steps::new(frame, first, layer);
    let mut sets = Sets::new(layer.standings.len());
    let [east, _, south, .., north_east] = Dir::ALL;
    for index in 0..frame.cells() {
        let x = index % frame.size_x as usize;
        for span in first[index]..first[index + 1] {
            // With a step to the north-east, north joined this span and the eastern one already.
            let standing = layer.standings[span as usize];
            let dirs = if standing.has_step(north_east) { &[south][..] } else { &[south, east] };
            for &dir in dirs {
                if let Some(to) = steps.target(Place { index, x, span }, dir) {
                    sets.union(span, to.span);
                }
            }
        }
    }
    for [from, to] in two_way {
        sets.union(from.0, to.0);
    }
    sets
}

/// Disjoint sets of spans; the root of a set is its lowest span.
pub(crate) struct Sets {
    parent: Vec<u32>,
    /// How many unions joined two sets into one.
    pub joined: usize,
}

impl Sets {
    fn new(len: usize) -> Self {
        Sets { parent: (0..len as u32).collect(), joined: 0 }
    }

    #[inline]
    fn root(&mut self, mut span: u32) -> u32 {
        loop {
            let parent = self.parent[span as usize];
            if parent == span {
                return span;
            }
            let above = self.parent[parent as usize];
            self.parent[span as usize] = above;
            span = above;
        }
    }

    #[inline]
    fn union(&mut self, a: u32, b: u32) {
        let (a, b) = (self.root(a), self.root(b));
        if a != b {
            self.parent[a.max(b) as usize] = a.min(b);
            self.joined += 1;
        }
    }
}
