//! Links, their lanes and motions.

use nalgebra::Point3;
use surefoot::SpanId;
use surefoot::agent::Agent;
use surefoot::grid::baker::make_ids_unique;
use surefoot::level::{Link, LinkId, LinkKind, LinkLane, LinkMotion};

use super::odd::{self, FLOATS};
use super::{Attack, call};

pub fn attack(attack: &mut Attack) {
    call!(attack, LinkId::of, "\u{1F6AA}");
    call!(attack, LinkId::next, LinkId(u64::MAX));
    call!(attack, Agent::leaves_ground, &Agent { drop: f32::NAN, ..Agent::new("") });
    FLOATS.iter().for_each(|&length| {
        call!(attack, LinkMotion::usual_apex, length);
    });
    for kind in LinkKind::ALL {
        call!(attack, LinkKind::name, kind);
        for [a, b] in odd::pairs() {
            link(attack, kind, [[a, b, a], [b, a, b]].map(Into::into));
        }
    }
    let twins = [LinkId(u64::MAX), LinkId(0), LinkId(u64::MAX), LinkId((1 << 53) - 1)];
    let mut twins = twins.map(|id| Link { id, ..Link::new("", LinkKind::Door, ends()) });
    call!(attack, make_ids_unique, &mut twins);
}

fn ends() -> [Point3<f32>; 2] {
    [Point3::origin(); 2]
}

fn link(attack: &mut Attack, kind: LinkKind, ends: [Point3<f32>; 2]) {
    let Some(link) = call!(attack, Link::new, "", kind, ends) else { return };
    call!(attack, Link::is_reversible, &link);
    call!(attack, Link::is_wide, &link);
    call!(attack, Link::middle, &link);
    call!(attack, Link::lanes_of, &link, usize::MAX);
    let Some(lane) = call!(attack, LinkLane::new, [SpanId(u32::MAX); 2]) else { return };
    for odd in FLOATS {
        let lane = LinkLane { run_up: odd, apex: odd, ..lane };
        let Some(motion) = call!(attack, LinkMotion::new, &link, &lane, ends, odd) else {
            continue;
        };
        call!(attack, LinkMotion::duration, &motion);
        call!(attack, LinkMotion::position, &motion, odd);
        call!(attack, LinkMotion::velocity, &motion, odd);
        call!(attack, LinkMotion::corners, &motion, odd);
        call!(attack, LinkMotion::launch, &motion);
        call!(attack, LinkMotion::reversed, motion);
    }
}
