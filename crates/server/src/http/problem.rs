//! What a caller is told when something is refused or fails: RFC 9457, `application/problem+json`.
//!
//! [`Code`] lists every error there is. A [`Problem`] is one of them with words for this case; the edge adds the
//! request's id when it writes the body.

use std::borrow::Cow;

use http::{HeaderName, HeaderValue, StatusCode, header};
use serde::Serialize;
use svc_mcp_access::{
    Fault,
    decision::{Denial, Unavailable},
    rate::Rate,
};
use utoipa::ToSchema;

use super::limit::{POLICY, RATE_LIMIT, RATE_LIMIT_POLICY, written};

macro_rules! codes {
    ($($variant:ident $code:literal $status:ident $title:literal;)+) => {
        /// Every error, by its stable code.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub(crate) enum Code { $($variant),+ }

        impl Code {
            pub(crate) const ALL: &[Self] = &[$(Self::$variant),+];

            pub(crate) fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $code),+ }
            }

            pub(crate) fn status(self) -> StatusCode {
                match self { $(Self::$variant => StatusCode::$status),+ }
            }

            pub(crate) fn title(self) -> &'static str {
                match self { $(Self::$variant => $title),+ }
            }
        }
    };
}

codes! {
    CredentialMissing   "credential_missing"    UNAUTHORIZED           "No credential was sent";
    KeyInvalid          "key_invalid"           UNAUTHORIZED           "The MCP key is not valid";
    KeyInUrl            "key_in_url"            UNAUTHORIZED           "A key was put in the URL";
    TokenInvalid        "token_invalid"         UNAUTHORIZED           "The application token is not valid";
    McpInactive         "mcp_inactive"          FORBIDDEN              "MCP is not active on the brand's plan";
    KeyOwnerRemoved     "key_owner_removed"     FORBIDDEN              "The key's creator left the brand";
    InsufficientScope   "insufficient_scope"    FORBIDDEN              "The key may not call this tool";
    NotKeyCreator       "not_key_creator"       FORBIDDEN              "The key belongs to someone else";
    NotAdmin            "not_admin"             FORBIDDEN              "Only the brand's administrators may do this";
    NotOperator         "not_operator"          FORBIDDEN              "Only operators may do this";
    RateLimited         "rate_limited"          TOO_MANY_REQUESTS      "Too many requests with this key";
    UnknownTool         "unknown_tool"          NOT_FOUND              "There is no such tool";
    NotFound            "not_found"             NOT_FOUND              "Not found";
    MethodNotAllowed    "method_not_allowed"    METHOD_NOT_ALLOWED     "The method is not allowed here";
    NotMcpEndpoint      "not_mcp_endpoint"      BAD_REQUEST            "This is not an MCP HTTP endpoint";
    InvalidJson         "invalid_json"          BAD_REQUEST            "The body is not JSON";
    UnsupportedMedia    "unsupported_media_type" UNSUPPORTED_MEDIA_TYPE "The body is of another type than is taken here";
    TooLarge            "too_large"             PAYLOAD_TOO_LARGE      "The body is too large";
    RequestTimeout      "request_timeout"       REQUEST_TIMEOUT        "The body did not arrive in time";
    InvalidRequest      "invalid_request"       UNPROCESSABLE_ENTITY   "Some fields are wrong";
    InvalidArguments    "invalid_arguments"     UNPROCESSABLE_ENTITY   "Some arguments are wrong";
    IdempotencyReused   "idempotency_key_reused" UNPROCESSABLE_ENTITY  "The idempotency key was used for another request";
    InProgress          "in_progress"           CONFLICT               "The first request with this key still runs";
    KeyLimitReached     "key_limit_reached"     CONFLICT               "The brand has as many keys as it may have";
    KeyNotRevealable    "key_not_revealable"    CONFLICT               "This key cannot be revealed";
    ChannelFixed        "channel_fixed"         CONFLICT               "Every brand has its feed";
    ChannelLimitReached "channel_limit_reached" CONFLICT               "The brand has as many channels as it may have";
    SealingOff          "sealing_off"           CONFLICT               "Secrets cannot be kept";
    ImportLimitReached  "import_limit_reached"  CONFLICT               "The brand has as many keyword lists as it may have";
    MailNotConfigured   "mail_not_configured"   CONFLICT               "The service has no mail server";
    MailLimitReached    "mail_limit_reached"    TOO_MANY_REQUESTS      "Too many people were asked today";
    PlanInUse           "plan_in_use"           CONFLICT               "Brands are on this plan";
    Unavailable         "unavailable"           SERVICE_UNAVAILABLE    "The service cannot answer right now";
    Internal            "internal"              INTERNAL_SERVER_ERROR  "Something went wrong on our side";
}

