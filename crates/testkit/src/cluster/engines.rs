//! PostgreSQL and Redis, to be killed, stopped, emptied and asked.

use std::{
    fs,
    io::{Read, Write},
    net::TcpStream,
    path::PathBuf,
    process::Command,
    time::Duration,
};

use sqlx::{Connection, PgConnection};

use super::{Frozen, instance::send_signal, port};
use crate::{Postgres, Redis, eventually};

/// Redis on a port that it keeps when it is started again.
#[derive(Debug)]
pub struct RedisServer {
    port: u16,
    server: Option<Redis>,
}

impl RedisServer {
    pub fn start() -> Self {
        let port = port();
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

    /// Starts it again, empty.
    pub fn start_again(&mut self) {
        self.server = Some(Redis::start_on(self.port));
    }

    /// Alive, and silent, until the guard is dropped.
    pub fn freeze(&self) -> Frozen {
        Frozen::new(vec![self.process()])
    }

    pub fn process(&self) -> u32 {
        let about = self.ask("INFO server");
        let line = about.lines().find_map(|line| line.strip_prefix("process_id:"));
        line.and_then(|number| number.trim().parse().ok())
            .unwrap_or_else(|| panic!("no process id in {about}"))
    }

    /// What it answers to one command.
    pub fn ask(&self, command: &str) -> String {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).expect("Redis listens");
        stream.set_read_timeout(Some(Duration::from_secs(5))).expect("a socket takes a timeout");
        stream.write_all(format!("{command}\r\nQUIT\r\n").as_bytes()).expect("Redis takes a command");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("Redis answers");
        assert!(!answer.starts_with('-'), "{command}: {answer}");
        answer
    }
}

/// PostgreSQL: shared with the other tests of this process, or one's own to break.
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
        self.0.as_mut().expect("only one's own server is to be broken")
    }

    pub fn port(&self) -> u16 {
        self.server().port()
    }

    pub fn fresh_database(&self) -> String {
        self.server().fresh_database()
    }

    /// Ends it, whoever is connected.
    pub fn stop(&mut self) {
        self.own_server().stop();
    }

    pub fn start_again(&mut self) {
        self.own_server().start_again();
    }

    /// Every process of it, the first one first.
    pub async fn processes(&self) -> Vec<u32> {
        assert!(self.0.is_some(), "only one's own server is to be broken");
        let first = self.data_directory().await.join("postmaster.pid");
        let text = fs::read_to_string(first).expect("it keeps its process id in a file");
        let first: u32 = text.lines().next().and_then(|line| line.parse().ok()).expect("a number");
        let children = Command::new("ps").args(["-o", "pid=", "--ppid", &first.to_string()]).output();
        let children = String::from_utf8(children.expect("ps").stdout).expect("numbers");
        let children = children.split_whitespace().map(|number| number.parse().expect("a number"));
        std::iter::once(first).chain(children).collect()
    }

    /// Alive, and silent, until the guard is dropped: also to those who connect now.
    pub async fn freeze(&self) -> Frozen {
        Frozen::new(self.processes().await)
    }

    pub async fn data_directory(&self) -> PathBuf {
        let url = format!("postgres://postgres@127.0.0.1:{}/postgres", self.port());
        let (path,): (String,) = one(&url, "SHOW data_directory").await;
        path.into()
    }
}

/// One row from a database.
pub async fn one<T>(url: &str, sql: &'static str) -> T
where
    T: for<'row> sqlx::FromRow<'row, sqlx::postgres::PgRow> + Send + Unpin,
{
    let mut database = eventually("a connection", async || PgConnection::connect(url).await.ok()).await;
    let row = sqlx::query_as(sql).fetch_one(&mut database).await.expect("it takes SQL");
    let _ = database.close().await;
    row
}

/// Runs statements on a database.
pub async fn execute(url: &str, sql: impl sqlx::SqlSafeStr) {
    let mut database = PgConnection::connect(url).await.expect("a connection");
    sqlx::raw_sql(sql).execute(&mut database).await.expect("it takes SQL");
    let _ = database.close().await;
}
