//! Cost models for the tests, and what their documents say a step costs.

use crate::cost::model::{CellCost, CostLowerBound, CostModel, Edge, HeightCost};
use crate::grid::{AreaId, Dir, Link, NavGrid, Span};
use crate::view::View;

use crate::tests::search::random::Random;

/// One of the models that come with the solver, or one of these tests' own.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Model {
    Height(HeightCost),
    Cell(CellCost),
    Windy(Windy),
}

/// Against the wind along x it costs more. Nobody goes on sand, or onto floors between two
/// heights, and links of certain costs are closed. It tells less than it knows of its least costs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Windy {
    wind: f32,
    forbidden: [f32; 2],
    costliest_link: f32,
}

const SAND: AreaId = AreaId(3);

impl CostModel for Windy {
    fn cost(&self, piece: &Edge) -> f32 {
        let [low, high] = self.forbidden;
        if piece.to.area() == SAND {
            return f32::INFINITY;
        }
        if (low..high).contains(&piece.to.floor) {
            return f32::NAN;
        }
        piece.factor * piece.run() + self.wind * piece.along[0].max(0.0) + piece.rise.abs()
    }

    fn lower_bound(&self, view: &View) -> CostLowerBound {
        let metre = 0.7 * view.least_factor() * view.cell_size();
        CostLowerBound { straight: metre, diagonal: 1.2 * metre, ascend: 0.5, descend: 0.0 }
    }

    fn link_cost(&self, link: &Link) -> f32 {
        if link.cost > self.costliest_link { f32::INFINITY } else { 2.0 * link.cost }
    }
}

impl Model {
    pub fn random(cell_size: f32, random: &mut Random) -> Self {
        let mut weight = || {
            let most = random.pick(&[0.0, 1.0, 5.0, 1000.0]);
            random.between(0.0, most)
        };
        let (one, other) = (weight(), weight());
        match random.below(3) {
            0 => Model::Height(HeightCost { ascend: one, descend: other }),
            1 => {
                let pairs = [(10.0, 14.0), (10.0, 25.0), (10.0, 7.0), (1.0, 1.5), (3.0, 0.0)];
                let (straight, diagonal) = random.pick(&pairs);
                Model::Cell(CellCost { cell_size, straight, diagonal, height: one })
            }
            _ => Model::Windy(Windy {
                wind: random.between(0.0, 2.0),
                forbidden: [0.5, random.pick(&[0.5, 0.7, 1.5])],
                costliest_link: random.pick(&[10.0, 1e6]),
            }),
        }
    }

    /// What a step costs by the documents [metres-equivalent].
    pub fn documented(&self, grid: &NavGrid, [from, to]: [&Span; 2], dir: Dir) -> f64 {
        let factor = |span: &Span| f64::from(grid.areas()[usize::from(span.area().0)].cost);
        let factor = (factor(from) + factor(to)) / 2.0;
        let rise = f64::from(to.floor) - f64::from(from.floor);
        let side = f64::from(grid.frame().cell_size);
        let run = side * if dir.is_diagonal() { 2f64.sqrt() } else { 1.0 };
        match self {
            Model::Height(HeightCost { ascend, descend }) => {
                let (up, down) = (rise.max(0.0), (-rise).max(0.0));
                factor * run.hypot(rise) + f64::from(*ascend) * up + f64::from(*descend) * down
            }
            Model::Cell(CellCost { straight, diagonal, height, .. }) => {
                let (straight, diagonal) = (f64::from(*straight), f64::from(*diagonal));
                let cell = if dir.is_diagonal() { diagonal.min(2.0 * straight) } else { straight };
                factor * cell + f64::from(*height) * rise.abs()
            }
            Model::Windy(Windy { wind, forbidden: [low, high], .. }) => {
                if to.area() == SAND || (*low..*high).contains(&to.floor) {
                    return f64::INFINITY;
                }
                let against = f64::from(*wind) * side * f64::from(dir.offset().x.max(0));
                factor * run + against + rise.abs()
            }
        }
    }

    /// What a link costs by the documents [metres-equivalent].
    pub fn documented_link(&self, link: &Link) -> f64 {
        match self {
            Model::Windy(windy) if link.cost > windy.costliest_link => f64::INFINITY,
            Model::Windy(_) => 2.0 * f64::from(link.cost),
            _ => f64::from(link.cost),
        }
    }
}

impl CostModel for Model {
    fn cost(&self, piece: &Edge) -> f32 {
        match self {
            Model::Height(model) => model.cost(piece),
            Model::Cell(model) => model.cost(piece),
            Model::Windy(model) => model.cost(piece),
        }
    }

    fn lower_bound(&self, view: &View) -> CostLowerBound {
        match self {
            Model::Height(model) => model.lower_bound(view),
            Model::Cell(model) => model.lower_bound(view),
            Model::Windy(model) => model.lower_bound(view),
        }
    }

    fn is_uniform(&self) -> bool {
        match self {
            Model::Height(model) => model.is_uniform(),
            Model::Cell(model) => model.is_uniform(),
            Model::Windy(model) => model.is_uniform(),
        }
    }

    fn level_cost(&self, piece: &Edge) -> Option<f32> {
        match self {
            Model::Height(model) => model.level_cost(piece),
            Model::Cell(model) => model.level_cost(piece),
            Model::Windy(model) => model.level_cost(piece),
        }
    }

    fn link_cost(&self, link: &Link) -> f32 {
        match self {
            Model::Height(model) => model.link_cost(link),
            Model::Cell(model) => model.link_cost(link),
            Model::Windy(model) => model.link_cost(link),
        }
    }

    fn units(&self, view: &View) -> f32 {
        match self {
            Model::Height(model) => model.units(view),
            Model::Cell(model) => model.units(view),
            Model::Windy(model) => model.units(view),
        }
    }
}

/// Says that everything costs so many times more than it does, and more still for heights.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Liar(pub f32);

impl CostModel for Liar {
    fn cost(&self, piece: &Edge) -> f32 {
        HeightCost::default().cost(piece)
    }

    fn lower_bound(&self, view: &View) -> CostLowerBound {
        let CostLowerBound { straight, diagonal, ascend, descend } =
            HeightCost { ascend: 1.0, descend: 1.0 }.lower_bound(view);
        CostLowerBound {
            straight: straight * self.0,
            diagonal: diagonal * self.0,
            ascend: ascend * self.0,
            descend: descend * self.0,
        }
    }
}
