//! A service that runs, and ends with the test.

use std::{
    fs,
    net::SocketAddr,
    path::PathBuf,
    process::{Child, Command, ExitStatus},
    thread,
    time::{Duration, Instant},
};

use serde_json::Value;

use super::{Api, LONG};

#[derive(Debug)]
pub(crate) struct Running {
    child: Child,
    pub(crate) address: SocketAddr,
    out: PathBuf,
    log: PathBuf,
}

impl Running {
    /// Waits until it says where it listens.
    pub(super) fn watch(child: Child, out: PathBuf, log: PathBuf) -> Self {
        let nowhere = SocketAddr::from(([0, 0, 0, 0], 0));
        let mut running = Self { child, address: nowhere, out, log };
        let started = Instant::now();
        loop {
            if let Some(address) = running.said_address() {
                running.address = address;
                return running;
            }
            let ended = running.child.try_wait().expect("a child can be asked");
            assert!(ended.is_none(), "it ended at once with {ended:?}: {}", running.log());
            assert!(started.elapsed() < LONG, "it does not listen: {}", running.log());
            thread::sleep(Duration::from_millis(2));
        }
    }

    /// From the log of `serve`, or from what `demo` prints.
    fn said_address(&self) -> Option<SocketAddr> {
        let logged = self.log();
        let mut lines = logged.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
        let listening = lines.find(|line| line["message"] == "listening");
        let address = listening.and_then(|line| line["address"].as_str()?.parse().ok());
        address.or_else(|| {
            let url = match self.printed() {
                Some(line) => line["url"].as_str()?.to_owned(),
                None => self.said_in_words()?,
            };
            url.strip_prefix("http://")?.parse().ok()
        })
    }

    /// The address that `demo` tells a person in its first line, once it has come to its last one.
    fn said_in_words(&self) -> Option<String> {
        let text = self.stdout();
        let whole = text.ends_with('\n') && text.lines().last()?.contains("still work");
        whole.then(|| text.lines().next()?.split_whitespace().last().map(str::to_owned)).flatten()
    }

    /// What `demo --json` printed.
    pub(crate) fn printed(&self) -> Option<Value> {
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

    /// Asks with this token or key.
    pub(crate) fn api(&self, bearer: &str) -> Api {
        Api::unpooled(bearer).at(self.address)
    }

    /// `kill -9`.
    pub(crate) fn kill(mut self) {
        self.child.kill().expect("it still runs");
        self.child.wait().expect("it has ended");
    }

    /// Sends a signal, such as `TERM`.
    pub(crate) fn signal(&self, name: &str) {
        let sent = Command::new("sh").args(["-c", &format!("kill -{name} {}", self.child.id())]).status();
        assert!(sent.expect("a shell").success(), "{name} could not be sent");
    }

    pub(crate) fn has_ended(&mut self) -> bool {
        self.child.try_wait().expect("a child can be asked").is_some()
    }

    /// Waits for its end, half a minute at most.
    pub(crate) fn end(&mut self) -> ExitStatus {
        let started = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().expect("a child can be asked") {
                return status;
            }
            assert!(started.elapsed() < LONG, "it does not end: {}", self.log());
            thread::sleep(Duration::from_millis(5));
        }
    }

    /// Asks it to stop, waits until it has, and gives its log.
    pub(crate) fn stop(mut self) -> String {
        self.signal("TERM");
        let status = self.end();
        assert!(status.success(), "it ended with {status}: {}", self.log());
        self.log()
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        if thread::panicking() {
            let log = self.log();
            let from = log.char_indices().rev().nth(4000).map_or(0, |(at, _)| at);
            eprintln!("the log of the service ended so:\n{}", &log[from..]);
        }
    }
}
