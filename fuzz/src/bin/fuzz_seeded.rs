//! Runs a fuzz target on inputs made by a seed, with nothing but stable Rust.
//!
//! ```text
//! fuzz_seeded [TARGET...] [--seconds N] [--inputs N] [--seed N] [--from N]
//! fuzz_seeded TARGET --replay FILE...
//! ```
//!
//! Without a target it runs all of them, each for a minute if nothing else is said. It stops at the
//! first input that breaks a law, takes too long or too much memory, writes it to
//! `fuzz/artifacts/TARGET/`, and says how to run it again. Inputs are numbered: `--from 70 --inputs 1`
//! runs one of a seed alone.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use surefoot_fuzz::cli_arguments;
use surefoot_fuzz::mutator::Mutator;
use surefoot_fuzz::targets::{TARGETS, Target};

/// An input that takes longer has lost itself, also on a busy machine.
const LONGEST: Duration = Duration::from_secs(90);
/// The most memory that the process may take [bytes].
const MOST_MEMORY: usize = 3 << 30;
/// How often time and memory are looked at.
const LOOK: Duration = Duration::from_millis(200);
/// How often progress is printed.
const REPORT: Duration = Duration::from_secs(30);

fn main() -> ExitCode {
    if let Some(code) = cli_arguments::run_as_command() {
        return code;
    }
    let job = match Job::parse(std::env::args().skip(1)) {
        Ok(job) => job,
        Err(problem) => {
            eprintln!("error: {problem}");
            eprintln!(
                "usage: fuzz_seeded [TARGET...] [--seconds N] [--inputs N] [--seed N] [--from N]"
            );
            eprintln!("       fuzz_seeded TARGET --replay FILE...");
            return ExitCode::from(2);
        }
    };
    if let Ok(program) = std::env::current_exe() {
        cli_arguments::set_program(program);
    }
    match job.run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(()) => ExitCode::FAILURE,
    }
}

/// What to run, and for how long.
#[derive(Debug, Default)]
struct Job {
    targets: Vec<Target>,
    seconds: Option<u64>,
    seed: u64,
    inputs: Option<usize>,
    /// The number of the first input.
    from: usize,
    replay: Vec<PathBuf>,
}

impl Job {
    fn parse(mut arguments: impl Iterator<Item = String>) -> Result<Job, String> {
        let mut job = Job::default();
        while let Some(argument) = arguments.next() {
            let mut number = || {
                let value = arguments.next().and_then(|value| value.parse().ok());
                value.ok_or(format!("{argument} needs a number"))
            };
            match argument.as_str() {
                "--seconds" => job.seconds = Some(number()?),
                "--seed" => job.seed = number()?,
                "--inputs" => job.inputs = Some(number()? as usize),
                "--from" => job.from = number()? as usize,
                "--replay" => job.replay.extend(arguments.by_ref().map(PathBuf::from)),
                name => job.targets.push(Target::find(name).ok_or_else(|| {
                    let names = TARGETS.map(|target| target.name).join(", ");
                    format!("there is no target {name:?}; the targets are {names}")
                })?),
            }
        }
        match (job.replay.is_empty(), job.targets.len()) {
            (false, 1) | (true, 1..) => Ok(job),
            (false, _) => Err("--replay needs one target".to_owned()),
            (true, 0) => Ok(Job { targets: TARGETS.to_vec(), ..job }),
        }
    }

    fn run(&self) -> Result<(), ()> {
        for &target in &self.targets {
            let watch = Watch::start(target);
            if !self.replay.is_empty() {
                return self.replay(target, &watch);
            }
            self.search(target, &watch)?;
        }
        Ok(())
    }

    fn replay(&self, target: Target, watch: &Watch) -> Result<(), ()> {
        for file in &self.replay {
            let input = std::fs::read(file).map_err(|error| {
                eprintln!("error: {}: {error}", file.display());
            })?;
            watch.begin(&input);
            (target.run)(&input);
            watch.end();
            println!("{}: {} holds", file.display(), target.name);
        }
        Ok(())
    }

