//! Evaluates promises that an agent can stand at places, or cannot.

use super::agent_checks::AgentChecks;
use super::error::CheckError;
use super::places::CheckPlace;
use super::plan::{NO_FLOOR, WalkableTask};
use super::report::Finding;
use super::tally::Tally;

impl AgentChecks<'_> {
    /// Judges every place.
    pub fn walkable(&mut self, task: &WalkableTask) -> Result<Tally, CheckError> {
        let mut tally = Tally::default();
        for place in &task.places {
            tally.add(self.judge_place(place, task)?);
        }
        Ok(tally)
    }

    fn judge_place(
        &mut self,
        place: &CheckPlace,
        task: &WalkableTask,
    ) -> Result<Finding, CheckError> {
        let promise = task.promise;
        let site = place.site_of_any_floor(self.grid, self.agent)?;
        let mut finding = Finding { at: Some(site.place.clone()), ..Finding::default() };
        let Some(point) = site.point else {
            finding.found = site.problem;
            finding.holds = !promise.expects_walkable()
                && promise.verdict.as_deref().is_none_or(|verdict| verdict == NO_FLOOR)
                && task.node.is_none();
            return Ok(finding);
        };
        let mut standing = self.standing(point);
        if !standing.walkable
            && place.within.is_some()
            && let Some(moved) = self.stand(point, place)
        {
            standing = self.standing(moved.point);
        }
        let verdict = standing.verdict;
        let is_expected = |verdict: &str| verdict == standing.verdict.unwrap_or(NO_FLOOR);
        let in_the_way = standing.obstacle.or(standing.cover);
        finding.holds = standing.walkable == promise.expects_walkable()
            && promise.verdict.as_deref().is_none_or(is_expected)
            && task
                .node
                .as_ref()
                .is_none_or(|node| in_the_way.is_some_and(|own| node.matches(own)));
        finding.found = match verdict {
            Some("walkable") => format!("{} can stand there", self.name()),
            Some(verdict) => format!("{} cannot stand there: {verdict}", self.name()),
            None => "there is no floor".to_owned(),
        };
        finding.why = Some(standing.reason.trim_end_matches('.').to_owned());
        (finding.verdict, finding.nearest) = (verdict, standing.nearest_point());
        Ok(finding)
    }
}
