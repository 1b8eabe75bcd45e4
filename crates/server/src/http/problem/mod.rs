//! Error responses: RFC 9457, `application/problem+json`.
//!
//! [`Code`] lists all errors. A [`Problem`] is one of them with a text for this case. A handler returns it, and
//! [`instrument`](super::instrument) renders it, because the body ends with the request id.

mod code;
mod from_denial;
mod members;
mod sign_in;

use std::sync::LazyLock;

use axum::{
    body::Body,
    response::{IntoResponse, Response},
};
pub(crate) use code::Code;
use http::{HeaderName, HeaderValue, StatusCode, header};
use members::{DecisionMembers, MoreMembers, QuotaMembers, token_detail};
use schemars::JsonSchema;
use serde::Serialize;
use svc_mcp_access::{Fault, Faults, QuotaReached, Timestamp, rate::Rate, validate::shortened};
use svc_mcp_tools::{approvals::Approval, tool::ToolFailure};

use super::rate_limit;
use crate::jwt::TokenRefusal;

/// The whole body has at most 64 KiB: the other members of it take the rest.
const MAX_ERRORS_BYTES: usize = 48 * 1024;
const MAX_DETAIL_CHARS: usize = 2_000;

#[derive(Debug, Clone)]
pub(crate) struct Problem {
    code: Code,
    status: StatusCode,
    /// `None`: the code's own detail.
    detail: Option<Box<str>>,
    errors: Vec<Fault>,
    more: Option<Box<MoreMembers>>,
    challenge: Option<Challenge>,
    /// In seconds.
    retry_after: Option<u32>,
    /// Set if the key is valid.
    rate: Option<Rate>,
    headers: Vec<(HeaderName, HeaderValue)>,
}

/// The value of `WWW-Authenticate`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Challenge {
    NoToken,
    InvalidToken,
    InsufficientScope,
}

impl Challenge {
    fn header_value(self) -> HeaderValue {
        HeaderValue::from_static(match self {
            Self::NoToken => r#"Bearer realm="svc-mcp""#,
            Self::InvalidToken => r#"Bearer realm="svc-mcp", error="invalid_token""#,
            Self::InsufficientScope => r#"Bearer realm="svc-mcp", error="insufficient_scope", scope="write""#,
        })
    }
}

/// The body of every error.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Problem")]
pub(crate) struct ProblemBody<'a> {
    /// Where this error is explained
    #[serde(rename = "type")]
    #[schemars(with = "String", example = &"/docs#error-rate_limited")]
    link: DocsLink,
    title: &'a str,
    #[schemars(example = 429)]
    status: u16,
    /// What happened and what to do next
    detail: &'a str,
    /// Stable: programs may compare it
    #[schemars(example = &"rate_limited")]
    code: &'a str,
    request_id: &'a str,
    /// What is wrong with each field
    #[serde(skip_serializing_if = "Option::is_none")]
    errors: Option<Vec<FieldError<'a>>>,
    /// Only if a quota is reached
    #[serde(flatten)]
    quota: Option<QuotaMembers>,
    /// Only if a call was decided before
    #[serde(flatten)]
    decision: Option<&'a DecisionMembers>,
    /// Only if an application token is refused: which check failed
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(example = &"expired")]
    reason: Option<&'a str>,
    /// Only if another user is signed in: the user of the code or token
    #[serde(skip_serializing_if = "Option::is_none")]
    sign_in_user_id: Option<&'a str>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct FieldError<'a> {
    #[schemars(example = &"label")]
    field: &'a str,
    message: &'a str,
}

#[derive(Debug)]
struct DocsLink(Code);

impl Serialize for DocsLink {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&format_args!("/docs#error-{}", self.0.as_str()))
    }
}

/// The JSON of each code with its own detail, up to the request id. Saves about 0.4 µs of the 10 µs of a refused request.
static BODY_STARTS: LazyLock<Vec<Vec<u8>>> = LazyLock::new(|| {
    let start = |code: &Code| {
        let mut body = Problem::standard(*code).json("");
        body.truncate(body.len() - BODY_END.len());
        body
    };
    Code::ALL.iter().map(start).collect()
});
const BODY_END: &[u8] = b"\"}";

impl Problem {
    pub(crate) fn new(code: Code, detail: impl Into<String>) -> Self {
        Self { detail: Some(bounded_detail(detail.into())), ..Self::standard(code) }
    }

    /// With the code's own detail.
    fn standard(code: Code) -> Self {
        Self {
            code,
            status: code.status(),
            detail: None,
            errors: Vec::new(),
            more: None,
            challenge: None,
            retry_after: None,
            rate: None,
            headers: Vec::new(),
        }
    }

    pub(crate) fn not_found(what: &str) -> Self {
        Self::new(Code::NotFound, format!("There is no such {what}, or you may not see it."))
    }

    pub(crate) fn oidc_not_configured() -> Self {
        let detail =
            "Sign-in with OpenID Connect is not configured. Ask the operator to set SVC_OIDC_ISSUER.";
        Self::new(Code::NotFound, detail.to_owned())
    }

