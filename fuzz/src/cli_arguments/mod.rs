//! Target `cli_arguments`: the commands `bake` and `surefoot`, started with any arguments.
//!
//! They run in a fresh folder that holds a small scene, its grid, and files made of the input. Every
//! command ends by itself with an exit code that the manual lists; an error is one line; what is
//! printed as JSON is JSON.

mod ending;
mod folder;
mod words;

use std::fs::File;
use std::path::PathBuf;
use std::process::{Command, ExitCode, ExitStatus, Stdio};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use arbitrary::Unstructured;

use ending::Ending;
use folder::Room;
use words::Line;

/// A command that takes longer hangs, also on a busy machine.
const LONGEST: Duration = Duration::from_secs(60);
/// How often it is looked at.
const LOOK: Duration = Duration::from_micros(500);

/// The program that [`run_as_command`] runs in.
static PROGRAM: OnceLock<PathBuf> = OnceLock::new();

/// Says which program to start: one whose `main` begins with [`run_as_command`]. The first call counts.
pub fn set_program(program: PathBuf) {
    PROGRAM.get_or_init(|| program);
}

/// Runs the command that the process was started as, by the name it was given; `None` if that is no
/// command. So one program is all of them, and they are built with the same checks.
pub fn run_as_command() -> Option<ExitCode> {
    match std::env::args_os().next()?.to_str()? {
        "bake" => Some(surefoot_cli::bake::main()),
        "surefoot" => Some(surefoot_cli::query::main()),
        _ => None,
    }
}

/// Starts a command with the arguments that an input describes, and checks how it ends. Does nothing if
/// no program was set.
///
/// # Panics
/// It does not end as the manual says.
pub fn run(data: &[u8]) {
    // Elsewhere a program cannot be started under another name.
    let Some(program) = PROGRAM.get().filter(|_| cfg!(unix)) else { return };
    let Ok(line) = Line::make(&mut Unstructured::new(data)) else { return };
    let room = Room::new(&line);
    let status = start(program, &line, &room);
    Ending { line: &line, status, out: room.read("out"), err: room.read("err") }.check();
}

/// Runs a command until it ends.
fn start(program: &PathBuf, line: &Line, room: &Room) -> ExitStatus {
    let open = |name: &str| File::create(room.path(name)).expect("a file");
    let mut command = Command::new(program);
    #[cfg(unix)]
    std::os::unix::process::CommandExt::arg0(&mut command, line.command);
    command.args(&line.arguments).current_dir(room.path("work"));
    command.stdin(Stdio::null()).stdout(open("out")).stderr(open("err"));
    let mut child = command.spawn().expect("it starts");
    let start = Instant::now();
    loop {
        if let Some(status) = child.try_wait().expect("it can be looked at") {
            return status;
        }
        if start.elapsed() > LONGEST {
            child.kill().and_then(|()| child.wait()).expect("it can be ended");
            panic!("{line:?} does not end");
        }
        std::thread::sleep(LOOK);
    }
}
