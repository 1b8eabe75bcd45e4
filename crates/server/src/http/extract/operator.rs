//! The operator of the service.

use std::sync::Arc;

use axum::extract::{FromRequestParts, RawPathParams};
use http::request::Parts;
use svc_mcp_access::UserId;
use svc_mcp_store::{ActorRole, ChangedBy, Store, ToolRecords};

use super::{changed_by::changed_by, credential};
use crate::{
    app::App,
    http::{
        access_log,
        problem::{Code, Problem},
    },
};

/// A person with the operator role: by the claim of their token (`SVC_JWT_OPERATOR_CLAIM`), or by a session that was started with
/// such a token.
#[derive(Debug)]
pub(crate) struct Operator {
    pub(crate) user_id: UserId,
    changed_by: ChangedBy,
}

impl Operator {
    /// The store for this person's changes.
    pub(crate) fn store(&self, app: &App) -> Store {
        app.store.by(self.changed_by.clone())
    }

    /// The records for this person's changes.
    pub(crate) fn records(&self, app: &App) -> ToolRecords {
        ToolRecords { store: self.store(app), entropy: app.entropy.clone() }
    }
}

impl FromRequestParts<Arc<App>> for Operator {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, Problem> {
        let user = credential::person(parts, app).await?;
        if user.operator {
            note_path(parts).await;
            let changed_by = changed_by(parts, app, &user.user_id, ActorRole::Operator);
            Ok(Self { user_id: user.user_id, changed_by })
        } else {
            let claim = &app.verifier.operator_claim;
            let detail = format!(
                "This needs a token with the operator's claim, `{claim}` (`svc-mcp token --user U --operator` makes one \
                 if the service has the shared secret), or a session that was started with one."
            );
            Err(Problem::new(Code::NotOperator, detail))
        }
    }
}

/// Notes the brand and the key of the path for the access log. Texts that are no ids are not noted.
async fn note_path(parts: &mut Parts) {
    let Ok(path) = RawPathParams::from_request_parts(parts, &()).await else { return };
    for (name, value) in &path {
        if name == "brand_id"
            && let Ok(brand) = value.parse()
        {
            access_log::note_brand(&brand);
        }
        if name == "key_id"
            && let Ok(key) = value.parse()
        {
            access_log::note_key(&key);
        }
    }
}
