//! Provides [`LinkFilter`]: which kinds of links a query may take.

use serde::{Deserialize, Serialize};

use crate::level::{Link, LinkKind};

/// Which kinds of links a query, a follower or a member of a crowd may take. By default all.
///
/// ```
/// use surefoot::grid::LinkKind;
/// use surefoot::view::LinkFilter;
/// let no_climber = LinkFilter::default().forbid(LinkKind::Climb).forbid(LinkKind::Ladder);
/// assert!(!no_climber.allows(LinkKind::Ladder) && no_climber.allows(LinkKind::Door));
/// assert_eq!(LinkFilter::only(&[]).forbid(LinkKind::Jump), LinkFilter::only(&[]));
/// ```
///
/// In files it is the list of the kinds that are allowed: `["jump", "door"]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(from = "Vec<LinkKind>", into = "Vec<LinkKind>")]
pub struct LinkFilter {
    /// A bit for each kind that is forbidden.
    forbidden: u32,
}

impl LinkFilter {
    /// All kinds.
    pub const ALL: LinkFilter = LinkFilter { forbidden: 0 };

    /// Only these kinds.
    pub fn only(kinds: &[LinkKind]) -> Self {
        let others = LinkKind::ALL.into_iter().filter(|kind| !kinds.contains(kind));
        others.fold(LinkFilter::ALL, LinkFilter::forbid)
    }

    /// Forbids a kind.
    #[must_use]
    pub fn forbid(self, kind: LinkKind) -> Self {
        LinkFilter { forbidden: self.forbidden | bit(kind) }
    }

    /// Whether a kind is allowed.
    pub fn allows(self, kind: LinkKind) -> bool {
        self.forbidden & bit(kind) == 0
    }

    /// Whether all kinds are allowed.
    pub fn is_all(self) -> bool {
        self == LinkFilter::ALL
    }

    /// The filter as far as it matters: all kinds, if it forbids none of some links. O(links), and O(1)
    /// if it forbids nothing.
    pub(crate) fn among(self, links: &[Link]) -> Self {
        let is_all = self.is_all() || links.iter().all(|link| self.allows(link.kind));
        if is_all { LinkFilter::ALL } else { self }
    }
}

fn bit(kind: LinkKind) -> u32 {
    1 << kind as u32
}

impl Default for LinkFilter {
    fn default() -> Self {
        LinkFilter::ALL
    }
}

impl From<Vec<LinkKind>> for LinkFilter {
    fn from(kinds: Vec<LinkKind>) -> Self {
        LinkFilter::only(&kinds)
    }
}

impl From<LinkFilter> for Vec<LinkKind> {
    fn from(filter: LinkFilter) -> Self {
        LinkKind::ALL.into_iter().filter(|&kind| filter.allows(kind)).collect()
    }
}
