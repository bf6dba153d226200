//! Provides [`Session`]: answers the page's messages about one level.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::json;
use surefoot::grid::{AgentId, FormatError, LoadOptions};
use surefoot::{NavGrid, Navigator, Overlay};
use surefoot_report::{Place, SeparationReport, StandingQuestion, StandingReport};

use crate::change::Changes;
use crate::crowd::{CrowdRequest, Walk};
use crate::ground::GroundRequest;
use crate::level::LevelDescription;
use crate::message::{Answer, split};
use crate::path::PathRequest;

/// A level, and what was asked of it so far.
#[derive(Debug, Default)]
pub struct Session {
    level: Option<Level>,
}

#[derive(Debug)]
struct Level {
    grid: NavGrid,
    /// One for each agent.
    navigators: Vec<Navigator>,
    /// The ground of the agent that walks, by its costs.
    walk: Option<(usize, Walk)>,
}

/// What the page asks.
#[derive(Debug, Deserialize)]
#[serde(tag = "ask", rename_all = "snake_case", deny_unknown_fields)]
enum Request {
    /// Load the grid whose file is the bytes of the message.
    Load,
    /// Show a square of ground.
    Ground { ground: GroundRequest },
    /// Why can an agent not stand here?
    Why { agent: usize, at: Vec<f32> },
    /// What separates two places?
    Separation { agent: usize, from: [f32; 3], to: [f32; 3] },
    /// Find a path.
    Path { agent: usize, path: PathRequest },
    /// Show how a search goes.
    Film { agent: usize, path: PathRequest },
    /// Change the level to this.
    Change { changes: Changes },
    /// Let bodies walk.
    Crowd { agent: usize, crowd: CrowdRequest },
    /// Let them walk on for so many steps.
    Step { steps: u32 },
    /// Who gets no further, and why?
    Jams,
}

/// Why an agent can or cannot stand somewhere.
#[derive(Serialize)]
struct WhyAnswer<'a> {
    /// As the level was baked.
    report: StandingReport<'a>,
    /// Whether an obstacle of the page is what keeps it from standing there.
    blocked_now: bool,
}

/// A grid may take this much while it is loaded: a wasm module has no larger array [bytes].
const MEMORY_LIMIT: u64 = 2 << 30;
/// More steps at once would keep the page waiting.
const MOST_STEPS: u32 = 6000;

impl Session {
    /// Answers a message; see [`message`](crate::message). What is wrong with it is said in the answer's
    /// `error`.
    pub fn answer(&mut self, message: &[u8]) -> Vec<u8> {
        let answer = match split(message) {
            Some((text, bytes)) => self.try_answer(text, bytes),
            None => Err("the message is shorter than it says".to_owned()),
        };
        answer.unwrap_or_else(Answer::error).into_message()
    }

    fn try_answer(&mut self, text: &[u8], bytes: &[u8]) -> Result<Answer, String> {
        let request = serde_json::from_slice(text).map_err(|error| error.to_string())?;
        if let Request::Load = request {
            return self.load(bytes);
        }
        self.level.as_mut().ok_or("no level is loaded")?.answer(request)
    }

    fn load(&mut self, bytes: &[u8]) -> Result<Answer, String> {
        // The old level goes first: there may not be memory for both.
        self.level = None;
        let options = LoadOptions { memory_limit: MEMORY_LIMIT };
        let grid = NavGrid::from_bytes_with(bytes, &options).map_err(in_words)?;
        let answer = Answer::new(&LevelDescription::of(&grid));
        let agents = (0..grid.layers().len() as u16).map(AgentId);
        let navigators = agents.map(|agent| Navigator::new(grid.clone(), agent));
        let navigators = navigators.collect::<Result<_, _>>().map_err(|error| error.to_string())?;
        self.level = Some(Level { grid, navigators, walk: None });
        Ok(answer)
    }
}

/// Why a grid cannot be loaded. Users of the page cannot give it more memory.
fn in_words(error: FormatError) -> String {
    match error {
        FormatError::MemoryLimit { needed, limit, .. } => format!(
            "the grid takes up to {} MB while it is loaded, and a browser gives it {}; show a part of \
             it: surefoot view GRID --export part.html --bounds x0,z0,x1,z1",
            needed >> 20,
            limit >> 20
        ),
        error => error.to_string(),
    }
}

