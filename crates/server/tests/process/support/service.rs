//! A running service. It is killed at the end of the test.

use std::{
    fs,
    net::SocketAddr,
    path::PathBuf,
    process::{Child, Command, ExitStatus},
    thread,
};

use serde_json::Value;

use super::{Api, wait_until};

#[derive(Debug)]
pub(crate) struct Service {
    child: Child,
    pub(crate) address: SocketAddr,
    out: PathBuf,
    log: PathBuf,
}

impl Service {
    /// Waits until the service has logged or printed its address.
    pub(super) fn wait_until_listening(child: Child, out: PathBuf, log: PathBuf) -> Self {
        let unknown = SocketAddr::from(([0, 0, 0, 0], 0));
        let mut service = Self { child, address: unknown, out, log };
        wait_until("the start of the service", || {
            let exited = service.child.try_wait().expect("the state of the service");
            let Some(address) = service.find_address() else {
                assert!(exited.is_none(), "the service exited with {exited:?}: {}", service.log());
                return false;
            };
            service.address = address;
            true
        });
        service
    }

    /// The address from the log of `serve`, or from the output of `demo`.
    fn find_address(&self) -> Option<SocketAddr> {
        let log = self.log();
        let mut lines = log.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
        let listening = lines.find(|line| line["message"] == "listening");
        let address = listening.and_then(|line| line["address"].as_str()?.parse().ok());
        address.or_else(|| {
            let url = match self.printed_json() {
                Some(line) => line["url"].as_str()?.to_owned(),
                None => self.url_in_text()?,
            };
            url.strip_prefix("http://")?.parse().ok()
        })
    }

    /// `demo` prints the URL in its first line. This waits for the last line, so that the text is complete.
    fn url_in_text(&self) -> Option<String> {
        let text = self.stdout();
        let complete = text.ends_with('\n') && text.lines().last()?.contains("still work");
        complete.then(|| text.lines().next()?.split_whitespace().last().map(str::to_owned)).flatten()
    }

    /// The object that `demo --json` printed.
    pub(crate) fn printed_json(&self) -> Option<Value> {
        let text = fs::read_to_string(&self.out).ok()?;
        serde_json::from_str(text.strip_suffix('\n')?).ok()
    }

    pub(crate) fn log(&self) -> String {
        fs::read_to_string(&self.log).unwrap_or_default()
    }

    pub(crate) fn stdout(&self) -> String {
        fs::read_to_string(&self.out).unwrap_or_default()
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// A client with this token or key.
    pub(crate) fn api(&self, bearer: &str) -> Api {
        Api::unpooled(bearer).at(self.address)
    }

    /// The process id.
    pub(crate) fn process(&self) -> u32 {
        self.child.id()
    }

    /// `kill -9`.
    pub(crate) fn kill(mut self) {
        self.child.kill().expect("the service is killed");
        self.child.wait().expect("the service has exited");
    }

    /// Sends a signal, such as `TERM`.
    pub(crate) fn signal(&self, name: &str) {
        let sent = Command::new("sh").args(["-c", &format!("kill -{name} {}", self.child.id())]).status();
        assert!(sent.expect("a shell").success(), "cannot send SIG{name}");
    }

    pub(crate) fn has_exited(&mut self) -> bool {
        self.child.try_wait().expect("the state of the service").is_some()
    }

    pub(crate) fn wait_for_exit(&mut self) -> ExitStatus {
        wait_until("the exit of the service", || self.has_exited());
        self.child.wait().expect("the service has exited")
    }

    /// Sends SIGTERM, waits for a successful exit, and returns the log.
    pub(crate) fn stop(mut self) -> String {
        self.signal("TERM");
        let status = self.wait_for_exit();
        assert!(status.success(), "the service exited with {status}: {}", self.log());
        self.log()
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        if thread::panicking() {
            let log = self.log();
            let from = log.char_indices().rev().nth(4000).map_or(0, |(at, _)| at);
            eprintln!("The end of the service's log:\n{}", &log[from..]);
        }
    }
}
