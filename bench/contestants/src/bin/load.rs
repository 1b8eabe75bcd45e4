//! A load generator for what wrk cannot do: an exact number of requests, a fixed rate, and several servers in short turns.
//!
//! At a fixed rate every request has a due time, and its latency counts from there: a server that falls behind cannot
//! hide it. The only thread then never sleeps, so that requests leave on time. Give it a core of its own.
//!
//! A server may close an idle connection, for example after the machine stalled. The request is then sent again over a
//! new connection. Any other failure ends the program with one line on stderr.

use std::{
    cell::{Cell, RefCell},
    collections::BTreeMap,
    error::Error,
    fs, io,
    net::SocketAddr,
    path::PathBuf,
    process::ExitCode,
    rc::Rc,
    time::{Duration, Instant},
};

use clap::Parser;
use contestants::percentile;
use rand::{SeedableRng, rngs::StdRng, seq::SliceRandom};
use serde_json::{Value, json};
use tokio::{
    io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader},
    net::TcpStream,
    task::{LocalSet, spawn_local, yield_now},
    time::{sleep, timeout},
};

type Result<T, E = Box<dyn Error>> = std::result::Result<T, E>;

const CONNECT_TIMEOUT: Duration = Duration::from_secs(60);
/// A turn takes a fraction of a second. The rest is for a machine that stalls.
const TURN_TIMEOUT: Duration = Duration::from_secs(300);
/// How often a request is sent again when the connection ends before any answer.
const MAX_ATTEMPTS: usize = 5;
const MAX_RESPONSE_BYTES: usize = 256 * 1024;

#[derive(Parser)]
struct Args {
    /// The servers; several take turns, in a new random order each time
    #[arg(long, required = true, num_args = 1..)]
    address: Vec<SocketAddr>,
    /// The address of a `query` program, which takes turns with the servers and is told how many queries to run
    #[arg(long)]
    query: Option<SocketAddr>,
    /// The file with the request as sent over the wire, `{KEY}` in the place of the key
    #[arg(long)]
    request: PathBuf,
    /// The file of keys, one in each line
    #[arg(long)]
    keys: PathBuf,
    /// How many keys of the file to skip
    #[arg(long, default_value_t = 0)]
    skip: usize,
    /// How many different keys to send, one after the other
    #[arg(long)]
    different: usize,
    /// Requests in a turn
    #[arg(long)]
    requests: usize,
    #[arg(long, default_value_t = 1)]
    turns: usize,
    /// Turns before those that are measured
    #[arg(long, default_value_t = 0)]
    warm_up: usize,
    /// For the order of the turns
    #[arg(long, default_value_t = 0)]
    seed: u64,
    #[arg(long, default_value_t = 64)]
    connections: usize,
    /// Requests a second; 0: a connection sends the next request when it has its answer
    #[arg(long, default_value_t = 0.0)]
    rate: f64,
    /// Never sleep: then no server spends time on waking this process, as with a client on another machine
    #[arg(long)]
    awake: bool,
}

fn main() -> ExitCode {
    match start(Args::parse()) {
        Ok(results) => {
            println!("{results}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("load: {error}");
            ExitCode::FAILURE
        }
    }
}

fn start(args: Args) -> Result<Value> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    LocalSet::new().block_on(&runtime, run(args))
}

async fn run(args: Args) -> Result<Value> {
    let requests = Rc::new(read_requests(&args)?);
    let mut contestants = Vec::new();
    if let Some(address) = args.query {
        contestants.push(Contestant::Query(QueryProgram::connect(address).await?));
    }
    for address in &args.address {
        contestants.push(Contestant::Server(Server::connect(*address, &args).await?));
    }
    if args.awake {
        spawn_local(async {
            loop {
                yield_now().await;
            }
        });
    }
    let mut random = StdRng::seed_from_u64(args.seed);
    let mut order: Vec<usize> = (0..contestants.len()).collect();
    for turn in 0..args.warm_up + args.turns {
        if turn == args.warm_up {
            contestants.iter_mut().for_each(Contestant::forget_warm_up);
        }
        order.shuffle(&mut random);
        for index in &order {
            contestants[*index].take_turn(&requests, &args).await?;
        }
    }
    Ok(contestants.into_iter().map(|contestant| contestant.results(args.requests)).collect())
}

fn read_requests(args: &Args) -> Result<Vec<Vec<u8>>> {
    let read = |file: &PathBuf| {
        fs::read_to_string(file).map_err(|error| format!("cannot read {}: {error}", file.display()))
    };
    let (keys, request) = (read(&args.keys)?, read(&args.request)?);
    let keys = keys.lines().skip(args.skip).take(args.different);
    let requests: Vec<Vec<u8>> = keys.map(|key| request.replace("{KEY}", key).into_bytes()).collect();
    if requests.len() < args.different {
        return Err(format!("{} has only {} keys to send", args.keys.display(), requests.len()).into());
    }
    Ok(requests)
}

