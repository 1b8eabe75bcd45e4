//! Why a token is refused.

use jsonwebtoken::errors::ErrorKind;

/// The check that failed. The checks run in this order, so a token without a valid signature tells nothing about its claims.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TokenRefusal {
    /// It is not a signed JWT.
    Malformed,
    /// No published key has its `kid`.
    KeyUnknown,
    /// The signature or its algorithm is not that of the configured key.
    Signature,
    /// A claim is missing or has the wrong type, or `sub` is not a user id.
    Claims,
    Issuer,
    Audience,
    Expired,
    NotYetValid,
}

impl TokenRefusal {
    pub const ALL: [Self; 8] = [
        Self::Malformed,
        Self::KeyUnknown,
        Self::Signature,
        Self::Claims,
        Self::Issuer,
        Self::Audience,
        Self::Expired,
        Self::NotYetValid,
    ];

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Malformed => "malformed",
            Self::KeyUnknown => "key_unknown",
            Self::Signature => "signature",
            Self::Claims => "claims",
            Self::Issuer => "issuer",
            Self::Audience => "audience",
            Self::Expired => "expired",
            Self::NotYetValid => "not_yet_valid",
        }
    }

    /// For a token whose header could be read. What is not base64 then is the signature, because it is checked before the
    /// claims are decoded.
    pub(super) fn of(error: &ErrorKind) -> Self {
        match error {
            ErrorKind::InvalidToken => Self::Malformed,
            ErrorKind::InvalidIssuer => Self::Issuer,
            ErrorKind::InvalidAudience => Self::Audience,
            ErrorKind::MissingRequiredClaim(name) if name == "iss" => Self::Issuer,
            ErrorKind::MissingRequiredClaim(name) if name == "aud" => Self::Audience,
            ErrorKind::MissingRequiredClaim(_) | ErrorKind::InvalidClaimFormat(_) | ErrorKind::Json(_) => {
                Self::Claims
            }
            _ => Self::Signature,
        }
    }
}
