//! The accept loop: connections bounded in number, and given time to finish in the end.

use std::{io, net::SocketAddr, sync::Arc, time::Duration};

use axum::extract::Request;
use hyper::body::Incoming;
use hyper_util::rt::TokioIo;
use tokio::{
    net::{TcpListener, TcpStream},
    sync::{OwnedSemaphorePermit, Semaphore, watch},
};

use super::{answer::Reply, connection::connection, stream::Stream};
use crate::config::LimitArgs;

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
        A: Future<Output = Reply> + Send + 'static,
    {
        let places = Arc::new(Semaphore::new(self.limits.max_connections as usize));
        loop {
            let place = Arc::clone(&places).acquire_owned();
            let accepted = tokio::select! {
                accepted = accept(&self.listener, place) => accepted,
                _ = stop.wait_for(|stop| *stop) => break,
            };
            let Some((stream, place)) = accepted else { continue };
            let io = TokioIo::new(Stream(stream));
            let connection = connection(io, answer.clone(), self.limits.header_timeout, stop.clone());
            tokio::spawn(async move {
                metrics::gauge!("svc_mcp_connections").increment(1.0);
                connection.await;
                metrics::gauge!("svc_mcp_connections").decrement(1.0);
                drop(place);
            });
        }
        drop(self.listener);
        // Who has every place knows that nobody else has one.
        let ended = places.acquire_many(self.limits.max_connections);
        if tokio::time::timeout(self.limits.shutdown_grace, ended).await.is_err() {
            tracing::warn!("some requests did not finish in time and were cut off");
        }
    }
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
