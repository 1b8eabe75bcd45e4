//! The attacker runs in a process of its own, in the lowest scheduling class. Attackers are on other machines, so the attack
//! must not take the processor from the service.

use std::{
    io::{BufRead, BufReader, Write},
    process::{Child, ChildStdin, ChildStdout, Stdio},
};

use svc_mcp_testkit::hostile::{Attack, HostileSite, ResponseCounts, Target};
use tokio::task::block_in_place;

use crate::background_process;

pub(crate) const COMMAND: &str = "attacker";
const STOP: &str = "stop";

/// The attacker, seen from the benchmark.
#[derive(Debug)]
pub(crate) struct Attacker {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    pub(crate) site: String,
}

impl Attacker {
    pub(crate) fn start() -> Self {
        let mut child = background_process(COMMAND)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the attacker starts");
        let input = child.stdin.take().expect("a pipe");
        let output = BufReader::new(child.stdout.take().expect("a pipe"));
        let mut attacker = Self { child, input, output, site: String::new() };
        attacker.site = attacker.read_line();
        attacker
    }

    pub(crate) fn attack(&mut self, target: &Target) {
        let target = serde_json::to_string(target).expect("JSON");
        writeln!(self.input, "{target}").expect("the attacker is running");
    }

    /// Ends the attack and holds back the pages of the hostile site.
    pub(crate) fn stop(&mut self) -> ResponseCounts {
        writeln!(self.input, "{STOP}").expect("the attacker is running");
        serde_json::from_str(&self.read_line()).expect("the number of responses")
    }

    fn read_line(&mut self) -> String {
        let mut line = String::new();
        block_in_place(|| self.output.read_line(&mut line)).expect("the attacker is running");
        line.trim().to_owned()
    }
}

impl Drop for Attacker {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The attacker's process. It ends when the benchmark closes the pipe.
pub(crate) async fn run() {
    let site = HostileSite::start().await;
    println!("{}", site.url());
    let mut attack: Option<Attack> = None;
    let mut attacks = 0;
    while let Some(line) = next_line() {
        if line == STOP {
            site.pause();
            let counts = match attack.take() {
                Some(attack) => attack.stop().await,
                None => ResponseCounts::new(),
            };
            println!("{}", serde_json::to_string(&counts).expect("JSON"));
        } else {
            let target: Target = serde_json::from_str(&line).expect("a target");
            site.resume();
            attacks += 1;
            attack = Some(Attack::start(&target, &format!("attack{attacks}"), attacks % 2 == 0));
        }
    }
}

fn next_line() -> Option<String> {
    let mut line = String::new();
    let length = block_in_place(|| std::io::stdin().read_line(&mut line)).ok()?;
    (length > 0).then(|| line.trim().to_owned())
}
