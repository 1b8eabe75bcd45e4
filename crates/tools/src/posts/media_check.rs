//! Looks at the pictures of a post before it is published: one that does not exist would go out as a broken picture.

use std::{sync::LazyLock, time::Duration};

use futures_util::future::join_all;
use http::{HeaderValue, Method, header::RANGE};
use svc_mcp_access::{BrandId, validate::repeated};
use tokio::{sync::Semaphore, time::timeout};
use url::Url;

use super::{Media, post_arguments::PostIssue, publish::media_type};
use crate::{
    net::{Limits, NetError, Outbound, Request, Response},
    ref_counted_map::RefCountedMap,
};

/// For each picture, with all its requests.
const LOOK_TIMEOUT: Duration = Duration::from_secs(5);
/// Each brand has its own number, so that slow servers of one brand do not delay the posts of others.
const MAX_CONCURRENT_PER_BRAND: usize = 8;
/// The beginning of a file tells its type.
const BEGINNING: &str = "bytes=0-63";
const BEGINNING_BYTES: usize = 64;

static PERMITS: LazyLock<RefCountedMap<BrandId, Semaphore>> =
    LazyLock::new(|| RefCountedMap::new(|| Semaphore::new(MAX_CONCURRENT_PER_BRAND)));

/// What was found out about the pictures of a post.
#[derive(Debug, Default)]
pub(super) struct MediaFindings {
    /// Pictures that cannot be published.
    pub(super) issues: Vec<PostIssue>,
    /// Pictures that could not be looked at.
    pub(super) notes: Vec<String>,
}

impl MediaFindings {
    /// All of it as notes, for a post that does not go out yet.
    pub(super) fn into_notes(self) -> impl Iterator<Item = String> {
        self.issues.into_iter().map(|issue| issue.message).chain(self.notes)
    }
}

enum Finding {
    Picture,
    /// The status of the response.
    NotFound(u16),
    /// The type of the response.
    NotAnImage(String),
    /// Why nothing is known.
    Unknown(String),
}

/// Looks at all pictures at the same time.
pub(super) async fn check_media(outbound: &Outbound, brand: &BrandId, media: &[Media]) -> MediaFindings {
    let found = if media.is_empty() {
        Vec::new()
    } else {
        let permits = PERMITS.get(brand);
        join_all(media.iter().map(|media| look(outbound, &permits, &media.url))).await
    };
    let mut findings = MediaFindings::default();
    for (index, finding) in found.into_iter().enumerate() {
        let issue = |code, message| PostIssue { channel: None, code, limit: None, actual: None, message };
        match finding {
            Finding::Picture => {}
            Finding::NotFound(status) => findings.issues.push(issue(
                "media_not_found",
                format!("`media[{index}].url` cannot be downloaded: the server answers {status}."),
            )),
            Finding::NotAnImage(kind) => findings.issues.push(issue(
                "media_not_an_image",
                format!("`media[{index}].url` is not a picture: the server sends {kind}."),
            )),
            Finding::Unknown(reason) => findings.notes.push(format!(
                "`media[{index}].url` could not be looked at now, so check it yourself: {reason}."
            )),
        }
    }
    findings
}

async fn look(outbound: &Outbound, permits: &Semaphore, url: &str) -> Finding {
    let Ok(url) = Url::parse(url) else { return Finding::Unknown("it is not a web address".to_owned()) };
    let looking = async {
        let _permit = permits.acquire().await.expect("the semaphore is never closed");
        request_picture(outbound, url).await
    };
    match timeout(LOOK_TIMEOUT, looking).await.unwrap_or(Err(NetError::Timeout)) {
        Ok(finding) => finding,
        Err(error) => Finding::Unknown(error.to_string()),
    }
}

async fn request_picture(outbound: &Outbound, url: Url) -> Result<Finding, NetError> {
    let limits = |max_body_bytes| Limits { timeout: LOOK_TIMEOUT, max_body_bytes, ..Limits::default() };
    let mut head = Request::new(Method::HEAD, url.clone(), Vec::new());
    head.limits = limits(0);
    let response = outbound.send(head).await?;
    if response.is_success() && has_image_type(&response) {
        return Ok(Finding::Picture);
    }
    // Some servers refuse HEAD, and some send a wrong type, so the file itself is asked for.
    let mut get = Request::get(url);
    get.headers.insert(RANGE, HeaderValue::from_static(BEGINNING));
    get.limits = limits(BEGINNING_BYTES);
    let response = outbound.send(get).await?;
    Ok(match response.status {
        200..=299 if has_image_type(&response) || media_type(&response.body).is_some() => Finding::Picture,
        200..=299 => {
            let kind = response.header("content-type").unwrap_or_default();
            let kind =
                if kind.is_empty() { "no content type".to_owned() } else { format!("`{}`", repeated(kind)) };
            Finding::NotAnImage(kind)
        }
        status @ (408 | 425 | 429 | 500..=599) => Finding::Unknown(format!("the server answers {status}")),
        status => Finding::NotFound(status),
    })
}

fn has_image_type(response: &Response) -> bool {
    response.header("content-type").is_some_and(|kind| kind.trim_start().to_lowercase().starts_with("image/"))
}
