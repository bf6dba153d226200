//! Provides [`RectTree`]: finds the rectangles that meet another one.
//!
//! Based on: Leutenegger, Lopez, Edgington, "STR: a simple and efficient algorithm for R-tree packing", 1997.

use surefoot_rapier::distance::GroundRect;

/// How many rectangles, or nodes, a node has.
const FAN_OUT: usize = 16;

/// An index of rectangles that lie elsewhere, in its order.
#[derive(Clone, Debug, Default)]
pub struct RectTree {
    /// From the lowest up: a node is around `FAN_OUT` rectangles, or nodes of the level before.
    levels: Vec<Vec<GroundRect>>,
}

impl RectTree {
    /// Packs rectangles. Also returns their order: for each place the index of a rectangle.
    pub fn new(rects: &[GroundRect]) -> (Self, Vec<u32>) {
        let mut order: Vec<u32> = (0..rects.len() as u32).collect();
        let center = |index: &u32, axis: usize| {
            let rect = &rects[*index as usize];
            f64::from(rect.min[axis]) + f64::from(rect.max[axis])
        };
        let sort = |part: &mut [u32], axis: usize| {
            part.sort_by(|a, b| center(a, axis).total_cmp(&center(b, axis)).then(a.cmp(b)));
        };
        sort(&mut order, 0);
        let leaves = rects.len().div_ceil(FAN_OUT);
        let slices = (leaves as f64).sqrt().ceil().max(1.0) as usize;
        let slice = leaves.div_ceil(slices).max(1) * FAN_OUT;
        order.chunks_mut(slice).for_each(|part| sort(part, 1));
        let packed: Vec<GroundRect> = order.iter().map(|&index| rects[index as usize]).collect();
        let mut levels: Vec<Vec<GroundRect>> = vec![packed.chunks(FAN_OUT).map(around).collect()];
        while let Some(last) = levels.last().filter(|level| level.len() > FAN_OUT) {
            let next = last.chunks(FAN_OUT).map(around).collect();
            levels.push(next);
        }
        (RectTree { levels }, order)
    }

    /// Returns the places of all rectangles that meet another, in order; given how many there are, and each
    /// by its place.
    pub fn over(
        &self,
        rect: &GroundRect,
        count: usize,
        at: impl Fn(usize) -> GroundRect,
    ) -> Vec<usize> {
        let Some(top) = self.levels.last() else { return Vec::new() };
        let mut found: Vec<usize> = (0..top.len()).collect();
        for (number, level) in self.levels.iter().enumerate().rev() {
            found.retain(|&node| level[node].intersects(rect));
            let end = number.checked_sub(1).map_or(count, |below| self.levels[below].len());
            let children = |node: usize| node * FAN_OUT..((node + 1) * FAN_OUT).min(end);
            found = found.into_iter().flat_map(children).collect();
        }
        found.retain(|&place| at(place).intersects(rect));
        found
    }
}

fn around(rects: &[GroundRect]) -> GroundRect {
    let mut all = rects[0];
    for rect in rects {
        for axis in [0, 1] {
            all.min[axis] = all.min[axis].min(rect.min[axis]);
            all.max[axis] = all.max[axis].max(rect.max[axis]);
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn finds_what_a_plain_search_finds(
            places in proptest::collection::vec((-50.0f32..50.0, -50.0f32..50.0, 0.0f32..9.0), 0..400),
            asked in (-60.0f32..60.0, -60.0f32..60.0, 0.0f32..60.0),
        ) {
            let rect = |(x, z, side): (f32, f32, f32)| {
                GroundRect { min: [x, z], max: [x + side, z + side] }
            };
            let rects: Vec<GroundRect> = places.into_iter().map(rect).collect();
            let asked = rect(asked);
            let (tree, order) = RectTree::new(&rects);
            let mut found: Vec<usize> =
                tree.over(&asked, rects.len(), |at| rects[order[at] as usize])
                    .into_iter()
                    .map(|at| order[at] as usize)
                    .collect();
            found.sort_unstable();
            let plain: Vec<usize> = (0..rects.len()).filter(|&at| rects[at].intersects(&asked)).collect();
            prop_assert_eq!(found, plain);
        }
    }
}
