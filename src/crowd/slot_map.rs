//! Provides [`SlotMap`]: the members of a crowd by their ids.

use crate::crowd::member::{Member, MemberId};

/// The members of a crowd. Places of those who left are given to others, under another id.
#[derive(Clone, Debug, Default)]
pub(crate) struct SlotMap {
    slots: Vec<Slot>,
    free: Vec<u32>,
}

/// Room for a member.
#[derive(Clone, Debug, Default)]
pub(crate) struct Slot {
    generation: u32,
    pub member: Option<Member>,
}

impl SlotMap {
    /// Adds whoever is made with an id.
    pub(crate) fn add(&mut self, make: impl FnOnce(MemberId) -> Member) -> MemberId {
        let index = self.free.pop().unwrap_or_else(|| {
            self.slots.push(Slot::default());
            self.slots.len() as u32 - 1
        });
        let slot = &mut self.slots[index as usize];
        let id = MemberId { index, generation: slot.generation };
        slot.member = Some(make(id));
        id
    }

    /// Takes a member out; `None` where there is none of that id.
    pub(crate) fn remove(&mut self, id: MemberId) -> Option<Member> {
        let slot = self.slots.get_mut(id.index as usize)?;
        let member = slot.member.take_if(|_| slot.generation == id.generation)?;
        slot.generation += 1;
        self.free.push(id.index);
        Some(member)
    }

    pub(crate) fn member(&self, id: MemberId) -> Option<&Member> {
        let slot = self.slots.get(id.index as usize)?;
        slot.member.as_ref().filter(|_| slot.generation == id.generation)
    }

    pub(crate) fn member_mut(&mut self, id: MemberId) -> Option<&mut Member> {
        let slot = self.slots.get_mut(id.index as usize)?;
        slot.member.as_mut().filter(|_| slot.generation == id.generation)
    }

    /// In the order of their places.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &Member> + Clone {
        self.slots.iter().filter_map(|slot| slot.member.as_ref())
    }

    pub(crate) fn iter_mut(&mut self) -> impl Iterator<Item = &mut Member> {
        self.slots.iter_mut().filter_map(|slot| slot.member.as_mut())
    }

    /// The member at a place that is taken.
    pub(crate) fn at(&self, index: u32) -> Option<&Member> {
        self.slots.get(index as usize)?.member.as_ref()
    }

    pub(crate) fn at_mut(&mut self, index: u32) -> Option<&mut Member> {
        self.slots.get_mut(index as usize)?.member.as_mut()
    }

    /// How many places there are, taken or not.
    pub(crate) fn slots(&self) -> usize {
        self.slots.len()
    }

    /// All places, taken or not.
    pub(crate) fn slots_mut(&mut self) -> &mut [Slot] {
        &mut self.slots
    }

    pub(crate) fn len(&self) -> usize {
        self.slots.len() - self.free.len()
    }
}