#[derive(Debug, Clone)]
pub(crate) struct Problem {
    code: Code,
    status: StatusCode,
    detail: Cow<'static, str>,
    errors: Vec<Fault>,
    challenge: Option<Challenge>,
    /// In seconds.
    retry_after: Option<u32>,
    /// How the key stands with its limit, where it is a good one.
    rate: Option<Rate>,
    others: Vec<(HeaderName, HeaderValue)>,
}

/// What `WWW-Authenticate` says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Challenge {
    NoToken,
    InvalidToken,
    InsufficientScope,
}

impl Challenge {
    pub(crate) fn words(self) -> HeaderValue {
        HeaderValue::from_static(match self {
            Self::NoToken => r#"Bearer realm="svc-mcp""#,
            Self::InvalidToken => r#"Bearer realm="svc-mcp", error="invalid_token""#,
            Self::InsufficientScope => r#"Bearer realm="svc-mcp", error="insufficient_scope", scope="write""#,
        })
    }
}

/// The body of every error.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Problem)]
pub(crate) struct ProblemBody<'a> {
    /// Where this error is explained
    #[serde(rename = "type")]
    #[schema(value_type = String, example = "/docs#error-rate_limited")]
    kind: Kind,
    title: &'a str,
    #[schema(example = 429)]
    status: u16,
    /// What happened and what to do next
    detail: &'a str,
    /// Stable: programs may compare it
    #[schema(example = "rate_limited")]
    code: &'a str,
    request_id: &'a str,
    /// What is wrong with each field
    #[serde(skip_serializing_if = "Option::is_none")]
    errors: Option<Vec<FieldError<'a>>>,
}

#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct FieldError<'a> {
    #[schema(example = "label")]
    field: &'a str,
    message: &'a str,
}

/// Where an error is explained.
#[derive(Debug)]
struct Kind(Code);

impl Serialize for Kind {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&format_args!("/docs#error-{}", self.0.as_str()))
    }
}

impl Problem {
    pub(crate) fn new(code: Code, detail: impl Into<Cow<'static, str>>) -> Self {
        Self {
            code,
            status: code.status(),
            detail: detail.into(),
            errors: Vec::new(),
            challenge: None,
            retry_after: None,
            rate: None,
            others: Vec::new(),
        }
    }

    pub(crate) fn not_found(what: &str) -> Self {
        Self::new(Code::NotFound, format!("There is no such {what}, or you may not see it."))
    }

    pub(crate) fn token_invalid() -> Self {
        Self::new(
            Code::TokenInvalid,
            "The token is missing a claim, expired, or not signed by the configured key. Get a new one from the \
             application and send it as `Authorization: Bearer <token>`. An MCP key is not accepted here.",
        )
        .challenge(Challenge::InvalidToken)
    }

    pub(crate) fn credential_missing(what: &str) -> Self {
        Self::new(Code::CredentialMissing, format!("Send {what} as `Authorization: Bearer …`."))
            .challenge(Challenge::NoToken)
    }

    pub(crate) fn key_in_url(header_too: bool) -> Self {
        let problem = Self::new(
            Code::KeyInUrl,
            "A key in a URL ends up in logs and histories: this one is exposed. Revoke it in Settings → MCP, create a \
             new one, and send that in the header `Authorization: Bearer <key>` only.",
        );
        if header_too {
            problem.with_status(StatusCode::BAD_REQUEST)
        } else {
            problem.challenge(Challenge::NoToken)
        }
    }

    pub(crate) fn invalid_request(errors: Vec<Fault>) -> Self {
        Self::new(
            Code::InvalidRequest,
            "Nothing was changed. Mend the fields listed in `errors` and send it again.",
        )
        .with_errors(errors)
    }

    pub(crate) fn unavailable() -> Self {
        Self::new(
            Code::Unavailable,
            "The store does not answer, or there is more to do than can be done. Nothing was changed; try again in a \
             few seconds.",
        )
        .retry_after(2)
    }

    pub(crate) fn internal() -> Self {
        Self::new(Code::Internal, "Try again. If it happens again, tell the operator the `request_id`.")
    }

