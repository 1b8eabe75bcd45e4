//! People with an application token or a session, and their role in the brand of the path.

use std::{collections::HashMap, sync::Arc};

use axum::{
    RequestPartsExt,
    extract::{FromRequestParts, Path},
};
use http::request::Parts;
use svc_mcp_access::{BrandId, KeyId, Role, Timestamp, UserId, key::Key, session::SignInDigest};
use svc_mcp_store::{ActorRole, ChangedBy, Store, ToolRecords};

use super::{
    changed_by::changed_by,
    credential::{self, Person},
};
use crate::{
    app::App,
    http::{
        access_log,
        problem::{Code, Problem},
    },
};

/// A person with a valid application token or a session.
#[derive(Debug)]
pub(crate) struct SignedIn {
    pub(crate) user_id: UserId,
    pub(crate) operator: bool,
    /// When the token or the session ends.
    pub(crate) expires_at: Timestamp,
    /// `None`: they sent an application token.
    pub(crate) session: Option<SignInDigest>,
}

impl FromRequestParts<Arc<App>> for SignedIn {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, Problem> {
        let Person { user_id, operator, expires_at, session } = credential::person(parts, app).await?;
        Ok(Self { user_id, operator, expires_at, session })
    }
}

/// A member of the brand in the path. For other people the brand does not exist: they get 404.
#[derive(Debug)]
pub(crate) struct Manager {
    pub(crate) brand_id: BrandId,
    pub(crate) user_id: UserId,
    pub(crate) role: Role,
    /// The key in the path, if it names one.
    key_id: Option<String>,
    changed_by: ChangedBy,
}

impl FromRequestParts<Arc<App>> for Manager {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, Problem> {
        let user = credential::person(parts, app).await?;
        let Path(mut path) = parts
            .extract::<Path<HashMap<String, String>>>()
            .await
            .map_err(|_| Problem::not_found("brand"))?;
        let brand = path.remove("brand_id").unwrap_or_default();
        let brand_id: BrandId = brand.parse().map_err(|_| Problem::not_found("brand"))?;
        let member = app.store.membership(&brand_id, &user.user_id).await?;
        let member = member.ok_or_else(|| Problem::not_found("brand"))?;
        access_log::note_brand(&brand_id);
        let role = if member.role == Role::Admin { ActorRole::Admin } else { ActorRole::Member };
        let changed_by = changed_by(parts, app, &user.user_id, role);
        let key_id = path.remove("key_id");
        Ok(Self { brand_id, user_id: user.user_id, role: member.role, key_id, changed_by })
    }
}

/// An administrator of the brand in the path.
#[derive(Debug)]
pub(crate) struct Administrator {
    pub(crate) brand_id: BrandId,
    pub(crate) user_id: UserId,
    changed_by: ChangedBy,
}

impl FromRequestParts<Arc<App>> for Administrator {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, Problem> {
        let manager = Manager::from_request_parts(parts, app).await?;
        if !manager.is_admin() {
            return Err(Problem::new(
                Code::NotAdmin,
                "Only administrators of this brand can do this, and you are a member without that role. Ask an administrator.",
            ));
        }
        let Manager { brand_id, user_id, changed_by, .. } = manager;
        Ok(Self { brand_id, user_id, changed_by })
    }
}

impl Administrator {
    /// The store for this person's changes.
    pub(crate) fn store(&self, app: &App) -> Store {
        app.store.by(self.changed_by.clone())
    }

    /// The records for this person's changes.
    pub(crate) fn records(&self, app: &App) -> ToolRecords {
        ToolRecords { store: self.store(app), entropy: app.entropy.clone() }
    }
}

impl Manager {
    /// The store for this person's changes.
    pub(crate) fn store(&self, app: &App) -> Store {
        app.store.by(self.changed_by.clone())
    }

    /// The records for this person's changes.
    pub(crate) fn records(&self, app: &App) -> ToolRecords {
        ToolRecords { store: self.store(app), entropy: app.entropy.clone() }
    }

    /// The key in the path, if it belongs to the brand.
    pub(crate) async fn key(&self, app: &App) -> Result<Key, Problem> {
        let key_id: KeyId = self
            .key_id
            .as_deref()
            .and_then(|key_id| key_id.parse().ok())
            .ok_or_else(|| Problem::not_found("key"))?;
        let key = app.store.key(&self.brand_id, &key_id).await?.ok_or_else(|| Problem::not_found("key"))?;
        access_log::note_key(&key.key_id);
        Ok(key)
    }

    pub(crate) fn is_creator(&self, key: &Key) -> bool {
        key.created_by == self.user_id
    }

    pub(crate) fn is_admin(&self) -> bool {
        self.role == Role::Admin
    }
}
