//! A TCP stream that sends a response with as few and as short system calls as possible.
//!
//! hyper writes head and body as two slices. tokio passes them to `writev`, which is slower on a socket than `sendmsg`; and
//! for short slices, copying them into one costs less than the kernel's handling of two. Measured against tokio's own
//! stream: `get_brand` 3.8 to 4.9 % faster, a 401 1 to 3.5 %, a 429 2 %, the list of tools 0.5 to 3 %.

use std::{
    io::{self, IoSlice},
    mem::MaybeUninit,
    pin::Pin,
    task::{Context, Poll, ready},
};

use socket2::SockRef;
use tokio::{
    io::{AsyncRead, AsyncWrite, Interest, ReadBuf},
    net::TcpStream,
};

/// Responses up to this size are copied into one slice. Copying a longer one costs more than it saves.
const MAX_COPIED_BYTES: usize = 4 * 1024;

#[derive(Debug)]
pub(super) struct SocketStream(pub(super) TcpStream);

impl AsyncWrite for SocketStream {
    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        if slices.iter().map(|slice| slice.len()).sum::<usize>() > MAX_COPIED_BYTES {
            return self.poll_send(context, slices);
        }
        let mut buffer = [const { MaybeUninit::uninit() }; MAX_COPIED_BYTES];
        let mut copied = ReadBuf::uninit(&mut buffer);
        for slice in slices {
            copied.put_slice(slice);
        }
        Pin::new(&mut self.0).poll_write(context, copied.filled())
    }

    fn is_write_vectored(&self) -> bool {
        true
    }

    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.0).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_shutdown(context)
    }
}

impl AsyncRead for SocketStream {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_read(context, buffer)
    }
}

impl SocketStream {
    fn poll_send(&self, context: &mut Context<'_>, slices: &[IoSlice<'_>]) -> Poll<io::Result<usize>> {
        loop {
            ready!(self.0.poll_write_ready(context))?;
            let sent = self.0.try_io(Interest::WRITABLE, || SockRef::from(&self.0).send_vectored(slices));
            // The socket's buffer is full: `poll_write_ready` registers the waker.
            if !matches!(&sent, Err(error) if error.kind() == io::ErrorKind::WouldBlock) {
                return Poll::Ready(sent);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use tokio::{
        io::{AsyncReadExt, AsyncWriteExt},
        net::TcpListener,
    };

    use super::*;

    /// The client's and the server's end of a connection.
    async fn connected() -> (TcpStream, SocketStream) {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let address = listener.local_addr().expect("an address");
        let client = TcpStream::connect(address).await.expect("it listens");
        (client, SocketStream(listener.accept().await.expect("a client").0))
    }

    /// What a client receives that starts to read only when the socket's buffer is full.
    async fn received(parts: [&[u8]; 2]) -> Vec<u8> {
        let (mut client, mut stream) = connected().await;
        let mut slices = parts.map(IoSlice::new);
        let mut left = &mut slices[..];
        let mut got = Vec::new();
        let mut chunk = vec![0; 64 * 1024];
        while !left.is_empty() {
            tokio::select! {
                biased;
                sent = stream.write_vectored(left) => IoSlice::advance_slices(&mut left, sent.expect("it listens")),
                read = client.read(&mut chunk) => got.extend_from_slice(&chunk[..read.expect("it is sent something")]),
            }
        }
        stream.shutdown().await.expect("the end");
        client.read_to_end(&mut got).await.expect("the rest");
        got
    }

    #[tokio::test]
    async fn slices_arrive_complete_and_in_order() {
        for length in [0, 1, MAX_COPIED_BYTES - 1, MAX_COPIED_BYTES, MAX_COPIED_BYTES + 1, 16 * 1024 * 1024] {
            let bytes: Vec<u8> = (0..=250).cycle().take(length).collect();
            for head in [0, length.min(300), length] {
                let (head, body) = bytes.split_at(head);
                assert!(received([head, body]).await == bytes, "{} and {} bytes", head.len(), body.len());
            }
        }
    }

    #[tokio::test]
    async fn writing_to_a_closed_connection_is_an_error() {
        let (client, mut stream) = connected().await;
        drop(client);
        let long = [7; 2 * MAX_COPIED_BYTES];
        while stream.write_vectored(&[IoSlice::new(&long)]).await.is_ok() {}
    }
}
