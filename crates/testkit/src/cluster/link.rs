//! A wire that can be cut: a TCP proxy between one instance and one engine.

use std::{
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
pub enum Mode {
    Open,
    /// Everything takes so much longer, each way.
    Slow(Duration),
    /// Connections stay open and new ones are taken, and not a byte comes through.
    Silent,
    /// Connections are closed, and new ones at once.
    Cut,
    /// Commits reach the engine; their answers do not come back, and the connections are closed. So many commits
    /// are let through before.
    LoseCommits {
        after: u64,
    },
}

#[derive(Debug)]
pub struct Link {
    pub port: u16,
    mode: watch::Sender<Mode>,
    commits: Arc<AtomicU64>,
    /// Connections that were opened before it was set are dead.
    vanished: watch::Sender<u64>,
    accepting: JoinHandle<()>,
}

impl Link {
    pub async fn to(port: u16) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let here = listener.local_addr().expect("an address").port();
        let (mode, watched) = watch::channel(Mode::Open);
        let commits = Arc::new(AtomicU64::new(0));
        let target = SocketAddr::from(([127, 0, 0, 1], port));
        let (vanished, vanishing) = watch::channel(0);
        let accepting = tokio::spawn(accept(listener, target, watched, vanishing, Arc::clone(&commits)));
        Self { port: here, mode, commits, vanished, accepting }
    }

    pub fn set(&self, mode: Mode) {
        self.commits.store(0, Ordering::SeqCst);
        self.mode.send_replace(mode);
    }

    /// The machine at the other end is gone, without a word, and another one has taken over its address: whoever is
    /// connected never hears anything again, and who connects now is served.
    pub fn vanish(&self) {
        self.vanished.send_modify(|generation| *generation += 1);
    }

    /// How many commits have passed since they are being watched.
    pub fn commits(&self) -> u64 {
        self.commits.load(Ordering::SeqCst)
    }
}

impl Drop for Link {
    fn drop(&mut self) {
        self.accepting.abort();
    }
}

async fn accept(
    listener: TcpListener,
    target: SocketAddr,
    mode: watch::Receiver<Mode>,
    vanishing: watch::Receiver<u64>,
    commits: Arc<AtomicU64>,
) {
    loop {
        let Ok((client, _)) = listener.accept().await else { continue };
        let (mut mode, commits) = (mode.clone(), Arc::clone(&commits));
        let mut vanishing = vanishing.clone();
        let generation = *vanishing.borrow_and_update();
        tokio::spawn(async move {
            // Who connects to a silent engine is taken in by the machine it runs on, and hears nothing.
            if mode.wait_for(|mode| *mode != Mode::Silent).await.is_err() || *mode.borrow() == Mode::Cut {
                return;
            }
            let Ok(engine) = TcpStream::connect(target).await else { return };
            let _ = (client.set_nodelay(true), engine.set_nodelay(true));
            let (client_reads, client_writes) = client.into_split();
            let (engine_reads, engine_writes) = engine.into_split();
            let deaf = Arc::new(AtomicBool::new(false));
            let there = Pump { mode: mode.clone(), deaf: Arc::clone(&deaf), commits: Some(commits) };
            let back = Pump { mode: mode.clone(), deaf, commits: None };
            // When either way ends, both do.
            let pumping = async {
                tokio::select! {
                    _ = there.run(client_reads, engine_writes) => {}
                    _ = back.run(engine_reads, client_writes) => {}
                }
            };
            let mut pumping = std::pin::pin!(pumping);
            tokio::select! {
                () = &mut pumping => return,
                _ = vanishing.wait_for(|now| *now != generation) => {}
            }
            // Held, and no longer pumped.
            std::future::pending::<()>().await;
        });
    }
}

/// One way of a connection.
struct Pump {
    mode: watch::Receiver<Mode>,
    /// Set once a commit's answer is to be lost.
    deaf: Arc<AtomicBool>,
    /// Present on the way to the engine.
    commits: Option<Arc<AtomicU64>>,
}

impl Pump {
    async fn run(mut self, mut from: OwnedReadHalf, mut to: OwnedWriteHalf) -> io::Result<()> {
        let mut bytes = vec![0; 64 * 1024];
        loop {
            let read = tokio::select! {
                read = from.read(&mut bytes) => read?,
                _ = self.mode.wait_for(|mode| *mode == Mode::Cut) => return Ok(()),
            };
            if read == 0 {
                return Ok(());
            }
            let mode = *self.mode.borrow_and_update();
            match mode {
                Mode::Slow(by) => tokio::time::sleep(by).await,
                Mode::Silent => {
                    let _ = self.mode.wait_for(|mode| *mode != Mode::Silent).await;
                }
                Mode::LoseCommits { after } => {
                    if let Some(commits) = &self.commits
                        && bytes[..read].windows(6).any(|word| word == b"COMMIT")
                        && commits.fetch_add(1, Ordering::SeqCst) >= after
                    {
                        self.deaf.store(true, Ordering::SeqCst);
                        to.write_all(&bytes[..read]).await?;
                        // Time for the engine to do it.
                        tokio::time::sleep(Duration::from_millis(100)).await;
                        return Ok(());
                    }
                }
                Mode::Open | Mode::Cut => {}
            }
            if *self.mode.borrow() == Mode::Cut {
                return Ok(());
            }
            if !self.deaf.load(Ordering::SeqCst) {
                to.write_all(&bytes[..read]).await?;
            }
        }
    }
}