    pub(crate) fn with_errors(mut self, errors: Vec<Fault>) -> Self {
        self.errors = errors;
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

    /// A header that hardly any problem has.
    pub(crate) fn header(mut self, name: HeaderName, value: HeaderValue) -> Self {
        self.others.push((name, value));
        self
    }

    /// Tells how the key stands with its limit.
    pub(crate) fn tell(&mut self, rate: Rate) {
        self.rate = Some(rate);
    }

    /// Adds a sentence, for who seems to be in the wrong place.
    pub(crate) fn hint(mut self, sentence: &str) -> Self {
        let detail = self.detail.to_mut();
        detail.push(' ');
        detail.push_str(sentence);
        self
    }

    fn challenge(mut self, challenge: Challenge) -> Self {
        self.challenge = Some(challenge);
        self
    }

    pub(crate) fn code(&self) -> Code {
        self.code
    }

    pub(crate) fn status(&self) -> StatusCode {
        self.status
    }

    /// What it has in common with all others of its kind, where that is everything but numbers and the request's id.
    pub(crate) fn kind(&self) -> Option<ProblemKind> {
        let Cow::Borrowed(words) = self.detail else { return None };
        let is_plain = self.errors.is_empty() && self.others.is_empty();
        is_plain.then_some(ProblemKind {
            words,
            status: self.status,
            challenge: self.challenge,
            has_retry: self.retry_after.is_some(),
            has_rate: self.rate.is_some(),
        })
    }

    /// The headers of its own that differ each time, in a fixed order.
    pub(crate) fn numbers(&self) -> impl Iterator<Item = (HeaderName, HeaderValue)> + use<> {
        let rate = self.rate.map(|rate| (RATE_LIMIT, written(&rate)));
        let retry = self.retry_after.map(|seconds| (header::RETRY_AFTER, seconds.into()));
        rate.into_iter().chain(retry)
    }

    /// Those that are always the same.
    pub(crate) fn fixed_headers(&self) -> impl Iterator<Item = (HeaderName, HeaderValue)> {
        let challenge = self.challenge.map(|challenge| (header::WWW_AUTHENTICATE, challenge.words()));
        let policy = self.rate.map(|_| (RATE_LIMIT_POLICY, POLICY));
        challenge.into_iter().chain(policy).chain(self.others.iter().cloned())
    }

    pub(crate) fn body(&self, request_id: &str) -> Vec<u8> {
        let errors =
            self.errors.iter().map(|fault| FieldError { field: &fault.field, message: &fault.message });
        let body = ProblemBody {
            kind: Kind(self.code),
            title: self.code.title(),
            status: self.status.as_u16(),
            detail: &self.detail,
            code: self.code.as_str(),
            request_id,
            errors: (!self.errors.is_empty()).then(|| errors.collect()),
        };
        let mut written = Vec::with_capacity(512);
        serde_json::to_writer(&mut written, &body).expect("a problem is plain JSON");
        written
    }
}

/// Problems of one kind differ by numbers and the request's id only.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ProblemKind {
    words: &'static str,
    status: StatusCode,
    challenge: Option<Challenge>,
    has_retry: bool,
    has_rate: bool,
}

impl PartialEq for ProblemKind {
    /// Where its words lie tells a kind as well as what they are, and sooner.
    fn eq(&self, other: &Self) -> bool {
        let numbers = |kind: &Self| (kind.status, kind.challenge, kind.has_retry, kind.has_rate);
        std::ptr::eq(self.words, other.words) && numbers(self) == numbers(other)
    }
}

impl From<Unavailable> for Problem {
    fn from(_: Unavailable) -> Self {
        Self::unavailable()
    }
}

impl From<Denial> for Problem {
    fn from(denial: Denial) -> Self {
        match denial {
            Denial::CredentialMissing => Self::credential_missing("your MCP key (`svc_mcp_…`)"),
            Denial::KeyInUrl { header_too } => Self::key_in_url(header_too),
            Denial::KeyInvalid(_) => Self::new(
                Code::KeyInvalid,
                "The key is unknown, malformed, revoked or expired. Check that it was copied whole, or create a new one \
                 in Settings → MCP.",
            )
            .challenge(Challenge::InvalidToken),
            Denial::OwnerRemoved => Self::new(
                Code::KeyOwnerRemoved,
                "The person who created this key is no longer a member of the brand. Ask a member to create a new key in \
                 Settings → MCP.",
            ),
            Denial::McpInactive => Self::new(
                Code::McpInactive,
                "The key is kept and works again as soon as MCP is active on the brand's plan. Ask the brand's \
                 administrator to change the plan.",
            ),
            Denial::RateLimited => {
                Self::new(Code::RateLimited, "A key has 60 requests a minute. Wait for `Retry-After` seconds, then go on.")
            }
            Denial::UnknownTool { nearest } => {
                let nearest = nearest.map(|name| format!("Did you mean `{name}`? ")).unwrap_or_default();
                Self::new(Code::UnknownTool, format!("{nearest}`GET /mcp/v1/tools` lists the tools this key can call."))
            }
            Denial::InsufficientScope { listed: true } => Self::new(
                Code::InsufficientScope,
                "The tool is not on this key's list of tools. Use a key that has it, or create one in Settings → MCP.",
            )
            .challenge(Challenge::InsufficientScope),
            Denial::InsufficientScope { listed: false } => Self::new(
                Code::InsufficientScope,
                "The tool changes things and this key may only read. Use a key with scope `write`, created in Settings → \
                 MCP.",
            )
            .challenge(Challenge::InsufficientScope),
            Denial::InvalidArguments(faults) => {
                Self::new(Code::InvalidArguments, "The tool was not run. Mend what `errors` lists and call it again.")
                    .with_errors(faults)
            }
            Denial::Unavailable => Self::unavailable(),
        }
    }
}
