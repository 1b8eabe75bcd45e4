//! A load generator for what wrk cannot do: an exact number of requests, and a fixed rate.
//!
//! At a fixed rate every request has its moment, and its latency counts from there: a server that falls behind cannot
//! hide it by being sent less. One thread that never sleeps, so that a request leaves when it is due; give it a core.

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
use serde_json::json;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    task::{LocalSet, yield_now},
};

#[derive(Parser)]
struct Args {
    #[arg(long)]
    address: SocketAddr,
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
    #[arg(long)]
    requests: usize,
    #[arg(long, default_value_t = 64)]
    connections: usize,
    /// Requests a second; 0: each connection sends as soon as it has its answer
    #[arg(long, default_value_t = 0.0)]
    rate: f64,
}

/// One run: what is sent, and what came back.
struct Run {
    requests: Vec<Vec<u8>>,
    total: usize,
    rate: f64,
    started: Instant,
    sent: Cell<usize>,
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
    let mut streams = Vec::new();
    for _ in 0..args.connections {
        let stream = TcpStream::connect(args.address).await.expect("a connection");
        stream.set_nodelay(true).expect("a socket");
        streams.push(stream);
    }
    let run = Rc::new(Run {
        requests,
        total: args.requests,
        rate: args.rate,
        started: Instant::now(),
        sent: Cell::new(0),
        micros: RefCell::new(Vec::with_capacity(args.requests)),
        statuses: RefCell::default(),
    });
    let tasks: Vec<_> = streams
        .into_iter()
        .map(|stream| tokio::task::spawn_local(connection(stream, Rc::clone(&run))))
        .collect();
    for task in tasks {
        task.await.expect("a connection that ends well");
    }
    let seconds = run.started.elapsed().as_secs_f64();
    let mut micros = run.micros.borrow_mut();
    micros.sort_unstable();
    let (p50, p99) = (percentile(&micros, 0.5), percentile(&micros, 0.99));
    println!(
        "{}",
        json!({"requests": micros.len(), "seconds": seconds, "p50_us": p50, "p99_us": p99,
               "statuses": *run.statuses.borrow()})
    );
}

async fn connection(mut stream: TcpStream, run: Rc<Run>) {
    let mut buffer = vec![0; 256 * 1024];
    loop {
        let number = run.sent.get();
        if number >= run.total {
            return;
        }
        run.sent.set(number + 1);
        let due = due(&run, number).await;
        stream.write_all(&run.requests[number % run.requests.len()]).await.expect("a request sent");
        let status = read_answer(&mut stream, &mut buffer).await;
        run.micros.borrow_mut().push(u32::try_from(due.elapsed().as_micros()).unwrap_or(u32::MAX));
        *run.statuses.borrow_mut().entry(status).or_default() += 1;
    }
}

/// Waits for the moment of a request, and gives it.
async fn due(run: &Run, number: usize) -> Instant {
    if run.rate == 0.0 {
        return Instant::now();
    }
    let due = run.started + Duration::from_secs_f64(number as f64 / run.rate);
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
