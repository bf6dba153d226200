//! landmass's side: a program of its own, which is built and started here.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use glam::Vec3;

use super::{Output, Side};
use crate::levels::Body;
use crate::navmesh::Navmesh;
use crate::pairs::Pair;
use crate::wire::{Preparation, Reply, Request};

pub struct Landmass {
    program: Child,
    requests: Option<ChildStdin>,
    replies: BufReader<ChildStdout>,
    preparation: Preparation,
}

impl Landmass {
    pub fn new(navmesh: &Navmesh, body: &Body, pairs: &[Pair]) -> Landmass {
        let manifest = Path::new(env!("CARGO_MANIFEST_DIR")).join("landmass/Cargo.toml");
        let mut program = Command::new(env!("CARGO"))
            .args(["run", "--release", "--quiet", "--manifest-path"])
            .arg(manifest)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("cargo can be started");
        let requests = program.stdin.take();
        let replies = BufReader::new(program.stdout.take().expect("it is piped"));
        let preparation = Preparation { seconds: 0.0, bytes: 0 };
        let mut side = Landmass { program, requests, replies, preparation };
        let pairs = pairs.iter().map(|ends| ends.map(Vec3::into)).collect();
        let reply = side.ask(&Request::Prepare { mesh: navmesh.message(body), pairs });
        let Reply::Prepared(preparation) = reply else { panic!("it was to prepare") };
        side.preparation = preparation;
        side
    }

    fn ask(&mut self, request: &Request) -> Reply {
        let mut line = serde_json::to_string(request).expect("numbers and lists");
        line.push('\n');
        let requests = self.requests.as_mut().expect("open until the end");
        requests.write_all(line.as_bytes()).expect("landmass's program listens");
        line.clear();
        self.replies.read_line(&mut line).expect("landmass's program writes text");
        serde_json::from_str(&line).expect("landmass's program replies")
    }
}

impl Drop for Landmass {
    /// Its program ends when nothing more can be asked.
    fn drop(&mut self) {
        self.requests = None;
        self.program.wait().ok();
    }
}

impl Side for Landmass {
    fn name(&self) -> String {
        "landmass".to_owned()
    }

    fn output(&self) -> Output {
        Output::Path
    }

    fn run(&mut self, order: &[usize]) -> Vec<f64> {
        let reply = self.ask(&Request::Run(order.to_vec()));
        let Reply::Times(times) = reply else { panic!("it was to run") };
        times
    }

    fn answers(&mut self) -> Vec<Option<Vec<Vec3>>> {
        let Reply::Answers(answers) = self.ask(&Request::Answers) else { panic!("it was to tell") };
        let corners = |path: Vec<_>| path.into_iter().map(Vec3::from_array).collect();
        answers.into_iter().map(|path| path.map(corners)).collect()
    }

    fn preparation(&self) -> Preparation {
        self.preparation
    }
}
