//! A place to run the binary in: its data directory, its database and its variables.

use std::{
    fs::{self, File},
    ops::Deref,
    path::{Path, PathBuf},
    sync::atomic::{AtomicU32, Ordering},
};

use serde_json::Value;
use svc_mcp_testkit::{Postgres, Program, Redis};
use tempfile::TempDir;

use super::Running;

#[derive(Debug)]
pub(crate) struct Place {
    dir: TempDir,
    program: Program,
    started: AtomicU32,
}

/// A place can do all that the binary can.
impl Deref for Place {
    type Target = Program;

    fn deref(&self) -> &Program {
        &self.program
    }
}

impl Place {
    /// SQLite in a data directory that is not there yet.
    pub(crate) fn sqlite() -> Self {
        let dir = tempfile::tempdir().expect("a directory");
        let data = dir.path().join("data").to_string_lossy().into_owned();
        let program = Program::new(dir.path()).with("SVC_DATA_DIR", &data).with("SVC_LOG_FORMAT", "json");
        Self { dir, program, started: AtomicU32::new(0) }
    }

    /// A new PostgreSQL database and a new Redis one, with the secrets that every instance is given.
    pub(crate) fn postgres() -> Self {
        Self::sqlite()
            .with("SVC_DATABASE_URL", &Postgres::shared().fresh_database())
            .with("SVC_REDIS_URL", &Redis::shared().fresh_database())
            .with("SVC_JWT_SECRET", "a-shared-secret-of-the-tests-that-is-long-enough")
            .with("SVC_REVEAL_KEYS", "tests:a2tra2tra2tra2tra2tra2tra2tra2tra2tra2tra2s=")
    }

    pub(crate) fn with(self, name: &str, value: &str) -> Self {
        Self { program: self.program.with(name, value), ..self }
    }

    pub(crate) fn without(self, name: &str) -> Self {
        Self { program: self.program.without(name), ..self }
    }

    pub(crate) fn set(&mut self, name: &str, value: &str) {
        self.program.set(name, value);
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

    /// Runs what must succeed with `--json`, and gives what it printed.
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
