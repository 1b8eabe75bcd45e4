//! The `svc-mcp` binary, run from a command line.

use std::{
    env,
    io::Write,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
};

/// The binary, with the directory and the environment variables it runs in.
#[derive(Debug, Clone)]
pub struct Program {
    pub dir: PathBuf,
    binary: Option<PathBuf>,
    variables: Vec<(String, String)>,
}

/// The exit code and the output of a command that has ended.
#[derive(Debug)]
pub struct CommandOutput {
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

impl Program {
    /// Without a limit for the management API, because tests poll it.
    pub fn new(dir: &Path) -> Self {
        Self { dir: dir.to_owned(), binary: None, variables: Vec::new() }.with("SVC_MANAGEMENT_LIMIT", "0")
    }

    #[must_use]
    pub fn with(mut self, name: &str, value: &str) -> Self {
        self.set(name, value);
        self
    }

    /// Runs another binary than the one that Cargo has built.
    #[must_use]
    pub fn with_binary(self, binary: PathBuf) -> Self {
        Self { binary: Some(binary), ..self }
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

    /// The binary with these variables. `SVC_…` variables of the test process are removed.
    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(self.binary.clone().unwrap_or_else(Self::binary));
        self.apply_environment(&mut command);
        command.args(arguments);
        command
    }

    /// Applies the directory and the variables to any command.
    pub fn apply_environment(&self, command: &mut Command) {
        for (name, _) in env::vars_os() {
            if name.to_string_lossy().starts_with("SVC_") {
                command.env_remove(name);
            }
        }
        command.current_dir(&self.dir).stdin(Stdio::null());
        command.envs(self.variables.iter().map(|(name, value)| (name, value)));
    }

    pub fn run(&self, arguments: &[&str]) -> CommandOutput {
        let Output { status, stdout, stderr } = self.command(arguments).output().expect("the binary starts");
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
        CommandOutput { code: status.code(), stdout: text(stdout), stderr: text(stderr) }
    }

    /// Runs a command that reads this from standard input.
    pub fn run_with_input(&self, arguments: &[&str], input: &str) -> CommandOutput {
        let mut command = self.command(arguments);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("the binary starts");
        // It may have ended without reading.
        let _ = child.stdin.take().expect("a pipe").write_all(input.as_bytes());
        let Output { status, stdout, stderr } = child.wait_with_output().expect("the command ends");
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
        CommandOutput { code: status.code(), stdout: text(stdout), stderr: text(stderr) }
    }

    /// Runs a command that must succeed, and returns its standard output.
    pub fn run_ok(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        assert_eq!(output.code, Some(0), "{arguments:?}: {output:?}");
        output.stdout.trim_end().to_owned()
    }

    pub fn token(&self, user: &str) -> String {
        self.run_ok(&["token", "--user", user])
    }

    pub fn operator_token(&self) -> String {
        self.run_ok(&["token", "--user", "root", "--operator"])
    }

    /// Cargo puts the binary next to the directories of its tests and examples.
    pub fn binary() -> PathBuf {
        let this = env::current_exe().expect("the path of this test");
        let binary = this.parent().and_then(Path::parent).expect("target/debug/deps").join("svc-mcp");
        assert!(binary.exists(), "{} is missing. Run `cargo build -p svc-mcp`.", binary.display());
        binary
    }
}
