//! One connection: its requests, the time it may wait for the client, and graceful shutdown.
//!
//! hyper's `header_read_timeout` sets a timer for every request and does not tell an idle connection from a slow head, and
//! hyper-util's `GracefulShutdown` checks its signal at every poll. Both together cost about 1,300 instructions per request
//! more than this file (callgrind), 5 % of a list of tools. hyper has no timeout for writes.

use std::{convert::Infallible, pin::pin, sync::Arc};

use axum::response::Response;
use futures_util::FutureExt;
use http::Request;
use hyper::{body::Incoming, rt, server::conn::http1, service::service_fn};
use tokio::sync::watch;
use tower::{Service, ServiceExt};

use super::activity::{Activity, MonitoredIo, Timeouts};

/// The largest head of a request, all headers together.
const MAX_HEAD_BYTES: usize = 32 * 1024;
const MAX_HEADERS: usize = 64;

/// Serves the requests of one connection until the client leaves, is too slow, or `stop` is true.
pub(super) async fn serve_connection<S>(
    io: impl rt::Read + rt::Write + Unpin + Send + 'static,
    service: S,
    timeouts: Timeouts,
    stop: watch::Receiver<bool>,
) where
    S: Service<Request<Incoming>, Response = Response, Error = Infallible, Future: Send>,
    S: Clone + Send + 'static,
{
    let activity = Arc::new(Activity::default());
    // A task of its own: a connection that polled the timer itself would do so at every request.
    let mut monitor = tokio::spawn(monitor(Arc::clone(&activity), timeouts, stop));
    let io = MonitoredIo::new(io, Arc::clone(&activity));
    let reported = Arc::clone(&activity);
    let service = service_fn(move |request| {
        reported.head_received();
        let reported = Arc::clone(&reported);
        service.clone().oneshot(request).inspect(move |_| reported.response_ready())
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
            () = activity.expired(&timeouts) => {}
        }
    }
}

enum EndReason {
    Timeout,
    Stop,
}

