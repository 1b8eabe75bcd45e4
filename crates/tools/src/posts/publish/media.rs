//! Downloads the pictures of a post.

use std::time::Duration;

use url::Url;

use super::{PublishError, remote_server::request_error};
use crate::{
    net::{Limits, Outbound, Request},
    posts::Media,
};

#[derive(Debug)]
pub(super) struct Picture {
    pub(super) bytes: Vec<u8>,
    pub(super) kind: &'static str,
}

const DOWNLOAD_TIMEOUT: Duration = Duration::from_secs(20);

/// Downloads a picture. `number` counts from 1 and is used in error messages.
pub(super) async fn fetch(
    outbound: &Outbound,
    (number, media): (usize, &Media),
    max_bytes: usize,
) -> Result<Picture, PublishError> {
    let name = format!("The host of picture {number}");
    let url = Url::parse(&media.url)
        .map_err(|_| PublishError::Failed(format!("The address of picture {number} is not valid.")))?;
    let mut request = Request::get(url);
    request.limits = Limits { timeout: DOWNLOAD_TIMEOUT, max_body_bytes: max_bytes, ..Limits::default() };
    let answer = outbound.send(request).await;
    let answer = answer.map_err(|error| request_error(&name, &error).before_publishing())?;
    match answer.status {
        200..=299 => {}
        408 | 425 | 429 | 500..=599 => {
            let reason = format!("{name} answered {}.", answer.status);
            return Err(PublishError::Retry { reason, after: None, maybe_published: false });
        }
        status => {
            return Err(PublishError::Failed(format!(
                "Picture {number} cannot be downloaded ({status}). Create the post again with an address that works."
            )));
        }
    }
    if answer.truncated {
        let max_kb = max_bytes / 1000;
        return Err(PublishError::Failed(format!(
            "Picture {number} is larger than {max_kb} kB, the limit of this channel. Create the post again with a smaller one."
        )));
    }
    let kind = media_type(&answer.body).ok_or_else(|| {
        PublishError::Failed(format!(
            "Picture {number} is not a JPEG, PNG, GIF or WebP file. Create the post again with one that is."
        ))
    })?;
    Ok(Picture { bytes: answer.body, kind })
}

/// Detects the type from the first bytes: the `Content-Type` of a server is not always right.
pub(in crate::posts) fn media_type(bytes: &[u8]) -> Option<&'static str> {
    match bytes {
        [0xff, 0xd8, 0xff, ..] => Some("image/jpeg"),
        [0x89, b'P', b'N', b'G', 0x0d, 0x0a, 0x1a, 0x0a, ..] => Some("image/png"),
        [b'G', b'I', b'F', b'8', b'7' | b'9', b'a', ..] => Some("image/gif"),
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => Some("image/webp"),
        _ => None,
    }
}
