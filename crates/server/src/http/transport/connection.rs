//! One connection: the time a client has for the head of a request, and graceful shutdown.
//!
//! hyper's `header_read_timeout` sets a timer for every request, and hyper-util's `GracefulShutdown` checks its signal at
//! every poll. Both together cost about 1,300 instructions per request more than this file (callgrind), 5 % of a list of
//! tools. Here one task per connection checks a counter a few times per timeout, and a request only increments it.

use std::{
    convert::Infallible,
    pin::pin,
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering::Relaxed},
    },
    time::Duration,
};

use axum::response::Response;
use futures_util::FutureExt;
use http::Request;
use hyper::{body::Incoming, rt, server::conn::http1, service::service_fn};
use tokio::{sync::watch, time::sleep};
use tower::{Service, ServiceExt};

/// The largest head of a request, all headers together.
const MAX_HEAD_BYTES: usize = 32 * 1024;
const MAX_HEADERS: usize = 64;
/// Idle checks per header timeout. A client gets the header timeout, and at most one check interval more.
const IDLE_CHECKS: u32 = 4;

/// Serves the requests of one connection until the client leaves, is idle for too long, or `stop` is true.
pub(super) async fn serve_connection<S>(
    io: impl rt::Read + rt::Write + Unpin + Send + 'static,
    service: S,
    header_timeout: Duration,
    stop: watch::Receiver<bool>,
) where
    S: Service<Request<Incoming>, Response = Response, Error = Infallible, Future: Send>,
    S: Clone + Send + 'static,
{
    let activity = Arc::new(Activity::default());
    // A task of its own: a connection that polled the timer itself would do so at every request.
    let mut monitor = tokio::spawn(monitor(Arc::clone(&activity), header_timeout, stop));
    let counted = Arc::clone(&activity);
    let service = service_fn(move |request| {
        counted.advance();
        let counted = Arc::clone(&counted);
        service.clone().oneshot(request).inspect(move |_| counted.advance())
    });
    let mut connection = pin!(
        http1::Builder::new()
            .header_read_timeout(None)
            .max_buf_size(MAX_HEAD_BYTES)
            .max_headers(MAX_HEADERS)
            .serve_connection(io, service)
    );
    let is_stopping = tokio::select! {
        biased;
        // A client that closes its connection is no error of the service.
        _ = connection.as_mut() => false,
        ended = &mut monitor => matches!(ended, Ok(EndReason::Stop)),
    };
    monitor.abort();
    if is_stopping {
        connection.as_mut().graceful_shutdown();
        tokio::select! {
            _ = connection => {}
            () = activity.idle(header_timeout) => {}
        }
    }
}

/// Incremented when the head of a request has arrived, and again when its response is ready. An even number means that
/// the connection waits for a request.
#[derive(Debug, Default)]
struct Activity(AtomicU32);

impl Activity {
    fn advance(&self) {
        self.0.fetch_add(1, Relaxed);
    }

    /// Returns when the connection has waited for the head of a request for the whole timeout.
    async fn idle(&self, header_timeout: Duration) {
        let (mut seen, mut idle_checks) = (0, 0);
        while idle_checks < IDLE_CHECKS {
            sleep(header_timeout / IDLE_CHECKS).await;
            let now = self.0.load(Relaxed);
            idle_checks = if now.is_multiple_of(2) && now == seen { idle_checks + 1 } else { 0 };
            seen = now;
        }
    }
}

enum EndReason {
    Idle,
    Stop,
}

async fn monitor(
    activity: Arc<Activity>,
    header_timeout: Duration,
    mut stop: watch::Receiver<bool>,
) -> EndReason {
    tokio::select! {
        () = activity.idle(header_timeout) => EndReason::Idle,
        // Also when the sender is gone.
        _ = stop.wait_for(|stop| *stop) => EndReason::Stop,
    }
}

#[cfg(test)]
mod tests {
    use axum::body::Body;
    use hyper_util::rt::TokioIo;
    use tokio::{
        io::{AsyncReadExt, AsyncWriteExt, DuplexStream},
        task::JoinHandle,
        time::{Instant, timeout},
    };

    use super::*;

    const HEADER_TIMEOUT: Duration = Duration::from_secs(16);
    const SLOW_RESPONSE: Duration = Duration::from_mins(5);
    const GET: &[u8] = b"GET / HTTP/1.1\r\nhost: test\r\n\r\n";
    const GET_SLOW: &[u8] = b"GET /slow HTTP/1.1\r\nhost: test\r\n\r\n";

