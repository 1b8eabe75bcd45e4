//! The accept loop: connections bounded in number, in the time and size of their heads, and ended politely.

use std::{convert::Infallible, io, net::SocketAddr, sync::Arc, time::Duration};

use axum::{body::Body, extract::Request, response::Response};
use futures_util::FutureExt;
use hyper::{
    body::Incoming,
    server::conn::http1,
    service::{HttpService, service_fn},
};
use hyper_util::{rt::TokioIo, server::graceful::GracefulShutdown};
use tokio::{
    net::{TcpListener, TcpStream},
    sync::{OwnedSemaphorePermit, Semaphore, watch},
};

use super::patience::Patience;
use crate::config::LimitArgs;

/// The longest head of a request, all its headers together.
const LARGEST_HEAD: usize = 32 * 1024;
const MOST_HEADERS: usize = 64;

#[derive(Debug)]
pub(crate) struct Listening {
    listener: TcpListener,
    limits: LimitArgs,
}

impl Listening {
    pub(crate) async fn on(address: SocketAddr, limits: &LimitArgs) -> io::Result<Self> {
        Ok(Self { listener: TcpListener::bind(address).await?, limits: limits.clone() })
    }

    pub(crate) fn address(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    /// Serves until told to stop; then takes no more connections, and gives those it has time to finish.
    pub(crate) async fn serve<A>(
        self,
        answer: impl Fn(Request<Incoming>) -> A + Clone + Send + 'static,
        mut stop: watch::Receiver<bool>,
    ) where
        A: Future<Output = Response> + Send + 'static,
    {
        let places = Arc::new(Semaphore::new(self.limits.max_connections));
        let open = GracefulShutdown::new();
        loop {
            let place = Arc::clone(&places).acquire_owned();
            let accepted = tokio::select! {
                accepted = accept(&self.listener, place) => accepted,
                _ = stop.wait_for(|stop| *stop) => break,
            };
            let Some((stream, place)) = accepted else { continue };
            let connection = open.watch(connection(stream, answer.clone(), self.limits.header_timeout));
            tokio::spawn(async move {
                metrics::gauge!("svc_mcp_connections").increment(1.0);
                // How a connection ends is the client's business: a dropped one is no error of ours.
                let _ = connection.await;
                metrics::gauge!("svc_mcp_connections").decrement(1.0);
                drop(place);
            });
        }
        drop(self.listener);
        if tokio::time::timeout(self.limits.shutdown_grace, open.shutdown()).await.is_err() {
            tracing::warn!("some requests did not finish in time and were cut off");
        }
    }
}

/// A connection whose requests are answered by `answer`, a future of its own size: nothing is boxed.
fn connection<A: Future<Output = Response> + Send>(
    stream: TcpStream,
    answer: impl Fn(Request<Incoming>) -> A,
    header_timeout: Duration,
) -> http1::Connection<
    TokioIo<TcpStream>,
    impl HttpService<Incoming, ResBody = Body, Error = Infallible, Future: Send>,
> {
    let service = service_fn(move |request| answer(request).map(Ok::<_, Infallible>));
    http1::Builder::new()
        .timer(Patience::of(header_timeout))
        .header_read_timeout(header_timeout)
        .max_buf_size(LARGEST_HEAD)
        .max_headers(MOST_HEADERS)
        .serve_connection(TokioIo::new(stream), service)
}

/// The next connection, once there is a place for it. Beyond the limit they wait in the listener's queue.
async fn accept(
    listener: &TcpListener,
    place: impl Future<Output = Result<OwnedSemaphorePermit, tokio::sync::AcquireError>>,
) -> Option<(TcpStream, OwnedSemaphorePermit)> {
    let place = place.await.ok()?;
    match listener.accept().await {
        Ok((stream, _)) => {
            // Answers are small and written whole: waiting to fill a packet only delays them.
            let _ = stream.set_nodelay(true);
            Some((stream, place))
        }
        Err(error) => {
            // Out of file descriptors, say. It passes, and must not spin.
            tracing::warn!(%error, "a connection could not be accepted");
            tokio::time::sleep(Duration::from_millis(50)).await;
            None
        }
    }
}
