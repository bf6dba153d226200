//! Counts bodies that stand in each other.

use nalgebra::Point3;
use surefoot::Agent;

use super::measures::Seen;

/// Bodies that are deeper in each other than this are counted [radii].
const DEEP: f32 = 0.05;

/// How often bodies stood in each other, how deep and how long.
#[derive(Debug, Default)]
pub struct Overlaps {
    /// Pairs in all samples.
    pub pairs: u64,
    /// Those of them with a body on a link.
    pub on_links: u64,
    /// The most samples in a row that one pair was counted in.
    pub longest: u32,
    /// The deepest of all, counted or not [radii].
    pub deepest: f32,
    /// Pairs of the sample before, in order, and for how many samples.
    before: Vec<([u32; 2], u32)>,
}

impl Overlaps {
    /// Looks at everyone. O(n log n + those next to each other along x).
    pub fn sample(&mut self, seen: &[Seen], agent: &Agent) {
        let mut order: Vec<u32> = (0..seen.len() as u32).collect();
        let place = |index: u32| seen[index as usize].place;
        order.sort_unstable_by(|&a, &b| place(a).x.total_cmp(&place(b).x).then(a.cmp(&b)));
        let mut now = Vec::new();
        for (at, &one) in order.iter().enumerate() {
            let reach = place(one).x + 2.0 * agent.radius;
            for &other in order[at + 1..].iter().take_while(|&&other| place(other).x < reach) {
                let deep = depth([place(one), place(other)], agent);
                self.deepest = self.deepest.max(deep);
                if deep > DEEP {
                    now.push([one.min(other), one.max(other)]);
                }
            }
        }
        now.sort_unstable();
        self.count(seen, now);
    }

    fn count(&mut self, seen: &[Seen], now: Vec<[u32; 2]>) {
        let is_on_link = |pair: &&[u32; 2]| pair.iter().any(|&at| seen[at as usize].is_on_link());
        self.pairs += now.len() as u64;
        self.on_links += now.iter().filter(is_on_link).count() as u64;
        let so_far = |pair: &[u32; 2]| {
            let known = self.before.binary_search_by_key(pair, |&(pair, _)| pair);
            known.map_or(0, |at| self.before[at].1)
        };
        let now = now.into_iter().map(|pair| (pair, so_far(&pair) + 1)).collect();
        self.before = now;
        self.longest = self.before.iter().fold(self.longest, |most, pair| most.max(pair.1));
    }
}

/// How deep two bodies stand in each other [radii]; 0 where they do not.
fn depth([one, other]: [Point3<f32>; 2], agent: &Agent) -> f32 {
    let apart = one - other;
    if apart.y.abs() >= agent.height {
        return 0.0;
    }
    (2.0 - apart.x.hypot(apart.z) / agent.radius).max(0.0)
}

#[cfg(test)]
mod tests {
    use surefoot::follow::FollowState;

    use super::*;

    fn seen(places: &[[f32; 3]]) -> Vec<Seen> {
        let state = FollowState::Following;
        places.iter().map(|&place| Seen { place: place.into(), state }).collect()
    }

    #[test]
    fn pairs_are_counted_for_each_sample() {
        let agent = Agent { radius: 0.5, height: 2.0, ..Agent::new("a") };
        let mut overlaps = Overlaps::default();
        let close = seen(&[[1.0, 0.0, 0.0], [0.25, 0.0, 0.0], [0.25, 3.0, 0.0], [2.1, 0.0, 0.0]]);
        let apart = seen(&[[1.0, 0.0, 0.0], [0.02, 0.0, 0.0], [0.25, 3.0, 0.0], [2.1, 0.0, 0.0]]);
        for sample in [&close, &close, &apart, &close] {
            overlaps.sample(sample, &agent);
        }
        assert_eq!((overlaps.pairs, overlaps.longest, overlaps.on_links), (3, 2, 0));
        assert_eq!(overlaps.deepest, 0.5);
    }

    #[test]
    fn bodies_on_links_are_told_apart() {
        let mut sample = seen(&[[0.0; 3], [0.0; 3], [0.0; 3]]);
        sample[1].state = FollowState::OnLink { link: 0 };
        let mut overlaps = Overlaps::default();
        overlaps.sample(&sample, &Agent::new("a"));
        assert_eq!((overlaps.pairs, overlaps.on_links, overlaps.deepest), (3, 2, 2.0));
    }
}
