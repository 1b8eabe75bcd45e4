//! Access control: keys, scopes, plans, members, the rate limit, and the one function that decides on a request.
//!
//! This crate is pure. It does no HTTP, SQL or network I/O, keeps no cache, reads no clock and draws no random numbers:
//! the caller passes them in. Every rule can be tested without a server and without waiting.

pub mod approval;
pub mod brand;
pub mod client;
pub mod decision;
pub mod id;
pub mod idempotency;
pub mod key;
mod local_state;
pub mod network;
pub mod quota;
pub mod random;
pub mod rate;
pub mod scope;
pub mod secret;
pub mod session;
mod sha256;
mod store_error;
pub mod time;
pub mod usage;
pub mod user_id;
pub mod validate;

pub use approval::{ApprovalRule, ApprovalSettings, Approvers};
pub use brand::{Brand, DEFAULT_TIME_ZONE, Member, Plan, Role, Suspension};
pub use id::{BrandId, ChannelId, EndpointId, KeyId, PlanId, UserId};
pub use network::{Network, Networks};
pub use quota::{Quota, QuotaReached, QuotaUsage, Quotas};
pub use random::Entropy;
pub use scope::{Scope, ToolAccess};
pub use secret::Secret;
pub use sha256::sha256;
pub use store_error::StoreError;
pub use time::{Clock, Ticks, Timestamp};
pub use validate::{Fault, Faults};