    pub(crate) fn brand_suspended() -> Self {
        Self::standard(Code::BrandSuspended)
    }

    pub(crate) fn token_invalid(refusal: TokenRefusal) -> Self {
        let mut problem =
            Self::new(Code::TokenInvalid, token_detail(refusal)).challenge(Challenge::InvalidToken);
        problem.more = Some(Box::new(MoreMembers::Token(refusal)));
        problem
    }

    pub(crate) fn credential_missing(what: &str) -> Self {
        Self::new(Code::CredentialMissing, format!("Send {what} as `Authorization: Bearer …`."))
            .challenge(Challenge::NoToken)
    }

    pub(crate) fn key_in_url(header_too: bool) -> Self {
        let problem = Self::new(
            Code::KeyInUrl,
            "URLs are kept in logs and histories, so this key is exposed. Revoke it in Settings → MCP, create a new one, \
             and send that in the header `Authorization: Bearer <key>` only.",
        );
        if header_too {
            problem.with_status(StatusCode::BAD_REQUEST)
        } else {
            problem.challenge(Challenge::NoToken)
        }
    }

    pub(crate) fn invalid_request(errors: impl Into<Faults>) -> Self {
        Self::new(
            Code::InvalidRequest,
            "Nothing was changed. Fix the fields listed in `errors` and send the request again.",
        )
        .with_errors(errors.into())
    }

    /// A user has reached the limit of the management API.
    pub(crate) fn user_rate_limited(limit: u16, rate: &Rate) -> Self {
        let detail = format!(
            "You have {limit} requests per minute in the management API. Wait for `Retry-After` seconds, then send the \
             request again."
        );
        let mut problem = Self::new(Code::RateLimited, detail).retry_after(rate.frees_in_seconds());
        problem.headers.extend(rate_limit::policy_headers("user", limit, rate));
        problem
    }

    /// An address has reached its limit of what anybody may send, such as `reports of leaked keys`.
    pub(crate) fn address_rate_limited(limit: u16, what: &str, rate: &Rate) -> Self {
        let detail = format!(
            "Your address has {limit} {what} per minute. Wait for `Retry-After` seconds, then send the request again."
        );
        let mut problem = Self::new(Code::RateLimited, detail).retry_after(rate.frees_in_seconds());
        problem.headers.extend(rate_limit::policy_headers("address", limit, rate));
        problem
    }

    pub(crate) fn unavailable() -> Self {
        Self::standard(Code::Unavailable).retry_after(2)
    }

    pub(crate) fn token_keys_unavailable() -> Self {
        Self::new(
            Code::Unavailable,
            "Application tokens cannot be checked, because the service has no current copy of the application's public \
             keys (JWK set). It keeps trying to read them. Try again in a minute. MCP keys still work.",
        )
        .retry_after(60)
    }

    pub(crate) fn internal() -> Self {
        Self::standard(Code::Internal)
    }

    /// Lists the faults that fit into the response, and says how many there are besides.
    fn with_errors(mut self, faults: Faults) -> Self {
        let mut left_out = faults.left_out();
        let mut bytes_left = MAX_ERRORS_BYTES;
        for fault in faults {
            let bytes = serde_json::to_string(&fault).map_or(usize::MAX, |json| json.len() + 1);
            match bytes_left.checked_sub(bytes) {
                Some(left) => {
                    bytes_left = left;
                    self.errors.push(fault);
                }
                None => left_out += 1,
            }
        }
        match left_out {
            0 => self,
            1 => self.hint("One more fault is not listed."),
            more => self.hint(&format!("{more} more faults are not listed.")),
        }
    }

    /// The failure of a tool, for a person who does the same.
    pub(crate) fn of_failure(code: Code, failure: ToolFailure) -> Self {
        let reached = failure.quota.and_then(|quota| {
            let frees_at: Option<Timestamp> = quota.frees_at.and_then(|at| at.parse().ok());
            let (limit, used) = (quota.limit, quota.used);
            Some(QuotaReached { quota: quota.quota.parse().ok()?, limit, used, frees_at })
        });
        let problem = Self::new(code, failure.message);
        match reached {
            Some(reached) => problem.with_quota(reached),
            None => problem,
        }
    }

    pub(crate) fn with_quota(mut self, reached: QuotaReached) -> Self {
        self.more = Some(Box::new(MoreMembers::Quota(reached)));
        self
    }

    pub(crate) fn with_decision(mut self, approval: &Approval) -> Self {
        self.more = Some(Box::new(MoreMembers::Decision(approval.into())));
        self
    }

    pub(crate) fn with_status(mut self, status: StatusCode) -> Self {
        self.status = status;
        self
    }

    pub(crate) fn retry_after(mut self, seconds: u32) -> Self {
        self.retry_after = Some(seconds);
        self
    }

    pub(crate) fn header(mut self, name: HeaderName, value: HeaderValue) -> Self {
        self.headers.push((name, value));
        self
    }

    /// Adds the rate limit headers.
    pub(crate) fn with_rate(mut self, rate: Option<Rate>) -> Self {
        self.rate = rate;
        self
    }

