//! Problems of sign-in codes and sessions.

use svc_mcp_access::UserId;

use super::{Challenge, Code, MoreMembers, Problem};

impl Problem {
    pub(crate) fn session_ended() -> Self {
        Self::standard(Code::SessionEnded).challenge(Challenge::NoToken)
    }

    pub(crate) fn sign_in_code_invalid() -> Self {
        Self::standard(Code::SignInCodeInvalid).challenge(Challenge::NoToken)
    }

    pub(crate) fn cross_origin() -> Self {
        Self::standard(Code::CrossOrigin)
    }

    /// The browser has a session of another user than the one who would be signed in.
    pub(crate) fn other_user_signed_in(user_id: UserId) -> Self {
        let detail = format!(
            "This browser has a session of another user. To end it and to sign in as {user_id}, send the request again with \
             `\"replace\": true`."
        );
        let mut problem = Self::new(Code::OtherUserSignedIn, detail);
        problem.more = Some(Box::new(MoreMembers::SignIn(user_id)));
        problem
    }
}
