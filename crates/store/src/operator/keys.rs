//! Keys of all brands.

use std::str::FromStr;

use svc_mcp_access::{
    BrandId, KeyId, StoreError, Timestamp, UserId,
    decision::KeySource,
    key::{self, Key, KeyDigest},
};

use super::{
    search::{Part, Position, SearchPage, begins_exactly_with},
    statement::{Statement, fetch_all},
};
use crate::{
    Cursor, Store,
    engine::Engine,
    keys::{KEY_QUERY, KeyRow},
    start_after,
};

/// Which keys to list.
#[derive(Debug, Clone, Default)]
pub struct KeySearch {
    /// The first characters of the secret, with or without `svc_mcp_`.
    pub prefix: Option<String>,
    pub user: Option<UserId>,
    pub brand: Option<BrandId>,
    pub status: Option<KeySearchStatus>,
    /// Leaves revoked keys out.
    pub without_revoked: bool,
    pub after: Option<Cursor>,
    pub limit: u32,
}

/// A key has exactly one of these.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeySearchStatus {
    Active,
    Paused,
    Expired,
    Revoked,
}

impl KeySearchStatus {
    pub const ALL: [Self; 4] = [Self::Active, Self::Paused, Self::Expired, Self::Revoked];
    pub const NAMES: [&'static str; 4] = ["active", "paused", "expired", "revoked"];

    /// A condition on `keys`. `now` is the place of the time in the statement.
    fn condition(self, now: &str) -> String {
        let unexpired = format!("(expires_at IS NULL OR expires_at > {now})");
        match self {
            Self::Active => format!("revoked_at IS NULL AND paused_at IS NULL AND {unexpired}"),
            Self::Paused => format!("revoked_at IS NULL AND paused_at IS NOT NULL AND {unexpired}"),
            Self::Expired => {
                format!("revoked_at IS NULL AND expires_at IS NOT NULL AND expires_at <= {now}")
            }
            Self::Revoked => "revoked_at IS NOT NULL".to_owned(),
        }
    }
}

impl FromStr for KeySearchStatus {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let position = Self::NAMES.iter().position(|name| *name == text).ok_or(())?;
        Ok(Self::ALL[position])
    }
}

impl Store {
    /// Newest first, or sorted by prefix if one is given.
    pub async fn search_keys(
        &self,
        search: &KeySearch,
        now: Timestamp,
    ) -> Result<SearchPage<Key>, StoreError> {
        self.run("search_keys", async {
            let statement = keys_statement(&self.engine, search, now);
            let rows: Vec<KeyRow> = fetch_all!(&self.engine, statement)?;
            let keys = rows.into_iter().map(Key::try_from).collect::<Result<Vec<_>, _>>()?;
            let by_prefix = prefix_of(search).is_some();
            Ok(SearchPage::cut(keys, search.limit, |key| {
                let id = key.key_id.to_string();
                if by_prefix {
                    Position { part: Part::ById, text: key.prefix.clone(), id }.cursor()
                } else {
                    Cursor { at: key.created_at, id }
                }
            }))
        })
        .await
    }

    /// A key of any brand.
    pub async fn find_key(&self, key: &KeyId) -> Result<Option<Key>, StoreError> {
        self.run("find_key", async {
            let mut statement = Statement::new(KEY_QUERY);
            let id = statement.text(key.as_str());
            statement.and(&format!("key_id = {id}"));
            let rows: Vec<KeyRow> = fetch_all!(&self.engine, statement)?;
            rows.into_iter().next().map(Key::try_from).transpose()
        })
        .await
    }

    /// The key with this secret, found like that of a request.
    pub async fn find_key_by_digest(&self, digest: &KeyDigest) -> Result<Option<Key>, StoreError> {
        match self.key_state(digest).await? {
            Some(key_state) => self.key(&key_state.brand_id, &key_state.key_id).await,
            None => Ok(None),
        }
    }

    /// How the engine would run the search, for tests.
    #[doc(hidden)]
    pub async fn explain_search_keys(
        &self,
        search: &KeySearch,
        now: Timestamp,
    ) -> Result<Vec<String>, StoreError> {
        self.explain(&keys_statement(&self.engine, search, now)).await
    }
}

/// The prefix with `svc_mcp_`. `None`: every key begins with it.
fn prefix_of(search: &KeySearch) -> Option<String> {
    let prefix = search.prefix.as_deref().filter(|prefix| !key::PREFIX.starts_with(prefix))?;
    let is_whole = prefix.starts_with(key::PREFIX);
    Some(if is_whole { prefix.to_owned() } else { format!("{}{prefix}", key::PREFIX) })
}

/// The prefix, compared byte by byte: the index is in that order on both engines.
fn prefix_column(engine: &Engine) -> &'static str {
    match engine {
        Engine::Sqlite { .. } => "prefix",
        Engine::Postgres { .. } => "prefix COLLATE \"C\"",
    }
}

fn keys_statement(engine: &Engine, search: &KeySearch, now: Timestamp) -> Statement {
    let column = prefix_column(engine);
    let mut statement = Statement::new(KEY_QUERY);
    let prefix = prefix_of(search);
    if let Some(prefix) = &prefix {
        let condition = begins_exactly_with(&mut statement, column, prefix);
        statement.and(&condition);
    }
    if let Some(user) = &search.user {
        let user = statement.text(user.as_str());
        statement.and(&format!("created_by = {user}"));
    }
    if let Some(brand) = &search.brand {
        let brand = statement.text(brand.as_str());
        statement.and(&format!("brand_id = {brand}"));
    }
    match search.status {
        Some(KeySearchStatus::Revoked) => statement.and(&KeySearchStatus::Revoked.condition("")),
        Some(status) => {
            let now = statement.number(now.millis());
            statement.and(&status.condition(&now));
        }
        None => {}
    }
    if search.without_revoked {
        statement.and("revoked_at IS NULL");
    }
    if prefix.is_some() {
        Position::decode(search.after.as_ref()).add_to(&mut statement, column, "key_id");
        statement.push(&format!(" ORDER BY {column}, key_id"));
    } else {
        let (at, id) = start_after(search.after.as_ref());
        let (at, id) = (statement.number(at), statement.text(id));
        statement.and(&format!("(created_at, key_id) < ({at}, {id})"));
        statement.push(" ORDER BY created_at DESC, key_id DESC");
    }
    statement.limit(search.limit);
    statement
}