impl Level {
    fn answer(&mut self, request: Request) -> Result<Answer, String> {
        match request {
            Request::Load => Err("the level is loaded".to_owned()),
            Request::Ground { ground } => {
                let found = ground.rectangles(&self.grid);
                let answer = Answer::new(&json!({})).floats("corners", &found.corners);
                Ok(answer.octets("kinds", &found.kinds))
            }
            Request::Why { agent, at } => self.why(agent, &at),
            Request::Separation { agent, from, to } => {
                let report = SeparationReport::new(self.navigator(agent)?, [from, to]);
                Ok(Answer::new(&report))
            }
            Request::Path { agent, path } => path.find(self.navigator(agent)?),
            Request::Film { agent, path } => path.film(self.navigator(agent)?),
            Request::Change { changes } => self.change(changes),
            Request::Crowd { agent, crowd } => {
                let walk = Walk::new(self.navigator(agent)?, crowd)?;
                let answer = walk.answer();
                self.walk = Some((agent, walk));
                Ok(answer)
            }
            Request::Step { steps } => {
                let (_, walk) = self.walk.as_mut().ok_or("nobody walks")?;
                walk.step(steps.min(MOST_STEPS));
                Ok(walk.answer())
            }
            Request::Jams => {
                let (agent, walk) = self.walk.as_ref().ok_or("nobody walks")?;
                Ok(Answer::new(&walk.jams(&self.navigators[*agent])))
            }
        }
    }

    fn navigator(&mut self, agent: usize) -> Result<&mut Navigator, String> {
        let agents = self.navigators.len();
        self.navigators
            .get_mut(agent)
            .ok_or(format!("the grid has no agent {agent}, it has {agents}"))
    }

    fn why(&mut self, agent: usize, at: &[f32]) -> Result<Answer, String> {
        let navigator = self.navigator(agent)?;
        let (grid, agent) = (navigator.grid(), navigator.view().agent_id());
        let place = Place::new(at)?;
        let at = place.point_of_any_floor(grid, agent).map_err(|error| error.to_string())?;
        let report = StandingQuestion { grid, agent, at: at.into() }.report();
        // The overlay's obstacles are not in the grid, and so not in the report.
        let span = grid.span_at(at, navigator.view().agent().height);
        let is_blocked =
            report.walkable && span.is_some_and(|span| !navigator.view().is_walkable(span));
        Ok(Answer::new(&WhyAnswer { report, blocked_now: is_blocked }))
    }

