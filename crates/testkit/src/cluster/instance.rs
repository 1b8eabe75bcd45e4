//! One `svc-mcp serve`, on ports that it keeps when it is started again.

use std::{
    fs::{self, File, OpenOptions},
    net::{Ipv4Addr, SocketAddr},
    path::PathBuf,
    process::{Child, Command, ExitStatus, Stdio},
    time::{Duration, Instant},
};

use super::port;
use crate::{LONG, Program, eventually, glance};

#[derive(Debug)]
pub struct Instance {
    pub program: Program,
    pub arguments: Vec<String>,
    pub address: SocketAddr,
    pub metrics: SocketAddr,
    log: PathBuf,
    child: Option<Child>,
}

impl Instance {
    /// One that is not started yet.
    pub fn new(name: &str, program: Program, arguments: &[&str]) -> Self {
        let here = |port| SocketAddr::from((Ipv4Addr::LOCALHOST, port));
        Self {
            log: program.dir.join(format!("{name}.log")),
            program,
            arguments: arguments.iter().map(|argument| (*argument).to_owned()).collect(),
            address: here(port()),
            metrics: here(port()),
            child: None,
        }
    }

    pub fn spawn(&mut self) {
        assert!(self.child.is_none(), "it runs already");
        let (listen, metrics) = (self.address.to_string(), self.metrics.to_string());
        let mut arguments = vec!["serve", "--listen", &listen, "--metrics-listen", &metrics];
        arguments.extend(self.arguments.iter().map(String::as_str));
        let log: File = OpenOptions::new().create(true).append(true).open(&self.log).expect("a file");
        let child = self.program.command(&arguments).stdout(Stdio::null()).stderr(log).spawn();
        self.child = Some(child.expect("the binary starts"));
    }

    /// Starts it, and waits until it is ready.
    pub async fn start(&mut self) {
        self.spawn();
        self.is_ready().await;
    }

    pub async fn is_ready(&mut self) {
        let started = Instant::now();
        loop {
            if glance(self.address, "/readyz").await.is_some_and(|(status, _)| status == 200) {
                return;
            }
            let ended =
                self.child.as_mut().expect("it was started").try_wait().expect("a child can be asked");
            assert!(ended.is_none(), "it ended with {ended:?}: {}", self.log());
            assert!(started.elapsed() < LONG, "it does not get ready: {}", self.log());
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }

    pub fn log(&self) -> String {
        fs::read_to_string(&self.log).unwrap_or_default()
    }

    /// The value of a metric, all its labels together; `None` where it has never been set or nobody answers.
    pub async fn metric(&self, name: &str) -> Option<f64> {
        let (_, text) = glance(self.metrics, "/metrics").await?;
        let lines = text.lines().filter(|line| {
            line.strip_prefix(name).is_some_and(|rest| rest.starts_with(' ') || rest.starts_with('{'))
        });
        let values = lines.filter_map(|line| line.rsplit(' ').next()?.parse::<f64>().ok());
        values.fold(None, |sum, value| Some(sum.unwrap_or(0.0) + value))
    }

    pub async fn is_degraded(&self) -> bool {
        self.metric("svc_mcp_degraded").await == Some(1.0)
    }

    pub async fn becomes_degraded(&self, degraded: bool) {
        let what = format!("svc_mcp_degraded {}", u8::from(degraded));
        eventually(&what, async || (self.is_degraded().await == degraded).then_some(())).await;
    }

    pub fn process(&self) -> u32 {
        self.child.as_ref().expect("it runs").id()
    }

    /// Memory in use, in KiB.
    pub fn memory(&self) -> u64 {
        let status = fs::read_to_string(format!("/proc/{}/status", self.process())).expect("it runs");
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
        line.and_then(|line| line.split_whitespace().next()?.parse().ok()).expect("a number")
    }

    /// `kill -9`.
    pub fn kill(&mut self) {
        let mut child = self.child.take().expect("it runs");
        child.kill().expect("it still runs");
        child.wait().expect("it has ended");
    }

    /// Alive, and silent, until the guard is dropped.
    pub fn freeze(&self) -> Frozen {
        Frozen::new(vec![self.process()])
    }

    /// Asks it to stop.
    pub fn terminate(&self) {
        send_signal("TERM", self.process());
    }

    /// Asks it to stop, and waits until it has.
    pub async fn stop(&mut self) {
        self.terminate();
        let status = self.end().await;
        assert!(status.success(), "it ended with {status}: {}", self.log());
    }

    /// Waits for its end.
    pub async fn end(&mut self) -> ExitStatus {
        let mut child = self.child.take().expect("it runs");
        eventually("the end of an instance", async || child.try_wait().expect("a child can be asked")).await
    }
}

impl Drop for Instance {
    fn drop(&mut self) {
        if let Some(child) = &mut self.child {
            let _ = child.kill();
            let _ = child.wait();
        }
        if std::thread::panicking() {
            let log = self.log();
            let from = log.char_indices().rev().nth(2500).map_or(0, |(at, _)| at);
            eprintln!("the log of {} ended so:\n{}", self.log.display(), &log[from..]);
        }
    }
}

/// Processes that are stopped, and go on when this is dropped.
#[derive(Debug)]
pub struct Frozen(Vec<u32>);

impl Frozen {
    pub fn new(processes: Vec<u32>) -> Self {
        let frozen = Self(processes);
        frozen.signal("STOP");
        frozen
    }

    /// One of them may have ended by itself meanwhile.
    fn signal(&self, name: &str) {
        let numbers = self.0.iter().map(u32::to_string);
        let _ = Command::new("kill").arg(format!("-{name}")).args(numbers).stderr(Stdio::null()).status();
    }
}

impl Drop for Frozen {
    fn drop(&mut self) {
        self.signal("CONT");
    }
}

pub(super) fn send_signal(name: &str, process: u32) {
    let sent = Command::new("kill").args([&format!("-{name}"), &process.to_string()]).status();
    assert!(sent.expect("kill runs").success(), "{name} could not be sent to {process}");
}
