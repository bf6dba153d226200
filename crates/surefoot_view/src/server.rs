//! Provides [`ViewServer`]: hands out the page and its files, to browsers of this machine alone.

use std::io::Cursor;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;

use tiny_http::{Header, Method, Request, Response, Server, StatusCode};

use crate::assets::{LICENSES, PAGE, POLICY, SOLVER, STYLE, WORKER, served_index};
use crate::viewed::Viewed;

/// A server on loopback. It answers GET and HEAD for a fixed list of names, from memory: nothing that a
/// request says leads to a file of the disk. Requests whose Host header is not its own are refused, so that
/// no page of the web can read from it by a name that leads to loopback.
pub struct ViewServer {
    server: Arc<Server>,
    viewed: Viewed,
    index: Arc<[u8]>,
    port: u16,
}

/// Why there is no server.
#[derive(Debug, thiserror::Error)]
#[error("port {port}: {reason}")]
#[non_exhaustive]
pub struct ServeError {
    /// The port that was asked for.
    pub port: u16,
    /// Why it cannot be used.
    pub reason: String,
}

/// Requests that are answered at the same time.
const THREADS: usize = 4;

impl ViewServer {
    /// Opens a port of loopback; 0 takes a free one.
    ///
    /// # Errors
    /// The port is taken, or the system refuses it.
    pub fn bind(port: u16, viewed: Viewed) -> Result<Self, ServeError> {
        let failed = |reason: String| ServeError { port, reason };
        let server = Server::http(SocketAddr::from((Ipv4Addr::LOCALHOST, port)))
            .map_err(|error| failed(error.to_string()))?;
        let address = server.server_addr().to_ip();
        let own = address.ok_or_else(|| failed("it has no address".to_owned()))?;
        let index = Arc::from(served_index().into_bytes());
        Ok(ViewServer { server: Arc::new(server), viewed, index, port: own.port() })
    }

    /// The port that is open.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// Answers requests, for as long as the program runs.
    pub fn serve(&self) {
        std::thread::scope(|scope| {
            for _ in 0..THREADS {
                scope.spawn(|| {
                    while let Ok(request) = self.server.recv() {
                        self.answer(request);
                    }
                });
            }
        });
    }

    fn answer(&self, request: Request) {
        let reply = self.reply(&request);
        let headers = [
            ("Content-Type", reply.kind),
            ("Cache-Control", "no-store"),
            ("Content-Security-Policy", POLICY.trim_end()),
            ("Cross-Origin-Resource-Policy", "same-origin"),
            ("Referrer-Policy", "no-referrer"),
            ("X-Content-Type-Options", "nosniff"),
        ];
        let headers = headers.into_iter().filter_map(|(name, value)| header(name, value)).collect();
        let length = reply.bytes.len();
        let body = Cursor::new(reply.bytes);
        let response = Response::new(StatusCode(reply.status), headers, body, Some(length), None);
        // A browser that has gone away needs no answer.
        request.respond(response).ok();
    }

    fn reply(&self, request: &Request) -> Reply {
        let hosts = || request.headers().iter().filter(|header| header.field.equiv("Host"));
        if hosts().count() != 1 || !hosts().all(|host| self.is_own(host.value.as_str())) {
            return Reply::refusal(403, "this server answers its own machine only");
        }
        if !matches!(request.method(), Method::Get | Method::Head) {
            return Reply::refusal(405, "this server only hands out files");
        }
        let name = request.url().split(['?', '#']).next().unwrap_or_default();
        let text = |text: &'static str| Arc::from(text.as_bytes());
        match name {
            "/" | "/index.html" => Reply::new("text/html; charset=utf-8", self.index.clone()),
            "/page.js" => Reply::new(SCRIPT, text(PAGE)),
            "/worker.js" => Reply::new(SCRIPT, text(WORKER)),
            "/style.css" => Reply::new("text/css; charset=utf-8", text(STYLE)),
            "/LICENSES.txt" => Reply::new("text/plain; charset=utf-8", text(LICENSES)),
            "/solver.wasm" => Reply::new("application/wasm", Arc::from(SOLVER)),
            "/config.json" => Reply::new(JSON, self.viewed.config_json().into()),
            "/revision.json" => Reply::new(JSON, self.viewed.revision_json().into()),
            "/level.navgrid" => Reply::new(BYTES, self.viewed.grid()),
            "/scene.bin" => Reply::new(BYTES, self.viewed.scene()),
            _ => Reply::refusal(404, "there is no such file"),
        }
    }

    /// Whether a Host header names this server.
    fn is_own(&self, host: &str) -> bool {
        let port = self.port;
        ["127.0.0.1", "localhost"].iter().any(|name| host == format!("{name}:{port}"))
    }
}

