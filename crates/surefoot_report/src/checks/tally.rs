//! Provides [`Tally`]: what a check of an agent led to.

use super::report::{Finding, MOST_FINDINGS};

/// What a check of an agent led to.
#[derive(Default)]
pub(super) struct Tally {
    /// All findings, or only those that fail.
    pub findings: Vec<Finding>,
    pub looked_at: usize,
    pub failing: usize,
    /// What was found, where no finding says it.
    pub found: Option<String>,
    pub why: Option<String>,
    pub walkable_m2: Option<f64>,
}

impl Tally {
    /// Counts a finding, and keeps it as long as there is room.
    pub fn add(&mut self, finding: Finding) {
        self.looked_at += 1;
        self.failing += usize::from(!finding.holds);
        if self.findings.len() < MOST_FINDINGS {
            self.findings.push(finding);
        } else if !finding.holds
            && let Some(at) = self.findings.iter().position(|kept| kept.holds)
        {
            self.findings.remove(at);
            self.findings.push(finding);
        }
    }

    /// Counts pairs that nothing more is to be said of.
    pub fn count(&mut self, pairs: usize, failing: usize) {
        self.looked_at += pairs;
        self.failing += failing;
    }

    /// Leaves only what fails, if not everything was kept.
    pub fn findings(mut self) -> Vec<Finding> {
        if self.looked_at > self.findings.len() {
            self.findings.retain(|finding| !finding.holds);
        }
        self.findings
    }

    /// What was found, in words.
    pub fn found(&self) -> String {
        if let Some(found) = &self.found {
            return found.clone();
        }
        match (&self.findings[..], self.failing) {
            ([only], _) if self.looked_at == 1 => only.found.clone(),
            (_, 0) => format!("as promised for all {} {}", self.looked_at, self.cases()),
            (all, failing) => {
                let first = all.iter().find(|finding| !finding.holds);
                let first = first.map_or(String::new(), |one| {
                    format!("; the first is {}: {}", one.ends(), one.found)
                });
                format!("{failing} of {} {} fail{first}", self.looked_at, self.cases())
            }
        }
    }

    /// What was looked at.
    fn cases(&self) -> &'static str {
        if self.findings.iter().any(|finding| finding.at.is_some()) { "places" } else { "pairs" }
    }

    /// Why it does not hold, in words.
    pub fn why(&self) -> Option<String> {
        let failing = || self.findings.iter().find(|finding| !finding.holds);
        self.why.clone().or_else(|| failing().and_then(|finding| finding.why.clone()))
    }
}

impl Finding {
    /// What it is about.
    fn ends(&self) -> String {
        match (&self.at, &self.from, &self.to) {
            (Some(at), ..) => at.name.clone(),
            (_, Some(from), Some(to)) => format!("{} to {}", from.name, to.name),
            _ => String::new(),
        }
    }
}
