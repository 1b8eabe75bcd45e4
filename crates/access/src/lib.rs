//! Who may do what. Keys, scopes, plans, members, the rate limit and the one decision over them.
//!
//! Nothing here does HTTP, SQL or network, reads a clock or draws a random number: all of these come in as
//! parameters, so every rule can be tested without waiting and without a server.

mod beside;
pub mod brand;
pub mod decision;
pub mod id;
pub mod idempotency;
pub mod key;
pub mod limiter;
pub mod random;
pub mod rate;
pub mod scope;
pub mod secret;
pub mod tally;
pub mod time;
pub mod validate;

pub use brand::{Brand, Member, Plan, Role};
pub use id::{BrandId, ChannelId, KeyId, Names, PlanId, UserId};
pub use random::Entropy;
pub use scope::{Scope, ToolAccess};
pub use secret::Secret;
pub use time::{Clock, Ticks, Timestamp};
pub use validate::Fault;
