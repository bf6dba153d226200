//! Provides [`SlotMap`]: the members of a crowd by their ids.

use crate::crowd::member::{Member, MemberId};

/// The members of a crowd. The slot of a member that was removed is used again, under another id.
#[derive(Clone, Debug, Default)]
pub(crate) struct SlotMap {
    slots: Vec<MemberSlot>,
    free: Vec<u32>,
}

/// Room for a member.
#[derive(Clone, Debug, Default)]
pub(crate) struct MemberSlot {
    generation: u32,
    pub member: Option<Member>,
}

impl SlotMap {
    /// Adds the member that `make` returns for a new id.
    pub(crate) fn add(&mut self, make: impl FnOnce(MemberId) -> Member) -> MemberId {
        let index = self.free.pop().unwrap_or_else(|| {
            self.slots.push(MemberSlot::default());
            self.slots.len() as u32 - 1
        });
        let slot = &mut self.slots[index as usize];
        let id = MemberId { index, generation: slot.generation };
        slot.member = Some(make(id));
        id
    }

    /// Removes a member; `None` if there is none of that id.
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

    /// Returns the members in the order of their slots.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &Member> + Clone {
        self.slots.iter().filter_map(|slot| slot.member.as_ref())
    }

    pub(crate) fn iter_mut(&mut self) -> impl Iterator<Item = &mut Member> {
        self.slots.iter_mut().filter_map(|slot| slot.member.as_mut())
    }

    /// Returns the member in a slot; `None` if the slot is free.
    pub(crate) fn at(&self, index: u32) -> Option<&Member> {
        self.slots.get(index as usize)?.member.as_ref()
    }

    pub(crate) fn at_mut(&mut self, index: u32) -> Option<&mut Member> {
        self.slots.get_mut(index as usize)?.member.as_mut()
    }

    /// Returns the number of slots, free or not.
    pub(crate) fn slot_count(&self) -> usize {
        self.slots.len()
    }

    /// Returns all slots, free or not.
    pub(crate) fn slots_mut(&mut self) -> &mut [MemberSlot] {
        &mut self.slots
    }

    /// Returns the number of members.
    pub(crate) fn len(&self) -> usize {
        self.slots.len() - self.free.len()
    }
}
