//! The numbers of a file of checks: what they may be, and which of them say nothing together.

use super::error::{CheckError, SpecPath};
use super::spec::{AreaPromise, PathPromise};

/// A limit of a promise, under its key.
struct Limit {
    key: &'static str,
    value: Option<f64>,
}

impl Limit {
    fn new(key: &'static str, value: Option<f64>) -> Self {
        Limit { key, value }
    }

    fn check(&self, at: &SpecPath) -> Result<(), CheckError> {
        self.value.map_or(Ok(()), |value| at_least_0(value, &at.key(self.key)))
    }
}

/// Checks a number that must not be negative.
pub(super) fn at_least_0(value: f64, at: &SpecPath) -> Result<(), CheckError> {
    if (0.0..=f64::from(f32::MAX)).contains(&value) {
        return Ok(());
    }
    Err(at.error(format!("this is {value}; it must be a number of at least 0")))
}

/// Checks the costs of a file, or of a check.
pub(super) fn check_costs(
    ascend: Option<f64>,
    descend: Option<f64>,
    at: &SpecPath,
) -> Result<(), CheckError> {
    Limit::new("ascend_cost", ascend).check(at)?;
    Limit::new("descend_cost", descend).check(at)
}

impl PathPromise {
    /// Checks its numbers. Lengths of clearance end where grids stop to measure it [m].
    pub(super) fn check(&self, at: &SpecPath, most_clearance: f32) -> Result<(), CheckError> {
        check_costs(self.ascend_cost, self.descend_cost, at)?;
        let limits = [
            Limit::new("min_length", self.min_length),
            Limit::new("max_length", self.max_length),
            Limit::new("max_cost", self.max_cost),
            Limit::new("max_climb", self.max_climb),
            Limit::new("max_descent", self.max_descent),
            Limit::new("min_clearance", self.min_clearance),
        ];
        for limit in &limits {
            limit.check(at)?;
            if limit.value.is_some() && !self.exists {
                return Err(at.key(limit.key).error(
                    "there is to be no path, so nothing of it is limited; leave out this or \
                     `exists = false`",
                ));
            }
        }
        check_order(&limits[0], &limits[1], at)?;
        if self.min_clearance.is_some_and(|least| least > f64::from(most_clearance)) {
            return Err(at.key("min_clearance").error(format!(
                "clearance is measured up to {most_clearance} m on this grid; give at most that"
            )));
        }
        Ok(())
    }
}

impl AreaPromise {
    /// Checks its numbers.
    pub(super) fn check(&self, at: &SpecPath) -> Result<(), CheckError> {
        let [least, most] = [Limit::new("min_m2", self.min_m2), Limit::new("max_m2", self.max_m2)];
        if least.value.is_none() && most.value.is_none() {
            return Err(at.error("this promises nothing; add min_m2 or max_m2"));
        }
        least.check(at)?;
        most.check(at)?;
        check_order(&least, &most, at)
    }
}

fn check_order(least: &Limit, most: &Limit, at: &SpecPath) -> Result<(), CheckError> {
    match (least.value, most.value) {
        (Some(low), Some(high)) if low > high => Err(at.key(least.key).error(format!(
            "{} is {low}, more than {}, which is {high}: no level can be so",
            least.key, most.key
        ))),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(json: &str) -> Result<(), String> {
        let promise: PathPromise = serde_json::from_str(json).unwrap();
        promise.check(&SpecPath::of("path").index(0), 8.0).map_err(|error| error.to_string())
    }

    #[test]
    fn paths_have_sound_limits() {
        assert_eq!(path(r#"{"from": "a", "to": "b", "max_length": 3, "min_length": 3}"#), Ok(()));
        let check = |limits: &str, words: &str| {
            let error = path(&format!(r#"{{"from": "a", "to": "b", {limits}}}"#)).unwrap_err();
            assert_eq!(error, words);
        };
        let least = "it must be a number of at least 0";
        check("\"max_cost\": -1", &format!("path[0].max_cost: this is -1; {least}"));
        check("\"ascend_cost\": -0.5", &format!("path[0].ascend_cost: this is -0.5; {least}"));
        let huge = format!("path[0].max_climb: this is 1{}; {least}", "0".repeat(300));
        check("\"max_climb\": 1e300", &huge);
        check(
            "\"exists\": false, \"max_climb\": 1",
            "path[0].max_climb: there is to be no path, so nothing of it is limited; leave out this \
             or `exists = false`",
        );
        check(
            "\"max_length\": 1, \"min_length\": 2",
            "path[0].min_length: min_length is 2, more than max_length, which is 1: no level can be so",
        );
        check(
            "\"min_clearance\": 9",
            "path[0].min_clearance: clearance is measured up to 8 m on this grid; give at most that",
        );
        assert!(at_least_0(f64::NAN, &SpecPath::of("a")).is_err());
        assert!(at_least_0(f64::INFINITY, &SpecPath::of("a")).is_err());
    }

    #[test]
    fn areas_have_a_limit() {
        let area = |json: &str| {
            let promise: AreaPromise = serde_json::from_str(json).unwrap();
            promise.check(&SpecPath::of("area").index(1)).map_err(|error| error.to_string())
        };
        let nothing = "area[1]: this promises nothing; add min_m2 or max_m2";
        assert_eq!(area("{}"), Err(nothing.to_owned()));
        assert_eq!(area(r#"{"min_m2": 3}"#), Ok(()));
        assert!(area(r#"{"min_m2": 3, "max_m2": 2}"#).unwrap_err().contains("no level can be so"));
    }
}
