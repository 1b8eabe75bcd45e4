//! The binary as it is used from a shell.

use std::{
    env,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
};

/// The binary, and where and with which variables it runs.
#[derive(Debug, Clone)]
pub struct Program {
    pub dir: PathBuf,
    variables: Vec<(String, String)>,
}

/// What a command that has ended said.
#[derive(Debug)]
pub struct Ran {
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

impl Program {
    pub fn new(dir: &Path) -> Self {
        Self { dir: dir.to_owned(), variables: Vec::new() }
    }

    #[must_use]
    pub fn with(mut self, name: &str, value: &str) -> Self {
        self.set(name, value);
        self
    }

    #[must_use]
    pub fn without(mut self, name: &str) -> Self {
        self.variables.retain(|(known, _)| known != name);
        self
    }

    pub fn set(&mut self, name: &str, value: &str) {
        self.variables.retain(|(known, _)| known != name);
        self.variables.push((name.to_owned(), value.to_owned()));
    }

    pub fn variable(&self, name: &str) -> Option<&str> {
        self.variables.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// The binary with these variables and no others of its own.
    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(Self::binary());
        self.surround(&mut command);
        command.args(arguments);
        command
    }

    /// Gives any command the directory and variables of this one.
    pub fn surround(&self, command: &mut Command) {
        for (name, _) in env::vars_os() {
            if name.to_string_lossy().starts_with("SVC_") {
                command.env_remove(name);
            }
        }
        command.current_dir(&self.dir).stdin(Stdio::null());
        command.envs(self.variables.iter().map(|(name, value)| (name, value)));
    }

    pub fn run(&self, arguments: &[&str]) -> Ran {
        let Output { status, stdout, stderr } = self.command(arguments).output().expect("the binary runs");
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
        Ran { code: status.code(), stdout: text(stdout), stderr: text(stderr) }
    }

    /// Runs what must succeed, and gives what it printed.
    pub fn ok(&self, arguments: &[&str]) -> String {
        let ran = self.run(arguments);
        assert_eq!(ran.code, Some(0), "{arguments:?}: {ran:?}");
        ran.stdout.trim_end().to_owned()
    }

    pub fn token(&self, user: &str) -> String {
        self.ok(&["token", "--user", user])
    }

    pub fn operator_token(&self) -> String {
        self.ok(&["token", "--user", "root", "--operator"])
    }

    /// Where cargo puts it: beside the directories of its tests and examples.
    pub fn binary() -> PathBuf {
        let this = env::current_exe().expect("a test knows where it is");
        let binary = this.parent().and_then(Path::parent).expect("target/debug/deps").join("svc-mcp");
        assert!(binary.exists(), "build it first: cargo build -p svc-mcp");
        binary
    }
}