    /// Adds a sentence to the detail.
    pub(crate) fn hint(mut self, sentence: &str) -> Self {
        self.detail = Some(bounded_detail(format!("{} {sentence}", self.detail())));
        self
    }

    fn challenge(mut self, challenge: Challenge) -> Self {
        self.challenge = Some(challenge);
        self
    }

    pub(crate) fn code(&self) -> Code {
        self.code
    }

    /// Which check refused the application token.
    pub(crate) fn token_refusal(&self) -> Option<TokenRefusal> {
        match self.more.as_deref() {
            Some(MoreMembers::Token(refusal)) => Some(*refusal),
            _ => None,
        }
    }

    fn sign_in_user_id(&self) -> Option<&str> {
        match self.more.as_deref() {
            Some(MoreMembers::SignIn(user_id)) => Some(user_id.as_str()),
            _ => None,
        }
    }

    fn detail(&self) -> &str {
        self.detail.as_deref().unwrap_or(self.code.detail())
    }

    /// The whole response, except for the headers that every response has.
    pub(crate) fn render(self, request_id: &str) -> Response {
        let mut response = Response::new(Body::from(self.body(request_id)));
        *response.status_mut() = self.status;
        let headers = response.headers_mut();
        if self.rate.is_some() {
            // Without these headers, a problem has no more than an empty map allocates for its first one.
            headers.reserve(12);
        }
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/problem+json"));
        if let Some(challenge) = self.challenge {
            headers.insert(header::WWW_AUTHENTICATE, challenge.header_value());
        }
        if let Some(rate) = &self.rate {
            rate_limit::insert_headers(headers, rate);
        }
        if let Some(seconds) = self.retry_after {
            headers.insert(header::RETRY_AFTER, seconds.into());
        }
        headers.extend(self.headers);
        response
    }

    fn body(&self, request_id: &str) -> Vec<u8> {
        if self.detail.is_none()
            && self.errors.is_empty()
            && self.more.is_none()
            && self.status == self.code.status()
        {
            return [BODY_STARTS[self.code as usize].as_slice(), request_id.as_bytes(), BODY_END].concat();
        }
        self.json(request_id)
    }

    fn json(&self, request_id: &str) -> Vec<u8> {
        let errors =
            self.errors.iter().map(|fault| FieldError { field: &fault.field, message: &fault.message });
        let (quota, decision) = match self.more.as_deref() {
            Some(MoreMembers::Quota(reached)) => (Some(reached.into()), None),
            Some(MoreMembers::Decision(decision)) => (None, Some(decision)),
            Some(MoreMembers::Token(_) | MoreMembers::SignIn(_)) | None => (None, None),
        };
        let body = ProblemBody {
            link: DocsLink(self.code),
            title: self.code.title(),
            status: self.status.as_u16(),
            detail: self.detail(),
            code: self.code.as_str(),
            request_id,
            errors: (!self.errors.is_empty()).then(|| errors.collect()),
            quota,
            decision,
            reason: self.token_refusal().map(TokenRefusal::as_str),
            sign_in_user_id: self.sign_in_user_id(),
        };
        serde_json::to_vec(&body).expect("texts and numbers are valid JSON")
    }

    /// The problem in a response of the router, which carries it as an extension.
    pub(crate) fn extract(mut response: Response) -> Result<Response, Self> {
        let Some(mut problem) = response.extensions_mut().remove::<Self>() else { return Ok(response) };
        // The router adds `Allow`.
        let added = response.headers().iter().map(|(name, value)| (name.clone(), value.clone()));
        problem.headers.extend(added);
        Err(problem)
    }
}

/// A detail may quote what was sent.
fn bounded_detail(detail: String) -> Box<str> {
    shortened(detail, MAX_DETAIL_CHARS).into()
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let mut response = Response::new(Body::empty());
        *response.status_mut() = self.status;
        response.extensions_mut().insert(self);
        response
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_body_of_a_problem_is_at_most_64_kib() {
        let mut faults = Faults::default();
        // A control character takes six bytes in JSON.
        let field = |index: usize| format!("{index:03}{}", "\u{1}".repeat(500));
        faults.extend((0..150).map(|index| Fault::new(field(index), "\u{1}".repeat(5_000))));
        let problem = Problem::invalid_request(faults).hint(&"\u{1}".repeat(100_000));
        let body = problem.json(&"x".repeat(64));
        assert!(body.len() <= 64 * 1024, "{} bytes", body.len());
        assert_eq!(problem.errors.len(), 3);
        assert!(problem.detail().contains(" 147 more faults are not listed."), "{}", problem.detail());
    }

    #[test]
    fn prepared_bodies_equal_the_serialized_ones() {
        for code in Code::ALL {
            let problem = Problem::standard(*code);
            let (body, json) = (problem.body("req_1"), problem.json("req_1"));
            assert_eq!(String::from_utf8_lossy(&body), String::from_utf8_lossy(&json));
            assert_eq!(Code::ALL[*code as usize], *code);
        }
    }
}