async fn connect(address: SocketAddr) -> Result<TcpStream> {
    let started = Instant::now();
    loop {
        match TcpStream::connect(address).await {
            Ok(stream) => {
                stream.set_nodelay(true)?;
                return Ok(stream);
            }
            Err(error) if started.elapsed() > CONNECT_TIMEOUT => {
                return Err(format!("cannot connect to {address}: {error}").into());
            }
            Err(_) => sleep(Duration::from_millis(50)).await,
        }
    }
}

enum Contestant {
    Query(QueryProgram),
    Server(Server),
}

impl Contestant {
    async fn take_turn(&mut self, requests: &Rc<Vec<Vec<u8>>>, args: &Args) -> Result<()> {
        match self {
            Self::Query(program) => program.take_turn(args.requests).await,
            Self::Server(server) => server.take_turn(requests, args).await,
        }
    }

    fn forget_warm_up(&mut self) {
        match self {
            Self::Query(program) => program.turns.clear(),
            Self::Server(server) => server.measured = Measured::default(),
        }
    }

    fn results(self, requests_per_turn: usize) -> Value {
        match self {
            Self::Query(program) => program.results(requests_per_turn),
            Self::Server(server) => server.results(requests_per_turn),
        }
    }
}

/// The program `query`, which runs the queries of a turn itself.
struct QueryProgram {
    address: SocketAddr,
    stream: BufReader<TcpStream>,
    /// Seconds, and the two percentiles in microseconds.
    turns: Vec<(f64, u32, u32)>,
}

impl QueryProgram {
    async fn connect(address: SocketAddr) -> Result<Self> {
        Ok(Self { address, stream: BufReader::new(connect(address).await?), turns: Vec::new() })
    }

    async fn take_turn(&mut self, queries: usize) -> Result<()> {
        let started = Instant::now();
        self.stream.write_all(format!("{queries}\n").as_bytes()).await?;
        let mut line = String::new();
        timeout(TURN_TIMEOUT, self.stream.read_line(&mut line)).await??;
        let numbers: Option<(u32, u32)> =
            line.trim().split_once(' ').and_then(|(p50, p99)| Some((p50.parse().ok()?, p99.parse().ok()?)));
        let (p50, p99) =
            numbers.ok_or_else(|| format!("the query program at {} answered {line:?}", self.address))?;
        self.turns.push((started.elapsed().as_secs_f64(), p50, p99));
        Ok(())
    }

    fn results(self, queries_per_turn: usize) -> Value {
        let median = |mut values: Vec<u32>| {
            values.sort_unstable();
            percentile(&values, 0.5)
        };
        let queries = queries_per_turn * self.turns.len();
        json!({
            "requests": queries,
            "seconds": self.turns.iter().map(|turn| turn.0).collect::<Vec<_>>(),
            "p50_us": median(self.turns.iter().map(|turn| turn.1).collect()),
            "p99_us": median(self.turns.iter().map(|turn| turn.2).collect()),
            "statuses": {"200": queries},
            "broken": 0,
            "reconnects": 0,
        })
    }
}

struct Server {
    address: SocketAddr,
    connections: Vec<Connection>,
    /// Of all requests, the warm-up's included: which key is next.
    sent: usize,
    measured: Measured,
}

#[derive(Default)]
struct Measured {
    /// Of each turn.
    seconds: Vec<f64>,
    /// The latency of each request, in microseconds.
    micros: Vec<u32>,
    statuses: BTreeMap<u16, usize>,
    /// Answers that ended before they were complete.
    broken: usize,
    /// How often a server had closed the connection before a request.
    reconnects: usize,
}

/// One turn of one server, shared by its connections.
struct Turn {
    requests: Rc<Vec<Vec<u8>>>,
    rate: f64,
    started: Instant,
    first: usize,
    end: usize,
    next: Cell<usize>,
    measured: RefCell<Measured>,
}

impl Server {
    async fn connect(address: SocketAddr, args: &Args) -> Result<Self> {
        let mut connections = Vec::new();
        for _ in 0..args.connections {
            let stream = connect(address).await?;
            connections.push(Connection { address, stream, buffer: vec![0; MAX_RESPONSE_BYTES] });
        }
        Ok(Self { address, connections, sent: 0, measured: Measured::default() })
    }

    async fn take_turn(&mut self, requests: &Rc<Vec<Vec<u8>>>, args: &Args) -> Result<()> {
        let turn = Rc::new(Turn {
            requests: Rc::clone(requests),
            rate: args.rate,
            started: Instant::now(),
            first: self.sent,
            end: self.sent + args.requests,
            next: Cell::new(self.sent),
            measured: RefCell::new(std::mem::take(&mut self.measured)),
        });
        let mut max_time = TURN_TIMEOUT;
        if args.rate > 0.0 {
            max_time += Duration::from_secs_f64(args.requests as f64 / args.rate);
        }
        let tasks: Vec<_> = self
            .connections
            .drain(..)
            .map(|connection| spawn_local(connection.send_until_end(Rc::clone(&turn))))
            .collect();
        for task in tasks {
            let rest = max_time.saturating_sub(turn.started.elapsed());
            let connection = timeout(rest, task).await.map_err(|_| {
                format!("{} did not answer {} requests within {max_time:?}", self.address, args.requests)
            })???;
            self.connections.push(connection);
        }
        self.sent = turn.end;
        self.measured = turn.measured.take();
        self.measured.seconds.push(turn.started.elapsed().as_secs_f64());
        Ok(())
    }

