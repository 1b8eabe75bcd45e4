//! What the members of a brand see of it, and what its administrators change.

use std::sync::Arc;

use axum::{Json, extract::State};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;
use svc_mcp_access::BrandId;
use svc_mcp_tools::local_time::canonical_name;

use super::BrandView;
use crate::{
    app::App,
    http::{
        extract::{
            Administrator, Input, Manager, ValidatedJson,
            schemas::{Language, TimeZoneName},
            trim_fields,
        },
        operation::{Operation, Tag},
        problem::Problem,
    },
};

const PATH: &str = "/api/brands/{brand_id}";

/// What to change. A field that is absent or null stays as it is
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct PatchBrand {
    /// The language of the brand's texts: two or three lower-case letters
    #[schemars(with = "Option<Language>", example = &"de")]
    language: Option<String>,
    /// A name of the IANA time zone database. Schedules, and times without a zone, are in it
    #[schemars(with = "Option<TimeZoneName>", example = &"Europe/Berlin")]
    time_zone: Option<String>,
}

impl Input for PatchBrand {
    fn normalize(body: &mut Value) {
        trim_fields(body, &["language", "time_zone"]);
    }
}

pub(crate) fn get_operation() -> Operation {
    Operation::get(PATH, get_managed_brand)
        .describe(Tag::Brand, "get_managed_brand", "Your brand, with its language and time zone")
        .json::<BrandView>(200, "The brand")
}

pub(crate) fn patch_operation() -> Operation {
    Operation::patch(PATH, patch_managed_brand)
        .describe(Tag::Brand, "patch_managed_brand", "Set the language and the time zone of your brand")
        .details("For administrators of the brand. The operator sets everything else.")
        .body::<PatchBrand>()
        .json::<BrandView>(200, "The brand")
}

async fn get_managed_brand(
    State(app): State<Arc<App>>,
    manager: Manager,
) -> Result<Json<BrandView>, Problem> {
    view(&app, &manager.brand_id).await
}

async fn patch_managed_brand(
    State(app): State<Arc<App>>,
    administrator: Administrator,
    ValidatedJson(body): ValidatedJson<PatchBrand>,
) -> Result<Json<BrandView>, Problem> {
    let time_zone = body.time_zone.as_deref().and_then(canonical_name);
    administrator
        .store(&app)
        .set_brand_locale(&administrator.brand_id, body.language.as_deref(), time_zone.as_deref())
        .await?;
    view(&app, &administrator.brand_id).await
}

async fn view(app: &App, brand: &BrandId) -> Result<Json<BrandView>, Problem> {
    let found = app.store.listed_brand(brand).await?;
    let view = found.map(|listed| BrandView::new(listed.brand, listed.suspension.as_ref()));
    view.map(Json).ok_or_else(|| Problem::not_found("brand"))
}
