//! Who makes a change: named in the audit log and in events.

use std::{net::IpAddr, sync::Arc};

use svc_mcp_access::{Timestamp, UserId};

use crate::Store;

/// The person or command behind the changes of one request.
#[derive(Debug, Clone)]
pub struct ChangedBy {
    pub actor: UserId,
    pub role: ActorRole,
    pub at: Timestamp,
    /// Random, one for each request or command. Its audit records hold it, and the ids of its events begin with it.
    pub change_id: String,
    /// `None`: a command on the machine of the service.
    pub address: Option<IpAddr>,
    /// `None`: a command.
    pub request_id: Option<String>,
}

/// With which right a change is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ActorRole {
    /// A member of the brand who is not an administrator.
    Member,
    Admin,
    Operator,
    CommandLine,
}

impl ActorRole {
    pub const ALL: [Self; 4] = [Self::Member, Self::Admin, Self::Operator, Self::CommandLine];

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Member => "member",
            Self::Admin => "admin",
            Self::Operator => "operator",
            Self::CommandLine => "command_line",
        }
    }
}

impl Store {
    /// The same store, for the changes of this person.
    #[must_use]
    pub fn by(&self, changed_by: ChangedBy) -> Self {
        Self { changed_by: Some(Arc::new(changed_by)), ..self.clone() }
    }
}
