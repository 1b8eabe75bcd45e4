//! Reads a response body. It is decompressed chunk by chunk, so a compression bomb uses no more memory than the limit.

use std::io::{self, Write};

use flate2::write::{MultiGzDecoder, ZlibDecoder};
use http::header::CONTENT_ENCODING;

use super::error::NetError;

/// Servers may also send deflate without being asked. Other encodings are refused.
pub(super) const ACCEPT_ENCODING: &str = "gzip";

const INITIAL_CAPACITY: usize = 64 * 1024;

#[derive(Default)]
pub(super) struct Body {
    pub(super) bytes: Vec<u8>,
    pub(super) truncated: bool,
}

pub(super) async fn read(mut response: reqwest::Response, max_bytes: usize) -> Result<Body, NetError> {
    if max_bytes == 0 {
        let truncated = response.content_length() != Some(0);
        return Ok(Body { bytes: Vec::new(), truncated });
    }
    let mut decoder = Decoder::new(&response, max_bytes)?;
    // A compressed stream can continue forever without producing a byte, so its own length is bounded too.
    let mut encoded_left = max_bytes.saturating_add(max_bytes / 16).saturating_add(64 * 1024);
    let mut is_empty = true;
    while let Some(chunk) = response.chunk().await? {
        is_empty &= chunk.is_empty();
        let fits = chunk.len() <= encoded_left;
        encoded_left = encoded_left.saturating_sub(chunk.len());
        if fits {
            decoder.write(&chunk)?;
        }
        if !fits || decoder.is_full() {
            return Ok(Body { bytes: decoder.into_bytes(), truncated: true });
        }
    }
    // Responses without content (204, 304) may still have a `Content-Encoding`.
    if is_empty {
        return Ok(Body::default());
    }
    decoder.finish()?;
    Ok(Body { truncated: decoder.is_full(), bytes: decoder.into_bytes() })
}

enum Decoder {
    Identity(BoundedBuffer),
    Gzip(Box<MultiGzDecoder<BoundedBuffer>>),
    Deflate(Box<ZlibDecoder<BoundedBuffer>>),
}

impl Decoder {
    fn new(response: &reqwest::Response, max_bytes: usize) -> Result<Self, NetError> {
        let content_length = response.content_length().and_then(|length| usize::try_from(length).ok());
        let capacity = content_length.unwrap_or(0).min(max_bytes).min(INITIAL_CAPACITY);
        let buffer = BoundedBuffer { bytes: Vec::with_capacity(capacity), max_bytes, is_full: false };
        let mut encodings = response.headers().get_all(CONTENT_ENCODING).iter();
        let encoding = match (encodings.next(), encodings.next()) {
            (None, _) => "",
            (Some(encoding), None) => encoding.to_str().unwrap_or("?").trim(),
            (Some(_), Some(_)) => "?",
        };
        match encoding.to_ascii_lowercase().as_str() {
            "" | "identity" => Ok(Self::Identity(buffer)),
            "gzip" | "x-gzip" => Ok(Self::Gzip(Box::new(MultiGzDecoder::new(buffer)))),
            "deflate" => Ok(Self::Deflate(Box::new(ZlibDecoder::new(buffer)))),
            _ => Err(NetError::InvalidResponse("its content encoding is not supported")),
        }
    }

    fn write(&mut self, chunk: &[u8]) -> Result<(), NetError> {
        let written = match self {
            Self::Identity(buffer) => buffer.write_all(chunk),
            Self::Gzip(decoder) => decoder.write_all(chunk),
            Self::Deflate(decoder) => decoder.write_all(chunk),
        };
        self.check(written.is_ok())
    }

    fn finish(&mut self) -> Result<(), NetError> {
        let finished = match self {
            Self::Identity(_) => Ok(()),
            Self::Gzip(decoder) => decoder.try_finish(),
            Self::Deflate(decoder) => decoder.try_finish(),
        };
        self.check(finished.is_ok())
    }

    /// A full buffer also fails the write, and is not an error of the response.
    fn check(&mut self, is_written: bool) -> Result<(), NetError> {
        if is_written || self.is_full() {
            Ok(())
        } else {
            Err(NetError::InvalidResponse("its compressed body is invalid"))
        }
    }

    fn is_full(&mut self) -> bool {
        self.buffer().is_full
    }

    fn buffer(&mut self) -> &mut BoundedBuffer {
        match self {
            Self::Identity(buffer) => buffer,
            Self::Gzip(decoder) => decoder.get_mut(),
            Self::Deflate(decoder) => decoder.get_mut(),
        }
    }

    fn into_bytes(mut self) -> Vec<u8> {
        let buffer = self.buffer();
        // Dropping a decoder writes its remaining output.
        buffer.max_bytes = 0;
        std::mem::take(&mut buffer.bytes)
    }
}

/// Fails a write that exceeds the limit, after storing what fits.
struct BoundedBuffer {
    bytes: Vec<u8>,
    max_bytes: usize,
    is_full: bool,
}

impl Write for BoundedBuffer {
    fn write(&mut self, data: &[u8]) -> io::Result<usize> {
        let left = self.max_bytes.saturating_sub(self.bytes.len());
        self.bytes.extend_from_slice(&data[..data.len().min(left)]);
        if data.len() > left {
            self.is_full = true;
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        Ok(data.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
