//! A client's connection as hyper writes to it.
//!
//! hyper hands over an answer in two pieces, its head and its body as they lie, and tokio writes them as pieces of a file.
//! The system has a shorter way for sockets, and takes longer to look at two short pieces than we to lay them side by side.

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

/// An answer up to this long is written as one piece. To copy a longer one costs more than it saves.
const ONE_PIECE: usize = 4 * 1024;

#[derive(Debug)]
pub(super) struct Stream(pub(super) TcpStream);

impl AsyncWrite for Stream {
    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        pieces: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        if pieces.iter().map(|piece| piece.len()).sum::<usize>() > ONE_PIECE {
            return self.poll_send(context, pieces);
        }
        let mut room = [const { MaybeUninit::uninit() }; ONE_PIECE];
        let mut whole = ReadBuf::uninit(&mut room);
        for piece in pieces {
            whole.put_slice(piece);
        }
        Pin::new(&mut self.0).poll_write(context, whole.filled())
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

impl AsyncRead for Stream {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_read(context, buffer)
    }
}

impl Stream {
    fn poll_send(&self, context: &mut Context<'_>, pieces: &[IoSlice<'_>]) -> Poll<io::Result<usize>> {
        loop {
            ready!(self.0.poll_write_ready(context))?;
            let sent = self.0.try_io(Interest::WRITABLE, || SockRef::from(&self.0).send_vectored(pieces));
            // There was no room after all: who asks again is woken when there is.
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

    /// Both ends of a connection.
    async fn connected() -> (TcpStream, Stream) {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let address = listener.local_addr().expect("an address");
        let client = TcpStream::connect(address).await.expect("it listens");
        (client, Stream(listener.accept().await.expect("a client").0))
    }

    /// What a client gets that is sent these pieces, and begins to read when nothing more fits on the way.
    async fn received(pieces: [&[u8]; 2]) -> Vec<u8> {
        let (mut client, mut stream) = connected().await;
        let mut slices = pieces.map(IoSlice::new);
        let mut left = &mut slices[..];
        let mut got = Vec::new();
        let mut some = vec![0; 64 * 1024];
        while !left.is_empty() {
            tokio::select! {
                biased;
                sent = stream.write_vectored(left) => IoSlice::advance_slices(&mut left, sent.expect("it listens")),
                read = client.read(&mut some) => got.extend_from_slice(&some[..read.expect("it is sent something")]),
            }
        }
        stream.shutdown().await.expect("the end");
        client.read_to_end(&mut got).await.expect("the rest");
        got
    }

    #[tokio::test]
    async fn pieces_arrive_whole_and_in_order() {
        for length in [0, 1, ONE_PIECE - 1, ONE_PIECE, ONE_PIECE + 1, 16 * 1024 * 1024] {
            let bytes: Vec<u8> = (0..=250).cycle().take(length).collect();
            for head in [0, length.min(300), length] {
                let (head, body) = bytes.split_at(head);
                assert!(received([head, body]).await == bytes, "{} and {} bytes", head.len(), body.len());
            }
        }
    }

    #[tokio::test]
    async fn whoever_hung_up_is_an_error() {
        let (client, mut stream) = connected().await;
        drop(client);
        let long = [7; 2 * ONE_PIECE];
        while stream.write_vectored(&[IoSlice::new(&long)]).await.is_ok() {}
    }
}