    fn search(&self, target: Target, watch: &Watch) -> Result<(), ()> {
        let start = Instant::now();
        let mutator = Mutator::new(target.corpus(), self.seed, target.longest);
        let seconds = self.seconds.or(self.inputs.is_none().then_some(60));
        let is_over = |number: usize| {
            seconds.is_some_and(|seconds| start.elapsed() >= Duration::from_secs(seconds))
                || self.inputs.is_some_and(|inputs| number - self.from >= inputs)
        };
        let (mut number, mut reported) = (self.from, start);
        while !is_over(number) {
            let input = mutator.input(number);
            watch.begin(&input);
            let result = catch_unwind(AssertUnwindSafe(|| (target.run)(&input)));
            watch.end();
            if let Err(panic) = result {
                eprintln!("{}: input {number} of seed {}", target.name, self.seed);
                fail(target, &input, &message(&*panic));
                return Err(());
            }
            number += 1;
            if reported.elapsed() > REPORT {
                println!("{}: {number} inputs", target.name);
                reported = Instant::now();
            }
        }
        let seconds = start.elapsed().as_secs();
        let count = number - self.from;
        println!("{}: {count} inputs in {seconds} s, seed {}: all hold", target.name, self.seed);
        Ok(())
    }
}

fn message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
    text.unwrap_or("a panic without words").to_owned()
}

/// Writes an input that failed, and says how to replay it.
fn fail(target: Target, input: &[u8], problem: &str) {
    let folder = target.artifacts();
    let file = folder.join(format!("{:016x}", hash(input)));
    let written = std::fs::create_dir_all(&folder).and_then(|()| std::fs::write(&file, input));
    eprintln!("{}: {problem}", target.name);
    match written {
        Ok(()) => eprintln!(
            "replay it: cargo run -p surefoot_fuzz --bin fuzz_seeded -- {} --replay {}",
            target.name,
            file.display()
        ),
        Err(error) => eprintln!("{} cannot be written: {error}", file.display()),
    }
}

/// FNV-1a, to name a file.
fn hash(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xCBF2_9CE4_8422_2325, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3)
    })
}

/// An input that is running.
struct Running {
    since: Instant,
    input: Vec<u8>,
}

/// Looks at time and memory from a thread of its own, and ends the process if there is too much of
/// either.
struct Watch {
    running: Arc<Mutex<Option<Running>>>,
    /// Where the input is while it runs: it stays there if the process is ended from outside.
    file: PathBuf,
}

impl Watch {
    fn start(target: Target) -> Watch {
        let running = Arc::new(Mutex::new(None::<Running>));
        let seen = running.clone();
        std::thread::spawn(move || {
            loop {
                std::thread::sleep(LOOK);
                let running = seen.lock().unwrap_or_else(PoisonError::into_inner);
                if let Some(Running { since, input }) = &*running
                    && let Some(problem) = excess(*since)
                {
                    fail(target, input, &problem);
                    std::process::exit(1);
                }
            }
        });
        let folder = target.artifacts();
        std::fs::create_dir_all(&folder).ok();
        Watch { running, file: folder.join(format!("running_{}", std::process::id())) }
    }

    fn begin(&self, input: &[u8]) {
        // What ends a process at once, such as a stack overflow, leaves no time to write it.
        std::fs::write(&self.file, input).ok();
        *self.running.lock().unwrap_or_else(PoisonError::into_inner) =
            Some(Running { since: Instant::now(), input: input.to_vec() });
    }

    fn end(&self) {
        *self.running.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        std::fs::remove_file(&self.file).ok();
    }
}

/// What there is too much of: time or memory.
fn excess(since: Instant) -> Option<String> {
    if since.elapsed() > LONGEST {
        return Some(format!("it takes more than {LONGEST:?}"));
    }
    let is_large = memory().is_some_and(|bytes| bytes > MOST_MEMORY);
    is_large.then(|| format!("it takes more than {MOST_MEMORY} bytes"))
}

/// The memory that the process takes [bytes]; `None` if the system does not say.
fn memory() -> Option<usize> {
    let pages = std::fs::read_to_string("/proc/self/statm").ok()?;
    Some(pages.split_whitespace().nth(1)?.parse::<usize>().ok()? * 4096)
}
