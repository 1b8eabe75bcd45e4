//! Who makes the changes of a request, for the audit log and for events.

use http::request::Parts;
use svc_mcp_access::{UserId, id};
use svc_mcp_store::{ActorRole, ChangedBy};

use crate::{
    app::App,
    http::{client_address::ClientAddress, instrument::RequestId},
};

pub(super) fn changed_by(parts: &Parts, app: &App, user: &UserId, role: ActorRole) -> ChangedBy {
    let request_id = parts.extensions.get::<RequestId>();
    ChangedBy {
        actor: user.clone(),
        role,
        at: app.clock.now(),
        change_id: id::fresh("chg", &mut app.entropy.clone()),
        address: Some(ClientAddress::of(parts).0),
        request_id: request_id.map(|id| id.as_str().to_owned()),
    }
}
