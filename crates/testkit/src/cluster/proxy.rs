//! A TCP proxy between one instance and PostgreSQL or Redis, which can fail in several ways.

use std::{
    future::pending,
    io,
    net::SocketAddr,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    time::Duration,
};

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{
        TcpListener, TcpStream,
        tcp::{OwnedReadHalf, OwnedWriteHalf},
    },
    sync::watch,
    task::JoinHandle,
};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProxyMode {
    Open,
    /// Each packet is delayed, in both directions.
    Slow(Duration),
    /// Connections are accepted and stay open, but no byte passes.
    Silent,
    /// Connections are closed, new ones too.
    Cut,
    /// The first `after` commits pass. Later ones are executed, but the connection is closed instead of the response.
    LoseCommits {
        after: u64,
    },
}

#[derive(Debug)]
pub struct TcpProxy {
    pub port: u16,
    mode: watch::Sender<ProxyMode>,
    commits: Arc<AtomicU64>,
    /// Connections of an older generation are dead.
    generation: watch::Sender<u64>,
    accept_task: JoinHandle<()>,
}

impl TcpProxy {
    pub async fn start(target_port: u16) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let port = listener.local_addr().expect("the address of the proxy").port();
        let (mode, mode_changes) = watch::channel(ProxyMode::Open);
        let commits = Arc::new(AtomicU64::new(0));
        let target = SocketAddr::from(([127, 0, 0, 1], target_port));
        let (generation, generations) = watch::channel(0);
        let accept_task =
            tokio::spawn(accept(listener, target, mode_changes, generations, Arc::clone(&commits)));
        Self { port, mode, commits, generation, accept_task }
    }

    /// Changes the mode, and counts commits from zero.
    pub fn set(&self, mode: ProxyMode) {
        self.commits.store(0, Ordering::SeqCst);
        self.mode.send_replace(mode);
    }

    /// Simulates a failover to another machine at the same address: open connections get no data any more and are not
    /// closed; new connections work.
    pub fn fail_over(&self) {
        self.generation.send_modify(|generation| *generation += 1);
    }

    /// The number of commits since the mode was set to `LoseCommits`.
    pub fn commits(&self) -> u64 {
        self.commits.load(Ordering::SeqCst)
    }
}

impl Drop for TcpProxy {
    fn drop(&mut self) {
        self.accept_task.abort();
    }
}

async fn accept(
    listener: TcpListener,
    target: SocketAddr,
    mode: watch::Receiver<ProxyMode>,
    generations: watch::Receiver<u64>,
    commits: Arc<AtomicU64>,
) {
    loop {
        let Ok((client, _)) = listener.accept().await else { continue };
        let (mut mode, commits) = (mode.clone(), Arc::clone(&commits));
        let mut generations = generations.clone();
        let generation = *generations.borrow_and_update();
        tokio::spawn(async move {
            // The kernel of a hung server still accepts connections.
            let is_silent = mode.wait_for(|mode| *mode != ProxyMode::Silent).await.is_err();
            if is_silent || *mode.borrow() == ProxyMode::Cut {
                return;
            }
            let Ok(server) = TcpStream::connect(target).await else { return };
            let _ = (client.set_nodelay(true), server.set_nodelay(true));
            let (client_reads, client_writes) = client.into_split();
            let (server_reads, server_writes) = server.into_split();
            let lose_response = Arc::new(AtomicBool::new(false));
            let requests = Relay {
                mode: mode.clone(),
                lose_response: Arc::clone(&lose_response),
                commits: Some(commits),
            };
            let responses = Relay { mode: mode.clone(), lose_response, commits: None };
            // If one direction ends, the other one ends too.
            let relays = async {
                tokio::select! {
                    _ = requests.run(client_reads, server_writes) => {}
                    _ = responses.run(server_reads, client_writes) => {}
                }
            };
            let mut relays = std::pin::pin!(relays);
            tokio::select! {
                () = &mut relays => return,
                _ = generations.wait_for(|current| *current != generation) => {}
            }
            // After a failover the sockets stay open, but nothing is relayed.
            pending::<()>().await;
        });
    }
}

/// One direction of a connection.
struct Relay {
    mode: watch::Receiver<ProxyMode>,
    /// Set when the next response belongs to a commit and must be lost.
    lose_response: Arc<AtomicBool>,
    /// Only in the direction to the server.
    commits: Option<Arc<AtomicU64>>,
}

impl Relay {
    async fn run(mut self, mut from: OwnedReadHalf, mut to: OwnedWriteHalf) -> io::Result<()> {
        let mut buffer = vec![0; 64 * 1024];
        loop {
            let length = tokio::select! {
                length = from.read(&mut buffer) => length?,
                _ = self.mode.wait_for(|mode| *mode == ProxyMode::Cut) => return Ok(()),
            };
            if length == 0 {
                return Ok(());
            }
            let bytes = &buffer[..length];
            let mode = *self.mode.borrow_and_update();
            match mode {
                ProxyMode::Slow(delay) => tokio::time::sleep(delay).await,
                ProxyMode::Silent => {
                    let _ = self.mode.wait_for(|mode| *mode != ProxyMode::Silent).await;
                }
                ProxyMode::LoseCommits { after } => {
                    if let Some(commits) = &self.commits
                        && bytes.windows(6).any(|word| word == b"COMMIT")
                        && commits.fetch_add(1, Ordering::SeqCst) >= after
                    {
                        self.lose_response.store(true, Ordering::SeqCst);
                    }
                }
                ProxyMode::Open | ProxyMode::Cut => {}
            }
            // The response shows that the commit was executed. It is dropped, and the connection closed.
            let loses_response = self.commits.is_none() && self.lose_response.load(Ordering::SeqCst);
            if *self.mode.borrow() == ProxyMode::Cut || loses_response {
                return Ok(());
            }
            to.write_all(bytes).await?;
        }
    }
}
