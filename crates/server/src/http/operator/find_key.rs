use std::sync::Arc;

use axum::{Json, extract::State};
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer};
use serde_json::Value;
use svc_mcp_access::{Fault, Secret, key::KeyToken};

use crate::{
    app::App,
    http::{
        extract::{Input, Operator, ValidatedJson, trim_fields},
        keys::KeyView,
        operation::{Operation, Tag},
        problem::Problem,
    },
};

/// The message for a text that is no key. It does not repeat the text.
pub(crate) const NOT_A_KEY: &str =
    "is not a whole MCP key: its form or its checksum is wrong. Check that all of it was copied";

/// The key to search for
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct FindKey {
    /// The whole secret. It is neither stored nor logged
    #[serde(deserialize_with = "secret")]
    #[schemars(with = "String", length(min = 1, max = 200), example = &"svc_mcp_…")]
    secret: Secret,
}

fn secret<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Secret, D::Error> {
    String::deserialize(deserializer).map(Secret::new)
}

impl Input for FindKey {
    const MAY_HOLD_KEYS: bool = true;

    fn normalize(body: &mut Value) {
        trim_fields(body, &["secret"]);
    }
}

pub(crate) fn operation() -> Operation {
    Operation::post("/api/admin/keys/search", find_key)
        .describe(Tag::Operator, "find_key", "Find the key that has this secret")
        .details("Also a revoked or expired one. 404: there is no such key. The secret is neither stored nor logged.")
        .body::<FindKey>()
        .json::<KeyView>(200, "The key")
}

async fn find_key(
    State(app): State<Arc<App>>,
    _: Operator,
    ValidatedJson(body): ValidatedJson<FindKey>,
) -> Result<Json<KeyView>, Problem> {
    let digest = KeyToken::digest_of(body.secret.expose().as_bytes())
        .map_err(|_| Problem::invalid_request(Fault::new("secret", NOT_A_KEY)))?;
    let key = app.store.find_key_by_digest(&digest).await?;
    let key = key.ok_or_else(|| Problem::not_found("key"))?;
    Ok(Json(KeyView::new(key, app.clock.now())))
}
