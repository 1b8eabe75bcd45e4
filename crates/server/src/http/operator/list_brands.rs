use std::sync::Arc;

use axum::{Json, extract::State};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use svc_mcp_access::PlanId;
use svc_mcp_store::{BrandSearch, Cursor};

use super::MAX_SEARCH_CHARS;
use crate::{
    app::App,
    http::{
        brands::OperatorBrand,
        extract::{
            Input, Operator, PageLimit, ValidatedQuery,
            schemas::{self, Id, LongCursorText, PLAIN_TEXT},
        },
        operation::{Operation, Tag},
        problem::Problem,
    },
};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ListBrands {
    /// The beginning of the id or of the name, in any case
    #[schemars(length(min = 1, max = MAX_SEARCH_CHARS), regex(pattern = PLAIN_TEXT))]
    q: Option<String>,
    /// Only brands on this plan
    #[schemars(with = "Option<Id>")]
    plan: Option<PlanId>,
    /// `active` or `suspended`
    #[schemars(with = "Option<String>", extend("enum" = ["active", "suspended"]))]
    status: Option<BrandStatus>,
    #[serde(default)]
    limit: PageLimit<50, 100>,
    #[serde(default, deserialize_with = "schemas::cursor")]
    #[schemars(with = "Option<LongCursorText>")]
    cursor: Option<Cursor>,
}

impl Input for ListBrands {}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum BrandStatus {
    Active,
    Suspended,
}

/// A page of brands, sorted by id. A search lists those whose id begins with the text first, then those whose name does
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct BrandList {
    pub(super) brands: Vec<OperatorBrand>,
    /// Pass it as `cursor` for the next page; null on the last one
    pub(super) next_cursor: Option<String>,
}

pub(crate) fn operation() -> Operation {
    Operation::get("/api/admin/brands", list_brands)
        .describe(Tag::Operator, "list_brands", "List and search brands")
        .query::<ListBrands>()
        .json::<BrandList>(200, "The brands")
}

async fn list_brands(
    State(app): State<Arc<App>>,
    _: Operator,
    ValidatedQuery(query): ValidatedQuery<ListBrands>,
) -> Result<Json<BrandList>, Problem> {
    let ListBrands { q, plan, status, limit, cursor } = query;
    let suspended = status.map(|status| status == BrandStatus::Suspended);
    let page = app
        .store
        .search_brands(&BrandSearch { q, plan, suspended, after: cursor, limit: limit.get() })
        .await?;
    let brands = page.items.into_iter().map(OperatorBrand::from).collect();
    Ok(Json(BrandList { brands, next_cursor: page.next.map(|cursor| cursor.encode()) }))
}
