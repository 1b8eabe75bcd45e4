//! The guarded client: each hop is checked anew, and one deadline holds for all of it.

use std::{collections::HashSet, fmt, sync::Arc, time::Duration};

use bytes::Bytes;
use http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use url::Url;

use super::{
    Answer, NetError, Request,
    body::{self, ACCEPT_ENCODING},
    guard::{Guard, Refusal, Way},
    names::{Lookup, Names, SystemNames},
    trouble::Trouble,
};

/// By this name sites know us; `svc-mcp` is also the one that their robots.txt may use.
const USER_AGENT: &str = concat!("svc-mcp/", env!("CARGO_PKG_VERSION"));
/// For all addresses of a host together, so that a dead one leaves time for the next.
const LONGEST_CONNECT: Duration = Duration::from_secs(10);
/// Kept open between two requests to one host.
const MOST_IDLE_PER_HOST: usize = 8;
const LONGEST_IDLE: Duration = Duration::from_secs(30);

/// What a redirect to another origin still gets: nothing in here is a secret.
const HARMLESS: [HeaderName; 3] = [header::ACCEPT, header::ACCEPT_LANGUAGE, header::USER_AGENT];
/// The client's own matter.
const NOT_THE_CALLERS: [HeaderName; 8] = [
    header::HOST,
    header::ACCEPT_ENCODING,
    header::CONNECTION,
    header::CONTENT_LENGTH,
    header::PROXY_AUTHORIZATION,
    header::TE,
    header::TRANSFER_ENCODING,
    header::UPGRADE,
];

/// Sends requests to public servers. Cheap to clone; clones share their connections.
#[derive(Clone)]
pub struct Outbound {
    guard: Arc<Guard>,
    checked: reqwest::Client,
    /// Apart from the other one, so that no connection to an inner host is ever taken for another host's.
    allowed: reqwest::Client,
}

impl fmt::Debug for Outbound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Outbound").field("guard", &self.guard).finish_non_exhaustive()
    }
}

/// One request, to one address.
#[derive(Clone)]
pub(super) struct Hop {
    pub(super) method: Method,
    pub(super) url: Url,
    pub(super) headers: HeaderMap,
    pub(super) body: Bytes,
}

impl Outbound {
    pub fn new(guard: Guard) -> Result<Self, NetError> {
        Self::with_names(guard, Arc::new(SystemNames))
    }

    /// With another look-up of names: in tests, one that changes its mind.
    pub fn with_names(guard: Guard, names: Arc<dyn Names>) -> Result<Self, NetError> {
        Ok(Self {
            guard: Arc::new(guard),
            checked: client(Arc::clone(&names), Way::Checked)?,
            allowed: client(names, Way::Allowed)?,
        })
    }

    /// Sends a request and follows its redirects.
    pub async fn send(&self, request: Request) -> Result<Answer, NetError> {
        let Request { method, url, headers, body, limits } = request;
        let hop = Hop { method, url, headers, body: body.into() };
        let answer = async {
            let (response, url) = self.follow(hop, limits.redirects).await?;
            let status = response.status().as_u16();
            let headers = response.headers().clone();
            let body = body::read(response, limits.largest_body).await?;
            Ok::<_, Trouble>(Answer { status, headers, body: body.bytes, truncated: body.truncated, url })
        };
        match tokio::time::timeout(limits.time, answer).await {
            Ok(answer) => Ok(answer?),
            Err(_) => Err(NetError::Timeout),
        }
    }

    async fn follow(&self, mut hop: Hop, most: u8) -> Result<(reqwest::Response, Url), Trouble> {
        let mut been_at = HashSet::new();
        for left in (0..=most).rev() {
            let url = hop.url.clone();
            let response = self.hop(hop.clone()).await?;
            let Some(to) = redirect_of(&response).filter(|_| most > 0) else { return Ok((response, url)) };
            been_at.insert((hop.method.clone(), url));
            hop = next_hop(hop, response.status(), &to)?;
            if left == 0 || been_at.contains(&(hop.method.clone(), hop.url.clone())) {
                break;
            }
        }
        Err(Trouble::TooManyRedirects)
    }

    /// One request to one address, checked. The body is still to be read, and no deadline holds but the caller's.
    pub(super) async fn hop(&self, mut hop: Hop) -> Result<reqwest::Response, Trouble> {
        let client = match self.guard.way(&hop.url)? {
            Way::Checked => &self.checked,
            Way::Allowed => &self.allowed,
        };
        for name in NOT_THE_CALLERS {
            hop.headers.remove(name);
        }
        hop.headers.insert(header::ACCEPT_ENCODING, HeaderValue::from_static(ACCEPT_ENCODING));
        let mut request = client.request(hop.method, hop.url).headers(hop.headers);
        if !hop.body.is_empty() {
            request = request.body(hop.body);
        }
        Ok(request.send().await?)
    }
}

fn client(names: Arc<dyn Names>, way: Way) -> Result<reqwest::Client, NetError> {
    reqwest::Client::builder()
        .user_agent(USER_AGENT)
        .no_proxy()
        .referer(false)
        .redirect(reqwest::redirect::Policy::none())
        .dns_resolver(Lookup { names, way })
        .connect_timeout(LONGEST_CONNECT)
        .pool_max_idle_per_host(MOST_IDLE_PER_HOST)
        .pool_idle_timeout(LONGEST_IDLE)
        .build()
        .map_err(|error| {
            NetError::Unreachable(format!("the client could not be made: {}", error.without_url()))
        })
}

fn redirect_of(response: &reqwest::Response) -> Option<HeaderValue> {
    let moves = matches!(response.status().as_u16(), 301 | 302 | 303 | 307 | 308);
    response.headers().get(header::LOCATION).filter(|_| moves).cloned()
}

/// The request to which a redirect leads (RFC 9110 §15.4).
fn next_hop(hop: Hop, status: StatusCode, to: &HeaderValue) -> Result<Hop, Trouble> {
    let to = std::str::from_utf8(to.as_bytes()).ok().and_then(|to| hop.url.join(to).ok());
    let mut url = to.ok_or(Trouble::Unreadable("it redirects to something that is no address"))?;
    url.set_fragment(None);
    let is_elsewhere = url.origin() != hop.url.origin();
    let mut next = Hop { url, ..hop };
    let asks_for_get = status == StatusCode::SEE_OTHER
        || next.method == Method::POST && matches!(status, StatusCode::MOVED_PERMANENTLY | StatusCode::FOUND);
    if asks_for_get && next.method != Method::HEAD {
        next.method = Method::GET;
        next.body = Bytes::new();
        next.headers.remove(header::CONTENT_TYPE);
    }
    if is_elsewhere {
        if !next.body.is_empty() {
            return Err(Refusal::BodyElsewhere.into());
        }
        let all = std::mem::take(&mut next.headers);
        for name in HARMLESS {
            if let Some(value) = all.get(&name) {
                next.headers.insert(name, value.clone());
            }
        }
    }
    Ok(next)
}
