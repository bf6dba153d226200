//! Which tile a job bakes: schedulers tell the jobs of an array apart by a variable of the environment.

use anyhow::{Context, anyhow};

/// The variables in which schedulers tell a job its index: Slurm, Kubernetes, AWS Batch.
const VARIABLES: [&str; 3] =
    ["SLURM_ARRAY_TASK_ID", "JOB_COMPLETION_INDEX", "AWS_BATCH_JOB_ARRAY_INDEX"];

/// Returns the index of a job: the one that is given, or what the scheduler says.
///
/// # Errors
/// There is none, or it is no number.
pub fn job_index(
    given: Option<usize>,
    variable: impl Fn(&str) -> Option<String>,
) -> anyhow::Result<usize> {
    if let Some(index) = given {
        return Ok(index);
    }
    let said = VARIABLES.iter().find_map(|name| Some((name, variable(name)?)));
    let (name, text) = said.ok_or_else(|| {
        anyhow!("no --index is given, and none of {} is set", VARIABLES.join(", "))
    })?;
    text.trim().parse().with_context(|| format!("{name} is {text:?}, which is no index"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn schedulers_say_the_index() {
        let slurm = |name: &str| (name == "SLURM_ARRAY_TASK_ID").then(|| "7".to_owned());
        assert_eq!(job_index(None, slurm).unwrap(), 7);
        assert_eq!(job_index(Some(3), slurm).unwrap(), 3);
        let error = job_index(None, |_| None).unwrap_err().to_string();
        assert!(error.contains("no --index is given"), "{error}");
        let error = job_index(None, |_| Some("x".to_owned())).unwrap_err().to_string();
        assert!(error.contains("SLURM_ARRAY_TASK_ID is \"x\""), "{error}");
    }
}
