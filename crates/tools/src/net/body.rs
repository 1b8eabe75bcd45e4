//! Reading a body: unpacked as it comes, and never more than was asked for. A bomb costs what the limit allows.

use std::io::{self, Write};

use flate2::write::{MultiGzDecoder, ZlibDecoder};
use http::header::CONTENT_ENCODING;

use super::trouble::Trouble;

/// What is asked for. Others are not understood.
pub(super) const ACCEPT_ENCODING: &str = "gzip";

pub(super) struct Body {
    pub(super) bytes: Vec<u8>,
    pub(super) truncated: bool,
}

pub(super) async fn read(mut response: reqwest::Response, largest: usize) -> Result<Body, Trouble> {
    if largest == 0 {
        let truncated = response.content_length() != Some(0);
        return Ok(Body { bytes: Vec::new(), truncated });
    }
    let mut unpacking = Unpacking::new(&response, largest)?;
    // A packed stream can go on without giving a byte. What is packed is hardly ever longer than what is in it.
    let mut is_empty = true;
    let mut packed_left = largest.saturating_add(largest / 16).saturating_add(64 * 1024);
    while let Some(chunk) = response.chunk().await? {
        is_empty &= chunk.is_empty();
        let is_too_much = chunk.len() > packed_left;
        packed_left = packed_left.saturating_sub(chunk.len());
        if is_too_much || unpacking.take(&chunk)? == Room::None {
            return Ok(Body { bytes: unpacking.into_kept().bytes, truncated: true });
        }
    }
    // What has no content is not packed, whatever its head says: a 204, a 304.
    if is_empty { Ok(Body { bytes: Vec::new(), truncated: false }) } else { unpacking.finish() }
}

#[derive(PartialEq, Eq)]
enum Room {
    Left,
    None,
}

enum Unpacking {
    Plain(Kept),
    Gzip(Box<MultiGzDecoder<Kept>>),
    Deflate(Box<ZlibDecoder<Kept>>),
}

impl Unpacking {
    fn new(response: &reqwest::Response, largest: usize) -> Result<Self, Trouble> {
        let announced = response.content_length().and_then(|length| usize::try_from(length).ok());
        let kept = Kept {
            bytes: Vec::with_capacity(announced.unwrap_or(0).min(largest).min(64 * 1024)),
            largest,
            is_full: false,
        };
        let mut encodings = response.headers().get_all(CONTENT_ENCODING).iter();
        let encoding = match (encodings.next(), encodings.next()) {
            (None, _) => "",
            (Some(encoding), None) => encoding.to_str().unwrap_or("?").trim(),
            (Some(_), Some(_)) => "?",
        };
        match encoding.to_ascii_lowercase().as_str() {
            "" | "identity" => Ok(Self::Plain(kept)),
            "gzip" | "x-gzip" => Ok(Self::Gzip(Box::new(MultiGzDecoder::new(kept)))),
            "deflate" => Ok(Self::Deflate(Box::new(ZlibDecoder::new(kept)))),
            _ => Err(Trouble::Unreadable("its answer is packed in a way that was not asked for")),
        }
    }

    fn take(&mut self, chunk: &[u8]) -> Result<Room, Trouble> {
        let written = match self {
            Self::Plain(kept) => kept.write_all(chunk),
            Self::Gzip(decoder) => decoder.write_all(chunk),
            Self::Deflate(decoder) => decoder.write_all(chunk),
        };
        self.judge(&written)
    }

    fn finish(mut self) -> Result<Body, Trouble> {
        let finished = match &mut self {
            Self::Plain(_) => Ok(()),
            Self::Gzip(decoder) => decoder.try_finish(),
            Self::Deflate(decoder) => decoder.try_finish(),
        };
        let truncated = self.judge(&finished)? == Room::None;
        Ok(Body { bytes: self.into_kept().bytes, truncated })
    }

    fn judge(&self, written: &io::Result<()>) -> Result<Room, Trouble> {
        match written {
            _ if self.kept().is_full => Ok(Room::None),
            Ok(()) => Ok(Room::Left),
            Err(_) => Err(Trouble::Unreadable("its answer is packed wrongly")),
        }
    }

    fn kept(&self) -> &Kept {
        match self {
            Self::Plain(kept) => kept,
            Self::Gzip(decoder) => decoder.get_ref(),
            Self::Deflate(decoder) => decoder.get_ref(),
        }
    }

    fn into_kept(mut self) -> Kept {
        let kept = match &mut self {
            Self::Plain(kept) => kept,
            Self::Gzip(decoder) => decoder.get_mut(),
            Self::Deflate(decoder) => decoder.get_mut(),
        };
        std::mem::take(kept)
    }
}

/// Takes so much and no more.
#[derive(Default)]
struct Kept {
    bytes: Vec<u8>,
    largest: usize,
    is_full: bool,
}

impl Write for Kept {
    fn write(&mut self, more: &[u8]) -> io::Result<usize> {
        let room = self.largest.saturating_sub(self.bytes.len());
        self.bytes.extend_from_slice(&more[..more.len().min(room)]);
        if more.len() > room {
            self.is_full = true;
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        Ok(more.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
