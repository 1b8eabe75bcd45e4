//! Pictures, fetched from where the post says they are.

use std::time::Duration;

use url::Url;

use super::{Trouble, answers::unanswered};
use crate::{
    net::{Limits, Outbound, Request},
    posts::Media,
};

#[derive(Debug)]
pub(super) struct Picture {
    pub(super) bytes: Vec<u8>,
    pub(super) kind: &'static str,
}

const PATIENCE: Duration = Duration::from_secs(20);

/// The picture of this number of the post, if it is one and no larger than the network takes.
pub(super) async fn fetch(
    outbound: &Outbound,
    (number, media): (usize, &Media),
    largest: usize,
) -> Result<Picture, Trouble> {
    let name = format!("The host of picture {number}");
    let url =
        Url::parse(&media.url).map_err(|_| Trouble::Failed(format!("Picture {number} has no address.")))?;
    let mut request = Request::get(url);
    request.limits = Limits { time: PATIENCE, largest_body: largest, ..Limits::default() };
    let answer = outbound.send(request).await.map_err(|error| unanswered(&name, &error))?;
    match answer.status {
        200..=299 => {}
        408 | 425 | 429 | 500..=599 => {
            let reason = format!("{name} answered {}.", answer.status);
            return Err(Trouble::Later { reason, after: None, unsure: false });
        }
        status => {
            return Err(Trouble::Failed(format!(
                "Picture {number} cannot be fetched ({status}). Create the post anew with an address that works."
            )));
        }
    }
    if answer.truncated {
        let most = largest / 1000;
        return Err(Trouble::Failed(format!(
            "Picture {number} is larger than the {most} kB this channel takes. Create the post anew with a smaller one."
        )));
    }
    let kind = kind_of(&answer.body).ok_or_else(|| {
        Trouble::Failed(format!(
            "Picture {number} is no JPEG, PNG, GIF or WebP. Create the post anew with one that is."
        ))
    })?;
    Ok(Picture { bytes: answer.body, kind })
}

/// By its first bytes: what a server says of a file is not always so.
fn kind_of(bytes: &[u8]) -> Option<&'static str> {
    match bytes {
        [0xff, 0xd8, 0xff, ..] => Some("image/jpeg"),
        [0x89, b'P', b'N', b'G', 0x0d, 0x0a, 0x1a, 0x0a, ..] => Some("image/png"),
        [b'G', b'I', b'F', b'8', b'7' | b'9', b'a', ..] => Some("image/gif"),
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => Some("image/webp"),
        _ => None,
    }
}
