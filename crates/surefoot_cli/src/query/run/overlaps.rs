//! Provides [`Overlaps`]: counts pairs of bodies that overlap.

use nalgebra::Point3;
use surefoot::Agent;

use super::member_sample::MemberSample;

/// Pairs that overlap by more than this are counted [radii].
const COUNTED_DEPTH: f32 = 0.05;

/// How often, how deep and how long bodies overlapped.
#[derive(Debug, Default)]
pub struct Overlaps {
    /// Pairs, summed over all samples.
    pub pairs: u64,
    /// Those with a body on a link.
    pub on_links: u64,
    /// The most samples in a row that counted one pair.
    pub longest: u32,
    /// The deepest overlap, counted or not [radii].
    pub deepest: f32,
    /// Pairs of the last sample, sorted, and in how many samples in a row each was counted.
    last: Vec<([u32; 2], u32)>,
}

impl Overlaps {
    /// Adds a sample of everyone. O(n log n + pairs that are near each other along x).
    pub fn add(&mut self, members: &[MemberSample], agent: &Agent) {
        let mut order: Vec<u32> = (0..members.len() as u32).collect();
        let position = |index: u32| members[index as usize].position;
        order.sort_unstable_by(|&a, &b| position(a).x.total_cmp(&position(b).x).then(a.cmp(&b)));
        let mut now = Vec::new();
        for (at, &one) in order.iter().enumerate() {
            let reach = position(one).x + 2.0 * agent.radius;
            for &other in order[at + 1..].iter().take_while(|&&other| position(other).x < reach) {
                let depth = depth([position(one), position(other)], agent);
                self.deepest = self.deepest.max(depth);
                if depth > COUNTED_DEPTH {
                    now.push([one.min(other), one.max(other)]);
                }
            }
        }
        now.sort_unstable();
        self.count(members, now);
    }

    fn count(&mut self, members: &[MemberSample], now: Vec<[u32; 2]>) {
        let is_on_link =
            |pair: &&[u32; 2]| pair.iter().any(|&at| members[at as usize].is_on_link());
        self.pairs += now.len() as u64;
        self.on_links += now.iter().filter(is_on_link).count() as u64;
        let samples_before = |pair: &[u32; 2]| {
            let known = self.last.binary_search_by_key(pair, |&(pair, _)| pair);
            known.map_or(0, |at| self.last[at].1)
        };
        let now = now.into_iter().map(|pair| (pair, samples_before(&pair) + 1)).collect();
        self.last = now;
        self.longest = self.last.iter().fold(self.longest, |most, pair| most.max(pair.1));
    }
}

/// How deep two bodies overlap [radii]; 0 if they do not.
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

    fn samples(positions: &[[f32; 3]]) -> Vec<MemberSample> {
        let state = FollowState::Following;
        positions.iter().map(|&at| MemberSample { position: at.into(), state }).collect()
    }

    #[test]
    fn pairs_are_counted_for_each_sample() {
        let agent = Agent { radius: 0.5, height: 2.0, ..Agent::new("a") };
        let mut overlaps = Overlaps::default();
        let close =
            samples(&[[1.0, 0.0, 0.0], [0.25, 0.0, 0.0], [0.25, 3.0, 0.0], [2.1, 0.0, 0.0]]);
        let apart =
            samples(&[[1.0, 0.0, 0.0], [0.02, 0.0, 0.0], [0.25, 3.0, 0.0], [2.1, 0.0, 0.0]]);
        for sample in [&close, &close, &apart, &close] {
            overlaps.add(sample, &agent);
        }
        assert_eq!((overlaps.pairs, overlaps.longest, overlaps.on_links), (3, 2, 0));
        assert_eq!(overlaps.deepest, 0.5);
    }

    #[test]
    fn bodies_on_links_are_counted_apart() {
        let mut sample = samples(&[[0.0; 3], [0.0; 3], [0.0; 3]]);
        sample[1].state = FollowState::OnLink { link: 0 };
        let mut overlaps = Overlaps::default();
        overlaps.add(&sample, &Agent::new("a"));
        assert_eq!((overlaps.pairs, overlaps.on_links, overlaps.deepest), (3, 2, 2.0));
    }
}
