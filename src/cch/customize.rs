//! Provides [`Customizer`]: customization, the costs of all supernodes by one cost model, and
//! partial customization, those that a change makes a difference to.
//!
//! A supernode's frontal matrix is made of the contributions of its children and the steps and
//! links of its separator. Eliminating the separator leaves the costs through its cell: its own
//! contribution to its parent. A change of ground changes the contributions of the supernodes
//! around it, up to the first that comes out as it was.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use crate::cost::CostModel;
use crate::parallel::for_each_job;

use crate::cch::arc_costs::ArcCosts;
use crate::cch::cost_units::ReducedCost;
use crate::cch::elimination_tree::{EliminationTree, NONE};
use crate::cch::frontal_matrix::FrontalMatrix;
use crate::cch::metric::{SupernodeCosts, UpwardArcs};

/// Computes costs over a tree.
pub(crate) struct Customizer<'a, M: ?Sized> {
    pub tree: &'a EliminationTree,
    pub arc_costs: ArcCosts<'a, M>,
}

/// A supernode whose separator was eliminated.
struct Eliminated {
    costs: SupernodeCosts,
    /// Its contribution, if `costs` does not store it.
    contribution: Vec<ReducedCost>,
}

/// A supernode and its descendants, after elimination.
struct EliminatedSubtree {
    descendants: Vec<SupernodeCosts>,
    root: Eliminated,
}

/// A child of a supernode, and its contribution.
struct Child<'c> {
    supernode: usize,
    contribution: Cow<'c, [ReducedCost]>,
}

/// Supernodes on their way from old costs to new ones.
struct PartialUpdate<'a> {
    supernodes: &'a mut [SupernodeCosts],
    matrix: FrontalMatrix,
    /// New contributions that are not stored.
    changed: BTreeMap<usize, Vec<ReducedCost>>,
}

