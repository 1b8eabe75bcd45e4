use std::{io, sync::Arc, time::Duration};

use axum::{
    body::{Body, Bytes},
    extract::State,
    response::{IntoResponse, Response},
};
use futures_util::{TryStreamExt, stream};
use http::header;
use svc_mcp_access::BrandId;
use tokio::time::{Instant, sleep};

use crate::{
    app::App,
    brand_export::BrandExport,
    http::{
        extract::{Operator, PathIds},
        operation::{Operation, Tag},
        problem::Problem,
    },
};

const NDJSON: &str = "application/x-ndjson";
/// The longest pause between two pages.
const MAX_PAUSE: Duration = Duration::from_millis(100);

pub(crate) fn operation() -> Operation {
    Operation::get("/api/admin/brands/{brand_id}/export", export_brand)
        .describe(Tag::Operator, "export_brand", "All rows of a brand")
        .details(
            "One JSON object in each line: a header, the rows, and an end with the number of rows. Without the end, the \
             export is incomplete: repeat it. Keys are exported as digests, other secrets as they are sealed. Rows that \
             change during the export may be in it or not. `svc-mcp admin brands import` reads it.",
        )
        .text(NDJSON, "The export")
}

async fn export_brand(
    State(app): State<Arc<App>>,
    operator: Operator,
    PathIds(brand_id): PathIds<BrandId>,
) -> Result<Response, Problem> {
    if app.store.brand(&brand_id).await?.is_none() {
        return Err(Problem::not_found("brand"));
    }
    operator.store(&app).record_export(&brand_id).await?;
    let export = BrandExport::new(app.store.clone(), brand_id, app.clock.now());
    let lines = stream::try_unfold(export, |mut export| async move {
        let started = Instant::now();
        let lines = export.next_lines().await.map_err(io::Error::other)?;
        // Half of the time is left to other requests.
        sleep(started.elapsed().min(MAX_PAUSE)).await;
        Ok::<_, io::Error>(lines.map(|lines| (Bytes::from(lines), export)))
    });
    Ok(([(header::CONTENT_TYPE, NDJSON)], Body::from_stream(lines.into_stream())).into_response())
}