    fn results(mut self, requests_per_turn: usize) -> Value {
        let measured = &mut self.measured;
        measured.micros.sort_unstable();
        json!({
            "requests": requests_per_turn * measured.seconds.len(),
            "seconds": measured.seconds,
            "p50_us": percentile(&measured.micros, 0.5),
            "p99_us": percentile(&measured.micros, 0.99),
            "statuses": measured.statuses,
            "broken": measured.broken,
            "reconnects": measured.reconnects,
        })
    }
}

struct Connection {
    address: SocketAddr,
    stream: TcpStream,
    buffer: Vec<u8>,
}

enum Outcome {
    Status(u16),
    /// The connection ended before the first byte of an answer.
    Unanswered(io::Error),
    /// The connection ended in the middle of an answer.
    Broken,
}

impl Connection {
    /// Sends requests one after the other until the turn has no more.
    async fn send_until_end(mut self, turn: Rc<Turn>) -> Result<Self> {
        loop {
            let number = turn.next.get();
            if number >= turn.end {
                return Ok(self);
            }
            turn.next.set(number + 1);
            let due = wait_until_due(&turn, number - turn.first).await;
            let status = self.exchange(&turn.requests[number % turn.requests.len()], &turn).await?;
            let measured = &mut turn.measured.borrow_mut();
            measured.micros.push(u32::try_from(due.elapsed().as_micros()).unwrap_or(u32::MAX));
            match status {
                Some(status) => *measured.statuses.entry(status).or_default() += 1,
                None => measured.broken += 1,
            }
        }
    }

    /// The status of the answer, or `None` if it was not complete.
    async fn exchange(&mut self, request: &[u8], turn: &Turn) -> Result<Option<u16>> {
        let mut attempts = 1;
        loop {
            match self.attempt(request).await? {
                Outcome::Status(status) => return Ok(Some(status)),
                Outcome::Broken => {
                    self.stream = connect(self.address).await?;
                    return Ok(None);
                }
                Outcome::Unanswered(error) if attempts == MAX_ATTEMPTS => {
                    return Err(format!(
                        "{} closed {attempts} connections without an answer: {error}",
                        self.address
                    )
                    .into());
                }
                Outcome::Unanswered(_) => {
                    attempts += 1;
                    turn.measured.borrow_mut().reconnects += 1;
                    self.stream = connect(self.address).await?;
                }
            }
        }
    }

    async fn attempt(&mut self, request: &[u8]) -> Result<Outcome> {
        if let Err(error) = self.stream.write_all(request).await {
            return Ok(Outcome::Unanswered(error));
        }
        let (mut filled, mut length) = (0, None);
        loop {
            match self.stream.read(&mut self.buffer[filled..]).await {
                Ok(0) if filled == 0 => return Ok(Outcome::Unanswered(io::ErrorKind::UnexpectedEof.into())),
                Err(error) if filled == 0 => return Ok(Outcome::Unanswered(error)),
                Ok(0) | Err(_) => return Ok(Outcome::Broken),
                Ok(read) => filled += read,
            }
            if length.is_none() {
                length = response_length(&self.buffer[..filled])?;
            }
            if length.is_some_and(|length| filled >= length) {
                return Ok(Outcome::Status(std::str::from_utf8(&self.buffer[9..12])?.parse()?));
            }
        }
    }
}

/// Waits until the request's time has come, and returns that time.
async fn wait_until_due(turn: &Turn, number: usize) -> Instant {
    if turn.rate == 0.0 {
        return Instant::now();
    }
    let due = turn.started + Duration::from_secs_f64(number as f64 / turn.rate);
    while Instant::now() < due {
        yield_now().await;
    }
    due
}

/// The length of the whole response, once its head has arrived.
fn response_length(received: &[u8]) -> Result<Option<usize>> {
    let Some(end) = received.windows(4).position(|four| four == b"\r\n\r\n") else {
        return Ok(None);
    };
    let head = std::str::from_utf8(&received[..end])?;
    let length = head.split("\r\n").filter_map(|line| line.split_once(": ")).find_map(|(name, value)| {
        if name.eq_ignore_ascii_case("content-length") { value.parse::<usize>().ok() } else { None }
    });
    let length = end + 4 + length.ok_or_else(|| format!("a response has no Content-Length: {head:?}"))?;
    if length > MAX_RESPONSE_BYTES {
        return Err(format!("a response has {length} bytes, more than {MAX_RESPONSE_BYTES}").into());
    }
    Ok(Some(length))
}
