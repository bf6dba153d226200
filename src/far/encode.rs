//! Borders of tiles as bytes: little-endian, with a checksum.

use super::border::{BorderRules, TileBorder};
use super::gates::Gate;
use crate::cost::HeightCost;
use crate::grid::{Cell, CellLayer};

/// Why borders of tiles cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FarError {
    /// The bytes are not those of borders, or they are damaged.
    #[error("border costs, byte {at}: {problem}; compute them again")]
    Damaged {
        /// Where.
        at: usize,
        /// What is wrong.
        problem: &'static str,
    },
    /// An end of a path is over no tile, or over another than it is said to be.
    #[error("there is no ground that the agent can stand on near {0}")]
    NoGround(String),
    /// No path leads to the goal.
    #[error("no path leads there")]
    Unreachable,
}

/// First bytes of the borders of a tile.
const MAGIC: &[u8; 8] = b"SFBORD02";
/// Bytes of a gate.
const GATE_BYTES: usize = 12 + 12 + 4 + 4 + 1;

/// The borders of a tile for all agents, with the rules that they were found by.
#[derive(Clone, Debug, PartialEq)]
pub struct TileBorders {
    /// The rules.
    pub rules: BorderRules,
    /// In the order of agents.
    pub agents: Vec<TileBorder>,
}

impl TileBorders {
    /// Writes them as bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let BorderRules { spacing, model: HeightCost { ascend, descend } } = self.rules;
        let mut bytes = MAGIC.to_vec();
        bytes.extend(spacing.to_le_bytes());
        bytes.extend(ascend.to_le_bytes());
        bytes.extend(descend.to_le_bytes());
        bytes.extend((self.agents.len() as u32).to_le_bytes());
        for TileBorder { min, gates, costs } in &self.agents {
            bytes.extend(min.x.to_le_bytes());
            bytes.extend(min.z.to_le_bytes());
            bytes.extend((gates.len() as u32).to_le_bytes());
            for gate in gates {
                for CellLayer { cell, layer } in [gate.at, gate.to] {
                    bytes.extend(cell.x.to_le_bytes());
                    bytes.extend(cell.z.to_le_bytes());
                    bytes.extend(layer.to_le_bytes());
                }
                bytes.extend(gate.height.to_le_bytes());
                bytes.extend(gate.crossing.to_le_bytes());
                bytes.push(u8::from(gate.is_link));
            }
            costs.iter().for_each(|cost| bytes.extend(cost.to_le_bytes()));
        }
        let mut crc = flate2::Crc::new();
        crc.update(&bytes);
        bytes.extend(crc.sum().to_le_bytes());
        bytes
    }

    /// Reads them from bytes. Takes no more memory than those.
    ///
    /// # Errors
    /// The bytes are damaged, or something else.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, FarError> {
        let damaged = |problem| FarError::Damaged { at: 0, problem };
        let body = bytes.len().checked_sub(4).ok_or(damaged("there are too few"))?;
        let (body, sum) = bytes.split_at(body);
        let mut crc = flate2::Crc::new();
        crc.update(body);
        if !body.starts_with(MAGIC) {
            return Err(damaged("these are no border costs"));
        }
        if crc.sum().to_le_bytes() != sum {
            return Err(damaged("the checksum does not fit"));
        }
        let mut reader = Reader { bytes: body, at: MAGIC.len() };
        let spacing = reader.number()?;
        let model = HeightCost { ascend: reader.float()?, descend: reader.float()? };
        let agents = reader.number()?;
        let agents = (0..agents).map(|_| reader.border()).collect::<Result<_, _>>()?;
        match reader.at == body.len() {
            true => Ok(TileBorders { rules: BorderRules { spacing, model }, agents }),
            false => Err(FarError::Damaged { at: reader.at, problem: "more follows" }),
        }
    }
}

/// Reads numbers one after the other.
struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Reader<'_> {
    fn take<const N: usize>(&mut self) -> Result<[u8; N], FarError> {
        let fail = FarError::Damaged { at: self.at, problem: "they end too early" };
        let found = self.bytes.get(self.at..).and_then(|rest| rest.first_chunk::<N>());
        self.at += N;
        found.copied().ok_or(fail)
    }

    fn number(&mut self) -> Result<u32, FarError> {
        self.take().map(u32::from_le_bytes)
    }

    fn float(&mut self) -> Result<f32, FarError> {
        self.take().map(f32::from_le_bytes)
    }

    fn cell(&mut self) -> Result<Cell, FarError> {
        let [x, z] = [self.number()? as i32, self.number()? as i32];
        Ok(Cell::new(x, z))
    }

    /// Reads a number of things that take so many bytes each, which must be there.
    fn count(&mut self, of: impl Fn(usize) -> Option<usize>) -> Result<usize, FarError> {
        let at = self.at;
        let count = self.number()? as usize;
        let left = self.bytes.len().saturating_sub(self.at);
        match of(count) {
            Some(bytes) if bytes <= left => Ok(count),
            _ => Err(FarError::Damaged { at, problem: "there are not that many" }),
        }
    }

    fn border(&mut self) -> Result<TileBorder, FarError> {
        let min = self.cell()?;
        let gates = self.count(|gates| {
            let costs = gates.checked_mul(gates)?.checked_mul(4)?;
            gates.checked_mul(GATE_BYTES)?.checked_add(costs)
        })?;
        let list = (0..gates).map(|_| self.gate()).collect::<Result<Vec<_>, _>>()?;
        let costs = (0..gates * gates).map(|_| self.cost()).collect::<Result<_, _>>()?;
        Ok(TileBorder { min, gates: list, costs })
    }

    fn gate(&mut self) -> Result<Gate, FarError> {
        let (at, to) = (self.address()?, self.address()?);
        let (height, crossing, start) = (self.float()?, self.cost()?, self.at);
        let is_link = match self.take::<1>()? {
            [0] => false,
            [1] => true,
            _ => return Err(FarError::Damaged { at: start, problem: "this is no kind of gate" }),
        };
        Ok(Gate { at, to, height, crossing, is_link })
    }

    fn address(&mut self) -> Result<CellLayer, FarError> {
        Ok(CellLayer { cell: self.cell()?, layer: self.number()? })
    }

    fn cost(&mut self) -> Result<f32, FarError> {
        let at = self.at;
        let cost = self.float()?;
        match cost >= 0.0 {
            true => Ok(cost),
            false => Err(FarError::Damaged { at, problem: "a cost is not at least 0" }),
        }
    }
}
