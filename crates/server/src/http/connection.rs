//! One connection: how long its client may take over the head of a request, and how it is ended politely.
//!
//! hyper and hyper-util can do both, with a timer for every head and a look at the signal whenever anything moves: every
//! request pays for that. Here the connection has one alarm, which goes off now and then and asks whether anything has
//! come in the meantime, and wakes for the signal only when it is given.

use std::{
    convert::Infallible,
    mem,
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering},
    },
    task::{Context, Poll},
    time::Duration,
};

use futures_util::{FutureExt, future::BoxFuture};
use hyper::{body::Incoming, rt, server::conn::http1, service::service_fn};
use hyper_util::server::graceful::GracefulConnection;
use pin_project_lite::pin_project;
use tokio::{
    sync::watch,
    time::{Instant, Sleep, sleep},
};

use super::answer::Reply;

/// The longest head of a request, all its headers together.
const LARGEST_HEAD: usize = 32 * 1024;
const MOST_HEADERS: usize = 64;
/// So often the alarm goes off within the time for a head. Who has to be waited for gets that time, and at the most
/// one part of so many more.
const LOOKS: u32 = 4;

/// Answers the requests that come over `io` with `answer`, a future of its own size: nothing is boxed.
pub(super) fn connection<A: Future<Output = Reply> + Send>(
    io: impl rt::Read + rt::Write + Unpin + Send + 'static,
    answer: impl Fn(http::Request<Incoming>) -> A + Send,
    header_timeout: Duration,
    mut stop: watch::Receiver<bool>,
) -> impl Future<Output = ()> + Send {
    let turns = Arc::new(Turns::default());
    let counted = Arc::clone(&turns);
    let service = service_fn(move |request| {
        counted.next();
        let counted = Arc::clone(&counted);
        answer(request).map(move |reply| {
            counted.next();
            Ok::<_, Infallible>(reply)
        })
    });
    let connection = http1::Builder::new()
        .header_read_timeout(None)
        .max_buf_size(LARGEST_HEAD)
        .max_headers(MOST_HEADERS)
        .serve_connection(io, service);
    let is_to_stop = stop.clone();
    Attended {
        connection,
        alarm: sleep(header_timeout / LOOKS),
        every: header_timeout / LOOKS,
        turns,
        seen: 0,
        in_vain: 0,
        is_to_stop,
        signal: async move { drop(stop.wait_for(|stop| *stop).await) }.boxed(),
        is_new: true,
        is_ending: false,
    }
}

/// Moves on when the head of a request has come, and again when the request is answered: odd while one is answered, even
/// while the client is waited for.
#[derive(Debug, Default)]
struct Turns(AtomicU32);

impl Turns {
    /// Only the connection's own task calls it.
    fn next(&self) {
        self.0.store(self.now().wrapping_add(1), Ordering::Relaxed);
    }

    fn now(&self) -> u32 {
        self.0.load(Ordering::Relaxed)
    }
}

pin_project! {
    struct Attended<C> {
        #[pin]
        connection: C,
        #[pin]
        alarm: Sleep,
        every: Duration,
        turns: Arc<Turns>,
        // Which turn it was at the last alarm, and how many have gone off since without a head.
        seen: u32,
        in_vain: u32,
        is_to_stop: watch::Receiver<bool>,
        // Wakes the connection when it is to stop.
        signal: BoxFuture<'static, ()>,
        is_new: bool,
        is_ending: bool,
    }
}

impl<C: GracefulConnection> Future for Attended<C> {
    type Output = ();

