use std::sync::Arc;

use axum::{Json, extract::State};
use svc_mcp_access::UserId;

use super::{PageQuery, list_brands::BrandList};
use crate::{
    app::App,
    http::{
        brands::OperatorBrand,
        extract::{Operator, PathIds, ValidatedQuery},
        operation::{Operation, Tag},
        problem::Problem,
    },
};

pub(crate) fn operation() -> Operation {
    Operation::get("/api/admin/users/{user_id}/brands", list_user_brands)
        .describe(Tag::Operator, "list_user_brands", "List the brands that a user acts for")
        .details("With their role in each. The list of a user who is no member is empty.")
        .query::<PageQuery>()
        .json::<BrandList>(200, "The brands")
}

async fn list_user_brands(
    State(app): State<Arc<App>>,
    _: Operator,
    PathIds(user_id): PathIds<UserId>,
    ValidatedQuery(query): ValidatedQuery<PageQuery>,
) -> Result<Json<BrandList>, Problem> {
    let page = app.store.list_brands_of(&user_id, query.cursor.as_ref(), query.limit.get()).await?;
    let brands = page.items.into_iter().map(OperatorBrand::from).collect();
    Ok(Json(BrandList { brands, next_cursor: page.next.map(|cursor| cursor.encode()) }))
}
