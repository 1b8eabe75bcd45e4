//! What the store and the access decision refuse, as problems.

use svc_mcp_access::{StoreError, decision::Denial};

use super::{Challenge, Code, Problem};

impl From<StoreError> for Problem {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Unavailable => Self::unavailable(),
            StoreError::Internal => Self::internal(),
        }
    }
}

impl From<Denial> for Problem {
    fn from(denial: Denial) -> Self {
        match denial {
            Denial::CredentialMissing => Self::credential_missing("your MCP key (`svc_mcp_…`)"),
            Denial::KeyInUrl { header_too } => Self::key_in_url(header_too),
            Denial::KeyInvalid(_) => Self::standard(Code::KeyInvalid).challenge(Challenge::InvalidToken),
            Denial::OwnerRemoved => Self::standard(Code::KeyOwnerRemoved),
            Denial::KeyPaused => Self::standard(Code::KeyPaused),
            Denial::AddressNotAllowed { address } => Self::new(
                Code::AddressNotAllowed,
                format!(
                    "The request came from {address}, and this key may be used only from certain networks. Send it from one \
                     of them, or ask the person who created the key to add this address in Settings → MCP."
                ),
            ),
            Denial::BrandSuspended => Self::brand_suspended(),
            Denial::McpInactive => Self::standard(Code::McpInactive),
            Denial::RateLimited => Self::standard(Code::RateLimited),
            Denial::UnknownTool { nearest } => {
                let suggestion = nearest.map(|name| format!("Did you mean `{name}`? ")).unwrap_or_default();
                let detail = format!(
                    "There is no tool with this name. {suggestion}`GET /mcp/v1/tools` lists the tools this key can call."
                );
                Self::new(Code::UnknownTool, detail)
            }
            Denial::InsufficientScope { listed: true } => Self::new(
                Code::InsufficientScope,
                "The tool is not on this key's list of tools. Use a key that has it, or create one in Settings → MCP.",
            )
            .challenge(Challenge::InsufficientScope),
            Denial::InsufficientScope { listed: false } => Self::new(
                Code::InsufficientScope,
                "The tool changes data and this key may only read. Use a key with scope `write`, created in Settings → \
                 MCP.",
            )
            .challenge(Challenge::InsufficientScope),
            Denial::InvalidArguments(faults) => Self::new(
                Code::InvalidArguments,
                "The tool was not run. Fix the arguments listed in `errors` and call the tool again.",
            )
            .with_errors(faults),
            Denial::Store(error) => error.into(),
        }
    }
}
