//! One `svc-mcp serve` on ports that stay the same after a restart.

use std::{
    fs::{self, File, OpenOptions},
    net::{Ipv4Addr, SocketAddr},
    path::PathBuf,
    process::{Child, Command, ExitStatus, Stdio},
};

use crate::{Program, eventually, free_port, raw_get};

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
    /// An instance that is not started yet.
    pub fn new(name: &str, program: Program, arguments: &[&str]) -> Self {
        let local = |port| SocketAddr::from((Ipv4Addr::LOCALHOST, port));
        Self {
            log: program.dir.join(format!("{name}.log")),
            program,
            arguments: arguments.iter().map(|argument| (*argument).to_owned()).collect(),
            address: local(free_port()),
            metrics: local(free_port()),
            child: None,
        }
    }

    pub fn spawn(&mut self) {
        assert!(self.child.is_none(), "the instance is already running");
        let (listen, metrics) = (self.address.to_string(), self.metrics.to_string());
        let mut arguments = vec!["serve", "--listen", &listen, "--metrics-listen", &metrics];
        arguments.extend(self.arguments.iter().map(String::as_str));
        let log: File = OpenOptions::new().create(true).append(true).open(&self.log).expect("the log opens");
        let child = self.program.command(&arguments).stdout(Stdio::null()).stderr(log).spawn();
        self.child = Some(child.expect("the binary starts"));
    }

    /// Starts the instance, and waits until it is ready.
    pub async fn start(&mut self) {
        self.spawn();
        self.wait_until_ready().await;
    }

    pub async fn wait_until_ready(&mut self) {
        eventually("the start of an instance", async || {
            if raw_get(self.address, "/readyz").await.is_some_and(|(status, _)| status == 200) {
                return Some(());
            }
            let child = self.child.as_mut().expect("the instance was started");
            let exited = child.try_wait().expect("the state of the instance");
            assert!(exited.is_none(), "the instance exited with {exited:?}: {}", self.log());
            None
        })
        .await;
    }

    pub fn log(&self) -> String {
        fs::read_to_string(&self.log).unwrap_or_default()
    }

    /// The sum of a metric over all labels; `None` if it was never set or the instance is down.
    pub async fn metric(&self, name: &str) -> Option<f64> {
        let (_, text) = raw_get(self.metrics, "/metrics").await?;
        let lines = text.lines().filter(|line| {
            line.strip_prefix(name).is_some_and(|rest| rest.starts_with(' ') || rest.starts_with('{'))
        });
        let values = lines.filter_map(|line| line.rsplit(' ').next()?.parse::<f64>().ok());
        values.fold(None, |sum, value| Some(sum.unwrap_or(0.0) + value))
    }

    pub async fn is_degraded(&self) -> bool {
        self.metric("svc_mcp_degraded").await == Some(1.0)
    }

    pub async fn wait_until_degraded(&self, degraded: bool) {
        let what = format!("svc_mcp_degraded {}", u8::from(degraded));
        eventually(&what, async || (self.is_degraded().await == degraded).then_some(())).await;
    }

    pub fn process(&self) -> u32 {
        self.child.as_ref().expect("the instance is running").id()
    }

    /// The resident memory in KiB.
    pub fn memory_kib(&self) -> u64 {
        let status =
            fs::read_to_string(format!("/proc/{}/status", self.process())).expect("the instance is running");
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
        line.and_then(|line| line.split_whitespace().next()?.parse().ok()).expect("VmRSS in KiB")
    }

    /// `kill -9`.
    pub fn kill(&mut self) {
        let mut child = self.child.take().expect("the instance is running");
        child.kill().expect("the instance is killed");
        child.wait().expect("the instance has exited");
    }

    /// Stops the process until the guard is dropped: connections stay open, but there are no responses.
    pub fn freeze(&self) -> PausedProcesses {
        PausedProcesses::new(vec![self.process()])
    }

    /// Sends SIGTERM.
    pub fn terminate(&self) {
        send_signal("TERM", self.process());
    }

    /// Sends SIGTERM, and waits for a successful exit.
    pub async fn stop(&mut self) {
        self.terminate();
        let status = self.wait_for_exit().await;
        assert!(status.success(), "the instance exited with {status}: {}", self.log());
    }

    pub async fn wait_for_exit(&mut self) -> ExitStatus {
        let mut child = self.child.take().expect("the instance is running");
        eventually("the exit of an instance", async || child.try_wait().expect("the state of the instance"))
            .await
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
            eprintln!("The end of {}:\n{}", self.log.display(), &log[from..]);
        }
    }
}

/// Processes that are stopped (SIGSTOP). They continue when this is dropped.
#[derive(Debug)]
pub struct PausedProcesses(Vec<u32>);

impl PausedProcesses {
    pub fn new(processes: Vec<u32>) -> Self {
        let paused = Self(processes);
        paused.signal("STOP");
        paused
    }

    /// Ignores errors, because a process may have exited.
    fn signal(&self, name: &str) {
        let ids = self.0.iter().map(u32::to_string);
        let _ = Command::new("kill").arg(format!("-{name}")).args(ids).stderr(Stdio::null()).status();
    }
}

impl Drop for PausedProcesses {
    fn drop(&mut self) {
        self.signal("CONT");
    }
}

pub(super) fn send_signal(name: &str, process: u32) {
    let sent = Command::new("kill").args([&format!("-{name}"), &process.to_string()]).status();
    assert!(sent.expect("kill runs").success(), "cannot send SIG{name} to process {process}");
}
