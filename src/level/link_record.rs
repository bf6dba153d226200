//! How links are stored. Up to version 3 of the file they were a point wide, had one lane for each
//! agent and no id.

use nalgebra::Point3;
use serde::{Deserialize, Serialize};

use super::SpanId;
use super::link::{Link, LinkId, LinkKind, LinkLane, LinkStop};

/// A link as today and as before.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct LinkRecord {
    id: Option<LinkId>,
    name: String,
    kind: LinkKind,
    #[serde(default)]
    generated: bool,
    two_way: bool,
    cost: f32,
    from: EndRecord,
    to: EndRecord,
    #[serde(default)]
    capacity: u32,
    #[serde(default)]
    user_data: String,
    stop: Option<LinkStop>,
    #[serde(default)]
    lanes: Vec<Vec<LinkLane>>,
    /// Before version 4, in place of lanes.
    #[serde(default)]
    ends: Vec<Option<[SpanId; 2]>>,
}

/// An end of a link: a point before version 4.
#[derive(Deserialize)]
#[serde(untagged)]
enum EndRecord {
    Segment([Point3<f32>; 2]),
    Point(Point3<f32>),
}

/// A lane: its spans; and, if it is not straight, its run-up and apex.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
pub(super) enum LaneRecord {
    Straight([SpanId; 2]),
    Curved(SpanId, SpanId, f32, f32),
}

impl From<LinkRecord> for Link {
    fn from(record: LinkRecord) -> Self {
        let old_lanes = record.ends.into_iter().map(|ends| ends.map(LinkLane::new));
        let old_lanes = old_lanes.map(|lane| lane.into_iter().collect());
        Link {
            id: record.id.unwrap_or_else(|| LinkId::of(&record.name)),
            name: record.name,
            kind: record.kind,
            generated: record.generated,
            two_way: record.two_way,
            cost: record.cost,
            from: record.from.segment(),
            to: record.to.segment(),
            capacity: record.capacity,
            user_data: record.user_data,
            stop: record.stop,
            lanes: record.lanes.into_iter().chain(old_lanes).collect(),
        }
    }
}

impl EndRecord {
    fn segment(self) -> [Point3<f32>; 2] {
        match self {
            EndRecord::Segment(segment) => segment,
            EndRecord::Point(point) => [point; 2],
        }
    }
}

impl From<LaneRecord> for LinkLane {
    fn from(record: LaneRecord) -> Self {
        match record {
            LaneRecord::Straight(spans) => LinkLane::new(spans),
            LaneRecord::Curved(from, to, run_up, apex) => {
                LinkLane { spans: [from, to], run_up, apex }
            }
        }
    }
}

impl From<LinkLane> for LaneRecord {
    fn from(lane: LinkLane) -> Self {
        let LinkLane { spans: [from, to], run_up, apex } = lane;
        if run_up == 0.0 && apex == 0.0 {
            LaneRecord::Straight([from, to])
        } else {
            LaneRecord::Curved(from, to, run_up, apex)
        }
    }
}
