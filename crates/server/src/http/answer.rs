//! An answer on its way out. A problem becomes a response at the edge, which knows the request's id; axum carries it
//! there as an extension, and where axum is not between, it simply is one.

use std::time::Duration;

use axum::{
    body::Body,
    response::{IntoResponse, Response},
};
use bytes::Bytes;
use http_body_util::{Either, Full};
use svc_mcp_access::rate::Rate;

use super::{
    limit::{POLICY, RATE_LIMIT, RATE_LIMIT_POLICY, written},
    problem::Problem,
    ready,
};

/// A response as it is given to hyper. Where its body is known whole, as nearly always, nothing is boxed.
pub(crate) type Reply = http::Response<Either<Full<Bytes>, Body>>;

#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) what: What,
    /// How long it took until now, where somebody has looked at the clock already.
    pub(crate) took: Option<Duration>,
}

#[derive(Debug)]
pub(crate) enum What {
    /// Lacks nothing but the request's id and, at first, the rate: [`ready`] keeps places for them.
    Ready(http::Response<Full<Bytes>>),
    Whole(Response),
    Problem(Problem),
}

impl Answer {
    /// Tells the caller how its key stands with the limit.
    pub(crate) fn tell(&mut self, rate: Rate) {
        match &mut self.what {
            What::Ready(response) => ready::put_rate(response.headers_mut(), written(&rate)),
            What::Whole(response) => {
                response.headers_mut().insert(RATE_LIMIT_POLICY, POLICY);
                response.headers_mut().insert(RATE_LIMIT, written(&rate));
            }
            What::Problem(problem) => problem.tell(rate),
        }
    }
}

impl From<What> for Answer {
    fn from(what: What) -> Self {
        Self { what, took: None }
    }
}

impl From<Problem> for Answer {
    fn from(problem: Problem) -> Self {
        What::Problem(problem).into()
    }
}

impl From<Response> for Answer {
    fn from(mut response: Response) -> Self {
        let Some(problem) = response.extensions_mut().remove::<Problem>() else {
            return What::Whole(response).into();
        };
        // What the router has added: `Allow`.
        let added = response.headers().iter();
        added.fold(problem, |problem, (name, value)| problem.header(name.clone(), value.clone())).into()
    }
}

impl IntoResponse for Answer {
    fn into_response(self) -> Response {
        match self.what {
            What::Ready(response) => response.map(Body::new),
            What::Whole(response) => response,
            What::Problem(problem) => problem.into_response(),
        }
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let mut response = Response::new(Body::empty());
        *response.status_mut() = self.status();
        response.extensions_mut().insert(self);
        response
    }
}