const SCRIPT: &str = "text/javascript; charset=utf-8";
const JSON: &str = "application/json";
const BYTES: &str = "application/octet-stream";

struct Reply {
    status: u16,
    kind: &'static str,
    bytes: Arc<[u8]>,
}

impl Reply {
    fn new(kind: &'static str, bytes: Arc<[u8]>) -> Self {
        Reply { status: 200, kind, bytes }
    }

    fn refusal(status: u16, reason: &str) -> Self {
        Reply { status, kind: "text/plain; charset=utf-8", bytes: reason.as_bytes().into() }
    }
}

fn header(name: &str, value: &str) -> Option<Header> {
    Header::from_bytes(name.as_bytes(), value.as_bytes()).ok()
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Write};
    use std::net::TcpStream;

    use super::*;
    use crate::config::PageConfig;

    /// A server that runs until the test ends.
    fn server() -> (u16, Viewed) {
        let viewed = Viewed::new(PageConfig::new("level.navgrid"));
        viewed.set_grid(b"a grid".to_vec());
        let server = ViewServer::bind(0, viewed.clone()).expect("a free port");
        let port = server.port();
        std::thread::spawn(move || server.serve());
        (port, viewed)
    }

    /// What the server answers to the first lines of a request.
    fn ask(port: u16, lines: &str) -> String {
        let mut stream = TcpStream::connect(("127.0.0.1", port)).expect("a server");
        write!(stream, "{lines}\r\nConnection: close\r\n\r\n").expect("a request");
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).expect("an answer");
        String::from_utf8_lossy(&answer).into_owned()
    }

    #[test]
    fn files_are_handed_out_with_their_kinds() {
        let (port, viewed) = server();
        let own = format!("Host: 127.0.0.1:{port}");
        let fetch = |name: &str| ask(port, &format!("GET {name} HTTP/1.1\r\n{own}"));
        assert!(fetch("/").contains("<script src=\"page.js\">"));
        assert!(fetch("/level.navgrid").ends_with("\r\n\r\na grid"));
        assert!(fetch("/solver.wasm").contains("Content-Type: application/wasm"));
        assert!(fetch("/config.json").contains("\"grid\":\"level.navgrid\""));
        let before = fetch("/revision.json");
        viewed.set_message("baking");
        assert!(fetch("/revision.json").contains("baking"));
        viewed.set_grid(b"another".to_vec());
        let after = fetch("/revision.json");
        assert!(!after.contains("baking"));
        let last = |text: &str| text.lines().last().map(str::to_owned);
        assert_ne!(last(&before), last(&after));
        let head = ask(port, &format!("HEAD /level.navgrid HTTP/1.1\r\n{own}"));
        assert!(head.starts_with("HTTP/1.1 200") && head.ends_with("\r\n\r\n"), "{head}");
    }

    #[test]
    fn nothing_else_is() {
        let (port, _) = server();
        let own = format!("Host: localhost:{port}");
        for name in ["/../Cargo.toml", "/etc/passwd", "//etc/passwd", "/dist/page.js", "/%2e%2e/a"]
        {
            let answer = ask(port, &format!("GET {name} HTTP/1.1\r\n{own}"));
            assert!(answer.starts_with("HTTP/1.1 404"), "{name}: {answer}");
        }
        for method in ["POST", "PUT", "DELETE", "OPTIONS"] {
            let answer = ask(port, &format!("{method} / HTTP/1.1\r\n{own}\r\nContent-Length: 0"));
            assert!(answer.starts_with("HTTP/1.1 405"), "{method}: {answer}");
        }
        for host in ["evil.example", "evil.example:80", "127.0.0.1", &format!("a.localhost:{port}")]
        {
            let answer = ask(port, &format!("GET / HTTP/1.1\r\nHost: {host}"));
            assert!(answer.starts_with("HTTP/1.1 403"), "{host}: {answer}");
        }
        assert!(ask(port, "GET / HTTP/1.1").starts_with("HTTP/1.1 4"));
        let two = format!("GET / HTTP/1.1\r\n{own}\r\nHost: evil.example");
        assert!(ask(port, &two).starts_with("HTTP/1.1 403"));
    }

    #[test]
    fn only_loopback_is_listened_on() {
        let (port, viewed) = server();
        let error = ViewServer::bind(port, viewed).err().expect("the port is taken");
        assert!(error.to_string().starts_with(&format!("port {port}: ")), "{error}");
        // Another address of this machine, if it has one.
        let socket = std::net::UdpSocket::bind("0.0.0.0:0").expect("a socket");
        if socket.connect("192.0.2.1:9").is_ok() {
            let own = socket.local_addr().expect("an address").ip();
            if !own.is_loopback() {
                assert!(TcpStream::connect((own, port)).is_err(), "{own} is listened on");
            }
        }
    }
}
