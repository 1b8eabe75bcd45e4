//! The operator's own queries: lists over all brands, and the changes that stop a key, a person or a brand.
//!
//! Lists are read by an index, page by page. A search finds the beginning of a text, because an index can find that.

mod activity;
mod approvals;
mod audit_log;
mod brands;
mod deliveries;
mod jobs;
mod keys;
mod members;
mod queue_sizes;
mod revoke;
mod search;
mod statement;
mod suspension;

pub use activity::{ActivitySearch, BrandEvent};
pub use approvals::{ApprovalSearch, ListedApproval};
pub use audit_log::AuditSearch;
pub use brands::{BrandSearch, ListedBrand};
pub use jobs::{JobActor, JobRefusal, JobSearch, JobStatus, ListedJob};
pub use keys::{KeySearch, KeySearchStatus};
pub use members::ListedUser;
pub use queue_sizes::{JobQueue, QueueSizes};
pub use revoke::{KeysOf, RevokedKeys};
pub use search::SearchPage;
pub(crate) use suspension::{is_suspended, suspend};
