//! Provides [`PathRequest`]: a path, as the page asks for it.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use surefoot::search::GoalMode;
use surefoot::view::LinkFilter;
use surefoot::{HeightCost, Navigator, Query};
use surefoot_report::{Explanations, PathReport};

use crate::film::Film;
use crate::message::Answer;

/// A path to find.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PathRequest {
    from: [f32; 3],
    to: [f32; 3],
    /// Extra cost of a metre of rise, and of fall; the defaults of `surefoot path` if left out.
    ascend: Option<f32>,
    descend: Option<f32>,
    /// The steepest ground to cross [degrees].
    slope_limit: Option<f32>,
    /// Whether to take links.
    #[serde(default = "yes")]
    links: bool,
    /// Whether to lead as near to the goal as can be.
    #[serde(default)]
    nearest: bool,
}

/// A path that was found, or why there is none.
#[derive(Serialize)]
struct PathAnswer<'a> {
    report: PathReport<'a>,
    /// Whether it leads to the goal.
    complete: bool,
}

fn yes() -> bool {
    true
}

impl PathRequest {
    /// Its cost model.
    ///
    /// # Errors
    /// In words, a cost that is none.
    pub fn model(&self) -> Result<HeightCost, String> {
        let cost = |own: Option<f32>, default: f32| {
            let cost = own.unwrap_or(default);
            let is_cost = cost.is_finite() && cost >= 0.0;
            is_cost.then_some(cost).ok_or(format!("{cost} is no cost; it must be 0 or more"))
        };
        let HeightCost { ascend, descend } = HeightCost::default();
        Ok(HeightCost { ascend: cost(self.ascend, ascend)?, descend: cost(self.descend, descend)? })
    }

    fn query(&self) -> Query {
        Query {
            links: if self.links { LinkFilter::ALL } else { LinkFilter::only(&[]) },
            slope_limit: self.slope_limit.map(f32::to_radians),
            goal: if self.nearest { GoalMode::NearestByRing } else { GoalMode::Fail },
            ..Query::new(self.from, self.to)
        }
    }

    /// Finds it.
    ///
    /// # Errors
    /// In words, what is wrong with the request.
    pub fn find(&self, navigator: &mut Navigator) -> Result<Answer, String> {
        let query = self.query();
        navigator.set_model(self.model()?);
        let answer = navigator.find(&query).clone();
        let grid = navigator.grid().clone();
        let mut report = PathReport::new(&grid, &answer, answer.engine, Duration::ZERO);
        report.explain(navigator, &query, &mut Explanations::default());
        let path = answer.path().ok();
        let track = path.map(|path| path.track()).unwrap_or_default();
        let points: Vec<f32> =
            track.iter().flat_map(|at| [at.point.x, at.point.y, at.point.z]).collect();
        let complete = report.is_complete();
        Ok(Answer::new(&PathAnswer { report, complete }).floats("track", &points))
    }

    /// Records how a search for it goes.
    ///
    /// # Errors
    /// In words, what is wrong with the request.
    pub fn film(&self, navigator: &mut Navigator) -> Result<Answer, String> {
        let query = self.query();
        navigator.set_model(self.model()?);
        let film = Film::of(navigator, &query);
        let value = serde_json::json!({ "expanded": film.expanded });
        Ok(Answer::new(&value).floats("centers", &film.centers))
    }
}
