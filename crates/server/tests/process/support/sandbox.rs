//! A directory, a database and environment variables to run the binary with.

use std::{
    fs::{self, File},
    ops::Deref,
    path::{Path, PathBuf},
    process::Command,
    sync::atomic::{AtomicU32, Ordering},
};

use serde_json::Value;
use svc_mcp_testkit::{Postgres, Program, Redis};
use tempfile::TempDir;

use super::Service;

#[derive(Debug)]
pub(crate) struct Sandbox {
    dir: TempDir,
    program: Program,
    started: AtomicU32,
}

impl Deref for Sandbox {
    type Target = Program;

    fn deref(&self) -> &Program {
        &self.program
    }
}

impl Sandbox {
    /// SQLite in a data directory that does not exist yet.
    pub(crate) fn sqlite() -> Self {
        let dir = tempfile::tempdir().expect("a temporary directory");
        let data = dir.path().join("data").to_string_lossy().into_owned();
        let program = Program::new(dir.path()).with("SVC_DATA_DIR", &data).with("SVC_LOG_FORMAT", "json");
        Self { dir, program, started: AtomicU32::new(0) }
    }

    /// A new PostgreSQL database and a new Redis database, with the secrets that all instances share.
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

    /// A path next to the data directory, for files of the test.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    pub(crate) fn root(&self) -> &Path {
        self.dir.path()
    }

    /// Runs a command that must succeed with `--json`, and returns the printed object.
    pub(crate) fn json(&self, arguments: &[&str]) -> Value {
        let printed = self.run_ok(&[arguments, &["--json"]].concat());
        assert_eq!(printed.lines().count(), 1, "{arguments:?}: {printed}");
        serde_json::from_str(&printed).unwrap_or_else(|error| panic!("{arguments:?}: {error} in {printed}"))
    }

    /// Runs a command that must exit with code 1, and returns the only line on stderr: `error: …`.
    pub(crate) fn expect_failure(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        assert_eq!(output.code, Some(1), "{arguments:?}: {output:?}");
        assert_eq!(output.stdout, "", "{arguments:?}: {output:?}");
        // The service may have logged a warning before it failed.
        let lines: Vec<&str> = output.stderr.lines().filter(|line| !line.starts_with('{')).collect();
        assert!(lines.len() == 1 && lines[0].starts_with("error: "), "{arguments:?}: {output:?}");
        lines[0].to_owned()
    }

    /// Runs a command with invalid arguments, which must exit with code 2, and returns the message.
    pub(crate) fn expect_usage_error(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        assert_eq!(output.code, Some(2), "{arguments:?}: {output:?}");
        assert!(output.stderr.starts_with("error: "), "{arguments:?}: {output:?}");
        output.stderr
    }

    /// Adds a brand on a plan with MCP, with one administrator.
    pub(crate) fn add_brand(&self, brand: &str, user: &str) {
        // Tests under load write more than a brand usually may.
        let quota = ["--quota", "posts_per_day=1000000"];
        let command = ["admin", "plan", "set", "business", "--name", "Business", "--mcp", "on", "--init"];
        self.run_ok(&[command.as_slice(), &quota].concat());
        let website = ["--website", "https://acme.example"];
        let command = ["admin", "brand", "set", brand, "--name", "Acme", "--plan", "business"];
        self.run_ok(&[command.as_slice(), &website].concat());
        self.run_ok(&["admin", "member", "set", brand, user, "--role", "admin"]);
    }

    /// Starts `serve` on a free port, and waits until it listens.
    pub(crate) fn serve(&self, arguments: &[&str]) -> Service {
        self.start("serve", arguments)
    }

    /// Starts `demo --json` on free ports, and waits for the printed line.
    pub(crate) fn demo(&self, arguments: &[&str]) -> Service {
        self.start("demo", &[&["--json", "--site-listen", "127.0.0.1:0"], arguments].concat())
    }

    /// Starts `demo` without `--json`, and waits for the whole printed text.
    pub(crate) fn demo_as_text(&self, arguments: &[&str]) -> Service {
        self.start("demo", &[&["--site-listen", "127.0.0.1:0"], arguments].concat())
    }

    /// Starts `demo --json` with this umask.
    pub(crate) fn demo_with_umask(&self, umask: &str) -> Service {
        let arguments = ["demo", "--json", "--site-listen", "127.0.0.1:0", "--listen", "127.0.0.1:0"];
        let mut command = Command::new("sh");
        command.args(["-c", r#"umask "$0" && exec "$@""#, umask]).arg(Program::binary()).args(arguments);
        self.apply_environment(&mut command);
        self.spawn("demo", command)
    }

    fn start(&self, command: &str, arguments: &[&str]) -> Service {
        let arguments = [&[command, "--listen", "127.0.0.1:0"], arguments].concat();
        self.spawn(command, self.command(&arguments))
    }

    fn spawn(&self, name: &str, mut command: Command) -> Service {
        let number = self.started.fetch_add(1, Ordering::SeqCst);
        let (out, log) =
            (self.path(&format!("{number}.{name}.stdout")), self.path(&format!("{number}.{name}.stderr")));
        let create = |path: &Path| File::create(path).expect("the output file is created");
        let child = command.stdout(create(&out)).stderr(create(&log)).spawn();
        Service::wait_until_listening(child.expect("the binary starts"), out, log)
    }

    /// The files with standard output and standard error of all started services.
    pub(crate) fn output_files(&self) -> Vec<PathBuf> {
        let entries = fs::read_dir(self.root()).expect("the directory of the sandbox").flatten();
        entries.map(|entry| entry.path()).filter(|path| path.is_file()).collect()
    }
}
