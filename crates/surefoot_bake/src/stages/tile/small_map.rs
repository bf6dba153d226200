//! Provides [`SmallMap`]: a map that nearly always has very few entries.

use std::collections::BTreeMap;

/// Entries by their keys. The first few lie in a row, where they are found faster than in a tree, and take
/// no memory from the system each time; a tree holds the rest, so that there may be any number.
pub(super) struct SmallMap<K, V> {
    /// In no order.
    few: Vec<(K, V)>,
    rest: BTreeMap<K, V>,
}

/// The most entries in a row.
const FEW: usize = 8;

impl<K, V> Default for SmallMap<K, V> {
    fn default() -> Self {
        SmallMap { few: Vec::new(), rest: BTreeMap::new() }
    }
}

impl<K: Copy + Ord, V: Copy> SmallMap<K, V> {
    /// Removes all entries.
    pub fn clear(&mut self) {
        self.few.clear();
        if !self.rest.is_empty() {
            self.rest.clear();
        }
    }

    /// Returns whether there is no entry.
    #[cfg(test)]
    pub fn is_empty(&self) -> bool {
        self.few.is_empty() && self.rest.is_empty()
    }

    /// Returns the value of a key. O(log entries).
    pub fn of(&self, key: K) -> Option<V> {
        match self.few.iter().find(|entry| entry.0 == key) {
            Some(entry) => Some(entry.1),
            None if self.rest.is_empty() => None,
            None => self.rest.get(&key).copied(),
        }
    }

    /// Sets the value of a key, or removes it. O(log entries).
    pub fn set(&mut self, key: K, value: Option<V>) {
        let at = self.few.iter().position(|entry| entry.0 == key);
        match (at, value) {
            (Some(at), Some(value)) => self.few[at].1 = value,
            (Some(at), None) => {
                self.few.swap_remove(at);
            }
            (None, Some(value)) if self.few.len() < FEW && !self.rest.contains_key(&key) => {
                self.few.push((key, value));
            }
            (None, Some(value)) => {
                self.rest.insert(key, value);
            }
            (None, None) if self.rest.is_empty() => {}
            (None, None) => {
                self.rest.remove(&key);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_holds_what_a_tree_holds() {
        let (mut small, mut tree) = (SmallMap::default(), BTreeMap::new());
        let (mut seed, mut most) = (7u64, 0);
        for step in 0..20_000 {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            // Now few keys, now many.
            let key = (seed >> 33) % [4, 40][step / 500 % 2];
            assert_eq!(small.of(key), tree.get(&key).copied());
            let value = (seed >> 60 > 6).then_some(step);
            small.set(key, value);
            match value {
                Some(value) => tree.insert(key, value),
                None => tree.remove(&key),
            };
            assert_eq!(small.is_empty(), tree.is_empty());
            most = most.max(tree.len());
            if step % 1000 == 999 {
                small.clear();
                tree.clear();
            }
        }
        assert!(most > 2 * FEW, "{most}");
    }
}
