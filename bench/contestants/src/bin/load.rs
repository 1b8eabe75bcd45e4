//! A load generator for what wrk cannot do: an exact number of requests, a fixed rate, and several servers in turns of a
//! few hundredths of a second.
//!
//! At a fixed rate every request has its moment, and its latency counts from there: a server that falls behind cannot
//! hide it by being sent less. One thread, which never sleeps then, so that a request leaves when it is due; give it a
//! core.

use std::{
    cell::{Cell, RefCell},
    collections::BTreeMap,
    fs,
    net::SocketAddr,
    path::PathBuf,
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
};

#[derive(Parser)]
struct Args {
    /// Several take turns, each time in a new random order
    #[arg(long, required = true, num_args = 1..)]
    address: Vec<SocketAddr>,
    /// Of `query`, which takes turns with them and is told only how many queries are one
    #[arg(long)]
    alone: Option<SocketAddr>,
    /// The request as it goes over the wire, `{KEY}` standing for the key
    #[arg(long)]
    request: PathBuf,
    /// A key a line
    #[arg(long)]
    keys: PathBuf,
    /// The first key to send; they are sent in turn
    #[arg(long, default_value_t = 0)]
    from: usize,
    /// How many different keys to send
    #[arg(long)]
    different: usize,
    /// In a turn
    #[arg(long)]
    requests: usize,
    #[arg(long, default_value_t = 1)]
    turns: usize,
    /// For the order
    #[arg(long, default_value_t = 0)]
    seed: u64,
    #[arg(long, default_value_t = 64)]
    connections: usize,
    /// Requests a second; 0: each connection sends as soon as it has its answer
    #[arg(long, default_value_t = 0.0)]
    rate: f64,
    /// Never sleeps: no server pays for waking it, as none does for a client on another machine
    #[arg(long)]
    awake: bool,
}

enum Contestant {
    Alone(Alone),
    Server(Server),
}

/// Who does a turn's work by itself, and what it told of each turn.
struct Alone {
    stream: BufReader<TcpStream>,
    seconds: Vec<f64>,
    p50s: Vec<u32>,
    p99s: Vec<u32>,
}

/// A server, and what came back from it.
struct Server {
    connections: Vec<Connection>,
    sent: usize,
    micros: Vec<u32>,
    statuses: BTreeMap<String, usize>,
    /// How long each turn took.
    seconds: Vec<f64>,
}

struct Connection {
    stream: TcpStream,
    buffer: Vec<u8>,
}

/// One turn of one server.
struct Turn {
    requests: Rc<Vec<Vec<u8>>>,
    rate: f64,
    started: Instant,
    first: usize,
    end: usize,
    next: Cell<usize>,
    micros: RefCell<Vec<u32>>,
    statuses: RefCell<BTreeMap<String, usize>>,
}

fn main() {
    let args = Args::parse();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    LocalSet::new().block_on(&runtime, run(args));
}