    fn change(&mut self, changes: Changes) -> Result<Answer, String> {
        let overlay: Arc<Overlay> = Arc::new(changes.overlay(&self.grid)?);
        for navigator in &mut self.navigators {
            navigator.set_overlay(overlay.clone()).map_err(|error| error.to_string())?;
        }
        if let Some((agent, walk)) = &mut self.walk {
            walk.change(&self.navigators[*agent])?;
        }
        Ok(Answer::new(&json!({ "obstacles": overlay.obstacles() })))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::Value;
    use surefoot::Agent;

    use super::*;
    use crate::message::join;

    /// A session on a room of 6 by 6 m.
    fn session() -> Session {
        let rows = "............\n".repeat(12);
        let map = format!("type octile\nheight 12\nwidth 12\nmap\n{rows}");
        let pin = Agent { ledge_margin: Some(0.0), ..Agent::new("pin") };
        let grid = NavGrid::from_map(&map, 0.5, &[pin]).unwrap();
        let mut session = Session::default();
        let file = grid.to_bytes().unwrap();
        let answer = ask_with(&mut session, &json!({ "ask": "load" }), &file);
        assert_eq!(answer["agents"][0]["name"], "pin");
        session
    }

    fn ask_with(session: &mut Session, request: &Value, bytes: &[u8]) -> Value {
        let answer = session.answer(&join(request.to_string().as_bytes(), bytes));
        let (text, _) = split(&answer).unwrap();
        serde_json::from_slice::<Value>(text).unwrap()["value"].take()
    }

    fn ask(session: &mut Session, request: Value) -> Value {
        ask_with(session, &request, &[])
    }

    #[test]
    fn a_path_goes_around_an_obstacle_until_it_is_gone() {
        let mut session = session();
        let path = json!({ "from": [0.5, 0, 3], "to": [5.5, 0, 3] });
        let path = json!({ "ask": "path", "agent": 0, "path": path });
        let length = |answer: Value| answer["report"]["length"].as_f64().unwrap();
        let free = length(ask(&mut session, path.clone()));
        let at = [3.0, 0.0, 3.0];
        let shape = json!({ "shape": "cylinder", "at": at, "radius": 1, "height": 2 });
        let changes = json!({ "ask": "change", "changes": { "obstacles": [shape] } });
        assert_eq!(ask(&mut session, changes)["obstacles"], 1);
        assert!(length(ask(&mut session, path.clone())) > free + 0.2);
        let why = ask(&mut session, json!({ "ask": "why", "agent": 0, "at": at }));
        assert_eq!((&why["blocked_now"], &why["report"]["walkable"]), (&json!(true), &json!(true)));
        let onto = json!({ "from": [0.5, 0, 3], "to": at });
        let onto = ask(&mut session, json!({ "ask": "path", "agent": 0, "path": onto }));
        assert_eq!(onto["report"]["outcome"], "goal_off_grid");
        assert_eq!(onto["report"]["why"], "an obstacle that was added at run time stands there");
        ask(&mut session, json!({ "ask": "change", "changes": {} }));
        assert_eq!(length(ask(&mut session, path)), free);
    }

    #[test]
    fn a_crowd_walks_to_one_goal() {
        let mut session = session();
        let crowd = json!({ "count": 5, "seed": 1, "goal": [1, 0, 1] });
        let begun = ask(&mut session, json!({ "ask": "crowd", "agent": 0, "crowd": crowd }));
        assert_eq!(begun["members"], 5);
        let end = ask(&mut session, json!({ "ask": "step", "steps": 1200 }));
        assert_eq!((&end["seconds"], &end["arrived"]), (&json!(20.0), &json!(5)));
        assert_eq!(ask(&mut session, json!({ "ask": "jams" })), json!([]));
    }

    #[test]
    fn what_is_wrong_is_said_and_changes_nothing() {
        let mut session = session();
        let box_of = |half: [f32; 3]| json!([{ "shape": "box", "at": [0, 0, 0], "half": half }]);
        for (request, words) in [
            (json!({ "ask": "dance" }), "unknown variant `dance`"),
            (json!({ "ask": "why", "agent": 7, "at": [0, 0, 0] }), "the grid has no agent 7"),
            (json!({ "ask": "why", "agent": 0, "at": [0] }), "expected x,y,z"),
            (json!({ "ask": "step", "steps": 1 }), "nobody walks"),
            (
                json!({ "ask": "change", "changes": { "obstacles": box_of([-1.0, 1.0, 1.0]) } }),
                "obstacle 1: the obstacle's half size is -1",
            ),
            (json!({ "ask": "change", "changes": { "closed_links": [3] } }), "no link 3"),
            (json!({ "ask": "change", "changes": { "factors": { "mud": 2 } } }), "mud"),
            (
                json!({ "ask": "path", "agent": 0,
                    "path": { "from": [0, 0, 0], "to": [1, 0, 1], "ascend": -1 } }),
                "-1 is no cost",
            ),
        ] {
            let answer = ask(&mut session, request.clone());
            let error = answer["error"].as_str().unwrap_or_else(|| panic!("{request}: {answer}"));
            assert!(error.contains(words), "{request}: {error}");
        }
        let broken = session.answer(b"abc");
        assert!(String::from_utf8_lossy(&broken).contains("shorter than it says"));
        let none = ask(&mut Session::default(), json!({ "ask": "jams" }));
        assert_eq!(none["error"], "no level is loaded");
        let answer = ask_with(&mut session, &json!({ "ask": "load" }), b"no grid");
        assert!(
            answer["error"].as_str().is_some_and(|error| error.contains("navgrid")),
            "{answer}"
        );
        let (section, offset, needed, limit) = ("SPAN".to_owned(), 9, 3 << 30, 2 << 30);
        let words = in_words(FormatError::MemoryLimit { section, offset, needed, limit });
        assert!(words.contains("up to 3072 MB") && words.contains("--bounds"), "{words}");
    }
}
