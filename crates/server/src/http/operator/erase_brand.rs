use std::sync::Arc;

use axum::{Json, extract::State};
use http::StatusCode;
use svc_mcp_access::{BrandId, id};
use svc_mcp_store::{BrandErasureError, NewErasure};

use super::erasure_view::ErasureView;
use crate::{
    app::App,
    http::{
        extract::{Operator, PathIds},
        operation::{Operation, Tag},
        problem::Problem,
    },
};

pub(crate) fn operation() -> Operation {
    Operation::delete("/api/admin/brands/{brand_id}", erase_brand)
        .describe(Tag::Operator, "erase_brand", "Erase everything of a brand")
        .details(
            "At once, no key of the brand works, nothing that it has queued goes out, and no member sees it. Its rows are \
             deleted in the background. The receipt says when this is done. The id cannot be used again. This cannot be \
             undone: export the brand first. Sending the request again returns the same receipt.",
        )
        .json::<ErasureView>(202, "The receipt")
}

async fn erase_brand(
    State(app): State<Arc<App>>,
    operator: Operator,
    PathIds(brand_id): PathIds<BrandId>,
) -> Result<(StatusCode, Json<ErasureView>), Problem> {
    let new = NewErasure {
        receipt_id: id::fresh("era", &mut app.entropy.clone()),
        requested_at: app.clock.now(),
        requested_by: operator.user_id.clone(),
    };
    let erasure =
        operator.store(&app).begin_brand_erasure(&brand_id, &new).await.map_err(|error| match error {
            BrandErasureError::NoSuchBrand => Problem::not_found("brand"),
            BrandErasureError::Store(error) => error.into(),
        })?;
    Ok((StatusCode::ACCEPTED, Json(erasure.into())))
}