    /// The client's end of a connection. `/slow` is answered after [`SLOW_RESPONSE`].
    struct Client {
        io: DuplexStream,
        served: JoinHandle<()>,
        stop: watch::Sender<bool>,
    }

    impl Client {
        fn connect() -> Self {
            let (io, server_io) = tokio::io::duplex(4096);
            let (stop, stopped) = watch::channel(false);
            let service = tower::service_fn(|request: Request<Incoming>| async move {
                if request.uri() == "/slow" {
                    sleep(SLOW_RESPONSE).await;
                }
                Ok(Response::new(Body::from("well")))
            });
            let connection = serve_connection(TokioIo::new(server_io), service, HEADER_TIMEOUT, stopped);
            Self { io, served: tokio::spawn(connection), stop }
        }

        async fn get(&mut self, request: &[u8]) {
            self.io.write_all(request).await.unwrap();
            let mut response = Vec::new();
            while !response.ends_with(b"well") {
                assert_ne!(self.io.read_buf(&mut response).await.unwrap(), 0, "the connection was closed");
            }
        }

        /// How long it takes until the server closes the connection, and what it sent before.
        async fn end(mut self) -> (Duration, Vec<u8>) {
            let (start, mut rest) = (Instant::now(), Vec::new());
            self.io.read_to_end(&mut rest).await.unwrap();
            self.served.await.unwrap();
            (start.elapsed(), rest)
        }
    }

    fn is_in_time(waited: Duration) -> bool {
        let latest = HEADER_TIMEOUT + HEADER_TIMEOUT / IDLE_CHECKS + Duration::from_millis(10);
        (HEADER_TIMEOUT..=latest).contains(&waited)
    }

    #[tokio::test(start_paused = true)]
    async fn silent_connection_is_closed_after_the_header_timeout() {
        let (waited, rest) = Client::connect().end().await;
        assert!(is_in_time(waited) && rest.is_empty(), "{waited:?}");
    }

    #[tokio::test(start_paused = true)]
    async fn head_sent_byte_by_byte_gains_no_time() {
        let mut client = Client::connect();
        let start = Instant::now();
        while !client.served.is_finished() {
            let _ = client.io.write_all(if start.elapsed().is_zero() { b"G" } else { b"E" }).await;
            sleep(Duration::from_millis(100)).await;
        }
        let waited = start.elapsed();
        assert!(is_in_time(waited.saturating_sub(Duration::from_millis(100))), "{waited:?}");
    }

    #[tokio::test(start_paused = true)]
    async fn each_head_has_the_whole_timeout() {
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
    async fn response_may_take_longer_than_the_header_timeout() {
        let mut client = Client::connect();
        client.get(GET_SLOW).await;
        client.get(GET).await;
        assert!(is_in_time(client.end().await.0));
    }

    #[tokio::test(start_paused = true)]
    async fn idle_connection_is_closed_at_shutdown() {
        let mut client = Client::connect();
        client.get(GET).await;
        client.stop.send(true).unwrap();
        assert_eq!(client.end().await.0, Duration::ZERO);
    }

    #[tokio::test(start_paused = true)]
    async fn request_in_flight_is_answered_at_shutdown() {
        let mut client = Client::connect();
        client.io.write_all(GET_SLOW).await.unwrap();
        assert!(timeout(SLOW_RESPONSE / 2, &mut client.served).await.is_err());
        client.stop.send(true).unwrap();
        let (_, rest) = client.end().await;
        assert!(rest.ends_with(b"well"), "{}", String::from_utf8_lossy(&rest));
    }

    #[tokio::test(start_paused = true)]
    async fn half_a_head_does_not_delay_shutdown_beyond_the_header_timeout() {
        let mut client = Client::connect();
        client.io.write_all(b"GET / HT").await.unwrap();
        sleep(Duration::from_millis(1)).await;
        client.stop.send(true).unwrap();
        assert!(client.end().await.0 <= HEADER_TIMEOUT + Duration::from_millis(10));
    }

    #[tokio::test(start_paused = true)]
    async fn connection_ends_when_the_stop_signal_is_dropped() {
        let Client { mut io, served, stop } = Client::connect();
        tokio::task::yield_now().await;
        drop(stop);
        served.await.unwrap();
        assert_eq!(io.read(&mut [0]).await.unwrap(), 0);
    }
}