async fn monitor(activity: Arc<Activity>, timeouts: Timeouts, mut stop: watch::Receiver<bool>) -> EndReason {
    tokio::select! {
        () = activity.expired(&timeouts) => EndReason::Timeout,
        // Also when the sender is gone.
        _ = stop.wait_for(|stop| *stop) => EndReason::Stop,
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use axum::body::Body;
    use futures_util::stream;
    use hyper_util::rt::TokioIo;
    use tokio::{
        io::{AsyncReadExt, AsyncWriteExt, DuplexStream},
        task::JoinHandle,
        time::{Instant, sleep, timeout},
    };

    use super::{super::activity::CHECKS, *};

    const HEADER: Duration = Duration::from_secs(16);
    const IDLE: Duration = Duration::from_secs(40);
    const WRITE: Duration = Duration::from_secs(24);
    const SLOW_RESPONSE: Duration = Duration::from_mins(5);
    const LARGE_BYTES: usize = 1_000_000;
    const STREAMED_PARTS: u32 = 8;
    const GET_STREAMED: &[u8] = b"GET /streamed HTTP/1.1\r\nhost: test\r\n\r\n";
    const GET: &[u8] = b"GET / HTTP/1.1\r\nhost: test\r\n\r\n";
    const GET_SLOW: &[u8] = b"GET /slow HTTP/1.1\r\nhost: test\r\n\r\n";
    const GET_LARGE: &[u8] = b"GET /large HTTP/1.1\r\nhost: test\r\n\r\n";

    /// The client's end of a connection. `/slow` is answered after [`SLOW_RESPONSE`], and the answer to `/large` does not
    /// fit into the connection's buffer.
    struct Client {
        io: DuplexStream,
        served: JoinHandle<()>,
        stop: watch::Sender<bool>,
    }

    /// Its parts come more slowly than a client may be idle, but without a long pause.
    fn streamed_body() -> Body {
        let parts = stream::unfold(0, |part| async move {
            sleep(IDLE * 3 / 4).await;
            let text = if part == STREAMED_PARTS { "well" } else { "part " };
            (part <= STREAMED_PARTS).then_some((Ok::<_, Infallible>(text), part + 1))
        });
        Body::from_stream(parts)
    }

    impl Client {
        fn connect() -> Self {
            let (io, server_io) = tokio::io::duplex(4096);
            let (stop, stopped) = watch::channel(false);
            let service = tower::service_fn(|request: Request<Incoming>| async move {
                match request.uri().path() {
                    "/slow" => sleep(SLOW_RESPONSE).await,
                    "/large" => return Ok(Response::new(Body::from(vec![b'-'; LARGE_BYTES]))),
                    "/streamed" => return Ok(Response::new(streamed_body())),
                    _ => {}
                }
                Ok(Response::new(Body::from("well")))
            });
            let timeouts = Timeouts { header: HEADER, idle: IDLE, write: WRITE };
            let connection = serve_connection(TokioIo::new(server_io), service, timeouts, stopped);
            Self { io, served: tokio::spawn(connection), stop }
        }

        async fn send(&mut self, bytes: &[u8]) {
            self.io.write_all(bytes).await.unwrap();
        }

        async fn get(&mut self, request: &[u8]) {
            self.send(request).await;
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

        /// How long it takes until the server closes the connection while the client reads nothing.
        async fn end_unread(&mut self) -> Duration {
            let start = Instant::now();
            (&mut self.served).await.unwrap();
            start.elapsed()
        }
    }

    #[track_caller]
    fn assert_in_time(waited: Duration, timeout: Duration) {
        // The header timeout is the shortest.
        let latest = timeout + HEADER / CHECKS + Duration::from_millis(200);
        assert!((timeout..=latest).contains(&waited), "{waited:?} of {timeout:?}");
    }

    #[tokio::test(start_paused = true)]
    async fn silent_connection_is_closed_after_the_header_timeout() {
        let (waited, rest) = Client::connect().end().await;
        assert_in_time(waited, HEADER);
        assert!(rest.is_empty());
    }

    #[tokio::test(start_paused = true)]
    async fn head_sent_byte_by_byte_gains_no_time() {
        for requests in [0, 1, 3] {
            let mut client = Client::connect();
            for _ in 0..requests {
                client.get(GET).await;
            }
            let start = Instant::now();
            while !client.served.is_finished() {
                let _ = client.io.write_all(if start.elapsed().is_zero() { b"G" } else { b"E" }).await;
                sleep(Duration::from_millis(100)).await;
            }
            assert_in_time(start.elapsed(), HEADER);
        }
    }

    #[tokio::test(start_paused = true)]
    async fn each_wait_for_a_request_has_the_whole_idle_timeout() {
        for pauses in [&[1][..], &[39, 39, 39], &[3, 4, 5, 7, 39, 2, 1, 13]] {
            let mut client = Client::connect();
            client.get(GET).await;
            for seconds in pauses {
                sleep(Duration::from_secs(*seconds)).await;
                client.get(GET).await;
            }
            assert_in_time(client.end().await.0, IDLE);
        }
    }

    #[tokio::test(start_paused = true)]
    async fn response_may_take_longer_than_every_timeout() {
        let mut client = Client::connect();
        client.get(GET_SLOW).await;
        client.get(GET).await;
        assert_in_time(client.end().await.0, IDLE);
    }

    #[tokio::test(start_paused = true)]
    async fn streamed_response_may_take_longer_than_every_timeout() {
        let mut client = Client::connect();
        let start = Instant::now();
        client.send(GET_STREAMED).await;
        let mut response = Vec::new();
        while !response.ends_with(b"0\r\n\r\n") {
            let read = client.io.read_buf(&mut response).await.unwrap();
            assert_ne!(read, 0, "the connection was closed after {:?}", start.elapsed());
        }
        assert!(start.elapsed() > 5 * IDLE, "{:?}", start.elapsed());
        client.get(GET).await;
        assert_in_time(client.end().await.0, IDLE);
    }

    #[tokio::test(start_paused = true)]
    async fn client_that_reads_nothing_is_cut_off() {
        // Without the response to the first request, the second one is not answered either.
        for requests in
            [&[GET_LARGE][..], &[GET_LARGE, GET], &[GET_LARGE, GET_LARGE, GET_LARGE], &[GET_LARGE, b"GET"]]
        {
            let mut client = Client::connect();
            for request in requests {
                client.send(request).await;
            }
            assert_in_time(client.end_unread().await, WRITE);
        }
    }

    #[tokio::test(start_paused = true)]
    async fn slow_reader_gets_the_whole_response() {
        let mut client = Client::connect();
        client.send(GET_LARGE).await;
        let (start, mut received) = (Instant::now(), 0);
        let mut buffer = [0; 16 * 1024];
        while received < LARGE_BYTES {
            sleep(WRITE * 3 / 4).await;
            let read = client.io.read(&mut buffer).await.unwrap();
            assert_ne!(read, 0, "the connection was closed after {received} bytes");
            received += read;
        }
        assert!(start.elapsed() > 10 * IDLE, "{:?}", start.elapsed());
        client.get(GET).await;
        assert_in_time(client.end().await.0, IDLE);
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
        client.send(GET_SLOW).await;
        assert!(timeout(SLOW_RESPONSE / 2, &mut client.served).await.is_err());
        client.stop.send(true).unwrap();
        let (_, rest) = client.end().await;
        assert!(rest.ends_with(b"well"), "{}", String::from_utf8_lossy(&rest));
    }

    #[tokio::test(start_paused = true)]
    async fn slow_client_does_not_delay_shutdown_beyond_its_timeout() {
        for (request, timeout) in [(&b"GET / HT"[..], HEADER), (GET_LARGE, WRITE)] {
            let mut client = Client::connect();
            client.send(request).await;
            sleep(Duration::from_millis(1)).await;
            client.stop.send(true).unwrap();
            let waited = client.end_unread().await;
            assert!(waited <= timeout + HEADER / CHECKS, "{waited:?} of {timeout:?}");
        }
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
