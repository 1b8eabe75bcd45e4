//! Answers whose headers are always the same, kept ready: copying them costs less than putting them together, and a
//! stranger who asks again and again must cost next to nothing.
//!
//! What differs each time has places before all other headers: the request's id first, then the numbers of the limit.
//! They are filled without looking for them.

use std::sync::{Arc, OnceLock};

use bytes::Bytes;
use http::{HeaderMap, HeaderName, HeaderValue, Response, header};
use http_body_util::Full;

use super::{
    edge::{self, REQUEST_ID},
    limit::{POLICY, RATE_LIMIT, RATE_LIMIT_POLICY},
    problem::{Code, Problem, ProblemKind},
};

#[derive(Debug)]
pub(crate) struct Ready {
    public_url: Arc<str>,
    result: HeaderMap,
    /// By code. Hardly any has more kinds than there are places; what finds none is put together each time.
    problems: Vec<[OnceLock<ReadyProblem>; 4]>,
}

/// All problems of one kind.
#[derive(Debug)]
struct ReadyProblem {
    kind: ProblemKind,
    headers: HeaderMap,
    /// Up to the request's id, which ends it.
    body: Vec<u8>,
}

const END_OF_BODY: &[u8] = b"\"}";

impl Ready {
    pub(crate) fn new(public_url: &Arc<str>) -> Self {
        Self {
            public_url: Arc::clone(public_url),
            result: result_headers(public_url),
            problems: Code::ALL.iter().map(|_| Default::default()).collect(),
        }
    }

    /// The headers of a tool's result.
    pub(crate) fn result(&self) -> HeaderMap {
        self.result.clone()
    }

    pub(crate) fn problem(&self, problem: &Problem, request_id: HeaderValue) -> Response<Full<Bytes>> {
        let id = request_id.as_bytes();
        let (body, mut headers) = match self.of_kind(problem) {
            Some(ready) => ([&ready.body, id, END_OF_BODY].concat(), ready.headers.clone()),
            None => (problem.body(&String::from_utf8_lossy(id)), problem_headers(problem, &self.public_url)),
        };
        let filled = [request_id].into_iter().chain(problem.numbers().map(|(_, number)| number));
        for (place, value) in headers.values_mut().zip(filled) {
            *place = value;
        }
        let mut response = Response::new(Full::from(body));
        *response.status_mut() = problem.status();
        *response.headers_mut() = headers;
        response
    }

    fn of_kind(&self, problem: &Problem) -> Option<&ReadyProblem> {
        let kind = problem.kind()?;
        let kinds = self.problems.get(problem.code() as usize)?;
        let mut known = kinds.iter().map(|place| {
            place.get_or_init(|| {
                let mut body = problem.body("");
                body.truncate(body.len() - END_OF_BODY.len());
                ReadyProblem { kind, headers: problem_headers(problem, &self.public_url), body }
            })
        });
        known.find(|ready| ready.kind == kind)
    }
}

const PLACE: HeaderValue = HeaderValue::from_static("");

fn problem_headers(problem: &Problem, public_url: &str) -> HeaderMap {
    let json = (header::CONTENT_TYPE, HeaderValue::from_static("application/problem+json"));
    with_places(problem.numbers().map(|(name, _)| name), problem.fixed_headers().chain([json]), public_url)
}

/// The headers of every answer to a good key.
pub(super) fn result_headers(public_url: &str) -> HeaderMap {
    let json = (header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    with_places([RATE_LIMIT], [json, (RATE_LIMIT_POLICY, POLICY)], public_url)
}

/// Headers with places for the request's id and for `numbers`.
fn with_places(
    numbers: impl IntoIterator<Item = HeaderName>,
    fixed: impl IntoIterator<Item = (HeaderName, HeaderValue)>,
    public_url: &str,
) -> HeaderMap {
    let places: Vec<_> = [REQUEST_ID].into_iter().chain(numbers).collect();
    let mut headers: HeaderMap = places.iter().map(|name| (name.clone(), PLACE)).chain(fixed).collect();
    edge::add_fixed_headers(public_url, &mut headers);
    // A map of headers promises no order, only that a copy has the same.
    assert!(headers.keys().zip(&places).all(|(name, place)| name == place), "the places come first");
    headers
}

/// Fills the first place of headers that were kept ready.
pub(super) fn put_request_id(headers: &mut HeaderMap, id: HeaderValue) {
    put(headers, 0, id);
}

/// Fills the second place of a result's headers.
pub(super) fn put_rate(headers: &mut HeaderMap, rate: HeaderValue) {
    put(headers, 1, rate);
}

fn put(headers: &mut HeaderMap, place: usize, value: HeaderValue) {
    if let Some(place) = headers.values_mut().nth(place) {
        *place = value;
    }
}