impl<M: CostModel + Sync + ?Sized> Customizer<'_, M> {
    /// The costs of every supernode.
    pub(crate) fn customize(&self) -> Vec<SupernodeCosts> {
        let roots: Vec<usize> = self.tree.roots().collect();
        let is_parallel = self.tree.order.len() >= self.tree.parameters.parallel_spans;
        let subtrees = for_each_job(roots, is_parallel, |root| {
            self.eliminate_subtree(&mut FrontalMatrix::default(), root)
        });
        subtrees.into_iter().flat_map(EliminatedSubtree::into_costs).collect()
    }

    fn eliminate_subtree(&self, matrix: &mut FrontalMatrix, root: usize) -> EliminatedSubtree {
        if self.tree.is_in_block(root) {
            let first = self.tree.supernodes[root].first as usize;
            let descendants = vec![SupernodeCosts::default(); root - first];
            return EliminatedSubtree { descendants, root: self.eliminate_block(matrix, root) };
        }
        let children = self.tree.children(root);
        let spans = self.tree.supernodes[root].spans() as usize;
        let subtrees: Vec<EliminatedSubtree> = if spans < self.tree.parameters.parallel_spans {
            children.iter().map(|&child| self.eliminate_subtree(matrix, child)).collect()
        } else {
            for_each_job(children.clone(), true, |child| {
                self.eliminate_subtree(&mut FrontalMatrix::default(), child)
            })
        };
        let children = children.into_iter().zip(&subtrees).map(|(supernode, subtree)| Child {
            supernode,
            contribution: subtree.root.contribution().into(),
        });
        let eliminated = self.eliminate(matrix, root, children);
        let descendants = subtrees.into_iter().flat_map(EliminatedSubtree::into_costs).collect();
        EliminatedSubtree { descendants, root: eliminated }
    }

    /// Eliminates a block. Of what is within it only the largest cost is kept.
    fn eliminate_block(&self, matrix: &mut FrontalMatrix, block: usize) -> Eliminated {
        matrix.largest_arc = ReducedCost::ZERO;
        let mut eliminated = self.eliminate_within_block(matrix, block);
        // A search of the block finds no path with more steps than the block has spans.
        let spans = self.tree.supernodes[block].spans();
        let bound = ReducedCost(matrix.largest_arc.0.saturating_mul(spans));
        eliminated.costs.largest = eliminated.costs.largest.max(bound);
        eliminated
    }

    fn eliminate_within_block(&self, matrix: &mut FrontalMatrix, supernode: usize) -> Eliminated {
        let children = self.tree.children(supernode).into_iter();
        let children: Vec<Child> = children
            .map(|child| Child {
                supernode: child,
                contribution: self.eliminate_within_block(matrix, child).into_contribution().into(),
            })
            .collect();
        self.eliminate(matrix, supernode, children)
    }

    /// Eliminates a supernode's separator.
    fn eliminate<'c>(
        &self,
        matrix: &mut FrontalMatrix,
        supernode: usize,
        children: impl IntoIterator<Item = Child<'c>>,
    ) -> Eliminated {
        let arc_costs = self.arc_costs.at(self.tree, supernode);
        matrix.assemble(self.tree, supernode, &arc_costs);
        for child in children {
            self.extend_add(matrix, &child, arc_costs.is_symmetric);
        }
        let separator = self.tree.separator_size(supernode);
        let mut arcs = Vec::new();
        let mut largest = ReducedCost::ZERO;
        if self.tree.is_in_block(supernode) {
            matrix.eliminate(separator, |_, _| ());
        } else {
            let is_symmetric = arc_costs.is_symmetric;
            let front_size = self.tree.front_size(supernode);
            arcs.reserve_exact(UpwardArcs::count(separator, front_size, is_symmetric));
            matrix.eliminate(separator, |from, to| {
                let directions = [from, to];
                for costs in &directions[usize::from(is_symmetric)..] {
                    arcs.extend_from_slice(costs);
                    largest = largest.max(largest_finite(costs));
                }
            });
        }
        let contribution = matrix.contribution(separator);
        let largest = largest.max(largest_finite(&contribution));
        let (stored, contribution) = match self.tree.stores_contribution(supernode) {
            true => (contribution, Vec::new()),
            false => (Vec::new(), contribution),
        };
        let costs = SupernodeCosts { arcs: arcs.into(), contribution: stored.into(), largest };
        Eliminated { costs, contribution }
    }

    /// Adds the contribution of a child to the matrix of its parent, symmetric or directed.
    fn extend_add(&self, matrix: &mut FrontalMatrix, child: &Child, is_symmetric: bool) {
        let Child { supernode, contribution } = child;
        let indices = self.tree.relative_indices(*supernode);
        let below = self.arc_costs.at(self.tree, *supernode);
        if below.is_symmetric == is_symmetric {
            matrix.extend_add(contribution, indices);
            return;
        }
        let boundary = self.tree.boundary(*supernode).iter();
        let potential = |&rank: &u32| below.potential(self.tree.order[rank as usize]);
        let potentials: Vec<i64> = boundary.map(potential).collect();
        matrix.extend_add_restored(contribution, indices, &potentials);
    }

    /// Partial customization: computes the costs of some supernodes again, and of all ancestors
    /// that this makes a difference to. Returns their number.
    pub(crate) fn update(
        &self,
        supernodes: &mut [SupernodeCosts],
        mut affected: BTreeSet<usize>,
    ) -> usize {
        let (matrix, changed) = (FrontalMatrix::default(), BTreeMap::new());
        let mut update = PartialUpdate { supernodes, matrix, changed };
        let mut count = 0;
        // Children come before their parents, so the first one's children are all up to date.
        while let Some(supernode) = affected.pop_first() {
            if let Some(block) = self.tree.block(supernode).filter(|&block| block != supernode) {
                affected.insert(block);
                continue;
            }
            let eliminated = self.eliminate_again(&mut update, supernode);
            count += 1;
            let parent = self.tree.supernodes[supernode].parent;
            let is_stored = self.tree.stores_contribution(supernode);
            let old = &update.supernodes[supernode].contribution;
            let is_changed = !is_stored || eliminated.costs.contribution != *old;
            update.supernodes[supernode] = eliminated.costs;
            if parent != NONE && is_changed {
                affected.insert(parent as usize);
                if !is_stored {
                    update.changed.insert(supernode, eliminated.contribution);
                }
            }
        }
        count
    }

    /// Eliminates a supernode by the contributions of its children as they are now.
    fn eliminate_again(&self, update: &mut PartialUpdate, supernode: usize) -> Eliminated {
        if self.tree.is_in_block(supernode) {
            return self.eliminate_block(&mut update.matrix, supernode);
        }
        let PartialUpdate { supernodes, matrix, changed } = update;
        let children = self.tree.children(supernode).into_iter();
        let children: Vec<Child> = children
            .map(|child| Child {
                supernode: child,
                contribution: match changed.remove(&child) {
                    Some(contribution) => contribution.into(),
                    None => self.contribution(matrix, supernodes, child),
                },
            })
            .collect();
        self.eliminate(matrix, supernode, children)
    }

    /// The contribution of a supernode that did not change: the stored one, or computed from those
    /// of its descendants.
    fn contribution<'c>(
        &self,
        matrix: &mut FrontalMatrix,
        supernodes: &'c [SupernodeCosts],
        supernode: usize,
    ) -> Cow<'c, [ReducedCost]> {
        if self.tree.stores_contribution(supernode) {
            return Cow::from(&*supernodes[supernode].contribution);
        }
        if self.tree.is_in_block(supernode) {
            return self.eliminate_block(matrix, supernode).contribution.into();
        }
        let children = self.tree.children(supernode).into_iter();
        let children: Vec<Child> = children
            .map(|child| Child {
                supernode: child,
                contribution: self.contribution(matrix, supernodes, child),
            })
            .collect();
        self.eliminate(matrix, supernode, children).contribution.into()
    }
}

impl Eliminated {
    fn contribution(&self) -> &[ReducedCost] {
        if self.contribution.is_empty() { &self.costs.contribution } else { &self.contribution }
    }

    fn into_contribution(self) -> Vec<ReducedCost> {
        if self.contribution.is_empty() {
            self.costs.contribution.into()
        } else {
            self.contribution
        }
    }
}

impl EliminatedSubtree {
    /// The costs of all its supernodes, children before their parents.
    fn into_costs(mut self) -> Vec<SupernodeCosts> {
        self.descendants.push(self.root.costs);
        self.descendants
    }
}

/// The largest finite cost; 0 if there is none.
fn largest_finite(costs: &[ReducedCost]) -> ReducedCost {
    costs.iter().map(|cost| cost.finite_or_zero()).fold(ReducedCost::ZERO, ReducedCost::max)
}