    /// The alarm and the signal are looked at once, so that they wake this task, and then only when they have done so:
    /// a connection stays with its task.
    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        let mut this = self.project();
        let is_new = mem::take(this.is_new);
        if is_new {
            let _ = this.signal.poll_unpin(context);
        }
        // Also where nobody is left to give the signal.
        if !*this.is_ending && !matches!(this.is_to_stop.has_changed(), Ok(false)) {
            *this.is_ending = true;
            this.connection.as_mut().graceful_shutdown();
        }
        // How a connection ends is the client's business: a dropped one is no error of ours.
        if this.connection.poll(context).is_ready() {
            return Poll::Ready(());
        }
        if !is_new && !this.alarm.is_elapsed() {
            return Poll::Pending;
        }
        while this.alarm.as_mut().poll(context).is_ready() {
            let turn = this.turns.now();
            let is_quiet = turn.is_multiple_of(2) && turn == *this.seen;
            *this.in_vain = if is_quiet { *this.in_vain + 1 } else { 0 };
            *this.seen = turn;
            if *this.in_vain == LOOKS {
                return Poll::Ready(());
            }
            this.alarm.as_mut().reset(Instant::now() + *this.every);
        }
        Poll::Pending
    }
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;
    use http::Response;
    use http_body_util::{Either, Full};
    use hyper_util::rt::TokioIo;
    use tokio::{
        io::{AsyncReadExt, AsyncWriteExt, DuplexStream},
        task::JoinHandle,
        time::timeout,
    };

    use super::*;

    const HEAD: Duration = Duration::from_secs(16);
    const ANSWERING: Duration = Duration::from_mins(5);
    const GET: &[u8] = b"GET / HTTP/1.1\r\nhost: test\r\n\r\n";

    /// A client's end of a connection whose `/slow` takes its time.
    struct Client {
        io: DuplexStream,
        served: JoinHandle<()>,
        stop: watch::Sender<bool>,
    }

    impl Client {
        fn connect() -> Self {
            let (io, theirs) = tokio::io::duplex(4096);
            let (stop, stopped) = watch::channel(false);
            let answer = |request: http::Request<Incoming>| async move {
                if request.uri() == "/slow" {
                    sleep(ANSWERING).await;
                }
                Response::new(Either::Left(Full::from(Bytes::from_static(b"well"))))
            };
            let served = tokio::spawn(connection(TokioIo::new(theirs), answer, HEAD, stopped));
            Self { io, served, stop }
        }

        async fn get(&mut self, request: &[u8]) {
            self.io.write_all(request).await.unwrap();
            let mut answer = Vec::new();
            while !answer.ends_with(b"well") {
                assert_ne!(self.io.read_buf(&mut answer).await.unwrap(), 0, "it was hung up on");
            }
        }

        /// How long it takes until the other end hangs up, and what came before.
        async fn end(mut self) -> (Duration, Vec<u8>) {
            let (began, mut rest) = (Instant::now(), Vec::new());
            self.io.read_to_end(&mut rest).await.unwrap();
            self.served.await.unwrap();
            (began.elapsed(), rest)
        }
    }

    fn is_in_time(waited: Duration) -> bool {
        (HEAD..=HEAD + HEAD / LOOKS + Duration::from_millis(10)).contains(&waited)
    }

    #[tokio::test(start_paused = true)]
    async fn who_says_nothing_is_given_up_in_time() {
        let (waited, rest) = Client::connect().end().await;
        assert!(is_in_time(waited) && rest.is_empty(), "{waited:?}");
    }

    #[tokio::test(start_paused = true)]
    async fn a_head_byte_by_byte_gains_no_time() {
        let mut client = Client::connect();
        let began = Instant::now();
        while !client.served.is_finished() {
            let _ = client.io.write_all(if began.elapsed().is_zero() { b"G" } else { b"E" }).await;
            sleep(Duration::from_millis(100)).await;
        }
        assert!(
            is_in_time(began.elapsed().saturating_sub(Duration::from_millis(100))),
            "{:?}",
            began.elapsed()
        );
    }

    #[tokio::test(start_paused = true)]
    async fn each_head_has_its_own_time() {
        for pauses in [&[][..], &[1], &[15, 15, 15], &[3, 4, 5, 7, 15, 2, 1, 13]] {
            let mut client = Client::connect();
            for seconds in pauses {
                sleep(Duration::from_secs(*seconds)).await;
                client.get(GET).await;
            }
            let (waited, _) = client.end().await;
            assert!(is_in_time(waited), "{pauses:?}: {waited:?}");
        }
    }

    #[tokio::test(start_paused = true)]
    async fn an_answer_may_take_longer_than_a_head() {
        let mut client = Client::connect();
        client.get(b"GET /slow HTTP/1.1\r\nhost: test\r\n\r\n").await;
        client.get(GET).await;
        assert!(is_in_time(client.end().await.0));
    }

    #[tokio::test(start_paused = true)]
    async fn whoever_is_waited_for_when_it_ends_is_hung_up_on() {
        let mut client = Client::connect();
        client.get(GET).await;
        client.stop.send(true).unwrap();
        assert_eq!(client.end().await.0, Duration::ZERO);
    }

    #[tokio::test(start_paused = true)]
    async fn whoever_is_being_answered_when_it_ends_gets_the_answer() {
        let mut client = Client::connect();
        client.io.write_all(b"GET /slow HTTP/1.1\r\nhost: test\r\n\r\n").await.unwrap();
        assert!(timeout(ANSWERING / 2, &mut client.served).await.is_err());
        client.stop.send(true).unwrap();
        let (_, rest) = client.end().await;
        assert!(rest.ends_with(b"well"), "{}", String::from_utf8_lossy(&rest));
    }

    #[tokio::test(start_paused = true)]
    async fn it_ends_also_where_nobody_is_left_to_tell_it() {
        let Client { mut io, served, stop } = Client::connect();
        tokio::task::yield_now().await;
        drop(stop);
        served.await.unwrap();
        assert_eq!(io.read(&mut [0]).await.unwrap(), 0);
    }
}
