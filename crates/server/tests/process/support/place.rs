//! A place to run the binary in: its data directory, its database and its variables.

use std::{
    env,
    fs::{self, File},
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
    sync::atomic::{AtomicU32, Ordering},
};

use serde_json::Value;
use svc_mcp_testkit::{Postgres, Redis};
use tempfile::TempDir;

use super::Running;

const PROGRAM: &str = env!("CARGO_BIN_EXE_svc-mcp");

#[derive(Debug)]
pub(crate) struct Place {
    dir: TempDir,
    variables: Vec<(String, String)>,
    started: AtomicU32,
}

/// What a command that has ended said.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Place {
    /// SQLite in a data directory that is not there yet.
    pub(crate) fn sqlite() -> Self {
        let dir = tempfile::tempdir().expect("a directory");
        let place = Self { dir, variables: Vec::new(), started: AtomicU32::new(0) };
        let data = place.data_dir().to_string_lossy().into_owned();
        place.with("SVC_DATA_DIR", &data).with("SVC_LOG_FORMAT", "json")
    }

    /// A new PostgreSQL database and a new Redis one, with the secrets that every instance is given.
    pub(crate) fn postgres() -> Self {
        Self::sqlite()
            .with("SVC_DATABASE_URL", &Postgres::shared().fresh_database())
            .with("SVC_REDIS_URL", &Redis::shared().fresh_database())
            .with("SVC_JWT_SECRET", "a-shared-secret-of-the-tests-that-is-long-enough")
            .with("SVC_REVEAL_KEYS", "tests:a2tra2tra2tra2tra2tra2tra2tra2tra2tra2tra2s=")
    }

    pub(crate) fn with(mut self, name: &str, value: &str) -> Self {
        self.set(name, value);
        self
    }

    pub(crate) fn without(mut self, name: &str) -> Self {
        self.variables.retain(|(known, _)| known != name);
        self
    }

    pub(crate) fn set(&mut self, name: &str, value: &str) {
        self.variables.retain(|(known, _)| known != name);
        self.variables.push((name.to_owned(), value.to_owned()));
    }

    pub(crate) fn variable(&self, name: &str) -> Option<&str> {
        self.variables.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    pub(crate) fn data_dir(&self) -> PathBuf {
        self.dir.path().join("data")
    }

    /// Beside the data directory: for what a test itself writes.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    pub(crate) fn root(&self) -> &Path {
        self.dir.path()
    }

    /// The binary with this place's variables and no others of its own.
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(PROGRAM);
        for (name, _) in env::vars_os() {
            if name.to_string_lossy().starts_with("SVC_") {
                command.env_remove(name);
            }
        }
        command.args(arguments).current_dir(self.root()).stdin(Stdio::null());
        command.envs(self.variables.iter().map(|(name, value)| (name, value)));
        command
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> Ran {
        let Output { status, stdout, stderr } = self.command(arguments).output().expect("the binary runs");
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
        Ran { code: status.code(), stdout: text(stdout), stderr: text(stderr) }
    }

    /// Runs what must succeed, and gives what it printed.
    pub(crate) fn ok(&self, arguments: &[&str]) -> String {
        let ran = self.run(arguments);
        assert_eq!(ran.code, Some(0), "{arguments:?}: {ran:?}");
        ran.stdout.trim_end().to_owned()
    }

    /// The same with `--json`.
    pub(crate) fn json(&self, arguments: &[&str]) -> Value {
        let printed = self.ok(&[arguments, &["--json"]].concat());
        assert_eq!(printed.lines().count(), 1, "{arguments:?}: {printed}");
        serde_json::from_str(&printed).unwrap_or_else(|error| panic!("{arguments:?}: {error} in {printed}"))
    }

    /// Runs what must fail with exit code 1 and one line that begins with `error: `; gives that line.
    pub(crate) fn fails(&self, arguments: &[&str]) -> String {
        let ran = self.run(arguments);
        assert_eq!(ran.code, Some(1), "{arguments:?}: {ran:?}");
        assert_eq!(ran.stdout, "", "{arguments:?}: {ran:?}");
        // A start may have logged a warning before it failed.
        let said: Vec<&str> = ran.stderr.lines().filter(|line| !line.starts_with('{')).collect();
        assert!(said.len() == 1 && said[0].starts_with("error: "), "{arguments:?}: {ran:?}");
        said[0].to_owned()
    }

    /// Runs what is not a command line of ours: exit code 2, and words that say why.
    pub(crate) fn misused(&self, arguments: &[&str]) -> String {
        let ran = self.run(arguments);
        assert_eq!(ran.code, Some(2), "{arguments:?}: {ran:?}");
        assert!(ran.stderr.starts_with("error: "), "{arguments:?}: {ran:?}");
        ran.stderr
    }

    pub(crate) fn token(&self, user: &str) -> String {
        self.ok(&["token", "--user", user])
    }

    pub(crate) fn operator_token(&self) -> String {
        self.ok(&["token", "--user", "root", "--operator"])
    }

    /// A brand on a plan with MCP, with one user as its administrator.
    pub(crate) fn add_brand(&self, brand: &str, user: &str) {
        self.ok(&["admin", "plan", "set", "business", "--name", "Business", "--mcp", "on"]);
        let website = ["--website", "https://acme.example"];
        let about = ["admin", "brand", "set", brand, "--name", "Acme", "--plan", "business"];
        self.ok(&[about.as_slice(), &website].concat());
        self.ok(&["admin", "member", "set", brand, user, "--role", "admin"]);
    }

    /// `serve` on a free port, once it listens.
    pub(crate) fn serve(&self, arguments: &[&str]) -> Running {
        self.start("serve", arguments)
    }

    /// `demo --json` on free ports, once it has printed its line.
    pub(crate) fn demo(&self, arguments: &[&str]) -> Running {
        self.start("demo", &[&["--json", "--site-listen", "127.0.0.1:0"], arguments].concat())
    }

    /// `demo` as a person starts it, once it has said everything.
    pub(crate) fn demo_in_words(&self, arguments: &[&str]) -> Running {
        self.start("demo", &[&["--site-listen", "127.0.0.1:0"], arguments].concat())
    }

    fn start(&self, command: &str, arguments: &[&str]) -> Running {
        let number = self.started.fetch_add(1, Ordering::SeqCst);
        let (out, log) = (
            self.path(&format!("{number}.{command}.stdout")),
            self.path(&format!("{number}.{command}.stderr")),
        );
        let create = |path: &Path| File::create(path).expect("a file");
        let arguments = [&[command, "--listen", "127.0.0.1:0"], arguments].concat();
        let child = self.command(&arguments).stdout(create(&out)).stderr(create(&log)).spawn();
        Running::watch(child.expect("the binary starts"), out, log)
    }

    /// Everything this place's services have written to standard output and standard error.
    pub(crate) fn written(&self) -> Vec<PathBuf> {
        let entries = fs::read_dir(self.root()).expect("the directory is there").flatten();
        entries.map(|entry| entry.path()).filter(|path| path.is_file()).collect()
    }
}
