//! All error codes, with their status and texts.

use http::StatusCode;

macro_rules! codes {
    ($($variant:ident $code:literal $status:ident $title:literal;)+) => {
        /// All errors, by their stable codes.
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
    KeyInUrl            "key_in_url"            UNAUTHORIZED           "A key was sent in the URL";
    TokenInvalid        "token_invalid"         UNAUTHORIZED           "The application token is not valid";
    SessionEnded        "session_ended"         UNAUTHORIZED           "The session has ended";
    SignInCodeInvalid   "sign_in_code_invalid"  UNAUTHORIZED           "The sign-in code is not valid";
    CrossOrigin         "cross_origin"          FORBIDDEN              "The request comes from another page";
    McpInactive         "mcp_inactive"          FORBIDDEN              "MCP is not active on the brand's plan";
    KeyOwnerRemoved     "key_owner_removed"     FORBIDDEN              "The key's creator left the brand";
    KeyPaused           "key_paused"            FORBIDDEN              "The key is paused";
    AddressNotAllowed   "address_not_allowed"   FORBIDDEN              "The key may not be used from this address";
    BrandSuspended      "brand_suspended"       FORBIDDEN              "The brand is suspended";
    InsufficientScope   "insufficient_scope"    FORBIDDEN              "The key may not call this tool";
    NotKeyCreator       "not_key_creator"       FORBIDDEN              "The key or the post belongs to someone else";
    NotApprover         "not_approver"          FORBIDDEN              "You may not decide on this call";
    NotAdmin            "not_admin"             FORBIDDEN              "Only the brand's administrators may do this";
    NotOperator         "not_operator"          FORBIDDEN              "Only operators may do this";
    RateLimited         "rate_limited"          TOO_MANY_REQUESTS      "Too many requests";
    UnknownTool         "unknown_tool"          NOT_FOUND              "There is no such tool";
    NotFound            "not_found"             NOT_FOUND              "Not found";
    Gone                "gone"                  GONE                   "It is not here any more";
    MethodNotAllowed    "method_not_allowed"    METHOD_NOT_ALLOWED     "The method is not allowed here";
    NotMcpEndpoint      "not_mcp_endpoint"      BAD_REQUEST            "This is not an MCP HTTP endpoint";
    InvalidJson         "invalid_json"          BAD_REQUEST            "The body is not JSON";
    UnsupportedMedia    "unsupported_media_type" UNSUPPORTED_MEDIA_TYPE "The content type is not supported";
    TooLarge            "too_large"             PAYLOAD_TOO_LARGE      "The body is too large";
    RequestTimeout      "request_timeout"       REQUEST_TIMEOUT        "The body did not arrive in time";
    InvalidRequest      "invalid_request"       UNPROCESSABLE_ENTITY   "Some fields are not valid";
    InvalidArguments    "invalid_arguments"     UNPROCESSABLE_ENTITY   "Some arguments are not valid";
    IdempotencyReused   "idempotency_key_reused" UNPROCESSABLE_ENTITY  "The idempotency key was used for another request";
    InProgress          "in_progress"           CONFLICT               "The first request with this idempotency key still runs";
    OtherUserSignedIn   "other_user_signed_in"  CONFLICT               "Somebody else is signed in";
    ApprovalChanged     "approval_changed"      CONFLICT               "The call would do something else now";
    AlreadyDecided      "already_decided"       CONFLICT               "The call was decided before";
    ApprovalInvalid     "approval_invalid"      UNPROCESSABLE_ENTITY   "The tool refuses the changed arguments";
    NoEmailAddress      "no_email_address"      CONFLICT               "Your membership has no email address";
    PostInvalid         "post_invalid"          UNPROCESSABLE_ENTITY   "The post does not fit its channels";
    PostChanged         "post_changed"          CONFLICT               "The post was changed meanwhile";
    PostState           "post_state"            CONFLICT               "The state of the post does not allow this";
    QuotaReached        "quota_reached"         CONFLICT               "The brand has reached a quota";
    KeyLimitReached     "key_limit_reached"     CONFLICT               "The brand has reached its number of keys";
    KeyNotRevealable    "key_not_revealable"    CONFLICT               "This key cannot be revealed";
    KeyRevoked          "key_revoked"           CONFLICT               "The key is revoked";
    KeyExpired          "key_expired"           CONFLICT               "The key is expired";
    AlreadyRotating     "already_rotating"      CONFLICT               "The old secret of the key still works";
    ScopeCannotWiden    "scope_cannot_widen"    CONFLICT               "The scope of a key cannot become wider";
    ChannelFixed        "channel_fixed"         CONFLICT               "The feed channel cannot be changed";
    ChannelLimitReached "channel_limit_reached" CONFLICT               "The brand has reached its number of channels";
    EndpointLimitReached "endpoint_limit_reached" CONFLICT             "The brand has reached its number of event endpoints";
    EndpointOff         "endpoint_off"          CONFLICT               "The event endpoint is off";
    SealingOff          "sealing_off"           CONFLICT               "Secrets cannot be stored";
    ImportLimitReached  "import_limit_reached"  CONFLICT               "The brand has reached its number of keyword lists";
    MailNotConfigured   "mail_not_configured"   CONFLICT               "The service has no mail server";
    MailLimitReached    "mail_limit_reached"    TOO_MANY_REQUESTS      "Too many confirmation emails were sent today";
    JobState            "job_state"             CONFLICT               "The state of the job does not allow this";
    PlanInUse           "plan_in_use"           CONFLICT               "The plan is in use";
    BrandErased         "brand_erased"          CONFLICT               "The brand was erased";
    Unavailable         "unavailable"           SERVICE_UNAVAILABLE    "The service is not available right now";
    Internal            "internal"              INTERNAL_SERVER_ERROR  "Internal error";
    // The proxies in front send these (deploy/haproxy.cfg, deploy/Caddyfile), not the service.
    BadRequest          "bad_request"           BAD_REQUEST            "The request is not valid HTTP";
    BadGateway          "bad_gateway"           BAD_GATEWAY            "The answer of the service was lost";
    GatewayTimeout      "gateway_timeout"       GATEWAY_TIMEOUT        "The service did not answer in time";
}

impl Code {
    /// The detail of problems that do not have a text of their own.
    pub(super) fn detail(self) -> &'static str {
        match self {
            Self::KeyInvalid => {
                "The key is unknown, malformed, revoked or expired. Check that you copied all of it, or create a new one \
                 in Settings → MCP."
            }
            Self::TokenInvalid => {
                "The token is missing a claim, expired, or not signed by the configured key. Get a new one from the \
                 application and send it as `Authorization: Bearer <token>`. An MCP key is not accepted here."
            }
            Self::McpInactive => {
                "The key works again as soon as MCP is active on the brand's plan. Ask the brand's administrator to \
                 change the plan."
            }
            Self::KeyOwnerRemoved => {
                "The person who created this key is no longer a member of the brand. Ask a member to create a new key \
                 in Settings → MCP."
            }
            Self::KeyPaused => {
                "The key works again as soon as it is resumed. Ask the person who created it, or an administrator of the \
                 brand, to resume it in Settings → MCP."
            }
            Self::BrandSuspended => {
                "The operator of the service has suspended this brand. Its keys work again as soon as it is resumed. Ask an \
                 administrator of the brand to contact the operator."
            }
            Self::SessionEnded => {
                "The session is unknown, expired, or was ended by signing out. Sign in again: open Settings → MCP from your \
                 application."
            }
            Self::SignInCodeInvalid => {
                "A code works once and for 60 seconds, and not longer than the token it was made with. Open Settings → MCP \
                 from your application again to get a new one."
            }
            Self::CrossOrigin => {
                "The session cookie works only for requests of the service's own pages, with the header `Sec-Fetch-Site: \
                 same-origin` or the service's own `Origin`. Programs send the application's token as `Authorization: Bearer \
                 <token>` instead."
            }
            Self::RateLimited => {
                "A key has 60 requests per minute. Wait for `Retry-After` seconds, then send the request again."
            }
            Self::Unavailable => {
                "The store does not respond, or there are too many requests. Try again in a few seconds."
            }
            Self::Internal => "Try again. If it happens again, tell the operator the `request_id`.",
            other => other.title(),
        }
    }
}
