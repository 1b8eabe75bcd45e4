//! PostgreSQL and Redis servers that a test can kill, stop, freeze and query.

use std::{
    fs,
    io::{Read, Write},
    net::TcpStream,
    path::PathBuf,
    process::Command,
};

use sqlx::{Connection, PgConnection};

use super::{PausedProcesses, instance::send_signal};
use crate::{Postgres, Redis, WAIT_TIMEOUT, eventually, free_port};

/// Redis on a port that stays the same after a restart.
#[derive(Debug)]
pub struct RedisServer {
    port: u16,
    server: Option<Redis>,
}

impl RedisServer {
    pub fn start() -> Self {
        let port = free_port();
        Self { port, server: Some(Redis::start_on(port)) }
    }

    pub fn port(&self) -> u16 {
        self.port
    }

    /// `kill -9`.
    pub fn kill(&mut self) {
        send_signal("KILL", self.process());
        self.server = None;
    }

    /// Starts the killed server, empty.
    pub fn start_again(&mut self) {
        self.server = Some(Redis::start_on(self.port));
    }

    /// Stops the process until the guard is dropped: connections stay open, but there are no responses.
    pub fn freeze(&self) -> PausedProcesses {
        PausedProcesses::new(vec![self.process()])
    }

    pub fn process(&self) -> u32 {
        let info = self.command("INFO server");
        let line = info.lines().find_map(|line| line.strip_prefix("process_id:"));
        line.and_then(|number| number.trim().parse().ok())
            .unwrap_or_else(|| panic!("no process id in {info}"))
    }

    /// Runs one command, and returns the reply.
    pub fn command(&self, command: &str) -> String {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).expect("a connection to Redis");
        stream.set_read_timeout(Some(WAIT_TIMEOUT)).expect("a read timeout");
        stream.write_all(format!("{command}\r\nQUIT\r\n").as_bytes()).expect("Redis reads the command");
        let mut reply = String::new();
        stream.read_to_string(&mut reply).expect("a reply of Redis");
        assert!(!reply.starts_with('-'), "{command}: {reply}");
        reply
    }
}

/// PostgreSQL: shared with the other tests of this process, or for one test.
#[derive(Debug)]
pub struct PostgresServer(Option<Postgres>);

impl PostgresServer {
    pub fn shared() -> Self {
        Self(None)
    }

    pub fn own() -> Self {
        Self(Some(Postgres::start()))
    }

    fn server(&self) -> &Postgres {
        self.0.as_ref().unwrap_or_else(|| Postgres::shared())
    }

    fn own_server(&mut self) -> &mut Postgres {
        self.0.as_mut().expect("a shared server must not be stopped")
    }

    pub fn port(&self) -> u16 {
        self.server().port()
    }

    pub fn fresh_database(&self) -> String {
        self.server().fresh_database()
    }

    /// Stops the server. Open connections are closed.
    pub fn stop(&mut self) {
        self.own_server().stop();
    }

    pub fn start_again(&mut self) {
        self.own_server().start_again();
    }

    /// All processes of the server, the main process first.
    pub async fn processes(&self) -> Vec<u32> {
        assert!(self.0.is_some(), "a shared server must not be stopped");
        let file = self.data_directory().await.join("postmaster.pid");
        let text = fs::read_to_string(file).expect("postmaster.pid");
        let main: u32 = text.lines().next().and_then(|line| line.parse().ok()).expect("a process id");
        let children = Command::new("ps").args(["-o", "pid=", "--ppid", &main.to_string()]).output();
        let children = String::from_utf8(children.expect("ps runs").stdout).expect("process ids");
        let children = children.split_whitespace().map(|id| id.parse().expect("a process id"));
        std::iter::once(main).chain(children).collect()
    }

    /// Stops all processes until the guard is dropped. New connections get no response either.
    pub async fn freeze(&self) -> PausedProcesses {
        PausedProcesses::new(self.processes().await)
    }

    pub async fn data_directory(&self) -> PathBuf {
        let url = format!("postgres://postgres@127.0.0.1:{}/postgres", self.port());
        let (path,): (String,) = query_one(&url, "SHOW data_directory").await;
        path.into()
    }
}

/// Runs a query that returns one row.
pub async fn query_one<T>(url: &str, sql: &'static str) -> T
where
    T: for<'row> sqlx::FromRow<'row, sqlx::postgres::PgRow> + Send + Unpin,
{
    let mut database =
        eventually("a connection to PostgreSQL", async || PgConnection::connect(url).await.ok()).await;
    let row = sqlx::query_as(sql).fetch_one(&mut database).await.expect("the SQL runs");
    let _ = database.close().await;
    row
}

/// Runs statements.
pub async fn execute(url: &str, sql: impl sqlx::SqlSafeStr) {
    let mut database = PgConnection::connect(url).await.expect("a connection to PostgreSQL");
    sqlx::raw_sql(sql).execute(&mut database).await.expect("the SQL runs");
    let _ = database.close().await;
}