async fn run(args: Args) {
    let keys = fs::read_to_string(&args.keys).expect("the file of keys");
    let request = fs::read_to_string(&args.request).expect("the request's file");
    let keys = keys.lines().skip(args.from).take(args.different);
    let requests: Vec<Vec<u8>> = keys.map(|key| request.replace("{KEY}", key).into_bytes()).collect();
    assert_eq!(requests.len(), args.different, "the file has enough keys");
    let requests = Rc::new(requests);
    let mut contestants = Vec::new();
    if let Some(address) = args.alone {
        contestants.push(Contestant::Alone(Alone::connect(address).await));
    }
    for address in &args.address {
        contestants.push(Contestant::Server(Server::connect(*address, &args).await));
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
    for _ in 0..args.turns {
        order.shuffle(&mut random);
        for place in &order {
            match &mut contestants[*place] {
                Contestant::Alone(alone) => alone.take_turn(args.requests).await,
                Contestant::Server(server) => server.take_turn(&requests, &args).await,
            }
        }
    }
    let told = contestants.into_iter().map(|contestant| match contestant {
        Contestant::Alone(alone) => alone.told(args.requests),
        Contestant::Server(server) => server.told(),
    });
    let told: Vec<Value> = told.collect();
    println!("{}", json!(told));
}

impl Alone {
    async fn connect(address: SocketAddr) -> Self {
        let stream = TcpStream::connect(address).await.expect("a connection");
        let (seconds, p50s, p99s) = Default::default();
        Self { stream: BufReader::new(stream), seconds, p50s, p99s }
    }

    async fn take_turn(&mut self, requests: usize) {
        let started = Instant::now();
        self.stream.write_all(format!("{requests}\n").as_bytes()).await.expect("a turn told");
        let mut told = String::new();
        self.stream.read_line(&mut told).await.expect("an answer");
        self.seconds.push(started.elapsed().as_secs_f64());
        let (p50, p99) = told.trim().split_once(' ').expect("two numbers");
        self.p50s.push(p50.parse().expect("a number"));
        self.p99s.push(p99.parse().expect("a number"));
    }

    fn told(mut self, requests: usize) -> Value {
        self.p50s.sort_unstable();
        self.p99s.sort_unstable();
        let (p50, p99) = (percentile(&self.p50s, 0.5), percentile(&self.p99s, 0.5));
        let requests = requests * self.seconds.len();
        let statuses = json!({"200": requests});
        json!({"requests": requests, "seconds": self.seconds, "p50_us": p50, "p99_us": p99, "statuses": statuses})
    }
}

impl Server {
    async fn connect(address: SocketAddr, args: &Args) -> Self {
        let mut connections = Vec::new();
        for _ in 0..args.connections {
            let stream = TcpStream::connect(address).await.expect("a connection");
            stream.set_nodelay(true).expect("a socket");
            connections.push(Connection { stream, buffer: vec![0; 256 * 1024] });
        }
        let micros = Vec::with_capacity(args.requests * args.turns);
        Self { connections, sent: 0, micros, statuses: BTreeMap::new(), seconds: Vec::new() }
    }

    async fn take_turn(&mut self, requests: &Rc<Vec<Vec<u8>>>, args: &Args) {
        let turn = Rc::new(Turn {
            requests: Rc::clone(requests),
            rate: args.rate,
            started: Instant::now(),
            first: self.sent,
            end: self.sent + args.requests,
            next: Cell::new(self.sent),
            micros: RefCell::new(std::mem::take(&mut self.micros)),
            statuses: RefCell::new(std::mem::take(&mut self.statuses)),
        });
        let at_work: Vec<_> = self
            .connections
            .drain(..)
            .map(|connection| spawn_local(connection.send(Rc::clone(&turn))))
            .collect();
        for connection in at_work {
            self.connections.push(connection.await.expect("a connection that ends well"));
        }
        self.seconds.push(turn.started.elapsed().as_secs_f64());
        self.sent = turn.end;
        (self.micros, self.statuses) = (turn.micros.take(), turn.statuses.take());
    }

    fn told(mut self) -> Value {
        self.micros.sort_unstable();
        let (p50, p99) = (percentile(&self.micros, 0.5), percentile(&self.micros, 0.99));
        json!({"requests": self.sent, "seconds": self.seconds, "p50_us": p50, "p99_us": p99, "statuses": self.statuses})
    }
}

impl Connection {
    /// Sends what is left of the turn, one after the other.
    async fn send(mut self, turn: Rc<Turn>) -> Self {
        loop {
            let number = turn.next.get();
            if number >= turn.end {
                return self;
            }
            turn.next.set(number + 1);
            let due = due(&turn, number - turn.first).await;
            let request = &turn.requests[number % turn.requests.len()];
            self.stream.write_all(request).await.expect("a request sent");
            let status = read_answer(&mut self.stream, &mut self.buffer).await;
            turn.micros.borrow_mut().push(u32::try_from(due.elapsed().as_micros()).unwrap_or(u32::MAX));
            *turn.statuses.borrow_mut().entry(status).or_default() += 1;
        }
    }
}

/// Waits for the moment of a request, and gives it.
async fn due(turn: &Turn, number: usize) -> Instant {
    if turn.rate == 0.0 {
        return Instant::now();
    }
    let due = turn.started + Duration::from_secs_f64(number as f64 / turn.rate);
    while Instant::now() < due {
        yield_now().await;
    }
    due
}

/// Reads one whole answer and gives its status.
async fn read_answer(stream: &mut TcpStream, buffer: &mut [u8]) -> String {
    let (mut filled, mut whole) = (0, None);
    loop {
        let read = stream.read(&mut buffer[filled..]).await.expect("an answer");
        assert!(read > 0, "the server closed the connection");
        filled += read;
        if whole.is_none() {
            whole = whole_length(&buffer[..filled]);
        }
        if whole.is_some_and(|whole| filled >= whole) {
            return String::from_utf8_lossy(&buffer[9..12]).into_owned();
        }
    }
}

/// How long the answer is with its body, once its head is here.
fn whole_length(received: &[u8]) -> Option<usize> {
    let end = received.windows(4).position(|four| four == b"\r\n\r\n")?;
    let head = std::str::from_utf8(&received[..end]).expect("a head in ASCII");
    let length = head.split("\r\n").filter_map(|line| line.split_once(": ")).find_map(|(name, value)| {
        if name.eq_ignore_ascii_case("content-length") { value.parse::<usize>().ok() } else { None }
    });
    Some(end + 4 + length.expect("an answer with a length"))
}
