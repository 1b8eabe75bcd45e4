//! The accept loop. It limits the number of connections, in total and for each address, and gives open ones time to finish
//! at shutdown.

use std::{
    convert::Infallible,
    io,
    net::{IpAddr, SocketAddr},
    sync::Arc,
    time::Duration,
};

use axum::response::Response;
use http::Request;
use hyper::body::Incoming;
use hyper_util::rt::TokioIo;
#[cfg(target_os = "linux")]
use socket2::SockRef;
use tokio::{
    net::{TcpListener, TcpStream},
    sync::{OwnedSemaphorePermit, Semaphore, watch},
};
use tower::Service;

use super::{
    activity::Timeouts, address_limit::AddressLimit, connection::serve_connection, stream::SocketStream,
};
use crate::config::LimitArgs;

/// A pause after a failed accept, for example when file descriptors have run out.
const ACCEPT_RETRY_INTERVAL: Duration = Duration::from_millis(50);

#[derive(Debug)]
pub(crate) struct Listener {
    listener: TcpListener,
    limits: LimitArgs,
}

impl Listener {
    pub(crate) async fn bind(address: SocketAddr, limits: &LimitArgs) -> io::Result<Self> {
        Ok(Self { listener: TcpListener::bind(address).await?, limits: limits.clone() })
    }

    pub(crate) fn address(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    /// Serves each connection with a service for its peer, until `stop` is true. Then it accepts no more connections, and waits for the open ones to finish.
    pub(crate) async fn serve<S>(self, service_for: impl Fn(IpAddr) -> S, mut stop: watch::Receiver<bool>)
    where
        S: Service<Request<Incoming>, Response = Response, Error = Infallible, Future: Send>,
        S: Clone + Send + 'static,
    {
        let permits = Arc::new(Semaphore::new(self.limits.max_connections as usize));
        let addresses = AddressLimit::new(&self.limits);
        let timeouts = Timeouts {
            header: self.limits.header_timeout,
            idle: self.limits.idle_timeout.unwrap_or(self.limits.header_timeout),
            write: self.limits.write_timeout,
        };
        loop {
            let accepted = tokio::select! {
                accepted = accept(&self.listener, &permits) => accepted,
                _ = stop.wait_for(|stop| *stop) => break,
            };
            let Some((stream, client, permit)) = accepted else { continue };
            let Some(address_permit) = addresses.try_acquire(client.ip()) else {
                metrics::counter!("svc_mcp_connections_refused_total").increment(1);
                continue;
            };
            set_options(&stream, timeouts.write);
            let io = TokioIo::new(SocketStream(stream));
            let connection = serve_connection(io, service_for(client.ip()), timeouts, stop.clone());
            tokio::spawn(async move {
                metrics::gauge!("svc_mcp_connections").increment(1.0);
                connection.await;
                metrics::gauge!("svc_mcp_connections").decrement(1.0);
                drop((permit, address_permit));
            });
        }
        drop(self.listener);
        // When all permits are held here, every connection has ended.
        let ended = permits.acquire_many(self.limits.max_connections);
        if tokio::time::timeout(self.limits.shutdown_grace, ended).await.is_err() {
            tracing::warn!("some requests did not finish in time and were cut off");
        }
    }
}

/// The next connection, once a permit is free. Until then, new connections wait in the listener's queue.
async fn accept(
    listener: &TcpListener,
    permits: &Arc<Semaphore>,
) -> Option<(TcpStream, SocketAddr, OwnedSemaphorePermit)> {
    let permit = Arc::clone(permits).acquire_owned().await.ok()?;
    match listener.accept().await {
        Ok((stream, client)) => Some((stream, client, permit)),
        Err(error) => {
            tracing::warn!(%error, "a connection could not be accepted");
            tokio::time::sleep(ACCEPT_RETRY_INTERVAL).await;
            None
        }
    }
}

/// A connection also works without these options, so errors are ignored.
fn set_options(stream: &TcpStream, write_timeout: Duration) {
    // A response is written at once, so waiting to fill a packet would only delay it.
    let _ = stream.set_nodelay(true);
    // A response that fits into the kernel's buffer is written, whether the client reads it or not. The kernel drops it
    // with this option only, also after the service has closed the connection.
    #[cfg(target_os = "linux")]
    let _ = SockRef::from(stream).set_tcp_user_timeout(Some(write_timeout));
}
